//! Output files that appear whole or not at all.

use std::ffi::OsString;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::{Disk, Storage};

/// What is gathered before the storage is asked.
const BUFFER: usize = 256 << 10;

/// A file that has its name only after [`WholeFile::commit`], which reads back what was written and
/// compares. Until then it has another in the same directory, and is removed when dropped. After a
/// crash there is the old file or the new one.
///
/// ```
/// use std::io::Write;
/// use scoresheet_archive::{Disk, WholeFile};
/// let path = std::env::temp_dir().join(format!("whole-{}.txt", std::process::id()));
/// let mut file = WholeFile::create(Disk, &path, true)?;
/// file.write_all(b"all of it")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"all of it");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct WholeFile<S: Storage = Disk> {
    storage: S,
    /// `None` when the file is closed.
    file: Option<BufWriter<S::File>>,
    temporary: PathBuf,
    target: PathBuf,
    may_replace: bool,
    written: Digest,
}

/// How many bytes there were, and their CRC-32C, for which CPUs have an instruction. It finds
/// accidents, not forgers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Digest {
    bytes: u64,
    checksum: u32,
}

impl Digest {
    const EMPTY: Digest = Digest {
        bytes: 0,
        checksum: 0,
    };

    fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.checksum = crc32c::crc32c_append(self.checksum, bytes);
    }

    fn of(mut reader: impl Read) -> io::Result<Digest> {
        let mut digest = Digest::EMPTY;
        let mut buffer = vec![0; BUFFER];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return Ok(digest),
                Ok(count) => digest.add(buffer.get(..count).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl<S: Storage> WholeFile<S> {
    /// Begins a file. `may_replace` tells whether another of its name may be replaced.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if there is one and it may not, and those of the storage.
    pub fn create(storage: S, target: &Path, may_replace: bool) -> io::Result<WholeFile<S>> {
        if !may_replace && storage.exists(target) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let Some(name) = target.file_name() else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        // A crash may have left one behind: take the next.
        for attempt in 0..100 {
            let mut hidden = OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{}-{attempt}.tmp", std::process::id()));
            let temporary = target.with_file_name(hidden);
            match storage.create_new(&temporary) {
                Ok(file) => {
                    return Ok(WholeFile {
                        storage,
                        file: Some(BufWriter::with_capacity(BUFFER, file)),
                        temporary,
                        target: target.to_owned(),
                        may_replace,
                        written: Digest::EMPTY,
                    });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// The name that the file has until it is committed.
    #[must_use]
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Ends the file, reads it back, and gives it its name, so that both survive a loss of power.
    ///
    /// # Errors
    /// Those of the storage, and [`io::ErrorKind::InvalidData`] if what is read is not what was
    /// written. There is no file of the name then, or the one that was there before;
    /// unless the very last step failed, to make the name last: then it is whole and may be there.
    pub fn commit(mut self) -> io::Result<()> {
        if let Some(mut file) = self.file.take() {
            let written = file
                .flush()
                .and_then(|()| self.read_back())
                .and_then(|()| self.storage.sync(file.get_ref()));
            if written.is_err() {
                // What is still in the buffer must not be written by its drop.
                drop(file.into_parts());
                self.discard();
                return written;
            }
        }
        let named = if self.may_replace {
            self.storage.replace(&self.temporary, &self.target)
        } else {
            self.storage.rename_new(&self.temporary, &self.target)
        };
        if named.is_err() {
            self.discard();
            return named;
        }
        let directory = match self.target.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let directory = directory.to_owned();
        self.temporary = PathBuf::new();
        self.storage.sync_directory(&directory)
    }

    fn read_back(&self) -> io::Result<()> {
        let found = Digest::of(self.storage.open(&self.temporary)?)?;
        if found == self.written {
            return Ok(());
        }
        Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!(
                "{} bytes were written, and {} bytes with another content are read back; \
                 the storage is not to be trusted",
                self.written.bytes, found.bytes
            ),
        ))
    }

    /// Nothing remains. A failure to remove cannot be reported any more.
    fn discard(&mut self) {
        let _ = self.storage.remove(&self.temporary);
        self.temporary = PathBuf::new();
    }
}

impl<S: Storage> Write for WholeFile<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(file) = &mut self.file else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let count = file.write(bytes)?;
        self.written.add(bytes.get(..count).unwrap_or_default());
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl<S: Storage> Drop for WholeFile<S> {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            drop(file.into_parts());
        }
        if self.temporary != PathBuf::new() {
            self.discard();
        }
    }
}
