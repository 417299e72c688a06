//! What can go wrong, told in facts.

use core::fmt;
use std::io;

use chess::{SetupFaults, Square};
use codec::CodecError;

use crate::Limit;
use crate::games::ArchiveFault;

/// Why a file could not be read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum ArchiveError {
    /// Reading or writing failed.
    Io(io::Error),
    /// The file is damaged, or not what it says it is.
    Format {
        /// Where the fault is: bytes from the start of the file.
        offset: u64,
        /// What is wrong there.
        fault: FormatFault,
    },
    /// The format cannot hold a game.
    Refused(Refusal),
    /// An archive is damaged, or none.
    Archive(ArchiveFault),
}

/// What is wrong with the bytes of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FormatFault {
    /// The first four bytes are not `BCGN`.
    Magic {
        /// What they are.
        found: [u8; 4],
    },
    /// The version is not 0.
    Version {
        /// What it is.
        found: u8,
    },
    /// The level is not 0, 1 or 2.
    Level {
        /// What it is.
        found: u8,
    },
    /// A compression of the whole file is named, and none is known.
    Compression {
        /// Its number.
        found: u8,
    },
    /// A flag is set that nobody knows.
    Flags {
        /// All flags.
        found: u8,
        /// Those that may be set.
        known: u8,
    },
    /// A reserved byte is not 0.
    Reserved {
        /// What it is.
        found: u8,
    },
    /// The bytes end too early.
    Truncated {
        /// How many bytes were needed.
        needed: usize,
        /// How many were left.
        left: usize,
    },
    /// Bytes are left after the last field.
    Trailing {
        /// How many.
        bytes: usize,
    },
    /// The length of an entry is less than its fixed fields take.
    EntryLength {
        /// The length.
        found: u16,
        /// The least it can be.
        least: u16,
    },
    /// The length of a header is more than that of its entry, or less than its fixed fields take.
    HeaderLength {
        /// The length.
        found: u16,
        /// The length of the entry.
        entry: u16,
    },
    /// The fields of a header end elsewhere than the header.
    HeaderEnd {
        /// Where the header says it ends: bytes from the start of the entry.
        found: u16,
        /// Where its fields end.
        fields: usize,
    },
    /// An entry is longer than a game can be.
    Limit(Limit),
    /// A start position has more than 32 men.
    TooManyMen {
        /// How many.
        found: u32,
    },
    /// A rook with a castling right is not on a corner of its side.
    CastlingRook {
        /// Where it is.
        square: Square,
    },
    /// A pawn that has just made its double step stands where none can, or there are two.
    PushedPawn {
        /// Where it is.
        square: Square,
    },
    /// A start position has bits set after its last man.
    StartPadding,
    /// A start position is not chess.
    Setup(SetupFaults),
    /// A start position cannot be held by this format, so nobody can have written it.
    Start(Refusal),
    /// The moves are not those of a game.
    Moves(CodecError),
}

/// Why a format cannot hold a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// Something is too large.
    Limit(Limit),
    /// A castling right whose rook is not on its corner.
    CastlingRook {
        /// The rook.
        square: Square,
    },
    /// A castling right whose king is not on the e-file.
    CastlingKing {
        /// The king.
        square: Square,
    },
    /// The side to move passes.
    NullMove {
        /// How many moves are before it.
        ply: usize,
    },
    /// A move has no code: it is not legal.
    Moves(CodecError),
}

impl Refusal {
    /// A short fixed name, to count by.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Refusal::Limit(limit) => limit.what,
            Refusal::CastlingRook { .. } | Refusal::CastlingKing { .. } => "chess960",
            Refusal::NullMove { .. } => "null move",
            Refusal::Moves(_) => "illegal move",
        }
    }
}

impl ArchiveError {
    /// A fault and its place.
    #[cold]
    pub(crate) fn format(offset: u64, fault: FormatFault) -> ArchiveError {
        ArchiveError::Format { offset, fault }
    }
}

