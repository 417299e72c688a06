//! Scoresheet's own board.

use scoresheet_chess::{Color, Move, MoveList, Position, Role, perft};

use std::hint::black_box;

use crate::library::{Library, ReadsSan};

#[derive(Debug)]
pub struct Ours;

impl Library for Ours {
    const NAME: &'static str = "scoresheet";
    type Board = Position;
    type Word = u16;
    type List = MoveList;

    fn from_fen(fen: &str) -> Position {
        fen.parse().expect("known to be good")
    }

    fn perft_bulk(board: &Position, depth: u32) -> u64 {
        perft::count(board, depth)
    }

    /// Shows each leaf to `black_box` itself.
    fn perft_leaves(board: &Position, depth: u32) -> u64 {
        perft::play_leaves(board, depth)
    }

    fn new_list() -> MoveList {
        MoveList::new()
    }

    fn list_moves(board: &Position, list: &mut MoveList) -> usize {
        board.legal_moves_into(list);
        black_box(&*list).len()
    }

    fn word(board: &Position, _: shakmaty::Move, san: &str) -> u16 {
        let m = board.parse_san(san.as_bytes());
        m.expect("legal in a checked game").word()
    }

    fn play(board: &mut Position, word: u16) {
        board.play_unchecked(Move::from_word(word).expect("made by `word`"));
    }

    fn sets(board: &Position) -> [u64; 8] {
        let board = board.board();
        [
            board.by_color(Color::White).bits(),
            board.by_color(Color::Black).bits(),
            board.by_role(Role::Pawn).bits(),
            board.by_role(Role::Knight).bits(),
            board.by_role(Role::Bishop).bits(),
            board.by_role(Role::Rook).bits(),
            board.by_role(Role::Queen).bits(),
            board.by_role(Role::King).bits(),
        ]
    }
}

impl ReadsSan for Ours {
    fn play_san(board: &mut Position, san: &str) {
        let m = board.parse_san(san.as_bytes());
        board.play_unchecked(m.expect("legal in a checked game"));
    }
}
