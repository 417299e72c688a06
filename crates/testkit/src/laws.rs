//! The laws: what is true of every game, called by the tests of each crate with fixed seeds.

mod boards;
mod position;

pub use boards::boards_agree;
pub use position::{incremental_key, legality_agrees_with_list, listings_agree};
