//! `scoresheet convert`: games from one format to another.

use std::collections::BTreeMap;
use std::io::{self, Write as _, stderr, stdout};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use archive::bcgn::{
    ConvertError, ConvertOptions, Format, Level, Problem, ProblemCause, Report, export, import,
};
use archive::{ArchiveError, FormatFault};
use clap::ValueEnum;
use serde_json::{Value, json};

use crate::exit::{Exit, Failure};
use crate::output::grouped;
use crate::output_file::OutputFile;
use crate::text_input::{TextInput, at};

/// Convert games between PGN and BCGN.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
BCGN holds names, dates, ratings, tags, the start position, the moves and the result. What it cannot hold is
counted and reported by kind on standard error, never cut in silence:
  - comments, variations, glyphs: the game is written without them (exit code 0);
  - a game over a limit (65,534 bytes, 16,383 moves, names and tags of 255 bytes, 255 tags), a game of Chess960 or
    with a null move, a bad game: it is left out, the others are written (exit code 3).
A damaged game of a BCGN file is left out, the others are written (exit code 4).
With --strict the first of these ends the conversion, and nothing is written (exit code 3 or 4).
An input without games gives an output without games (exit code 1).

Examples:
  scoresheet convert games.pgn.zst games.bcgn
  scoresheet convert games.bcgn games.pgn
  curl … | scoresheet convert --from pgn --to bcgn --level 1 --headerless - - > games.bcgn")]
pub struct Args {
    /// The file to read; `-` is standard input. zstd, gzip and bzip2 are read as they are.
    input: PathBuf,

    /// The file to write; `-` is standard output. It appears whole or not at all.
    output: PathBuf,

    /// The format of the input, if its name does not tell.
    #[arg(long, value_enum)]
    from: Option<FileFormat>,

    /// The format of the output, if its name does not tell.
    #[arg(long, value_enum)]
    to: Option<FileFormat>,

    /// How moves are written in BCGN: 0 two bytes (fastest), 1 one byte, 2 about six bits (smallest).
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=2))]
    level: u8,

    /// Write BCGN without names, dates and tags.
    #[arg(long)]
    headerless: bool,

    /// Write only the tags that have a field of their own in BCGN.
    #[arg(long)]
    no_extra_tags: bool,

    /// Stop at the first game that does not come through whole.
    #[arg(long)]
    strict: bool,

    /// Replace an existing output.
    #[arg(long)]
    force: bool,

    /// How many threads share the work; all cores if not given. The output is the same.
    #[arg(long, short, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print the report as one JSON document, on standard output or, if games go there, on standard error.
    #[arg(long)]
    json: bool,

    /// No report unless something is wrong.
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum FileFormat {
    /// Portable game notation: text.
    Pgn,
    /// Binary chess game notation.
    Bcgn,
}

/// How many problems are told one by one.
const TOLD: usize = 20;

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let from = format_of(&args.input, args.from, "--from")?;
    let to = format_of(&args.output, args.to, "--to")?;
    if from == to {
        return Err(Failure::new(
            Exit::Usage,
            "input and output have the same format, there is nothing to convert",
        ));
    }
    let start = Instant::now();
    // The output first: to learn after an hour that it exists would be late.
    let mut output = OutputFile::create(&args.output, args.force)?;
    let (report, told) = convert(args, to, &mut output)?;
    output.finish(&args.output)?;
    let exit = exit_of(&report, from);
    tell(args, &report, &told, start.elapsed().as_secs_f64(), exit)?;
    Ok(exit)
}

/// The format that an option, or else the end of a file's name tells.
fn format_of(path: &Path, option: Option<FileFormat>, name: &str) -> Result<FileFormat, Failure> {
    if let Some(format) = option {
        return Ok(format);
    }
    let text = path.to_string_lossy().to_lowercase();
    let ends = if name == "--from" {
        &[".zst", ".gz", ".bz2"][..]
    } else {
        &[]
    };
    let plain = ends.iter().find_map(|end| text.strip_suffix(end));
    let plain = plain.unwrap_or(&text);
    let known = [(".pgn", FileFormat::Pgn), (".bcgn", FileFormat::Bcgn)];
    let found = known.into_iter().find(|(end, _)| plain.ends_with(end));
    found.map(|(_, format)| format).ok_or_else(|| {
        Failure::new(
            Exit::Usage,
            format_args!(
                "the name {:?} does not tell its format; say {name} pgn or {name} bcgn",
                path.display().to_string()
            ),
        )
    })
}

