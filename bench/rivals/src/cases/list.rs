//! Case `list`: what a program does that shows, stores or searches moves.

use std::hint::black_box;

use scoresheet_chess::{MoveList, Position};

use crate::arena::{Entry, Work};
use crate::games::Games;
use crate::libraries::{Chess, CozyChess, Ours, Shakmaty};
use crate::library::Library;
use crate::standard::STANDARD;

/// Boards are kept ready, about 100 bytes each. More games would measure memory.
const GAMES: usize = 300;
/// So that one run takes about a tenth of a second.
const TIMES: u32 = 20;

pub fn work(games: &Games) -> Work {
    let entries = vec![
        entry::<Ours>(games),
        entry::<CozyChess>(games),
        entry::<Shakmaty>(games),
        entry::<Chess>(games),
        variant("ours by bits", games, Position::legal_moves_by_bits_into),
        variant("ours by table", games, Position::legal_moves_by_table_into),
    ];
    // The number of moves is the answer and the unit; shakmaty is asked for it.
    let moves = list_all::<Shakmaty>(&boards::<Shakmaty>(games), &mut Shakmaty::new_list());
    let answer = moves * u64::from(TIMES);
    Work {
        name: format!("{} games", GAMES.min(games.games.len())),
        units: answer,
        answer: Some(answer),
        entries,
    }
}

fn entry<L: Library>(games: &Games) -> Entry {
    let boards = boards::<L>(games);
    let mut list = L::new_list();
    Entry::new(L::NAME, move || {
        (0..TIMES).map(|_| list_all::<L>(&boards, &mut list)).sum()
    })
}

/// Another way of ours: it shows what stage three gains.
fn variant(name: &str, games: &Games, fill: fn(&Position, &mut MoveList)) -> Entry {
    let boards = boards::<Ours>(games);
    let mut list = MoveList::new();
    let mut list_all = move || -> u64 {
        let lens = boards.iter().map(|board| {
            fill(board, &mut list);
            black_box(&list).len() as u64
        });
        lens.sum()
    };
    Entry::new(name, move || (0..TIMES).map(|_| list_all()).sum())
}

fn list_all<L: Library>(boards: &[L::Board], list: &mut L::List) -> u64 {
    boards.iter().map(|b| L::list_moves(b, list) as u64).sum()
}

/// Every position in which a move was played.
fn boards<L: Library>(games: &Games) -> Vec<L::Board> {
    let mut boards = Vec::new();
    for game in games.games.iter().take(GAMES) {
        let mut board = L::from_fen(STANDARD[0].fen);
        for (&m, san) in game.moves.iter().zip(&game.sans) {
            boards.push(board.clone());
            let word = L::word(&board, m, san);
            L::play(&mut board, word);
        }
    }
    boards
}
