//! The contestants, one file each.

mod attack;
mod chess;
mod cozy_chess;
mod ours;
mod shakmaty;

pub use attack::Attack;
pub use chess::Chess;
pub use cozy_chess::CozyChess;
pub use ours::Ours;
pub use shakmaty::Shakmaty;

/// Everything is given relative to this one: the fastest published Rust library.
pub const BASELINE: &str = "cozy-chess";

/// Where the baseline is none of the contestants: the first of these that is one.
pub const BASELINES: [&str; 4] = [BASELINE, "pgn-reader", "one thread", "aix high"];
