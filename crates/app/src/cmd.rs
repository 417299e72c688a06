//! One file per command.

pub mod cat;
pub mod check;
pub mod convert;
pub mod decode;
pub mod encode;
pub mod explore;
pub mod find;
pub mod fmt;
pub mod info;
pub mod merge;
pub mod pack;
pub mod perft;
pub mod show;
pub mod surprise;
pub mod unpack;
pub mod verify;
