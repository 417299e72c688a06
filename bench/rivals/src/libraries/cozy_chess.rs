//! cozy-chess: MIT, the rival to beat.

use std::hint::black_box;

use cozy_chess::{Board, Color, Move, Piece, Square, util};

use crate::library::{Library, ReadsSan};

#[derive(Debug)]
pub struct CozyChess;

/// A plain array with a length: cheaper than `Vec::push`, which may have to grow.
pub struct List {
    moves: [Move; 256],
    len: usize,
}

/// Bits 12..15 of a word, read through a table: no branch, no panic path.
const PROMOTIONS: [Option<Piece>; 16] = {
    let mut table = [None; 16];
    table[1] = Some(Piece::Knight);
    table[2] = Some(Piece::Bishop);
    table[3] = Some(Piece::Rook);
    table[4] = Some(Piece::Queen);
    table
};

impl Library for CozyChess {
    const NAME: &'static str = "cozy-chess";
    type Board = Board;
    type Word = u16;
    type List = List;

    fn from_fen(fen: &str) -> Board {
        Board::from_fen(fen, false).expect("known to be good")
    }

    /// As in cozy-chess's own example `perft`. The last ply has a listener of its own:
    /// with one listener for both, bulk counting takes 1.6 times as long.
    fn perft_bulk(board: &Board, depth: u32) -> u64 {
        let mut nodes = 0;
        if depth == 1 {
            board.generate_moves(|moves| {
                nodes += moves.len() as u64;
                false
            });
        } else {
            board.generate_moves(|moves| {
                for m in moves {
                    let mut child = board.clone();
                    child.play_unchecked(m);
                    nodes += Self::perft_bulk(&child, depth - 1);
                }
                false
            });
        }
        nodes
    }

    fn perft_leaves(board: &Board, depth: u32) -> u64 {
        let mut nodes = 0;
        if depth == 1 {
            board.generate_moves(|moves| {
                for m in moves {
                    let mut child = board.clone();
                    child.play_unchecked(m);
                    black_box(&child);
                    nodes += 1;
                }
                false
            });
        } else {
            board.generate_moves(|moves| {
                for m in moves {
                    let mut child = board.clone();
                    child.play_unchecked(m);
                    nodes += Self::perft_leaves(&child, depth - 1);
                }
                false
            });
        }
        nodes
    }

    fn new_list() -> List {
        let none = Move {
            from: Square::A1,
            to: Square::A1,
            promotion: None,
        };
        List {
            moves: [none; 256],
            len: 0,
        }
    }

    fn list_moves(board: &Board, list: &mut List) -> usize {
        list.len = 0;
        board.generate_moves(|moves| {
            for m in moves {
                // At most 218 moves, so the mask changes nothing; it saves the bounds check.
                list.moves[list.len & 255] = m;
                list.len += 1;
            }
            false
        });
        black_box(&*list).len
    }

    fn word(_: &Board, m: shakmaty::Move, _: &str) -> u16 {
        // Both libraries write castling as king takes rook.
        let from = m.from().expect("no drops") as u16;
        let promotion = m.promotion().map_or(0, |role| role as u16 - 1);
        from | (m.to() as u16) << 6 | promotion << 12
    }

    fn play(board: &mut Board, word: u16) {
        board.play_unchecked(Move {
            from: Square::index_const(usize::from(word & 63)),
            to: Square::index_const(usize::from(word >> 6 & 63)),
            promotion: PROMOTIONS[usize::from(word >> 12)],
        });
    }

    fn sets(board: &Board) -> [u64; 8] {
        [
            board.colors(Color::White).0,
            board.colors(Color::Black).0,
            board.pieces(Piece::Pawn).0,
            board.pieces(Piece::Knight).0,
            board.pieces(Piece::Bishop).0,
            board.pieces(Piece::Rook).0,
            board.pieces(Piece::Queen).0,
            board.pieces(Piece::King).0,
        ]
    }
}

impl ReadsSan for CozyChess {
    fn play_san(board: &mut Board, san: &str) {
        let m = util::parse_san_move(board, san).expect("legal in a checked game");
        board.play_unchecked(m);
    }
}
