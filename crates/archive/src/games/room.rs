//! Text that is put together a few letters at a time.

use std::ops::Range;

/// Takes up to eight letters at once.
pub(crate) trait Letters {
    /// Appends so many letters of a word, its low byte first.
    fn put(&mut self, word: u64, length: usize);
}

impl Letters for Vec<u8> {
    /// Eight bytes are copied, and the length put right.
    #[inline(always)]
    fn put(&mut self, word: u64, length: usize) {
        let end = self.len() + length.min(8);
        self.extend_from_slice(&word.to_le_bytes());
        self.truncate(end);
    }
}

/// The end of a text with room behind it. Whether there is enough is asked once a move or tag, by
/// [`Room::make`]: a vector asks for every few letters, and calls a function to do so.
pub(crate) struct Room<'a> {
    /// The text and zeros behind it.
    out: &'a mut Vec<u8>,
    begin: usize,
    end: usize,
}

impl<'a> Room<'a> {
    /// Twice what a move takes at most, with its number and what stands between two moves; more than a tag
    /// whose value is short.
    pub(crate) const LEAST: usize = 256;

    /// As much as most games take.
    const USUAL: usize = 1024;

    pub(crate) fn behind(out: &'a mut Vec<u8>) -> Room<'a> {
        Room {
            begin: out.len(),
            end: out.len(),
            out,
        }
    }

    /// Sees to it that there are [`Room::LEAST`] bytes; what is put where there are none is lost.
    #[inline(always)]
    pub(crate) fn make(&mut self) {
        if self.out.len() < self.end + Room::LEAST {
            self.grow();
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.out.resize(self.end + Room::USUAL, 0);
    }

    /// Whether anything was put here.
    #[inline(always)]
    pub(crate) fn has_letters(&self) -> bool {
        self.end > self.begin
    }

    /// Takes the last letter back, if there is one: those who know it to be a space.
    #[inline(always)]
    pub(crate) fn take_back_space(&mut self) {
        self.end -= usize::from(self.has_letters());
    }

    /// The next bytes, to be written over.
    #[inline(always)]
    fn next<const N: usize>(&mut self) -> Option<&mut [u8; N]> {
        // One question, where a slice of a slice would be two.
        let end = self.end.checked_add(N)?;
        self.out.get_mut(self.end..end)?.try_into().ok()
    }

    /// Appends so many of these bytes.
    #[inline(always)]
    pub(crate) fn put_some<const N: usize>(&mut self, bytes: &[u8; N], length: usize) {
        let next = self.next();
        debug_assert!(next.is_some(), "room was made");
        if let Some(next) = next {
            *next = *bytes;
            self.end += length;
        }
    }

    /// The next letters. What is put there counts when it is [taken over](Room::take_over).
    #[inline(always)]
    pub(crate) fn strip(&mut self) -> Option<Strip<'_>> {
        self.make();
        let letters = self.next()?;
        Some(Strip { letters, length: 0 })
    }

    /// The first so many letters of the last strip belong to the text.
    #[inline(always)]
    pub(crate) const fn take_over(&mut self, length: usize) {
        self.end += length;
    }
}

/// [`Room::LEAST`] letters, known to be there. That what is put fits is not asked again: half of them is more
/// than anybody writes, and where the next goes is cut to that.
pub(crate) struct Strip<'a> {
    letters: &'a mut [u8; Room::LEAST],
    length: usize,
}

impl Strip<'_> {
    /// How many letters have been put.
    #[inline(always)]
    pub(crate) const fn len(&self) -> usize {
        self.length
    }

    /// Appends so many of these bytes.
    #[inline(always)]
    pub(crate) fn put_some<const N: usize>(&mut self, bytes: &[u8; N], length: usize) {
        const { assert!(N <= Room::LEAST / 2) };
        debug_assert!(self.length < Room::LEAST / 2, "nobody writes so much");
        let at = self.length % (Room::LEAST / 2);
        #[allow(clippy::indexing_slicing)] // Either is half of them at most.
        self.letters[at..at + N].copy_from_slice(bytes);
        self.length += length;
    }
}

impl Letters for Strip<'_> {
    #[inline(always)]
    fn put(&mut self, word: u64, length: usize) {
        self.put_some(&word.to_le_bytes(), length);
    }
}

/// Texts of any length, and what has been written.
impl Room<'_> {
    /// How long the whole text is.
    #[inline(always)]
    pub(crate) const fn len(&self) -> usize {
        self.end
    }

    /// A part of the text.
    pub(crate) fn text(&self, range: Range<usize>) -> &[u8] {
        self.out.get(range).unwrap_or_default()
    }

    /// Takes back what stands behind a byte.
    pub(crate) fn truncate(&mut self, end: usize) {
        self.end = self.end.min(end);
    }

    /// Sees to it that there is room for so many bytes, and [`Room::LEAST`] more.
    fn make_for(&mut self, length: usize) {
        let least = self.end + length + Room::LEAST;
        if self.out.len() < least {
            self.out.resize(least, 0);
        }
    }

    /// Appends a text of any length.
    pub(crate) fn put_text(&mut self, text: &[u8]) {
        self.make_for(text.len());
        if let Some(place) = self.out.get_mut(self.end..self.end + text.len()) {
            place.copy_from_slice(text);
            self.end += text.len();
        }
    }

    /// Appends a part of the text once more.
    pub(crate) fn put_again(&mut self, range: Range<usize>) {
        self.make_for(range.len());
        self.end += range.len();
        self.out.copy_within(range.clone(), self.end - range.len());
    }
}

impl Letters for Room<'_> {
    #[inline(always)]
    fn put(&mut self, word: u64, length: usize) {
        self.put_some(&word.to_le_bytes(), length);
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        self.out.truncate(self.end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_those_of_a_vector() {
        let mut random = testkit::Random::new(5);
        let (mut plain, mut text) = (b"before ".to_vec(), b"before ".to_vec());
        let mut room = Room::behind(&mut text);
        for _ in 0..2_000 {
            room.make();
            for _ in 0..Room::LEAST / 8 {
                let (word, length) = (random.below(1 << 40) as u64, random.below(9));
                room.put(word, length);
                plain.put(word, length);
            }
        }
        drop(room);
        assert_eq!(text, plain);
    }

    #[test]
    fn texts_of_any_length_are_put_and_taken_back() {
        let (mut plain, mut text) = (b"before ".to_vec(), b"before ".to_vec());
        let mut room = Room::behind(&mut text);
        for length in [0, 1, 31, 127, 128, 129, 1023, 5000, 3] {
            let long: Vec<u8> = (b'a'..=b'z').cycle().take(length).collect();
            room.put_text(&long);
            plain.extend_from_slice(&long);
            let range = plain.len() - length / 2..plain.len();
            room.put_again(range.clone());
            plain.extend_from_within(range.clone());
            assert_eq!(room.text(range.clone()), &plain[range]);
            // There is room for letters behind.
            room.put(u64::from_le_bytes(*b"abcdefgh"), 5);
            plain.extend_from_slice(b"abcde");
        }
        assert_eq!(room.len(), plain.len());
        room.truncate(9);
        room.truncate(10);
        drop(room);
        assert_eq!(text, &plain[..9]);
    }
}
