//! Reads all of a row group, and tells all that is wrong with it.

use std::ops::ControlFlow;

use codec::Legality;

use super::fault::{ArchiveFault, RowFault};
use super::flags::RowKind;
use super::read_at::ReadAt;
use super::reader::Archive;
use super::row_group_view::{Buffer, RowGroup};
use crate::ArchiveError;

/// What became of reading a whole row group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// Rows that were restored.
    pub rows: u64,
    /// Games among them, the bad ones too.
    pub games: u64,
    /// Moves that were played and found legal.
    pub plies: u64,
    /// Bytes of text that were restored.
    pub text_bytes: u64,
    /// What is wrong: the first hundred faults.
    pub faults: Vec<ArchiveFault>,
}

/// So many faults of a row group are told.
const MOST_FAULTS: usize = 100;

impl<F: ReadAt> Archive<F> {
    /// Checks all checksums of a row group, decodes it, plays through all games and restores all
    /// texts.
    ///
    /// # Errors
    /// [`ArchiveError::Io`]; what is wrong with the archive is among [`Verified::faults`].
    pub fn verify(&self, row_group: usize) -> Result<Verified, ArchiveError> {
        let mut verified = Verified::default();
        let mut note = |result: Result<(), ArchiveError>| match result {
            Err(ArchiveError::Archive(fault)) => {
                verified.faults.push(fault);
                Ok(())
            }
            other => other,
        };
        note(self.check_page_index(row_group))?;
        for column in self.column_names(row_group) {
            note(self.check_column(row_group, &column))?;
        }
        if !verified.faults.is_empty() {
            return Ok(verified);
        }
        match self.read(row_group) {
            Ok(rows) => verify_rows(&rows, &mut verified),
            Err(ArchiveError::Archive(fault)) => verified.faults.push(fault),
            Err(error) => return Err(error),
        }
        Ok(verified)
    }

    /// Checks all checksums of a row group and decodes nothing.
    ///
    /// # Errors
    /// [`ArchiveError::Io`], or the first [`ArchiveFault::Checksum`].
    pub fn verify_checksums(&self, row_group: usize) -> Result<(), ArchiveError> {
        self.check_page_index(row_group)?;
        self.check_chunks(row_group)
    }

    /// Whether what was restored of all row groups is what the footer says.
    #[must_use]
    pub fn verify_sums(&self, sums: &Verified) -> Option<ArchiveFault> {
        let what = if sums.text_bytes != self.text_bytes() {
            "number of bytes"
        } else if sums.games != self.games() {
            "number of games"
        } else if sums.plies != self.plies() {
            "number of plies"
        } else {
            return None;
        };
        Some(ArchiveFault::Footer { what })
    }
}

fn verify_rows(rows: &RowGroup, verified: &mut Verified) {
    let mut buffer = Buffer::default();
    let mut text = Vec::new();
    for (row, game) in rows.games().enumerate() {
        let fault = |fault| ArchiveFault::Row {
            row_group: rows.row_group(),
            row: game.number(),
            fault,
        };
        text.clear();
        let restored = rows.restore(row, &mut buffer, &mut text);
        let played = game.moves().map(|moves| {
            let each = |_: &_, _| ControlFlow::Continue(());
            moves.replay(Legality::Checked, each)
        });
        let result = match (restored, played) {
            (Err(ArchiveError::Archive(fault)), _) => Err(fault),
            (_, Some(Err(error))) => Err(fault(RowFault::Moves(error))),
            (_, played) => Ok(played),
        };
        match result {
            Ok(played) => {
                let plies = played.map_or(0, |played| played.map_or(0, |(_, plies)| plies));
                verified.rows += 1;
                verified.games += u64::from(game.kind() != RowKind::Text);
                verified.plies += u64::try_from(plies).unwrap_or(0);
                verified.text_bytes += u64::try_from(text.len()).unwrap_or(0);
            }
            Err(fault) if verified.faults.len() < MOST_FAULTS => verified.faults.push(fault),
            Err(_) => {}
        }
    }
}
