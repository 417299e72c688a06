//! A few letters on the stack.

use core::fmt;

/// At most `N - 1` bytes of ASCII, and in the last byte how many they are: moves are written millions
/// of times, and none is long enough to be worth an allocation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ShortText<const N: usize> {
    bytes: [u8; N],
}

impl ShortText<8> {
    /// The text whose first letter is the low byte of a word, the second the next, and so on. It
    /// stays in the register where it was put together.
    #[inline(always)]
    pub(crate) const fn from_word(word: u64, len: usize) -> ShortText<8> {
        ShortText {
            bytes: (word | (len as u64) << 56).to_le_bytes(),
        }
    }

    /// Such a word, and how many letters it has.
    #[inline(always)]
    pub(crate) fn into_word(self) -> (u64, usize) {
        (u64::from_le_bytes(self.bytes) & u64::MAX >> 8, self.len())
    }
}

impl<const N: usize> ShortText<N> {
    pub(crate) const fn new() -> ShortText<N> {
        ShortText { bytes: [0; N] }
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.bytes.last().map_or(0, |&len| usize::from(len))
    }

    /// Adds an ASCII byte. What does not fit is dropped; the callers know their longest text.
    #[inline(always)]
    pub(crate) fn push(&mut self, byte: u8) {
        let len = self.len();
        if let Some((count, letters)) = self.bytes.split_last_mut()
            && let Some(place) = letters.get_mut(len)
        {
            *place = byte;
            *count += 1;
        }
    }

    #[inline(always)]
    pub(crate) fn push_square(&mut self, square: crate::Square) {
        self.push(b'a' + square as u8 % 8);
        self.push(b'1' + square as u8 / 8);
    }

    pub(crate) fn push_str(&mut self, text: &str) {
        for byte in text.bytes() {
            self.push(byte);
        }
    }

    #[inline(always)]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len()).unwrap_or_default()
    }

    /// Checks the bytes again: cheaper for eight of them than to argue for `unsafe`.
    #[inline]
    pub(crate) fn as_str(&self) -> &str {
        core::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }
}

impl<const N: usize> fmt::Display for ShortText<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Gives a public newtype of [`ShortText`] what all of them have.
macro_rules! short_text {
    ($name:ident) => {
        impl $name {
            /// The text.
            #[must_use]
            #[inline]
            pub fn as_str(&self) -> &str {
                self.0.as_str()
            }

            /// The text as bytes of ASCII.
            #[must_use]
            #[inline]
            pub fn as_bytes(&self) -> &[u8] {
                self.0.as_bytes()
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Debug::fmt(self.as_str(), f)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.as_str() == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.as_str() == *other
            }
        }
    };
}

pub(crate) use short_text;
