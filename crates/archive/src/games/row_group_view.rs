//! The games of a row group, in memory.

use std::ops::Range;

use codec::CodecError;

use super::fault::{ArchiveFault, RowFault};
use super::game_view::GameView;
use super::restored_text::RestoredText;
use super::rows::{Rows, Scratch};
use crate::ArchiveError;

/// The games of a row group.
#[derive(Debug)]
pub struct RowGroup {
    pub(crate) row_group: usize,
    pub(crate) first_row: u64,
    pub(crate) rows: Rows,
}

/// Memory for reading games one after the other.
#[derive(Debug, Default)]
pub struct Buffer(Scratch);

impl Buffer {
    /// The tags that were read last, in order, as bytes.
    pub fn tags(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.0.tags()
    }
}

impl RowGroup {
    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.len() == 0
    }

    /// Which row group of the archive it is.
    #[must_use]
    pub fn row_group(&self) -> usize {
        self.row_group
    }

    /// How many rows come before the first.
    #[must_use]
    pub fn first_row(&self) -> u64 {
        self.first_row
    }

    /// The games, in order.
    pub fn games(&self) -> impl ExactSizeIterator<Item = GameView<'_>> {
        (0..self.len()).map(|row| self.game(row))
    }

    /// A game, by its place in the row group.
    ///
    /// # Panics
    /// Never: a place behind the last is that of a game without anything.
    #[must_use]
    pub fn game(&self, row: usize) -> GameView<'_> {
        GameView {
            rows: &self.rows,
            row,
            number: self.number(row),
        }
    }

    fn number(&self, row: usize) -> u64 {
        self.first_row + u64::try_from(row).unwrap_or(0) + 1
    }

    fn fault(&self, row: usize) -> impl Fn(RowFault) -> ArchiveError {
        let (row_group, row) = (self.row_group, self.number(row));
        move |fault| {
            ArchiveError::Archive(ArchiveFault::Row {
                row_group,
                row,
                fault,
            })
        }
    }

    /// What is wrong with the archive if the moves of a game cannot be read.
    #[must_use]
    pub fn moves_fault(&self, game: GameView<'_>, error: CodecError) -> ArchiveError {
        self.fault(game.row)(RowFault::Moves(error))
    }

    /// Reads all tags of a row in their order: [`Buffer::tags`]. All columns of
    /// [`Columns::TAGS`](super::Columns::TAGS) must have been read.
    ///
    /// # Errors
    /// [`ArchiveFault::Row`].
    pub fn read_tags(&self, row: usize, buffer: &mut Buffer) -> Result<(), ArchiveError> {
        let read = self.rows.load_tags(row, &mut buffer.0);
        read.map(drop).map_err(self.fault(row))
    }

    /// Appends the text of a row, byte for byte as it was packed. All columns must have been read.
    ///
    /// # Errors
    /// [`ArchiveFault::Row`].
    pub fn restore(
        &self,
        row: usize,
        buffer: &mut Buffer,
        out: &mut Vec<u8>,
    ) -> Result<(), ArchiveError> {
        self.rows
            .restore(row, &mut buffer.0, out)
            .map_err(self.fault(row))
    }

    /// The texts of some rows, and where each ends. They are put into `room`, whatever was in it.
    pub(crate) fn restore_rows(
        &self,
        rows: Range<usize>,
        mut room: Vec<u8>,
    ) -> Result<RestoredText, ArchiveError> {
        room.clear();
        let mut restored = RestoredText {
            first_row: self.first_row + u64::try_from(rows.start).unwrap_or(0),
            text: room,
            ends: Vec::with_capacity(rows.len()),
        };
        let mut buffer = Buffer::default();
        for row in rows {
            self.restore(row, &mut buffer, &mut restored.text)?;
            restored.ends.push(restored.text.len());
        }
        Ok(restored)
    }

    /// Appends the text of all rows.
    ///
    /// # Errors
    /// [`ArchiveFault::Row`].
    pub fn restore_all(&self, out: &mut Vec<u8>) -> Result<(), ArchiveError> {
        let mut buffer = Buffer::default();
        for row in 0..self.rows.len() {
            self.restore(row, &mut buffer, out)?;
        }
        Ok(())
    }
}
