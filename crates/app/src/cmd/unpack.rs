//! `scoresheet unpack`: the PGN of an archive, byte for byte.

use std::collections::HashSet;
use std::fs;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use archive::ArchiveError;
use archive::games::{Dataset, Part};

use crate::archive_file;
use crate::exit::{Exit, Failure};
use crate::output_file::OutputFile;
use crate::text_input;

/// Restore the PGN of archives, byte for byte.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  scoresheet unpack games.scoresheet -o games.pgn
  scoresheet unpack games.scoresheet | less
  scoresheet unpack archives/ -o all.pgn
  scoresheet unpack games.scoresheet --split folder/")]
pub struct Args {
    /// Archives, or directories of archives.
    #[arg(required = true, value_name = "ARCHIVE")]
    archives: Vec<PathBuf>,

    /// The file to write; standard output if there is none or it is -.
    #[arg(long, short, value_name = "OUT", default_value = "-")]
    output: PathBuf,

    /// Write every file that was packed under its own name into this directory.
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    split: Option<PathBuf>,

    /// Replace what is there.
    #[arg(long, short)]
    force: bool,

    /// How many threads work.
    #[arg(long, short, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// More threads would hold more row groups in memory than is polite.
const MOST_THREADS: NonZeroUsize = NonZeroUsize::new(8).expect("eight is not zero");

/// Why it ended: an archive could not be read, or a file not written.
enum Cause {
    Archive(ArchiveError),
    Output(Failure),
}

impl From<ArchiveError> for Cause {
    fn from(error: ArchiveError) -> Cause {
        Cause::Archive(error)
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let dataset =
        Dataset::open(&args.archives).map_err(|(path, error)| archive_file::at(&path, error))?;
    let threads = args
        .threads
        .or_else(|| thread::available_parallelism().ok());
    let threads = threads.unwrap_or(NonZeroUsize::MIN).min(MOST_THREADS);
    for part in dataset.parts() {
        if let Some(lossy) = part.archive.lossy() {
            let path = part.path.display();
            eprintln!("{path}: packed with --{lossy}; what was left out does not come back");
        }
    }
    let done = match &args.split {
        None => join(args, &dataset, threads),
        Some(directory) => split(directory, args.force, &dataset, threads),
    };
    done.map(|()| Exit::Ok)
}

fn told(part: &Part, cause: Cause) -> Failure {
    match cause {
        Cause::Archive(error) => archive_file::at(&part.path, error),
        Cause::Output(failure) => failure,
    }
}

fn join(args: &Args, dataset: &Dataset, threads: NonZeroUsize) -> Result<(), Failure> {
    let mut out = OutputFile::create(&args.output, args.force)?;
    let name = args.output.display().to_string();
    for part in dataset.parts() {
        let written = part.archive.unpack_on(threads, |text| {
            let written = out.write_all(text.all());
            written.map_err(|error| Cause::Output(output_failure(&name, error)))
        });
        written.map_err(|cause| told(part, cause))?;
    }
    out.finish(&args.output)
}

fn output_failure(name: &str, error: std::io::Error) -> Failure {
    if error.kind() == std::io::ErrorKind::BrokenPipe {
        error.into()
    } else {
        text_input::at(name, &error)
    }
}

/// Writes every input to a file of its own. They have their names when all of one archive are done.
fn split(
    directory: &Path,
    may_replace: bool,
    dataset: &Dataset,
    threads: NonZeroUsize,
) -> Result<(), Failure> {
    let name = directory.display().to_string();
    fs::create_dir_all(directory).map_err(|error| text_input::at(&name, &error))?;
    let mut taken = HashSet::new();
    for part in dataset.parts() {
        let mut files = Vec::new();
        let mut row = 0;
        for input in part.archive.inputs() {
            let path = directory.join(free_name(&input.name, &mut taken));
            let out = OutputFile::create(&path, may_replace)?;
            files.push((path, out, row..row + input.rows));
            row += input.rows;
        }
        let written = part.archive.unpack_on(threads, |text| {
            for (path, out, rows) in &mut files {
                let own = text.rows_between(rows.start, rows.end);
                if own.is_empty() {
                    continue;
                }
                out.write_all(own).map_err(|error| {
                    Cause::Output(output_failure(&path.display().to_string(), error))
                })?;
            }
            Ok(())
        });
        written.map_err(|cause| told(part, cause))?;
        for (path, out, _) in files {
            out.finish(&path)?;
        }
    }
    Ok(())
}

/// A name that nothing else has and that stays in the directory, whatever the archive says.
fn free_name(name: &str, taken: &mut HashSet<String>) -> String {
    let is_plain = Path::new(name).file_name().is_some_and(|file| file == name);
    let is_hidden = name.starts_with('.') || name == "-" || name.contains(['/', '\\', '\0']);
    let plain = if is_plain && !is_hidden {
        name
    } else {
        "input.pgn"
    };
    let (stem, ending) = plain.rsplit_once('.').unwrap_or((plain, "pgn"));
    let mut free = plain.to_owned();
    let mut number = 1;
    while !taken.insert(free.clone()) {
        number += 1;
        free = format!("{stem}-{number}.{ending}");
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_the_directory_and_differ() {
        let mut taken = HashSet::new();
        let mut free = |name: &str| free_name(name, &mut taken);
        assert_eq!(free("a.pgn"), "a.pgn");
        assert_eq!(free("a.pgn"), "a-2.pgn");
        for name in ["../x.pgn", "/etc/x", "..", "", "-", ".hidden", "a\\b"] {
            let free = free(name);
            assert!(
                free.starts_with("input") && !free.contains(['/', '\\']),
                "{free}"
            );
        }
    }
}
