//! Kings, knights and pawns: one table each.

use crate::{Bitboard, Color, Square};

/// For every square, the squares at these (file, rank) distances that are on the board.
const fn leaper(jumps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut jump = 0;
        while jump < jumps.len() {
            let (files, ranks) = jumps[jump];
            if let Some(to) = Square::ALL[from].offset(files, ranks) {
                table[from].insert(to);
            }
            jump += 1;
        }
        from += 1;
    }
    table
}

pub(super) static KNIGHT: [Bitboard; 64] = leaper(&[
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
]);
pub(super) static KING: [Bitboard; 64] = leaper(&[
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
]);
pub(super) static PAWN: [[Bitboard; 64]; 2] =
    [leaper(&[(-1, 1), (1, 1)]), leaper(&[(-1, -1), (1, -1)])];

/// The squares a knight attacks.
#[must_use]
#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares a king attacks.
#[must_use]
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares that knights attack, all of them at once: [`knight`] for each.
#[must_use]
#[inline(always)]
pub const fn knights(men: Bitboard) -> Bitboard {
    // Files beside theirs, one away and two away, without those over the edge.
    let one = (men.0 & NOT_A) >> 1 | (men.0 & NOT_H) << 1;
    let two = (men.0 & NOT_AB) >> 2 | (men.0 & NOT_GH) << 2;
    Bitboard(one << 16 | one >> 16 | two << 8 | two >> 8)
}

/// The squares that kings on all these squares would attack: [`king`] for each.
#[must_use]
#[inline(always)]
pub const fn kings(men: Bitboard) -> Bitboard {
    let beside = (men.0 & NOT_A) >> 1 | (men.0 & NOT_H) << 1;
    let row = men.0 | beside;
    Bitboard(beside | row << 8 | row >> 8)
}

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;
const NOT_AB: u64 = NOT_A & NOT_A << 1;
const NOT_GH: u64 = NOT_H & NOT_H >> 1;

/// The squares a pawn attacks; not those it can move to.
#[must_use]
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(table: &[Bitboard; 64]) -> usize {
        table.iter().map(|set| set.len()).sum()
    }

    /// The well-known numbers of moves on an empty board, and the definition by distance.
    #[test]
    fn leapers_reach_what_their_distance_says() {
        assert_eq!((total(&KNIGHT), total(&KING)), (336, 420));
        assert_eq!((total(&PAWN[0]), total(&PAWN[1])), (98, 98));
        for from in Square::ALL {
            for to in Square::ALL {
                let files = from.file().index().abs_diff(to.file().index());
                let ranks = from.rank().index().abs_diff(to.rank().index());
                assert_eq!(knight(from).contains(to), files * ranks == 2);
                assert_eq!(king(from).contains(to), files.max(ranks) == 1);
                let up = to.rank().index() == from.rank().index() + 1;
                let down = to.rank().index() + 1 == from.rank().index();
                assert_eq!(pawn(Color::White, from).contains(to), files == 1 && up);
                assert_eq!(pawn(Color::Black, from).contains(to), files == 1 && down);
            }
        }
    }

    #[test]
    fn many_leapers_reach_what_each_does() {
        let mut bits = 0x9e37_79b9_7f4a_7c15u64;
        for round in 0..500 {
            bits = bits.rotate_left(17).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ round;
            // All squares, some, few.
            for men in [bits, bits & bits >> 9, bits & bits >> 9 & bits >> 21] {
                let men = Bitboard(men);
                let all = |of: fn(Square) -> Bitboard| {
                    men.into_iter()
                        .fold(Bitboard::EMPTY, |set, at| set | of(at))
                };
                assert_eq!((knights(men), kings(men)), (all(knight), all(king)));
            }
        }
    }
}
