//! Tag pairs: `[White "Carlsen, Magnus"]`.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memchr3};

use crate::decode_text;
use crate::word::{bytes_below, bytes_equal, first, quotes_and_line_ends};

/// The value of a tag as it stands between the quotes, escapes and all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawTag<'a> {
    raw: &'a [u8],
    start: usize,
    has_backslash: bool,
}

impl<'a> RawTag<'a> {
    fn new(raw: &'a [u8], start: usize) -> RawTag<'a> {
        RawTag {
            raw,
            start,
            has_backslash: memchr(b'\\', raw).is_some(),
        }
    }

    /// The bytes between the quotes.
    #[must_use]
    pub const fn raw(self) -> &'a [u8] {
        self.raw
    }

    /// Where in the text of the game these bytes begin: whoever is given that text when the game is
    /// over need not keep them.
    #[must_use]
    pub const fn start(self) -> usize {
        self.start
    }

    /// Whether a backslash is among them: if not, they are the value.
    #[must_use]
    #[inline(always)]
    pub const fn has_backslash(self) -> bool {
        self.has_backslash
    }

    /// The value, `\"` and `\\` replaced by what they stand for.
    #[must_use]
    pub fn value(self) -> Cow<'a, [u8]> {
        if !self.has_backslash {
            return Cow::Borrowed(self.raw);
        }
        let mut value = Vec::with_capacity(self.raw.len());
        let mut bytes = self.raw.iter().copied().peekable();
        while let Some(byte) = bytes.next() {
            match (byte, bytes.peek()) {
                (b'\\', Some(&next @ (b'"' | b'\\'))) => {
                    value.push(next);
                    bytes.next();
                }
                _ => value.push(byte),
            }
        }
        Cow::Owned(value)
    }

    /// The value as text.
    #[must_use]
    pub fn decode(self) -> Cow<'a, str> {
        match self.value() {
            Cow::Borrowed(bytes) => decode_text(bytes),
            Cow::Owned(bytes) => Cow::Owned(decode_text(&bytes).into_owned()),
        }
    }
}

/// A tag found in a window.
pub(crate) struct FoundTag<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) value: RawTag<'a>,
    /// Where the text goes on.
    pub(crate) end: usize,
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn skip_blanks(window: &[u8], mut at: usize) -> usize {
    while window.get(at).copied().is_some_and(is_blank) {
        at += 1;
    }
    at
}

/// Nobody indents the name of a tag farther; a limit keeps the look ahead short.
const MOST_BLANKS: usize = 64;

/// Whether the `[` at `at` begins a tag: a name follows. `None` if the window is too short.
pub(crate) fn is_tag(window: &[u8], at: usize, eof: bool) -> Option<bool> {
    let name = skip_blanks(window, at + 1);
    match window.get(name) {
        _ if name - at > MOST_BLANKS => Some(false),
        Some(&byte) => Some(byte.is_ascii_alphanumeric() || byte == b'_'),
        None if eof => Some(false),
        None => None,
    }
}

/// Reads the tag whose `[` is at `at`. `None` if the window ends before the tag does.
///
/// Only the tag's own bytes are looked at, however long the line is.
#[inline]
pub(crate) fn find_tag(window: &[u8], at: usize, eof: bool) -> Option<FoundTag<'_>> {
    match plain_tag(window, at) {
        Some(tag) => Some(tag),
        None => any_tag(window, at, eof),
    }
}

/// The length of a name of at most 15 bytes that ends with a space, or of whatever else comes
/// before a space, a bracket or a quote.
#[inline(always)]
fn name_length(text: &[u8]) -> Option<usize> {
    // The quote is the second sign after the space; what lies between them is in no name either.
    let stops = |word: u64| bytes_below(word, b'"' + 1) | bytes_equal(word, b']');
    let words = text.first_chunk::<16>()?;
    let head = stops(u64::from_le_bytes(*words.first_chunk()?));
    if head != 0 {
        return Some(first(head));
    }
    let tail = stops(u64::from_le_bytes(*words.last_chunk()?));
    (tail != 0).then(|| 8 + first(tail))
}

