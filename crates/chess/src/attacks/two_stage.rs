//! Sliders in two stages.
//!
//! A rook on e4 can meet 1,024 different sets of blockers, but only 3·4·4·3 = 144 of the sets it
//! reaches differ: on each ray only the nearest blocker counts. So the reach sets are stored once
//! each, and what is stored for every set of blockers is one byte, the number of its reach set.
//!
//! ```text
//! stage 1   (occupied & mask) * magic >> shift   →  slot       (or PEXT, see `pext.rs`)
//!           INDEX[lane.index + slot]             →  number     (one byte)
//! stage 2   REACH[lane.reach + number]           →  reach set
//! ```
//!
//! A number is built from how far the piece gets on its four rays, in mixed radix: with ray
//! lengths a, b, c, d there are a·b·c·d of them, none is wasted, and none is larger than 143.

use super::rays::{self, Directions};
use super::{Job, Sliders, magics, move_table};
use crate::{Bitboard, Move, Role, Square};

/// Blocker sets of all squares: 102,400 for rooks and 5,248 for bishops.
pub(super) const SLOTS: usize = 102_400 + 5_248;
/// Different reach sets of all squares: 4,900 for rooks and 1,428 for bishops.
const REACHES: usize = 4_900 + 1_428;

/// Everything a look-up needs to know about one slider on one square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    /// The squares where a blocker matters: the rays without their last squares.
    pub(super) mask: u64,
    magic: u64,
    /// Where the slots of this square start.
    pub(super) index: u32,
    /// Where the reach sets of this square start.
    pub(super) reach: u16,
    shift: u8,
}

#[derive(Debug)]
pub(super) struct Lanes {
    pub(super) bishop: [Lane; 64],
    pub(super) rook: [Lane; 64],
}

pub(super) static LANES: Lanes = {
    let (bishop, slots, reaches) = lanes(&rays::BISHOP, &magics::BISHOP, 0, 0);
    let (rook, slots, reaches) = lanes(&rays::ROOK, &magics::ROOK, slots, reaches);
    assert!(slots as usize == SLOTS && reaches as usize == REACHES);
    Lanes { bishop, rook }
};

pub(super) static REACH: [Bitboard; REACHES] = {
    let mut table = [Bitboard::EMPTY; REACHES];
    let mut square = 0;
    while square < 64 {
        fill_reaches(&mut table, &LANES.bishop[square], square, &rays::BISHOP);
        fill_reaches(&mut table, &LANES.rook[square], square, &rays::ROOK);
        square += 1;
    }
    table
};

const fn ray_length(square: usize, step: (i8, i8)) -> usize {
    rays::walk(Square::ALL[square], step, Bitboard::EMPTY).len()
}

/// How many reach sets a slider has on a square: the product of the lengths of its rays.
const fn reach_count(square: usize, steps: &Directions) -> usize {
    let mut count = 1;
    let mut ray = 0;
    while ray < 4 {
        let length = ray_length(square, steps[ray]);
        count *= if length == 0 { 1 } else { length };
        ray += 1;
    }
    count
}

const fn blocker_mask(square: usize, steps: &Directions) -> u64 {
    let mut mask = 0;
    let mut ray = 0;
    while ray < 4 {
        let (files, ranks) = steps[ray];
        let mut at = Square::ALL[square];
        while let Some(next) = at.offset(files, ranks) {
            if next.offset(files, ranks).is_some() {
                mask |= 1 << next as u8;
            }
            at = next;
        }
        ray += 1;
    }
    mask
}

const fn lanes(
    steps: &Directions,
    magics: &[u64; 64],
    mut slots: u32,
    mut reaches: u16,
) -> ([Lane; 64], u32, u16) {
    let mut table = [Lane {
        mask: 0,
        magic: 0,
        index: 0,
        reach: 0,
        shift: 0,
    }; 64];
    let mut square = 0;
    while square < 64 {
        let mask = blocker_mask(square, steps);
        let bits = mask.count_ones();
        table[square] = Lane {
            mask,
            magic: magics[square],
            index: slots,
            reach: reaches,
            shift: (64 - bits) as u8,
        };
        reaches += reach_count(square, steps) as u16;
        slots += 1 << bits;
        square += 1;
    }
    (table, slots, reaches)
}

