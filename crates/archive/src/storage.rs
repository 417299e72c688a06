//! Where files are: the disk, or in tests one that fails.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

/// The few things that are done to files when one is written. [`Disk`] does them; tests have
/// storages that fail at any of them.
pub trait Storage {
    /// A file open for writing.
    type File: Write;

    /// A file open for reading.
    type Reader: Read;

    /// Creates a file that must not exist.
    ///
    /// # Errors
    /// Those of the storage.
    fn create_new(&self, path: &Path) -> io::Result<Self::File>;

    /// Opens a file that is being written, to read back what it has been given so far.
    ///
    /// # Errors
    /// Those of the storage.
    fn open(&self, path: &Path) -> io::Result<Self::Reader>;

    /// Whether something has this name.
    fn exists(&self, path: &Path) -> bool;

    /// Makes what was written survive a loss of power.
    ///
    /// # Errors
    /// Those of the storage.
    fn sync(&self, file: &Self::File) -> io::Result<()>;

    /// Gives a file its name in place of whatever has it.
    ///
    /// # Errors
    /// Those of the storage.
    fn replace(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file its name, which nothing may have.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`], and those of the storage.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// Those of the storage.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Makes names in a directory survive a loss of power.
    ///
    /// # Errors
    /// Those of the storage.
    fn sync_directory(&self, path: &Path) -> io::Result<()>;
}

/// The file system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Disk;

impl Storage for Disk {
    type File = File;
    type Reader = File;

    fn create_new(&self, path: &Path) -> io::Result<File> {
        File::create_new(path)
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        File::open(path)
    }

    fn exists(&self, path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok()
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn replace(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    /// A second name and then no first: unlike a rename this fails if the name is taken, also by
    /// somebody who took it a moment ago. Where there are no second names, we look before we leap.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        match fs::hard_link(from, to) {
            Ok(()) => fs::remove_file(from),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            Err(_) if self.exists(to) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(from, to),
        }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        // Elsewhere directories cannot be opened, and need not be.
        if cfg!(unix) {
            File::open(path)?.sync_all()?;
        }
        Ok(())
    }
}