/// The first quote, backslash or line end, or an asterisk for one: whoever finds that looks again.
/// Values are short: a call of a search would cost more than the search.
#[inline(always)]
fn value_length(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < 40 {
        let word = u64::from_le_bytes(*text.get(at..)?.first_chunk()?);
        let found = quotes_and_line_ends(word) | bytes_equal(word, b'\\');
        if found != 0 {
            return Some(at + first(found));
        }
        at += 8;
    }
    Some(at + memchr3(b'"', b'\\', b'\n', text.get(at..)?)?)
}

/// Nearly all tags: `[Name "value"]`, a name of at most 15 letters, no quote or backslash in the
/// value. Whatever is not so goes the long way, with the same answer.
#[inline(always)]
pub(crate) fn plain_tag(window: &[u8], at: usize) -> Option<FoundTag<'_>> {
    let text = window.get(at + 1..)?;
    let name = text.get(..name_length(text)?)?;
    if !name.first()?.is_ascii_alphanumeric() {
        return None;
    }
    let rest = text.get(name.len()..)?.strip_prefix(b" \"")?;
    let length = value_length(rest)?;
    let start = at + 1 + name.len() + 2;
    if !rest.get(length..)?.starts_with(b"\"]") {
        return None;
    }
    Some(FoundTag {
        name,
        value: RawTag {
            raw: rest.get(..length)?,
            start,
            has_backslash: false,
        },
        end: start + length + 2,
    })
}

fn any_tag(window: &[u8], at: usize, eof: bool) -> Option<FoundTag<'_>> {
    let name_start = skip_blanks(window, at + 1);
    let mut name_end = name_start;
    while let Some(&byte) = window.get(name_end) {
        if is_blank(byte) || matches!(byte, b'"' | b']' | b'\n' | b'\r') {
            break;
        }
        name_end += 1;
    }
    let name = window.get(name_start..name_end)?;
    let value_start = skip_blanks(window, name_end);
    match window.get(value_start) {
        None if !eof => None,
        Some(b'"') => quoted(window, name, value_start + 1, eof),
        _ => unquoted(window, name, value_start, eof),
    }
}

fn quoted<'a>(window: &'a [u8], name: &'a [u8], start: usize, eof: bool) -> Option<FoundTag<'a>> {
    let mut at = start;
    loop {
        let rest = window.get(at..).unwrap_or_default();
        let Some(found) = memchr3(b'"', b'\\', b'\n', rest) else {
            return if eof {
                Some(unclosed(window, name, start, window.len()))
            } else {
                None
            };
        };
        let here = at + found;
        match window.get(here) {
            Some(b'"') => {
                let next = skip_blanks(window, here + 1);
                let end = match window.get(next) {
                    Some(b']') => Some(next + 1),
                    Some(b'\n' | b'\r') => Some(next),
                    Some(_) => None,
                    None if eof => Some(next),
                    None => return None,
                };
                if let Some(end) = end {
                    let value = RawTag::new(window.get(start..here)?, start);
                    return Some(FoundTag { name, value, end });
                }
                // A quote that nobody escaped.
                at = here + 1;
            }
            // What follows a backslash is not the end, unless the line ends.
            Some(b'\\') => match window.get(here + 1) {
                Some(b'\n') | None => at = here + 1,
                Some(_) => at = here + 2,
            },
            _ => return Some(unclosed(window, name, start, here)),
        }
    }
}

/// No quote closes the value: it is the rest of the line without its last bracket and quote.
fn unclosed<'a>(window: &'a [u8], name: &'a [u8], start: usize, end: usize) -> FoundTag<'a> {
    let line = window.get(start..end).unwrap_or_default().trim_ascii_end();
    let line = line.strip_suffix(b"]").unwrap_or(line).trim_ascii_end();
    let line = line.strip_suffix(b"\"").unwrap_or(line);
    FoundTag {
        name,
        value: RawTag::new(line, start),
        end,
    }
}

