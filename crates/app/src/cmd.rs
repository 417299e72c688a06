//! One file per command.

pub mod convert;
pub mod perft;
