//! A file that appears whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::exit::{Exit, Failure};

/// Written under another name in the same folder; takes its own name when it is complete and on
/// the disk. Dropped before that, it leaves nothing.
#[derive(Debug)]
pub struct WholeFile {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
    may_replace: bool,
}

impl WholeFile {
    /// Begins a file. One that exists is refused unless it may be replaced.
    pub fn create(path: &Path, may_replace: bool) -> Result<WholeFile, Failure> {
        if !may_replace && path.exists() {
            return Err(refused(path));
        }
        let folder = folder_of(path);
        let file = NamedTempFile::new_in(folder).map_err(|error| failed(path, &error))?;
        Ok(WholeFile {
            file: BufWriter::with_capacity(1 << 20, file),
            path: path.to_owned(),
            may_replace,
        })
    }

    /// Puts the file in its place.
    pub fn finish(self) -> Result<(), Failure> {
        let path = self.path;
        let fail = |error: &io::Error| failed(&path, error);
        let file = self.file.into_inner().map_err(|e| fail(e.error()))?;
        set_usual_mode(file.as_file()).map_err(|e| fail(&e))?;
        file.as_file().sync_all().map_err(|e| fail(&e))?;
        let placed = if self.may_replace {
            file.persist(&path)
        } else {
            file.persist_noclobber(&path)
        };
        placed.map_err(|e| match e.error.kind() {
            io::ErrorKind::AlreadyExists => refused(&path),
            _ => fail(&e.error),
        })?;
        // The name is on the disk when the folder is.
        sync_folder(folder_of(&path)).map_err(|e| fail(&e))
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn refused(path: &Path) -> Failure {
    let path = path.display();
    Failure::new(Exit::Usage, format!("{path} exists; --force replaces it"))
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::new(Exit::Io, format!("{}: {error}", path.display()))
}

/// Temporary files are for their owner only; this one is for everybody who may read such files.
#[cfg(unix)]
fn set_usual_mode(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn set_usual_mode(_: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
