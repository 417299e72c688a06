//! What moves are called that need no origin, for every man and square.

use super::role_letter;
use crate::{Bitboard, Role, Square, attacks};

/// How a man's moves to a square are called.
#[repr(align(32))]
pub(super) struct Name {
    /// From where others of its kind may get there, whether something is in their way or not; from nowhere
    /// for a pawn. Usually none is there, and no line need be looked along.
    pub(super) rays: Bitboard,
    /// If it takes nothing, and if it takes.
    pub(super) letters: [Letters; 2],
}

/// Up to four letters, the first in the low byte; in the highest byte how many. The byte below that is the
/// mask of the file, which stands before the `x` of a pawn and nowhere else.
#[derive(Clone, Copy)]
pub(super) struct Letters(u64);

impl Letters {
    /// The letters of a man that comes from this file.
    #[inline(always)]
    pub(super) const fn word(self, file: u8) -> u64 {
        self.0 & 0xffff_ffff | self.0 >> 48 & file as u64
    }

    /// How many they are.
    #[inline(always)]
    pub(super) const fn len(self) -> usize {
        (self.0 >> 56) as usize
    }

    const fn of(role: Role, to: Square, takes: bool) -> Letters {
        let is_pawn = matches!(role, Role::Pawn);
        let (mut word, mut length) = match (is_pawn, takes) {
            (true, true) => (0xff << 48, 1),
            (true, false) => (0, 0),
            (false, _) => (role_letter(role) as u64, 1),
        };
        if takes {
            word |= (b'x' as u64) << (8 * length);
            length += 1;
        }
        let square = (b'a' + to as u8 % 8) as u64 | ((b'1' + to as u8 / 8) as u64) << 8;
        Letters(word | square << (8 * length) | (length + 2) << 56)
    }
}

static NAMES: [[Name; 64]; 6] = {
    const NONE: Name = Name {
        rays: Bitboard::EMPTY,
        letters: [Letters(0); 2],
    };
    let mut table = [const { [NONE; 64] }; 6];
    let mut i = 0;
    while i < 6 * 64 {
        let (role, to) = (Role::ALL[i / 64], Square::ALL[i % 64]);
        table[i / 64][i % 64] = Name {
            rays: attacks::empty_board(role, to),
            letters: [Letters::of(role, to, false), Letters::of(role, to, true)],
        };
        i += 1;
    }
    table
};

/// What a man is called that goes to this square.
#[inline(always)]
pub(super) fn of(role: Role, to: Square) -> &'static Name {
    &NAMES[role as usize][to.index()]
}
