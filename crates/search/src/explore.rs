//! What was played in a position, by whom and with what success: by scan, or by an index.

mod answer;
mod builder;
mod entry;
mod explorer;
mod facts;
mod index;
mod seal;
mod sorter;

pub use answer::{Answer, MoveAnswer, Tally};
pub use builder::{IndexBuilder, IndexOptions, Indexed};
pub use explorer::Explorer;
pub use facts::GameFacts;
pub use index::{Index, IndexError};
