//! Columns to the pages of Parquet, and back.
//!
//! The columns of an archive are of a few kinds, and are written in a few ways: `FORMAT.md`, §2.1.
//! The Parquet library writes and reads columns of any kind in all ways there are, a value at a time. It still
//! has the footer, and is the slow twin of what is here: in the tests each reads what the other wrote.

mod chunk_reader;
mod chunk_writer;
mod dictionary;
mod header;
mod lengths;
#[cfg(test)]
mod library_twin;
mod page;
mod part;
mod runs;
mod zstd;

pub(crate) use chunk_reader::ChunkReader;
pub(crate) use chunk_writer::{ChunkWriter, Plan, Told};
pub(crate) use part::Part;

/// How the values of a column are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Coding {
    /// One after the other, a text behind its length.
    Plain,
    /// Each different value once, and which of them each row has.
    Dictionary,
    /// All lengths of texts, then all texts.
    Lengths,
    /// All first bytes of numbers, then all second bytes and so on: of numbers that differ in their low
    /// bytes only.
    Split,
}

impl Coding {
    /// The number that Parquet has for it.
    fn number(self) -> usize {
        match self {
            Coding::Plain => 0,
            Coding::Lengths => 6,
            Coding::Dictionary => 8,
            Coding::Split => 9,
        }
    }

    fn of_number(number: usize) -> Option<Coding> {
        match number {
            0 => Some(Coding::Plain),
            6 => Some(Coding::Lengths),
            // Both are the same in a page of data; the first is the older.
            2 | 8 => Some(Coding::Dictionary),
            9 => Some(Coding::Split),
            _ => None,
        }
    }
}

/// What Parquet says of a row or of an entry of a list: what is not there, the list without an entry, and
/// what is there.
const NOTHING: u8 = 0;
const EMPTY_LIST: u8 = 1;
const ENTRY: u8 = 2;