fn unquoted<'a>(window: &'a [u8], name: &'a [u8], start: usize, eof: bool) -> Option<FoundTag<'a>> {
    let rest = window.get(start..).unwrap_or_default();
    let (length, skip) = match memchr2(b']', b'\n', rest) {
        Some(length) => (length, usize::from(rest.get(length) == Some(&b']'))),
        None if eof => (rest.len(), 0),
        None => return None,
    };
    let value = rest.get(..length)?.trim_ascii_end();
    Some(FoundTag {
        name,
        value: RawTag::new(value.strip_suffix(b"\"").unwrap_or(value), start),
        end: start + length + skip,
    })
}

/// Whether the `[` at `at` begins a line `[Event …` after an empty line: always a new game,
/// even inside a comment. This is what text is cut at, and what an unclosed comment ends at.
pub(crate) fn is_border(window: &[u8], at: usize) -> bool {
    let rest = window.get(at..).unwrap_or_default();
    let before = window.get(..at).unwrap_or_default();
    rest.starts_with(b"[Event ") && (before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(text: &str) -> (String, String, &str) {
        let tag = find_tag(text.as_bytes(), 0, true).unwrap();
        (
            decode_text(tag.name).into_owned(),
            tag.value.decode().into_owned(),
            &text[tag.end..],
        )
    }

    #[test]
    fn tags_of_all_sorts_are_read() {
        for (text, name, value, rest) in [
            (r#"[White "Ann"] x"#, "White", "Ann", " x"),
            (r#"[ White  "Ann"  ]"#, "White", "Ann", ""),
            (r#"[White"Ann"]"#, "White", "Ann", ""),
            (r#"[A "b\""] [B "c"]"#, "A", "b\"", " [B \"c\"]"),
            (r#"[E "\"A]][\""]"#, "E", "\"A]][\"", ""),
            (r#"[F "\\"]"#, "F", "\\", ""),
            (
                r#"[Event "The "Big" Open"]"#,
                "Event",
                "The \"Big\" Open",
                "",
            ),
            ("[Event \"Open]\n[", "Event", "Open", "\n["),
            ("[Event \"Open\n[", "Event", "Open", "\n["),
            ("[Event \"Open\"\r\n[", "Event", "Open", "\r\n["),
            ("[Event Open]\n", "Event", "Open", "\n"),
            ("[Event Open\"]\n", "Event", "Open", "\n"),
            ("[Event]\n", "Event", "", "\n"),
            ("[Event", "Event", "", ""),
            (r#"[Dir "C:\new\"]"#, "Dir", r"C:\new\", ""),
            ("[Round \"\"]", "Round", "", ""),
        ] {
            assert_eq!(tag(text), (name.into(), value.into(), rest), "{text}");
        }
    }

    #[test]
    fn the_short_way_and_the_long_way_agree() {
        for text in [
            "[White \"Ann\"]\n",
            "[WhiteRatingDiff \"+1\"]\n      ",
            "[White  \"Ann\"]\n        ",
            "[White \"\"]\n           ",
            "[ White \"Ann\"]\n         ",
            "[Wh]te \"Ann\"]\n          ",
            "[White Ann\n[\"]\n            ",
            "[A \"b\"] [C \"d\"]\n         ",
        ] {
            let long = any_tag(text.as_bytes(), 0, true).unwrap();
            if let Some(short) = plain_tag(text.as_bytes(), 0) {
                assert_eq!(
                    (short.name, short.value, short.end),
                    (long.name, long.value, long.end)
                );
            }
        }
    }

    #[test]
    fn no_prefix_gives_another_tag() {
        let text = br#"[Event "The \"Big\" Open"] rest"#;
        let whole = find_tag(text, 0, false).unwrap();
        for cut in 0..text.len() {
            if let Some(tag) = find_tag(&text[..cut], 0, false) {
                assert_eq!(
                    (tag.name, tag.value, tag.end),
                    (whole.name, whole.value, whole.end)
                );
            }
        }
    }
}
