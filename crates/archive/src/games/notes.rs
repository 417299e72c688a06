//! Comments, glyphs and variations as bytes: `FORMAT.md`, §2.7.
//!
//! Notes are gathered in *slots*: slot 0 before the first move of the main line, slot n after its
//! n-th move. Equal notes in slots one after the other are stored once, so that a game in which
//! every move has a clock costs no more than one that has none.

use super::room::Letters;
use super::varint;

/// What a note is: its first byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Op {
    /// The end of a slot.
    End = 0,
    /// `{…}`: a length and bytes, in which 1 stands for the next clock and 2 for the next
    /// evaluation.
    Comment = 1,
    /// `{…}`: a length and bytes, all of them text.
    Verbatim = 2,
    /// `;…`: a length and bytes.
    LineComment = 3,
    /// `$5`: a number.
    Nag = 4,
    /// `!?`: a number from 1 to 6.
    Suffix = 5,
    /// `(`
    Open = 6,
    /// `)`
    Close = 7,
    /// A move in a variation: a word of 16 bits, little-endian; 0 is a null move.
    Move = 8,
    /// A result in a variation: 0 to 3 for `1-0`, `0-1`, `1/2-1/2`, `*`.
    Outcome = 9,
    /// The result of the game stands here, and the rest of the slot after it.
    Result = 10,
}

impl Op {
    pub(crate) fn from_byte(byte: u8) -> Option<Op> {
        const ALL: [Op; 11] = [
            Op::End,
            Op::Comment,
            Op::Verbatim,
            Op::LineComment,
            Op::Nag,
            Op::Suffix,
            Op::Open,
            Op::Close,
            Op::Move,
            Op::Outcome,
            Op::Result,
        ];
        ALL.get(usize::from(byte)).copied()
    }
}

/// In a comment: the next clock stands here.
pub(crate) const CLOCK: u8 = 1;
/// In a comment: the next evaluation stands here.
pub(crate) const EVAL: u8 = 2;
/// Evaluations from here are mates: so many and the number of moves.
pub(crate) const MATE: i32 = 1_000_000;
/// Larger evaluations, and longer mates, are text.
const MAX_EVAL: i32 = 99_999;

