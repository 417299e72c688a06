//! Case `list`: what a program does that shows, stores or searches moves.

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
