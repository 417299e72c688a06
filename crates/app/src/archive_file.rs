//! Archives by their paths.

use std::fs::File;
use std::path::{Path, PathBuf};

use archive::ArchiveError;
use archive::games::{Archive, ArchiveFault, Dataset};

use crate::exit::{Exit, Failure};
use crate::text_input;

/// Opens an archive.
pub fn open(path: &Path) -> Result<Archive<File>, Failure> {
    let opened = File::open(path).map_err(ArchiveError::from);
    opened
        .and_then(Archive::open)
        .map_err(|error| at(path, error))
}

/// Opens archives, and the archives in directories, as one.
pub fn open_all(paths: &[PathBuf]) -> Result<Dataset, Failure> {
    Dataset::open(paths).map_err(|(path, error)| at(&path, error))
}

/// What went wrong with an archive, and its name.
pub fn at(path: &Path, error: ArchiveError) -> Failure {
    if let ArchiveError::Io(error) = error {
        // Whoever reads the output may stop reading.
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return error.into();
        }
        return text_input::at(&path.display().to_string(), &error);
    }
    Failure::new(exit_of(&error), format!("{}: {error}", path.display()))
}

/// How the program ends for such an error.
pub fn exit_of(error: &ArchiveError) -> Exit {
    match error {
        ArchiveError::Io(_) => Exit::Io,
        ArchiveError::Archive(
            ArchiveFault::NotParquet
            | ArchiveFault::NotAnArchive
            | ArchiveFault::Newer { .. }
            | ArchiveFault::Model { .. },
        ) => Exit::BadInput,
        _ => Exit::Damaged,
    }
}

impl From<ArchiveError> for Failure {
    fn from(error: ArchiveError) -> Failure {
        match error {
            ArchiveError::Io(error) => error.into(),
            error => Failure::new(exit_of(&error), error),
        }
    }
}
