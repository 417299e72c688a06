//! Straight lines: rays, the squares between two squares, the line through them.

use super::leapers;
use crate::{Bitboard, Color, Role, Square};

/// The four directions of a slider as (file, rank) steps.
pub(super) type Directions = [(i8, i8); 4];
pub(super) const BISHOP: Directions = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
pub(super) const ROOK: Directions = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// The eight directions of a queen, by number.
const fn direction(number: usize) -> (i8, i8) {
    if number < 4 {
        ROOK[number]
    } else {
        BISHOP[number - 4]
    }
}

/// Walks from a square in one direction up to and including the first man: the definition that
/// every fast look-up is built from and compared with.
pub(super) const fn walk(square: Square, step: (i8, i8), occupied: Bitboard) -> Bitboard {
    let mut reached = Bitboard::EMPTY;
    let mut at = square;
    while let Some(next) = at.offset(step.0, step.1) {
        reached.insert(next);
        if occupied.contains(next) {
            break;
        }
        at = next;
    }
    reached
}

/// [`walk`] in all four directions.
pub(super) const fn walk_all(square: Square, steps: &Directions, occupied: Bitboard) -> Bitboard {
    let mut reached = Bitboard::EMPTY;
    let mut i = 0;
    while i < 4 {
        reached = reached.or(walk(square, steps[i], occupied));
        i += 1;
    }
    reached
}

const fn on_empty_board(steps: &Directions) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = walk_all(Square::ALL[square], steps, Bitboard::EMPTY);
        square += 1;
    }
    table
}

static BISHOP_RAYS: [Bitboard; 64] = on_empty_board(&BISHOP);
static ROOK_RAYS: [Bitboard; 64] = on_empty_board(&ROOK);

/// What a bishop attacks on an empty board.
#[inline(always)]
pub(crate) fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}

/// What a rook attacks on an empty board.
#[inline(always)]
pub(crate) fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}

/// From where a king may be in danger, on an empty board, by the role of the enemy: what five tables say,
/// on one line of the cache, since whoever asks needs most of it.
#[repr(align(64))]
pub(crate) struct Dangers([Bitboard; 8]);

impl Dangers {
    /// Where men of this role endanger the king.
    #[inline(always)]
    pub(crate) const fn from(&self, role: Role) -> Bitboard {
        self.0[role as usize]
    }
}

static DANGERS: [[Dangers; 64]; 2] = {
    const NONE: Dangers = Dangers([Bitboard::EMPTY; 8]);
    let (rook, bishop) = (on_empty_board(&ROOK), on_empty_board(&BISHOP));
    let mut table = [const { [NONE; 64] }; 2];
    let mut square = 0;
    while square < 128 {
        let (color, at) = (square / 64, square % 64);
        table[color][at] = Dangers([
            leapers::PAWN[color][at],
            leapers::KNIGHT[at],
            bishop[at],
            rook[at],
            bishop[at].or(rook[at]),
            leapers::KING[at],
            Bitboard::EMPTY,
            Bitboard::EMPTY,
        ]);
        square += 1;
    }
    table
};

/// What could give check to a king of this colour on this square.
#[inline(always)]
pub(crate) fn dangers(color: Color, king: Square) -> &'static Dangers {
    &DANGERS[color as usize][king.index()]
}

static BETWEEN: [[Bitboard; 64]; 64] = {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut number = 0;
        while number < 8 {
            let step = direction(number);
            let mut passed = Bitboard::EMPTY;
            let mut at = Square::ALL[a];
            while let Some(next) = at.offset(step.0, step.1) {
                table[a][next.index()] = passed;
                passed.insert(next);
                at = next;
            }
            number += 1;
        }
        a += 1;
    }
    table
};

/// What [`beyond`] says. A row for every king, which seldom moves: half a kilobyte of it is in use.
static BEYOND: [[Bitboard; 64]; 64] = {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut number = 0;
        while number < 8 {
            let step = direction(number);
            let mut at = Square::ALL[a];
            while let Some(next) = at.offset(step.0, step.1) {
                table[a][next.index()] = walk(next, step, Bitboard::EMPTY);
                at = next;
            }
            number += 1;
        }
        a += 1;
    }
    table
};

