//! `scoresheet explore`: what was played in a position.

use std::fs::File;
use std::io::{BufWriter, Write as _, stdout};
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::time::Instant;

use archive::games::{Archive, Columns, RowGroup};
use chess::Position;
use codec::Legality;
use search::{Answer, Explorer, Index, IndexBuilder, IndexError, IndexOptions, Opening, Tally};
use serde_json::json;

use crate::archive_file;
use crate::exit::{Exit, Failure};
use crate::filter_args::FilterArgs;
use crate::output::grouped;
use crate::output_file::OutputFile;
use crate::table::{Align, Table};
use crate::text_input::{at, games_bar};

/// Tell what was played in a position, how often, and with what success.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = "Examples:
  scoresheet explore games.scoresheet
  scoresheet explore games.scoresheet --moves 'e4 c5 Nf3'
  scoresheet explore games.scoresheet --fen 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -' --elo 2600-
  scoresheet explore index games.scoresheet

Without an index, and with filters, all games are looked through. An index is made once and answers at
once. `transposed` counts games that came to the position after a move by another way.")]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,

    /// The archive.
    #[arg(value_name = "ARCHIVE", required = true)]
    archive: Option<PathBuf>,

    /// The position; the start of the game if there is none.
    #[arg(long, value_name = "FEN", conflicts_with = "moves")]
    fen: Option<String>,

    /// The position after these moves.
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,

    /// The index; ARCHIVE.index if it is there.
    #[arg(long, value_name = "FILE", conflicts_with = "no_index")]
    index: Option<PathBuf>,

    /// Look through all games even if there is an index.
    #[arg(long)]
    no_index: bool,

    #[command(flatten)]
    filter: FilterArgs,

    /// How many threads look through games; all cores if not given.
    #[arg(long, short, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Build an index of all positions of an archive.
    Index(IndexArgs),
}

#[derive(clap::Args, Debug)]
struct IndexArgs {
    /// The archive.
    archive: PathBuf,

    /// The index to write; ARCHIVE.index if not given.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// How many plies of each game; all if not given.
    #[arg(long, value_name = "N")]
    plies: Option<u32>,

    /// How much memory sorting may take, in MiB; what is more goes to files for a while.
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    memory: usize,

    /// How many threads read games; the index is the same for any number.
    #[arg(long, short, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Replace the index if it is there.
    #[arg(long, short)]
    force: bool,
}

pub fn run(args: &Args) -> Result<Exit, Failure> {
    if let Some(Command::Index(args)) = &args.command {
        return build(args);
    }
    let path = args.archive.clone().unwrap_or_default();
    let position = position(args)?;
    let archive = archive_file::open(&path)?;
    let begin = Instant::now();
    let (answer, is_indexed) = ask(args, &path, &archive, &position)?;
    let seconds = begin.elapsed().as_secs_f64();
    let begin = Instant::now();
    let games = samples(&path, &archive, &answer)?;
    let games_seconds = begin.elapsed().as_secs_f64();
    if args.json {
        print_json(&answer, &games, is_indexed, [seconds, games_seconds])?;
    } else {
        print_table(&answer, &games)?;
        let how = if is_indexed {
            "by the index"
        } else {
            "by looking through all games"
        };
        eprintln!(
            "{how}, {:.1} ms; games played through in {:.1} ms",
            seconds * 1e3,
            games_seconds * 1e3
        );
    }
    Ok(match answer.total.games {
        0 => Exit::NothingFound,
        _ => Exit::Ok,
    })
}

