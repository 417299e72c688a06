//! Why a game is bad, and where.

use core::fmt;

use chess::{ParseFenError, ParseSanError};

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Cause {
    /// A token that should be a move is none, or no legal one.
    Move {
        /// The token, cut after 32 bytes.
        token: Box<str>,
        /// What is wrong with it.
        source: ParseSanError,
    },
    /// A null move while the side to move is in check.
    NullMoveInCheck,
    /// The tag `FEN` gives no position.
    Fen(ParseFenError),
    /// The tag `Variant` names another game than chess.
    Variant(Box<str>),
    /// A byte that has no meaning in movetext.
    Byte(u8),
    /// A `{` without its `}`.
    UnclosedComment,
    /// A `(` without its `)`.
    UnclosedVariation,
    /// A `)` without its `(`.
    UnopenedVariation,
    /// A variation before there is a move to vary.
    VariationBeforeMove,
    /// Variations nested deeper than [`Limits::depth`](crate::Limits::depth).
    TooDeep {
        /// The limit.
        max: u32,
    },
    /// The game is larger than [`Limits::game_bytes`](crate::Limits::game_bytes).
    TooLarge {
        /// The limit.
        max: usize,
    },
}

impl Cause {
    /// The number of kinds.
    pub const KINDS: usize = 11;

    /// A short fixed name, to count by.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Cause::Move { source, .. } => match source {
                ParseSanError::Syntax { .. } => "not-a-move",
                ParseSanError::Ambiguous { .. } => "ambiguous-move",
                _ => "illegal-move",
            },
            Cause::NullMoveInCheck => "null-move-in-check",
            Cause::Fen(_) => "bad-fen",
            Cause::Variant(_) => "other-variant",
            Cause::Byte(_) => "stray-byte",
            Cause::UnclosedComment => "unclosed-comment",
            Cause::UnclosedVariation => "unclosed-variation",
            Cause::UnopenedVariation => "unopened-variation",
            Cause::VariationBeforeMove => "variation-before-move",
            Cause::TooDeep { .. } => "too-deep",
            Cause::TooLarge { .. } => "too-large",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Move { token, source } => write!(f, "'{}': {source}", token.escape_debug()),
            Cause::NullMoveInCheck => f.write_str("a null move while in check"),
            Cause::Fen(source) => write!(f, "the start position: {source}"),
            Cause::Variant(name) => {
                write!(f, "the variant '{}' is not chess", name.escape_debug())
            }
            Cause::Byte(byte) => write!(f, "'{}' means nothing here", byte.escape_ascii()),
            Cause::UnclosedComment => f.write_str("a comment '{' is never closed"),
            Cause::UnclosedVariation => f.write_str("a variation '(' is never closed"),
            Cause::UnopenedVariation => f.write_str("')' without a variation"),
            Cause::VariationBeforeMove => f.write_str("a variation before the first move"),
            Cause::TooDeep { max } => write!(f, "variations are nested deeper than {max}"),
            Cause::TooLarge { max } => write!(f, "the game is larger than {max} bytes"),
        }
    }
}

/// A bad game: where and why. Its neighbours are not affected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameError {
    /// The number of the game in the input, from 1. Bad games count.
    pub game: u64,
    /// The line of the fault, from 1.
    pub line: u64,
    /// The byte of the fault, from 0, in the decompressed input.
    pub offset: u64,
    /// What is wrong.
    pub cause: Cause,
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "game {}, line {}, byte {}: {}",
            self.game, self.line, self.offset, self.cause
        )
    }
}

impl core::error::Error for GameError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.cause {
            Cause::Move { source, .. } => Some(source),
            Cause::Fen(source) => Some(source),
            _ => None,
        }
    }
}
