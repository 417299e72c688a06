//! The range coder: moves by their shares of an interval, as whole bytes.
//!
//! A game is an interval of the numbers from 0 to 1. Every move keeps the part of it that its share
//! of [`TOTAL`] gives. At the end the game is written as the fewest bytes that name a number inside:
//! as many as have been pushed out, or one more.

/// The shares of all moves, and the share of no move, make so much.
pub(super) const TOTAL: u32 = 1 << BITS;
const BITS: u32 = 16;

/// The interval is widened by a byte while it is narrower than this.
const NARROW: u64 = 1 << 56;

/// A part of [`TOTAL`]: from the sum of all shares before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Share {
    pub(super) before: u32,
    pub(super) size: u32,
}

/// Narrows an interval and pushes out bytes that no later move can change but by a carry.
#[derive(Debug)]
pub(super) struct RangeWriter<'a> {
    out: &'a mut Vec<u8>,
    /// Where the game's bytes begin: no carry goes further.
    begin: usize,
    low: u64,
    range: u64,
}

impl<'a> RangeWriter<'a> {
    pub(super) fn new(out: &'a mut Vec<u8>) -> RangeWriter<'a> {
        RangeWriter {
            begin: out.len(),
            out,
            low: 0,
            range: u64::MAX,
        }
    }

    #[inline(always)]
    pub(super) fn put(&mut self, share: Share) {
        let unit = self.range >> BITS;
        let (low, is_over) = self.low.overflowing_add(unit * u64::from(share.before));
        self.low = low;
        self.range = unit * u64::from(share.size);
        if is_over {
            self.carry();
        }
        while self.range < NARROW {
            self.out.push(self.low.to_be_bytes()[0]);
            self.low <<= 8;
            self.range <<= 8;
        }
    }

    #[cold]
    fn carry(&mut self) {
        for byte in self.out.iter_mut().skip(self.begin).rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                return;
            }
        }
    }

    /// Ends the game and tells how many bytes it has.
    pub(super) fn finish(mut self) -> usize {
        match ending(i128::from(self.low), self.range) {
            Ending::Nothing { carries } => {
                if carries {
                    self.carry();
                }
            }
            Ending::Byte { byte, carries } => {
                if carries {
                    self.carry();
                }
                self.out.push(byte);
            }
        }
        self.out.len() - self.begin
    }
}

/// What must follow the bytes that were pushed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    /// The bytes alone, read with zeros after them, are in the interval, or will be with a carry.
    Nothing { carries: bool },
    /// One more byte is needed: the least that will do.
    Byte { byte: u8, carries: bool },
}

/// `low` counts from where the next byte would stand. A reader may find it to be negative.
fn ending(low: i128, range: u64) -> Ending {
    let end = low + i128::from(range);
    if low <= 0 {
        return Ending::Nothing { carries: false };
    }
    if end > 1 << 64 {
        return Ending::Nothing { carries: true };
    }
    // The interval is at least as wide as a step of this byte.
    let value = (low + i128::from(NARROW) - 1) >> 56;
    let byte = u8::try_from(value & 0xff).unwrap_or_default();
    Ending::Byte {
        byte,
        carries: value > 0xff,
    }
}

/// Reads what [`RangeWriter`] has written. After the last byte it reads zeros.
#[derive(Clone, Copy, Debug)]
pub(super) struct RangeReader<'a> {
    bytes: &'a [u8],
    /// How many bytes have been pushed out by the writer at this place.
    pushed: usize,
    /// Eight bytes from there.
    window: u64,
    /// The same, less the low end of the interval.
    offset: u64,
    range: u64,
}

