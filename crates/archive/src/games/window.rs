//! Parts of a file in memory, which the Parquet library takes for the file.

use std::io::Cursor;

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

/// Parts of a file, in ascending order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Window {
    /// The length of the file.
    pub(crate) length: u64,
    /// Where each part begins, and its bytes.
    pub(crate) parts: Vec<(u64, Bytes)>,
}

impl Window {
    /// All of a file.
    pub(crate) fn whole(file: Bytes) -> Window {
        Window {
            length: file.len() as u64,
            parts: vec![(0, file)],
        }
    }

    /// The bytes from `start` to the end of their part.
    fn from(&self, start: u64) -> Result<Bytes, ParquetError> {
        let after = self.parts.partition_point(|(at, _)| *at <= start);
        let part = after.checked_sub(1).and_then(|i| self.parts.get(i));
        let found = part.and_then(|(at, bytes)| {
            let skip = usize::try_from(start - at).ok()?;
            (skip <= bytes.len()).then(|| bytes.slice(skip..))
        });
        found.ok_or_else(|| ParquetError::General("outside of the column".to_owned()))
    }
}

impl Length for Window {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for Window {
    type T = Cursor<Bytes>;

    fn get_read(&self, start: u64) -> Result<Cursor<Bytes>, ParquetError> {
        self.from(start).map(Cursor::new)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let mut bytes = self.from(start)?;
        if length > bytes.len() {
            return Err(ParquetError::General("outside of the column".to_owned()));
        }
        bytes.truncate(length);
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_parts_can_be_read() {
        let window = Window {
            length: 100,
            parts: vec![
                (10, Bytes::from_static(b"abc")),
                (20, Bytes::from_static(b"defg")),
            ],
        };
        assert_eq!(window.get_bytes(11, 2).unwrap(), "bc");
        assert_eq!(window.get_bytes(20, 4).unwrap(), "defg");
        for (start, length) in [(9, 1), (10, 4), (14, 0), (21, 4), (99, 1), (11, usize::MAX)] {
            assert!(window.get_bytes(start, length).is_err(), "{start} {length}");
        }
    }
}
