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
  scoresheet merge collection.d -o collection.scoresheet

Archives must have the same codec and the same columns; those packed from files of one kind do.")]
pub struct Args {
    /// Archives or directories of archives, in the order in which their games shall be.
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
    let dataset = archive_file::open_all(&args.archives)?;
    let archives: Vec<_> = dataset.parts().iter().map(|part| &part.archive).collect();
    let name = args.output.display().to_string();
    let out = Named::new(name, OutputFile::create(&args.output, args.force)?);
    let merged = merge(&archives, out);
    let (out, bytes) = merged.map_err(|error| match error {
        ArchiveError::Archive(ArchiveFault::Unlike { archive, .. }) => {
            let part = dataset.parts().get(archive.saturating_sub(1));
            let name = part.map_or_else(String::new, |part| part.path.display().to_string());
            Failure::new(Exit::BadInput, format_args!("{name}: {error}"))
        }
        error => error.into(),
    })?;
    out.into_inner().finish(&args.output)?;
    let (games, bytes) = (counted_games(dataset.games()), grouped(bytes));
    eprintln!("{}: {games} in {bytes} bytes", args.output.display());
    Ok(Exit::Ok)
}
