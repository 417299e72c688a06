//! Bytes that can be read at any place by several threads at once.

use std::fs::File;
use std::io;
use std::sync::Arc;

use bytes::Bytes;

/// A file, or memory, that is read at places and has none of its own.
///
/// Reading takes `&self`, so that the row groups of one open archive can be read by many threads.
pub trait ReadAt: Send + Sync {
    /// How many bytes there are.
    ///
    /// # Errors
    /// Those of the file.
    fn length(&self) -> io::Result<u64>;

    /// Fills the buffer with the bytes from `offset` on.
    ///
    /// # Errors
    /// Those of the file; [`io::ErrorKind::UnexpectedEof`] if it ends before.
    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

impl ReadAt for File {
    fn length(&self) -> io::Result<u64> {
        self.metadata().map(|about| about.len())
    }

    #[cfg(unix)]
    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset)
    }

    #[cfg(windows)]
    fn read_exact_at(&self, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(self, buffer, offset) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => {
                    buffer = buffer.get_mut(count..).unwrap_or_default();
                    offset += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl ReadAt for [u8] {
    fn length(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).ok();
        let end = start.and_then(|start| start.checked_add(buffer.len()));
        let bytes = start.zip(end).and_then(|(start, end)| self.get(start..end));
        buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

macro_rules! read_at_of_slice {
    ($($type:ty),*) => {$(
        impl ReadAt for $type {
            fn length(&self) -> io::Result<u64> {
                self[..].length()
            }

            fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
                self[..].read_exact_at(offset, buffer)
            }
        }
    )*};
}

read_at_of_slice!(&[u8], Vec<u8>, Bytes);

impl<T: ReadAt + ?Sized> ReadAt for Arc<T> {
    fn length(&self) -> io::Result<u64> {
        (**self).length()
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        (**self).read_exact_at(offset, buffer)
    }
}
