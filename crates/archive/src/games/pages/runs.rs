//! Small numbers as runs and packed bits: what is there, what begins a list, places in a dictionary.

use crate::games::varint;

/// Appends numbers of so many bits.
pub(super) struct RunWriter<'a> {
    out: &'a mut Vec<u8>,
    width: u32,
    /// The number that came last, and how often.
    last: u32,
    count: usize,
    /// Numbers before it that make no run.
    loose: &'a mut Vec<u32>,
}

/// Packed numbers come in groups of so many, and a shorter run is not worth it.
const GROUP: usize = 8;

impl<'a> RunWriter<'a> {
    /// A writer behind what is in `out`. `loose` is memory to use again.
    pub(super) fn new(width: u32, out: &'a mut Vec<u8>, loose: &'a mut Vec<u32>) -> RunWriter<'a> {
        loose.clear();
        RunWriter {
            out,
            width,
            last: 0,
            count: 0,
            loose,
        }
    }

    /// Puts the same number so many times.
    #[inline]
    pub(super) fn put(&mut self, number: u32, count: usize) {
        if number != self.last {
            self.end_run();
            self.last = number;
        }
        self.count += count;
    }

    #[inline]
    fn end_run(&mut self) {
        let count = std::mem::take(&mut self.count);
        if count < GROUP {
            (0..count).for_each(|_| self.loose.push(self.last));
        } else {
            self.end_long_run(count);
        }
    }

    fn end_long_run(&mut self, count: usize) {
        let missing = self.loose.len().wrapping_neg() % GROUP;
        if count < missing + GROUP {
            self.loose.extend(std::iter::repeat_n(self.last, count));
            return;
        }
        self.loose.extend(std::iter::repeat_n(self.last, missing));
        self.write_loose();
        varint::put(self.out, (count - missing) << 1);
        let bytes = self.last.to_le_bytes().into_iter();
        self.out.extend(bytes.take(value_bytes(self.width)));
    }

    /// Writes whole groups.
    fn write_loose(&mut self) {
        if !self.loose.is_empty() {
            varint::put(self.out, (self.loose.len() / GROUP) << 1 | 1);
            pack(self.loose, self.width, self.out);
            self.loose.clear();
        }
    }

    pub(super) fn finish(mut self) {
        self.end_run();
        let groups = self.loose.len().next_multiple_of(GROUP);
        self.loose.resize(groups, 0);
        self.write_loose();
    }
}

fn value_bytes(width: u32) -> usize {
    width.div_ceil(8) as usize
}

/// Appends the low bits of numbers, as many as make whole bytes.
pub(super) fn pack(numbers: &[u32], width: u32, out: &mut Vec<u8>) {
    let (mut word, mut bits) = (0u64, 0);
    for &number in numbers {
        word |= u64::from(number) << bits;
        bits += width;
        if bits >= 32 {
            // The low half.
            #[allow(clippy::cast_possible_truncation)]
            out.extend_from_slice(&(word as u32).to_le_bytes());
            word >>= 32;
            bits -= 32;
        }
    }
    let bytes = word.to_le_bytes().into_iter();
    out.extend(bytes.take(value_bytes(bits)));
}

/// Appends `count` numbers that [`RunWriter`] wrote. `None` if there are fewer.
#[inline]
pub(super) fn read<T: Copy>(
    mut bytes: &[u8],
    width: u32,
    count: usize,
    out: &mut Vec<T>,
    make: impl Fn(u32) -> T,
) -> Option<()> {
    let mut left = count;
    while left > 0 {
        let head = varint::take(&mut bytes)?;
        let count;
        if head & 1 == 0 {
            let mut value = [0; 4];
            let own = varint::take_bytes(&mut bytes, value_bytes(width))?;
            value.get_mut(..own.len())?.copy_from_slice(own);
            count = left.min(head >> 1);
            out.resize(out.len() + count, make(u32::from_le_bytes(value)));
        } else {
            let groups = head >> 1;
            count = left.min(groups.saturating_mul(GROUP));
            // Behind the last number a group may be cut off.
            let size = groups.saturating_mul(width as usize).min(bytes.len());
            let packed = varint::take_bytes(&mut bytes, size)?;
            unpack(packed, width, count, out, &make)?;
        }
        left -= count;
    }
    Some(())
}