fn position(args: &Args) -> Result<Position, Failure> {
    let usage = |message: String| Failure::new(Exit::Usage, message);
    if let Some(fen) = &args.fen {
        // Clocks and numbers may be left out.
        let fields = fen.split_whitespace().count();
        let missing = ["w", "-", "-", "0", "1"].get(fields.saturating_sub(1)..);
        let whole = format!("{fen} {}", missing.unwrap_or_default().join(" "));
        return whole
            .trim()
            .parse()
            .map_err(|error| usage(format!("--fen: {error}")));
    }
    let mut position = Position::START;
    for word in args.moves.iter().flat_map(|moves| moves.split_whitespace()) {
        let san = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let san = if word.starts_with("0-0") { word } else { san };
        if san.is_empty() {
            continue;
        }
        let m = position.parse_san(san.as_bytes());
        let m = m.map_err(|error| usage(format!("--moves: {word}: {error}")))?;
        position.play_unchecked(m);
    }
    Ok(position)
}

fn at_index(path: &Path, error: IndexError) -> Failure {
    match error {
        IndexError::Io(error) => at(&path.display().to_string(), &error),
        IndexError::Archive(error) => archive_file::at(path, error),
        error => {
            let exit = match error {
                IndexError::Parquet(_) | IndexError::Damaged { .. } => Exit::Damaged,
                _ => Exit::BadInput,
            };
            Failure::new(exit, format!("{}: {error}", path.display()))
        }
    }
}

fn default_index(archive: &Path) -> PathBuf {
    let mut name = archive.as_os_str().to_owned();
    name.push(".index");
    name.into()
}

fn build(args: &IndexArgs) -> Result<Exit, Failure> {
    let archive = archive_file::open(&args.archive)?;
    let output = args
        .output
        .clone()
        .unwrap_or_else(|| default_index(&args.archive));
    let file = OutputFile::create(&output, args.force)?;
    let directory = match output.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    let options = IndexOptions {
        plies: args.plies,
        threads: args
            .threads
            .or(std::thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN),
        memory: args.memory.max(1) << 20,
        directory,
    };
    let begin = Instant::now();
    let bar = games_bar(archive.games());
    let built = IndexBuilder::new(options).build(&archive, BufWriter::new(file), |games| {
        bar.set_position(games);
    });
    bar.finish_and_clear();
    let (out, indexed) = built.map_err(|error| at_index(&args.archive, error))?;
    let file = out
        .into_inner()
        .map_err(|error| Failure::from(error.into_error()))?;
    file.finish(&output)?;
    let bytes = std::fs::metadata(&output).map_or(0, |about| about.len());
    let seconds = begin.elapsed().as_secs_f64().max(1e-6);
    eprintln!(
        "{}: {} games, {} positions, {} pairs of position and move in {} bytes ({:.1} a pair); {seconds:.1} s, {:.1} M positions/s",
        output.display(),
        grouped(indexed.games),
        grouped(indexed.positions),
        grouped(indexed.pairs),
        grouped(bytes),
        bytes as f64 / indexed.pairs.max(1) as f64,
        indexed.positions as f64 / seconds / 1e6,
    );
    Ok(Exit::Ok)
}

/// The answer, and whether it came from an index.
fn ask(
    args: &Args,
    path: &Path,
    archive: &Archive<File>,
    position: &Position,
) -> Result<(Answer, bool), Failure> {
    let index = args.index.clone().unwrap_or_else(|| default_index(path));
    let is_asked = args.index.is_some();
    if !args.no_index && args.filter.to_filter().is_empty() && (is_asked || index.exists()) {
        let fail = |error| at_index(&index, error);
        let file = File::open(&index).map_err(|error| at(&index.display().to_string(), &error))?;
        let index = Index::open(file, &archive.id()).map_err(fail)?;
        return Ok((index.ask(position).map_err(fail)?, true));
    }
    let mut explorer = Explorer::new(position);
    explorer.filter = args.filter.to_filter();
    explorer.threads = args.threads.unwrap_or(explorer.threads);
    let answer = explorer.ask(archive);
    let answer = answer.map_err(|error| archive_file::at(path, error))?;
    Ok((answer, false))
}

/// A game that came to the position.
struct Sample {
    number: u64,
    players: String,
    result: String,
    date: String,
}

