//! Bits in, bits out: the most significant bit first.

// Windows and fields are cut to their low bits on purpose.
#![allow(clippy::cast_possible_truncation)]

use core::fmt;

use crate::MoveFault;

/// Up to 32 bits, as one move takes them.
///
/// ```
/// use scoresheet_codec::Bits;
/// let bits = Bits::new(0b1100_1, 5);
/// assert_eq!(bits.to_string(), "11001");
/// assert_eq!(Bits::new(1, 4).to_string(), "0001");
/// assert_eq!(Bits::EMPTY.to_string(), "");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Bits {
    value: u32,
    len: u32,
}

impl Bits {
    /// No bit at all: what a move costs that is the only one its piece has.
    pub const EMPTY: Bits = Bits { value: 0, len: 0 };

    /// The low `len` bits of `value`, at most 32.
    #[must_use]
    #[inline(always)]
    pub const fn new(value: u32, len: u32) -> Bits {
        let len = if len > 32 { 32 } else { len };
        let mask = ((1u64 << len) - 1) as u32;
        Bits {
            value: value & mask,
            len,
        }
    }

    /// The bits as a number.
    #[must_use]
    #[inline(always)]
    pub const fn value(self) -> u32 {
        self.value
    }

    /// How many bits there are.
    #[must_use]
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// These bits, then those of `other`. Bits past the 32nd are lost.
    #[must_use]
    #[inline(always)]
    pub const fn then(self, other: Bits) -> Bits {
        let joined = (self.value as u64) << other.len | other.value as u64;
        Bits::new(joined as u32, self.len + other.len)
    }
}

/// The digits, leading zeros included.
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.len == 0 {
            return Ok(());
        }
        write!(f, "{:0width$b}", self.value, width = self.len as usize)
    }
}

/// How many bits it takes to tell `count` things apart: 0 for one thing or none.
///
/// ```
/// use scoresheet_codec::width_of;
/// assert_eq!([1, 2, 3, 4, 5, 16, 17].map(width_of), [0, 1, 2, 2, 3, 4, 5]);
/// ```
#[must_use]
#[inline(always)]
pub const fn width_of(count: u32) -> u32 {
    u32::BITS - count.saturating_sub(1).leading_zeros()
}

/// Reads bits from bytes.
///
/// ```
/// use scoresheet_codec::BitReader;
/// let mut bits = BitReader::new(&[0b1100_1000]);
/// assert_eq!(bits.take(4), Ok(0b1100));
/// assert_eq!(bits.take(1), Ok(1));
/// assert!(bits.is_padding());
/// assert!(bits.take(4).is_err());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BitReader<'a> {
    /// The next bits, the first of them on top. Below the counted ones there may be more bits of
    /// the next byte: they are read again, and are the same.
    window: u64,
    in_window: u32,
    /// The bytes that have not been counted in.
    rest: &'a [u8],
}

impl<'a> BitReader<'a> {
    /// A reader at the first bit of `bytes`.
    #[must_use]
    #[inline(always)]
    pub const fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader {
            window: 0,
            in_window: 0,
            rest: bytes,
        }
    }

    /// How many bits are left.
    #[must_use]
    #[inline]
    pub const fn remaining(&self) -> usize {
        self.rest
            .len()
            .saturating_mul(8)
            .saturating_add(self.in_window as usize)
    }

    /// The next `width` bits, at most 32.
    ///
    /// # Errors
    /// [`MoveFault::Truncated`] if there are not so many.
    #[inline(always)]
    pub fn take(&mut self, width: u32) -> Result<u32, MoveFault> {
        if self.in_window < width {
            self.refill();
            if self.in_window < width {
                return Err(MoveFault::Truncated {
                    needed: width,
                    left: self.in_window,
                });
            }
        }
        Ok(self.take_from_window(width))
    }

    /// The next byte: [`BitReader::take`] of 8 bits, faster where the reader stands between bytes
    /// and has read nothing but bytes so far.
    ///
    /// # Errors
    /// [`MoveFault::Truncated`] if there is none.
    #[inline(always)]
    pub fn take_byte(&mut self) -> Result<u32, MoveFault> {
        if self.in_window != 0 {
            return self.take(8);
        }
        let Some((&byte, rest)) = self.rest.split_first() else {
            return Err(MoveFault::Truncated { needed: 8, left: 0 });
        };
        self.rest = rest;
        // There may be bits of this byte in the window that were not counted.
        self.window = 0;
        Ok(u32::from(byte))
    }

    /// The next two bytes, big-endian: [`BitReader::take`] of 16 bits, as [`BitReader::take_byte`].
    ///
    /// # Errors
    /// [`MoveFault::Truncated`] if there are not two.
    #[inline(always)]
    pub fn take_two_bytes(&mut self) -> Result<u32, MoveFault> {
        if self.in_window != 0 {
            return self.take(16);
        }
        let Some((&bytes, rest)) = self.rest.split_first_chunk() else {
            let left = if self.rest.is_empty() { 0 } else { 8 };
            return Err(MoveFault::Truncated { needed: 16, left });
        };
        self.rest = rest;
        self.window = 0;
        Ok(u32::from(u16::from_be_bytes(bytes)))
    }

    /// Gets 56 bits ready if it is `time`, and 32 otherwise, as far as there are so many.
    /// [`BitReader::take`] does that by itself when the bits run out; but when that will be, no branch
    /// predictor knows. Called before each move, with every other one being the time for it, it costs a
    /// few instructions and no surprise.
    #[inline(always)]
    pub fn prepare(&mut self, time: bool) {
        if (time && self.rest.len() >= 8) || self.in_window < 32 {
            self.refill();
        }
    }

    /// The bits are known to be there. In two steps, since a shift by 64 is none.
    #[inline(always)]
    fn take_from_window(&mut self, width: u32) -> u32 {
        let width = width & 63;
        let value = (self.window >> 1 >> (63 - width)) as u32;
        self.window <<= width;
        self.in_window -= width;
        value
    }

    /// Fills the window to 56 bits or more, or to the end. No loop where eight bytes are left.
    #[inline(always)]
    fn refill(&mut self) {
        let Some(next) = self.rest.first_chunk::<8>() else {
            *self = self.refilled_from_tail();
            return;
        };
        self.window |= u64::from_be_bytes(*next) >> (self.in_window & 63);
        let counted = (63 - (self.in_window & 63)) as usize / 8;
        self.rest = self.rest.get(counted..).unwrap_or_default();
        self.in_window |= 56;
    }

    /// By value: a reader whose address nobody takes stays in registers.
    #[cold]
    #[inline(never)]
    fn refilled_from_tail(mut self) -> BitReader<'a> {
        while self.in_window <= 56 {
            let Some((&byte, rest)) = self.rest.split_first() else {
                break;
            };
            self.window |= u64::from(byte) << (56 - self.in_window);
            self.in_window += 8;
            self.rest = rest;
        }
        self
    }

    /// Whether nothing is left but padding: fewer than eight bits, all of them 0.
    #[must_use]
    #[inline]
    pub fn is_padding(&self) -> bool {
        let mut rest = *self;
        self.remaining() < 8 && {
            rest.refill();
            rest.take_from_window(rest.in_window) == 0
        }
    }
}

