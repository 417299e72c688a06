//! The two levels of the encoding.

use super::{model, net};
use crate::CodecName;

/// How much is asked before a move is foretold: each level has a model of its own.
///
/// ```
/// use scoresheet_codec::{CodecName, modelled::Level};
/// assert_eq!(Level::Usual.codec(), CodecName::Modelled);
/// assert_eq!(Level::Max.codec().to_string(), "modelled-max");
/// assert_ne!(Level::Usual.model(), Level::Max.model());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Level {
    /// `modelled`: the log-linear model and the opening table.
    #[default]
    Usual,
    /// `modelled-max`: a hidden layer on top of these.
    Max,
}

impl Level {
    /// Both.
    pub const ALL: [Level; 2] = [Level::Usual, Level::Max];

    /// The encoding that has this level.
    #[must_use]
    pub const fn codec(self) -> CodecName {
        match self {
            Level::Usual => CodecName::Modelled,
            Level::Max => CodecName::ModelledMax,
        }
    }

    /// The number of the model. A file of games names it; a reader that lacks it refuses the games,
    /// and a model, once published, is never changed.
    #[must_use]
    pub const fn model(self) -> u16 {
        match self {
            Level::Usual => model::NUMBER,
            Level::Max => net::NUMBER,
        }
    }

    /// The hash in the head of the model's file: with its number it says which weights were used.
    #[must_use]
    pub fn hash(self) -> u64 {
        model::hash_in_head(match self {
            Level::Usual => model::BYTES,
            Level::Max => net::BYTES,
        })
    }
}
