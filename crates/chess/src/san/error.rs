//! What can be wrong with a move in algebraic notation.

use core::fmt;

use crate::{Bitboard, CastlingSide, Role, Square};

/// Why a text is not the name of one legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseSanError {
    /// The text goes wrong or breaks off.
    Syntax {
        /// Where, in bytes from the start.
        offset: usize,
        /// What stands there; `None` at the end of the text.
        found: Option<u8>,
        /// What should stand there.
        expected: SanExpected,
    },
    /// `--`, `Z0` or the like: the side to move passes, which is no move of chess.
    NullMove,
    /// No such man of the side to move reaches the square.
    NoSuchMove {
        /// The man.
        role: Role,
        /// Where it should go.
        to: Square,
    },
    /// The men that reach the square would leave their king in check.
    LeavesKingInCheck {
        /// The man.
        role: Role,
        /// Where it should go.
        to: Square,
        /// Where such men stand.
        origins: Bitboard,
    },
    /// Several men can go there, and the text does not say which.
    Ambiguous {
        /// The men.
        role: Role,
        /// Where one should go.
        to: Square,
        /// Where they stand.
        origins: Bitboard,
    },
    /// The king may not castle to this side now.
    IllegalCastling {
        /// The side.
        side: CastlingSide,
    },
    /// The pawn reaches the last rank, and the text does not say what it becomes.
    PromotionMissing {
        /// Where it arrives.
        to: Square,
    },
    /// A promotion where no pawn arrives on the last rank.
    PromotionNotPossible {
        /// Where the man arrives.
        to: Square,
    },
}

/// What the reader of a move was waiting for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SanExpected {
    /// The begin of a move.
    Move,
    /// The square to which the man goes, or what is left of it.
    Square,
    /// `-O`, in castling.
    Castling,
    /// What the pawn becomes.
    Promotion,
    /// `)` after the promotion.
    ClosingBracket,
    /// Nothing more, but for signs such as `+`, `#`, `!` and `?`.
    End,
}

impl SanExpected {
    /// All of them.
    pub const ALL: [SanExpected; 6] = [
        SanExpected::Move,
        SanExpected::Square,
        SanExpected::Castling,
        SanExpected::Promotion,
        SanExpected::ClosingBracket,
        SanExpected::End,
    ];
}

impl fmt::Display for SanExpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SanExpected::Move => "a piece letter (KQRBN), a file a–h or castling O-O",
            SanExpected::Square => "the square to go to, a file a–h and a rank 1–8",
            SanExpected::Castling => "castling, O-O or O-O-O",
            SanExpected::Promotion => "what the pawn becomes: Q, R, B or N",
            SanExpected::ClosingBracket => "')' after the promotion",
            SanExpected::End => "the end of the move",
        })
    }
}

/// Names squares as `a1, b2`.
struct List(Bitboard);

impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, square) in self.0.into_iter().enumerate() {
            let gap = if i == 0 { "" } else { ", " };
            write!(f, "{gap}{square}")?;
        }
        Ok(())
    }
}

const fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

impl fmt::Display for ParseSanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ParseSanError::Syntax {
                offset,
                found,
                expected,
            } => {
                write!(f, "move, byte {offset}: found ")?;
                match found {
                    Some(byte) => write!(f, "'{}'", byte.escape_ascii())?,
                    None => f.write_str("the end")?,
                }
                write!(f, ", expected {expected}")
            }
            ParseSanError::NullMove => {
                f.write_str("a null move is not a move of chess; leave it out or end the line here")
            }
            ParseSanError::NoSuchMove { role, to } => {
                let role = name(role);
                write!(f, "no {role} of the side to move can go to {to}")
            }
            ParseSanError::LeavesKingInCheck { role, to, origins } => write!(
                f,
                "the {} on {} cannot go to {to}: the king would be in check",
                name(role),
                List(origins)
            ),
            ParseSanError::Ambiguous { role, to, origins } => write!(
                f,
                "several {}s can go to {to}; say which, from {}",
                name(role),
                List(origins)
            ),
            ParseSanError::IllegalCastling { side } => {
                let side = match side {
                    CastlingSide::KingSide => "king side",
                    CastlingSide::QueenSide => "queen side",
                };
                write!(f, "castling to the {side} is not legal here")
            }
            ParseSanError::PromotionMissing { to } => {
                write!(f, "say what the pawn becomes on {to}, as in {to}=Q")
            }
            ParseSanError::PromotionNotPossible { to } => {
                write!(f, "nothing is promoted on {to}; leave the promotion out")
            }
        }
    }
}

impl core::error::Error for ParseSanError {}
