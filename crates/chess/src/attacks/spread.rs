//! Eight sets of squares as the eight bits of 64 bytes: a cube of bits, turned in two steps.

use crate::Bitboard;

/// See [`super::Sliders::spread`].
#[inline(always)]
pub(super) fn spread(planes: [Bitboard; 8]) -> [u8; 64] {
    // From a word a set with a byte a rank to a word a rank with a byte a set: blocks of four bytes
    // change places, then of two, then single ones.
    let mut words = planes.map(|plane| plane.0);
    for (step, mask) in [
        (4, 0x0000_0000_ffff_ffff),
        (2, 0x0000_ffff_0000_ffff),
        (1, 0x00ff_00ff_00ff_00ff),
    ] {
        for low in (0..8).filter(|at| at & step == 0) {
            let high = low | step;
            let change = (words[low] >> (8 * step) ^ words[high]) & mask;
            words[high] ^= change;
            words[low] ^= change << (8 * step);
        }
    }
    // In each word from a byte a set with a bit a file to a byte a file with a bit a set.
    let mut squares = [0; 64];
    let (ranks, _) = squares.as_chunks_mut::<8>();
    for (rank, word) in ranks.iter_mut().zip(words) {
        *rank = turned(word).to_le_bytes();
    }
    squares
}

/// Eight bytes of eight bits as a square of bits, rows and columns exchanged.
#[inline(always)]
const fn turned(mut word: u64) -> u64 {
    let change = (word >> 7 ^ word) & 0x00aa_00aa_00aa_00aa;
    word ^= change ^ change << 7;
    let change = (word >> 14 ^ word) & 0x0000_cccc_0000_cccc;
    word ^= change ^ change << 14;
    let change = (word >> 28 ^ word) & 0x0000_0000_f0f0_f0f0;
    word ^ change ^ change << 28
}

#[cfg(test)]
mod tests {
    use super::super::{Sliders, TwoStage};
    use super::*;
    use crate::Square;

    #[test]
    fn spread_sets_are_the_bits_of_squares() {
        let mut bits = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..500 {
            let planes = [(); 8].map(|()| {
                bits = bits.rotate_left(17).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                Bitboard(bits ^ bits >> 29)
            });
            let spread = TwoStage.spread(planes);
            for (square, byte) in Square::ALL.into_iter().zip(spread) {
                let bit = |at: usize| u8::from(planes[at].contains(square)) << at;
                assert_eq!(byte, (0..8).map(bit).sum::<u8>(), "{square}");
            }
            #[cfg(target_arch = "x86_64")]
            if let Some(wide) = super::super::Wide::detect() {
                assert_eq!(wide.spread(planes), spread);
            }
        }
    }
}
