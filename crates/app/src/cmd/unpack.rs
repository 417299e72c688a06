//! `scoresheet unpack`: the PGN of an archive, byte for byte.

use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;

use crate::archive_file;
use crate::exit::{Exit, Failure};
use crate::input;
use crate::new_file::NewFile;

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
    if args.output.as_os_str() == "-" {
        let mut out = BufWriter::new(stdout().lock());
        unpack(args, &mut out)?;
        out.flush()?;
        return Ok(Exit::Ok);
    }
    let mut out = BufWriter::new(NewFile::create(&args.output, args.force)?);
    unpack(args, &mut out)?;
    let file = out.into_inner().map_err(|error| error.into_error())?;
    file.finish()
        .map_err(|error| input::at(&args.output, error))?;
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
