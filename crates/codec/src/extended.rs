//! `extended`: 32 bits, with the pieces that move and disappear.

use core::fmt;

use chess::attacks::Sliders;
use chess::{Bitboard, Board, CastlingSide, Color, Move, MoveKind, Piece, Position, Role, Square};

use crate::{BitReader, Bits, CodecError, CodecName, MoveCodec, MoveFault};

/// A move as a 32-bit word that can be made and unmade without a look at the board.
///
/// | bits | what |
/// |---|---|
/// | 0–15 | the 16-bit word: two moves are the same if their low halves are |
/// | 16–18 | the piece that moves: 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king |
/// | 19–21 | the piece that is taken, 0 if none |
/// | 22 | gives check; 0 also if nobody has asked yet |
/// | 23–31 | a signed score, −256 to 255, to order moves by |
///
/// Score and check are notes, not part of the move: they are 0 until someone fills them in, and a
/// stream that holds them is read without them.
///
/// ```
/// use chess::{Position, Role, Square};
/// use scoresheet_codec::ExtendedMove;
/// let position: Position = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1".parse().unwrap();
/// let takes = position.legal_moves().into_iter().find(|m| m.is_capture()).unwrap();
/// let takes = ExtendedMove::new(&position, takes).unwrap();
/// assert_eq!((takes.role(), takes.captured()), (Role::Pawn, Some(Role::Pawn)));
///
/// let mut board = *position.board();
/// takes.make(&mut board, position.turn(), &Default::default());
/// assert_eq!(board.role_at(Square::D5), Some(Role::Pawn));
/// takes.unmake(&mut board, position.turn(), &Default::default());
/// assert_eq!(board, *position.board());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExtendedMove(u32);

const ROLE: u32 = 16;
const CAPTURED: u32 = 19;
const CHECK: u32 = 22;
const SCORE: u32 = 23;

/// The role of a 3-bit code; `None` for 0 and 7.
fn role_of(code: u32) -> Option<Role> {
    Role::ALL.get((code & 7).wrapping_sub(1) as usize).copied()
}

fn code_of(role: Option<Role>) -> u32 {
    role.map_or(0, |role| role as u32 + 1)
}

impl ExtendedMove {
    /// The smallest and the largest score.
    pub const SCORES: core::ops::RangeInclusive<i16> = -256..=255;

    /// A move with the pieces it has in a position; `None` if nothing stands on its first square,
    /// or nothing on its second although it is a capture.
    #[must_use]
    pub fn new(position: &Position, m: Move) -> Option<ExtendedMove> {
        let board = position.board();
        let role = board.role_at(m.from())?;
        let captured = match m.kind() {
            MoveKind::EnPassant => Some(Role::Pawn),
            _ if m.is_capture() => Some(board.role_at(m.to())?),
            _ => None,
        };
        let pieces = code_of(Some(role)) << ROLE | code_of(captured) << CAPTURED;
        Some(ExtendedMove(pieces | u32::from(m.word())))
    }

    /// The move of a 32-bit word, unless the parts contradict each other: no move, no piece that
    /// moves, a capture of nothing, something taken by a quiet move, a taken king, or a promotion,
    /// castling or pawn's step by the wrong piece.
    #[must_use]
    pub fn from_word(word: u32) -> Option<ExtendedMove> {
        let m = Move::from_word((word & 0xffff) as u16)?;
        let role = role_of(word >> ROLE)?;
        let code = word >> CAPTURED & 7;
        let captured = role_of(code);
        let is_sound = match m.kind() {
            MoveKind::Quiet | MoveKind::Capture => true,
            MoveKind::CastleKingSide | MoveKind::CastleQueenSide => role == Role::King,
            MoveKind::EnPassant => role == Role::Pawn && captured == Some(Role::Pawn),
            _ => role == Role::Pawn,
        };
        (is_sound
            && captured.is_some() == m.is_capture()
            && captured != Some(Role::King)
            && code != 7)
            .then_some(ExtendedMove(word))
    }

    /// The 32 bits.
    #[must_use]
    #[inline]
    pub const fn word(self) -> u32 {
        self.0
    }

    /// The 16-bit move in the low half.
    #[must_use]
    #[inline]
    pub fn to_move(self) -> Move {
        // Both constructors had a move in their hands.
        Move::from_word((self.0 & 0xffff) as u16).unwrap_or(Move::new(
            Square::A1,
            Square::B1,
            MoveKind::Quiet,
        ))
    }

    /// The piece that moves; a pawn, if it is promoted.
    #[must_use]
    #[inline]
    pub fn role(self) -> Role {
        role_of(self.0 >> ROLE).unwrap_or(Role::Pawn)
    }

    /// The piece that is taken, en passant included.
    #[must_use]
    #[inline]
    pub fn captured(self) -> Option<Role> {
        role_of(self.0 >> CAPTURED)
    }

    /// Whether the move is noted to give check.
    #[must_use]
    pub const fn gives_check(self) -> bool {
        self.0 >> CHECK & 1 != 0
    }

    /// The move with the note whether it gives check, found out by playing it in `position`. Never
    /// done while moves are generated: most of them are never looked at.
    #[must_use]
    pub fn with_check_noted(self, position: &Position) -> ExtendedMove {
        let mut after = *position;
        after.play_unchecked(self.to_move());
        ExtendedMove(self.0 & !(1 << CHECK) | u32::from(after.is_check()) << CHECK)
    }

    /// The score.
    #[must_use]
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // Nine bits.
    pub const fn score(self) -> i16 {
        (self.0.cast_signed() >> SCORE) as i16
    }