/// The number of the reach set for every set of blockers of every square, in two orders.
#[derive(Debug)]
pub(super) struct Index {
    by_magic: [u8; SLOTS],
    pub(super) by_pext: [u8; SLOTS],
}

pub(super) static INDEX: Index = {
    let mut index = Index {
        by_magic: [0; SLOTS],
        by_pext: [0; SLOTS],
    };
    let mut square = 0;
    while square < 64 {
        fill_numbers(&mut index, &LANES.bishop[square], square, &rays::BISHOP);
        fill_numbers(&mut index, &LANES.rook[square], square, &rays::ROOK);
        square += 1;
    }
    index
};

/// Starts from the empty set of blockers and doubles: the sets that hold the next blocker are
/// those that do not, with one distance cut short. The compiler's interpreter runs this for
/// 107,648 sets, so a set costs a dozen operations and not four walks; that takes three seconds
/// off forty.
const fn fill_numbers(index: &mut Index, lane: &Lane, square: usize, steps: &Directions) {
    let slots = lane.index as usize;
    // Where each ray's digit stands in the number, its largest value, and the rays themselves.
    let mut weight = [0; 4];
    let mut longest = [0; 4];
    let mut reach = [0; 4];
    let mut count = 1;
    let mut ray = 4;
    while ray > 0 {
        ray -= 1;
        let length = ray_length(square, steps[ray]);
        weight[ray] = count;
        longest[ray] = length;
        reach[ray] = rays::walk(Square::ALL[square], steps[ray], Bitboard::EMPTY).0;
        count *= if length == 0 { 1 } else { length };
    }
    // With no blocker every digit is at its largest, and so is the number.
    index.by_pext[slots] = (count - 1) as u8; // At most 143.
    let mut sets = 1;
    let mut left = lane.mask;
    while left != 0 {
        let blocker = left.trailing_zeros() as usize;
        left &= left - 1;
        let mut ray = 0;
        while reach[ray] >> blocker & 1 == 0 {
            ray += 1;
        }
        let weight = weight[ray] as u8;
        let longest = longest[ray] as u8;
        let blocked = Square::ALL[square].distance(Square::ALL[blocker]) - 1;
        let mut set = slots;
        while set < slots + sets {
            let number = index.by_pext[set];
            let digit = number / weight % longest;
            index.by_pext[set + sets] = if digit > blocked {
                number - (digit - blocked) * weight
            } else {
                number
            };
            set += 1;
        }
        sets *= 2;
    }
    let mut blockers = 0;
    let mut set = 0;
    while set < sets {
        index.by_magic[slots + slot_of(lane, blockers)] = index.by_pext[slots + set];
        blockers = blockers.wrapping_sub(lane.mask) & lane.mask;
        set += 1;
    }
}

/// Counts through all combinations of distances, the last ray fastest, as numbers are built.
const fn fill_reaches(
    table: &mut [Bitboard; REACHES],
    lane: &Lane,
    square: usize,
    steps: &Directions,
) {
    // The first 1, 2, … squares of each ray.
    let mut prefix = [[0; 7]; 4];
    let mut length = [1; 4];
    let mut ray = 0;
    while ray < 4 {
        let mut reached = 0;
        let mut at = Square::ALL[square];
        let mut squares = 0;
        while let Some(next) = at.offset(steps[ray].0, steps[ray].1) {
            reached |= 1 << next as u8;
            prefix[ray][squares] = reached;
            at = next;
            squares += 1;
            length[ray] = squares;
        }
        ray += 1;
    }
    let mut number = lane.reach as usize;
    let mut distance = [0; 4];
    loop {
        table[number] = Bitboard(
            prefix[0][distance[0]]
                | prefix[1][distance[1]]
                | prefix[2][distance[2]]
                | prefix[3][distance[3]],
        );
        number += 1;
        let mut ray = 4;
        loop {
            if ray == 0 {
                return;
            }
            ray -= 1;
            distance[ray] += 1;
            if distance[ray] < length[ray] {
                break;
            }
            distance[ray] = 0;
        }
    }
}

/// Stage one by magic multiplication.
#[inline(always)]
const fn slot_of(lane: &Lane, occupied: u64) -> usize {
    ((occupied & lane.mask).wrapping_mul(lane.magic) >> lane.shift) as usize
}