impl From<io::Error> for ArchiveError {
    fn from(error: io::Error) -> ArchiveError {
        ArchiveError::Io(error)
    }
}

impl From<Refusal> for ArchiveError {
    fn from(refusal: Refusal) -> ArchiveError {
        ArchiveError::Refused(refusal)
    }
}

impl From<Limit> for Refusal {
    fn from(limit: Limit) -> Refusal {
        Refusal::Limit(limit)
    }
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArchiveError::Io(error) => error.fmt(f),
            ArchiveError::Format { offset, fault } => write!(f, "byte {offset}: {fault}"),
            ArchiveError::Refused(refusal) => refusal.fmt(f),
            ArchiveError::Archive(fault) => fault.fmt(f),
        }
    }
}

fn bytes(count: usize) -> &'static str {
    if count == 1 { "byte is" } else { "bytes are" }
}

fn is_or_are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

impl fmt::Display for FormatFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatFault::Magic { found } => {
                write!(
                    f,
                    "no BCGN file, it begins with \"{}\"",
                    found.escape_ascii()
                )
            }
            FormatFault::Version { found } => {
                write!(f, "BCGN version {found}, only version 0 is known")
            }
            FormatFault::Level { found } => write!(f, "level {found}, there are 0, 1 and 2"),
            FormatFault::Compression { found } => {
                write!(f, "auxiliary compression {found}, only 0 (none) is known")
            }
            FormatFault::Flags { found, known } => {
                write!(f, "flags {found:#04x}, only {known:#04x} are known")
            }
            FormatFault::Reserved { found } => {
                write!(f, "a reserved byte is {found:#04x} and must be 0")
            }
            FormatFault::Truncated { needed, left } => write!(
                f,
                "the file ends, {needed} {} needed and {left} {} left",
                bytes(*needed),
                is_or_are(*left)
            ),
            FormatFault::Trailing { bytes: count } => {
                write!(f, "{count} {} left over", bytes(*count))
            }
            FormatFault::EntryLength { found, least } => {
                write!(
                    f,
                    "the game says it is {found} bytes long, {least} is the least"
                )
            }
            FormatFault::HeaderLength { found, entry } => write!(
                f,
                "the game's header says it is {found} bytes long, in a game of {entry}"
            ),
            FormatFault::HeaderEnd { found, fields } => write!(
                f,
                "the game's header says it is {found} bytes long, its fields take {fields}"
            ),
            FormatFault::Limit(limit) => limit.fmt(f),
            FormatFault::TooManyMen { found } => {
                write!(f, "a start position with {found} men, 32 is the most")
            }
            FormatFault::CastlingRook { square } => write!(
                f,
                "a start position with a castling right of the rook on {square}, no corner"
            ),
            FormatFault::PushedPawn { square } => write!(
                f,
                "a start position with a pawn just pushed to {square}, which cannot be"
            ),
            FormatFault::StartPadding => {
                f.write_str("a start position with bits set after its last man")
            }
            FormatFault::Setup(faults) => write!(f, "the start position: {faults}"),
            FormatFault::Start(refusal) => write!(f, "the start position: {refusal}"),
            FormatFault::Moves(error) => write!(f, "the moves: {error}"),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Limit(limit) => write!(f, "too large for BCGN: {limit}"),
            Refusal::CastlingRook { square } => write!(
                f,
                "BCGN holds no Chess960: the castling rook on {square} is not on its corner"
            ),
            Refusal::CastlingKing { square } => write!(
                f,
                "BCGN holds no Chess960: the castling king on {square} is not on the e-file"
            ),
            Refusal::NullMove { ply } => {
                write!(f, "BCGN holds no null move: ply {}", ply.saturating_add(1))
            }
            Refusal::Moves(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ArchiveError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            ArchiveError::Io(error) => Some(error),
            ArchiveError::Format { fault, .. } => Some(fault),
            ArchiveError::Refused(refusal) => Some(refusal),
            ArchiveError::Archive(fault) => Some(fault),
        }
    }
}

impl core::error::Error for FormatFault {}

impl core::error::Error for Refusal {}
