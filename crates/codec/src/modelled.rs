//! `modelled`: every legal move has a probability, and a range coder writes the one that was played.
//!
//! The probability comes from a log-linear model: a move's score is the sum of a few dozen weights,
//! which were learnt from games, and its odds are the exponential of the score. Rows of weights say
//! what a man on a square, or the move just made, means for each move that could follow; single
//! weights say what awaits a man on its new square and why it leaves the old one. Where an opening
//! table knows the position, it is mixed in. Everything is done in integers, so the bytes are the
//! same on every machine.
//!
//! A game costs less than one byte more than the sum of the logarithms of its moves' probabilities.
//! Every legal move has a probability, so every legal game can be written. Games do not depend on
//! each other. `FORMAT.md`, chapter 3, is the normative text; `EXPERIMENTS.md` beside this file says
//! what was tried and what it gave.
//!
//! There are two [levels](Level). At the level `max` a hidden layer is put on top of the scores: what
//! is true of a position only together. It takes more time and fewer bits.
//!
//! Models are numbered: [`Level::model`]. Bytes that were written with one model mean another game,
//! just as legal, to another model, so whoever stores games stores that and [`Level::hash`] beside
//! them and asks before reading.

// Indices are squares, roles, steps and sides, and arrays have a place for each; what comes from a
// file is asked for with `get`. Numbers that are cast are bits, squares and shares of 65,536.
#![allow(clippy::indexing_slicing, clippy::cast_possible_truncation)]

mod attack_maps;
pub mod book;
pub mod features;
mod foresight;
mod game;
pub mod layout;
mod level;
mod model;
mod net;
mod odds;
mod range;
#[cfg(test)]
mod slow_twin;
mod sums;

pub use game::{Decoder, Encoder, Surprise, encode_game, replay, surprises};
pub use level::Level;
pub use model::{hash, weights, with_head, write};
pub use net::{INPUTS, UNITS};
