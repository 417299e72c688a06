//! `scoresheet merge`: several archives to one.

use std::path::PathBuf;

use archive::ArchiveError;
use archive::games::{ArchiveFault, merge};

use crate::archive_file;
use crate::exit::{Exit, Failure};
use crate::named::Named;
use crate::output::{counted_games, grouped};
use crate::output_file::OutputFile;

/// Join archives into one. Row groups are copied as they are, and no game is decoded.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  scoresheet merge 2017.scoresheet 2018.scoresheet -o both.scoresheet

Archives must have the same codec and the same columns; those packed from files of one kind do.")]
pub struct Args {
    /// Archives, in the order in which their games shall be.
    #[arg(required = true, value_name = "ARCHIVE")]
    archives: Vec<PathBuf>,

    /// The archive to write.
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,

    /// Replace the output if it is there.
    #[arg(long, short)]
    force: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let mut archives = Vec::with_capacity(args.archives.len());
    for path in &args.archives {
        archives.push(archive_file::open(path)?);
    }
    let name = args.output.display().to_string();
    let out = Named::new(name, OutputFile::create(&args.output, args.force)?);
    let merged = merge(&archives, out);
    let (out, bytes) = merged.map_err(|error| match error {
        ArchiveError::Archive(ArchiveFault::Unlike { archive, .. }) => {
            let path = args.archives.get(archive.saturating_sub(1));
            let name = path.map_or_else(String::new, |path| path.display().to_string());
            Failure::new(Exit::BadInput, format_args!("{name}: {error}"))
        }
        error => error.into(),
    })?;
    out.into_inner().finish(&args.output)?;
    let games: u64 = archives.iter().map(|archive| archive.games()).sum();
    let (games, bytes) = (counted_games(games), grouped(bytes));
    eprintln!("{}: {games} in {bytes} bytes", args.output.display());
    Ok(Exit::Ok)
}
