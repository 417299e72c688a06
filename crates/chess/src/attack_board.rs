//! The second board: piece lists, piece masks and attack tables.
//!
//! Built up as the classic mailbox programs built it: an 8×8 array says which man stands on a
//! square, a list says on which square a man stands, a 32-bit mask is a set of men, and for every
//! square one such mask names all men that attack it. The last is kept up to date with every move;
//! in return, who attacks what is never computed again but read.
//!
//! ```
//! use scoresheet_chess::{AttackBoard, Color, Square};
//! let board: AttackBoard = "4k3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1".parse().unwrap();
//! assert_eq!(board.attackers(Square::D5, Color::White).len(), 1); // The rook behind waits.
//! assert!(!board.is_defended(Square::D5));
//! assert!(!board.is_check());
//! ```

mod answers;
mod direction;
mod exchange;
mod generate;
mod pawns;
mod piece_mask;
mod pins;
mod play;
#[cfg(any(test, debug_assertions))]
mod sound;
mod table;
mod update;

use core::fmt;
use core::str::FromStr;

pub use piece_mask::{PieceIndex, PieceMask, Pieces};
use table::AttackTable;

use crate::{
    Bitboard, Board, Color, ParseFenError, Piece, Position, Role, Setup, SetupFaults, Square,
    attacks,
};

/// A position that knows at every moment which men attack which squares.
///
/// It plays the same chess as [`Position`] and is made from one, so the same set-ups are refused.
/// It is ten times the size and slower to play on; it pays where attacks are asked for more often
/// than moves are made. Like [`Position`] it is [`Copy`] and has no undo.
#[derive(Clone, Copy)]
pub struct AttackBoard {
    /// Which men attack each square, own men's squares included.
    attacks: AttackTable,
    /// Which man stands on each square: its number, or [`EMPTY`].
    squares: [u8; 64],
    /// Where each man stands, and what it is. The entry of a man that was taken is what it was
    /// then: whether a man is there, the masks say.
    list: [Man; 32],
    /// The men of each role.
    roles: [PieceMask; 6],
    /// The squares of each side's men. The mailbox knows them too, but generation wants "not an own
    /// man's square" as a set, and a slider finds its first obstacle in a set by one bit scan
    /// instead of a walk.
    occupied: [Bitboard; 2],
    castling: Bitboard,
    halfmoves: u16,
    fullmoves: u16,
    ep_square: Option<Square>,
    turn: Color,
}

// Seven cache lines, four of them the attack table.
const _: () = assert!(size_of::<AttackBoard>() == 448);

/// What `squares` holds where no man stands. As a shift of a 64-bit one it falls off the low 32
/// bits: the mask of nobody, without a question.
const EMPTY: u8 = 32;

/// Kings have fixed numbers, so that the king's square is one look-up.
const KINGS: [PieceIndex; 2] = [PieceIndex::from_low_bits(15), PieceIndex::from_low_bits(31)];

/// An entry of the piece list; the colour is in its number.
#[derive(Clone, Copy, Debug)]
struct Man {
    square: Square,
    role: Role,
}

/// The set of the man with this number; nobody if it is [`EMPTY`].
#[inline(always)]
#[allow(clippy::cast_possible_truncation)] // Bit 32 is meant to fall off.
const fn mask_of(number: u8) -> PieceMask {
    PieceMask((1u64 << (number & 63)) as u32)
}

impl AttackBoard {
    /// Who is to move.
    #[must_use]
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The squares of the rooks that may still castle.
    #[must_use]
    #[inline]
    pub const fn castling_rooks(&self) -> Bitboard {
        self.castling
    }

    /// The square a pawn has just passed over, if an enemy pawn attacks it, pinned or not.
    #[must_use]
    #[inline]
    pub const fn ep_square(&self) -> Option<Square> {
        self.ep_square
    }

    /// Plies since the last capture or pawn move.
    #[must_use]
    #[inline]
    pub const fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// The number of the current move.
    #[must_use]
    #[inline]
    pub const fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    /// The square of a side's king.
    #[must_use]
    #[inline(always)]
    pub const fn king_of(&self, color: Color) -> Square {
        self.list[KINGS[color.index()].index()].square
    }

