//! One game in a file.

use std::ops::ControlFlow;

use chess::{Move, Position};
use codec::{Compressed, Legality, MoveIndex, Packed, Plies};

use super::{Format, Header, Level};
use crate::{ArchiveError, FormatFault};

/// A game as it stands in a file: bytes, until somebody asks.
///
/// ```
/// use scoresheet_archive::bcgn::{Entry, Format, Level};
/// // Headerless, level 2: the length, two moves and a win of White, no flags, the moves.
/// let bytes = [0, 7, 0, 2 << 2 | 1, 0, 0b1100_1_010, 0b0_0_000000];
/// let entry = Entry::new(Format::new(Level::Packed).headerless(), &bytes, 32, 0);
/// assert_eq!(entry.header()?.plies, 2);
/// let moves: Vec<_> = entry.moves()?.iter().map(|m| m.to_string()).collect();
/// assert_eq!(moves, ["e2e4", "e7e5"]);
/// # Ok::<(), scoresheet_archive::ArchiveError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    format: Format,
    bytes: &'a [u8],
    offset: u64,
    number: u64,
}

impl<'a> Entry<'a> {
    /// The entry with these bytes, its length included, at `offset` in a file; `number` games are
    /// before it.
    #[must_use]
    #[inline]
    pub const fn new(format: Format, bytes: &'a [u8], offset: u64, number: u64) -> Entry<'a> {
        Entry {
            format,
            bytes,
            offset,
            number,
        }
    }

    /// How many games are before it in the file.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Where it stands in the file.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Its bytes.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// How the file is written.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Reads the header. The moves are not looked at.
    ///
    /// # Errors
    /// [`ArchiveError::Format`] if the header is damaged.
    #[inline]
    pub fn header(&self) -> Result<Header<'a>, ArchiveError> {
        Header::read(self.format, self.bytes, self.offset)
    }

    /// All moves, each checked.
    ///
    /// # Errors
    /// [`ArchiveError::Format`] if the entry is damaged.
    pub fn moves(&self) -> Result<Vec<Move>, ArchiveError> {
        let header = self.header()?;
        let mut moves = Vec::with_capacity(usize::from(header.plies).min(self.bytes.len() * 8));
        self.replay(&header, |_, m| {
            moves.push(m);
            ControlFlow::Continue(())
        })?;
        Ok(moves)
    }

    /// Plays through the game: calls `visit` with every move and the position before it, and returns
    /// the position after the last. Nothing is allocated. The visitor may stop early; then the rest is
    /// not looked at.
    ///
    /// # Errors
    /// [`ArchiveError::Format`] if the moves are damaged.
    #[inline]
    pub fn replay(
        &self,
        header: &Header<'a>,
        visit: impl FnMut(&Position, Move) -> ControlFlow<()>,
    ) -> Result<Position, ArchiveError> {
        self.replay_with(header, Legality::Checked, visit)
    }

    /// [`Entry::replay`] with the choice to trust the moves: for files that were just written, or
    /// whose checksum is known from elsewhere. BCGN itself has none.
    ///
    /// # Errors
    /// [`ArchiveError::Format`] if the moves are no moves at all.
    #[inline]
    pub fn replay_with(
        &self,
        header: &Header<'a>,
        legality: Legality,
        visit: impl FnMut(&Position, Move) -> ControlFlow<()>,
    ) -> Result<Position, ArchiveError> {
        let plies = Plies::Exactly(usize::from(header.plies));
        let (start, bytes) = (header.start_position(), header.moves);
        let end = match self.format.level {
            Level::Compressed => codec::replay(Compressed, start, plies, legality, bytes, visit),
            Level::Index => codec::replay(MoveIndex, start, plies, legality, bytes, visit),
            Level::Packed => codec::replay(Packed, start, plies, legality, bytes, visit),
        };
        match end {
            Ok((position, _)) => Ok(position),
            Err(error) => Err(ArchiveError::format(
                header.moves_offset,
                FormatFault::Moves(error),
            )),
        }
    }
}
