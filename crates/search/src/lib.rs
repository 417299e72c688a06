//! Positions, patterns, material and statistics in chess games: by scan, and by index.
//!
//! A [`Query`] is a sequence of steps: conditions that hold at consecutive moments, or the way of one
//! man. It is built from parts, or read from JSON:
//!
//! ```
//! use pgn::Reader;
//! use scoresheet_search::{Extent, Finder, Query};
//!
//! let query = Query::parse_json(r#"{ "sequence": [ { "white-move": "Nf3" }, { "captured": "Q" } ] }"#)?;
//! let mut finder = Finder::new(&query, Extent::First);
//! let mut reader = Reader::from_slice(b"1. e4 d5 2. exd5 Qxd5 3. Nf3 Qe4+ 4. Be2 Qxe2+ 5. Qxe2 *");
//! let found = reader.read_game(&mut finder)?.ok_or("no game")??;
//! assert_eq!(found, [[4, 8]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//! [`Matcher`] follows one game; [`Scan`] runs it over an archive on all cores, [`Finder`] over PGN.
//! Every query knows what a game must still have for it to match, so that most games are left early, and
//! many are not read at all. [`Explorer`] counts what was played in a position; [`IndexBuilder`] sorts all
//! positions of an archive once, and [`Index`] answers from there. [`Opening`] names positions.
//!
//! # Untrusted input
//! A query that cannot be understood is a [`QueryError`] with the place; its length is bounded. Archives are
//! checked by their checksums before they are decoded. An index has none: it can be made again, and games that
//! are shown are played through.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod condition;
mod error;
mod event;
mod explore;
mod finder;
mod json;
mod matcher;
mod material;
mod move_pattern;
mod needs;
mod openings;
mod path;
mod pattern;
mod query;
mod scan;

pub use condition::{Condition, Pawns, Roles};
pub use error::QueryError;
pub use event::{Event, UnknownEvent};
pub use explore::{
    Answer, Explorer, GameFacts, Index, IndexBuilder, IndexError, IndexOptions, Indexed,
    MoveAnswer, Tally,
};
pub use finder::Finder;
pub use matcher::{Extent, Matcher, Plies};
pub use material::{Imbalance, Material};
pub use move_pattern::MovePattern;
pub use openings::{Naming, Opening};
pub use path::Path;
pub use pattern::Pattern;
pub use query::{Query, Step};
pub use scan::{Hit, Scan, Scanned};
