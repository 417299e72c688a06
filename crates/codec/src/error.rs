//! What can go wrong, told in facts.

use core::fmt;

use chess::{Color, Move, Role};

use crate::CodecName;

/// Why a game could not be encoded or decoded.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CodecError {
    /// There is no encoding of this name.
    UnknownCodec {
        /// The name, cut to 32 characters.
        found: String,
    },
    /// The start position has castling rights of Chess960, which this encoding cannot tell.
    Chess960 {
        /// The encoding.
        codec: CodecName,
    },
    /// A move is at fault.
    Move {
        /// The encoding.
        codec: CodecName,
        /// The number of moves before it.
        ply: usize,
        /// What is wrong with it.
        fault: MoveFault,
    },
    /// After the last move there is more than padding: fewer than eight bits, all of them 0.
    Trailing {
        /// The encoding.
        codec: CodecName,
        /// The number of moves that were read.
        plies: usize,
        /// The number of bits that are left.
        bits: usize,
    },
    /// The bytes are not those that an encoder would have ended this game with: too many, or others.
    Ending {
        /// The encoding.
        codec: CodecName,
        /// The number of moves that were read.
        plies: usize,
        /// The number of bytes that no move has settled.
        bytes: usize,
    },
    /// More moves are announced than the bytes have bits, and every move takes at least one.
    TooManyPlies {
        /// The encoding.
        codec: CodecName,
        /// The number of moves announced.
        plies: usize,
        /// The number of bits there are.
        bits: usize,
    },
}

/// What is wrong with one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MoveFault {
    /// The bytes end inside the move.
    Truncated {
        /// The bits that were asked for.
        needed: u32,
        /// The bits that were left.
        left: u32,
    },
    /// No piece has this number, or none stands where the bits say.
    NoPiece {
        /// The number or the square found.
        found: u32,
    },
    /// The piece has no destination of this number, or there is no such square in this direction.
    NoSquare {
        /// The number found.
        found: u32,
    },
    /// The number is past the last move, or the pattern is no move in any position.
    NoMove {
        /// The number found.
        found: u32,
    },
    /// Bits that must be 0 are not.
    UnusedBits {
        /// All bits of the move.
        found: u32,
    },
    /// The move is for the other side.
    WrongSide {
        /// The side to which the bits belong.
        found: Color,
    },
    /// The piece named by the bits is not the one on the board.
    WrongPiece {
        /// The piece in the bits.
        found: Option<Role>,
        /// The piece on the board.
        expected: Option<Role>,
    },
    /// The move is not legal.
    Illegal {
        /// The move.
        found: Move,
    },
    /// The position has more legal moves than one byte can number.
    TooManyMoves {
        /// How many there are.
        found: u32,
        /// How many there may be.
        max: u32,
    },
}

impl MoveFault {
    /// The fault with its place.
    #[must_use]
    #[cold]
    pub(crate) fn at(self, codec: CodecName, ply: usize) -> CodecError {
        CodecError::Move {
            codec,
            ply,
            fault: self,
        }
    }
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CodecError::UnknownCodec { found } => {
                write!(f, "no encoding is called {found:?}; there are ")?;
                for (i, name) in CodecName::ALL.into_iter().enumerate() {
                    let gap = if i == 0 { "" } else { ", " };
                    write!(f, "{gap}{name}")?;
                }
                Ok(())
            }
            CodecError::Chess960 { codec } => write!(
                f,
                "{codec} cannot tell castling in Chess960; word, direction or list can"
            ),
            CodecError::Move { codec, ply, fault } => {
                write!(f, "{codec}, ply {}: {fault}", ply.saturating_add(1))
            }
            CodecError::Trailing { codec, plies, bits } => write!(
                f,
                "{codec}: {bits} bits are left after {plies} plies, and they are no padding"
            ),
            CodecError::Ending {
                codec,
                plies,
                bytes,
            } => write!(
                f,
                "{codec}: after {plies} plies {bytes} bytes are left, and the game does not end so"
            ),
            CodecError::TooManyPlies { codec, plies, bits } => write!(
                f,
                "{codec}: {plies} plies cannot be in {bits} bits, each takes at least one"
            ),
        }
    }
}

impl fmt::Display for MoveFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |role: &Option<Role>| match role {
            Some(role) => format!("{role:?}").to_lowercase(),
            None => "no piece".to_owned(),
        };
        match self {
            MoveFault::Truncated { needed, left } => {
                write!(
                    f,
                    "the bytes end: {needed} bits are needed, {left} are left"
                )
            }
            MoveFault::NoPiece { found } => write!(f, "{found} names no piece of this position"),
            MoveFault::NoSquare { found } => write!(f, "{found} names no square for this piece"),
            MoveFault::NoMove { found } => write!(f, "{found} ({found:#x}) names no move"),
            MoveFault::UnusedBits { found } => {
                write!(f, "{found:#x} has bits set that must be 0")
            }
            MoveFault::WrongSide { found } => write!(f, "it is not {found}'s turn"),
            MoveFault::WrongPiece { found, expected } => write!(
                f,
                "the bits say {}, the board has {}",
                name(found),
                name(expected)
            ),
            MoveFault::Illegal { found } => write!(f, "{found} is not legal"),
            MoveFault::TooManyMoves { found, max } => write!(
                f,
                "the position has {found} legal moves, and one byte numbers {max}"
            ),
        }
    }
}

impl core::error::Error for CodecError {}

impl core::error::Error for MoveFault {}
