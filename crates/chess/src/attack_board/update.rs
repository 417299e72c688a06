//! Men appear, vanish and move, and the attack table follows.
//!
//! A man that changes place changes its own attacks, and those of the sliders that looked at its
//! squares: they see further over a square that is left, and less far over a square that is taken.
//! Who they are, the table says; which way they look, the table of directions says; what is gained
//! or lost is the rest of that ray. So no slider's role matters, and no slider is looked up again.

use super::direction::Direction;
use super::{AttackBoard, EMPTY, Man, PieceIndex, PieceMask};
use crate::attacks::{self, Sliders};
use crate::side::Side;
use crate::{Bitboard, Color, Role, Square};

/// What a man of this role attacks.
#[inline(always)]
fn attacks_of<S: Sliders>(
    sliders: S,
    role: Role,
    color: Color,
    square: Square,
    occupied: Bitboard,
) -> Bitboard {
    match role {
        Role::Pawn => attacks::pawn(color, square),
        Role::Knight => attacks::knight(square),
        Role::Bishop => sliders.bishop(square, occupied),
        Role::Rook => sliders.rook(square, occupied),
        Role::Queen => sliders.queen(square, occupied),
        Role::King => attacks::king(square),
    }
}

impl AttackBoard {
    /// Puts a man that is not on the board on an empty square.
    pub(super) fn add<S: Sliders>(
        &mut self,
        sliders: S,
        index: PieceIndex,
        role: Role,
        square: Square,
    ) {
        let color = index.color();
        let cut = self.attacks.at(square) & self.sliders();
        self.squares[square.index()] = index.number();
        self.list[index.index()] = Man { square, role };
        self.roles[role.index()] |= index.into();
        self.occupied[color.index()].insert(square);
        let reach = attacks_of(sliders, role, color, square, self.occupied());
        self.attacks.replace(PieceMask::EMPTY, index.into(), reach);
        self.toggle_beyond(cut, square);
        self.assert_sound();
    }

    /// Takes a man off the board.
    pub(super) fn remove(&mut self, index: PieceIndex) {
        let square = self.man(index).square;
        let gone = PieceMask::from(index);
        self.forget(gone);
        self.squares[square.index()] = EMPTY;
        self.occupied[index.color().index()].remove(square);
        let extended = self.attacks.at(square) & self.sliders();
        self.attacks
            .replace(gone, PieceMask::EMPTY, Bitboard::EMPTY);
        self.toggle_beyond(extended, square);
        self.assert_sound();
    }

    /// Moves a man of the side `C`, which is a `role` when it arrives, and takes the men in `taken`
    /// off the board: the enemy that stood on `to`, or nobody.
    ///
    /// Each ray is changed once:
    /// - The mover's old attacks are dropped and the new ones noted in one pass, so a slider that
    ///   stays on its ray needs no case of its own. The taken man's attacks go in the same pass.
    /// - Sliders that saw `from` see on, up to the first man *after* the move: that is the mover
    ///   itself if it went on along their ray, and what lies behind it is not touched twice.
    /// - Sliders that saw `to` are cut there, unless a man was taken: then `to` was an obstacle
    ///   before and is one now. If the mover came towards such a slider along its ray, the ray was
    ///   lengthened over `from` a moment ago; toggling the whole of it takes that back, too.
    #[inline(always)]
    pub(super) fn move_man<C: Side, S: Sliders>(
        &mut self,
        sliders: S,
        role: Role,
        from: Square,
        to: Square,
        taken: PieceMask,
    ) {
        let number = self.squares[from.index()];
        let index = PieceIndex::from_low_bits(number);
        let mover = PieceMask::from(index);
        let sliding = self.sliders();
        let extended = (self.attacks.at(from) & sliding) - taken;
        let cut = if taken.is_empty() {
            (self.attacks.at(to) & sliding) - mover
        } else {
            PieceMask::EMPTY
        };

        self.squares[from.index()] = EMPTY;
        self.squares[to.index()] = number;
        self.list[index.index()] = Man { square: to, role };
        let path = Bitboard::from(from) ^ to.into();
        self.occupied[C::COLOR.index()] ^= path;
        self.occupied[C::Other::COLOR.index()].remove(to);
        self.forget(taken);

        let reach = attacks_of(sliders, role, C::COLOR, to, self.occupied());
        self.attacks.replace(mover | taken, mover, reach);
        self.toggle_beyond(extended, from);
        self.toggle_beyond(cut, to);
        self.assert_sound();
    }

    /// Changes what a pawn is, before it moves.
    #[inline(always)]
    pub(super) fn promote(&mut self, index: PieceIndex, role: Role) {
        self.forget(index.into());
        self.roles[role.index()] |= index.into();
    }

    /// Takes men out of the sets of all roles.
    #[inline(always)]
    fn forget(&mut self, gone: PieceMask) {
        for role in &mut self.roles {
            *role &= !gone;
        }
    }

    /// Toggles the attacks that these sliders have, or would have, behind a square they see.
    #[inline(always)]
    fn toggle_beyond(&mut self, sliders: PieceMask, square: Square) {
        let occupied = self.occupied();
        for index in sliders {
            if let Some(direction) = Direction::between(self.man(index).square, square) {
                let beyond = direction.reach(square, occupied);
                self.attacks.toggle(index.into(), beyond);
            }
        }
    }

    #[inline(always)]
    fn assert_sound(&self) {
        #[cfg(any(test, debug_assertions))]
        super::sound::assert_sound(self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Move, Position};

    /// Each change compares the board with its definition: see `sound.rs`.
    #[test]
    fn men_come_and_go_anywhere() {
        let mut board = AttackBoard::from(&Position::START);
        let mut state = 1u64;
        let mut below = |limit: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005) + 1;
            (state >> 33) % limit
        };
        let (mut added, mut removed) = (0, 0);
        for _ in 0..20_000 {
            let index = PieceIndex::from_low_bits(u8::try_from(below(32)).unwrap());
            let square = Square::ALL[usize::try_from(below(64)).unwrap()];
            if board.piece(index).is_some() {
                board.remove(index);
                removed += 1;
            } else if board.index_at(square).is_none() {
                let role = Role::ALL[usize::try_from(below(6)).unwrap()];
                board.add(attacks::TwoStage, index, role, square);
                added += 1;
            }
        }
        assert!(added > 5_000 && removed > 5_000);
    }

    /// A promise of `play_unchecked`: what is not legal leaves a board that may mean nothing, but
    /// whose parts agree, and on which moves can be listed and played.
    #[test]
    fn no_word_breaks_the_board() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
            "4k3/P6P/8/3pP3/8/8/p6p/R3K2R w KQ d6",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb -",
        ] {
            let board: AttackBoard = fen.parse().unwrap();
            for (i, m) in (0..=u16::MAX).filter_map(Move::from_word).enumerate() {
                let mut after = board;
                after.play_unchecked(m);
                if i % 16 == 0 {
                    let mut again = after;
                    if let Some(m) = Move::from_word(m.word().rotate_left(5)) {
                        again.play_unchecked(m);
                    }
                    assert!(again.count_legal_moves() < 512);
                }
            }
        }
    }
}
