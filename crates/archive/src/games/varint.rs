//! Numbers in as few bytes as they need: seven bits a byte, the low ones first.

/// Appends a number.
#[inline]
pub(crate) fn put(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        // Cut to the low seven bits on purpose.
        #[allow(clippy::cast_possible_truncation)]
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    #[allow(clippy::cast_possible_truncation)]
    out.push(number as u8);
}

/// Takes a number off the front. `None` if there is none, or one of more than 32 bits.
#[inline]
pub(crate) fn take(bytes: &mut &[u8]) -> Option<usize> {
    let mut number = 0usize;
    for shift in [0, 7, 14, 21, 28] {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return (shift < 28 || byte < 0x10).then_some(number);
        }
    }
    None
}

/// Takes some bytes off the front.
#[inline]
pub(crate) fn take_bytes<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, 127, 128, 16_383, 16_384, u32::MAX as usize] {
            let mut bytes = Vec::new();
            put(&mut bytes, number);
            let mut rest = &bytes[..];
            assert_eq!(take(&mut rest), Some(number));
            assert!(rest.is_empty());
            assert_eq!(take(&mut &bytes[..bytes.len() - 1]), None);
        }
        assert_eq!(take(&mut &[0xff; 9][..]), None);
    }
}
