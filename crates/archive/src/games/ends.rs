//! What tells short texts apart without a call to compare them.

/// How long a value is, its first eight bytes and its last: what tells names apart. Up to sixteen bytes,
/// only the same value has the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ends {
    length: usize,
    first: u64,
    last: u64,
}

impl Ends {
    #[inline(always)]
    pub(crate) fn of(value: &[u8]) -> Ends {
        let (first, last) = if let (Some(first), Some(last)) =
            (value.first_chunk::<8>(), value.last_chunk::<8>())
        {
            (u64::from_le_bytes(*first), u64::from_le_bytes(*last))
        } else if let (Some(first), Some(last)) =
            (value.first_chunk::<4>(), value.last_chunk::<4>())
        {
            let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
            (first.into(), last.into())
        } else {
            let word = |word: u64, byte: &u8| word << 8 | u64::from(*byte);
            (value.iter().fold(0, word), 0)
        };
        Ends {
            length: value.len(),
            first,
            last,
        }
    }

    /// How long the text is.
    pub(crate) const fn length(self) -> usize {
        self.length
    }

    /// Whether there is nothing between them.
    #[inline(always)]
    pub(crate) fn are_all(self) -> bool {
        self.length <= 16
    }

    #[inline(always)]
    pub(crate) fn hash(self) -> usize {
        let mixed = (self.first ^ self.last.rotate_left(29)).wrapping_add(self.length as u64);
        let wide = u128::from(mixed) * 0x9e37_79b9_7f4a_7c15;
        // The high half depends on all bits, and so does the sum.
        #[allow(clippy::cast_possible_truncation)]
        let folded = (wide >> 64) as usize ^ wide as usize;
        folded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_text_has_the_same_ends_up_to_sixteen_letters() {
        let text = b"abcdabcdabcdabcdabcd";
        let mut texts: Vec<Vec<u8>> = (0..20).map(|length| text[..length].to_vec()).collect();
        for length in 1..20 {
            for place in 0..length {
                let mut other = text[..length].to_vec();
                other[place] = b'x';
                texts.push(other);
            }
        }
        for one in &texts {
            for two in &texts {
                let (ends, others) = (Ends::of(one), Ends::of(two));
                if ends.are_all() {
                    assert_eq!(ends == others, one == two, "{one:?} {two:?}");
                }
                assert!(ends == others || one != two);
            }
        }
    }
}
