//! Stage one by PEXT: the instruction that gathers the bits under a mask.

use core::arch::x86_64::{
    __m128i, __m256i, _MM_HINT_T0, _mm_add_epi32, _mm_cvtsi128_si32, _mm_loadu_si128, _mm_prefetch,
    _mm_shuffle_epi32, _mm256_add_epi16, _mm256_add_epi32, _mm256_castsi256_si128,
    _mm256_cvtepi8_epi16, _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_madd_epi16,
    _pdep_u64, _pext_u64,
};
use core::sync::atomic::{AtomicU8, Ordering};

use super::two_stage::{INDEX, LANES, Lane, REACH};
use super::{Job, Sliders, fill, shuffle};
use crate::{Bitboard, Move, Role, Square};

/// Sliders by two look-ups, the first of them by PEXT. A value of this type is the proof that the
/// CPU has the instruction (and POPCNT, BMI1, LZCNT and AVX2 with it) and runs it fast.
#[derive(Clone, Copy, Debug)]
pub struct Pext(());

impl Pext {
    /// The proof, if this CPU can give it. The CPU is asked once and the answer is kept.
    #[must_use]
    #[inline(always)]
    pub fn detect() -> Option<Pext> {
        const UNKNOWN: u8 = 0;
        const NO: u8 = 1;
        const YES: u8 = 2;
        static ANSWER: AtomicU8 = AtomicU8::new(UNKNOWN);

        #[cold]
        fn ask() -> bool {
            let fast = has_features() && !runs_pext_in_microcode();
            ANSWER.store(if fast { YES } else { NO }, Ordering::Relaxed);
            fast
        }

        let fast = match ANSWER.load(Ordering::Relaxed) {
            YES => true,
            UNKNOWN => ask(),
            _ => false,
        };
        fast.then_some(Pext(()))
    }

    #[inline(always)]
    fn reach(self, lane: &Lane, occupied: Bitboard) -> Bitboard {
        // SAFETY: `self` proves that the CPU has BMI2. PEXT under a mask of n bits is less than
        // 2^n, so the slot is one of the lane's, and the rest is as in `TwoStage::reach`. The test
        // `pext_gives_the_same_sets` visits every entry. Measured: the checks add 16 % to the instructions of perft.
        #[allow(unsafe_code)]
        unsafe {
            let slot = _pext_u64(occupied.0, lane.mask) as usize;
            let number = *INDEX.by_pext.get_unchecked(lane.index as usize + slot);
            *REACH.get_unchecked(lane.reach as usize + number as usize)
        }
    }
}

fn has_features() -> bool {
    is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("avx2")
}

/// AMD's families before Zen 3 (15h Excavator, 17h Zen 1 and 2, 18h Hygon) take some 250 cycles
/// for what a multiplication does in four.
fn runs_pext_in_microcode() -> bool {
    let vendor = core::arch::x86_64::__cpuid(0);
    let signature = core::arch::x86_64::__cpuid(1).eax;
    let base = signature >> 8 & 15;
    let family = if base == 15 {
        base + (signature >> 20 & 255)
    } else {
        base
    };
    let is_amd = vendor.ebx == u32::from_le_bytes(*b"Auth");
    let is_hygon = vendor.ebx == u32::from_le_bytes(*b"Hygo");
    is_hygon || (is_amd && family < 0x19)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
fn run_with_features<J: Job>(pext: Pext, job: J) -> J::Output {
    job.run(pext)
}

/// Sixteen numbers and as many pairs of bytes.
///
/// # Safety
/// The CPU must have AVX2.
#[allow(unsafe_code)]
#[inline(always)]
unsafe fn half_products(numbers: &[i16; 16], one: &[u8; 16], other: &[u8; 16]) -> __m256i {
    // SAFETY: the caller says that the CPU has AVX2; loads are as long as the arrays.
    unsafe {
        let one = _mm_loadu_si128(one.as_ptr().cast::<__m128i>());
        let other = _mm_loadu_si128(other.as_ptr().cast::<__m128i>());
        let weights = _mm256_add_epi16(_mm256_cvtepi8_epi16(one), _mm256_cvtepi8_epi16(other));
        let numbers = _mm256_loadu_si256(numbers.as_ptr().cast::<__m256i>());
        _mm256_madd_epi16(numbers, weights)
    }
}

/// Both halves of 32.
#[inline(always)]
fn halves<T>(all: &[T; 32]) -> [&[T; 16]; 2] {
    match all.as_chunks::<16>().0 {
        [one, other] => [one, other],
        _ => unreachable!("twice sixteen are 32"),
    }
}

impl Sliders for Pext {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.reach(&LANES.bishop[square.index()], occupied)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.reach(&LANES.rook[square.index()], occupied)
    }

    #[inline(always)]
    fn rays(self, orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> [Bitboard; 2] {
        fill::rays(self, orthogonal, diagonal, occupied)
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
        shuffle::rows(self, role, from, targets, enemy, take);
    }

    #[inline(always)]
    fn nth(self, set: Bitboard, n: u32) -> Option<Square> {
        let nth_bit = 1 << (n & 63);
        // SAFETY: `self` proves that the CPU has BMI2. The safe twin is `Bitboard::nth`, compared
        // in `pext_finds_the_same_nth_square`.
        #[allow(unsafe_code)]
        let square = unsafe { _pdep_u64(nth_bit, set.0) };
        Bitboard(square).first()
    }

    #[inline(always)]
    fn membership(self, sets: [Bitboard; 4], mask: Bitboard) -> u64 {
        const EVERY_FOURTH: u64 = 0x1111_1111_1111_1111;
        let mut lane = EVERY_FOURTH;
        let [a, b, c, d] = sets.map(|set| {
            // SAFETY: `self` proves that the CPU has BMI2. The safe twin is that of the trait,
            // compared in `pext_tells_the_same_membership`.
            #[allow(unsafe_code)]
            let bits = unsafe { _pdep_u64(_pext_u64(set.0, mask.0), lane) };
            lane <<= 1;
            bits
        });
        a | b | c | d
    }

    #[inline(always)]
    fn products(self, numbers: &[i16; 32], one: &[u8; 32], other: &[u8; 32]) -> i32 {
        // SAFETY: `self` proves that the CPU has AVX2; all but the loads of the halves is done in
        // registers. The safe twin is that of the trait, compared in `pext_sums_the_same_products`.
        // Measured: the compiler makes three times the instructions of it, and decoding of
        // `modelled-max` takes a fifth more time.
        #[allow(unsafe_code)]
        unsafe {
            let ([n, m], [a, b], [c, d]) = (halves(numbers), halves(one), halves(other));
            let sums = _mm256_add_epi32(half_products(n, a, c), half_products(m, b, d));
            let four = _mm_add_epi32(
                _mm256_castsi256_si128(sums),
                _mm256_extracti128_si256::<1>(sums),
            );
            let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b1110>(four));
            _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<1>(two)))
        }
    }

    #[inline(always)]
    fn soon<T>(self, values: &[T]) {
        let begin = values.as_ptr().cast::<i8>();
        for line in (0..size_of_val(values)).step_by(64) {
            // SAFETY: a prefetch reads nothing and cannot fault, whatever the address.
            #[allow(unsafe_code)]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(begin.wrapping_add(line));
            }
        }
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
