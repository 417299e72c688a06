//! Pawns: their squares are gathered from the piece list once, then all of them move at once.

use super::pins::Siege;
use super::{AttackBoard, PieceMask};
use crate::attacks::{self, Sliders};
use crate::movegen::{MoveVisitor, PawnStep};
use crate::side::Side;
use crate::{Bitboard, Role, Square};

#[inline(always)]
pub(super) fn generate<C: Side, S: Sliders, V: MoveVisitor>(
    board: &AttackBoard,
    siege: &Siege,
    open: Bitboard,
    sliders: S,
    visitor: &mut V,
) {
    let own = PieceMask::of(C::COLOR) & board.by_role(Role::Pawn);
    let free = board.squares_of(own - siege.pinned);
    let empty = !board.occupied();
    let enemy = board.by_color(C::Other::COLOR);

    let mut pushed = free.shifted(C::UP) & empty;
    let mut west = (free - Bitboard::FILE_A).shifted(C::UP - 1) & enemy;
    let mut east = (free - Bitboard::FILE_H).shifted(C::UP + 1) & enemy;
    // A pinned pawn stays on the line through its king, each on its own: two of them may be pinned
    // on different lines, and neither may step onto the other's.
    for index in own & siege.pinned {
        let from = board.man(index).square;
        let pawn = Bitboard::from(from);
        let line = attacks::line(siege.king, from);
        pushed |= pawn.shifted(C::UP) & empty & line;
        west |= (pawn - Bitboard::FILE_A).shifted(C::UP - 1) & enemy & line;
        east |= (pawn - Bitboard::FILE_H).shifted(C::UP + 1) & enemy & line;
    }
    let double = (pushed & C::THIRD_RANK).shifted(C::UP) & empty & open;
    let (single, west, east) = (pushed & open, west & open, east & open);

    visitor.pawns(PawnStep::Push, single - C::LAST_RANK);
    visitor.pawns(PawnStep::DoublePush, double);
    visitor.pawns(PawnStep::CaptureWest, west - C::LAST_RANK);
    visitor.pawns(PawnStep::CaptureEast, east - C::LAST_RANK);
    if ((single | west | east) & C::LAST_RANK).any() {
        visitor.promotions(PawnStep::Push, single & C::LAST_RANK);
        visitor.promotions(PawnStep::CaptureWest, west & C::LAST_RANK);
        visitor.promotions(PawnStep::CaptureEast, east & C::LAST_RANK);
    }
    if let Some(ep) = board.ep_square {
        for index in board.attacks.at(ep) & own {
            let from = board.man(index).square;
            if en_passant_is_legal::<C, S>(board, siege, from, ep, sliders) {
                visitor.en_passant(from, ep);
            }
        }
    }
}

/// Looks at the board as it will be: two men leave their squares at once, and the table knows only
/// of the board as it is.
#[inline(always)]
fn en_passant_is_legal<C: Side, S: Sliders>(
    board: &AttackBoard,
    siege: &Siege,
    from: Square,
    ep: Square,
    sliders: S,
) -> bool {
    let taken = Square::from_low_bits(ep as u8 ^ 8);
    let after = (board.occupied() - taken.into() - from.into()) | ep.into();
    let enemies = PieceMask::of(C::Other::COLOR);
    let queens = board.by_role(Role::Queen);
    let rooks = board.squares_of((board.by_role(Role::Rook) | queens) & enemies);
    let bishops = board.squares_of((board.by_role(Role::Bishop) | queens) & enemies);
    let leapers = siege.checkers - board.sliders();
    let is_answered = (board.squares_of(leapers) - taken.into()).is_empty();
    is_answered
        && !sliders.rook(siege.king, after).intersects(rooks)
        && !sliders.bishop(siege.king, after).intersects(bishops)
}
