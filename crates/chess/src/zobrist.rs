//! Position keys: Zobrist hashing with Polyglot's constants, so that books and other tools agree.
//!
//! Keys are for finding, not for proving: they can collide, and they can be forged. Whoever answers
//! with a game compares the position first.

use crate::board::{Code, code_of};
use crate::polyglot::POLYGLOT;
use crate::{CastlingSide, Color, Piece, Position, Role, Square};

const CASTLING: usize = 768;
const EP_FILES: usize = 772;
const WHITE_TO_MOVE: u64 = POLYGLOT[780];

/// The number of each man on each square, by the code with which the board stores the man. An
/// empty square has code 0 and the number 0, so that "what stood there" needs no question.
static MEN: [[u64; 64]; 16] = {
    let mut table = [[0; 64]; 16];
    let mut color = 0;
    while color < 2 {
        let mut role = 0;
        while role < 6 {
            let code = code_of(Piece::new(Color::ALL[color], Role::ALL[role]));
            // Polyglot counts the black man of each role first.
            let kind = 2 * role + 1 - color;
            let mut square = 0;
            while square < 64 {
                table[code][square] = POLYGLOT[64 * kind + square];
                square += 1;
            }
            role += 1;
        }
        color += 1;
    }
    table
};

/// The number of a man, given by its code, on a square.
#[inline(always)]
pub(crate) fn man(code: Code, square: Square) -> u64 {
    MEN[code & 15][square.index()]
}

/// The numbers of all castling rights of a position.
pub(crate) fn castling(position: &Position) -> u64 {
    if position.castling.is_empty() {
        return 0;
    }
    let mut key = 0;
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if position.castling_rook(color, side).is_some() {
                key ^= POLYGLOT[CASTLING + 2 * color.index() + side as usize];
            }
        }
    }
    key
}

/// The number of an en-passant square.
#[inline(always)]
pub(crate) fn ep(square: Option<Square>) -> u64 {
    square.map_or(0, |square| POLYGLOT[EP_FILES + square.file().index()])
}

/// The number that tells White to move from Black to move.
#[inline(always)]
pub(crate) const fn turn() -> u64 {
    WHITE_TO_MOVE
}

/// The key from scratch.
pub(crate) fn key_of(position: &Position) -> u64 {
    let men = position
        .board
        .occupied()
        .into_iter()
        .fold(0, |key, square| {
            key ^ man(position.board.code_at(square), square)
        });
    let turn = if position.turn == Color::White {
        WHITE_TO_MOVE
    } else {
        0
    };
    men ^ castling(position) ^ ep(position.ep_square) ^ turn
}
