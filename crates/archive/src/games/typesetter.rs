//! Writes movetext word by word, straight into the output.

use super::layout::{Layout, Unit};
use super::notes;
use super::plain_moves;
use super::room::Letters;

/// Fills lines. The last unit is written with its gap before it is known to fit; when it is
/// complete and does not, the gap becomes the end of the line.
#[derive(Debug)]
pub(crate) struct Typesetter<'a> {
    out: &'a mut Vec<u8>,
    newline: &'static [u8],
    width: usize,
    /// Where the line begins.
    line_start: usize,
    /// Where the gap before the unit begins.
    unit_start: usize,
    /// The spaces of that gap; 0 if the unit is the first of its line.
    gap: usize,
    is_glued: bool,
}

impl<'a> Typesetter<'a> {
    pub(crate) fn new(layout: &Layout, out: &'a mut Vec<u8>) -> Typesetter<'a> {
        let start = out.len();
        Typesetter {
            newline: if layout.crlf { b"\r\n" } else { b"\n" },
            width: match layout.width {
                0 => usize::MAX,
                width => usize::from(width),
            },
            line_start: start,
            unit_start: start,
            gap: 0,
            is_glued: false,
            out,
        }
    }

    /// Begins a word after some spaces, on the next line if it must.
    #[inline(always)]
    pub(crate) fn begin_word(&mut self, gap: usize) {
        if self.is_glued {
            self.spaces(gap);
            self.is_glued = false;
            return;
        }
        self.close_unit();
        self.unit_start = self.out.len();
        self.gap = 0;
        if self.out.len() > self.line_start {
            self.gap = gap;
            self.spaces(gap);
        }
    }

    #[inline(always)]
    fn spaces(&mut self, count: usize) {
        if count == 1 {
            self.out.push(b' ');
        } else {
            self.out.resize(self.out.len() + count, b' ');
        }
    }

    #[inline]
    pub(crate) fn word(&mut self, word: &[u8]) {
        self.begin_word(1);
        self.out.extend_from_slice(word);
    }

    /// Puts bytes right after the last word.
    #[inline]
    pub(crate) fn append(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Puts up to eight letters right after the last word.
    #[inline(always)]
    pub(crate) fn append_letters(&mut self, (word, length): (u64, usize)) {
        self.out.put(word, length);
    }

    /// Puts the number of a move right after the last word, and one dot or three.
    #[inline(always)]
    pub(crate) fn append_number(&mut self, number: u16, is_white: bool) {
        let digit = |number: u16| u64::from(b'0') + u64::from(number % 10);
        let (digits, length) = match number {
            0..10 => (digit(number), 1),
            10..100 => (digit(number / 10) | digit(number) << 8, 2),
            100..1000 => {
                let last = digit(number / 10) << 8 | digit(number) << 16;
                (digit(number / 100) | last, 3)
            }
            _ => {
                notes::put_number(self.out, number.into());
                (0, 0)
            }
        };
        let (dots, count) = if is_white { (0x2e, 1) } else { (0x2e_2e2e, 3) };
        let word: u64 = digits | dots << (8 * length);
        self.out.put(word, length + count);
    }

    /// The output, to append bytes without line ends.
    #[inline]
    pub(crate) fn out(&mut self) -> &mut Vec<u8> {
        self.out
    }

    /// Takes over a line that was written past this typesetter, words with a space between them, and
    /// makes lines of it. Says whether there is anything on it.
    pub(crate) fn fold_line(&mut self, keeps_numbers: bool) -> bool {
        let text = self.out.get_mut(self.line_start..).unwrap_or_default();
        let has_text = !text.is_empty();
        let (line, last_space) = plain_moves::fold(text, self.width, keeps_numbers);
        self.gap = usize::from(last_space.is_some());
        self.unit_start = self.line_start + last_space.unwrap_or(line);
        self.line_start += line;
        has_text
    }

    /// The next word is not to be parted from the last one.
    #[inline]
    pub(crate) fn glue(&mut self, is_glued: bool) {
        self.is_glued = is_glued;
    }

    /// Moves the last unit to the next line if it does not fit.
    #[inline(always)]
    fn close_unit(&mut self) {
        self.is_glued = false;
        if self.out.len() - self.line_start > self.width {
            self.break_line();
        }
    }

    #[cold]
    fn break_line(&mut self) {
        if self.gap == 0 {
            return;
        }
        if let (1, 1, Some(space)) = (
            self.gap,
            self.newline.len(),
            self.out.get_mut(self.unit_start),
        ) {
            *space = b'\n';
        } else {
            let gap = self.unit_start..self.unit_start + self.gap;
            self.out.splice(gap, self.newline.iter().copied());
        }
        self.line_start = self.unit_start + self.newline.len();
        self.unit_start = self.line_start;
        self.gap = 0;
    }

    /// After text that may hold line ends: the unit is over, and the line began after the last.
    pub(crate) fn close_text(&mut self) {
        self.close_unit();
        let unit = self.out.get(self.unit_start..).unwrap_or_default();
        if let Some(last) = memchr::memrchr(b'\n', unit) {
            self.line_start = self.unit_start + last + 1;
            self.unit_start = self.out.len();
            self.gap = 0;
        }
    }

    /// Ends the line, unless nothing is on it.
    pub(crate) fn end_line(&mut self) {
        self.close_unit();
        if self.out.len() > self.line_start {
            self.blank();
        }
    }

    /// Ends the line even so.
    pub(crate) fn blank(&mut self) {
        self.close_unit();
        self.out.extend_from_slice(self.newline);
        self.line_start = self.out.len();
        self.unit_start = self.line_start;
        self.gap = 0;
    }

    /// Puts a text as words, a word as long as there is no space or line end in it.
    pub(crate) fn words(&mut self, text: &[u8], follows: bool) {
        let mut gap = 0;
        for word in text.split(|byte| matches!(byte, b' ' | b'\n')) {
            let word = word.strip_suffix(b"\r").unwrap_or(word);
            if gap == 0 {
                if follows {
                    self.append(word);
                } else {
                    self.word(word);
                }
            } else if !word.is_empty() {
                self.begin_word(gap);
                self.append(word);
                gap = 0;
            }
            gap += 1;
        }
    }
}

impl Layout {
    /// Whether the words of comments are words of the line.
    #[inline]
    pub(crate) fn breaks_comments(&self) -> bool {
        self.width > 0 && matches!(self.unit, Unit::Word | Unit::Move)
    }
}