/// The four lines through a square: below it and above it in the order of squares, and both. The last
/// could be put together, but nobody waits for it.
static LINES: [[[u64; 3]; 4]; 64] = {
    let mut table = [[[0; 3]; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            let (files, ranks) = [(1, 0), (0, 1), (1, 1), (-1, 1)][line];
            let at = Square::ALL[square];
            let lower = walk(at, (-files, -ranks), Bitboard::EMPTY).0;
            let upper = walk(at, (files, ranks), Bitboard::EMPTY).0;
            table[square][line] = [lower, upper, lower | upper];
            line += 1;
        }
        square += 1;
    }
    table
};

/// The squares a queen attacks, worked out instead of looked up: more instructions, and half the
/// time until the answer is there, since one load of a small table stands before it and not two of
/// large ones, one after the other. For those who wait for it; a decoder does, a generator does not.
///
/// On each line: the nearest man below is the highest bit there, and subtracting it from the men
/// above changes all bits up to the nearest of those.
#[must_use]
#[inline(always)]
pub(crate) const fn seen_from(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = &LINES[square as usize];
    let mut seen = 0;
    let mut line = 0;
    while line < 4 {
        let [lower, upper, both] = lines[line];
        // With nobody below, a1 will do: it is on the line or masked.
        let nearest = 1 << 63 >> (lower & occupied.0 | 1).leading_zeros();
        let above = upper & occupied.0;
        seen |= (above ^ above.wrapping_sub(nearest)) & both;
        line += 1;
    }
    Bitboard(seen)
}

/// The squares strictly between two squares on one rank, file or diagonal; none otherwise.
#[must_use]
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The squares behind `b`, seen from `a` along a rank, file or diagonal; none if they are on no such line.
#[inline(always)]
pub(crate) fn beyond(a: Square, b: Square) -> Bitboard {
    BEYOND[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two squares; empty if there is none.
#[must_use]
pub fn line(a: Square, b: Square) -> Bitboard {
    let both = Bitboard::from(a) | b.into();
    if rook_rays(a).contains(b) {
        (rook_rays(a) & rook_rays(b)) | both
    } else if bishop_rays(a).contains(b) {
        (bishop_rays(a) & bishop_rays(b)) | both
    } else {
        Bitboard::EMPTY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every set of blockers on the rays of every square.
    #[test]
    fn seen_is_what_a_queen_attacks() {
        for square in Square::ALL {
            for steps in [&BISHOP, &ROOK] {
                let rays = walk_all(square, steps, Bitboard::EMPTY);
                let mut blockers = Bitboard::EMPTY;
                loop {
                    let walked = walk_all(square, steps, blockers);
                    assert_eq!(seen_from(square, blockers) & rays, walked, "{square}");
                    blockers = Bitboard(blockers.0.wrapping_sub(rays.0) & rays.0);
                    if blockers.is_empty() {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn between_and_line_agree_with_geometry() {
        for a in Square::ALL {
            for b in Square::ALL {
                let (af, ar) = (a.file().index() as i32, a.rank().index() as i32);
                let (bf, br) = (b.file().index() as i32, b.rank().index() as i32);
                let aligned =
                    a != b && (af == bf || ar == br || (af - bf).abs() == (ar - br).abs());
                for c in Square::ALL {
                    let (cf, cr) = (c.file().index() as i32, c.rank().index() as i32);
                    let on_line = aligned && (cf - af) * (br - ar) == (cr - ar) * (bf - af);
                    let inside = on_line
                        && c != a
                        && c != b
                        && (af.min(bf)..=af.max(bf)).contains(&cf)
                        && (ar.min(br)..=ar.max(br)).contains(&cr);
                    assert_eq!(line(a, b).contains(c), on_line, "{a} {b} {c}");
                    assert_eq!(between(a, b).contains(c), inside, "{a} {b} {c}");
                    let is_behind = between(a, c).contains(b);
                    assert_eq!(beyond(a, b).contains(c), is_behind, "{a} {b} {c}");
                }
            }
        }
    }
}
