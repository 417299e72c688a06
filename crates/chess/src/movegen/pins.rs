//! What gives check, and what must not leave its line.

use super::Scene;
use crate::attacks::{self, Sliders};
use crate::side::Side;
use crate::{Bitboard, Role};

/// Checkers and pins, found together in one pass from the king.
pub(crate) struct Pins {
    /// The enemy men that give check.
    pub(crate) checkers: Bitboard,
    /// The checkers and the squares between them and the king.
    pub(crate) check_line: Bitboard,
    /// Lines of pins along ranks and files, the pinning man included, the king not.
    pub(crate) orthogonal: Bitboard,
    /// Lines of pins along diagonals.
    pub(crate) diagonal: Bitboard,
}

impl Pins {
    /// Looks out from the king with only the *enemy* as obstacles: the sliders seen then either
    /// give check (nothing between) or pin (exactly one own man between).
    #[inline(always)]
    pub(crate) fn find<C: Side, S: Sliders>(scene: &Scene<'_>, sliders: S) -> Pins {
        let board = &scene.position.board;
        let (king, enemy) = (scene.king, scene.enemy);
        let leapers = enemy
            & ((attacks::pawn(C::COLOR, king) & board.by_role(Role::Pawn))
                | (attacks::knight(king) & board.by_role(Role::Knight)));
        let mut pins = Pins {
            checkers: leapers,
            check_line: leapers,
            orthogonal: Bitboard::EMPTY,
            diagonal: Bitboard::EMPTY,
        };
        let rooks = enemy & board.orthogonal_sliders() & attacks::rook_rays(king);
        if rooks.any() {
            let seen = rooks & sliders.rook(king, enemy);
            pins.orthogonal = pins.sort(scene, seen);
        }
        let bishops = enemy & board.diagonal_sliders() & attacks::bishop_rays(king);
        if bishops.any() {
            let seen = bishops & sliders.bishop(king, enemy);
            pins.diagonal = pins.sort(scene, seen);
        }
        pins
    }

    /// Notes the checks among the sliders that look at the king, and returns the lines of the pins.
    #[inline(always)]
    fn sort(&mut self, scene: &Scene<'_>, seen: Bitboard) -> Bitboard {
        let mut lines = Bitboard::EMPTY;
        for slider in seen {
            let between = attacks::between(scene.king, slider);
            let line = between | slider.into();
            let blockers = between & scene.own;
            if blockers.is_empty() {
                self.checkers.insert(slider);
                self.check_line |= line;
            } else if !blockers.is_many() {
                lines |= line;
            }
        }
        lines
    }
}
