//! `scoresheet pack`: PGN into an archive.

use std::io::{BufWriter, IsTerminal as _, Write as _};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use archive::games::{self, PackOptions};
use clap::ValueEnum;
use codec::CodecName;

use crate::exit::{Exit, Failure};
use crate::input;
use crate::new_file::NewFile;
use crate::output::grouped;

/// Pack PGN into an archive: a Parquet file about a quarter of the size, restored byte for byte.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  scoresheet pack games.pgn -o games.scoresheet
  scoresheet pack lichess_2017-08.pgn.zst -o 2017-08.scoresheet
  scoresheet pack collection/ more.pgn.gz -o all.scoresheet
  curl -s https://example.org/games.pgn | scoresheet pack - -o games.scoresheet

Every row group is restored in memory and compared with its text before it is written.
Games with faults are kept as text; they are counted, and the exit code is 3.")]
pub struct Args {
    /// PGN files, directories of them, or - for standard input; .zst, .gz and .bz2 as they are.
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,

    /// The archive to write.
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,

    /// How moves are written.
    #[arg(long, value_enum, default_value_t = Codec::Packed)]
    codec: Codec,

    /// Replace the output if it is there.
    #[arg(long, short)]
    force: bool,

    /// Do not read back the columns that were just written.
    #[arg(long)]
    no_check: bool,

    /// How many threads work; the archive is the same for any number.
    #[arg(long, short, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Say nothing.
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum Codec {
    /// 16 bits a move; read without knowing the position.
    Word,
    /// 8 bits a move, now and then 16.
    Index,
    /// 1 to 11 bits a move, about 6.
    Packed,
}

pub fn run(args: &Args) -> Result<Exit, Failure> {
    let paths = input::expand(&args.inputs)?;
    let mut inputs = Vec::with_capacity(paths.len());
    for path in &paths {
        inputs.push((input::plain_name(path), input::open(path)?));
    }
    let file = NewFile::create(&args.output, args.force)?;
    let mut options = PackOptions {
        codec: match args.codec {
            Codec::Word => CodecName::Word,
            Codec::Index => CodecName::Index,
            Codec::Packed => CodecName::Packed,
        },
        is_checked: !args.no_check,
        ..PackOptions::default()
    };
    if let Some(threads) = args.threads {
        options.threads = threads;
    }
    let begin = Instant::now();
    let is_shown = std::io::stderr().is_terminal() && !args.quiet;
    let (file, packed) = games::pack(inputs, BufWriter::new(file), &options, |games, bytes| {
        if is_shown {
            let seconds = begin.elapsed().as_secs_f64().max(0.001);
            let speed = games as f64 / seconds;
            let megabytes = bytes as f64 / 1e6;
            eprint!(
                "\r{} games, {megabytes:.0} MB, {speed:.0} games/s ",
                grouped(games)
            );
        }
    })?;
    if is_shown {
        eprint!("\r\x1b[K");
    }
    let file = file.into_inner().map_err(|error| error.into_error())?;
    file.finish()
        .map_err(|error| input::at(&args.output, error))?;
    if !args.quiet {
        let mut err = std::io::stderr().lock();
        let share = 100.0 * packed.archive_bytes as f64 / packed.text_bytes.max(1) as f64;
        let _ = writeln!(
            err,
            "{}: {} games, {} bytes of PGN in {} bytes ({share:.1} %)",
            args.output.display(),
            grouped(packed.games),
            grouped(packed.text_bytes),
            grouped(packed.archive_bytes),
        );
        for bad in packed.bad.iter().take(10) {
            let _ = writeln!(err, "kept as text: {}", bad.error);
        }
        if packed.bad_games > 10 {
            let _ = writeln!(err, "… and {} more", grouped(packed.bad_games - 10));
        }
    }
    Ok(if packed.bad_games > 0 {
        Exit::BadInput
    } else {
        Exit::Ok
    })
}
