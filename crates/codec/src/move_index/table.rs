//! Every move on an empty board, ready to be looked up.
//!
//! An entry is a 16-bit word that lacks only what the board must say: whether something is taken.
//! 28 KiB; the part that games use stays in the first-level cache.

// Tables are filled by loops over their own lengths; look-ups are masked or by enum.
#![allow(clippy::indexing_slicing)]

use chess::{Bitboard, Color, Move, MoveKind, Square};

use super::{ROLES, pawn_move};
use crate::empty_board;

/// King, white pawn, knight, bishop, rook, queen, black pawn, and one row of nothing so that the
/// index can be masked.
const ROWS: usize = 8;

static ENTRIES: [[[u16; 32]; 64]; ROWS] = {
    let mut table = [[[0; 32]; 64]; ROWS];
    let mut from = 0;
    while from < 64 {
        let square = Square::ALL[from];
        let mut row = 0;
        while row < 6 {
            let mut targets = empty_board::walk(ROLES[row], square).bits();
            let mut number = 0;
            while targets != 0 {
                let to = targets.trailing_zeros() as u16;
                table[row][from][number] = (square as u16) << 6 | to;
                targets &= targets - 1;
                number += 1;
            }
            row += 1;
        }
        let mut number = 0;
        while number < 12 {
            table[1][from][number as usize] = pawn_entry(Color::White, square, number);
            table[6][from][number as usize] = pawn_entry(Color::Black, square, number);
            number += 1;
        }
        from += 1;
    }
    table
};

const fn pawn_entry(color: Color, from: Square, number: u32) -> u16 {
    match pawn_move(color, from, number) {
        Some((to, kind)) => (kind as u16) << 12 | (from as u16) << 6 | to as u16,
        None => 0,
    }
}

/// The move number `number` of a man, without what it takes; 0 if it has none of this number.
#[inline(always)]
pub(super) fn entry(block: usize, turn: Color, from: Square, number: u32) -> u16 {
    // A black pawn is five rows below a white one.
    let row = block + 5 * usize::from(block == 1) * turn.index();
    ENTRIES[row % ROWS][from.index()][number as usize % 32]
}

/// Adds to an entry that it takes what stands on its last square. A pawn's capture is stored as en
/// passant, 5, and becomes a plain one, 4, where there is something to take.
#[inline(always)]
pub(super) fn complete(entry: u16, occupied: Bitboard) -> Option<Move> {
    let takes = (occupied.bits() >> (entry & 63) & 1) as u16;
    let is_pawn_capture = entry >> 14 & 1;
    let word = (entry | takes << 14) & !((takes & is_pawn_capture) << 12);
    Move::from_word(word)
}

const _: () = assert!(MoveKind::EnPassant as u8 == 5 && MoveKind::Capture as u8 == 4);

/// An element of a small array; the last one should the index be too large.
#[inline(always)]
pub(super) fn at<T: Copy, const N: usize>(array: &[T; N], index: usize) -> T {
    array[index.min(N - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::move_index::{RECIPROCALS, SIZES};

    #[test]
    fn reciprocals_divide() {
        for (size, reciprocal) in SIZES.into_iter().zip(RECIPROCALS).take(6) {
            for number in 0..64 * size {
                assert_eq!(
                    number * reciprocal >> 16,
                    number / size,
                    "{number} / {size}"
                );
            }
        }
    }

    #[test]
    fn no_square_has_more_numbers_than_its_block() {
        for (row, size) in [(0, 8), (1, 12), (2, 8), (3, 13), (4, 14), (5, 27), (6, 12)] {
            let most = ENTRIES[row]
                .iter()
                .map(|entries| entries.iter().rposition(|&entry| entry != 0))
                .max();
            assert_eq!(most, Some(Some(size - 1)));
        }
    }
}
