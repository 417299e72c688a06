//! Which squares a piece attacks.
//!
//! Leapers (king, knight, pawn) are one look-up. Sliders are two: the occupied squares that
//! matter are hashed to a small index, and the index names one of the few reach sets the square
//! has. The hash is a multiplication by a magic number, or the PEXT instruction where the CPU has
//! a fast one; [`dispatch`] asks the CPU once, outside the loop, and runs the whole job with the
//! better of the two.
//!
//! ```
//! use scoresheet_chess::{attacks, Bitboard, Square};
//! let blockers = Bitboard::from_iter([Square::E4, Square::C2]);
//! assert!(attacks::rook(Square::E1, blockers).contains(Square::E4));
//! assert!(!attacks::rook(Square::E1, blockers).contains(Square::E5));
//! assert_eq!(attacks::knight(Square::A1).len(), 2);
//! ```

// Bit counts, slots and row numbers: constants assert how large they get.
#![allow(clippy::cast_possible_truncation)]

#[cfg(target_arch = "x86_64")]
mod fill;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod leapers;
mod magics;
mod move_table;
#[cfg(target_arch = "x86_64")]
mod pext;
mod rays;
#[cfg(target_arch = "x86_64")]
mod shuffle;
mod spread;
mod two_stage;
mod weigh;
#[cfg(target_arch = "x86_64")]
mod wide;

use crate::{Bitboard, Color, Move, Role, Square};

pub use leapers::{king, kings, knight, knights, pawn};
pub(crate) use move_table::pawn_row;
#[cfg(target_arch = "x86_64")]
pub use pext::Pext;
pub use rays::{between, line};
pub(crate) use rays::{beyond, bishop_rays, dangers, rook_rays, seen_from};
pub use two_stage::{TableSizes, TwoStage, table_sizes};
pub use weigh::{PawnWeighing, WEIGHED, Weighing};
#[cfg(target_arch = "x86_64")]
pub use wide::Wide;

/// A way to look up what sliders attack.
pub trait Sliders: Copy {
    /// The squares a bishop attacks, up to and including the first man on each ray.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares a rook attacks, up to and including the first man on each ray.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares a queen attacks.
    #[inline(always)]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.bishop(square, occupied) | self.rook(square, occupied)
    }

    /// All that the men of one set attack along ranks and files, and those of another along
    /// diagonals: [`Sliders::rook`] and [`Sliders::bishop`] of all of them. Where the CPU has a way to
    /// do it without looking at one after the other, it takes as long for none as for many.
    #[inline(always)]
    fn rays(self, orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> [Bitboard; 2] {
        let mut reached = [Bitboard::EMPTY; 2];
        for from in orthogonal {
            reached[0] |= self.rook(from, occupied);
        }
        for from in diagonal {
            reached[1] |= self.bishop(from, occupied);
        }
        reached
    }

    /// Stage three: tells `take` the moves of a piece (not a pawn) to all its targets, a row of up to
    /// eight at a time with the number of moves in it. What stands behind them in the row is no
    /// concern of the taker's.
    fn rows(
        self,
        role: Role,
        from: Square,
        targets: Bitboard,
        enemy: Bitboard,
        take: impl FnMut(&[Move; 8], usize),
    );

    /// The `n`-th square of a set in ascending order, counted from 0 and taken modulo 64:
    /// [`Bitboard::nth`], by one PDEP where the CPU has the instruction. Decoders ask it for every
    /// move.
    #[inline(always)]
    fn nth(self, set: Bitboard, n: u32) -> Option<Square> {
        set.nth((n & 63) as usize)
    }

    /// Which of four sets have the squares of `mask`: four bits a square, the first set in the lowest
    /// of them, for the first sixteen squares in ascending order.
    #[inline(always)]
    fn membership(self, sets: [Bitboard; 4], mask: Bitboard) -> u64 {
        let mut bits = 0;
        for (at, square) in mask.into_iter().take(16).enumerate() {
            for (i, set) in sets.into_iter().enumerate() {
                bits |= (set.bits() >> square as u8 & 1) << (4 * at + i);
            }
        }
        bits
    }

    /// For every square, which of eight sets it is in: a bit for each, the first set in the lowest.
    #[inline(always)]
    fn spread(self, sets: [Bitboard; 8]) -> [u8; 64] {
        spread::spread(sets)
    }

    /// What each square of a set weighs, with its name, in ascending order. Behind the last one
    /// anything may be written.
    #[inline(always)]
    fn weigh(
        self,
        weighing: &Weighing<'_>,
        targets: Bitboard,
        names: &mut [u16; WEIGHED],
        sums: &mut [i16; WEIGHED],
    ) {
        weigh::one_by_one(self, weighing, targets, names, sums);
    }

    /// What the steps of pawns to four sets of squares weigh, which are in the order of
    /// [`PawnStep::ALL`](crate::PawnStep::ALL), with their names. Behind the last one anything may be
    /// written.
    #[inline(always)]
    fn weigh_pawns(
        self,
        weighing: &PawnWeighing<'_>,
        targets: [Bitboard; 4],
        names: &mut [u16; WEIGHED],
        sums: &mut [i16; WEIGHED],
    ) {
        weigh::pawns_one_by_one(self, weighing, targets, names, sums);
    }

    /// Only the names of the squares that [`Sliders::weigh`] would weigh.
    #[inline(always)]
    fn list(self, targets: Bitboard, name: u16, names: &mut [u16; WEIGHED]) {
        weigh::list_one_by_one(targets, name, names);
    }

    /// The sum of 32 products of numbers from 0 to 255 with the sums of two bytes that are signed.
    #[inline(always)]
    fn products(self, numbers: &[i16; 32], one: &[u8; 32], other: &[u8; 32]) -> i32 {
        let mut sum = 0;
        for ((number, one), other) in numbers.iter().zip(one).zip(other) {
            let weight = i16::from(one.cast_signed()) + i16::from(other.cast_signed());
            sum += i32::from(*number) * i32::from(weight);
        }
        sum
    }

    /// Asks for memory that will be read soon, every part that the cache keeps together, where there
    /// is a way to ask. It changes nothing but the time that reading takes.
    #[inline(always)]
    fn soon<T>(self, _: &[T]) {}

    /// Runs the job compiled for the CPU features that this look-up needs.
    fn run<J: Job>(self, job: J) -> J::Output;
}

