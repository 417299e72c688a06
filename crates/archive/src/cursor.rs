//! Reads fields out of bytes that nobody vouches for.
#![deny(clippy::arithmetic_side_effects)]

use crate::{ArchiveError, FormatFault};

/// Bytes, and how far they have been read. Every error has the offset in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
    offset: u64,
}

impl<'a> Cursor<'a> {
    /// A cursor before the first byte, which stands at `offset` in the file.
    #[inline]
    pub(crate) const fn new(bytes: &'a [u8], offset: u64) -> Cursor<'a> {
        Cursor {
            rest: bytes,
            offset,
        }
    }

    /// Where the next byte stands in the file.
    #[inline]
    pub(crate) const fn offset(&self) -> u64 {
        self.offset
    }

    /// The bytes that have not been read.
    #[inline]
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The next `count` bytes.
    #[inline]
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], ArchiveError> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            return Err(self.truncated(count));
        };
        self.advance(rest, count);
        Ok(taken)
    }

    /// The next `N` bytes.
    #[inline]
    pub(crate) fn array<const N: usize>(&mut self) -> Result<&'a [u8; N], ArchiveError> {
        let Some((taken, rest)) = self.rest.split_first_chunk() else {
            return Err(self.truncated(N));
        };
        self.advance(rest, N);
        Ok(taken)
    }

    /// The next byte.
    #[inline]
    pub(crate) fn u8(&mut self) -> Result<u8, ArchiveError> {
        self.array().map(|&[byte]| byte)
    }

    /// The next two bytes, big-endian.
    #[inline]
    pub(crate) fn u16(&mut self) -> Result<u16, ArchiveError> {
        self.array().map(|bytes| u16::from_be_bytes(*bytes))
    }

    /// A byte that tells a length, and as many bytes.
    #[inline]
    pub(crate) fn short_string(&mut self) -> Result<&'a [u8], ArchiveError> {
        let length = self.u8()?;
        self.take(usize::from(length))
    }

    /// Nothing may be left.
    #[inline]
    pub(crate) fn finish(self) -> Result<(), ArchiveError> {
        if self.rest.is_empty() {
            return Ok(());
        }
        Err(ArchiveError::format(
            self.offset,
            FormatFault::Trailing {
                bytes: self.rest.len(),
            },
        ))
    }

    #[inline]
    fn advance(&mut self, rest: &'a [u8], count: usize) {
        self.rest = rest;
        self.offset = self.offset.saturating_add(count as u64);
    }

    #[cold]
    fn truncated(&self, needed: usize) -> ArchiveError {
        ArchiveError::format(
            self.offset,
            FormatFault::Truncated {
                needed,
                left: self.rest.len(),
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_in_order_and_the_end_is_known() {
        let mut cursor = Cursor::new(&[1, 0, 2, 2, b'h', b'i', 9], 100);
        assert_eq!(cursor.u8().unwrap(), 1);
        assert_eq!(cursor.u16().unwrap(), 2);
        assert_eq!(cursor.short_string().unwrap(), b"hi");
        assert_eq!(cursor.offset(), 106);
        let error = cursor.u16().unwrap_err().to_string();
        assert_eq!(
            error,
            "byte 106: the file ends, 2 bytes are needed and 1 is left"
        );
        let error = cursor.finish().unwrap_err().to_string();
        assert_eq!(error, "byte 106: 1 byte is left over");
        assert_eq!(cursor.take(1).unwrap(), [9]);
        assert!(cursor.finish().is_ok());
    }
}