/// Writes bits to bytes.
///
/// ```
/// use scoresheet_codec::{Bits, BitWriter};
/// let mut bytes = Vec::new();
/// let mut bits = BitWriter::new(&mut bytes);
/// bits.put(Bits::new(0b11001, 5));
/// assert_eq!(bits.finish(), 5);
/// assert_eq!(bytes, [0xc8]);
/// ```
#[derive(Debug)]
pub struct BitWriter<'a> {
    out: &'a mut Vec<u8>,
    /// The low `pending` bits have not been written yet, fewer than 32 of them.
    window: u64,
    pending: u32,
    before: usize,
}

impl<'a> BitWriter<'a> {
    /// A writer that appends to `out`, from a new byte on.
    #[must_use]
    pub const fn new(out: &'a mut Vec<u8>) -> BitWriter<'a> {
        let before = out.len();
        BitWriter {
            out,
            window: 0,
            pending: 0,
            before,
        }
    }

    /// Appends bits.
    #[inline(always)]
    pub fn put(&mut self, bits: Bits) {
        self.window = self.window << bits.len | u64::from(bits.value);
        self.pending += bits.len;
        if self.pending >= 32 {
            self.pending -= 32;
            let full = (self.window >> self.pending) as u32;
            self.out.extend_from_slice(&full.to_be_bytes());
        }
    }

    /// Pads the last byte with zeros and tells how many bits were put.
    pub fn finish(self) -> usize {
        let whole = self.out.len() - self.before;
        let mut left = self.pending;
        while left > 0 {
            let byte = if left >= 8 {
                self.window >> (left - 8)
            } else {
                self.window << (8 - left)
            };
            self.out.push(byte as u8);
            left = left.saturating_sub(8);
        }
        whole * 8 + self.pending as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Widths that walk through every alignment, against a reader that knows no window.
    #[test]
    fn what_is_put_is_taken() {
        let widths = || (0..2_000u32).map(|i| (i * 7 + i / 3) % 33);
        let value = |i: u32, width: u32| {
            (u64::from(i).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as u32
                & ((1u64 << width) - 1) as u32
        };
        let mut bytes = vec![0xaa];
        let mut writer = BitWriter::new(&mut bytes);
        let mut digits = String::new();
        for (i, width) in (0..).zip(widths()) {
            let bits = Bits::new(value(i, width), width);
            writer.put(bits);
            digits += &bits.to_string();
        }
        assert_eq!(writer.finish(), digits.len());
        let written: String = bytes[1..].iter().map(|b| format!("{b:08b}")).collect();
        assert_eq!(&written[..digits.len()], digits);
        assert!(written[digits.len()..].bytes().all(|b| b == b'0'));
        assert!(written.len() < digits.len() + 8);

        let mut reader = BitReader::new(&bytes[1..]);
        let mut left = written.len();
        for (i, width) in (0..).zip(widths()) {
            assert_eq!(reader.remaining(), left);
            assert_eq!(reader.take(width), Ok(value(i, width)));
            left -= width as usize;
        }
        assert!(reader.is_padding());
    }

    #[test]
    fn the_end_is_known() {
        let mut reader = BitReader::new(&[0xff, 0x01]);
        assert_eq!(reader.take(9), Ok(0x1fe));
        assert!(!reader.is_padding(), "seven bits, the last one set");
        let fault = MoveFault::Truncated { needed: 8, left: 7 };
        assert_eq!(reader.take(8), Err(fault));
        assert_eq!(reader.take(7), Ok(1));
        assert!(reader.is_padding());
        assert!(!BitReader::new(&[0]).is_padding(), "a whole byte");
        assert!(BitReader::new(&[]).is_padding());
    }
}
