//! Where a number leads.

use chess::attacks;
use chess::{Bitboard, CastlingSide, Color, Move, MoveKind, Position, Rank, Role, Square};

use crate::empty_board;

/// The king's own square is the one where it stands, wherever that is.
#[inline(always)]
pub(super) fn castling(position: &Position, number: u32) -> Move {
    let color = position.turn();
    let side = match number {
        0 => CastlingSide::KingSide,
        _ => CastlingSide::QueenSide,
    };
    let king = position.king_of(color);
    Move::new(king, side.king_to(color), MoveKind::castle(side))
}

/// Distance and promotion of a pawn's move. White's captures to the left are 7 squares up.
#[inline(always)]
pub(super) fn pawn_destination(m: Move) -> u32 {
    let distance = (m.from() as u32).abs_diff(m.to() as u32);
    let step = distance.saturating_sub(7);
    match m.flags() {
        flags @ 8.. => step << 2 | u32::from(flags & 3),
        _ => step,
    }
}

/// Whether it is a pawn of the side to move that stands on `from`, and its next step is onto the last
/// rank. One test of one word: of two conditions LLVM would make two branches, the first of them on
/// what moves, which nobody can foresee.
#[inline(always)]
pub(crate) fn is_last_step(position: &Position, from: Square) -> bool {
    let last_but_one = match position.turn() {
        Color::White => Rank::Seventh,
        Color::Black => Rank::Second,
    };
    let pawns = position.board().by_role(Role::Pawn) & Bitboard::from_rank(last_but_one);
    pawns.contains(from)
}

/// A number of a pawn on its last but one rank: a step of 7, 8 or 9 squares, and what it becomes. It takes no reference to the position: that would keep it in
/// memory, see `game.rs`.
#[cold]
pub(super) fn promotion(
    turn: Color,
    occupied: Bitboard,
    from: Square,
    number: u32,
) -> Option<Move> {
    let squares = 7 + (number >> 2 & 3) as u8;
    let to = Square::from_low_bits(match turn {
        Color::White => (from as u8).wrapping_add(squares),
        Color::Black => (from as u8).wrapping_sub(squares),
    });
    let takes = occupied.contains(to);
    let is_sound = match number >> 2 {
        0 | 2 => attacks::pawn(turn, from).contains(to),
        1 => true,
        _ => false,
    };
    let role = Role::PROMOTIONS.get((number & 3) as usize)?;
    let kind = MoveKind::promotion(*role, takes)?;
    is_sound.then(|| Move::new(from, to, kind))
}

/// Where numbers lead on an empty board, by role; black pawns have a row of their own. A man's own
/// square for the numbers it does not have. 14 KiB, of which games use a part.
static DESTINATIONS: [[[u8; 32]; 64]; 7] = {
    let mut table = [[[0; 32]; 64]; 7];
    let mut row = 0;
    while row < 7 {
        let mut from = 0;
        while from < 64 {
            #[allow(clippy::indexing_slicing)]
            let square = Square::ALL[from];
            #[allow(clippy::indexing_slicing)]
            {
                table[row][from] = match row {
                    WHITE_PAWNS => pawn_destinations(Color::White, square),
                    BLACK_PAWNS => pawn_destinations(Color::Black, square),
                    _ => piece_destinations(Role::ALL[row], square),
                };
            }
            from += 1;
        }
        row += 1;
    }
    table
};

const WHITE_PAWNS: usize = Role::Pawn as usize;
const BLACK_PAWNS: usize = 6;

const fn piece_destinations(role: Role, from: Square) -> [u8; 32] {
    let mut row = [from as u8; 32];
    let mut reach = empty_board::walk(role, from);
    let mut number = 0;
    while let Some(to) = reach.pop_first() {
        #[allow(clippy::indexing_slicing)] // A queen reaches 27 squares.
        {
            row[number] = to as u8;
        }
        number += 1;
    }
    row
}

/// Steps onto the last rank are not here: see [`promotion`].
const fn pawn_destinations(color: Color, from: Square) -> [u8; 32] {
    let up = match color {
        Color::White => 1,
        Color::Black => -1,
    };
    let mut row = [from as u8; 32];
    // 7, 8, 9 or 16 squares up; that is to the left and to the right for White, and the other way.
    let steps = [
        (0, (-up, up)),
        (1, (0, up)),
        (2, (up, up)),
        (9, (0, 2 * up)),
    ];
    let mut i = 0;
    while i < steps.len() {
        #[allow(clippy::indexing_slicing)]
        let (number, (files, ranks)) = steps[i];
        let rank = match color {
            Color::White => from as u8 / 8,
            Color::Black => 7 - from as u8 / 8,
        };
        if (number != 9 || rank == 1)
            && rank != 6
            && let Some(to) = from.offset(files, ranks)
        {
            #[allow(clippy::indexing_slicing)]
            {
                row[number] = to as u8;
            }
        }
        i += 1;
    }
    row
}

#[inline(always)]
pub(super) fn destination(turn: Color, role: Role, from: Square, number: u32) -> Square {
    let is_black_pawn = (role == Role::Pawn) & (turn == Color::Black);
    let row = role.index() + usize::from(is_black_pawn) * BLACK_PAWNS;
    #[allow(clippy::indexing_slicing)] // Six roles and one more row, 64 squares, five bits.
    Square::from_low_bits(DESTINATIONS[row][from.index()][number as usize & 31])
}

/// A man goes to another square, and takes what stands there.
#[inline(always)]
pub(crate) fn step(from: Square, to: Square, takes: bool, is_double: bool) -> Move {
    let flags = u16::from(takes) << 2 | u16::from(is_double);
    let word = flags << 12 | (from as u16) << 6 | to as u16;
    Move::from_word_unchecked(word).unwrap_or(Move::new(from, to, MoveKind::Quiet))
}
