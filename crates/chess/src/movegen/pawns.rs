//! Pawns, all of them at once.

use super::{MoveVisitor, Pins, Scene};
use crate::attacks::{self, Sliders};
use crate::side::Side;
use crate::{Bitboard, Color, Role, Square};

/// How a pawn moves. West is towards the a-file, for both colours.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum PawnStep {
    Push,
    DoublePush,
    CaptureWest,
    CaptureEast,
}

impl PawnStep {
    /// All steps, in the order in which a [`MoveVisitor`] is told of them.
    pub const ALL: [PawnStep; 4] = [
        PawnStep::Push,
        PawnStep::DoublePush,
        PawnStep::CaptureWest,
        PawnStep::CaptureEast,
    ];

    /// Where the pawn stood that reached `to` by this step.
    #[must_use]
    #[inline(always)]
    pub const fn origin(self, color: Color, to: Square) -> Square {
        let up = match color {
            Color::White => 8,
            Color::Black => -8,
        };
        to.plus(-match self {
            PawnStep::Push => up,
            PawnStep::DoublePush => 2 * up,
            PawnStep::CaptureWest => up - 1,
            PawnStep::CaptureEast => up + 1,
        })
    }

    /// Whether the step takes a man.
    #[must_use]
    #[inline(always)]
    pub const fn is_capture(self) -> bool {
        matches!(self, PawnStep::CaptureWest | PawnStep::CaptureEast)
    }
}

#[inline(always)]
fn west<C: Side>(pawns: Bitboard) -> Bitboard {
    (pawns - Bitboard::FILE_A).shifted(C::UP - 1)
}

#[inline(always)]
fn east<C: Side>(pawns: Bitboard) -> Bitboard {
    (pawns - Bitboard::FILE_H).shifted(C::UP + 1)
}

#[inline(always)]
pub(super) fn generate<C: Side, S: Sliders, V: MoveVisitor>(
    scene: &Scene<'_>,
    pins: &Pins,
    open: Bitboard,
    sliders: S,
    visitor: &mut V,
) {
    let pawns = scene.own & scene.position.board.by_role(Role::Pawn);
    let free = pawns - (pins.orthogonal | pins.diagonal);
    // A pawn pinned on its file may push, one pinned on its diagonal may take the pinning man. In
    // both cases the step stays on the line; any other step would leave every line of pins.
    let on_file = pawns & pins.orthogonal;
    let on_diagonal = pawns & pins.diagonal;

    let empty = !scene.occupied;
    let pushed = (free.shifted(C::UP) | (on_file.shifted(C::UP) & pins.orthogonal)) & empty;
    let double = (pushed & C::THIRD_RANK).shifted(C::UP) & empty & open;
    let single = pushed & open;
    let takes = scene.enemy & open;
    let west = (west::<C>(free) | (west::<C>(on_diagonal) & pins.diagonal)) & takes;
    let east = (east::<C>(free) | (east::<C>(on_diagonal) & pins.diagonal)) & takes;

    visitor.pawns(PawnStep::Push, single - C::LAST_RANK);
    visitor.pawns(PawnStep::DoublePush, double);
    visitor.pawns(PawnStep::CaptureWest, west - C::LAST_RANK);
    visitor.pawns(PawnStep::CaptureEast, east - C::LAST_RANK);
    if ((single | west | east) & C::LAST_RANK).any() {
        visitor.promotions(PawnStep::Push, single & C::LAST_RANK);
        visitor.promotions(PawnStep::CaptureWest, west & C::LAST_RANK);
        visitor.promotions(PawnStep::CaptureEast, east & C::LAST_RANK);
    }
    if let Some(ep) = scene.position.ep_square {
        for from in attacks::pawn(C::Other::COLOR, ep) & pawns {
            if en_passant_is_legal::<C, S>(scene, pins, from, ep, sliders) {
                visitor.en_passant(from, ep);
            }
        }
    }
}

/// Looks at the board as it will be, both pawns gone from their squares: pins along the rank, where
/// two men leave at once, need no case of their own.
#[inline(always)]
pub(super) fn en_passant_is_legal<C: Side, S: Sliders>(
    scene: &Scene<'_>,
    pins: &Pins,
    from: Square,
    ep: Square,
    sliders: S,
) -> bool {
    let board = &scene.position.board;
    let taken = Bitboard(1 << (ep as u8 ^ 8));
    let after = (scene.occupied - taken - from.into()) | ep.into();
    let enemy = scene.enemy - taken;
    let leapers = pins.checkers & (board.by_role(Role::Pawn) | board.by_role(Role::Knight));
    (leapers - taken).is_empty()
        && !sliders
            .rook(scene.king, after)
            .intersects(enemy & board.orthogonal_sliders())
        && !sliders
            .bishop(scene.king, after)
            .intersects(enemy & board.diagonal_sliders())
}
