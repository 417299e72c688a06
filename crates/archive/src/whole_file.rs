//! Output files that appear whole or not at all.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::{Disk, Storage};

/// What is gathered before the storage is asked, and read back as soon as it has it, while it is still in the
/// cache: to read a file of 100 MB back at its end took unpacking it 1.07 times as long.
const BUFFER: usize = 256 << 10;

/// A file that has its name only after [`WholeFile::commit`]. Until then it has another in the same directory,
/// and is removed when dropped. All that is written is read back and compared. After a crash there is
/// the old file or the new one.
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
    file: S::File,
    /// Reads what was written, right behind it.
    reader: Option<S::Reader>,
    /// What is still to be written.
    buffer: Vec<u8>,
    /// What was read back.
    back: Vec<u8>,
    /// So many bytes were written and read back.
    length: u64,
    /// Something failed: there will be no file.
    has_failed: bool,
    temporary: PathBuf,
    target: PathBuf,
    may_replace: bool,
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
                        file,
                        reader: None,
                        buffer: Vec::with_capacity(BUFFER),
                        back: Vec::new(),
                        length: 0,
                        has_failed: false,
                        temporary,
                        target: target.to_owned(),
                        may_replace,
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

    /// Ends the file and gives it its name, so that both survive a loss of power.
    ///
    /// # Errors
    /// Those of the storage, and [`io::ErrorKind::InvalidData`] if what is read back is not what was
    /// written. There is no file of the name then, or the one that was there before;
    /// unless the very last step failed, to make the name last: then it is whole and may be there.
    pub fn commit(mut self) -> io::Result<()> {
        let written = self
            .flush()
            .and_then(|()| self.ends_here())
            .and_then(|()| self.storage.sync(&self.file));
        if written.is_err() {
            self.discard();
            return written;
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

    /// Writes, reads back and compares.
    fn store(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.has_failed {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        // Until all is done.
        self.has_failed = true;
        self.file.write_all(bytes)?;
        let mut back = std::mem::take(&mut self.back);
        back.resize(bytes.len(), 0);
        let count = read_all(self.reader()?, &mut back)?;
        let pairs = bytes.iter().zip(back.iter().take(count));
        if count < bytes.len() || back != bytes {
            let same = pairs.take_while(|(written, read)| written == read).count();
            return Err(self.not_to_be_trusted(self.length.saturating_add(same as u64)));
        }
        self.back = back;
        self.length += bytes.len() as u64;
        self.has_failed = false;
        Ok(())
    }

    /// Nothing is behind what was written.
    fn ends_here(&mut self) -> io::Result<()> {
        match read_all(self.reader()?, &mut [0])? {
            0 => Ok(()),
            _ => Err(self.not_to_be_trusted(self.length)),
        }
    }

    fn reader(&mut self) -> io::Result<&mut S::Reader> {
        match &mut self.reader {
            Some(reader) => Ok(reader),
            none => Ok(none.insert(self.storage.open(&self.temporary)?)),
        }
    }

    fn not_to_be_trusted(&self, at: u64) -> io::Error {
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!(
                "from byte {at} on, something else is read back than was written; the storage is not to be \
                 trusted"
            ),
        )
    }

    /// Nothing remains. A failure to remove cannot be reported any more.
    fn discard(&mut self) {
        let _ = self.storage.remove(&self.temporary);
        self.temporary = PathBuf::new();
    }
}

/// Fills a buffer, unless the end comes first. How many bytes it has.
fn read_all(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut count = 0;
    while let Some(rest) = buffer.get_mut(count..).filter(|rest| !rest.is_empty()) {
        match reader.read(rest) {
            Ok(0) => break,
            Ok(read) => count += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(count)
}

impl<S: Storage> Write for WholeFile<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = BUFFER - self.buffer.len().min(BUFFER);
        let bytes = bytes.get(..room).unwrap_or(bytes);
        if bytes.len() == BUFFER {
            self.store(bytes)?;
            return Ok(bytes.len());
        }
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() == BUFFER {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let stored = self.store(&buffer);
        buffer.clear();
        self.buffer = buffer;
        stored
    }
}

impl<S: Storage> Drop for WholeFile<S> {
    fn drop(&mut self) {
        if self.temporary != PathBuf::new() {
            self.discard();
        }
    }
}
