//! Random legal games, mutators of bytes, and the laws that every implementation obeys.
//!
//! Everything here is deterministic for a seed: a failing case is named by its number.
#![forbid(unsafe_code)]
#![allow(clippy::cast_possible_truncation)] // Random numbers are cut to size on purpose.

mod games;
pub mod laws;
mod mutants;
mod random;

pub use games::{Game, GameKind, random_game};
pub use mutants::mutant;
pub use random::Random;
