//! Where a number leads.

use chess::attacks;
use chess::{Bitboard, CastlingSide, Color, Move, MoveKind, Position, Role, Square};

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

/// Whether a pawn that is not promoted makes a step of this number, and arrives at `to` by it.
#[inline(always)]
pub(super) fn is_pawn_step(turn: Color, from: Square, to: Square, number: u32) -> bool {
    let is_first_step = from as u8 / 8 == if turn == Color::White { 1 } else { 6 };
    let is_diagonal = number & !2 == 0;
    (is_diagonal & attacks::pawn(turn, from).contains(to))
        | (is_first_step & (number == 9))
        | (number == 1)
}

/// The kind of such a step.
#[inline(always)]
pub(super) fn pawn_kind(occupied: Bitboard, to: Square, number: u32) -> MoveKind {
    match number {
        1 => MoveKind::Quiet,
        9 => MoveKind::DoublePush,
        _ if occupied.contains(to) => MoveKind::Capture,
        _ => MoveKind::EnPassant,
    }
}

/// Whether the next step of this pawn is onto the last rank.
#[inline(always)]
pub(crate) fn is_last_step(turn: Color, from: Square) -> bool {
    from as u8 / 8 == if turn == Color::White { 6 } else { 1 }
}

/// The square a pawn reaches by 0, 1, 2 or 9, which are 7, 8, 9 and 16 squares up.
#[inline(always)]
pub(super) const fn pawn_target(turn: Color, from: Square, step: u32) -> Square {
    let squares = 7 + (step & 15) as u8;
    Square::from_low_bits(match turn {
        Color::White => (from as u8).wrapping_add(squares),
        Color::Black => (from as u8).wrapping_sub(squares),
    })
}

/// The same on the last but one rank. It takes no reference to the position: that would keep it in
/// memory, see `game.rs`.
#[cold]
pub(super) fn promotion(
    turn: Color,
    occupied: Bitboard,
    from: Square,
    number: u32,
) -> Option<Move> {
    let to = pawn_target(turn, from, number >> 2);
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

/// What a piece other than a pawn reaches on an empty board by its numbers; its own square for the
/// numbers it does not have. 12 KiB, of which games use a part.
static DESTINATIONS: [[[u8; 32]; 64]; 6] = {
    let mut table = [[[0; 32]; 64]; 6];
    let mut role = 0;
    while role < 6 {
        let mut from = 0;
        while from < 64 {
            #[allow(clippy::indexing_slicing)]
            let mut reach = empty_board::walk(Role::ALL[role], Square::ALL[from]);
            let mut number = 0;
            while number < 32 {
                #[allow(clippy::indexing_slicing)]
                {
                    table[role][from][number] = match reach.pop_first() {
                        Some(to) => to as u8,
                        None => Square::ALL[from] as u8,
                    };
                }
                number += 1;
            }
            from += 1;
        }
        role += 1;
    }
    table
};

#[inline(always)]
pub(super) fn destination(role: Role, from: Square, number: u32) -> Square {
    #[allow(clippy::indexing_slicing)] // Six roles, 64 squares, five bits.
    Square::from_low_bits(DESTINATIONS[role.index()][from.index()][number as usize & 31])
}

/// A piece goes to another square, and takes what stands there.
#[inline(always)]
pub(crate) fn step(occupied: Bitboard, from: Square, to: Square) -> Move {
    let kind = if occupied.contains(to) {
        MoveKind::Capture
    } else {
        MoveKind::Quiet
    };
    Move::new(from, to, kind)
}
