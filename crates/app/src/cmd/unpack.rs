//! `scoresheet unpack`: the PGN of an archive, byte for byte.

use std::io::Write;
use std::path::PathBuf;

use crate::archive_file;
use crate::exit::{Exit, Failure};
use crate::output_file::OutputFile;

/// Restore the PGN of archives, byte for byte.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  scoresheet unpack games.scoresheet -o games.pgn
  scoresheet unpack games.scoresheet | less
  scoresheet unpack a.scoresheet b.scoresheet -o both.pgn")]
pub struct Args {
    /// Archives.
    #[arg(required = true, value_name = "ARCHIVE")]
    archives: Vec<PathBuf>,

    /// The file to write; standard output if there is none or it is -.
    #[arg(long, short, value_name = "OUT", default_value = "-")]
    output: PathBuf,

    /// Replace the output if it is there.
    #[arg(long, short)]
    force: bool,
}

pub fn run(args: &Args) -> Result<Exit, Failure> {
    let mut out = OutputFile::create(&args.output, args.force)?;
    unpack(args, &mut out)?;
    out.finish(&args.output)?;
    Ok(Exit::Ok)
}

fn unpack(args: &Args, out: &mut impl Write) -> Result<(), Failure> {
    for path in &args.archives {
        let archive = archive_file::open(path)?;
        let unpacked = archive.unpack(out, |_| {});
        unpacked.map_err(|error| archive_file::at(path, error))?;
    }
    Ok(())
}
