//! Archives by their paths.

use std::fs::File;
use std::path::Path;

use archive::ArchiveError;
use archive::games::{Archive, ArchiveFault};

use crate::exit::{Exit, Failure};
use crate::text_input;

/// Opens an archive.
pub fn open(path: &Path) -> Result<Archive<File>, Failure> {
    let file =
        File::open(path).map_err(|error| text_input::at(&path.display().to_string(), &error))?;
    Archive::open(file).map_err(|error| at(path, error))
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

fn exit_of(error: &ArchiveError) -> Exit {
    match error {
        ArchiveError::Io(_) => Exit::Io,
        ArchiveError::Archive(
            ArchiveFault::NotParquet | ArchiveFault::NotAnArchive | ArchiveFault::Newer { .. },
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