/// Work that looks up sliders many times.
///
/// Mark `run` and what it calls in its loop `#[inline(always)]`: then the whole loop is compiled
/// once for each kind of CPU, and the choice is made once, by [`dispatch`].
pub trait Job {
    /// What the work gives.
    type Output;

    /// Does the work.
    fn run<S: Sliders>(self, sliders: S) -> Self::Output;
}

/// Runs a job with the fastest sliders of this CPU.
#[inline(always)]
pub fn dispatch<J: Job>(job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(pext) = Pext::detect() {
        return pext.run(job);
    }
    TwoStage.run(job)
}

/// [`dispatch`] for jobs that also weigh squares or sum up long rows: with the widest registers that
/// this CPU has. Others would only be compiled once more for nothing.
#[inline(always)]
pub fn dispatch_wide<J: Job>(job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(wide) = Wide::detect() {
        return wide.run(job);
    }
    dispatch(job)
}

/// The squares a bishop attacks on a board with these men.
#[must_use]
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    TwoStage.bishop(square, occupied)
}

/// The squares a rook attacks on a board with these men.
#[must_use]
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    TwoStage.rook(square, occupied)
}

/// The squares a queen attacks on a board with these men.
#[must_use]
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    TwoStage.queen(square, occupied)
}

/// What a man other than a pawn attacks on an empty board.
pub(crate) const fn empty_board(role: Role, square: Square) -> Bitboard {
    const KNIGHT: [(i8, i8); 8] = [
        (1, 2),
        (2, 1),
        (2, -1),
        (1, -2),
        (-1, -2),
        (-2, -1),
        (-2, 1),
        (-1, 2),
    ];
    const KING: [(i8, i8); 8] = [
        (0, 1),
        (1, 1),
        (1, 0),
        (1, -1),
        (0, -1),
        (-1, -1),
        (-1, 0),
        (-1, 1),
    ];
    let steps = match role {
        Role::Knight => KNIGHT,
        Role::King => KING,
        Role::Bishop => return rays::walk_all(square, &rays::BISHOP, Bitboard::EMPTY),
        Role::Rook => return rays::walk_all(square, &rays::ROOK, Bitboard::EMPTY),
        Role::Queen => {
            let bishop = rays::walk_all(square, &rays::BISHOP, Bitboard::EMPTY);
            return bishop.or(rays::walk_all(square, &rays::ROOK, Bitboard::EMPTY));
        }
        Role::Pawn => return Bitboard::EMPTY,
    };
    let mut reached = Bitboard::EMPTY;
    let mut i = 0;
    while i < 8 {
        if let Some(to) = square.offset(steps[i].0, steps[i].1) {
            reached.insert(to);
        }
        i += 1;
    }
    reached
}

/// The squares that a man of any role attacks.
#[must_use]
pub fn of(role: Role, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn(color, square),
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}