/// Sliders by two look-ups, the first of them hashed by a magic multiplication: for any CPU.
#[derive(Clone, Copy, Debug)]
pub struct TwoStage;

impl TwoStage {
    #[inline(always)]
    fn reach(lane: &Lane, occupied: Bitboard) -> Bitboard {
        let slot = lane.index as usize + slot_of(lane, occupied.0);
        // SAFETY: a lane's slots lie within INDEX: `slot_of` is less than 2^bits of the mask
        // because of the shift, and LANES' constant asserts that all of them add up to SLOTS. A
        // lane's reach sets lie within REACH in the same way, and INDEX holds numbers smaller than
        // the lane's count. The test `every_blocker_set_of_every_square` visits all 107,648 with
        // `reach_checked`, the twin with bounds checks. Measured: the checks add 16 % to the instructions of perft.
        #[allow(unsafe_code)]
        unsafe {
            let number = *INDEX.by_magic.get_unchecked(slot);
            *REACH.get_unchecked(lane.reach as usize + number as usize)
        }
    }

    /// The same with bounds checks.
    #[cfg(test)]
    fn reach_checked(lane: &Lane, occupied: Bitboard) -> Bitboard {
        let number = INDEX.by_magic[lane.index as usize + slot_of(lane, occupied.0)];
        REACH[lane.reach as usize + usize::from(number)]
    }
}

impl Sliders for TwoStage {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        TwoStage::reach(&LANES.bishop[square.index()], occupied)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        TwoStage::reach(&LANES.rook[square.index()], occupied)
    }

    #[inline(always)]
    fn rows(
        self,
        role: Role,
        from: Square,
        targets: Bitboard,
        enemy: Bitboard,
        take: impl FnMut(&[Move; 8], usize),
    ) {
        move_table::rows(role, from, targets, enemy, take);
    }

    #[inline(never)]
    fn run<J: Job>(self, job: J) -> J::Output {
        job.run(self)
    }
}

/// Bytes that the look-up tables take, stage by stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableSizes {
    /// Masks, magics and offsets.
    pub lanes: usize,
    /// One byte for every set of blockers.
    pub index: usize,
    /// The reach sets.
    pub reach: usize,
    /// What plain magic tables take: a reach set for every set of blockers.
    pub plain_magic: usize,
    /// Stage three by magic: the ready rows of moves and their indices.
    pub move_table: usize,
    /// Stage three by PEXT and shuffle; 0 where there is none.
    pub shuffle: usize,
}