    /// All squares with a man on them.
    #[must_use]
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.occupied[0] | self.occupied[1]
    }

    /// The squares of one side's men.
    #[must_use]
    #[inline(always)]
    pub const fn by_color(&self, color: Color) -> Bitboard {
        self.occupied[color.index()]
    }

    /// The men of a role, of both colours.
    #[must_use]
    #[inline(always)]
    pub const fn by_role(&self, role: Role) -> PieceMask {
        self.roles[role.index()]
    }

    /// The men of a side.
    #[must_use]
    #[inline]
    pub fn men(&self, color: Color) -> PieceMask {
        self.present() & PieceMask::of(color)
    }

    /// The men on the board.
    #[inline]
    fn present(&self) -> PieceMask {
        self.roles
            .into_iter()
            .fold(PieceMask::EMPTY, |all, role| all | role)
    }

    /// Bishops, rooks and queens.
    #[inline(always)]
    fn sliders(&self) -> PieceMask {
        self.by_role(Role::Bishop) | self.by_role(Role::Rook) | self.by_role(Role::Queen)
    }

    /// The number of the man on a square.
    #[must_use]
    #[inline]
    pub const fn index_at(&self, square: Square) -> Option<PieceIndex> {
        match self.squares[square.index()] {
            EMPTY => None,
            number => Some(PieceIndex::from_low_bits(number)),
        }
    }

    /// The man on a square.
    #[must_use]
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        match self.index_at(square) {
            Some(index) => Some(Piece::new(index.color(), self.man(index).role)),
            None => None,
        }
    }

    /// The square and the kind of a man, if it is on the board.
    #[must_use]
    #[inline]
    pub fn piece(&self, index: PieceIndex) -> Option<(Square, Piece)> {
        let man = self.man(index);
        self.present()
            .contains(index)
            .then(|| (man.square, Piece::new(index.color(), man.role)))
    }

    #[inline(always)]
    const fn man(&self, index: PieceIndex) -> Man {
        self.list[index.index()]
    }

    /// The squares of some men.
    #[must_use]
    #[inline(always)]
    pub fn squares_of(&self, men: PieceMask) -> Bitboard {
        let mut squares = Bitboard::EMPTY;
        for index in men {
            squares.insert(self.man(index).square);
        }
        squares
    }

    /// The same position without the attack table.
    #[must_use]
    pub fn to_position(&self) -> Position {
        let mut board = Board::EMPTY;
        for (square, piece) in self.present().iter().filter_map(|index| self.piece(index)) {
            board.set(square, piece);
        }
        Position::from_sound_setup(Setup {
            board,
            turn: self.turn,
            castling: self.castling,
            ep_square: self.ep_square,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
        })
    }

    /// The Zobrist key with Polyglot's constants, computed from scratch: the same as
    /// [`Position::key`].
    #[must_use]
    pub fn key(&self) -> u64 {
        self.to_position().key()
    }
}

impl From<&Position> for AttackBoard {
    fn from(position: &Position) -> AttackBoard {
        let mut board = AttackBoard {
            attacks: AttackTable::EMPTY,
            squares: [EMPTY; 64],
            list: [Man {
                square: Square::A1,
                role: Role::Pawn,
            }; 32],
            roles: [PieceMask::EMPTY; 6],
            occupied: [Bitboard::EMPTY; 2],
            castling: position.castling_rooks(),
            halfmoves: position.halfmoves(),
            fullmoves: position.fullmoves(),
            ep_square: position.ep_square(),
            turn: position.turn(),
        };
        // A position has one king and at most fifteen other men a side.
        for color in Color::ALL {
            let king = KINGS[color.index()];
            let others = position.board().by_color(color) - position.king_of(color).into();
            for (number, square) in (16 * color as u8..).zip(others) {
                let role = position.board().role_at(square).unwrap_or(Role::Pawn);
                let index = PieceIndex::from_low_bits(number);
                board.add(attacks::TwoStage, index, role, square);
            }
            board.add(attacks::TwoStage, king, Role::King, position.king_of(color));
        }
        board
    }
}

impl From<Position> for AttackBoard {
    fn from(position: Position) -> AttackBoard {
        AttackBoard::from(&position)
    }
}

impl From<&AttackBoard> for Position {
    fn from(board: &AttackBoard) -> Position {
        board.to_position()
    }
}

impl TryFrom<Setup> for AttackBoard {
    type Error = SetupFaults;

    /// # Errors
    /// The same faults as of a [`Position`].
    fn try_from(setup: Setup) -> Result<AttackBoard, SetupFaults> {
        Position::try_from(setup).map(AttackBoard::from)
    }
}

/// Reads a FEN; see [`Position`].
impl FromStr for AttackBoard {
    type Err = ParseFenError;

    fn from_str(text: &str) -> Result<AttackBoard, ParseFenError> {
        text.parse::<Position>().map(AttackBoard::from)
    }
}

/// The position from which a game of standard chess starts.
impl Default for AttackBoard {
    fn default() -> AttackBoard {
        AttackBoard::from(&Position::START)
    }
}

/// The same position; the numbers of the men may differ.
impl PartialEq for AttackBoard {
    fn eq(&self, other: &AttackBoard) -> bool {
        self.to_position() == other.to_position()
    }
}

impl Eq for AttackBoard {}

/// The FEN.
impl fmt::Display for AttackBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_position(), f)
    }
}

/// The FEN.
impl fmt::Debug for AttackBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
