//! `scoresheet pack`: PGN into an archive.

use std::fs;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use archive::ArchiveError;
use archive::games::{self, Lossy, PackOptions, Packed};
use codec::CodecName;

use crate::exit::{Exit, Failure};
use crate::named::Named;
use crate::output::{counted_games, grouped};
use crate::output_file::OutputFile;
use crate::text_input::{self, TextInput};

/// The encodings that an archive may have.
const CODECS: [CodecName; 5] = [
    CodecName::Word,
    CodecName::Index,
    CodecName::Packed,
    CodecName::Modelled,
    CodecName::ModelledMax,
];

/// Pack PGN into an archive: a Parquet file about an eighth of the size, restored byte for byte.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  scoresheet pack games.pgn -o games.scoresheet
  scoresheet pack lichess_2017-08.pgn.zst -o 2017-08.scoresheet
  scoresheet pack collection/ more.pgn.gz -o all.scoresheet
  scoresheet pack new.pgn -o collection.d --append
  curl -s https://example.org/games.pgn | scoresheet pack - -o games.scoresheet

Every row group is restored in memory and compared with its text before it is written.
Games with faults, and text that is no game, are kept as they are; they are told, and the exit code
is 3. The archive is there all the same, and nothing is lost.")]
pub struct Args {
    /// PGN files, directories with what is below them, or - for standard input; .zst, .gz and .bz2 as they
    /// are.
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,

    /// The archive to write.
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,

    /// OUT is a directory of archives: add one to it, under the next free name.
    #[arg(long, conflicts_with = "force")]
    append: bool,

    /// How moves are written: `word`, 16 bits each; `index`, 8 bits; `packed`, about 6 bits;
    /// `modelled`, less than 3 bits, and slower; `modelled-max`, smaller still, and slower still.
    #[arg(long, value_parser = parse_codec, default_value = "index")]
    codec: CodecName,

    /// Leave out everything but tags, moves of the main line and results. This cannot be undone.
    #[arg(long)]
    moves_only: bool,

    /// Leave out comments. This cannot be undone.
    #[arg(long, conflicts_with = "moves_only")]
    no_comments: bool,

    /// Replace the output if it is there.
    #[arg(long, short)]
    force: bool,

    /// Do not read back the columns that were just written.
    #[arg(long)]
    no_check: bool,

    /// How many threads work; the archive is the same for any number.
    #[arg(long, short, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// How much memory to use at most, more or less: 64M, 2G. Bounds row groups and threads.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<usize>,

    /// Say nothing.
    #[arg(long, short)]
    quiet: bool,
}

fn parse_codec(name: &str) -> Result<CodecName, String> {
    let codec = name.parse().ok().filter(|codec| CODECS.contains(codec));
    codec.ok_or_else(|| {
        format!(
            "an archive can have {}",
            CODECS.map(CodecName::as_str).join(", ")
        )
    })
}

