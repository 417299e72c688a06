//! PGN text to games and back: streaming, forgiving, lossless.
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

mod byte_class;
mod check;
mod comment;
mod detect;
mod error;
mod game;
mod game_builder;
#[cfg(feature = "compressed")]
mod input;
mod limits;
mod lines;
mod movetext;
mod nag;
mod outcome;
mod parallel;
mod parser;
mod reader;
mod scan;
mod skip;
mod source;
mod start;
mod style;
mod tag;
mod text;
mod tracker;
mod visitor;
mod writer;

pub use check::{Checked, Checker};
pub use comment::{CommentKind, Eval, Mark, MarkColor, RawComment};
pub use detect::StyleSet;
pub use error::{Cause, GameError};
pub use game::{Game, Line, LineId, Note, NoteKind};
pub use game_builder::GameBuilder;
#[cfg(feature = "compressed")]
pub use input::{Compression, Input};
pub use limits::Limits;
pub use nag::Nag;
pub use outcome::Outcome;
pub use parallel::Parallel;
pub use reader::Reader;
pub use source::{Slice, Source, Stream};
pub use start::Start;
pub use style::{BlackNumber, CheckSigns, CommentPadding, LineEnding, NagForm, Style, WrapUnit};
pub use tag::RawTag;
pub use text::decode_text;
pub use tracker::Tracker;
pub use visitor::{Flow, RawGame, Stop, Variation, Visitor};
pub use writer::write_game;
