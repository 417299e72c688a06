//! What several tests need.
#![allow(dead_code)] // Each test uses its part.

use std::path::PathBuf;

use chess::{Move, Position};

/// A folder beside the repository where large and foreign files are kept; `None`, and a word about
/// it, where it is missing.
pub fn shared(path: &str) -> Option<PathBuf> {
    let full = root().join("../shared").join(path);
    if full.exists() {
        return Some(full);
    }
    eprintln!("skipped: {} is not here", full.display());
    None
}

/// The repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn position(fen: &str) -> Position {
    fen.parse().expect(fen)
}

pub fn uci(position: &Position, text: &str) -> Move {
    position.parse_uci(text.as_bytes()).expect(text)
}

/// Moves in SAN, separated by blanks.
pub fn line(start: &Position, sans: &str) -> Vec<Move> {
    let mut position = *start;
    sans.split_whitespace()
        .map(|san| {
            let m = position.parse_san(san.as_bytes()).expect(san);
            position.play_unchecked(m);
            m
        })
        .collect()
}
