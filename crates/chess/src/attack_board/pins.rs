//! Who gives check and who is pinned, read from the attack table.

use super::direction::Direction;
use super::{AttackBoard, PieceMask};
use crate::attacks::{self, Sliders};
use crate::side::Side;
use crate::{Bitboard, Role, Square};

/// The king of the side to move and what bears on it.
pub(super) struct Siege {
    pub(super) king: Square,
    /// The enemies that give check: one look-up.
    pub(super) checkers: PieceMask,
    /// The own men that must not leave their line to the king.
    pub(super) pinned: PieceMask,
}

impl Siege {
    /// A man is pinned if it is the first one seen from the king on some line, and an enemy slider
    /// attacks it along that line from the other side.
    #[inline(always)]
    pub(super) fn find<C: Side, S: Sliders>(board: &AttackBoard, sliders: S) -> Siege {
        let king = board.king_of(C::COLOR);
        let enemies = PieceMask::of(C::Other::COLOR);
        let own = board.by_color(C::COLOR);
        let occupied = board.occupied();
        let queens = board.by_role(Role::Queen);
        let mut siege = Siege {
            king,
            checkers: board.attacks.at(king) & enemies,
            pinned: PieceMask::EMPTY,
        };
        let rooks = (board.by_role(Role::Rook) | queens) & enemies;
        if rooks.any() {
            let shields = sliders.rook(king, occupied) & own;
            siege.pin(board, shields, rooks);
        }
        let bishops = (board.by_role(Role::Bishop) | queens) & enemies;
        if bishops.any() {
            let shields = sliders.bishop(king, occupied) & own;
            siege.pin(board, shields, bishops);
        }
        siege
    }

    #[inline(always)]
    fn pin(&mut self, board: &AttackBoard, shields: Bitboard, snipers: PieceMask) {
        for shield in shields {
            for sniper in board.attacks.at(shield) & snipers {
                let from = board.man(sniper).square;
                if Direction::between(from, shield) == Direction::between(shield, self.king) {
                    self.pinned |= super::mask_of(board.squares[shield.index()]);
                }
            }
        }
    }

    /// Where a man may land: anywhere but on its own, or, in check, on the checker or between.
    #[inline(always)]
    pub(super) fn open<C: Side>(&self, board: &AttackBoard) -> Bitboard {
        match self.checkers.first() {
            None => !board.by_color(C::COLOR),
            Some(checker) => {
                let from = board.man(checker).square;
                attacks::between(self.king, from) | from.into()
            }
        }
    }
}