/// The first games, each played through: keys can collide, and a game that is shown must have come
/// to the position.
fn samples(path: &Path, archive: &Archive<File>, answer: &Answer) -> Result<Vec<Sample>, Failure> {
    let fail = |error| archive_file::at(path, error);
    let columns = ["White", "Black", "Result", "Date"]
        .into_iter()
        .map(Columns::tag);
    let columns = columns.fold(Columns::MOVES, |columns, tag| columns | tag);
    let places = answer.total.samples.iter().filter_map(|&number| {
        let (group, row) = archive.find_row(number.saturating_sub(1))?;
        Some((number, group, row))
    });
    let places: Vec<(u64, usize, usize)> = places.collect();
    let mut samples = Vec::new();
    let mut read: Option<(usize, Range<usize>, RowGroup)> = None;
    for &(number, group, row) in &places {
        let is_read = |(known, rows, _): &(usize, Range<usize>, RowGroup)| {
            *known == group && rows.contains(&row)
        };
        if !read.as_ref().is_some_and(is_read) {
            // Games of the same page are read together: decoding it is what takes the time.
            let near = places
                .iter()
                .filter(|(_, other, last)| *other == group && (row..row + NEAR).contains(last));
            let last = near.map(|(_, _, last)| *last).max().unwrap_or(row);
            let range = row..last + 1;
            let rows = archive.row_range(group, range.clone(), columns);
            read = Some((group, range, rows.map_err(fail)?));
        }
        let Some((_, range, rows)) = &read else {
            continue;
        };
        let game = rows.game(row - range.start);
        let Some(moves) = game.moves() else { continue };
        let mut came = false;
        let replayed = moves.replay(Legality::Trusted, |position, _| {
            came = position.is_same_position(&answer.position);
            match came {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        let (end, _) = replayed.map_err(|error| fail(rows.moves_fault(game, error)))?;
        if came || end.is_same_position(&answer.position) {
            samples.push(Sample {
                number,
                players: format!(
                    "{} – {}",
                    game.white().unwrap_or("?"),
                    game.black().unwrap_or("?")
                ),
                result: game
                    .result()
                    .map_or("*", |result| result.as_str())
                    .to_owned(),
                date: game
                    .date()
                    .map_or_else(String::new, |date| date.to_string()),
            });
        }
    }
    Ok(samples)
}

/// Rows that are likely to be in the same page.
const NEAR: usize = 4096;

/// How many characters a bar has.
const BAR: u64 = 30;

/// Results as a bar: White's wins, draws, Black's wins.
fn bar(tally: &Tally) -> String {
    let decided = tally.white + tally.draws + tally.black;
    if decided == 0 {
        return String::new();
    }
    let cells = |count: u64| usize::try_from((count * BAR + decided / 2) / decided).unwrap_or(0);
    let white = cells(tally.white);
    let black = cells(tally.black);
    let draws = usize::try_from(BAR)
        .unwrap_or(0)
        .saturating_sub(white + black);
    format!(
        "{}{}{}",
        "█".repeat(white),
        "▒".repeat(draws),
        "░".repeat(black)
    )
}

fn date_text(date: u32) -> String {
    let (year, month, day) = (date / 10_000, date / 100 % 100, date % 100);
    match (month, day) {
        (0, _) => format!("{year}"),
        (_, 0) => format!("{year}.{month:02}"),
        _ => format!("{year}.{month:02}.{day:02}"),
    }
}

fn print_table(answer: &Answer, samples: &[Sample]) -> Result<(), Failure> {
    let mut out = stdout().lock();
    let position = &answer.position;
    writeln!(out, "{position}")?;
    if let Some(opening) = Opening::of(position) {
        writeln!(out, "{} {}", opening.eco, opening.name)?;
    }
    writeln!(out, "{} games\n", grouped(answer.total.games))?;
    let mut table = Table::new([
        ("move", Align::Left),
        ("games", Align::Right),
        ("transposed", Align::Right),
        ("white", Align::Right),
        ("draws", Align::Right),
        ("black", Align::Right),
        ("█ white ▒ draw ░ black", Align::Left),
        ("elo", Align::Right),
        ("perf.", Align::Right),
        ("first", Align::Left),
        ("last", Align::Left),
        ("opening", Align::Left),
    ]);
    let optional = |number: Option<String>| number.unwrap_or_default();
    for own in &answer.moves {
        let tally = &own.played;
        let decided = (tally.white + tally.draws + tally.black).max(1);
        let share = |count: u64| match tally.games {
            0 => String::new(),
            _ => format!("{:.1} %", 100.0 * count as f64 / decided as f64),
        };
        let mut after = *position;
        after.play_unchecked(own.m);
        table.push([
            position.san(own.m).to_string(),
            grouped(tally.games),
            match own.transposed {
                0 => String::new(),
                games => grouped(games),
            },
            share(tally.white),
            share(tally.draws),
            share(tally.black),
            bar(tally),
            optional(tally.average_elo().map(|elo| elo.to_string())),
            optional(tally.performance().map(|elo| elo.to_string())),
            optional(tally.dates.map(|(first, _)| date_text(first))),
            optional(tally.dates.map(|(_, last)| date_text(last))),
            optional(Opening::of(&after).map(|opening| opening.name.to_owned())),
        ]);
    }
    table.write(&mut out, "")?;
    if !samples.is_empty() {
        writeln!(out)?;
        let mut table = Table::new([
            ("game", Align::Right),
            ("players", Align::Left),
            ("result", Align::Left),
            ("date", Align::Left),
        ]);
        for sample in samples {
            table.push([
                sample.number.to_string(),
                sample.players.clone(),
                sample.result.clone(),
                sample.date.clone(),
            ]);
        }
        table.write(&mut out, "")?;
    }
    out.flush()?;
    Ok(())
}

fn tally_json(tally: &Tally) -> serde_json::Value {
    json!({
        "games": tally.games,
        "white": tally.white,
        "draws": tally.draws,
        "black": tally.black,
        "average_elo": tally.average_elo(),
        "performance": tally.performance(),
        "first_date": tally.dates.map(|(first, _)| date_text(first)),
        "last_date": tally.dates.map(|(_, last)| date_text(last)),
        "samples": tally.samples,
    })
}

fn print_json(
    answer: &Answer,
    samples: &[Sample],
    is_indexed: bool,
    [seconds, games_seconds]: [f64; 2],
) -> Result<(), Failure> {
    let opening = |position: &Position| {
        Opening::of(position).map(|opening| json!({ "eco": opening.eco, "name": opening.name }))
    };
    let moves: Vec<_> = answer
        .moves
        .iter()
        .map(|own| {
            let mut after = answer.position;
            after.play_unchecked(own.m);
            let mut document = tally_json(&own.played);
            if let Some(fields) = document.as_object_mut() {
                fields.insert(
                    "move".to_owned(),
                    answer.position.san(own.m).to_string().into(),
                );
                fields.insert("uci".to_owned(), own.m.to_string().into());
                fields.insert("transposed".to_owned(), own.transposed.into());
                fields.insert("opening".to_owned(), opening(&after).into());
            }
            document
        })
        .collect();
    let games: Vec<_> = samples
        .iter()
        .map(|sample| {
            json!({
                "game": sample.number,
                "players": sample.players,
                "result": sample.result,
                "date": sample.date,
            })
        })
        .collect();
    let document = json!({
        "fen": answer.position.to_string(),
        "opening": opening(&answer.position),
        "total": tally_json(&answer.total),
        "moves": moves,
        "games": games,
        "by_index": is_indexed,
        "seconds": seconds,
        "games_seconds": games_seconds,
    });
    let mut out = stdout().lock();
    writeln!(out, "{document}")?;
    out.flush()?;
    Ok(())
}
