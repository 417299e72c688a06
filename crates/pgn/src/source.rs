//! Where the text comes from: memory, or a stream through one bounded buffer.

use std::io::{self, Read};

use memchr::memchr_iter;

/// Text in windows. Implemented by [`Slice`] and [`Stream`], and sealed.
pub trait Source: private::Sealed {
    /// The text from the first byte that is not used up.
    #[doc(hidden)]
    fn window(&self) -> &[u8];

    /// Whether the text ends with the window.
    #[doc(hidden)]
    fn is_at_end(&self) -> bool;

    /// The first `count` bytes are used up.
    #[doc(hidden)]
    fn advance(&mut self, count: usize);

    /// Makes the window longer, unless the text ends.
    #[doc(hidden)]
    fn grow(&mut self) -> io::Result<()>;

    /// How many lines end before byte `at` of the window.
    #[doc(hidden)]
    fn lines_before(&mut self, at: usize) -> u64;
}

mod private {
    pub trait Sealed {}
    impl Sealed for super::Slice<'_> {}
    impl<R> Sealed for super::Stream<R> {}
}

/// Text in memory; nothing is copied.
#[derive(Clone, Copy, Debug)]
pub struct Slice<'a> {
    text: &'a [u8],
    start: usize,
    lines: LineCount,
}

/// Lines are counted when somebody asks, and in large pieces: for most files nobody does.
#[derive(Clone, Copy, Debug, Default)]
struct LineCount {
    /// Up to which byte of the buffer lines are counted.
    counted: usize,
    lines: u64,
}

impl LineCount {
    fn up_to(&mut self, buffer: &[u8], end: usize) -> u64 {
        if let Some(piece) = buffer.get(self.counted..end) {
            let lines = memchr_iter(b'\n', piece).count();
            self.lines += u64::try_from(lines).unwrap_or(u64::MAX);
            self.counted = end;
            return self.lines;
        }
        // Asked for a place before the last: count back.
        let piece = buffer.get(end..self.counted).unwrap_or_default();
        let lines = memchr_iter(b'\n', piece).count();
        self.lines - u64::try_from(lines).unwrap_or(u64::MAX)
    }
}

impl<'a> Slice<'a> {
    pub(crate) const fn new(text: &'a [u8]) -> Slice<'a> {
        Slice {
            text,
            start: 0,
            lines: LineCount {
                counted: 0,
                lines: 0,
            },
        }
    }
}

impl Source for Slice<'_> {
    #[inline]
    fn window(&self) -> &[u8] {
        self.text.get(self.start..).unwrap_or_default()
    }

    #[inline]
    fn is_at_end(&self) -> bool {
        true
    }

    #[inline]
    fn advance(&mut self, count: usize) {
        self.start = self.start.saturating_add(count).min(self.text.len());
    }

    fn lines_before(&mut self, at: usize) -> u64 {
        let end = self.start.saturating_add(at).min(self.text.len());
        self.lines.up_to(self.text, end)
    }

    fn grow(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a buffer begins with: small beside a second-level cache, and a system call is little beside it.
const CAPACITY: usize = 64 << 10;

/// A buffer is made so many times longer than what must be moved to its front, so that moving is
/// little beside reading; but not longer than this for that alone.
const SPACIOUS: usize = 8;
const LARGE: usize = 128 << 10;

/// A window is made at least this long, however little a read gives.
const LEAST: usize = 16 << 10;

/// Text from a reader, through a buffer that holds the game being read and what follows it.
#[derive(Debug)]
pub struct Stream<R> {
    reader: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    is_at_end: bool,
    lines: LineCount,
}

impl<R: Read> Stream<R> {
    pub(crate) fn new(reader: R) -> Stream<R> {
        Stream {
            reader,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            is_at_end: false,
            lines: LineCount::default(),
        }
    }

    pub(crate) fn get_ref(&self) -> &R {
        &self.reader
    }
}

impl<R: Read> Source for Stream<R> {
    #[inline]
    fn window(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    #[inline]
    fn is_at_end(&self) -> bool {
        self.is_at_end
    }

    #[inline]
    fn advance(&mut self, count: usize) {
        self.start = self.start.saturating_add(count).min(self.end);
    }

    /// The window grows by half or more, so that reading a token from its start again costs no
    /// more than a constant factor in all.
    fn grow(&mut self) -> io::Result<()> {
        let lines = self.lines.up_to(&self.buffer, self.start);
        self.lines = LineCount { counted: 0, lines };
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        let wanted = (self.end + self.end / 2).max(LEAST);
        let spacious = (SPACIOUS * self.end).clamp(CAPACITY, LARGE);
        if self.buffer.len() < wanted.max(spacious) {
            self.buffer.resize(wanted.max(spacious), 0);
        }
        while self.end < wanted && !self.is_at_end {
            let free = self.buffer.get_mut(self.end..).unwrap_or_default();
            match self.reader.read(free) {
                Ok(0) => self.is_at_end = true,
                Ok(count) => self.end = (self.end + count).min(self.buffer.len()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn lines_before(&mut self, at: usize) -> u64 {
        let end = self.start.saturating_add(at).min(self.end);
        self.lines.up_to(&self.buffer, end)
    }
}
