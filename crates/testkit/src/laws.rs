//! The laws: what is true of every game, called by the tests of each crate with fixed seeds.

mod position;

pub use position::{incremental_key, legality_agrees_with_list, listings_agree};
