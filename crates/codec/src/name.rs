//! The names of the encodings: the same on the command line, in the library and in files.

use core::fmt;
use core::str::FromStr;

use crate::CodecError;
use crate::modelled::Level;

/// An encoding, by name.
///
/// ```
/// use scoresheet_codec::CodecName;
/// assert_eq!("packed".parse(), Ok(CodecName::Packed));
/// assert_eq!(CodecName::Packed.to_string(), "packed");
/// let error = "zip".parse::<CodecName>().unwrap_err();
/// assert!(error.to_string().contains("word, extended, direction"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum CodecName {
    /// `word`: the 16 bits of [`Move::word`](chess::Move::word).
    Word,
    /// `extended`: 32 bits, the word with both pieces. See [`ExtendedMove`](crate::ExtendedMove).
    Extended,
    /// `direction`: 10 or 12 bits. See [`Direction`](crate::Direction).
    Direction,
    /// `list`: 8 bits. See [`ListIndex`](crate::ListIndex).
    List,
    /// `enumeration`: 16 bits. See [`MoveId`](crate::MoveId).
    Enumeration,
    /// `index`: 8 or 16 bits, BCGN level 1. See [`MoveIndex`](crate::MoveIndex).
    Index,
    /// `packed`: 1 to 11 bits, BCGN level 2. See [`Packed`](crate::Packed).
    Packed,
    /// `compressed`: 16 bits, BCGN level 0. See [`Compressed`](crate::Compressed).
    Compressed,
    /// `modelled`: by probability, about 2.7 bits. See [`modelled`](crate::modelled).
    Modelled,
    /// `modelled-max`: by probability, slower and smaller. See [`Level`](crate::modelled::Level).
    ModelledMax,
}

impl CodecName {
    /// All of them, in the order in which they are printed.
    pub const ALL: [CodecName; 10] = [
        CodecName::Word,
        CodecName::Extended,
        CodecName::Direction,
        CodecName::List,
        CodecName::Enumeration,
        CodecName::Index,
        CodecName::Packed,
        CodecName::Compressed,
        CodecName::Modelled,
        CodecName::ModelledMax,
    ];

    /// The name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            CodecName::Word => "word",
            CodecName::Extended => "extended",
            CodecName::Direction => "direction",
            CodecName::List => "list",
            CodecName::Enumeration => "enumeration",
            CodecName::Index => "index",
            CodecName::Packed => "packed",
            CodecName::Compressed => "compressed",
            CodecName::Modelled => "modelled",
            CodecName::ModelledMax => "modelled-max",
        }
    }

    /// Whether castling in Chess960 can be told. The three levels of BCGN cannot.
    #[must_use]
    pub const fn has_chess960(self) -> bool {
        !matches!(
            self,
            CodecName::Index | CodecName::Packed | CodecName::Compressed
        )
    }
}

impl CodecName {
    /// The level of the modelled encoding, if it is one of the two: then moves have no bits of their
    /// own, and bytes are of one model.
    #[must_use]
    pub const fn level(self) -> Option<Level> {
        match self {
            CodecName::Modelled => Some(Level::Usual),
            CodecName::ModelledMax => Some(Level::Max),
            _ => None,
        }
    }
}

impl fmt::Display for CodecName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for CodecName {
    type Err = CodecError;

    fn from_str(text: &str) -> Result<CodecName, CodecError> {
        CodecName::ALL
            .into_iter()
            .find(|name| name.as_str() == text)
            .ok_or_else(|| CodecError::UnknownCodec {
                found: text.chars().take(32).collect(),
            })
    }
}
