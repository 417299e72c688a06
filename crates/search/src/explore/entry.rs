//! One move of one game, as it is sorted.

use chess::Move;

/// A position, a move in it, and a game; ordered in this order. Sixteen bytes: indices have hundreds
/// of millions of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Entry {
    pub(crate) key: u64,
    /// The move in the high 16 bits, the game in the others.
    rest: u64,
}

/// Games are counted to this.
pub(crate) const MOST_GAMES: u64 = 1 << 48;

impl Entry {
    /// `None` for the move is the end of the game.
    #[inline]
    pub(crate) fn new(key: u64, m: Option<Move>, game: u64) -> Entry {
        let word = m.map_or(0, Move::word);
        Entry {
            key,
            rest: u64::from(word) << 48 | game & (MOST_GAMES - 1),
        }
    }

    #[inline]
    pub(crate) fn word(self) -> u16 {
        (self.rest >> 48) as u16
    }

    #[inline]
    pub(crate) fn game(self) -> u64 {
        self.rest & (MOST_GAMES - 1)
    }

    pub(crate) fn to_bytes(self) -> [u8; 16] {
        (u128::from(self.key) << 64 | u128::from(self.rest)).to_be_bytes()
    }

    #[allow(clippy::cast_possible_truncation)] // Halves of 128 bits.
    pub(crate) fn from_bytes(bytes: [u8; 16]) -> Entry {
        let both = u128::from_be_bytes(bytes);
        Entry {
            key: (both >> 64) as u64,
            rest: both as u64,
        }
    }
}
