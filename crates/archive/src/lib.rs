//! Chess games in files: the archive, from which every byte of PGN comes back ([`games`]), and BCGN,
//! read and written without loss, or refused with a reason ([`bcgn`]).
//!
//! Write a game as BCGN and read it back:
//!
//! ```
//! use scoresheet_archive::bcgn::{Draft, Format, Level, Reader, Writer};
//! let game = pgn::Game::parse(b"[White \"Ann\"][Black \"Bob\"] 1. e4 e5 2. Nf3 1-0").unwrap();
//! let mut writer = Writer::new(Vec::new(), Format::new(Level::Packed))?;
//! writer.write(&Draft::from_pgn(&game)?.draft)?;
//! let file = writer.finish()?;
//!
//! let mut reader = Reader::new(&file[..])?;
//! let entry = reader.next_entry()?.expect("one game was written");
//! assert_eq!(entry.header()?.info.white, b"Ann");
//! assert_eq!(entry.moves()?.len(), 3);
//! # Ok::<(), scoresheet_archive::ArchiveError>(())
//! ```
//!
//! Count the games of a player without looking at a single move:
//!
//! ```
//! # use scoresheet_archive::bcgn::{Format, Level, Reader, Writer};
//! # let file = Writer::new(Vec::new(), Format::new(Level::Index))?.finish()?;
//! let mut reader = Reader::new(&file[..])?;
//! let mut count = 0;
//! while let Some(entry) = reader.next_entry()? {
//!     count += u32::from(entry.header()?.info.white == b"Ann");
//! }
//! # assert_eq!(count, 0);
//! # Ok::<(), scoresheet_archive::ArchiveError>(())
//! ```
//!
//! Whole files from PGN and back are [`bcgn::import`] and [`bcgn::export`].
//!
//! # How it works
//!
//! [`bcgn::Reader`] holds one buffer and hands out [`bcgn::Entry`]s, which are bytes until somebody
//! asks: for the header, for the moves. [`bcgn::Format::encode`] makes the bytes of one game, so
//! that many threads can encode at once. The format is described in `FORMAT.md`, chapter 1.
//!
//! # Untrusted input
//!
//! Any bytes give games or an [`ArchiveError`] with the offset of the fault: no panic, no hang, and no
//! more memory than one buffer. Every move is checked to be legal. BCGN has no checksum: damage that
//! gives another legal game cannot be seen.
#![forbid(unsafe_code)]
#![deny(
    missing_docs,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic
)]
#![cfg_attr(
    test,
    allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)
)]

pub mod bcgn;
mod cursor;
mod error;
mod game_date;
pub mod games;
mod in_order;
mod limits;
mod storage;
mod turnstile;
mod whole_file;

pub use error::{ArchiveError, FormatFault, Refusal};
pub use limits::Limit;
pub use storage::{Disk, Storage};
pub use whole_file::WholeFile;
