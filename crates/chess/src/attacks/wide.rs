//! Sliders by PEXT on a CPU that has AVX-512, too: sets of squares are masks there, and a board of
//! bytes is one register.

use core::arch::x86_64::{
    __m256i, __m512i, _bzhi_u64, _mm256_storeu_si256, _mm512_add_epi16, _mm512_and_si512,
    _mm512_castsi512_si256, _mm512_cvtepu8_epi16, _mm512_extracti64x4_epi64, _mm512_loadu_si512,
    _mm512_mask_add_epi8, _mm512_mask_mov_epi8, _mm512_maskz_expand_epi8, _mm512_maskz_mov_epi8,
    _mm512_or_si512, _mm512_permutexvar_epi8, _mm512_permutexvar_epi16, _mm512_set_epi64,
    _mm512_set1_epi8, _mm512_set1_epi16, _mm512_set1_epi64, _mm512_setzero_si512,
    _mm512_slli_epi16, _mm512_srli_epi16, _mm512_storeu_si512, _mm512_xor_si512,
};
use core::sync::atomic::{AtomicU8, Ordering};

use super::lanes::{bits_of, by_square, flown, numbers, with_landings, with_ways, words};
use super::weigh::{self, PawnWeighing, WEIGHED, Weighing};
use super::{Job, Pext, Sliders};
use crate::{Bitboard, Move, PawnStep, Role, Square};

/// Sliders by PEXT, and sets of squares worked on with AVX-512. A value of this type is the proof that
/// the CPU has all of it (F, BW, DQ, VL, VBMI and VBMI2).
#[derive(Clone, Copy, Debug)]
pub struct Wide(Pext);

impl Wide {
    /// The proof, if this CPU can give it. The CPU is asked once and the answer is kept.
    #[must_use]
    #[inline(always)]
    pub fn detect() -> Option<Wide> {
        const UNKNOWN: u8 = 0;
        const NO: u8 = 1;
        const YES: u8 = 2;
        static ANSWER: AtomicU8 = AtomicU8::new(UNKNOWN);

        #[cold]
        fn ask() -> bool {
            let is_wide = has_features();
            ANSWER.store(if is_wide { YES } else { NO }, Ordering::Relaxed);
            is_wide
        }

        let is_wide = match ANSWER.load(Ordering::Relaxed) {
            YES => true,
            UNKNOWN => ask(),
            _ => false,
        };
        Pext::detect().filter(|_| is_wide).map(Wide)
    }
}

fn has_features() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
}

#[target_feature(
    enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2"
)]
#[inline(never)]
fn run_with_features<J: Job>(wide: Wide, job: J) -> J::Output {
    job.run(wide)
}

