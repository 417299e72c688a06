//! Knights, bishops, rooks and queens.

use super::{MoveVisitor, Pins, Scene};
use crate::attacks::{self, Sliders};
use crate::{Bitboard, Role};

/// `open` are the squares where a man may land, before pins.
#[inline(always)]
pub(super) fn generate<S: Sliders, V: MoveVisitor>(
    scene: &Scene<'_>,
    pins: &Pins,
    open: Bitboard,
    sliders: S,
    visitor: &mut V,
) {
    let board = &scene.position.board;
    let pinned = pins.orthogonal | pins.diagonal;
    let free = scene.own - pinned;

    let mut tell = |role, from, reach: Bitboard| {
        visitor.reach(from, reach);
        visitor.piece(role, from, reach & open);
    };
    // A pinned knight cannot move at all.
    for from in free & board.by_role(Role::Knight) {
        tell(Role::Knight, from, attacks::knight(from));
    }
    for from in free & board.by_role(Role::Bishop) {
        tell(Role::Bishop, from, sliders.bishop(from, scene.occupied));
    }
    for from in free & board.by_role(Role::Rook) {
        tell(Role::Rook, from, sliders.rook(from, scene.occupied));
    }
    for from in free & board.by_role(Role::Queen) {
        tell(Role::Queen, from, sliders.queen(from, scene.occupied));
    }

    // A pinned slider keeps to its line if that is its way of moving. From one line of a pin it
    // cannot cross to another: lines through the king meet only there. So the union of the lines
    // serves for all of them.
    if (pinned & scene.own).any() {
        for from in scene.own & pins.diagonal & board.diagonal_sliders() {
            let role = if board.by_role(Role::Queen).contains(from) {
                Role::Queen
            } else {
                Role::Bishop
            };
            let targets = sliders.bishop(from, scene.occupied) & open & pins.diagonal;
            visitor.piece(role, from, targets);
        }
        for from in scene.own & pins.orthogonal & board.orthogonal_sliders() {
            let role = if board.by_role(Role::Queen).contains(from) {
                Role::Queen
            } else {
                Role::Rook
            };
            let targets = sliders.rook(from, scene.occupied) & open & pins.orthogonal;
            visitor.piece(role, from, targets);
        }
    }
}
