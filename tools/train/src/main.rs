//! Trains the models of the modelled codec, and reports what the built-in ones do: see `--help`.

mod descent;
mod games;
mod net;
mod openings;
mod options;
mod report;

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use chess::Position;
use codec::modelled::features::Memory;
use codec::modelled::{Level, book, with_head};
use descent::{Linear, Scene};
use games::Game;
use net::Net;
use openings::Known;
use options::{HELP, Options};

/// As many games as the model counts for beside the opening table.
const MODEL_GAMES: f64 = 6.0;

/// What the file of weights may take.
const MOST_BYTES: usize = 4_000_000;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Result<(), Box<dyn Error>> {
    let Some((command, rest)) = args.split_first() else {
        return Err("learn, pack, layer, net or report? see --help".into());
    };
    match command.as_str() {
        "learn" => learn(&Options::parse(rest, true)?),
        "pack" => pack(&Options::parse(rest, true)?),
        "layer" => learn_layer(&Options::parse(rest, true)?),
        "net" => pack_layers(&Options::parse(rest, true)?),
        "report" => {
            let options = Options::parse(rest, false)?;
            let mut files = options.files.iter();
            files.try_for_each(|file| report::print(file, options.most, options.level))
        }
        "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(format!("no command {other}; see --help").into()),
    }
}

/// Learns weights from games and writes them as they stand.
fn learn(options: &Options) -> Result<(), Box<dyn Error>> {
    let clock = Instant::now();
    let games = read_all(options)?;
    let model = learnt(games, options.rate.unwrap_or(0.1), options.seed);
    eprintln!("learnt, {:.0?}", clock.elapsed());
    std::fs::write(&options.out, model.to_bytes())?;
    Ok(())
}

/// The weights that games teach.
fn learnt(games: Vec<Game>, rate: f32, seed: u32) -> Linear {
    let (games, known) = study(games, seed);
    let mut model = Linear::new(rate, seed);
    pass(&mut model, &games, &known);
    model
}

/// Plies before this are the opening table's.
const FIRST_PLY: usize = 12;

/// Learns a hidden layer on top of a file of weights, which stays as it is.
fn learn_layer(options: &Options) -> Result<(), Box<dyn Error>> {
    let raw = options.raw.as_ref().ok_or("--raw FILE: on top of what?")?;
    let linear = Linear::from_file(&std::fs::read(raw)?).ok_or("no file of weights")?;
    let rate = options.rate.unwrap_or(0.02);
    let net = match &options.from {
        None => Net::new(rate, options.seed),
        Some(file) => Net::from_bytes(&std::fs::read(file)?, rate, options.seed)
            .ok_or("this is no layer, or one of other features")?,
    };
    let mut games = read_all(options)?;
    shuffle(&mut games, options.seed);
    std::fs::write(&options.out, layer(net, &games, &linear).to_bytes())?;
    Ok(())
}

/// Makes the file that the codec embeds: two layers in eight bits.
fn pack_layers(options: &Options) -> Result<(), Box<dyn Error>> {
    let mut bytes = Vec::new();
    for file in &options.files {
        let net = Net::from_bytes(&std::fs::read(file)?, 0.0, 1);
        bytes.extend(
            net.ok_or("this is no layer, or one of other features")?
                .quantised(),
        );
    }
    std::fs::write(&options.out, with_head(Level::Max.model(), &bytes))?;
    Ok(())
}

/// The hidden layer that games teach, in one pass.
fn layer(mut net: Net, games: &[Game], linear: &Linear) -> Net {
    let mut scene = Scene::default();
    let (mut before, mut bits, mut plies) = (0.0, 0.0, 0_u32);
    for (n, game) in games.iter().enumerate() {
        let mut position = Position::START;
        let mut memory = Memory::default();
        for (ply, &m) in game.moves.iter().enumerate() {
            if ply >= FIRST_PLY {
                scene.fill(&position, memory);
                let Some(played) = scene.index_of(m) else {
                    break;
                };
                linear.foretell(&mut scene);
                before -= f64::from(scene.odds[played]).log2();
                linear.score(&mut scene);
                net.foretell(&mut scene);
                bits -= f64::from(scene.odds[played]).log2();
                plies += 1;
                net.learn(&scene, played);
            }
            memory = memory.after(&position, m);
            position.play_unchecked(m);
        }
        if (n + 1) % 20_000 == 0 {
            let [bits_a_move, without] = [bits, before].map(|bits| bits / f64::from(plies));
            eprintln!(
                "{} games, {bits_a_move:.4} bits a move, {without:.4} without",
                n + 1
            );
            (before, bits, plies) = (0.0, 0.0, 0);
        }
    }
    net
}

