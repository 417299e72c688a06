//! The squares of the first men that are not as they were: a column that lets a search skip games.

use chess::{Bitboard, CastlingSide, Move, ReadMove, Square};

/// The squares that the moves of a game have touched.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HomeSquares {
    touched: Bitboard,
}

impl HomeSquares {
    /// Takes note of a move.
    #[inline(always)]
    pub(crate) fn touch(&mut self, read: ReadMove) {
        match read {
            ReadMove::Step(step, _) => self.touch_both(step.from, step.to),
            ReadMove::Other(m) => self.touch_other(m),
        }
    }

    #[inline(always)]
    fn touch_both(&mut self, from: Square, to: Square) {
        self.touched |= Bitboard::from(from) | Bitboard::from(to);
    }

    /// Where a rook castles, its corner is left, too.
    #[cold]
    fn touch_other(&mut self, m: Move) {
        self.touch_both(m.from(), m.to());
        let corners = match m.castling_side() {
            Some(CastlingSide::KingSide) => Bitboard::from_bits(0x80 << 56 | 0x80),
            Some(CastlingSide::QueenSide) => Bitboard::from_bits(1 << 56 | 1),
            None => Bitboard::EMPTY,
        };
        self.touched |= corners & Bitboard::from_rank(m.from().rank());
    }

    /// The squares of the first, second, seventh and eighth rank that their first men have left or been
    /// taken on: a1 is bit 0, h2 bit 15, a7 bit 16, h8 bit 31.
    pub(crate) fn left(self) -> u32 {
        let bits = self.touched.bits();
        #[allow(clippy::cast_possible_truncation)] // Sixteen bits each.
        let [first, last] = [bits as u16, (bits >> 48) as u16];
        u32::from(first) | u32::from(last) << 16
    }
}
