//! Where a man goes on an empty board.

use crate::board::{Code, STEP, code_of, role_of};
use crate::{Bitboard, Color, Piece, Position, Role, Square, attacks};

const PAWN: Code = code_of(Piece::new(Color::White, Role::Pawn)) >> STEP;
/// No man has all three bits, so a pawn that takes can.
const PAWN_TAKES: Code = 7;

/// By the colour, by what moves (the three bits that tell roles apart, see
/// [`Board`](crate::Board)) and by the square it leaves. 8 KiB, of which games use a part.
static WAYS: [[[Bitboard; 64]; 8]; 2] = {
    let mut table = [[[Bitboard::EMPTY; 64]; 8]; 2];
    let mut from = 0;
    while from < 64 {
        let square = Square::ALL[from];
        let mut mover = 0;
        while mover < PAWN_TAKES {
            if let Some(role) = role_of(mover << STEP) {
                table[0][mover][from] = attacks::empty_board(role, square);
                table[1][mover][from] = table[0][mover][from];
            }
            mover += 1;
        }
        table[0][PAWN][from] = pushes(square, 1, 1);
        table[1][PAWN][from] = pushes(square, -1, 6);
        table[0][PAWN_TAKES][from] = captures(square, 1);
        table[1][PAWN_TAKES][from] = captures(square, -1);
        from += 1;
    }
    table
};

/// By what moves: everything if it is a pawn, everything if it jumps. A look-up, since a decoder has
/// to wait for the sight lines anyway.
static KINDS: [[Bitboard; 2]; 8] = {
    let mut table = [[Bitboard::EMPTY; 2]; 8];
    table[PAWN][0] = Bitboard::ALL;
    let mut mover = PAWN + 1;
    while mover < PAWN_TAKES {
        if mover & 1 != 0 {
            table[mover][1] = Bitboard::ALL;
        }
        mover += 1;
    }
    table
};

const fn pushes(from: Square, up: i8, first_rank: u8) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    if let Some(one) = from.offset(0, up) {
        set.insert(one);
        if from as u8 / 8 == first_rank
            && let Some(two) = one.offset(0, up)
        {
            set.insert(two);
        }
    }
    set
}

const fn captures(from: Square, up: i8) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    if let Some(left) = from.offset(-1, up) {
        set.insert(left);
    }
    if let Some(right) = from.offset(1, up) {
        set.insert(right);
    }
    set
}

/// The squares to which what stands on `from` goes if nothing is in its way. A pawn goes one way
/// when it takes and another when it does not.
#[inline(always)]
pub(super) fn of(color: Color, mover: Code, is_pawn_taking: bool, from: Square) -> Bitboard {
    let mover = mover | (usize::from(is_pawn_taking) * PAWN_TAKES);
    WAYS[color as usize][mover & 7][from.index()]
}

impl Position {
    /// The squares to which the man on `from`, one of the side to move, can go if the king is left
    /// out of account; castling is not among them. `ep` is the square where pawns may take in passing,
    /// if there is one: [`Position::ep_square`], unless the caller has a rule of its own.
    ///
    /// For decoders: there is no branch, since what moves next is what nobody can foresee. Every man
    /// looks along the lines of a queen; by arithmetic and not by look-up, since everything else
    /// waits for the answer.
    ///
    /// ```
    /// use scoresheet_chess::{Bitboard, Position, Square};
    /// let count = |from| Position::START.targets(from, Bitboard::EMPTY).len();
    /// assert_eq!([Square::E2, Square::G1, Square::D1].map(count), [2, 2, 0]);
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn targets(&self, from: Square, ep: Bitboard) -> Bitboard {
        let board = &self.board;
        let (own, occupied) = (board.by_color(self.turn), board.occupied());
        let mover = board.code_at(from) >> STEP;
        let [if_pawn, if_leaper] = KINDS[mover & 7];
        let seen = attacks::seen_from(from, occupied) | if_leaper;
        // A pawn is stopped by an enemy too, and takes elsewhere.
        let steps = of(self.turn, mover, false, from) & (seen - own - (occupied & if_pawn));
        let captures = of(self.turn, PAWN_TAKES, false, from) & ((occupied - own) | ep);
        steps | (captures & if_pawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_attacks_on_an_empty_board_and_pushes() {
        for color in Color::ALL {
            for from in Square::ALL {
                for role in Role::ALL {
                    let mover = code_of(Piece::new(color, role)) >> STEP;
                    let attacked = attacks::of(role, color, from, Bitboard::EMPTY);
                    if role == Role::Pawn {
                        assert_eq!(of(color, mover, true, from), attacked);
                        let pushed = of(color, mover, false, from);
                        assert!(!pushed.intersects(attacked));
                        assert!(pushed.iter().all(|to| to.file() == from.file()));
                    } else {
                        assert_eq!(of(color, mover, false, from), attacked);
                    }
                }
                assert_eq!(of(color, 0, false, from), Bitboard::EMPTY);
            }
        }
        let pawn = |color, from: Square| of(color, PAWN, false, from).len();
        assert_eq!(
            (
                pawn(Color::White, Square::E2),
                pawn(Color::Black, Square::E2)
            ),
            (2, 1)
        );
        assert_eq!(
            (
                pawn(Color::White, Square::E7),
                pawn(Color::Black, Square::E7)
            ),
            (1, 2)
        );
    }
}
