//! Stage three (placeholder while stages one and two are proven).

use crate::{Bitboard, Move, MoveList, Role, Square};

/// The table.
pub(crate) struct MoveTable;

pub(super) fn bytes() -> usize {
    0
}

impl MoveTable {
    #[inline(always)]
    pub(crate) fn list(moves: &mut MoveList, _role: Role, from: Square, targets: Bitboard) {
        for to in targets {
            moves.push(Move::from_nonzero((from as u16) << 6 | to as u16));
        }
    }
}
