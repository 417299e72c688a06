//! Case `attack-leaves`: perft on the second board, every leaf played: the attack table is brought up to date each time.

use std::hint::black_box;

use crate::arena::{Entry, Work};
use crate::libraries::{Attack, CozyChess, Ours};
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
        entries: vec![entry::<Attack>(s), entry::<Ours>(s), entry::<CozyChess>(s)],
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
