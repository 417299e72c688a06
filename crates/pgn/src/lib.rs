//! PGN text to games and back: streaming, forgiving, lossless.
//!
//! # Examples
//!
//! Read games, good and bad:
//!
//! ```
//! use scoresheet_pgn::{GameBuilder, Reader};
//!
//! let text = b"[White \"Ann\"]\n\n1. e4 e5 2. Ke3 *\n\n[White \"Bob\"]\n\n1. d4 d5 1-0\n";
//! let mut reader = Reader::new(&text[..]); // any `Read`: a file, a pipe, a decoder
//! let mut builder = GameBuilder::new();
//! let mut good = Vec::new();
//! while let Some(result) = reader.read_game(&mut builder)? {
//!     match result {
//!         Ok(game) => good.push(game),
//!         Err(error) => assert_eq!(
//!             error.to_string(),
//!             "game 1, line 3, byte 27: 'Ke3': no king of the side to move can go to e3",
//!         ),
//!     }
//! }
//! assert_eq!(good.len(), 1);
//! assert_eq!(good[0].tag_text(b"White").unwrap(), "Bob");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Check games on all cores, in order:
//!
//! ```
//! use std::ops::ControlFlow;
//! use scoresheet_pgn::{Checker, Parallel};
//!
//! let text = b"1. e4 e5 1-0\n\n1. d4 d5 2. c4 0-1\n";
//! let mut plies = 0;
//! Parallel::new().read(&text[..], Checker::new, |_, game| {
//!     plies += game.map_or(0, |game| game.plies);
//!     ControlFlow::Continue(())
//! })?;
//! assert_eq!(plies, 5);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Find out how a file is written, and write like that:
//!
//! ```
//! use scoresheet_pgn::{Game, Style, write_game};
//!
//! let text = b"[White \"Ann\"]\n\n1.e4 {[%clk 0:01:00]} 1...e5 1-0\n\n";
//! let style = Style::detect(text);
//! let mut written = Vec::new();
//! write_game(&Game::parse(text)?, &style, &mut written);
//! assert_eq!(written, text);
//! # Ok::<(), scoresheet_pgn::GameError>(())
//! ```
//!
//! # How it works
//!
//! A [`Reader`] shows a window of text to a state machine that tells a [`Visitor`] what it finds and
//! that alone decides where a game ends: at a result outside of variations; before a tag that
//! follows movetext; before a line `[Event …` after an empty line, even in a comment that nobody
//! closed; before `1.` after an empty line; at the end of the text. A visitor may leave a game early
//! ([`Stop::Skip`]); the rest is then passed over at the speed of a search for a few bytes, comments
//! and all, and ends where reading would have ended. Moves are tokens to the reader; a [`Tracker`] beside a visitor
//! finds the legal move by looking back from the square that is named, without a list of moves.
//! [`Checker`] counts, [`GameBuilder`] keeps everything in a [`Game`].
//!
//! The writer knows a [`Style`]: every habit in which two programs differ, as a field. A style is
//! detected by trying: it is right if writing gives back the bytes that were read.
//!
//! # Untrusted input
//!
//! Any bytes may come. There is no recursion, no panic and no `unsafe`; time grows with the size of
//! the text, and memory is one buffer, which holds the game being read and is bounded by [`Limits`].
//! A game that cannot be replayed is a [`GameError`] with its number, line, byte and [`Cause`], and
//! costs its neighbours nothing: `read = good + bad`, always. Two risks are accepted: a comment that
//! holds an empty line and then a line that begins with `[Event ` is taken for an unclosed one, and
//! a game over the limit is reported but not kept. Its place and length are, as those of all games
//! ([`RawGame`]): the games of a text, one after the other, are the whole text.
//!
//! # Features
//!
//! Threads need no feature: they are the standard library's, and cost nothing until used.
//!
//! | feature | what | cost |
//! |---|---|---|
//! | (none) | reading, writing, styles, threads | `memchr` |
//! | `compressed` | `Input`: `.zst`, `.gz`, `.bz2` by their first bytes | three decoders, zstd's in C |
//!
//! Decompression is here and not above because every reader of PGN needs the same: a file, whatever
//! its name says. It stays behind a feature so that the default build keeps to `chess` and `memchr`.
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
mod word;
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
