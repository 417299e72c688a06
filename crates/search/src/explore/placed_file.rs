//! A file that the Parquet library reads at places, so that threads can share it.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use archive::games::ReadAt as _;
use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

/// A file without a place of its own. The library reads a [`File`] by moving its one place about, which
/// clones of it share.
#[derive(Clone, Debug)]
pub(crate) struct PlacedFile {
    pub(crate) file: Arc<File>,
    length: u64,
}

impl PlacedFile {
    pub(crate) fn new(file: File) -> io::Result<PlacedFile> {
        Ok(PlacedFile {
            length: file.length()?,
            file: Arc::new(file),
        })
    }
}

impl Length for PlacedFile {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for PlacedFile {
    type T = Tail;

    fn get_read(&self, start: u64) -> Result<Tail, ParquetError> {
        Ok(Tail {
            file: self.clone(),
            at: start,
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let end = start.checked_add(length as u64);
        if end.is_none_or(|end| end > self.length) {
            return Err(ParquetError::EOF("a page ends after the file".to_owned()));
        }
        let mut bytes = vec![0; length];
        self.file.read_exact_at(start, &mut bytes)?;
        Ok(bytes.into())
    }
}

/// What comes from a place on.
#[derive(Debug)]
pub(crate) struct Tail {
    file: PlacedFile,
    at: u64,
}

impl Read for Tail {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.file.length.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let count = buffer.len().min(left);
        let (buffer, _) = buffer.split_at_mut(count);
        self.file.file.read_exact_at(self.at, buffer)?;
        self.at += count as u64;
        Ok(count)
    }
}
