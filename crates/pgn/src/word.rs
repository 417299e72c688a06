//! Eight bytes looked at in one go, as a number whose lowest byte is the first.
//!
//! Tests answer with the highest bit of each byte that passes. They are right up to the first one
//! that does, and that is all anybody asks for: a borrow can only spoil the bytes after it.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHEST: u64 = ONES << 7;

const fn all(byte: u8) -> u64 {
    ONES * byte as u64
}

/// The number of the first byte that passed a test; 8 if none did.
#[inline(always)]
pub(crate) const fn first(hits: u64) -> usize {
    hits.trailing_zeros() as usize / 8
}

/// Which bytes are 0, with rubbish in the lower bits.
#[inline(always)]
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word
}

/// Which bytes are this one.
#[inline(always)]
pub(crate) const fn bytes_equal(word: u64, byte: u8) -> u64 {
    zeros(word ^ all(byte)) & HIGHEST
}

/// Which bytes are quotes or line ends: or asterisks or the control sign 2, since these four differ in
/// two bits alone, and are found by one test.
#[inline(always)]
pub(crate) const fn quotes_and_line_ends(word: u64) -> u64 {
    zeros(word & all(!0x28) ^ all(0x02)) & HIGHEST
}

/// Which bytes are less than this one, which is at most 0x80.
#[inline(always)]
pub(crate) const fn bytes_below(word: u64, byte: u8) -> u64 {
    word.wrapping_sub(all(byte)) & !word & HIGHEST
}

/// Which bytes are above `z` or below the space: neither letters nor digits, and few of the signs.
#[inline(always)]
pub(crate) const fn beyond_letters(word: u64) -> u64 {
    let above = word.wrapping_add(all(0x7f - b'z'));
    let below = word.wrapping_sub(all(b' '));
    (above | below | word) & HIGHEST
}

/// Which bytes are landmarks ([`landmark`](crate::byte_class::landmark)).
#[inline(always)]
pub(crate) const fn landmarks(word: u64) -> u64 {
    let openers = zeros(word & all(0x9f) ^ all(0x1b));
    let dashes = zeros(word & all(0xf5) ^ all(0x25));
    let parens = zeros(word & all(0xfe) ^ all(0x28)) | zeros(word ^ all(b'*'));
    let newlines = zeros(word ^ all(b'\n'));
    (openers | dashes | parens | newlines | word) & HIGHEST
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::byte_class::landmark;

    #[test]
    fn words_and_bytes_agree_on_the_first_hit() {
        for byte in 0..=255u8 {
            for before in [b'a', b' ', b'N', byte.wrapping_sub(1), byte.wrapping_add(1)] {
                for at in 0..8 {
                    let mut bytes = [before; 8];
                    bytes[at] = byte;
                    let word = u64::from_le_bytes(bytes);
                    let slow = |test: &dyn Fn(u8) -> bool| {
                        bytes.iter().position(|&byte| test(byte)).unwrap_or(8)
                    };
                    assert_eq!(first(landmarks(word)), slow(&landmark));
                    assert_eq!(first(bytes_below(word, 0x21)), slow(&|b| b < 0x21));
                    assert_eq!(first(bytes_equal(word, b'}')), slow(&|b| b == b'}'));
                    let quotes = slow(&|b| matches!(b, b'"' | b'\n' | b'*' | 2));
                    assert_eq!(first(quotes_and_line_ends(word)), quotes);
                    let beyond = slow(&|b| !(b' '..=b'z').contains(&b));
                    assert_eq!(first(beyond_letters(word)), beyond);
                }
            }
        }
    }
}
