//! Scoresheet's own board.

use std::hint::black_box;

use scoresheet_chess::{CastlingSide, Color, Move, MoveList, Position, Role, perft};

use crate::library::Library;

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

    fn word(board: &Position, m: shakmaty::Move, _: &str) -> u16 {
        let moves = board.legal_moves();
        let found = moves.iter().find(|own| is_same(own, m));
        found.expect("legal in a checked game").word()
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

impl crate::library::ReadsSan for Ours {
    fn play_san(board: &mut Position, san: &str) {
        let m = board.parse_san(san.as_bytes());
        board.play_unchecked(m.expect("legal in a checked game"));
    }
}

/// Whether both libraries mean the same move; they may disagree on how to write castling.
fn is_same(own: &Move, other: shakmaty::Move) -> bool {
    let is_from_same = other.from().map(usize::from) == Some(own.from().index());
    match (own.castling_side(), other.castling_side()) {
        (None, None) => {
            let promotion = own.promotion().map(Role::index);
            is_from_same
                && usize::from(other.to()) == own.to().index()
                && other.promotion().map(|role| role as usize - 1) == promotion
        }
        (Some(own), Some(other)) => {
            (own == CastlingSide::KingSide) == (other == shakmaty::CastlingSide::KingSide)
        }
        _ => false,
    }
}
