//! Case `perft-bulk`: the usual way of counting, which measures the generator.

use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;

use crate::arena::{Entry, Work};
use crate::libraries::{Chess, CozyChess, Ours, Shakmaty};
use crate::library::Library;
use crate::standard::{STANDARD, Standard};
use crate::stockfish::Stockfish;

pub fn works() -> Vec<Work> {
    // One engine for all positions; it is idle while others run.
    let engine = Stockfish::find().map(|engine| Rc::new(RefCell::new(engine)));
    STANDARD.iter().map(|s| work(s, engine.clone())).collect()
}

fn work(s: &'static Standard, engine: Option<Rc<RefCell<Stockfish>>>) -> Work {
    let mut entries = vec![
        entry::<Ours>(s),
        entry::<CozyChess>(s),
        entry::<Shakmaty>(s),
        entry::<Chess>(s),
    ];
    if let Some(engine) = engine {
        let name = engine.borrow().name.clone();
        entries.push(Entry::new(&name, move || {
            let mut engine = engine.borrow_mut();
            let mut count = || {
                engine
                    .perft(s.fen, s.bulk.depth)
                    .expect("Stockfish answers")
            };
            (0..s.bulk.times).map(|_| count()).sum()
        }));
    }
    let answer = s.bulk.nodes * u64::from(s.bulk.times);
    Work {
        name: format!("{} {}", s.name, s.bulk.depth),
        units: answer,
        answer: Some(answer),
        entries,
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
