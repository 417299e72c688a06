//! The rows of a piece of PGN.

use core::fmt;

use arrow_array::RecordBatch;
use codec::CodecName;

use super::lossy::Lossy;

/// A bad game, for the report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadGame {
    /// The number of the row in the archive, from 1.
    pub row: u64,
    /// The name of the file in which it is.
    pub input: String,
    /// The byte of the fault in that file, from 0, when it has been unpacked.
    pub offset: u64,
    /// What is wrong with it.
    pub cause: String,
}

impl fmt::Display for BadGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, byte {}: {}", self.input, self.offset, self.cause)
    }
}

/// Where a file ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct InputEnd {
    /// After so many rows.
    pub(crate) rows: usize,
    /// After so many bytes of all files.
    pub(crate) offset: u64,
    /// The name of the file.
    pub(crate) name: String,
}

/// How games are taken down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) codec: CodecName,
    pub(crate) lossy: Option<Lossy>,
}

/// The rows of a piece.
#[derive(Debug)]
pub(crate) struct Transcript {
    /// Where in the inputs the piece begins.
    pub(crate) offset: u64,
    pub(crate) rows: RecordBatch,
    pub(crate) games: u64,
    /// Their bytes are counted through all files, of which none is named yet.
    pub(crate) bad: Vec<BadGame>,
    pub(crate) plies: u64,
    /// Bytes of the text that was packed, and of that which comes back.
    pub(crate) input_bytes: u64,
    pub(crate) text_bytes: u64,
    /// The files that end in the piece.
    pub(crate) file_ends: Vec<InputEnd>,
}
