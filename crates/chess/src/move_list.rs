//! A list of moves that never allocates.

use core::fmt;
use core::ops::Deref;

use crate::{Bitboard, Move, Square};

/// The legal moves of a position, in one array on the stack.
///
/// Sixteen men, fifteen of them queens with 27 moves each, bound the list from above: it cannot
/// overflow. A list that is filled again and again (see
/// [`Position::legal_moves_into`](crate::Position::legal_moves_into)) is cleared by setting its
/// length, so a loop over many positions pays for its memory once.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MoveList::CAPACITY],
    len: usize,
}

impl MoveList {
    /// 15 queens × 27 + 8 king steps + 2 castlings = 415, rounded up: a power of two lets the
    /// index be masked instead of checked.
    pub const CAPACITY: usize = 512;

    /// An empty list.
    #[must_use]
    #[inline]
    pub const fn new() -> MoveList {
        MoveList {
            moves: [Move::from_nonzero(1); MoveList::CAPACITY],
            len: 0,
        }
    }

    /// Forgets all moves.
    #[inline]
    pub const fn clear(&mut self) {
        self.len = 0;
    }

    /// Starts to write the list anew; [`MoveList::set_len`] says how far it got.
    #[inline(always)]
    pub(crate) const fn writer(&mut self) -> Writer<'_> {
        Writer {
            moves: &mut self.moves,
            len: 0,
        }
    }

    #[inline(always)]
    pub(crate) const fn set_len(&mut self, len: usize) {
        self.len = len;
    }

    /// The moves, in the order in which they were found.
    #[must_use]
    #[inline]
    pub fn as_slice(&self) -> &[Move] {
        self.moves.get(..self.len).unwrap_or(&self.moves)
    }
}

/// Writes into a list. It counts on its own, so that the count stays in a register.
pub(crate) struct Writer<'a> {
    moves: &'a mut [Move; MoveList::CAPACITY],
    len: usize,
}

impl Writer<'_> {
    #[inline(always)]
    pub(crate) const fn push(&mut self, m: Move) {
        self.moves[self.len % MoveList::CAPACITY] = m;
        self.len += 1;
    }

    /// Pushes the move to each square of a set, four at a time. What is written past the last one
    /// is overwritten by the next push. A loop that runs once for most sets is foreseen by the CPU;
    /// one that runs as often as a piece has moves is not.
    #[inline(always)]
    pub(crate) fn push_each(&mut self, squares: Bitboard, to_move: impl Fn(Square) -> Move) {
        let mut left = squares;
        let mut at = self.len;
        while let Some(place) = self.moves.get_mut(at..at + 4) {
            for slot in place {
                *slot = to_move(left.first_or_a1());
                left = Bitboard(left.0 & left.0.wrapping_sub(1));
            }
            at += 4;
            if left.is_empty() {
                break;
            }
        }
        self.len += squares.len();
    }

    /// Takes a row of moves of which only the first `count` belong to the list: one vector store
    /// and an addition, instead of a loop. The next push overwrites the rest.
    #[inline(always)]
    pub(crate) fn push_row(&mut self, row: &[Move; 8], count: usize) {
        if let Some(place) = self.moves.get_mut(self.len..self.len + 8) {
            place.copy_from_slice(row);
        }
        self.len += count;
    }

    #[inline(always)]
    pub(crate) const fn len(&self) -> usize {
        self.len
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = core::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

/// Moves by value, so that `for m in position.legal_moves()` reads well.
#[derive(Debug)]
pub struct Moves {
    list: MoveList,
    next: usize,
}

impl Iterator for Moves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let m = self.list.as_slice().get(self.next).copied();
        self.next += 1;
        m
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = Moves;

    fn into_iter(self) -> Moves {
        Moves {
            list: self,
            next: 0,
        }
    }
}

impl PartialEq for MoveList {
    fn eq(&self, other: &MoveList) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for MoveList {}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}
