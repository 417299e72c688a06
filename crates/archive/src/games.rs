//! The archive: PGN in a Parquet file, restored byte for byte. `FORMAT.md`, chapter 2.
//!
//! Pack games, and find those of a player without reading a move:
//!
//! ```
//! use scoresheet_archive::games::{Archive, Buffer, Columns, Filter, PackOptions, pack};
//!
//! let text = b"[White \"Ann\"]\n\n1. e4 1-0\n\n[White \"Bob\"]\n\n1. d4 0-1\n\n".as_slice();
//! let inputs = [("games.pgn".to_owned(), text)];
//! let (file, packed) = pack(inputs, Vec::new(), &PackOptions::default(), |_, _| {})?;
//! assert_eq!(packed.games, 2);
//!
//! let archive = Archive::open(file)?;
//! let bob = "bob".parse().ok();
//! let filter = Filter { white: bob, ..Filter::default() };
//! let mut found = Vec::new();
//! for group in 0..archive.row_groups() {
//!     if !filter.may_match(&archive, group) {
//!         continue; // The footer tells that there is none.
//!     }
//!     let rows = archive.row_group(group, filter.columns())?;
//!     found.extend(rows.games().filter(|game| filter.matches(*game)).map(|game| game.number()));
//! }
//! assert_eq!(found, [2]);
//!
//! // One game of an archive: only the pages are decoded in which it is.
//! let (group, place) = archive.find_row(1).expect("it was found");
//! let rows = archive.row_range(group, place..place + 1, Columns::ALL)?;
//! let mut text = Vec::new();
//! rows.restore(0, &mut Buffer::default(), &mut text)?;
//! assert_eq!(text, b"[White \"Bob\"]\n\n1. d4 0-1\n\n");
//! # Ok::<(), scoresheet_archive::ArchiveError>(())
//! ```
//!
//! # Untrusted input
//!
//! Every byte of an archive is covered by a checksum, which is compared before anything is decoded:
//! damage is an error that names row group and column, and costs no other row group. A footer with a
//! right checksum that lies is an error too: no panic, and no memory that the file does not account
//! for.

mod batch_reader;
mod binder;
mod clerk;
mod columns;
mod compose;
mod cutter;
mod dataset;
mod detect;
mod difference;
mod ends;
mod fault;
mod filter;
mod flags;
mod footer;
mod game_view;
mod gathered;
mod home_squares;
mod layout;
mod lossy;
mod merge;
mod notebook;
mod notes;
mod numbered_texts;
mod pack;
mod page_index;
mod pages;
mod plain_moves;
mod press;
mod read_at;
mod reader;
mod recorder;
mod refrain;
mod restored_text;
mod room;
mod row_builder;
mod row_group;
mod row_group_view;
mod rows;
mod scribe;
mod statistics;
mod summary;
mod tag_column;
mod tag_notes;
mod tag_order;
mod tag_values;
mod thrift;
mod transcript;
mod typesetter;
mod unpack;
mod varint;
mod verify;
mod writer;

pub use crate::game_date::GameDate;
pub use columns::Columns;
pub use dataset::{Dataset, Part};
pub use fault::{ArchiveFault, RowFault};
pub use filter::{Dates, Ecos, Filter, FilterError, Name, Ratings};
pub use flags::RowKind;
pub use footer::{Input, VERSION};
pub use game_view::{GameView, Moves, TagValue};
pub use lossy::Lossy;
pub use merge::merge;
pub use pack::{PackOptions, Packed, pack};
#[doc(hidden)] // Types of the Parquet library.
pub use page_index::pages_of_chunk;
pub use read_at::ReadAt;
pub use reader::{Archive, ColumnSize, open_bytes};
pub use restored_text::RestoredText;
pub use row_group_view::{Buffer, RowGroup};
pub use statistics::Bounds;
pub use summary::Summary;
pub use transcript::BadGame;
pub use verify::Verified;
