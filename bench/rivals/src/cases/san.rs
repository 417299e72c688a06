//! Case `san`: reading games from text. Tokens are split beforehand: what is measured is
//! finding the legal move and playing it. `chess` is absent: its reader of SAN is a toy.

use std::hint::black_box;
use std::rc::Rc;

use crate::arena::{Entry, Work};
use crate::games::Games;
use crate::libraries::{CozyChess, Shakmaty};
use crate::library::ReadsSan;
use crate::standard::STANDARD;

/// So that one run takes about a tenth of a second.
const TIMES: u32 = 4;

pub fn work(games: &Rc<Games>) -> Work {
    Work {
        name: format!("{} games", games.games.len()),
        units: games.plies() as u64 * u64::from(TIMES),
        answer: None,
        entries: vec![
            entry::<crate::libraries::Ours>(games.clone()),
            entry::<CozyChess>(games.clone()),
            entry::<Shakmaty>(games.clone()),
        ],
    }
}

fn entry<L: ReadsSan>(games: Rc<Games>) -> Entry {
    let start = L::from_fen(STANDARD[0].fen);
    Entry::new(L::NAME, move || {
        let mut digest = 0u64;
        for _ in 0..TIMES {
            for game in &games.games {
                let mut board = start.clone();
                for san in &game.sans {
                    L::play_san(&mut board, san);
                }
                digest = digest.rotate_left(1) ^ L::digest(black_box(&board));
            }
        }
        digest
    })
}
