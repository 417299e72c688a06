//! Rows of pieces to row groups, whoever has them first.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::transcript::Transcript;

/// Where a piece belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Place {
    pub(crate) row_group: usize,
    /// Its number in the row group.
    pub(crate) piece: usize,
}

impl Place {
    pub(crate) fn next_piece(self) -> Place {
        Place {
            piece: self.piece + 1,
            ..self
        }
    }

    pub(crate) fn next_row_group(self) -> Place {
        Place {
            row_group: self.row_group + 1,
            piece: 0,
        }
    }
}

/// Collects the pieces of row groups from several threads. Pieces are small, so that all cores have
/// work and texts take little memory; row groups are large, so that they compress well.
#[derive(Debug, Default)]
pub(crate) struct Binder {
    open: Mutex<BTreeMap<usize, Sheets>>,
}

#[derive(Debug, Default)]
struct Sheets {
    pieces: BTreeMap<usize, Transcript>,
    /// How many there are to be, once that is known.
    count: Option<usize>,
}

impl Binder {
    /// Adds a piece, which may be the last of its row group. Whoever brings what was missing gets the
    /// whole row group, in order.
    pub(crate) fn add(
        &self,
        place: Place,
        is_last: bool,
        transcript: Transcript,
    ) -> Option<Vec<Transcript>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let sheets = open.entry(place.row_group).or_default();
        sheets.pieces.insert(place.piece, transcript);
        if is_last {
            sheets.count = Some(place.piece + 1);
        }
        if sheets.count != Some(sheets.pieces.len()) {
            return None;
        }
        let sheets = open.remove(&place.row_group)?;
        Some(sheets.pieces.into_values().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::row_builder::whole_schema;
    use arrow_array::RecordBatch;

    fn transcript(games: u64) -> Transcript {
        Transcript {
            rows: RecordBatch::new_empty(whole_schema()),
            games,
            bad: Vec::new(),
            plies: 0,
            input_bytes: 0,
            text_bytes: 0,
            file_ends: Vec::new(),
        }
    }

    #[test]
    fn who_brings_the_missing_piece_gets_all_in_order() {
        for order in [[0, 1, 2], [2, 1, 0], [2, 0, 1], [1, 2, 0]] {
            let binder = Binder::default();
            let place = |piece| Place {
                row_group: 7,
                piece,
            };
            let other = Place::default();
            assert!(binder.add(other, false, transcript(9)).is_none());
            let mut bound = None;
            for (i, piece) in order.into_iter().enumerate() {
                assert!(bound.is_none(), "{order:?}: too early at {i}");
                bound = binder.add(place(piece), piece == 2, transcript(piece as u64));
            }
            let games: Vec<u64> = bound.unwrap().iter().map(|one| one.games).collect();
            assert_eq!(games, [0, 1, 2]);
            let bound = binder.add(other.next_piece(), true, transcript(8));
            assert_eq!(bound.unwrap().len(), 2);
        }
    }
}
