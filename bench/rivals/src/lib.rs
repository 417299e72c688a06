//! Scoresheet's board beside other chess libraries: the same work, the same process,
//! interleaved in rounds, every answer compared.
//!
//! `main.rs` is the benchmark, `bin/instructions.rs` one run for valgrind,
//! `bin/perft_data.rs` the maker of `testdata/perft`.

pub mod arena;
pub mod cases;
pub mod games;
pub mod libraries;
pub mod library;
pub mod options;
pub mod report;
pub mod rng;
pub mod sample;
pub mod standard;
pub mod stockfish;
