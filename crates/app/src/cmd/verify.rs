//! `scoresheet verify`: read all of an archive.

use std::io::{self, IsTerminal as _, Write as _, stdout};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use archive::ArchiveError;
use archive::games::{ArchiveFault, Dataset, Part, RowFault, Verified};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::archive_file;
use crate::exit::{Exit, Failure};
use crate::output::counted_games;

/// Check every checksum of archives, decode every game and restore every text.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  scoresheet verify games.scoresheet
  scoresheet verify archives/ --json

Damage is told by row group, column and game; the exit code is 4 then.")]
pub struct Args {
    /// Archives, or directories of archives.
    #[arg(required = true, value_name = "ARCHIVE")]
    archives: Vec<PathBuf>,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,

    /// How many threads share the work; all cores if not given.
    #[arg(long, short, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// What was found in an archive.
struct Report {
    path: PathBuf,
    sums: Verified,
    row_groups: usize,
    exit: Exit,
    faults: Vec<Fault>,
}

/// What is wrong, and where.
struct Fault {
    row_group: Option<usize>,
    column: Option<String>,
    /// The game, or the first and the last of the row group: its checksums are for all of them.
    games: Option<(u64, u64)>,
    message: String,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let threads = args
        .threads
        .unwrap_or_else(|| thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));
    let mut reports = Vec::new();
    for path in &args.archives {
        match Dataset::open(std::slice::from_ref(path)) {
            Ok(dataset) => {
                for part in dataset.parts() {
                    reports.push(verify(part, threads)?);
                }
            }
            Err((path, error)) => reports.push(unopened(&path, error)?),
        }
    }
    let mut out = stdout().lock();
    if args.json {
        let archives: Vec<Value> = reports.iter().map(Report::to_json).collect();
        let is_ok = reports.iter().all(|report| report.exit == Exit::Ok);
        writeln!(out, "{}", json!({ "ok": is_ok, "archives": archives }))?;
    } else {
        for report in &reports {
            let path = report.path.display();
            for fault in &report.faults {
                eprintln!("{path}: {}", fault.message);
            }
            let games = counted_games(report.sums.games);
            match report.faults.len() {
                0 if report.sums.games == 1 => {
                    writeln!(out, "{path}: {games} is as it was packed")?
                }
                0 => writeln!(out, "{path}: {games} are as they were packed")?,
                count => writeln!(
                    out,
                    "{path}: {} found; {games} can be read",
                    if count == 1 { "1 fault" } else { "faults" }
                )?,
            }
        }
    }
    // The worst: 5 for what cannot be read, 4 for damage, 3 for what is no archive.
    let worst = reports.iter().map(|report| report.exit);
    Ok(worst.max_by_key(|&exit| exit as u8).unwrap_or(Exit::Ok))
}

/// An archive of which not even the footer can be read.
fn unopened(path: &Path, error: ArchiveError) -> Result<Report, Failure> {
    let exit = archive_file::exit_of(&error);
    let ArchiveError::Archive(fault) = error else {
        return Err(archive_file::at(path, error));
    };
    Ok(Report {
        path: path.to_owned(),
        sums: Verified::default(),
        row_groups: 0,
        exit,
        faults: vec![Fault::new(&fault, |_| None)],
    })
}

fn verify(part: &Part, threads: NonZeroUsize) -> Result<Report, Failure> {
    let archive = &part.archive;
    let bar = progress(archive.rows());
    let mut sums = Verified::default();
    let verified = archive.for_each_row_group(
        threads,
        |number| (number, archive.verify(number)),
        |(number, verified)| {
            let verified = verified.map_err(|error| archive_file::at(&part.path, error))?;
            sums.rows += verified.rows;
            sums.games += verified.games;
            sums.plies += verified.plies;
            sums.text_bytes += verified.text_bytes;
            sums.faults.extend(verified.faults);
            bar.inc(archive.rows_in(number));
            Ok(())
        },
    );
    bar.finish_and_clear();
    verified.map_err(|failure: Failure| failure)?;
    if sums.faults.is_empty() {
        sums.faults.extend(archive.verify_sums(&sums));
    }
    let games = |group: usize| {
        let last = archive.rows_before(group.saturating_add(1));
        Some((archive.rows_before(group) + 1, last))
    };
    let faults = sums.faults.iter();
    let faults: Vec<Fault> = faults.map(|fault| Fault::new(fault, games)).collect();
    Ok(Report {
        path: part.path.clone(),
        row_groups: archive.row_groups(),
        exit: if faults.is_empty() {
            Exit::Ok
        } else {
            Exit::Damaged
        },
        sums,
        faults,
    })
}

fn progress(rows: u64) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = "{bar:32} {human_pos}/{human_len} games, {per_sec}, {eta} left";
    let bar = ProgressBar::new(rows);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

impl Fault {
    /// What is wrong; `games` tells which games a row group has.
    fn new(fault: &ArchiveFault, games: impl Fn(usize) -> Option<(u64, u64)>) -> Fault {
        let (row_group, column, game) = match fault {
            ArchiveFault::Checksum {
                row_group, column, ..
            } => (Some(*row_group), Some(column.clone()), None),
            ArchiveFault::Parquet { row_group, .. } => (Some(*row_group), None, None),
            ArchiveFault::Row {
                row_group,
                row,
                fault,
            } => (Some(*row_group), column_of(fault), Some(*row)),
            _ => (None, None, None),
        };
        let own = game.map(|game| (game, game));
        let games = own.or_else(|| games(row_group?));
        let message = match games.filter(|_| own.is_none()) {
            Some((first, last)) => format!("{fault} (games {first} to {last})"),
            None => fault.to_string(),
        };
        Fault {
            row_group,
            column,
            games,
            message,
        }
    }
}

fn column_of(fault: &RowFault) -> Option<String> {
    let column = match fault {
        RowFault::Column { column } => column,
        RowFault::Flags => "flags",
        RowFault::Tags => "tag_order",
        RowFault::Moves(_) => "moves",
        RowFault::Notes => "annotations",
        RowFault::Layout => "layout",
        RowFault::Difference => "difference",
        _ => return None,
    };
    Some(column.to_owned())
}

impl Report {
    fn to_json(&self) -> Value {
        let faults: Vec<Value> = self
            .faults
            .iter()
            .map(|fault| {
                json!({
                    "row_group": fault.row_group,
                    "column": fault.column,
                    "first_game": fault.games.map(|(first, _)| first),
                    "last_game": fault.games.map(|(_, last)| last),
                    "message": fault.message,
                })
            })
            .collect();
        json!({
            "file": self.path.display().to_string(),
            "ok": self.exit == Exit::Ok,
            "games": self.sums.games,
            "plies": self.sums.plies,
            "pgn_bytes": self.sums.text_bytes,
            "row_groups": self.row_groups,
            "faults": faults,
        })
    }
}