/// `512M`: a number and perhaps K, M or G.
fn parse_size(text: &str) -> Result<usize, String> {
    let (digits, shift) = match text.strip_suffix(|c: char| c.is_ascii_alphabetic()) {
        None => (text, 0),
        Some(digits) => match text.chars().last().map(|c| c.to_ascii_uppercase()) {
            Some('K') => (digits, 10),
            Some('M') => (digits, 20),
            Some('G') => (digits, 30),
            _ => return Err("a size is a number and K, M or G".to_owned()),
        },
    };
    let number: usize = digits
        .parse()
        .map_err(|_| "a size is a number and K, M or G")?;
    let size = number
        .checked_mul(1 << shift)
        .ok_or("so much memory there is not")?;
    if size < 1 << 20 {
        return Err("less than 1M will not do".to_owned());
    }
    Ok(size)
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let input = TextInput::new(&args.inputs)?;
    let path = if args.append {
        next_part(&args.output)?
    } else {
        args.output.clone()
    };
    let name = path.display().to_string();
    let out = Named::new(name, OutputFile::create(&path, args.force)?);
    let mut options = PackOptions {
        is_checked: !args.no_check,
        lossy: match (args.moves_only, args.no_comments) {
            (true, _) => Some(Lossy::MovesOnly),
            (_, true) => Some(Lossy::NoComments),
            _ => None,
        },
        ..PackOptions::for_codec(args.codec)
    };
    if let Some(threads) = args.threads {
        options.threads = threads;
    }
    if let Some(memory) = args.memory {
        options.memory = memory;
    }
    let done = games::pack(input.texts(), out, &options, |games, _| {
        input.show_games(games);
    });
    let (out, packed) = done.map_err(|error| match error {
        // A reader of the archive that went away is no failure worth a word.
        ArchiveError::Io(error) if error.kind() == std::io::ErrorKind::BrokenPipe => error.into(),
        ArchiveError::Io(error) => Failure::new(text_input::exit_of(&error), error),
        error => error.into(),
    })?;
    drop(input);
    out.into_inner().finish(&path)?;
    if !args.quiet {
        report(&path, &packed, options.lossy);
    }
    let is_no_pgn = packed.games == 0 && packed.text_bytes > 0;
    if is_no_pgn {
        let names = args.inputs.iter().map(|path| path.display().to_string());
        eprintln!(
            "{}: there is no game in it, so this is not PGN; it is kept as text",
            names.collect::<Vec<_>>().join(", ")
        );
    }
    Ok(if is_no_pgn || packed.bad_games > 0 {
        Exit::BadInput
    } else {
        Exit::Ok
    })
}

fn report(path: &Path, packed: &Packed, lossy: Option<Lossy>) {
    let mut err = std::io::stderr().lock();
    // Of nothing there is no share.
    let share = match packed.text_bytes {
        0 => String::new(),
        bytes => format!(
            " ({:.1} %)",
            100.0 * packed.archive_bytes as f64 / bytes as f64
        ),
    };
    let _ = writeln!(
        err,
        "{}: {}, {} bytes of PGN in {} bytes{share}",
        path.display(),
        counted_games(packed.games),
        grouped(packed.text_bytes),
        grouped(packed.archive_bytes),
    );
    if let Some(lossy) = lossy {
        let _ = writeln!(err, "--{lossy}: what was left out will not come back");
    }
    // A mistake here and there, or something else altogether?
    let is_mostly_bad = packed.games >= 3 && packed.bad_games > packed.games / 2;
    let told = if is_mostly_bad { 2 } else { 10 };
    for bad in packed.bad.iter().take(told) {
        let _ = writeln!(err, "game {} is kept as text: {bad}", grouped(bad.row));
    }
    if let Some(more @ 1..) = packed.bad_games.checked_sub(told as u64) {
        let more = grouped(more);
        let _ = writeln!(
            err,
            "… and {more} more; `scoresheet check` tells all, with their lines"
        );
    }
    if is_mostly_bad {
        let _ = writeln!(
            err,
            "most of it cannot be read as games: is it PGN? It comes back as it is"
        );
    }
}

/// The next free name in a directory of archives, which is made if it is not there.
fn next_part(directory: &Path) -> Result<PathBuf, Failure> {
    let fail = |error: std::io::Error| text_input::at(&directory.display().to_string(), &error);
    fs::create_dir_all(directory).map_err(fail)?;
    let mut last = 0;
    for entry in fs::read_dir(directory).map_err(fail)? {
        let name = entry.map_err(fail)?.file_name();
        let name = name.to_string_lossy();
        let number = name
            .strip_prefix("part-")
            .and_then(|rest| rest.split_once('.'));
        last = last.max(
            number
                .and_then(|(number, _)| number.parse().ok())
                .unwrap_or(0),
        );
    }
    Ok(directory.join(format!("part-{:06}.scoresheet", last + 1u64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_numbers_with_a_letter() {
        for (text, size) in [
            ("2097152", 2 << 20),
            ("64M", 64 << 20),
            ("2g", 2 << 30),
            ("2048k", 2 << 20),
        ] {
            assert_eq!(parse_size(text), Ok(size), "{text}");
        }
        for text in ["", "M", "1T", "-1M", "1.5G", "99999999999999999999G", "1K"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn only_codecs_of_archives_are_taken() {
        assert_eq!(parse_codec("index"), Ok(CodecName::Index));
        assert!(parse_codec("extended").is_err() && parse_codec("zip").is_err());
    }
}