impl Sliders for Wide {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0.bishop(square, occupied)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0.rook(square, occupied)
    }

    #[inline(always)]
    fn rays(self, orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> [Bitboard; 2] {
        const NOT_A: i64 = !0x0101_0101_0101_0101;
        const NOT_H: i64 = 0x7f7f_7f7f_7f7f_7f7f;
        // The first and last rank, where a rotation comes in again from the other end.
        const NOT_1: i64 = !0xff;
        const NOT_8: i64 = 0x00ff_ffff_ffff_ffff;
        // SAFETY: `self` proves that the CPU has AVX-512; nothing but registers is touched. The safe twin
        // is that of the trait, compared in `wide_tells_the_same_rays`.
        #[allow(unsafe_code)]
        unsafe {
            // As in `fill.rs`, all eight directions at once.
            let (orthogonal, diagonal) = (orthogonal.0.cast_signed(), diagonal.0.cast_signed());
            let (o, d) = (orthogonal, diagonal);
            let from = _mm512_set_epi64(d, d, d, d, o, o, o, o);
            let empty = _mm512_set1_epi64((!occupied.0).cast_signed());
            let board = _mm512_set_epi64(
                NOT_H & NOT_8,
                NOT_A & NOT_8,
                NOT_A & NOT_1,
                NOT_H & NOT_1,
                NOT_8,
                NOT_H,
                NOT_1,
                NOT_A,
            );
            let mut set = from;
            let mut open = _mm512_and_si512(empty, board);
            set = _mm512_or_si512(set, _mm512_and_si512(open, flown(set, 1)));
            open = _mm512_and_si512(open, flown(open, 1));
            set = _mm512_or_si512(set, _mm512_and_si512(open, flown(set, 2)));
            open = _mm512_and_si512(open, flown(open, 2));
            set = _mm512_or_si512(set, _mm512_and_si512(open, flown(set, 4)));
            let reached = _mm512_and_si512(flown(set, 1), board);
            let half = |half: __m256i| {
                let [a, b, c, d] = core::mem::transmute::<__m256i, [u64; 4]>(half);
                Bitboard(a | b | c | d)
            };
            [
                half(_mm512_castsi512_si256(reached)),
                half(_mm512_extracti64x4_epi64::<1>(reached)),
            ]
        }
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
        self.0.rows(role, from, targets, enemy, take);
    }

    #[inline(always)]
    fn nth(self, set: Bitboard, n: u32) -> Option<Square> {
        self.0.nth(set, n)
    }

    #[inline(always)]
    fn membership(self, sets: [Bitboard; 4], mask: Bitboard) -> u64 {
        self.0.membership(sets, mask)
    }

    #[inline(always)]
    fn spread(self, sets: [Bitboard; 8]) -> [u8; 64] {
        let [a, b, c, d, e, f, g, h] = sets;
        // SAFETY: `self` proves that the CPU has AVX-512; a register of 64 bytes becomes an array of as
        // many. The safe twin is that of the trait, compared in `spread_sets_are_the_bits_of_squares`.
        #[allow(unsafe_code)]
        unsafe {
            let bits = bits_of([a, b, c, d]);
            let bits = _mm512_mask_add_epi8(bits, e.0, bits, _mm512_set1_epi8(16));
            let bits = _mm512_mask_add_epi8(bits, f.0, bits, _mm512_set1_epi8(32));
            let bits = _mm512_mask_add_epi8(bits, g.0, bits, _mm512_set1_epi8(64));
            let bits = _mm512_mask_add_epi8(bits, h.0, bits, _mm512_set1_epi8(-128));
            core::mem::transmute::<__m512i, [u8; 64]>(bits)
        }
    }

    #[inline(always)]
    fn weigh(
        self,
        weighing: &Weighing<'_>,
        targets: Bitboard,
        names: &mut [u16; WEIGHED],
        sums: &mut [i16; WEIGHED],
    ) {
        // SAFETY: `self` proves that the CPU has AVX-512 with VBMI2. Loads and stores are unaligned and
        // as long as the arrays, of which the types say the length. The safe twin is that of the trait,
        // compared in `wide_weighs_the_same`.
        #[allow(unsafe_code)]
        unsafe {
            let to = numbers(targets);
            let squares = _mm512_loadu_si512(weighing.squares.as_ptr().cast::<__m512i>());
            let aims = bits_of(weighing.aims);
            // From here on 32 squares in 16 bits each.
            let square = words(_mm512_permutexvar_epi8(to, squares));
            let aims = words(_mm512_permutexvar_epi8(to, aims));
            let to = words(to);
            let name = _mm512_or_si512(to, _mm512_set1_epi16(weighing.name.cast_signed()));
            _mm512_storeu_si512(names.as_mut_ptr().cast::<__m512i>(), name);

            let seen = _mm512_xor_si512(to, _mm512_set1_epi16(i16::from(weighing.flip)));
            let column = by_square(weighing.columns, seen);
            let leavings = _mm512_loadu_si512(weighing.leavings.as_ptr().cast::<__m512i>());
            let leaving = _mm512_permutexvar_epi16(_mm512_srli_epi16::<3>(square), leavings);
            let sum = _mm512_add_epi16(
                _mm512_add_epi16(column, leaving),
                _mm512_set1_epi16(weighing.base),
            );
            let landing = _mm512_or_si512(square, _mm512_slli_epi16::<8>(aims));
            let out = sums.as_mut_ptr().cast::<__m256i>();
            let (half, at) = (_mm512_castsi512_si256(sum), _mm512_castsi512_si256(landing));
            _mm256_storeu_si256(out, with_landings(weighing, half, at));
            if targets.len() > WEIGHED / 2 {
                let half = _mm512_extracti64x4_epi64::<1>(sum);
                let at = _mm512_extracti64x4_epi64::<1>(landing);
                _mm256_storeu_si256(out.add(1), with_landings(weighing, half, at));
            }
        }
    }

    #[inline(always)]
    fn weigh_pawns(
        self,
        weighing: &PawnWeighing<'_>,
        targets: [Bitboard; 4],
        names: &mut [u16; WEIGHED],
        sums: &mut [i16; WEIGHED],
    ) {
        let len: usize = targets.iter().map(|set| set.len()).sum();
        // SAFETY: `self` proves that the CPU has AVX-512 with VBMI2. Loads and stores are unaligned and
        // as long as the arrays, of which the types say the length. The safe twin is that of the trait,
        // compared in `wide_weighs_the_same_pawns`.
        #[allow(unsafe_code)]
        unsafe {
            // One list of all steps: each set of squares is moved behind those before.
            let (mut to, mut from) = (_mm512_setzero_si512(), _mm512_setzero_si512());
            let mut flags = _mm512_setzero_si512();
            let mut before = 0;
            for (step, set) in PawnStep::ALL.into_iter().zip(targets) {
                let lanes = _bzhi_u64(!0, set.len() as u32) << (before & 63);
                before += set.len();
                let squares = _mm512_maskz_expand_epi8(lanes, numbers(set));
                to = _mm512_or_si512(to, squares);
                // Numbers of squares are taken modulo 64.
                let back = step.origin(weighing.us, Square::A1) as u8;
                let back = _mm512_set1_epi8(back.cast_signed());
                from = _mm512_mask_add_epi8(from, lanes, squares, back);
                let flag = _mm512_set1_epi8(((weigh::kind(step) as u8) << 4).cast_signed());
                flags = _mm512_mask_mov_epi8(flags, lanes, flag);
            }
            from = _mm512_and_si512(from, _mm512_set1_epi8(63));

            let squares = _mm512_loadu_si512(weighing.squares.as_ptr().cast::<__m512i>());
            let aims = bits_of(weighing.aims);
            let [a, b] = weighing.left;
            let ways = _mm512_maskz_mov_epi8(a.0, _mm512_set1_epi8(1));
            let ways = _mm512_mask_add_epi8(ways, b.0, ways, _mm512_set1_epi8(2));
            let free = _mm512_maskz_mov_epi8(weighing.free.0, _mm512_set1_epi8(1));

            // From here on 32 steps in 16 bits each.
            let square = words(_mm512_permutexvar_epi8(to, squares));
            let left = words(_mm512_permutexvar_epi8(from, squares));
            let aims = words(_mm512_permutexvar_epi8(to, aims));
            let ways = words(_mm512_permutexvar_epi8(from, ways));
            let free = words(_mm512_permutexvar_epi8(to, free));
            let (to, from) = (words(to), words(from));
            let name = _mm512_or_si512(
                _mm512_or_si512(to, _mm512_slli_epi16::<6>(from)),
                _mm512_slli_epi16::<8>(words(flags)),
            );
            _mm512_storeu_si512(names.as_mut_ptr().cast::<__m512i>(), name);

            let flip = _mm512_set1_epi16(56 * i16::from(weighing.us as u8));
            let (to, from) = (_mm512_xor_si512(to, flip), _mm512_xor_si512(from, flip));
            let column = by_square(weighing.columns, to);
            let sum = _mm512_add_epi16(column, by_square(weighing.origins, from));
            let landing = _mm512_or_si512(square, _mm512_slli_epi16::<8>(aims));
            let how = _mm512_srli_epi16::<3>(square);
            let left = _mm512_slli_epi16::<5>(_mm512_srli_epi16::<3>(left));
            let leaving =
                _mm512_or_si512(how, _mm512_or_si512(left, _mm512_slli_epi16::<10>(ways)));
            let rank = _mm512_slli_epi16::<5>(_mm512_srli_epi16::<3>(to));
            let road = _mm512_or_si512(how, _mm512_or_si512(rank, _mm512_slli_epi16::<8>(free)));
            let out = sums.as_mut_ptr().cast::<__m256i>();
            let half = _mm512_castsi512_si256(sum);
            let at = [landing, leaving, road];
            let low = [
                _mm512_castsi512_si256(at[0]),
                _mm512_castsi512_si256(at[1]),
                _mm512_castsi512_si256(at[2]),
            ];
            _mm256_storeu_si256(out, with_ways(weighing, half, low));
            if len > WEIGHED / 2 {
                let half = _mm512_extracti64x4_epi64::<1>(sum);
                let high = [
                    _mm512_extracti64x4_epi64::<1>(at[0]),
                    _mm512_extracti64x4_epi64::<1>(at[1]),
                    _mm512_extracti64x4_epi64::<1>(at[2]),
                ];
                _mm256_storeu_si256(out.add(1), with_ways(weighing, half, high));
            }
        }
    }

    #[inline(always)]
    fn list(self, targets: Bitboard, name: u16, names: &mut [u16; WEIGHED]) {
        // SAFETY: `self` proves that the CPU has AVX-512 with VBMI2; 64 bytes are written to an array of
        // 64. The safe twin is that of the trait, compared in `wide_weighs_the_same`.
        #[allow(unsafe_code)]
        unsafe {
            let to = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(numbers(targets)));
            let name = _mm512_or_si512(to, _mm512_set1_epi16(name.cast_signed()));
            _mm512_storeu_si512(names.as_mut_ptr().cast::<__m512i>(), name);
        }
    }

    #[inline(always)]
    fn products(self, numbers: &[i16; 32], one: &[u8; 32], other: &[u8; 32]) -> i32 {
        self.0.products(numbers, one, other)
    }

    #[inline(always)]
    fn soon<T>(self, values: &[T]) {
        self.0.soon(values);
    }

    #[inline(always)]
    fn run<J: Job>(self, job: J) -> J::Output {
        // SAFETY: `self` proves that the CPU has the features that the function is compiled for.
        #[allow(unsafe_code)]
        unsafe {
            run_with_features(self, job)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::TwoStage;
    use super::*;
    use crate::Color;

    /// Numbers that look random, the same every time.
    struct Bits(u64);

    impl Bits {
        fn next(&mut self) -> u64 {
            self.0 = self.0.rotate_left(17).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            self.0 ^ self.0 >> 29
        }

        fn set(&mut self) -> Bitboard {
            Bitboard(self.next())
        }

        fn weights<const N: usize>(&mut self) -> [i16; N] {
            [(); N].map(|()| (self.next() >> 40) as u16 as i16)
        }
    }

    fn wide() -> Option<(Wide, Bits)> {
        let wide = Wide::detect();
        if wide.is_none() {
            println!("skipped: this CPU has no AVX-512 with VBMI2");
        }
        Some((wide?, Bits(0x9e37_79b9_7f4a_7c15)))
    }

    #[test]
    fn wide_tells_the_same_rays() {
        let Some((wide, mut bits)) = wide() else {
            return;
        };
        for _ in 0..2_000 {
            // Boards from full to empty, sliders on occupied squares and on others.
            let full = bits.set();
            let half = full & bits.set();
            for occupied in [full, half, half & bits.set(), Bitboard::EMPTY] {
                let (one, other) = (bits.set() & bits.set() & bits.set(), bits.set());
                assert_eq!(
                    wide.rays(one, other, occupied),
                    TwoStage.rays(one, other, occupied),
                    "{one:?} {other:?} {occupied:?}"
                );
            }
        }
    }

    #[test]
    fn wide_weighs_the_same() {
        let Some((wide, mut bits)) = wide() else {
            return;
        };
        let (columns, leavings) = (bits.weights(), bits.weights());
        let landings = bits.weights();
        for round in 0..3_000 {
            let squares = [(); 64].map(|()| (bits.next() >> 50) as u8);
            let weighing = Weighing {
                squares: &squares,
                aims: [(); 4].map(|()| bits.set()),
                flip: if round % 2 == 0 { 56 } else { 0 },
                columns: &columns,
                landings: &landings,
                leavings: &leavings,
                base: bits.next() as u16 as i16,
                name: (bits.next() as u16) << 6,
            };
            // As many as a man can have: mostly a few, sometimes more than sixteen.
            let mut targets = bits.set() & bits.set();
            if round % 3 != 0 {
                targets = targets & bits.set() & bits.set();
            }
            let len = targets.len();
            if len > WEIGHED {
                continue;
            }
            let [mut told, mut twin] = [([0; WEIGHED], [0; WEIGHED]); 2];
            wide.weigh(&weighing, targets, &mut told.0, &mut told.1);
            TwoStage.weigh(&weighing, targets, &mut twin.0, &mut twin.1);
            assert_eq!(
                (&told.0[..len], &told.1[..len]),
                (&twin.0[..len], &twin.1[..len])
            );
            let [mut told, mut twin] = [[0; WEIGHED]; 2];
            wide.list(targets, weighing.name, &mut told);
            TwoStage.list(targets, weighing.name, &mut twin);
            assert_eq!(told[..len], twin[..len]);
        }
    }

    #[test]
    fn wide_weighs_the_same_pawns() {
        let Some((wide, mut bits)) = wide() else {
            return;
        };
        let (columns, origins) = (bits.weights(), bits.weights());
        let (landings, leavings, roads) = (bits.weights(), bits.weights(), bits.weights());
        for round in 0..3_000 {
            let us = Color::ALL[round % 2];
            let squares = [(); 64].map(|()| (bits.next() >> 50) as u8);
            let weighing = PawnWeighing {
                squares: &squares,
                aims: [(); 4].map(|()| bits.set()),
                left: [bits.set(), bits.set()],
                free: bits.set(),
                us,
                columns: &columns,
                origins: &origins,
                landings: &landings,
                leavings: &leavings,
                roads: &roads,
            };
            // Up to eight pawns that are not on the last two ranks or their own first one, and some
            // of their steps.
            let mut pawns = bits.set() & Bitboard(0x0000_ffff_ffff_0000);
            while pawns.len() > round % 9 {
                pawns.pop_first();
            }
            let targets = PawnStep::ALL.map(|step| {
                let all = Square::ALL.into_iter();
                let to = all.filter(|&to| pawns.contains(step.origin(us, to)));
                to.collect::<Bitboard>()
                    & if round % 4 == 0 {
                        !Bitboard::EMPTY
                    } else {
                        bits.set()
                    }
            });
            let len = targets.iter().map(|set| set.len()).sum();
            let [mut told, mut twin] = [([0; WEIGHED], [0; WEIGHED]); 2];
            wide.weigh_pawns(&weighing, targets, &mut told.0, &mut told.1);
            TwoStage.weigh_pawns(&weighing, targets, &mut twin.0, &mut twin.1);
            assert_eq!(
                (&told.0[..len], &told.1[..len]),
                (&twin.0[..len], &twin.1[..len])
            );
        }
    }
}
