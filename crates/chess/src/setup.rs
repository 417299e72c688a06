//! A set-up position: what a FEN says, before anyone has asked whether it is chess.

use crate::{Bitboard, Board, CastlingSide, Color, Position, Rank, Square};

/// Everything a FEN says, unchecked. [`Position::try_from`] is the door to a playable position.
///
/// ```
/// use scoresheet_chess::{Position, Setup, SetupFault};
/// let setup: Setup = "4k3/8/8/8/8/8/8/4KK2 w K - 0 1".parse().unwrap();
/// let faults = Position::try_from(setup).unwrap_err();
/// assert!(faults.contains(SetupFault::TooManyKings));
/// assert!(faults.contains(SetupFault::Castling));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// Where the men stand.
    pub board: Board,
    /// Who is to move.
    pub turn: Color,
    /// The squares of the rooks that may still castle. In standard chess these are corners; in
    /// Chess960 they may be any square of a back rank.
    pub castling: Bitboard,
    /// The square that a pawn passed over with the last move, if it made a double step.
    pub ep_square: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u16,
    /// The number of the current move; it starts at 1 and grows after Black's move.
    pub fullmoves: u16,
}

impl Setup {
    /// An empty board with White to move.
    pub const EMPTY: Setup = Setup {
        board: Board::EMPTY,
        turn: Color::White,
        castling: Bitboard::EMPTY,
        ep_square: None,
        halfmoves: 0,
        fullmoves: 1,
    };

    /// The position from which a game of standard chess starts.
    pub const START: Setup = Setup {
        board: Board::START,
        castling: Bitboard(0x8100_0000_0000_0081),
        ..Setup::EMPTY
    };

    /// The rook with which `color` may castle to `side`: it stands on that side of the king.
    #[must_use]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.board.king_of(color)?;
        let home = Bitboard::from_rank(Rank::First.seen_by(color));
        let rooks = self.castling & home;
        match side {
            CastlingSide::KingSide => rooks.last().filter(|&rook| rook > king),
            CastlingSide::QueenSide => rooks.first().filter(|&rook| rook < king),
        }
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        position.to_setup()
    }
}
