//! Filling lines: words are put one after the other, and the style says where a line ends.

use crate::{LineEnding, Style};

/// Writes words with spaces or line ends between them.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    out: &'a mut Vec<u8>,
    newline: &'static [u8],
    width: usize,
    /// Bytes on this line.
    column: usize,
    /// What is written as a whole, once it is complete.
    unit: Vec<u8>,
    /// Spaces before the unit.
    gap: usize,
    is_glued: bool,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(style: &Style, out: &'a mut Vec<u8>) -> Lines<'a> {
        Lines {
            out,
            newline: match style.line_ending {
                LineEnding::Lf => b"\n",
                LineEnding::CrLf => b"\r\n",
            },
            width: style.width.map_or(usize::MAX, usize::from),
            column: 0,
            unit: Vec::new(),
            gap: 1,
            is_glued: false,
        }
    }

    /// Puts a word after a space, on the next line if it must.
    pub(crate) fn word(&mut self, word: &[u8]) {
        self.word_after(1, word);
    }

    /// Puts a word after some spaces.
    pub(crate) fn word_after(&mut self, gap: usize, word: &[u8]) {
        // Glue holds only where there is something to stick to.
        if self.is_glued && !self.unit.is_empty() {
            self.unit.resize(self.unit.len() + gap, b' ');
            self.unit.extend_from_slice(word);
            self.is_glued = false;
            return;
        }
        self.flush();
        self.gap = gap;
        self.unit.extend_from_slice(word);
    }

    /// Puts bytes right after the last word.
    pub(crate) fn append(&mut self, bytes: &[u8]) {
        self.unit.extend_from_slice(bytes);
    }

    /// The next word is not to be parted from the last one.
    pub(crate) fn glue(&mut self) {
        self.is_glued = true;
    }

    /// The next word may be parted after all.
    pub(crate) fn unglue(&mut self) {
        self.is_glued = false;
    }

    /// Writes what is complete.
    pub(crate) fn flush(&mut self) {
        self.is_glued = false;
        if self.unit.is_empty() {
            return;
        }
        if self.column > 0 {
            if self.column + self.gap + self.unit.len() > self.width {
                self.out.extend_from_slice(self.newline);
                self.column = 0;
            } else {
                self.out.resize(self.out.len() + self.gap, b' ');
                self.column += self.gap;
            }
        }
        self.column = match memchr::memrchr(b'\n', &self.unit) {
            Some(last) => self.unit.len() - last - 1,
            None => self.column + self.unit.len(),
        };
        self.out.append(&mut self.unit);
        self.gap = 1;
    }

    /// Ends the line, unless nothing is on it.
    pub(crate) fn end_line(&mut self) {
        self.flush();
        if self.column > 0 {
            self.blank();
        }
    }

    /// Ends the line even so.
    pub(crate) fn blank(&mut self) {
        self.flush();
        self.out.extend_from_slice(self.newline);
        self.column = 0;
    }
}
