//! For every square, the men that attack it.

use super::PieceMask;
use crate::{Bitboard, Square};

/// 64 masks. Its two operations are all that moving men needs; they are written so that the
/// compiler makes vectors of eight masks out of the first, where the CPU has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct AttackTable([PieceMask; 64]);

impl AttackTable {
    pub(super) const EMPTY: AttackTable = AttackTable([PieceMask::EMPTY; 64]);

    #[inline(always)]
    pub(super) const fn at(&self, square: Square) -> PieceMask {
        self.0[square.index()]
    }

    #[inline(always)]
    pub(super) const fn masks(&self) -> &[PieceMask; 64] {
        &self.0
    }

    /// Forgets all attacks of the men in `gone`, then notes that the men in `piece` (one, or none)
    /// attack `squares`.
    ///
    /// It goes through the whole table without a branch. Taking the old attacks off one by one
    /// would need the set of them (another look-up) and a loop of unforeseeable length.
    #[inline(always)]
    pub(super) fn replace(&mut self, gone: PieceMask, piece: PieceMask, squares: Bitboard) {
        let (keep, bit) = (!gone.0, piece.0);
        let bits = squares.bits();
        #[allow(clippy::cast_possible_truncation)] // Half by half.
        let halves = [bits as u32, (bits >> 32) as u32];
        for (half, bits) in halves.into_iter().enumerate() {
            for i in 0..32 {
                let mask = &mut self.0[32 * half + i].0;
                // All ones if the square's bit is set: the sign, shifted all the way.
                let is_attacked = ((bits << (31 - i)).cast_signed() >> 31).cast_unsigned();
                *mask = *mask & keep | is_attacked & bit;
            }
        }
    }

    /// Turns attacks of `piece` on `squares` on where they were off, and off where they were on.
    #[inline(always)]
    pub(super) fn toggle(&mut self, piece: PieceMask, squares: Bitboard) {
        for square in squares {
            self.0[square.index()].0 ^= piece.0;
        }
    }
}
