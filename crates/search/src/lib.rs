//! Positions, patterns, material and statistics in chess games: by scan, and by index.
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
pub use openings::Opening;
pub use path::Path;
pub use pattern::Pattern;
pub use query::{Query, Step};
pub use scan::{Hit, Scan, Scanned};
