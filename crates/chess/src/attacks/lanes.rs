//! What AVX-512 does with boards of 64 bytes: the parts of which `wide.rs` is made.

use core::arch::x86_64::{
    __m256i, __m512i, _mm256_add_epi16, _mm512_add_epi16, _mm512_and_si512, _mm512_castsi512_si256,
    _mm512_cvtepi32_epi16, _mm512_cvtepu8_epi16, _mm512_cvtepu16_epi32, _mm512_i32gather_epi32,
    _mm512_loadu_si512, _mm512_mask_add_epi8, _mm512_maskz_compress_epi8, _mm512_maskz_mov_epi8,
    _mm512_permutex2var_epi16, _mm512_rolv_epi64, _mm512_set_epi64, _mm512_set1_epi8,
    _mm512_set1_epi32, _mm512_slli_epi32, _mm512_srli_epi32, _mm512_srlv_epi32,
};

use super::weigh::{PawnWeighing, Weighing};
use crate::Bitboard;

/// The number of every square.
static NUMBERS: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut square = 0;
    while square < 64 {
        numbers[square] = square as u8;
        square += 1;
    }
    numbers
};

/// The numbers of the squares of a set, in ascending order; behind them 0.
///
/// # Safety
/// The CPU must have what [`super::Wide`] proves.
#[allow(unsafe_code)]
#[inline(always)]
pub(super) unsafe fn numbers(set: Bitboard) -> __m512i {
    // SAFETY: the caller says so; 64 bytes are read from an array of 64.
    unsafe {
        let all = _mm512_loadu_si512(NUMBERS.as_ptr().cast::<__m512i>());
        _mm512_maskz_compress_epi8(set.0, all)
    }
}

/// Sixteen numbers of a table, by their places modulo its length, in the lower halves of 32 bits. What
/// is in the upper halves means nothing.
///
/// # Safety
/// The CPU must have what [`super::Wide`] proves.
#[allow(unsafe_code)]
#[inline(always)]
pub(super) unsafe fn gather<const N: usize>(table: &[i16; N], at: __m256i) -> __m512i {
    const { assert!(N.is_power_of_two() && N > 1 && N <= 1 << 15) };
    // SAFETY: the caller says so. What is gathered has four bytes: the pair of numbers that the wanted
    // one is in, one of N / 2.
    unsafe {
        let at = _mm512_and_si512(_mm512_cvtepu16_epi32(at), _mm512_set1_epi32(N as i32 - 1));
        let pair = _mm512_srli_epi32::<1>(at);
        let pair = _mm512_i32gather_epi32::<4>(pair, table.as_ptr().cast::<i32>());
        let second = _mm512_and_si512(_mm512_slli_epi32::<4>(at), _mm512_set1_epi32(16));
        _mm512_srlv_epi32(pair, second)
    }
}

// What follows are functions, not closures: a closure that is called twice may be compiled on its own,
// and then not for this CPU; decoding of modelled games took a third more time.

/// The first 32 of 64 bytes in 16 bits each.
///
/// # Safety
/// The CPU must have what [`super::Wide`] proves.
#[allow(unsafe_code)]
#[inline(always)]
pub(super) unsafe fn words(bytes: __m512i) -> __m512i {
    // SAFETY: the caller says so.
    unsafe { _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes)) }
}

/// For every square, which of four sets it is in: a bit for each.
///
/// # Safety
/// The CPU must have what [`super::Wide`] proves.
#[allow(unsafe_code)]
#[inline(always)]
pub(super) unsafe fn bits_of([a, b, c, d]: [Bitboard; 4]) -> __m512i {
    // SAFETY: the caller says so.
    unsafe {
        let bits = _mm512_maskz_mov_epi8(a.0, _mm512_set1_epi8(1));
        let bits = _mm512_mask_add_epi8(bits, b.0, bits, _mm512_set1_epi8(2));
        let bits = _mm512_mask_add_epi8(bits, c.0, bits, _mm512_set1_epi8(4));
        _mm512_mask_add_epi8(bits, d.0, bits, _mm512_set1_epi8(8))
    }
}

/// Numbers by squares.
///
/// # Safety
/// The CPU must have what [`super::Wide`] proves.
#[allow(unsafe_code)]
#[inline(always)]
pub(super) unsafe fn by_square(table: &[i16; 64], at: __m512i) -> __m512i {
    // SAFETY: the caller says so; 128 bytes are read from an array of 128.
    unsafe {
        let table = table.as_ptr().cast::<__m512i>();
        let (low, high) = (_mm512_loadu_si512(table), _mm512_loadu_si512(table.add(1)));
        _mm512_permutex2var_epi16(low, at, high)
    }
}

/// Adds to the sums of sixteen squares what is gathered for them.
///
/// # Safety
/// The CPU must have what [`super::Wide`] proves.
#[allow(unsafe_code)]
#[inline(always)]
pub(super) unsafe fn with_landings(weighing: &Weighing<'_>, sum: __m256i, at: __m256i) -> __m256i {
    // SAFETY: the caller says so.
    unsafe { _mm256_add_epi16(sum, _mm512_cvtepi32_epi16(gather(weighing.landings, at))) }
}

/// The same for steps of pawns: by landings, leavings and roads.
///
/// # Safety
/// The CPU must have what [`super::Wide`] proves.
#[allow(unsafe_code)]
#[inline(always)]
pub(super) unsafe fn with_ways(
    weighing: &PawnWeighing<'_>,
    sum: __m256i,
    at: [__m256i; 3],
) -> __m256i {
    // SAFETY: the caller says so.
    unsafe {
        let [landing, leaving, road] = at;
        let landing = gather(weighing.landings, landing);
        let leaving = gather(weighing.leavings, leaving);
        let road = gather(weighing.roads, road);
        // The sums of the upper halves are cut off.
        let more = _mm512_add_epi16(landing, _mm512_add_epi16(leaving, road));
        _mm256_add_epi16(sum, _mm512_cvtepi32_epi16(more))
    }
}

/// Sets moved by so many steps, each in a direction of its own.
///
/// # Safety
/// The CPU must have what [`super::Wide`] proves.
#[allow(unsafe_code)]
#[inline(always)]
pub(super) unsafe fn flown(sets: __m512i, by: i64) -> __m512i {
    // A step back is a rotation by 64 less.
    let (up, aside, right, left) = (8 * by, by, 9 * by, 7 * by);
    // SAFETY: the caller says so.
    unsafe {
        let steps = _mm512_set_epi64(
            64 - right,
            64 - left,
            right,
            left,
            64 - up,
            64 - aside,
            up,
            aside,
        );
        _mm512_rolv_epi64(sets, steps)
    }
}
