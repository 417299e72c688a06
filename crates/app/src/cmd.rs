//! One file per command.

pub mod check;
pub mod convert;
pub mod decode;
pub mod encode;
pub mod fmt;
pub mod perft;
pub mod show;
pub mod surprise;
