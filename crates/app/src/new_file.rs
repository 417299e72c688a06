//! A file that appears whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::exit::{Exit, Failure};

/// A file under a temporary name in the directory where it will be. Dropped, it is gone.
#[derive(Debug)]
pub struct NewFile {
    file: Option<File>,
    temporary: PathBuf,
    path: PathBuf,
    is_forced: bool,
}

impl NewFile {
    /// Begins a file. One that is there already is refused unless `is_forced`.
    pub fn create(path: &Path, is_forced: bool) -> Result<NewFile, Failure> {
        if !is_forced && path.symlink_metadata().is_ok() {
            let message = format!("{}: the file exists; --force replaces it", path.display());
            return Err(Failure::new(Exit::Usage, message));
        }
        let Some(name) = path.file_name() else {
            let message = format!("{}: this is no name of a file", path.display());
            return Err(Failure::new(Exit::Usage, message));
        };
        let name = format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id());
        let temporary = path.with_file_name(name);
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&temporary)
            .map_err(|error| crate::input::at(path, error))?;
        Ok(NewFile {
            file: Some(file),
            temporary,
            path: path.to_owned(),
            is_forced,
        })
    }

    /// Gives the file its name, when all of it is on the disk.
    pub fn finish(mut self) -> io::Result<()> {
        if let Some(file) = self.file.take() {
            file.sync_all()?;
        }
        if self.is_forced {
            fs::rename(&self.temporary, &self.path)?;
        } else {
            // Fails if somebody else has made the file meanwhile; a rename would replace it.
            match fs::hard_link(&self.temporary, &self.path) {
                Ok(()) => fs::remove_file(&self.temporary)?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
                // Not every file system has links.
                Err(_) => fs::rename(&self.temporary, &self.path)?,
            }
        }
        let directory = match self.path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        // So that the name is on the disk too. Not every system can do this to a directory.
        if let Ok(directory) = File::open(directory) {
            let _ = directory.sync_all();
        }
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Some(file) => file.write(bytes),
            None => Ok(0),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.temporary);
    }
}
