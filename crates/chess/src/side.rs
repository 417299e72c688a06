//! The side to move as a type, so that everything about it is a constant.

use crate::{Bitboard, Color, Square};

/// White or Black, known when the code is compiled. Generation and play are written once and
/// compiled twice: directions, ranks and piece codes become immediate operands.
pub(crate) trait Side {
    type Other: Side;
    const COLOR: Color;
    /// One step forward, in squares.
    const UP: i8;
    const BACK_RANK: Bitboard;
    /// Where a pawn stands after its first single step.
    const THIRD_RANK: Bitboard;
    const LAST_RANK: Bitboard;
}

pub(crate) struct White;
pub(crate) struct Black;

impl Side for White {
    type Other = Black;
    const COLOR: Color = Color::White;
    const UP: i8 = 8;
    const BACK_RANK: Bitboard = Bitboard(0xff);
    const THIRD_RANK: Bitboard = Bitboard(0xff_0000);
    const LAST_RANK: Bitboard = Bitboard(0xff00_0000_0000_0000);
}

impl Side for Black {
    type Other = White;
    const COLOR: Color = Color::Black;
    const UP: i8 = -8;
    const BACK_RANK: Bitboard = Bitboard(0xff00_0000_0000_0000);
    const THIRD_RANK: Bitboard = Bitboard(0xff00_0000_0000);
    const LAST_RANK: Bitboard = Bitboard(0xff);
}

/// Which way the king castles. In Chess960 the sides keep their names: king side is towards h.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum CastlingSide {
    KingSide,
    QueenSide,
}

impl CastlingSide {
    /// King side, then queen side.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::KingSide, CastlingSide::QueenSide];

    /// Where the king lands: the g- or the c-file.
    #[must_use]
    #[inline]
    pub const fn king_to(self, color: Color) -> Square {
        self.landing(color, 6, 2)
    }

    /// Where the rook lands: the f- or the d-file.
    #[must_use]
    #[inline]
    pub const fn rook_to(self, color: Color) -> Square {
        self.landing(color, 5, 3)
    }

    const fn landing(self, color: Color, king_side: u8, queen_side: u8) -> Square {
        let file = match self {
            CastlingSide::KingSide => king_side,
            CastlingSide::QueenSide => queen_side,
        };
        Square::from_low_bits(file + 56 * color as u8)
    }
}
