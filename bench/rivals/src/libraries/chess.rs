//! chess 3.2: MIT, the most downloaded one.

use std::hint::black_box;
use std::str::FromStr;

use chess::{ALL_SQUARES, Board, ChessMove, Color, MoveGen, Piece};

use crate::library::Library;

#[derive(Debug)]
pub struct Chess;

pub struct List {
    moves: [ChessMove; 256],
    len: usize,
}

const PROMOTIONS: [Option<Piece>; 16] = {
    let mut table = [None; 16];
    table[1] = Some(Piece::Knight);
    table[2] = Some(Piece::Bishop);
    table[3] = Some(Piece::Rook);
    table[4] = Some(Piece::Queen);
    table
};

impl Library for Chess {
    const NAME: &'static str = "chess";
    type Board = Board;
    type Word = u16;
    type List = List;

    fn from_fen(fen: &str) -> Board {
        Board::from_str(fen).expect("known to be good")
    }

    /// Its own "fastest perft test with this structure".
    fn perft_bulk(board: &Board, depth: u32) -> u64 {
        MoveGen::movegen_perft_test(board, depth as usize) as u64
    }

    fn perft_leaves(board: &Board, depth: u32) -> u64 {
        let mut nodes = 0;
        for m in MoveGen::new_legal(board) {
            let child = board.make_move_new(m);
            nodes += if depth == 1 {
                black_box(&child);
                1
            } else {
                Self::perft_leaves(&child, depth - 1)
            };
        }
        nodes
    }

    fn new_list() -> List {
        List {
            moves: [ChessMove::default(); 256],
            len: 0,
        }
    }

    fn list_moves(board: &Board, list: &mut List) -> usize {
        list.len = 0;
        for m in MoveGen::new_legal(board) {
            list.moves[list.len & 255] = m;
            list.len += 1;
        }
        black_box(&*list).len
    }

    fn word(_: &Board, m: shakmaty::Move, _: &str) -> u16 {
        let from = m.from().expect("no drops") as u16;
        // This one writes castling as the king's own step.
        let to = match m.castling_side() {
            Some(side) => side.king_to(side_color(from)) as u16,
            None => m.to() as u16,
        };
        let promotion = m.promotion().map_or(0, |role| role as u16 - 1);
        from | to << 6 | promotion << 12
    }

    fn play(board: &mut Board, word: u16) {
        let from = ALL_SQUARES[usize::from(word & 63)];
        let to = ALL_SQUARES[usize::from(word >> 6 & 63)];
        *board = board.make_move_new(ChessMove::new(
            from,
            to,
            PROMOTIONS[usize::from(word >> 12)],
        ));
    }

    fn sets(board: &Board) -> [u64; 8] {
        [
            board.color_combined(Color::White).0,
            board.color_combined(Color::Black).0,
            board.pieces(Piece::Pawn).0,
            board.pieces(Piece::Knight).0,
            board.pieces(Piece::Bishop).0,
            board.pieces(Piece::Rook).0,
            board.pieces(Piece::Queen).0,
            board.pieces(Piece::King).0,
        ]
    }
}

/// Who castles from this square.
fn side_color(king: u16) -> shakmaty::Color {
    shakmaty::Color::from_white(king < 8)
}
