//! The rows of a piece of PGN.

use arrow_array::RecordBatch;
use codec::CodecName;

use super::lossy::Lossy;

/// A bad game, for the report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadGame {
    /// The number of the row in the archive, from 1.
    pub row: u64,
    /// What is wrong with it.
    pub error: String,
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
    pub(crate) bad: Vec<BadGame>,
    pub(crate) plies: u64,
    /// Bytes of the text that was packed, and of that which comes back.
    pub(crate) input_bytes: u64,
    pub(crate) text_bytes: u64,
    /// The rows up to the end of each file that ends in the piece, and its name.
    pub(crate) file_ends: Vec<(usize, String)>,
}