/// The memory of each stage.
#[must_use]
pub fn table_sizes() -> TableSizes {
    TableSizes {
        lanes: size_of_val(&LANES),
        index: size_of_val(&INDEX.by_magic),
        reach: size_of_val(&REACH),
        plain_magic: SLOTS * 8,
        move_table: move_table::bytes(),
        #[cfg(target_arch = "x86_64")]
        shuffle: super::shuffle::bytes(),
        #[cfg(not(target_arch = "x86_64"))]
        shuffle: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn for_every_blocker_set(mut check: impl FnMut(Square, &Lane, &Directions, Bitboard)) -> usize {
        let mut visited = 0;
        for square in Square::ALL {
            for (lane, steps) in [
                (&LANES.bishop[square.index()], &rays::BISHOP),
                (&LANES.rook[square.index()], &rays::ROOK),
            ] {
                let mut blockers = 0u64;
                loop {
                    check(square, lane, steps, Bitboard(blockers));
                    visited += 1;
                    blockers = blockers.wrapping_sub(lane.mask) & lane.mask;
                    if blockers == 0 {
                        break;
                    }
                }
            }
        }
        visited
    }

    #[test]
    fn every_blocker_set_of_every_square() {
        let visited = for_every_blocker_set(|square, lane, steps, blockers| {
            let walked = rays::walk_all(square, steps, blockers);
            assert_eq!(TwoStage::reach_checked(lane, blockers), walked);
            assert_eq!(TwoStage::reach(lane, blockers), walked);
            // Men outside the mask change nothing.
            let outside = Bitboard(!lane.mask) - walked;
            assert_eq!(TwoStage::reach(lane, blockers | outside), walked);
        });
        assert_eq!(visited, 102_400 + 5_248);
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn pext_gives_the_same_sets() {
        let Some(pext) = super::super::Pext::detect() else {
            println!("skipped: this CPU has no fast PEXT");
            return;
        };
        for_every_blocker_set(|square, _, steps, blockers| {
            let reach = if steps == &rays::ROOK {
                pext.rook(square, blockers)
            } else {
                pext.bishop(square, blockers)
            };
            assert_eq!(reach, rays::walk_all(square, steps, blockers));
        });
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn pext_finds_the_same_nth_square() {
        let Some(pext) = super::super::Pext::detect() else {
            println!("skipped: this CPU has no fast PEXT");
            return;
        };
        let mut bits = 0x9e37_79b9_7f4a_7c15u64;
        for set in [0, 1, 1 << 63, u64::MAX] {
            bits = bits.rotate_left(17).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            for set in [set, bits, bits & bits >> 7].map(Bitboard) {
                for n in (0..=65).chain([127, 255, u32::MAX]) {
                    assert_eq!(pext.nth(set, n), TwoStage.nth(set, n), "{n} of {set:?}");
                    assert_eq!(pext.nth(set, n), set.nth(n as usize % 64));
                }
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn pext_tells_the_same_membership() {
        let Some(pext) = super::super::Pext::detect() else {
            println!("skipped: this CPU has no fast PEXT");
            return;
        };
        let mut bits = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = || {
            bits = bits.rotate_left(17).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            Bitboard(bits ^ bits >> 29)
        };
        for _ in 0..200 {
            let sets = [next(), next(), next(), next()];
            // Fewer squares than sixteen, and more.
            for mask in [next(), next() & next() & next(), Bitboard::EMPTY] {
                assert_eq!(
                    pext.membership(sets, mask),
                    TwoStage.membership(sets, mask),
                    "{sets:?} {mask:?}"
                );
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn pext_tells_the_same_rays() {
        let Some(pext) = super::super::Pext::detect() else {
            println!("skipped: this CPU has no fast PEXT");
            return;
        };
        let mut bits = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = || {
            bits = bits.rotate_left(17).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            Bitboard(bits ^ bits >> 29)
        };
        for _ in 0..2_000 {
            // Boards from full to empty, sliders on occupied squares and on others.
            let full = next();
            for occupied in [full, full & next(), full & next() & next(), Bitboard::EMPTY] {
                let (one, other) = (next() & next() & next(), next() & next());
                assert_eq!(
                    pext.rays(one, other, occupied),
                    TwoStage.rays(one, other, occupied),
                    "{one:?} {other:?} {occupied:?}"
                );
            }
        }
        for from in Square::ALL {
            let alone = Bitboard::from(from);
            let rays = [alone, Bitboard::EMPTY].map(|set| pext.rays(set, set, Bitboard::EMPTY));
            let empty = Bitboard::EMPTY;
            let both = [TwoStage.rook(from, empty), TwoStage.bishop(from, empty)];
            assert_eq!(rays, [both, [empty; 2]]);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn pext_sums_the_same_products() {
        let Some(pext) = super::super::Pext::detect() else {
            println!("skipped: this CPU has no fast PEXT");
            return;
        };
        let mut bits = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = || {
            bits = bits.rotate_left(17).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (bits ^ bits >> 29).to_le_bytes()[3]
        };
        for round in 0..1_000 {
            // All that there is, and the ends of it.
            let ends = [0, 127, 128, 255];
            let mut byte = || {
                let byte = next();
                if round % 2 == 0 {
                    byte
                } else {
                    ends[usize::from(byte >> 6)]
                }
            };
            let numbers = [(); 32].map(|()| i16::from(byte()));
            let (one, other) = ([(); 32].map(|()| byte()), [(); 32].map(|()| byte()));
            assert_eq!(
                pext.products(&numbers, &one, &other),
                TwoStage.products(&numbers, &one, &other)
            );
        }
    }

    #[test]
    fn two_stages_take_a_fifth_of_plain_magics() {
        let sizes = table_sizes();
        assert_eq!(sizes.index + sizes.reach, 158_272);
        assert_eq!(sizes.plain_magic, 861_184);
        // The figures of ARCHITECTURE.md.
        println!("{sizes:?}");
    }
}
