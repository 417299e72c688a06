//! Static exchange evaluation: what a series of captures on one square is worth.
//!
//! Both sides capture in turn, each with its least valuable attacker, and either may stop when going
//! on would lose. The attackers are one entry of the attack table. When one of them has captured, a
//! slider behind it may see the square: that slider attacks the square which has just been left, in
//! the same direction, and so stands in *that* square's entry. Batteries of any length unfold this
//! way, and no ray is walked.
//!
//! ```text
//! see(move)   = what it takes + what promotion adds − best(the other side, the man that moved)
//! best(side)  = max(0, value on the square − best(other side, the man that captured))
//! ```
//!
//! What it does not know: pins, checks, and that a capture elsewhere may be better. A king captures
//! only what nobody protects. A pawn that captures on the last rank becomes a queen.

use super::direction::Direction;
use super::{AttackBoard, PieceMask};
use crate::{Bitboard, Color, Move, Role, Square};

/// What a man is worth in an exchange, in hundredths of a pawn. A king is worth more than all
/// others together, so that nobody gives it.
const VALUES: [i32; 6] = [100, 320, 330, 500, 900, 20_000];

impl AttackBoard {
    /// What a man of this role is worth in an exchange, in hundredths of a pawn.
    #[must_use]
    #[inline]
    pub const fn exchange_value(role: Role) -> i32 {
        VALUES[role.index()]
    }

    /// The material that a legal move wins or loses if both sides go on capturing on its square as
    /// long as it pays, in hundredths of a pawn.
    ///
    /// ```
    /// use scoresheet_chess::{AttackBoard, Move, MoveKind, Square};
    /// let board: AttackBoard = "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1".parse().unwrap();
    /// let takes = Move::new(Square::E1, Square::E5, MoveKind::Capture);
    /// assert_eq!(board.see(takes), 100);
    /// ```
    #[must_use]
    pub fn see(&self, m: Move) -> i32 {
        let (from, to) = (m.from(), m.to());
        let Some(mover) = self.index_at(from) else {
            return 0;
        };
        // Castling brings the king to a safe square, and the rook cannot be meant.
        if m.castling_side().is_some() {
            return 0;
        }
        let mut attackers = (self.attacks.at(to) - mover.into()) | self.behind(from, to);
        let mut gain = self
            .piece_at(to)
            .map_or(0, |taken| Self::exchange_value(taken.role));
        if m.flags() == 5 {
            let left = Square::from_low_bits(to as u8 ^ 8);
            attackers |= self.behind(left, to);
            gain = Self::exchange_value(Role::Pawn);
        }
        let mut standing = Self::exchange_value(self.man(mover).role);
        if let Some(role) = m.promotion() {
            gain += Self::exchange_value(role) - standing;
            standing = Self::exchange_value(role);
        }
        gain - self.best_exchange(to, attackers, !mover.color(), standing)
    }

    /// What `by` wins at least if it starts capturing the enemy on a square, whoever's turn it is;
    /// 0 if there is no enemy or capturing does not pay. A man for which this is not 0 hangs.
    ///
    /// ```
    /// use scoresheet_chess::{AttackBoard, Color, Square};
    /// let board: AttackBoard = "4k3/8/2n5/8/8/5b2/6P1/4K3 w - - 0 1".parse().unwrap();
    /// assert_eq!(board.capture_gain(Square::F3, Color::White), 330);
    /// assert_eq!(board.capture_gain(Square::G2, Color::Black), 100);
    /// assert_eq!(board.capture_gain(Square::C6, Color::White), 0);
    /// ```
    #[must_use]
    pub fn capture_gain(&self, square: Square, by: Color) -> i32 {
        match self.piece_at(square) {
            Some(man) if man.color != by => {
                let standing = Self::exchange_value(man.role);
                self.best_exchange(square, self.attacks.at(square), by, standing)
            }
            _ => 0,
        }
    }

    /// The slider, if there is one, that attacks `to` as soon as `left` is empty.
    #[inline]
    fn behind(&self, left: Square, to: Square) -> PieceMask {
        let Some(direction) = Direction::between(left, to) else {
            return PieceMask::EMPTY; // A knight's jump opens no line.
        };
        for index in self.attacks.at(left) & self.sliders() {
            if Direction::between(self.man(index).square, left) == Some(direction) {
                return index.into();
            }
        }
        PieceMask::EMPTY
    }

    /// The best that `side` can do against an enemy of value `standing` on `to`; not less than 0,
    /// since it need not capture.
    fn best_exchange(
        &self,
        to: Square,
        mut attackers: PieceMask,
        mut side: Color,
        mut standing: i32,
    ) -> i32 {
        let promotion = if Bitboard::BACK_RANKS.contains(to) {
            Self::exchange_value(Role::Queen) - Self::exchange_value(Role::Pawn)
        } else {
            0
        };
        // Every capture uses up a man: 32 are enough.
        let mut gains = [0; 32];
        let mut captures = 0;
        while let Some((index, role)) = self.least_valuable(attackers & PieceMask::of(side)) {
            let from = self.man(index).square;
            attackers = (attackers - index.into()) | self.behind(from, to);
            if role == Role::King && attackers.intersects(PieceMask::of(!side)) {
                break;
            }
            let bonus = if role == Role::Pawn { promotion } else { 0 };
            gains[captures % 32] = standing + bonus;
            captures += 1;
            standing = Self::exchange_value(role) + bonus;
            side = !side;
        }
        gains
            .into_iter()
            .take(captures)
            .rev()
            .fold(0, |best, gain| (gain - best).max(0))
    }
}
