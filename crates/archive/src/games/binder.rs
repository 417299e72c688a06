//! Pieces to row groups, whoever has them first.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::transcript::Transcript;

/// Collects the rows of pieces from several threads. Pieces are small, so that all cores have work and
/// texts take little memory; row groups are large, so that they compress well. Where row groups end
/// depends on the pieces alone, not on who brings them when.
#[derive(Debug)]
pub(crate) struct Binder {
    /// A row group takes pieces up to so many bytes of text,
    bytes: u64,
    /// and up to so many rows: a row takes room even if its text is short.
    rows: usize,
    desk: Mutex<Desk>,
}

/// The pieces of a row group, in order.
#[derive(Debug)]
pub(crate) struct Bound {
    /// The number of the row group.
    pub(crate) number: usize,
    pub(crate) transcripts: Vec<Transcript>,
}

#[derive(Debug, Default)]
struct Desk {
    /// What came before its turn, and whether it is the last piece of all.
    early: BTreeMap<u64, (Transcript, bool)>,
    /// The piece whose turn it is.
    next: u64,
    open: Vec<Transcript>,
    bound: usize,
}

impl Binder {
    pub(crate) fn new(bytes: usize, rows: usize) -> Binder {
        Binder {
            bytes: u64::try_from(bytes).unwrap_or(u64::MAX),
            rows,
            desk: Mutex::default(),
        }
    }

    /// Adds a piece by its number. Whoever brings what was missing gets the row groups that are
    /// complete, and is told whether they are the last.
    pub(crate) fn add(
        &self,
        piece: u64,
        transcript: Transcript,
        is_last: bool,
    ) -> (Vec<Bound>, bool) {
        let mut desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        desk.early.insert(piece, (transcript, is_last));
        let mut complete = Vec::new();
        let mut is_over = false;
        loop {
            let next = desk.next;
            let Some((transcript, is_last)) = desk.early.remove(&next) else {
                return (complete, is_over);
            };
            desk.next += 1;
            if !self.has_room(&desk.open, &transcript) {
                complete.extend(desk.bind());
            }
            desk.open.push(transcript);
            if is_last {
                complete.extend(desk.bind());
                is_over = true;
            }
        }
    }

    fn has_room(&self, open: &[Transcript], more: &Transcript) -> bool {
        let all = || open.iter().chain([more]);
        let bytes: u64 = all().map(|one| one.input_bytes).sum();
        let rows: usize = all().map(|one| one.rows.num_rows()).sum();
        bytes <= self.bytes && rows <= self.rows
    }
}

impl Desk {
    fn bind(&mut self) -> Option<Bound> {
        let transcripts = std::mem::take(&mut self.open);
        if transcripts.is_empty() {
            return None;
        }
        self.bound += 1;
        Some(Bound {
            number: self.bound - 1,
            transcripts,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::row_builder::whole_schema;
    use arrow_array::RecordBatch;

    fn transcript(offset: u64, input_bytes: u64) -> Transcript {
        Transcript {
            offset,
            rows: RecordBatch::new_empty(whole_schema()),
            games: 0,
            bad: Vec::new(),
            plies: 0,
            input_bytes,
            text_bytes: 0,
            file_ends: Vec::new(),
        }
    }

    /// The numbers of the row groups with the offsets of their pieces, as they are handed out.
    fn bind(sizes: &[u64], order: &[usize]) -> Vec<(usize, Vec<u64>)> {
        let binder = Binder::new(10, usize::MAX);
        let mut bound = Vec::new();
        for &piece in order {
            let is_last = piece + 1 == sizes.len();
            let one = transcript(piece as u64, sizes[piece]);
            for group in binder.add(piece as u64, one, is_last).0 {
                let offsets = group.transcripts.iter().map(|one| one.offset).collect();
                bound.push((group.number, offsets));
            }
        }
        bound
    }

    #[test]
    fn row_groups_are_the_same_whoever_comes_first() {
        let sizes = [5, 5, 1, 20, 3, 3, 3, 1, 1];
        let expected = [
            (0, vec![0, 1]),
            (1, vec![2]),
            (2, vec![3]),
            (3, vec![4, 5, 6, 7]),
            (4, vec![8]),
        ];
        let orders = [
            [0, 1, 2, 3, 4, 5, 6, 7, 8],
            [8, 7, 6, 5, 4, 3, 2, 1, 0],
            [1, 0, 3, 2, 5, 4, 7, 8, 6],
        ];
        for order in orders {
            assert_eq!(bind(&sizes, &order), expected, "{order:?}");
        }
    }

    #[test]
    fn no_more_is_handed_out_than_is_certain() {
        let binder = Binder::new(10, usize::MAX);
        let (bound, is_over) = binder.add(1, transcript(0, 9), true);
        assert!(bound.is_empty() && !is_over);
        let (bound, is_over) = binder.add(0, transcript(0, 9), false);
        assert!(bound.len() == 2 && is_over);
    }
}