/// Does the work; gives the report and the first problems in words.
fn convert(
    args: &Args,
    to: FileFormat,
    output: &mut OutputFile,
) -> Result<(Report, Vec<String>), Failure> {
    let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let options = ConvertOptions {
        threads: args.threads.unwrap_or(cores),
        is_strict: args.strict,
        has_extra_tags: !args.no_extra_tags,
    };
    let mut format = Format::new(Level::from_number(args.level).unwrap_or(Level::Packed));
    if args.headerless {
        format = format.headerless();
    }
    let input = TextInput::new(std::slice::from_ref(&args.input))?;
    let mut told = Vec::new();
    let mut report = Report::default();
    input.for_each(|_, file| {
        let watch = |problem: Option<&Problem>, report: &Report| match problem {
            Some(problem) if problem.cause.is_left_out() && told.len() < TOLD => {
                told.push(problem.to_string());
            }
            Some(_) => {}
            None => input.show_games(report.games_read),
        };
        let done = match to {
            FileFormat::Bcgn => import(file, &mut *output, format, &options, watch),
            FileFormat::Pgn => export(file, &mut *output, &options, watch),
        };
        report = done.map_err(|error| failure(args, error))?;
        Ok(())
    })?;
    Ok((report, told))
}

fn failure(args: &Args, error: ConvertError) -> Failure {
    let exit = match &error {
        ConvertError::Strict(problem) => match problem.cause {
            ProblemCause::Damaged(_) => Exit::Damaged,
            _ => Exit::BadInput,
        },
        ConvertError::Archive(ArchiveError::Format { fault, .. }) => match fault {
            FormatFault::Magic { .. } => Exit::BadInput,
            _ => Exit::Damaged,
        },
        ConvertError::Archive(ArchiveError::Io(error)) => {
            return at(&args.input.display().to_string(), error);
        }
        ConvertError::Write(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            return Failure::from(io::Error::from(error.kind()));
        }
        ConvertError::Write(error) => {
            let text = format!("{}: {error}", args.output.display());
            return Failure::new(Exit::Io, text);
        }
        _ => Exit::BadInput,
    };
    let what = match error {
        ConvertError::Strict(_) => ", and --strict allows no loss; nothing is written",
        _ => "",
    };
    Failure::new(
        exit,
        format_args!("{}: {error}{what}", args.input.display()),
    )
}

fn exit_of(report: &Report, from: FileFormat) -> Exit {
    match from {
        FileFormat::Bcgn if report.left_out() > 0 => Exit::Damaged,
        FileFormat::Pgn if report.left_out() > 0 => Exit::BadInput,
        _ if report.games_read == 0 => Exit::NothingFound,
        _ => Exit::Ok,
    }
}

fn tell(
    args: &Args,
    report: &Report,
    told: &[String],
    seconds: f64,
    exit: Exit,
) -> Result<(), Failure> {
    if args.json {
        let text = to_json(report, told, seconds, exit).to_string();
        if args.output == Path::new("-") {
            writeln!(stderr().lock(), "{text}")?;
        } else {
            writeln!(stdout().lock(), "{text}")?;
        }
        return Ok(());
    }
    let mut out = stderr().lock();
    for problem in told {
        writeln!(out, "warning: {}: {problem}", args.input.display())?;
    }
    let untold = report.left_out().saturating_sub(told.len() as u64);
    if untold > 0 {
        writeln!(out, "warning: … and {} more", grouped(untold))?;
    }
    if args.quiet && exit == Exit::Ok && report.dropped.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "{} games read, {} written: {} moves, {} bytes, {seconds:.1} s",
        grouped(report.games_read),
        grouped(report.games_written),
        grouped(report.plies),
        grouped(report.bytes_written),
    )?;
    if report.left_out() > 0 {
        writeln!(out, "games left out: {}", listed(&report.games_left_out))?;
    }
    if report.is_cut_short {
        writeln!(out, "games after the damage cannot be found")?;
    }
    if !report.dropped.is_empty() {
        writeln!(out, "not kept: {}", listed(&report.dropped))?;
    }
    Ok(())
}

/// `2 comments, 1 variations`.
fn listed(counts: &BTreeMap<&'static str, u64>) -> String {
    let parts = counts
        .iter()
        .map(|(kind, count)| format!("{} {kind}", grouped(*count)));
    parts.collect::<Vec<_>>().join(", ")
}

fn to_json(report: &Report, told: &[String], seconds: f64, exit: Exit) -> Value {
    json!({
        "games_read": report.games_read,
        "games_written": report.games_written,
        "games_left_out": report.games_left_out,
        "not_kept": report.dropped,
        "is_cut_short": report.is_cut_short,
        "moves": report.plies,
        "bytes_written": report.bytes_written,
        "problems": told,
        "seconds": seconds,
        "exit_code": exit as u8,
    })
}