impl<'a> RangeReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> RangeReader<'a> {
        let mut first = [0; 8];
        for (to, from) in first.iter_mut().zip(bytes) {
            *to = *from;
        }
        let window = u64::from_be_bytes(first);
        RangeReader {
            bytes,
            pushed: 0,
            window,
            offset: window,
            range: u64::MAX,
        }
    }

    /// How many bytes are left, counted from the first that is not settled.
    pub(super) fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.pushed)
    }

    /// Whether the writer would have pushed out more bytes than there are.
    #[inline(always)]
    pub(super) fn is_past_end(&self) -> bool {
        self.pushed > self.bytes.len()
    }

    /// In whose share the number is: a value below [`TOTAL`], or not, which is nobody's.
    #[inline(always)]
    pub(super) fn value(&self) -> u64 {
        self.offset / (self.range >> BITS)
    }

    /// Takes the share that [`RangeReader::value`] is in.
    #[inline(always)]
    pub(super) fn take(&mut self, share: Share) {
        let unit = self.range >> BITS;
        self.offset = self.offset.wrapping_sub(unit * u64::from(share.before));
        self.range = unit * u64::from(share.size);
        while self.range < NARROW {
            let next = self.bytes.get(self.pushed + 8).copied().unwrap_or(0);
            self.pushed += 1;
            self.window = self.window << 8 | u64::from(next);
            self.offset = self.offset << 8 | u64::from(next);
            self.range <<= 8;
            // A share of 0 is nobody's and never taken; the loop would not end.
            if self.range == 0 {
                break;
            }
        }
    }

    /// Whether the writer, at this place, would have ended with just these bytes.
    #[inline]
    pub(super) fn is_end(&self) -> bool {
        let left = match self.bytes.len().checked_sub(self.pushed) {
            Some(left) if left <= 1 => left,
            _ => return false,
        };
        let low = i128::from(self.window) - i128::from(self.offset);
        match ending(low, self.range) {
            Ending::Nothing { carries } => left == 0 && !carries,
            Ending::Byte { byte, carries } => {
                left == 1 && !carries && self.bytes.last() == Some(&byte)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Random;

    /// Shares of all sizes, the least and the greatest among them.
    fn shares(random: &mut Random, len: usize) -> Vec<Share> {
        (0..len)
            .map(|_| {
                let size = match random.below(4) {
                    0 => 1,
                    1 => 1 + random.below(1 << 16) as u32,
                    2 => (1 << 16) - 1 - random.below(99) as u32,
                    _ => 1 + random.below(1 << 12) as u32,
                };
                Share {
                    before: random.below((TOTAL - size + 1) as usize) as u32,
                    size,
                }
            })
            .collect()
    }

    fn written(shares: &[Share]) -> Vec<u8> {
        let mut out = vec![0xff];
        let mut writer = RangeWriter::new(&mut out);
        for &share in shares {
            writer.put(share);
        }
        let len = writer.finish();
        assert_eq!(
            (out[0], out.len()),
            (0xff, 1 + len),
            "no carry leaves the game"
        );
        out.split_off(1)
    }

    #[test]
    fn what_is_written_is_read_and_costs_less_than_a_byte_too_much() {
        let mut random = Random::new(5);
        for len in 0..600 {
            let shares = shares(&mut random, len);
            let bytes = written(&shares);
            let information: f64 = shares
                .iter()
                .map(|share| 16.0 - f64::from(share.size).log2())
                .sum();
            assert!(8.0 * bytes.len() as f64 <= information + 8.0, "{len}");
            let mut reader = RangeReader::new(&bytes);
            for share in &shares {
                let value = reader.value();
                let before = u64::from(share.before);
                assert!((before..before + u64::from(share.size)).contains(&value));
                reader.take(*share);
                assert!(!reader.is_past_end());
            }
            assert!(reader.is_end());
        }
    }

    #[test]
    fn no_other_bytes_end_the_same_game() {
        let mut random = Random::new(6);
        for len in 0..200 {
            let shares = shares(&mut random, len);
            let bytes = written(&shares);
            let is_end = |bytes: &[u8]| {
                let mut reader = RangeReader::new(bytes);
                for share in &shares {
                    let value = reader.value();
                    let before = u64::from(share.before);
                    if !(before..before + u64::from(share.size)).contains(&value) {
                        return false;
                    }
                    reader.take(*share);
                }
                reader.is_end()
            };
            assert!(is_end(&bytes));
            for last in 0..=255 {
                let longer = [&bytes[..], &[last]].concat();
                assert!(!is_end(&longer));
                if let Some((&old, front)) = bytes.split_last() {
                    let other = [front, &[last]].concat();
                    assert_eq!(is_end(&other), old == last);
                }
            }
            if let Some((_, front)) = bytes.split_last() {
                assert!(!is_end(front));
            }
        }
    }
}
