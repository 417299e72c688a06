//! Case `play`: going through games whose moves are stored, the core of every search
//! over an archive. The moves are known to be legal, so nothing but make is measured.
//! Boards differ in what make leaves ready: see `perft_leaves.rs`.

use std::hint::black_box;

use scoresheet_chess::{Keyed, Move};

use crate::arena::{Entry, Work};
use crate::games::Games;
use crate::libraries::{Chess, CozyChess, Ours, Shakmaty};
use crate::library::Library;
use crate::standard::STANDARD;

/// So that one run takes about a tenth of a second.
pub(super) const TIMES: u32 = 10;

pub fn work(games: &Games) -> Work {
    Work {
        name: format!("{} games", games.games.len()),
        units: games.plies() as u64 * u64::from(TIMES),
        answer: None,
        entries: vec![
            entry::<Ours>(games),
            entry::<CozyChess>(games),
            entry::<Shakmaty>(games),
            entry::<Chess>(games),
            keyed(games),
        ],
    }
}

pub(super) fn entry<L: Library>(games: &Games) -> Entry {
    let start = L::from_fen(STANDARD[0].fen);
    let words: Vec<Vec<L::Word>> = games.games.iter().map(|g| words::<L>(g, &start)).collect();
    Entry::new(L::NAME, move || {
        let mut digest = 0u64;
        for _ in 0..TIMES {
            for game in &words {
                let mut board = start.clone();
                for &word in game {
                    L::play(&mut board, word);
                }
                // Also what the digest does not read (keys, checkers) must be there.
                digest = digest.rotate_left(1) ^ L::digest(black_box(&board));
            }
        }
        digest
    })
}

/// Ours with the key, for those who compare it with libraries that always keep one.
fn keyed(games: &Games) -> Entry {
    let start = Ours::from_fen(STANDARD[0].fen);
    let words: Vec<Vec<u16>> = games
        .games
        .iter()
        .map(|game| words::<Ours>(game, &start))
        .collect();
    Entry::new("ours with key", move || {
        let mut digest = 0u64;
        for _ in 0..TIMES {
            for game in &words {
                let mut board = Keyed::new(start);
                for &word in game {
                    board.play_unchecked(Move::from_word(word).expect("made by `word`"));
                }
                digest = digest.rotate_left(1) ^ Ours::digest(black_box(&board).position());
            }
        }
        digest
    })
}

pub(super) fn words<L: Library>(game: &crate::games::Game, start: &L::Board) -> Vec<L::Word> {
    let mut board = start.clone();
    let moves = game.moves.iter().zip(&game.sans);
    moves
        .map(|(&m, san)| {
            let word = L::word(&board, m, san);
            L::play(&mut board, word);
            word
        })
        .collect()
}
