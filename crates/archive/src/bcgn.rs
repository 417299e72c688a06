//! BCGN, the binary chess game notation: `FORMAT.md`, chapter 1.

mod batch;
mod draft;
mod eco;
mod entry;
mod export;
mod format;
mod header;
mod import;
mod position;
mod reader;
mod recode;
mod report;
mod restore;
mod writer;

pub use crate::game_date::GameDate as Date;
pub use draft::{Draft, Drafted, Dropped};
pub use eco::Eco;
pub use entry::Entry;
pub use export::export;
pub use format::{Format, Level};
pub use header::{ExtraTags, Header, Info};
pub use import::import;
pub use position::{START_BYTES, decode_start, encode_start};
pub use reader::Reader;
pub use recode::recode;
pub use report::{ConvertError, ConvertOptions, Problem, ProblemCause, Report};
pub use restore::Restored;
pub use writer::Writer;

/// The most bytes a game can have, its header included.
pub const MAX_GAME_BYTES: usize = 65_534;
/// The most moves a game can have.
pub const MAX_PLIES: usize = 16_383;
/// The most bytes a name or a tag can have.
pub const MAX_STRING_BYTES: usize = 255;
/// The most extra tags a game can have.
pub const MAX_TAGS: usize = 255;
