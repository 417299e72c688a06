//! The lengths of texts, as what each is longer than the one before: Parquet's `DELTA_BINARY_PACKED`.

use super::runs::{pack, unpack, width_of};
use crate::games::varint;

/// Lengths in a block, which has a least difference,
const BLOCK: usize = 128;
/// and in each of its parts, which have a number of bits.
const PART: usize = 32;

/// Appends lengths.
pub(super) fn write(lengths: &[i32], out: &mut Vec<u8>) {
    for number in [BLOCK, BLOCK / PART, lengths.len()] {
        varint::put(out, number);
    }
    let mut last = lengths.first().copied().unwrap_or(0);
    put_signed(last, out);
    for block in lengths.get(1..).unwrap_or_default().chunks(BLOCK) {
        let mut differences = [0i32; BLOCK];
        for (difference, &length) in differences.iter_mut().zip(block) {
            *difference = length.wrapping_sub(last);
            last = length;
        }
        let own = differences.get(..block.len()).unwrap_or_default();
        let least = own.iter().copied().min().unwrap_or(0);
        put_signed(least, out);
        // Behind the last length there is nothing, in whole parts.
        let above = |(i, &difference): (usize, &i32)| match i < block.len() {
            true => difference.wrapping_sub(least).cast_unsigned(),
            false => 0,
        };
        let mut numbers = [0u32; BLOCK];
        for (number, difference) in numbers.iter_mut().zip(differences.iter().enumerate()) {
            *number = above(difference);
        }
        let widths = || {
            let parts = numbers.chunks(PART);
            parts.map(|part| width_of(part.iter().fold(0, |all, number| all | number)))
        };
        // A width is 32 at most.
        out.extend(widths().map(|width| u8::try_from(width).unwrap_or(0)));
        for (part, width) in numbers.chunks(PART).zip(widths()) {
            pack(part, width, out);
        }
    }
}

fn put_signed(number: i32, out: &mut Vec<u8>) {
    let folded = (number << 1 ^ number >> 31).cast_unsigned();
    varint::put(out, folded as usize);
}

fn take_signed(bytes: &mut &[u8]) -> Option<i32> {
    let folded = u32::try_from(varint::take(bytes)?).ok()?;
    Some((folded >> 1).cast_signed() ^ -(folded & 1).cast_signed())
}

/// Takes `count` lengths off the front, and appends where each text ends. `None` if there are not just as
/// many, or one is negative.
pub(super) fn take_ends(bytes: &mut &[u8], count: usize, ends: &mut Vec<usize>) -> Option<()> {
    let block = varint::take(bytes)?;
    let parts = varint::take(bytes)?;
    let total = varint::take(bytes)?;
    let mut last = take_signed(bytes)?;
    let part = block.checked_div(parts)?;
    if part == 0 || !part.is_multiple_of(PART) || part.checked_mul(parts)? != block {
        return None;
    }
    if total != count || count == 0 {
        return (total == count).then_some(());
    }
    ends.reserve(count);
    let mut end = 0usize;
    let mut push = |length: i32| {
        end = end.checked_add(usize::try_from(length).ok()?)?;
        ends.push(end);
        Some(())
    };
    push(last)?;
    let mut left = count - 1;
    let mut differences: Vec<i32> = Vec::with_capacity(PART);
    while left > 0 {
        let least = take_signed(bytes)?;
        for &width in varint::take_bytes(bytes, parts)? {
            if left == 0 {
                // What has no lengths has no bytes, whatever its width.
                break;
            }
            let own = left.min(part);
            let size = part.checked_mul(usize::from(width))? / 8;
            // Behind the last length the part may be cut off.
            let packed = varint::take_bytes(bytes, size.min(bytes.len()))?;
            differences.clear();
            let make = |above: u32| above.cast_signed().wrapping_add(least);
            unpack(packed, u32::from(width), own, &mut differences, make)?;
            for difference in &differences {
                last = last.wrapping_add(*difference);
                push(last)?;
            }
            left -= own;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::{Random, mutant};

    #[test]
    fn lengths_come_back() {
        let mut random = Random::new(7);
        for round in 0..500 {
            let most = [1, 2, 20, 300, 1 << 20][round % 5];
            let count = [0, 1, 2, 32, 33, 128, 129, 130, 257, 4096][random.below(10)];
            let lengths: Vec<i32> = (0..count)
                .map(|_| i32::try_from(random.below(most)).unwrap())
                .collect();
            let mut bytes = Vec::new();
            write(&lengths, &mut bytes);
            bytes.extend(b"behind");
            let (mut rest, mut ends) = (&bytes[..], Vec::new());
            take_ends(&mut rest, count, &mut ends).unwrap();
            assert_eq!(rest, b"behind");
            let mut end = 0;
            let expected = lengths.iter().map(|&length| {
                end += usize::try_from(length).unwrap();
                end
            });
            assert_eq!(ends, expected.collect::<Vec<_>>());
            assert_eq!(take_ends(&mut &bytes[..], count + 1, &mut ends), None);
            for _ in 0..20 {
                let _ = take_ends(&mut &mutant(&bytes, &mut random)[..], count, &mut ends);
            }
        }
    }

    #[test]
    fn no_text_has_a_negative_length() {
        for lengths in [&[-1][..], &[5, -1], &[i32::MIN, 3]] {
            let mut bytes = Vec::new();
            write(lengths, &mut bytes);
            assert_eq!(
                take_ends(&mut &bytes[..], lengths.len(), &mut Vec::new()),
                None
            );
        }
    }
}
