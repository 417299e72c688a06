//! Trains the model of the modelled codec, and reports what the built-in one does.
//!
//! ```text
//! train learn RAW [--games N] [--rate R] [--seed S] FILE…   learns weights
//! train pack OUT --raw RAW [--seed S] FILE…                 makes the file that the codec embeds
//! train report [--games N] FILE…                            bits a move with the built-in model
//! ```
//!
//! Files are PGN or lines of moves (`.txt`), packed or not. One thread; the same seed and files give
//! the same weights.

mod descent;
mod games;
mod openings;
mod report;

use std::collections::HashMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use chess::Position;
use codec::modelled::features::Memory;
use codec::modelled::{MODEL, book};
use descent::{Linear, Scene};
use games::Game;
use openings::Known;

/// As many games as the model counts for beside the opening table.
const MODEL_GAMES: f64 = 6.0;

/// What the file of weights may take.
const MOST_BYTES: usize = 4_000_000;

struct Options {
    out: PathBuf,
    raw: Option<PathBuf>,
    most: usize,
    rate: f32,
    seed: u32,
    files: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = match args.first().map(String::as_str) {
        Some("learn") => options(&args[1..]).and_then(|options| learn(&options)),
        Some("pack") => options(&args[1..]).and_then(|options| pack(&options)),
        Some("report") => options(&args).and_then(|options| {
            let reports = options.files.iter();
            reports
                .into_iter()
                .try_for_each(|file| report::print(file, options.most))
        }),
        _ => Err(
            "train learn RAW FILE… | train pack OUT --raw RAW FILE… | train report FILE…".into(),
        ),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn options(args: &[String]) -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        out: args.first().ok_or("where to?")?.into(),
        raw: None,
        most: usize::MAX,
        rate: 0.1,
        seed: 1,
        files: Vec::new(),
    };
    let mut rest = args[1..].iter();
    while let Some(arg) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("{arg} what?"));
        match arg.as_str() {
            "--raw" => options.raw = Some(value()?.into()),
            "--games" => options.most = value()?.parse()?,
            "--rate" => options.rate = value()?.parse()?,
            "--seed" => options.seed = value()?.parse()?,
            file => options.files.push(file.into()),
        }
    }
    Ok(options)
}

/// Learns weights from games and writes them as they stand.
fn learn(options: &Options) -> Result<(), Box<dyn Error>> {
    let clock = Instant::now();
    let (games, known) = study(options)?;
    let mut model = Linear::new(options.rate, options.seed);
    pass(&mut model, &games, &known);
    eprintln!("learnt, {:.0?}", clock.elapsed());
    std::fs::write(&options.out, model.to_bytes())?;
    Ok(())
}

/// Makes the file of weights that the codec embeds: weights of 8 and 16 bits, and an opening table.
fn pack(options: &Options) -> Result<(), Box<dyn Error>> {
    let raw = options.raw.as_ref().ok_or("--raw FILE: what was learnt?")?;
    let model = Linear::from_bytes(&std::fs::read(raw)?, options.rate, options.seed);
    let model = model.ok_or("these weights are of other features")?;
    let (_, known) = study(options)?;
    let weights = model.quantised();
    let empty = codec::modelled::write(MODEL, &weights, &[]).len();
    let table = openings::table(&known, &model, MODEL_GAMES, MOST_BYTES - empty);
    let bytes = codec::modelled::write(MODEL, &weights, &table);
    eprintln!("{} bytes", bytes.len());
    std::fs::write(&options.out, bytes)?;
    Ok(())
}

/// The games, shuffled, and the positions that were met several times, by their keys.
type Studied = (Vec<Game>, HashMap<u64, Known>);

fn study(options: &Options) -> Result<Studied, Box<dyn Error>> {
    let mut games = Vec::new();
    for file in &options.files {
        games.extend(read(file, options.most)?);
    }
    shuffle(&mut games, options.seed);
    let known = openings::count(&games, 3);
    eprintln!("{} games, {} known positions", games.len(), known.len());
    Ok((games, known))
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