    /// The move with a score; one that does not fit becomes the nearest that does.
    #[must_use]
    pub fn with_score(self, score: i16) -> ExtendedMove {
        let score = score.clamp(*Self::SCORES.start(), *Self::SCORES.end());
        let bits = i32::from(score).cast_unsigned() << SCORE;
        ExtendedMove(self.0 & ((1 << SCORE) - 1) | bits)
    }

    /// Makes the move on a board. Everything it needs is in the word: no square is looked at. The
    /// move must be one of `turn`'s and belong to the board, or the board means nothing afterwards.
    pub fn make(self, board: &mut Board, turn: Color, rooks: &CastlingRooks) {
        self.take_off(board, turn);
        self.toggle_mover(board, turn, rooks);
    }

    /// Takes the move back. The taken piece comes out of the word, not off a stack.
    pub fn unmake(self, board: &mut Board, turn: Color, rooks: &CastlingRooks) {
        self.toggle_mover(board, turn, rooks);
        self.take_off(board, turn);
    }

    /// Removes the taken piece, or puts it back: flipping bits is its own inverse.
    fn take_off(self, board: &mut Board, turn: Color) {
        let m = self.to_move();
        if let Some(role) = self.captured() {
            let square = match m.kind() {
                MoveKind::EnPassant => Square::from_low_bits(m.to() as u8 ^ 8),
                _ => m.to(),
            };
            board.toggle(Piece::new(!turn, role), square.into());
        }
    }

    /// The mover from one square to the other, or back.
    fn toggle_mover(self, board: &mut Board, turn: Color, rooks: &CastlingRooks) {
        let m = self.to_move();
        let piece = Piece::new(turn, self.role());
        if let Some(side) = m.castling_side() {
            let (from, to) = (rooks.square(turn, side), side.rook_to(turn));
            // Where a piece stays on its square, as may happen in Chess960, the two flips cancel.
            let rook = Bitboard::from(from) ^ to.into();
            board.toggle(Piece::new(turn, Role::Rook), rook);
            board.toggle(piece, Bitboard::from(m.from()) ^ m.to().into());
            return;
        }
        board.toggle(piece, m.from().into());
        let arrived = Piece::new(turn, m.promotion().unwrap_or(self.role()));
        board.toggle(arrived, m.to().into());
    }
}

/// The move with its pieces: `Pe4xPd5`.
impl fmt::Debug for ExtendedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", self.role().upper_char(), self.to_move())?;
        if let Some(role) = self.captured() {
            write!(f, "x{}", role.upper_char())?;
        }
        write!(f, " check:{} score:{}", self.gives_check(), self.score())
    }
}

/// Where the castling rooks of a game stood at its start: the corners, unless it is Chess960. It
/// stays the same for the whole game, so it is no part of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CastlingRooks([[Square; 2]; 2]);

impl CastlingRooks {
    /// The rooks that may still castle in a position; corners for the others.
    #[must_use]
    pub fn of(position: &Position) -> CastlingRooks {
        let corners = CastlingRooks::default();
        CastlingRooks(Color::ALL.map(|color| {
            CastlingSide::ALL.map(|side| {
                position
                    .castling_rook(color, side)
                    .unwrap_or_else(|| corners.square(color, side))
            })
        }))
    }

    fn square(self, color: Color, side: CastlingSide) -> Square {
        let [white, black] = self.0;
        let [king_side, queen_side] = match color {
            Color::White => white,
            Color::Black => black,
        };
        match side {
            CastlingSide::KingSide => king_side,
            CastlingSide::QueenSide => queen_side,
        }
    }
}

impl Default for CastlingRooks {
    /// The corners.
    fn default() -> CastlingRooks {
        CastlingRooks([[Square::H1, Square::A1], [Square::H8, Square::A8]])
    }
}

/// 32 bits: an [`ExtendedMove`], score and check left 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extended;

impl MoveCodec for Extended {
    const NAME: CodecName = CodecName::Extended;
    type Memory = ();

    fn begin(self, _: &Position) -> Result<(), CodecError> {
        Ok(())
    }

    #[inline]
    fn encode<S: Sliders>(
        self,
        _: S,
        (): (),
        position: &Position,
        m: Move,
    ) -> Result<Bits, MoveFault> {
        let fault = MoveFault::NoPiece {
            found: m.from() as u32,
        };
        let extended = ExtendedMove::new(position, m).ok_or(fault)?;
        Ok(Bits::new(extended.word(), 32))
    }

    #[inline]
    fn decode<S: Sliders>(
        self,
        _: S,
        (): (),
        position: &Position,
        bits: &mut BitReader<'_>,
    ) -> Result<Move, MoveFault> {
        let found = bits.take(32)?;
        let extended = ExtendedMove::from_word(found).ok_or(MoveFault::NoMove { found })?;
        let m = extended.to_move();
        let board = position.board();
        if board.role_at(m.from()) != Some(extended.role()) {
            return Err(MoveFault::WrongPiece {
                found: Some(extended.role()),
                expected: board.role_at(m.from()),
            });
        }
        // En passant has its pawn elsewhere, and the word was refused if it took anything else.
        let is_elsewhere = m.kind() == MoveKind::EnPassant || m.castling_side().is_some();
        if !is_elsewhere && board.role_at(m.to()) != extended.captured() {
            return Err(MoveFault::WrongPiece {
                found: extended.captured(),
                expected: board.role_at(m.to()),
            });
        }
        Ok(m)
    }
}
