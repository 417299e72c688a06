//! `scoresheet pack`: PGN into an archive.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use archive::ArchiveError;
use archive::games::{self, PackOptions};
use clap::ValueEnum;
use codec::CodecName;

use crate::exit::{Exit, Failure};
use crate::named::Named;
use crate::output::grouped;
use crate::output_file::OutputFile;
use crate::text_input::{self, TextInput};

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
    let input = TextInput::new(&args.inputs)?;
    let name = args.output.display().to_string();
    let out = Named::new(name, OutputFile::create(&args.output, args.force)?);
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
    let done = games::pack(input.texts(), out, &options, |packed| {
        input.show_games(packed.games);
    });
    let (out, packed) = done.map_err(|error| match error {
        ArchiveError::Io(error) => Failure::new(text_input::exit_of(&error), error),
        error => error.into(),
    })?;
    drop(input);
    out.into_inner().finish(&args.output)?;
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
