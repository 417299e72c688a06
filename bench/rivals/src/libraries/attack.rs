//! Scoresheet's second board, the one with attack tables.

use std::hint::black_box;

use scoresheet_chess::{AttackBoard, Move, MoveList, perft};

use super::Ours;
use crate::library::Library;

#[derive(Debug)]
pub struct Attack;

impl Library for Attack {
    const NAME: &'static str = "attack table";
    type Board = AttackBoard;
    type Word = u16;
    type List = MoveList;

    fn from_fen(fen: &str) -> AttackBoard {
        fen.parse().expect("known to be good")
    }

    fn perft_bulk(board: &AttackBoard, depth: u32) -> u64 {
        perft::count(board, depth)
    }

    /// Shows each leaf to `black_box` itself.
    fn perft_leaves(board: &AttackBoard, depth: u32) -> u64 {
        perft::play_leaves(board, depth)
    }

    fn new_list() -> MoveList {
        MoveList::new()
    }

    fn list_moves(board: &AttackBoard, list: &mut MoveList) -> usize {
        board.legal_moves_into(list);
        black_box(&*list).len()
    }

    fn word(board: &AttackBoard, m: shakmaty::Move, san: &str) -> u16 {
        Ours::word(&board.to_position(), m, san)
    }

    fn play(board: &mut AttackBoard, word: u16) {
        board.play_unchecked(Move::from_word(word).expect("made by `word`"));
    }

    fn sets(board: &AttackBoard) -> [u64; 8] {
        Ours::sets(&board.to_position())
    }
}
