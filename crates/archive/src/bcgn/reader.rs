//! Walks through the games of a file.

use std::io::{self, Read};

use super::{Entry, Format, MAX_GAME_BYTES};
use crate::{ArchiveError, FormatFault, Limit};

/// What is read at a time. A system call is nothing beside it, and it stays in the second cache.
const CAPACITY: usize = 256 << 10;

/// Reads the games of a file one after the other, through one buffer of a fixed size.
///
/// Entries are found by their lengths; neither headers nor moves are looked at until somebody asks
/// the [`Entry`].
///
/// ```
/// use scoresheet_archive::bcgn::{Format, Level, Reader};
/// let mut file = Format::new(Level::Index).headerless().to_bytes().to_vec();
/// file.extend([0, 6, 0, 4, 0, 67]); // 1. e4
/// file.extend([0, 7, 0, 8, 0, 67, 67]); // 1. e4 e5
/// let mut reader = Reader::new(&file[..])?;
/// assert_eq!(reader.skip_games(1)?, 1);
/// assert_eq!(reader.next_entry()?.unwrap().moves()?.len(), 2);
/// assert!(reader.next_entry()?.is_none());
/// assert_eq!(reader.games(), 2);
/// # Ok::<(), scoresheet_archive::ArchiveError>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    reader: R,
    format: Format,
    buffer: Box<[u8]>,
    /// The bytes of the buffer that have been read and not yet handed out.
    start: usize,
    end: usize,
    is_at_end: bool,
    /// Where `start` is in the file.
    offset: u64,
    games: u64,
}

impl<R: Read> Reader<R> {
    /// A reader before the first game. `BufReader` is not needed.
    ///
    /// # Errors
    /// [`ArchiveError::Format`] if it is no BCGN file, [`ArchiveError::Io`].
    pub fn new(reader: R) -> Result<Reader<R>, ArchiveError> {
        let mut reader = Reader {
            reader,
            format: Format::new(super::Level::Compressed),
            buffer: vec![0; CAPACITY].into_boxed_slice(),
            start: 0,
            end: 0,
            is_at_end: false,
            offset: 0,
            games: 0,
        };
        reader.fill(Format::BYTES)?;
        let head = reader.window();
        reader.format = Format::decode(head.get(..Format::BYTES).unwrap_or(head))?;
        reader.advance(Format::BYTES);
        Ok(reader)
    }

    /// How the file is written.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// How many games have been passed.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Where the next game begins, in bytes from the start of the file.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// What is read from.
    pub const fn get_ref(&self) -> &R {
        &self.reader
    }

    /// The next game; `None` at the end of the file.
    ///
    /// # Errors
    /// [`ArchiveError::Format`] if a length is wrong or the file ends inside the game: then nobody
    /// knows where the next one begins, and every further call gives the same error.
    /// [`ArchiveError::Io`].
    #[inline]
    pub fn next_entry(&mut self) -> Result<Option<Entry<'_>>, ArchiveError> {
        let Some(length) = self.next_length()? else {
            return Ok(None);
        };
        let (start, offset, number) = (self.start, self.offset, self.games);
        self.advance(length);
        self.games += 1;
        let bytes = self.buffer.get(start..start + length).unwrap_or_default();
        Ok(Some(Entry::new(self.format, bytes, offset, number)))
    }

    /// Passes over so many games, and tells how many there were.
    ///
    /// # Errors
    /// Those of [`Reader::next_entry`].
    pub fn skip_games(&mut self, count: u64) -> Result<u64, ArchiveError> {
        let mut skipped = 0;
        while skipped < count {
            let Some(length) = self.next_length()? else {
                break;
            };
            self.advance(length);
            self.games += 1;
            skipped += 1;
        }
        Ok(skipped)
    }

    /// The next game for which `wanted` is true of its header. Moves are not looked at.
    ///
    /// # Errors
    /// Those of [`Reader::next_entry`] and [`Entry::header`].
    pub fn find_entry(
        &mut self,
        mut wanted: impl FnMut(&super::Header<'_>) -> bool,
    ) -> Result<Option<Entry<'_>>, ArchiveError> {
        loop {
            let Some(length) = self.next_length()? else {
                return Ok(None);
            };
            let (start, offset, number) = (self.start, self.offset, self.games);
            self.advance(length);
            self.games += 1;
            let bytes = self.buffer.get(start..start + length).unwrap_or_default();
            if wanted(&Entry::new(self.format, bytes, offset, number).header()?) {
                // Borrowed again: the checker of borrows does not see that the loop ends here.
                let bytes = self.buffer.get(start..start + length).unwrap_or_default();
                return Ok(Some(Entry::new(self.format, bytes, offset, number)));
            }
        }
    }

    /// The length of the next entry, all of which is in the buffer. `None` at the end of the file.
    #[inline]
    fn next_length(&mut self) -> Result<Option<usize>, ArchiveError> {
        if let Some(length) = self.length_in_window() {
            return Ok(Some(length));
        }
        self.next_length_slowly()
    }

    /// The length of the next entry if it is right and the entry is in the buffer.
    #[inline]
    fn length_in_window(&self) -> Option<usize> {
        let window = self.buffer.get(self.start..self.end)?;
        let length = u16::from_be_bytes(*window.first_chunk()?);
        let is_right = length >= self.format.least_entry();
        let length = usize::from(length);
        (is_right && length <= MAX_GAME_BYTES && length <= window.len()).then_some(length)
    }

    #[cold]
    fn next_length_slowly(&mut self) -> Result<Option<usize>, ArchiveError> {
        let fail = |offset, fault| Err(ArchiveError::format(offset, fault));
        self.fill(2)?;
        let window = self.window();
        if window.is_empty() {
            return Ok(None);
        }
        let left = window.len();
        let Some(&length) = window.first_chunk() else {
            return fail(self.offset, FormatFault::Truncated { needed: 2, left });
        };
        let found = u16::from_be_bytes(length);
        let least = self.format.least_entry();
        if found < least {
            return fail(self.offset, FormatFault::EntryLength { found, least });
        }
        let length = usize::from(found);
        if let Err(limit) = Limit::check("game bytes", length, MAX_GAME_BYTES) {
            return fail(self.offset, FormatFault::Limit(limit));
        }
        self.fill(length)?;
        let left = self.window().len();
        if left < length {
            let needed = length;
            return fail(self.offset, FormatFault::Truncated { needed, left });
        }
        Ok(Some(length))
    }

    fn window(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    #[inline]
    fn advance(&mut self, count: usize) {
        self.start += count;
        self.offset += count as u64;
    }

    /// Reads until `least` bytes are in the buffer, or the file ends.
    fn fill(&mut self, least: usize) -> io::Result<()> {
        if self.end - self.start >= least || self.is_at_end {
            return Ok(());
        }
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        while self.end < least {
            let free = self.buffer.get_mut(self.end..).unwrap_or_default();
            match self.reader.read(free) {
                Ok(0) => {
                    self.is_at_end = true;
                    break;
                }
                Ok(count) => self.end = (self.end + count).min(self.buffer.len()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
