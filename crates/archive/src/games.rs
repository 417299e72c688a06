//! The archive: PGN in a Parquet file, restored byte for byte. `FORMAT.md`, chapter 2.

mod compose;
mod cutter;
mod detect;
mod difference;
mod fault;
mod flags;
mod footer;
mod layout;
mod notes;
mod pack;
mod reader;
mod recorder;
mod row_builder;
mod row_group;
mod rows;
mod tag_column;
mod typesetter;
mod varint;
mod writer;

pub use fault::{ArchiveFault, RowFault};
pub use flags::RowKind;
pub use footer::{Input, VERSION};
pub use pack::{PackOptions, Packed, pack};
pub use reader::{Archive, Buffer, Chunks, ColumnSize, Entry, RowGroup, open_bytes};
pub use row_group::BadGame;
