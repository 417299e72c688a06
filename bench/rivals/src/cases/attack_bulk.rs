//! Case `attack-bulk`: perft on the second board, the last ply counted.

use std::hint::black_box;

use crate::arena::{Entry, Work};
use crate::libraries::{Attack, CozyChess, Ours};
use crate::library::Library;
use crate::standard::{STANDARD, Standard};

pub fn works() -> Vec<Work> {
    STANDARD.iter().map(work).collect()
}

fn work(s: &'static Standard) -> Work {
    let answer = s.bulk.nodes * u64::from(s.bulk.times);
    Work {
        name: format!("{} {}", s.name, s.bulk.depth),
        units: answer,
        answer: Some(answer),
        entries: vec![entry::<Attack>(s), entry::<Ours>(s), entry::<CozyChess>(s)],
    }
}

fn entry<L: Library>(s: &'static Standard) -> Entry {
    let board = L::from_fen(s.fen);
    Entry::new(L::NAME, move || {
        (0..s.bulk.times)
            .map(|_| L::perft_bulk(black_box(&board), s.bulk.depth))
            .sum()
    })
}
