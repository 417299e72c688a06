//! Case `perft-leaves`: every leaf is made, which measures make more than the generator.
//! Stockfish is absent: its `go perft` cannot be asked to play the last ply.
//!
//! What a made position contains is each library's own choice: cozy-chess and chess find
//! pins and checkers in make and keep a key, shakmaty and Scoresheet find pins when moves
//! are asked for and keep no key. A leaf of the former is worth more to a search; the case
//! `perft-bulk` weighs both halves.

use std::hint::black_box;

use crate::arena::{Entry, Work};
use crate::libraries::{Chess, CozyChess, Ours, Shakmaty};
use crate::library::Library;
use crate::standard::{STANDARD, Standard};

pub fn works() -> Vec<Work> {
    STANDARD.iter().map(work).collect()
}

fn work(s: &'static Standard) -> Work {
    let answer = s.leaves.nodes * u64::from(s.leaves.times);
    Work {
        name: format!("{} {}", s.name, s.leaves.depth),
        units: answer,
        answer: Some(answer),
        entries: vec![
            entry::<Ours>(s),
            entry::<CozyChess>(s),
            entry::<Shakmaty>(s),
            entry::<Chess>(s),
        ],
    }
}

fn entry<L: Library>(s: &'static Standard) -> Entry {
    let board = L::from_fen(s.fen);
    Entry::new(L::NAME, move || {
        (0..s.leaves.times)
            .map(|_| L::perft_leaves(black_box(&board), s.leaves.depth))
            .sum()
    })
}
