//! The laws: what is true of every game, called by the tests of each crate with fixed seeds.

mod boards;
mod notation;
mod position;

pub use boards::boards_agree;
pub use notation::{
    epd_bytes, fen_bytes, fen_round_trip, san_bytes, san_round_trip, short_cut_agrees, uci_bytes,
    uci_round_trip,
};
pub use position::{incremental_key, legality_agrees_with_list, listings_agree};
