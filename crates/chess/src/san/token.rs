//! The bytes of a move in a register.

#![allow(clippy::cast_possible_truncation)] // Bytes are cut out of words.

use crate::Square;

/// Up to seven bytes that may be the name of a move: no canonical name is longer. Where a name ends
/// is hard to foresee, so it is cut out of its text and taken apart without a branch.
///
/// ```
/// use scoresheet_chess::SanToken;
/// let token = SanToken::before_space(b"Nf3 Nf6 ").unwrap();
/// assert_eq!(token.len(), 3);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SanToken {
    /// The first byte is the lowest. None is 0; those after the last may be anything.
    word: u64,
    /// Eight for each byte.
    bits: u32,
}

const ONES: u64 = 0x0101_0101_0101_0101;

impl SanToken {
    /// The bytes before the first white space or control character; `None` if there are none, or
    /// eight.
    #[must_use]
    #[inline(always)]
    pub const fn before_space(text: &[u8; 8]) -> Option<SanToken> {
        let word = u64::from_le_bytes(*text);
        // The highest bit of each byte below 0x21; right up to the first.
        let spaces = word.wrapping_sub(ONES * 0x21) & !word & (ONES << 7);
        let bits = spaces.trailing_zeros() & !7;
        if bits == 0 || spaces == 0 {
            return None;
        }
        Some(SanToken { word, bits })
    }

    /// The whole text, if it is short enough and has no byte that is 0.
    #[must_use]
    #[inline]
    pub fn new(text: &[u8]) -> Option<SanToken> {
        // Two loads that overlap: a loop over so few bytes costs more than what follows.
        let (low, high, rest) = match text.len() {
            1 => (u64::from(text[0]), 0, 0),
            length @ 2..=3 => {
                let [low, high] = [text.first_chunk()?, text.last_chunk()?];
                let [low, high] = [low, high].map(|half| u64::from(u16::from_le_bytes(*half)));
                (low, high, length - 2)
            }
            length @ 4..=7 => {
                let [low, high] = [text.first_chunk()?, text.last_chunk()?];
                let [low, high] = [low, high].map(|half| u64::from(u32::from_le_bytes(*half)));
                (low, high, length - 4)
            }
            _ => return None,
        };
        let word = low | high << (8 * rest);
        let bits = 8 * text.len() as u32;
        let filled = word | u64::MAX << bits;
        let zeros = filled.wrapping_sub(ONES) & !filled & (ONES << 7);
        (zeros == 0).then_some(SanToken { word, bits })
    }

    /// The number of bytes, 1 to 7.
    #[must_use]
    #[inline(always)]
    #[allow(clippy::len_without_is_empty)] // It never is.
    pub const fn len(self) -> usize {
        self.bits as usize / 8
    }

    /// Without `+` or `#` at the end. What is left may be nothing.
    #[inline(always)]
    pub(super) const fn without_sign(self) -> SanToken {
        let last = (self.word >> (self.bits - 8)) as u8;
        // The two differ in one bit.
        let has_sign = last & !8 == b'#';
        SanToken {
            word: self.word,
            bits: self.bits - 8 * has_sign as u32,
        }
    }

    /// The square that the last two bytes name.
    #[inline(always)]
    pub(super) fn square(self) -> Option<Square> {
        let last = self.word.wrapping_shl(64 - self.bits) >> 48;
        // File and rank, a byte each, below 8; a borrow shows in the upper one.
        let pair = last.wrapping_sub(u64::from(u16::from_le_bytes(*b"a1")));
        (pair & !0x0707 == 0).then(|| Square::from_low_bits((pair | pair >> 5) as u8))
    }

    /// What stands before the square.
    #[inline(always)]
    pub(super) const fn head(self) -> u64 {
        self.word & !u64::MAX.wrapping_shl(self.bits.wrapping_sub(16))
    }

    /// The bytes and their number.
    pub(super) const fn padded(self) -> ([u8; 8], usize) {
        (self.word.to_le_bytes(), self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_taken_whole_or_not_at_all() {
        let text = b"exd8=Q#";
        for length in 1..=7 {
            let token = SanToken::new(&text[..length]).unwrap();
            let (bytes, found) = token.padded();
            assert_eq!(&bytes[..found], &text[..length]);
            let mut padded = *b"        ";
            padded[..length].copy_from_slice(&text[..length]);
            assert_eq!(SanToken::before_space(&padded).unwrap().len(), length);
            for zero in 0..length {
                let mut text = *text;
                text[zero] = 0;
                assert!(SanToken::new(&text[..length]).is_none());
            }
        }
        assert!(SanToken::new(b"").is_none());
        assert!(SanToken::new(b"Qa1xb2##").is_none());
        assert!(SanToken::before_space(b" e4 e5 N").is_none());
        assert!(SanToken::before_space(b"Qa1xb2##").is_none());
    }
}
