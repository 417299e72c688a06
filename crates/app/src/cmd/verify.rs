//! `scoresheet verify`: read all of an archive.

use std::path::PathBuf;

use crate::archive_file;
use crate::exit::{Exit, Failure};
use crate::output::grouped;

/// Check every checksum of archives, decode every game and restore every text.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  scoresheet verify games.scoresheet

Damage is told by row group, column and game; the exit code is 4 then.")]
pub struct Args {
    /// Archives.
    #[arg(required = true, value_name = "ARCHIVE")]
    archives: Vec<PathBuf>,
}

pub fn run(args: &Args) -> Result<Exit, Failure> {
    let mut exit = Exit::Ok;
    for path in &args.archives {
        let archive = archive_file::open(path)?;
        let mut restored = 0;
        let mut is_whole = true;
        for number in 0..archive.row_groups() {
            let mut text = Vec::new();
            let group = archive.read(number);
            if let Err(error) = group.and_then(|group| group.restore_all(&mut text)) {
                eprintln!("{}", archive_file::at(path, error));
                (is_whole, exit) = (false, Exit::Damaged);
            }
            restored += text.len() as u64;
        }
        if is_whole && restored != archive.text_bytes() {
            let stored = archive.text_bytes();
            eprintln!(
                "{}: {restored} bytes were restored, the file says {stored}",
                path.display()
            );
            (is_whole, exit) = (false, Exit::Damaged);
        }
        if is_whole {
            let games = grouped(archive.games());
            println!("{}: {games} games are as they were packed", path.display());
        }
    }
    Ok(exit)
}
