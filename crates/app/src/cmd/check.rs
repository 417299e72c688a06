//! `scoresheet check`: read PGN, replay every move, report what is wrong.

use std::collections::BTreeMap;
use std::io::{Write as _, stdout};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use pgn::{Checked, Checker, GameError, Parallel};
use serde_json::json;

use crate::exit::{Exit, Failure};
use crate::output::grouped;
use crate::text_input::{TextInput, at};

/// Read PGN, replay every move of every line, and report what is wrong.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  scoresheet check games.pgn
  scoresheet check *.pgn.zst --json
  curl https://example.org/games.pgn.gz | scoresheet check")]
pub struct Args {
    /// PGN files, packed with zstd, gzip or bzip2 or not at all; `-` is standard input.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// How many bad games to show of each kind.
    #[arg(long, default_value_t = 10, value_name = "N")]
    show: usize,

    /// How many threads share the work; all cores if not given.
    #[arg(long, short, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// A bad game and the file it is in.
struct Bad {
    file: String,
    error: GameError,
}

#[derive(Default)]
struct Report {
    games: u64,
    bad: u64,
    plies: u64,
    moves: u64,
    bytes: u64,
    without_result: u64,
    contradictory: u64,
    /// By kind: how many, and the first of them.
    kinds: BTreeMap<&'static str, (u64, Vec<Bad>)>,
}

impl Report {
    fn add(&mut self, file: &str, result: Result<Checked, GameError>, show: usize) {
        self.games += 1;
        match result {
            Ok(game) => {
                self.plies += u64::from(game.plies);
                self.moves += u64::from(game.moves);
                self.without_result += u64::from(game.outcome.is_none());
                self.contradictory += u64::from(game.is_contradictory());
            }
            Err(error) => {
                self.bad += 1;
                let (count, first) = self.kinds.entry(error.cause.kind()).or_default();
                *count += 1;
                if first.len() < show {
                    let file = file.to_owned();
                    first.push(Bad { file, error });
                }
            }
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let start = Instant::now();
    let mut parallel = Parallel::new();
    if let Some(threads) = args.threads {
        parallel.threads = threads.get();
    }
    let input = TextInput::new(&args.files)?;
    let mut report = Report::default();
    input.for_each(|name, text| {
        let each = |raw: pgn::RawGame<'_>, result: Result<Checked, GameError>| {
            report.bytes += raw.bytes.len() as u64;
            report.add(name, result, args.show);
            if report.games.is_multiple_of(4096) {
                input.show_games(report.games);
            }
            ControlFlow::Continue(())
        };
        let read = parallel.read(text, Checker::new, each);
        read.map_err(|error| at(name, &error))
    })?;
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    if args.json {
        print_json(&report, seconds)?;
    } else {
        print(&report, seconds)?;
    }
    Ok(if report.bad > 0 {
        Exit::BadInput
    } else {
        Exit::Ok
    })
}

fn print(report: &Report, seconds: f64) -> Result<(), Failure> {
    let mut out = stdout().lock();
    for (kind, (count, first)) in &report.kinds {
        writeln!(out, "{kind}: {}", grouped(*count))?;
        for bad in first {
            let file = bad.file.escape_debug();
            writeln!(out, "  {file}:{}: {}", bad.error.line, bad.error)?;
        }
        let more = count - first.len() as u64;
        if more > 0 {
            writeln!(out, "  and {} more", grouped(more))?;
        }
    }
    if report.bad > 0 {
        writeln!(out)?;
    }
    let good = report.games - report.bad;
    for (name, number) in [
        ("games", report.games),
        ("good", good),
        ("bad", report.bad),
        ("plies", report.plies),
        ("moves", report.moves),
        ("no result", report.without_result),
        ("result ≠ tag", report.contradictory),
    ] {
        writeln!(out, "{name:<12} {:>16}", grouped(number))?;
    }
    let per_second = report.games as f64 / seconds;
    let megabytes = report.bytes as f64 / 1e6 / seconds;
    writeln!(out, "{:<12} {seconds:>16.3}", "seconds")?;
    writeln!(out, "{:<12} {per_second:>16.0}", "games/s")?;
    writeln!(out, "{:<12} {megabytes:>16.1}", "MB/s")?;
    Ok(())
}

fn print_json(report: &Report, seconds: f64) -> Result<(), Failure> {
    let kinds = report.kinds.iter().map(|(kind, (count, first))| {
        let first: Vec<_> = first
            .iter()
            .map(|bad| {
                json!({
                    "file": bad.file, "game": bad.error.game, "line": bad.error.line,
                    "offset": bad.error.offset, "cause": bad.error.cause.to_string(),
                })
            })
            .collect();
        (
            (*kind).to_owned(),
            json!({ "count": count, "first": first }),
        )
    });
    let document = json!({
        "games": report.games, "good": report.games - report.bad, "bad": report.bad,
        "plies": report.plies, "moves": report.moves, "bytes": report.bytes,
        "without_result": report.without_result, "contradictory_result": report.contradictory,
        "errors": serde_json::Map::from_iter(kinds), "seconds": seconds,
        "games_per_second": report.games as f64 / seconds,
        "megabytes_per_second": report.bytes as f64 / 1e6 / seconds,
    });
    writeln!(stdout().lock(), "{document}")?;
    Ok(())
}
