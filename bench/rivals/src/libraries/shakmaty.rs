//! shakmaty: GPL-3.0, behind Lichess.

use std::hint::black_box;

use shakmaty::{CastlingMode, Chess, Color, Move, Position, Role, fen::Fen, san::San};

use crate::library::{Library, ReadsSan};

#[derive(Debug)]
pub struct Shakmaty;

impl Library for Shakmaty {
    const NAME: &'static str = "shakmaty";
    type Board = Chess;
    /// Its own `Move`, which already holds role and capture: dearer to store than 16 bits,
    /// but nothing has to be decoded or looked up. The cheapest way for it to play.
    type Word = Move;
    /// It has no list to reuse: `legal_moves` returns a new one on the stack.
    type List = ();

    fn from_fen(fen: &str) -> Chess {
        let fen: Fen = fen.parse().expect("known to be good");
        fen.into_position(CastlingMode::Standard)
            .expect("known to be good")
    }

    /// As its own `shakmaty::perft`, which is generic over variants.
    fn perft_bulk(board: &Chess, depth: u32) -> u64 {
        let moves = board.legal_moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        let mut nodes = 0;
        for &m in &moves {
            let mut child = board.clone();
            child.play_unchecked(m);
            nodes += Self::perft_bulk(&child, depth - 1);
        }
        nodes
    }

    fn perft_leaves(board: &Chess, depth: u32) -> u64 {
        let mut nodes = 0;
        for &m in &board.legal_moves() {
            let mut child = board.clone();
            child.play_unchecked(m);
            nodes += if depth == 1 {
                black_box(&child);
                1
            } else {
                Self::perft_leaves(&child, depth - 1)
            };
        }
        nodes
    }

    fn new_list() {}

    fn list_moves(board: &Chess, (): &mut ()) -> usize {
        let moves = board.legal_moves();
        black_box(&moves).len()
    }

    fn word(_: &Chess, m: Move, _: &str) -> Move {
        m
    }

    fn play(board: &mut Chess, m: Move) {
        board.play_unchecked(m);
    }

    fn sets(board: &Chess) -> [u64; 8] {
        let board = board.board();
        [
            board.by_color(Color::White).0,
            board.by_color(Color::Black).0,
            board.by_role(Role::Pawn).0,
            board.by_role(Role::Knight).0,
            board.by_role(Role::Bishop).0,
            board.by_role(Role::Rook).0,
            board.by_role(Role::Queen).0,
            board.by_role(Role::King).0,
        ]
    }
}

impl ReadsSan for Shakmaty {
    fn play_san(board: &mut Chess, san: &str) {
        // `San` knows no suffix; `SanPlus` would read it and throw it away.
        let bare = san
            .as_bytes()
            .strip_suffix(b"+")
            .or(san.as_bytes().strip_suffix(b"#"));
        let san = San::from_ascii(bare.unwrap_or(san.as_bytes())).expect("SAN of a checked game");
        let m = san.to_move(board).expect("legal in a checked game");
        board.play_unchecked(m);
    }
}