/// Appends a comment; clocks and evaluations that are written in the usual way go to the lists.
pub(crate) fn put_comment(
    bytes: &[u8],
    out: &mut Vec<u8>,
    clocks: &mut Vec<i32>,
    evals: &mut Vec<i32>,
) {
    if memchr::memchr2(CLOCK, EVAL, bytes).is_some() {
        out.push(Op::Verbatim as u8);
        varint::put(out, bytes.len());
        out.extend_from_slice(bytes);
        return;
    }
    out.push(Op::Comment as u8);
    // One byte for the length will do nearly always; the text is moved if it does not.
    let length_at = out.len();
    out.push(0);
    let start = out.len();
    let mut rest = bytes;
    while let Some(at) = memchr::memchr(b'[', rest) {
        let (text, command) = rest.split_at_checked(at).unwrap_or_default();
        out.extend_from_slice(text);
        if let Some(value) = command.strip_prefix(b"[%clk ")
            && let Some((seconds, length)) = clock(value)
        {
            out.extend_from_slice(b"[%clk ");
            out.push(CLOCK);
            clocks.push(seconds);
            rest = value.get(length..).unwrap_or_default();
            continue;
        }
        if let Some(value) = command.strip_prefix(b"[%eval ")
            && let Some((eval, length)) = eval(value)
        {
            out.extend_from_slice(b"[%eval ");
            out.push(EVAL);
            evals.push(eval);
            rest = value.get(length..).unwrap_or_default();
            continue;
        }
        out.push(b'[');
        rest = command.get(1..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
    let length = out.len() - start;
    if let (Ok(short @ 0..0x80), Some(place)) = (u8::try_from(length), out.get_mut(length_at)) {
        *place = short;
    } else {
        let mut number = Vec::new();
        varint::put(&mut number, length);
        out.splice(length_at..start, number);
    }
}

fn digit(byte: Option<&u8>) -> Option<i32> {
    let byte = byte?;
    byte.is_ascii_digit().then(|| i32::from(byte - b'0'))
}

/// `1:02:03]`: hours without a zero before them. The seconds and the length.
fn clock(value: &[u8]) -> Option<(i32, usize)> {
    let word = value.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    let usual = word.and_then(usual_clock);
    usual.map(|clock| (clock, USUAL_CLOCK)).or_else(|| {
        let colon = value.iter().take(4).position(|&byte| byte == b':')?;
        let hours = value.get(..colon)?;
        if colon == 0 || (colon > 1 && hours.first() == Some(&b'0')) {
            return None;
        }
        let mut total = 0;
        for byte in hours {
            total = total * 10 + digit(Some(byte))?;
        }
        let [_, m1, m2, b':', s1, s2, b']'] = value.get(colon..colon + 7)? else {
            return None;
        };
        let minutes = digit(Some(m1))? * 10 + digit(Some(m2))?;
        let seconds = digit(Some(s1))? * 10 + digit(Some(s2))?;
        if minutes > 59 || seconds > 59 {
            return None;
        }
        Some((total * 3600 + minutes * 60 + seconds, colon + 6))
    })
}

/// How long a clock is with one digit for its hours.
pub(crate) const USUAL_CLOCK: usize = 7;

/// Such a clock and the `]` after it: all eight signs are looked at as one word.
#[inline(always)]
pub(crate) fn usual_clock(word: u64) -> Option<i32> {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // What is left of each sign is its digit, or nothing.
    let digits = word ^ u64::from_le_bytes(*b"0:00:00]");
    let most = u64::from_le_bytes([9, 0, 5, 9, 0, 5, 9, 0]);
    // No sign is larger than that: its difference has no highest bit. Signs from 128 on have one.
    let is_small = ((most | HIGH) - (digits & !HIGH)) & HIGH == HIGH;
    if !is_small || digits & HIGH != 0 {
        return None;
    }
    // Every digit ten times, and the next one; no sum is more than a byte.
    let pairs = digits * 10 + (digits >> 8);
    let [hours, ..] = digits.to_le_bytes();
    let [_, _, minutes, _, _, seconds, ..] = pairs.to_le_bytes();
    Some(i32::from(hours) * 3600 + i32::from(minutes) * 60 + i32::from(seconds))
}

/// `-0.17` or `0.2`, below 1000, and the `]` after it, looked at as one word. The value and the length.
#[inline(always)]
pub(crate) fn usual_eval(word: u64) -> Option<(i32, usize)> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;
    let is_negative = word & 0xff == u64::from(b'-');
    let word = word >> (8 * u32::from(is_negative));
    let brackets = word ^ (ONES * u64::from(b']'));
    let brackets = brackets.wrapping_sub(ONES) & !brackets & HIGH;
    let length = brackets.trailing_zeros() / 8;
    if !(3..=6).contains(&length) {
        return None;
    }
    // The last letter comes to the high end. One decimal is two, of which the last is 0.
    let text = word << (64 - 8 * length);
    let is_short = text >> 48 & 0xff == u64::from(b'.');
    let text = match is_short {
        true => text >> 8 | u64::from(b'0') << 56,
        false => text,
    };
    let count = length + u32::from(is_short) - 1;
    // From `0.00` to `999.99`.
    if !(3..=5).contains(&count) {
        return None;
    }
    // Without the point, of which only digits are left.
    let digits = (text & (u64::MAX >> 24)) << 8 | text & (u64::MAX << 48);
    let digits = digits ^ (ONES * u64::from(b'0')) << (64 - 8 * count);
    let first = digits >> (64 - 8 * count) & 0xff;
    let [_, _, _, thousands, ..] = digits.to_le_bytes();
    // Every digit ten times, and the next one; no sum is more than a byte.
    let [_, _, _, _, whole, _, decimals, _] = digits
        .wrapping_mul(10)
        .wrapping_add(digits >> 8)
        .to_le_bytes();
    let size = i32::from(thousands) * 10_000 + i32::from(whole) * 100 + i32::from(decimals);
    let are_digits = (digits | digits.wrapping_add(ONES * 0x76)) & HIGH == 0;
    let has_point = text >> 40 & 0xff == u64::from(b'.');
    let has_zero = (first == 0) & (count > 3);
    if !(are_digits & has_point) | has_zero | ((size == 0) & is_negative) {
        return None;
    }
    let sign = 1 - 2 * i32::from(is_negative);
    Some((sign * size, length as usize + usize::from(is_negative)))
}

/// `-0.17`, `0.2` or `#-3`, followed by `]` or `,`. The value and the length.
pub(crate) fn eval(value: &[u8]) -> Option<(i32, usize)> {
    let length = value
        .iter()
        .take(12)
        .position(|&byte| matches!(byte, b']' | b','))?;
    let text = value.get(..length)?;
    let (is_mate, text) = match text.strip_prefix(b"#") {
        Some(text) => (true, text),
        None => (false, text),
    };
    let (sign, text) = match text.strip_prefix(b"-") {
        Some(text) => (-1, text),
        None => (1, text),
    };
    let (whole, decimals): (&[u8], &[u8]) = match text {
        _ if is_mate => (text, b""),
        [whole @ .., b'.', tenths] => (whole, &[*tenths, b'0']),
        [whole @ .., b'.', tenths, last] => (whole, &[*tenths, *last]),
        _ => return None,
    };
    let add = |sum: i32, byte| sum.checked_mul(10)?.checked_add(digit(Some(byte))?);
    let size = whole.iter().chain(decimals).try_fold(0, add)?;
    let has_zero = whole.len() > 1 && whole.first() == Some(&b'0');
    if whole.is_empty() || has_zero || size > MAX_EVAL || (size == 0 && sign < 0) {
        return None;
    }
    Some((sign * (size + if is_mate { MATE } else { 0 }), length))
}

/// Appends a number in decimal.
#[inline]
pub(crate) fn put_number(out: &mut impl Letters, number: u32) {
    let (mut word, mut length, mut rest) = (0_u128, 0, number);
    loop {
        word = word << 8 | u128::from(b'0') | u128::from(rest % 10);
        length += 1;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    #[allow(clippy::cast_possible_truncation)] // The halves.
    {
        out.put(word as u64, length.min(8));
        if length > 8 {
            out.put((word >> 64) as u64, length - 8);
        }
    }
}

/// Two digits of a number below 100, the first in the low byte.
#[inline(always)]
pub(crate) fn two_digits(number: u32) -> u64 {
    static TABLE: [u16; 100] = {
        let mut table = [0; 100];
        let mut number = 0;
        while number < 100 {
            #[allow(clippy::indexing_slicing)] // In bounds: a constant can do no better.
            {
                table[number as usize] =
                    u16::from_le_bytes([b'0' + number / 10, b'0' + number % 10]);
            }
            number += 1;
        }
        table
    };
    u64::from(TABLE.get(number as usize).copied().unwrap_or(0))
}

/// Writes a clock as `1:02:03`.
#[inline]
pub(crate) fn put_clock(out: &mut impl Letters, seconds: i32) {
    let seconds = seconds.unsigned_abs();
    if seconds >= TEN_HOURS {
        put_number(out, seconds / TEN_HOURS);
    }
    out.put(clock_letters(seconds), USUAL_CLOCK);
}

/// Ten hours in seconds: clocks have one digit more from here on.
const TEN_HOURS: u32 = 36_000;

/// The last seven letters of a clock.
#[inline(always)]
fn clock_letters(seconds: u32) -> u64 {
    let hours = seconds / 3600;
    let letters = CLOCKS.get((seconds % 3600) as usize).copied();
    letters.unwrap_or_default() + u64::from(hours % 10)
}

/// The letters of all clocks below an hour: a clock is looked up after every move, and most are near the
/// one before, so that little of this is in the cache.
static CLOCKS: [u64; 3600] = {
    let mut table = [0; 3600];
    let mut seconds = 0;
    while seconds < 3600 {
        let digits = [
            seconds / 600,
            seconds / 60 % 10,
            seconds / 10 % 6,
            seconds % 10,
        ];
        let [tens, ones, ten, one] = digits;
        #[allow(clippy::indexing_slicing, clippy::cast_possible_truncation)] // In bounds; digits.
        {
            let letters = *b"0:00:00\0";
            table[seconds] = u64::from_le_bytes(letters)
                + ((tens as u64) << 16
                    | (ones as u64) << 24
                    | (ten as u64) << 40
                    | (one as u64) << 48);
        }
        seconds += 1;
    }
    table
};

/// Writes an evaluation as `-0.17` or `#-3`; `0.20` as `0.2` if they are to be short.
#[inline]
pub(crate) fn put_eval(out: &mut impl Letters, eval: i32, is_short: bool) {
    let size = eval.unsigned_abs();
    let is_negative = u32::from(eval < 0);
    let sign = u64::from(b'-') * u64::from(is_negative);
    let mut length = is_negative;
    let decimals = u64::from(b'.') | two_digits(size % 100) << 8;
    let decimals_length = 3 - u32::from(is_short && size.is_multiple_of(10));
    if size < 10_000 {
        // One digit or two before the point, all in one word.
        let (whole, is_low) = (size / 100, u32::from(size < 1000));
        let text = sign | two_digits(whole) >> (8 * is_low) << (8 * length);
        length += 2 - is_low;
        let text = text | decimals << (8 * length);
        out.put(text, (length + decimals_length) as usize);
    } else if let Some(mate) = size.checked_sub(MATE.unsigned_abs()) {
        out.put(u64::from(b'#') | sign << 8, 1 + length as usize);
        put_number(out, mate);
    } else {
        out.put(sign, length as usize);
        put_number(out, size / 100);
        out.put(decimals, decimals_length as usize);
    }
}

/// The clocks of both sides, stored as what each lost since its last one.
pub(crate) struct Clocks<'a> {
    lost: std::slice::Iter<'a, i32>,
    /// The last clock of the side whose turn it is, and of the other.
    last: (i32, i32),
}

impl<'a> Clocks<'a> {
    pub(crate) fn new(stored: &'a [i32]) -> Clocks<'a> {
        // The first clock of each side is stored as it is: what is lost of twice as much.
        let twice = |i: usize| stored.get(i).map_or(0, |first| first.wrapping_mul(2));
        Clocks {
            lost: stored.iter(),
            last: (twice(0), twice(1)),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.lost.len()
    }

    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<i32> {
        let clock = self.last.0.wrapping_sub(*self.lost.next()?);
        self.last = (self.last.1, clock);
        Some(clock)
    }
}

/// The notes of a game, slot by slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slots<'a> {
    rest: &'a [u8],
    /// Empty slots before the run.
    empty: usize,
    /// Slots of the run that are left.
    run: usize,
    /// The notes of the run, and what follows it.
    notes: &'a [u8],
    is_bad: bool,
}

impl<'a> Slots<'a> {
    pub(crate) fn new(packed: &'a [u8]) -> Slots<'a> {
        let mut slots = Slots {
            rest: packed,
            empty: 0,
            run: 0,
            notes: &[],
            is_bad: false,
        };
        slots.load();
        slots
    }

    /// Reads the head of the next run.
    fn load(&mut self) {
        if self.rest.is_empty() {
            (self.empty, self.run, self.notes) = (usize::MAX, 0, &[]);
            return;
        }
        let head = varint::take(&mut self.rest).zip(varint::take(&mut self.rest));
        match head {
            Some((empty, run @ 1..)) => {
                (self.empty, self.run) = (empty, run);
                self.notes = self.rest;
            }
            _ => {
                self.is_bad = true;
                (self.empty, self.run, self.rest) = (usize::MAX, 0, &[]);
            }
        }
    }

    /// The notes of the next slot, with [`Op::End`] and perhaps more after them; `None` if it is
    /// empty. The reader calls [`Slots::passed`] with what is left.
    #[inline]
    pub(crate) fn next_slot(&mut self) -> Option<&'a [u8]> {
        if self.empty > 0 {
            self.empty -= 1;
            return None;
        }
        Some(self.notes)
    }

    /// The slot that was handed out has been read up to `rest`.
    #[inline]
    pub(crate) fn passed(&mut self, rest: &'a [u8]) {
        self.run = self.run.saturating_sub(1);
        if self.run == 0 {
            self.rest = rest;
            self.load();
        }
    }

    /// The empty slots before the run have been passed, and so many of the run, which `rest` follows.
    pub(crate) fn pass_run(&mut self, count: usize, rest: &'a [u8]) {
        self.empty = 0;
        self.run = self.run.saturating_sub(count);
        if self.run == 0 {
            self.rest = rest;
            self.load();
        }
    }

    /// Whether every note has been read, and none was bad.
    pub(crate) fn is_done(&self) -> bool {
        self.rest.is_empty() && self.run == 0 && !self.is_bad
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comment(text: &str) -> (Vec<u8>, Vec<i32>, Vec<i32>) {
        let (mut out, mut clocks, mut evals) = (Vec::new(), Vec::new(), Vec::new());
        put_comment(text.as_bytes(), &mut out, &mut clocks, &mut evals);
        (out, clocks, evals)
    }

    #[test]
    fn usual_clocks_and_evaluations_become_numbers() {
        for (text, seconds) in [("0:00:00", 0), ("1:02:03", 3723), ("10:00:59", 36_059)] {
            assert_eq!(comment(&format!(" [%clk {text}] ")).1, [seconds]);
            let mut out = Vec::new();
            put_clock(&mut out, seconds);
            assert_eq!(out, text.as_bytes());
        }
        for text in [
            "00:01:02",
            "1:60:00",
            "1:2:3",
            "0:00:01.5",
            "0:00:01",
            ":00:01",
            "-1:00:00",
        ] {
            let closed = if text == "0:00:01" { "" } else { "]" };
            assert_eq!(
                comment(&format!("[%clk {text}{closed}")).1,
                [0; 0],
                "{text}"
            );
        }
        for (text, value) in [
            ("0.17", 17),
            ("-1.25", -125),
            ("12.00", 1200),
            ("#3", MATE + 3),
            ("#-12", -MATE - 12),
            ("0.00", 0),
        ] {
            assert_eq!(comment(&format!("[%eval {text},18]")).2, [value], "{text}");
            let mut out = Vec::new();
            put_eval(&mut out, value, false);
            assert_eq!(out, text.as_bytes());
        }
        for (text, value) in [
            ("0.2", 20),
            ("-12.0", -1200),
            ("0.17", 17),
            ("#3", MATE + 3),
        ] {
            assert_eq!(comment(&format!("[%eval {text}]")).2, [value], "{text}");
            let mut out = Vec::new();
            put_eval(&mut out, value, true);
            assert_eq!(out, text.as_bytes());
        }
        for text in [
            "-0.00",
            "-0.0",
            "00.17",
            "+0.17",
            "0.",
            "#9999999999",
            "99999999.0",
            ".17",
            "#-0",
            "#",
            "1",
            "",
            "#01",
            "9999999.00",
        ] {
            assert_eq!(comment(&format!("[%eval {text}]")).2, [0; 0], "{text}");
        }
    }

    /// The slow twin reads sign by sign.
    #[test]
    fn usual_clocks_are_read_as_one_word() {
        let mut random = testkit::Random::new(11);
        let mut clocks = 0;
        for _ in 0..200_000 {
            let mut text = *b"1:23:45]";
            for _ in 0..random.below(3) {
                text[random.below(8)] = *b"0156789:;/]\xb0\x80\xff ".get(random.below(15)).unwrap();
            }
            let expected = match text {
                [h, b':', m1, m2, b':', s1, s2, b']'] => {
                    let digits = [h, m1, m2, s1, s2].map(|byte| digit(Some(&byte)));
                    match digits {
                        [Some(h), Some(m1 @ ..6), Some(m2), Some(s1 @ ..6), Some(s2)] => {
                            Some(h * 3600 + m1 * 600 + m2 * 60 + s1 * 10 + s2)
                        }
                        _ => None,
                    }
                }
                _ => None,
            };
            assert_eq!(usual_clock(u64::from_le_bytes(text)), expected, "{text:?}");
            clocks += usize::from(expected.is_some());
        }
        assert!(clocks > 50_000);
    }

    /// The slow twin reads sign by sign.
    #[test]
    fn usual_evaluations_are_read_as_one_word() {
        let mut random = testkit::Random::new(13);
        let mut evals = 0;
        for _ in 0..300_000 {
            let digits = 1 + random.below(6);
            let size = random.below([1, 10, 100, 1000, 10_000, 100_000, 1_000_000][digits]);
            let sign = ["", "-"][random.below(2)];
            let mut text = match random.below(3) {
                0 => format!("{sign}{}.{}] [%clk", size / 10, size % 10),
                _ => format!("{sign}{}.{:02}] [%clk", size / 100, size % 100),
            }
            .into_bytes();
            for _ in 0..random.below(3) {
                text[random.below(8)] = *b"0159.-]#,:/\x00\x80\xb0\xff"
                    .get(random.below(15))
                    .unwrap();
            }
            let word = u64::from_le_bytes(*text.first_chunk().unwrap());
            let slow = eval(&text);
            if let Some(fast) = usual_eval(word) {
                assert_eq!(Some(fast), slow, "{text:?}");
                evals += 1;
            } else {
                // Mates, commas and long numbers are left to it.
                let is_unusual =
                    text.first() == Some(&b'#') || text.iter().take(8).any(|&b| b == b',');
                let is_long =
                    slow.is_some_and(|(_, length)| length > 7 || text.get(length) != Some(&b']'));
                assert!(slow.is_none() || is_unusual || is_long, "{text:?}");
            }
        }
        assert!(evals > 100_000, "{evals}");
    }

    /// The slow twin is the library of the language.
    #[test]
    fn evaluations_are_written_as_decimals() {
        for size in (0..3_000).chain((3_000..120_000).step_by(7)) {
            for eval in [size, -size] {
                let (mut long, mut short) = (Vec::new(), Vec::new());
                put_eval(&mut long, eval, false);
                put_eval(&mut short, eval, true);
                let sign = if eval < 0 { "-" } else { "" };
                let expected = format!("{sign}{}.{:02}", size / 100, size % 100);
                assert_eq!(String::from_utf8(long).unwrap(), expected);
                let expected = expected.strip_suffix('0').unwrap_or(&expected);
                assert_eq!(String::from_utf8(short).unwrap(), expected);
            }
        }
    }
}
