//! The king's steps and castling.

use super::{MoveVisitor, Pins, Scene};
use crate::attacks::{self, Sliders, TwoStage};
use crate::side::Side;
use crate::{Bitboard, Board, CastlingSide, Role};

/// All squares that the side `C` attacks, sliders seen through `occupied`.
#[inline(always)]
pub(crate) fn attacked_by<C: Side, S: Sliders>(
    board: &Board,
    occupied: Bitboard,
    sliders: S,
) -> Bitboard {
    let men = board.by_color(C::COLOR);
    let pawns = men & board.by_role(Role::Pawn);
    let mut attacked = (pawns - Bitboard::FILE_A).shifted(C::UP - 1)
        | (pawns - Bitboard::FILE_H).shifted(C::UP + 1)
        | attacks::king((men & board.by_role(Role::King)).first_or_a1());
    for from in men & board.by_role(Role::Knight) {
        attacked |= attacks::knight(from);
    }
    for from in men & board.diagonal_sliders() {
        attacked |= sliders.bishop(from, occupied);
    }
    for from in men & board.orthogonal_sliders() {
        attacked |= sliders.rook(from, occupied);
    }
    attacked
}

#[inline(always)]
pub(super) fn generate<C: Side, S: Sliders, V: MoveVisitor>(
    scene: &Scene<'_>,
    pins: &Pins,
    sliders: S,
    visitor: &mut V,
) {
    let steps = attacks::king(scene.king) - scene.own;
    let rights = scene.position.castling & C::BACK_RANK;
    let may_castle = rights.any() && pins.checkers.is_empty();
    // Most kings have nowhere to go most of the time; the squares they may not go to, the most
    // costly set of all, are worked out only for those that have.
    if steps.is_empty() && !(may_castle && path_is_clear::<C>(scene)) {
        return;
    }
    let banned = match visitor.attacked() {
        Some(attacked) if pins.checkers.is_empty() => attacked,
        _ => {
            // With the king lifted off the board, so that it does not hide a square behind itself.
            let lifted = scene.occupied - scene.king.into();
            attacked_by::<C::Other, S>(&scene.position.board, lifted, sliders)
        }
    };
    visitor.piece(Role::King, scene.king, steps - banned);
    if may_castle {
        castle::<C, S, V>(scene, banned, CastlingSide::KingSide, sliders, visitor);
        castle::<C, S, V>(scene, banned, CastlingSide::QueenSide, sliders, visitor);
    }
}

/// The squares that king and rook pass or land on, without their own, and the king's way alone.
#[inline(always)]
fn ways<C: Side>(scene: &Scene<'_>, side: CastlingSide) -> Option<(Bitboard, Bitboard)> {
    let king = scene.king;
    let rook = scene.position.castling_rook_to(C::COLOR, side)?;
    // With one right left, its rook is the first and the last one; the king tells its side.
    let on_this_side = match side {
        CastlingSide::KingSide => rook > king,
        CastlingSide::QueenSide => rook < king,
    };
    if !on_this_side {
        return None;
    }
    let (king_to, rook_to) = (side.king_to(C::COLOR), side.rook_to(C::COLOR));
    let king_way = attacks::between(king, king_to) | king_to.into();
    let rook_way = attacks::between(rook, rook_to) | rook_to.into();
    Some(((king_way | rook_way) - king.into() - rook.into(), king_way))
}

#[inline(always)]
fn path_is_clear<C: Side>(scene: &Scene<'_>) -> bool {
    CastlingSide::ALL
        .into_iter()
        .any(|side| ways::<C>(scene, side).is_some_and(|(way, _)| !way.intersects(scene.occupied)))
}

#[inline(always)]
fn castle<C: Side, S: Sliders, V: MoveVisitor>(
    scene: &Scene<'_>,
    banned: Bitboard,
    side: CastlingSide,
    sliders: S,
    visitor: &mut V,
) {
    let Some((way, king_way)) = ways::<C>(scene, side) else {
        return;
    };
    if way.intersects(scene.occupied) || king_way.intersects(banned) {
        return;
    }
    if !rook_shields_king::<C, S>(scene, side, sliders) {
        visitor.castle(side, scene.king, side.king_to(C::COLOR));
    }
}

/// In Chess960 the castling rook may have shielded the king from a rook behind it on the back rank.
#[inline(always)]
fn rook_shields_king<C: Side, S: Sliders>(
    scene: &Scene<'_>,
    side: CastlingSide,
    sliders: S,
) -> bool {
    let rights = scene.position.castling & C::BACK_RANK;
    if rights.is_subset_of(Bitboard::FILE_A | Bitboard::FILE_H) {
        return false;
    }
    let king_to = side.king_to(C::COLOR);
    let rook_from = scene.position.castling_rook_to(C::COLOR, side);
    let gone = Bitboard::from(scene.king) | rook_from.map_or(Bitboard::EMPTY, Bitboard::from);
    let after = (scene.occupied - gone) | king_to.into() | side.rook_to(C::COLOR).into();
    let rooks = scene.enemy & scene.position.board.orthogonal_sliders() & C::BACK_RANK;
    sliders.rook(king_to, after).intersects(rooks)
}

/// Whether castling to one side is legal: as `generate` would say, but only the squares of the
/// king's way are looked at.
pub(super) fn may_castle<C: Side>(scene: &Scene<'_>, side: CastlingSide) -> bool {
    let Some((way, king_way)) = ways::<C>(scene, side) else {
        return false;
    };
    let is_safe = |to| scene.position.is_safe(Role::King, scene.king, to);
    !way.intersects(scene.occupied)
        && is_safe(scene.king)
        && king_way.into_iter().all(is_safe)
        && !rook_shields_king::<C, TwoStage>(scene, side, TwoStage)
}