/// Makes the file of weights that the codec embeds: weights of 8 and 16 bits, and an opening table.
fn pack(options: &Options) -> Result<(), Box<dyn Error>> {
    let raw = options.raw.as_ref().ok_or("--raw FILE: what was learnt?")?;
    let model = Linear::from_bytes(&std::fs::read(raw)?, 0.0, options.seed);
    let model = model.ok_or("these weights are of other features")?;
    let (_, known) = study(read_all(options)?, options.seed);
    let bytes = packed(&model, &known);
    eprintln!("{} bytes", bytes.len());
    std::fs::write(&options.out, bytes)?;
    Ok(())
}

/// The file that the codec embeds.
fn packed(model: &Linear, known: &HashMap<u64, Known>) -> Vec<u8> {
    let number = Level::Usual.model();
    let weights = model.quantised();
    let empty = codec::modelled::write(number, &weights, &[]).len();
    let table = openings::table(known, model, MODEL_GAMES, MOST_BYTES - empty);
    codec::modelled::write(number, &weights, &table)
}

/// The games, shuffled, and the positions that were met several times, by their keys.
type Studied = (Vec<Game>, HashMap<u64, Known>);

fn study(mut games: Vec<Game>, seed: u32) -> Studied {
    shuffle(&mut games, seed);
    let known = openings::count(&games, 3);
    eprintln!("{} games, {} known positions", games.len(), known.len());
    (games, known)
}

fn read_all(options: &Options) -> Result<Vec<Game>, Box<dyn Error>> {
    let mut games = Vec::new();
    for file in &options.files {
        games.extend(read(file, options.most)?);
    }
    Ok(games)
}

fn read(file: &Path, most: usize) -> Result<Vec<Game>, Box<dyn Error>> {
    let games = games::read(file, most)?;
    eprintln!("{}: {} games", file.display(), games.len());
    Ok(games)
}

fn shuffle(games: &mut [Game], seed: u32) {
    let mut state = u64::from(seed);
    for last in (1..games.len()).rev() {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        #[allow(clippy::cast_possible_truncation)]
        games.swap(last, (state >> 33) as usize % (last + 1));
    }
}

/// One pass over all games. What the opening table knows (from the other games) need not be learnt.
fn pass(model: &mut Linear, games: &[Game], known: &HashMap<u64, Known>) {
    let mut scene = Scene::default();
    let (mut bits, mut plies) = (0.0, 0_u32);
    for (n, game) in games.iter().enumerate() {
        let mut position = Position::START;
        let mut memory = Memory::default();
        let mut unknown = 0;
        for &m in &game.moves {
            scene.fill(&position, memory);
            model.foretell(&mut scene);
            let Some(played) = scene.index_of(m) else {
                break;
            };
            let odds = f64::from(scene.odds[played]);
            let mut mixed = odds;
            let mut share = 1.0;
            if unknown < 4 {
                match known.get(&book::key(&position)) {
                    Some(known) => {
                        unknown = 0;
                        let others = f64::from(known.games - 1);
                        let model_games = MODEL_GAMES / (MODEL_GAMES + others);
                        let count = f64::from(known.count(m).saturating_sub(1));
                        mixed = count / (MODEL_GAMES + others) + model_games * odds;
                        share = model_games * odds / mixed;
                    }
                    None => unknown += 1,
                }
            }
            bits -= mixed.log2();
            plies += 1;
            #[allow(clippy::cast_possible_truncation)]
            model.learn(&mut scene, played, share as f32);
            memory = memory.after(&position, m);
            position.play_unchecked(m);
        }
        if (n + 1) % 20_000 == 0 {
            eprintln!(
                "{} games, {:.4} bits a move",
                n + 1,
                bits / f64::from(plies)
            );
            (bits, plies) = (0.0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::{GameKind, random_game};

    fn some_games() -> Vec<Game> {
        let moves = (0..60).map(|seed| random_game(GameKind::Standard, seed % 10, 60).moves);
        moves.map(|moves| Game { rating: 0, moves }).collect()
    }

    /// All that is learnt, in the bytes of the files that the codec embeds.
    fn files(seed: u32) -> [Vec<u8>; 2] {
        let model = learnt(some_games(), 0.1, seed);
        let (games, known) = study(some_games(), seed);
        assert!(known.len() > 100, "some openings are met several times");
        let file = packed(&model, &known);
        let linear = Linear::from_file(&file).unwrap();
        [
            file,
            layer(Net::new(0.02, seed), &games, &linear).to_bytes(),
        ]
    }

    #[test]
    fn the_same_seed_gives_the_same_files() {
        let first = files(5);
        assert!(first == files(5), "files differ");
        let other = files(6);
        assert!(
            first[0] != other[0] && first[1] != other[1],
            "a seed counts"
        );
    }

    #[test]
    fn the_command_line_is_explained() {
        for command in ["learn", "pack", "layer", "net", "report"] {
            assert!(HELP.contains(&format!("  train {command} ")));
            let error = run(&[command.to_owned()]).unwrap_err();
            assert!(error.to_string().contains("--help"), "{error}");
        }
    }
}