/// The number of which all `count` are, if they are one run.
pub(super) fn all_same(mut bytes: &[u8], width: u32, count: usize) -> Option<u32> {
    let head = varint::take(&mut bytes)?;
    let mut value = [0; 4];
    let own = bytes.get(..value_bytes(width))?;
    value.get_mut(..own.len())?.copy_from_slice(own);
    (head & 1 == 0 && head >> 1 >= count).then_some(u32::from_le_bytes(value))
}

/// Appends numbers that were packed. `None` if there are fewer.
#[inline]
pub(super) fn unpack<T>(
    bytes: &[u8],
    width: u32,
    count: usize,
    out: &mut Vec<T>,
    make: impl Fn(u32) -> T,
) -> Option<()> {
    if width > 32 || bytes.len().saturating_mul(8) < count.saturating_mul(width as usize) {
        return None;
    }
    let mask = (1u64 << width) - 1;
    #[allow(clippy::cast_possible_truncation)] // Masked.
    let make = |word: u64| make((word & mask) as u32);
    if width == 0 {
        out.extend((0..count).map(|_| make(0)));
        return Some(());
    }
    out.reserve(count);
    let end = out.len() + count;
    if width <= 8 {
        // Eight numbers are one word.
        for group in bytes.chunks(width as usize) {
            let mut word = [0; 8];
            word.get_mut(..group.len())?.copy_from_slice(group);
            let word = u64::from_le_bytes(word);
            let some = GROUP.min(end - out.len());
            out.extend((0..8u32).take(some).map(|i| make(word >> (i * width))));
            if some < GROUP {
                break;
            }
        }
        return Some(());
    }
    let (mut word, mut bits) = (0u64, 0);
    let mut rest = bytes.iter();
    while out.len() < end {
        while bits < width {
            word |= u64::from(*rest.next()?) << bits;
            bits += 8;
        }
        out.push(make(word));
        word >>= width;
        bits -= width;
    }
    Some(())
}

/// How many bits a number needs.
pub(super) fn width_of(number: u32) -> u32 {
    u32::BITS - number.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::{Random, mutant};

    fn write(numbers: &[u32], width: u32) -> Vec<u8> {
        let (mut out, mut loose) = (Vec::new(), Vec::new());
        let mut writer = RunWriter::new(width, &mut out, &mut loose);
        for run in numbers.chunk_by(|a, b| a == b) {
            writer.put(run[0], run.len());
        }
        writer.finish();
        out
    }

    #[test]
    fn numbers_come_back() {
        let mut random = Random::new(5);
        for round in 0..2000 {
            let width = 1 + round % 32;
            let mut numbers = Vec::new();
            for _ in 0..random.below(12) {
                let number = u32::try_from(random.below(1 << 32)).unwrap() >> (32 - width);
                let length = [1, 1, 2, 7, 8, 9, 40][random.below(7)];
                numbers.extend(std::iter::repeat_n(number, length));
            }
            let bytes = write(&numbers, width);
            let mut back = vec![7];
            read(&bytes, width, numbers.len(), &mut back, |number| number).unwrap();
            assert_eq!(back[1..], numbers, "{width}");
            let is_run = numbers.len() >= GROUP && numbers.windows(2).all(|two| two[0] == two[1]);
            let same = all_same(&bytes, width, numbers.len());
            assert_eq!(same.is_some(), is_run);
            assert!(same.is_none_or(|same| same == numbers[0]));
            // Fewer may be asked for, more are not there but for the last group.
            let most = numbers.len() + GROUP;
            assert_eq!(read(&bytes, width, most, &mut back, |number| number), None);
            for _ in 0..10 {
                let _ = read(&mutant(&bytes, &mut random), width, 100, &mut back, |n| n);
            }
        }
    }

    #[test]
    fn bits_are_those_of_the_specification() {
        // FORMAT: the numbers 0 to 7 of three bits, as Parquet's own example has them.
        let numbers: Vec<u32> = (0..8).collect();
        let mut out = Vec::new();
        pack(&numbers, 3, &mut out);
        assert_eq!(out, [0b1000_1000, 0b1100_0110, 0b1111_1010]);
        assert_eq!(write(&numbers, 3), [3, 0x88, 0xc6, 0xfa]);
        assert_eq!(write(&[5; 100], 3), [200, 1, 5]);
        assert_eq!(write(&[], 3), []);
        assert_eq!([0, 1, 2, 255, 256].map(width_of), [0, 1, 2, 8, 9]);
    }
}
