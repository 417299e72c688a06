//! Finding ends: of comments, lines and games. Pure functions of a window of text.

use memchr::{memchr, memchr_iter, memchr2, memchr3};

use crate::Outcome;
use crate::byte_class::{landmark, symbol};
use crate::tag::{is_border, is_tag};

/// How a `{` comment ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CommentEnd {
    /// At this `}`.
    Closed(usize),
    /// Not at all: the next game begins at this `[`.
    Border(usize),
    /// Not in this window.
    Open,
}

/// Looks for the end of a comment whose text begins at `from`.
#[inline]
pub(crate) fn comment_end(window: &[u8], from: usize) -> CommentEnd {
    let mut at = from;
    loop {
        let rest = window.get(at..).unwrap_or_default();
        let Some(found) = memchr2(b'}', b'\n', rest) else {
            return CommentEnd::Open;
        };
        at += found + 1;
        if rest.get(found) == Some(&b'}') {
            return CommentEnd::Closed(at - 1);
        }
        if window.get(at) == Some(&b'[') && is_border(window, at) {
            return CommentEnd::Border(at);
        }
    }
}

/// The end of the line that `from` is in: its `\n`, or the end of the text.
#[inline]
pub(crate) fn line_end(window: &[u8], from: usize, eof: bool) -> Option<usize> {
    let rest = window.get(from..).unwrap_or_default();
    match memchr(b'\n', rest) {
        Some(found) => Some(from + found),
        None if eof => Some(window.len()),
        None => None,
    }
}

/// The end of the run of symbol bytes from `at` on; `None` if it may go on after the window.
///
/// Where a move ends is hard to foresee, so the first eight bytes are looked at without a branch.
#[inline(always)]
pub(crate) fn symbol_end(window: &[u8], at: usize, eof: bool) -> Option<usize> {
    if let Some(bytes) = window.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let mut others = 0u32;
        for (i, &byte) in bytes.iter().enumerate() {
            others |= u32::from(!symbol(byte)) << i;
        }
        if others != 0 {
            return Some(at + others.trailing_zeros() as usize);
        }
    }
    long_symbol_end(window, at, eof)
}

/// At most seven bytes up to a white space, without a look at what they are and without a branch
/// on how many: where a move ends is hard to foresee.
#[inline(always)]
pub(crate) fn plain_word(window: &[u8], at: usize) -> Option<&[u8]> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let rest = window.get(at..)?;
    let word = u64::from_le_bytes(*rest.first_chunk()?);
    // The highest bit of each byte below 0x21; right up to the first, which is all that counts.
    let spaces = word.wrapping_sub(ONES * 0x21) & !word & (ONES << 7);
    rest.get(..spaces.trailing_zeros() as usize / 8)
        .filter(|_| spaces != 0)
}

/// Near the end of a window, or a token of more than seven bytes.
#[inline(never)]
fn long_symbol_end(window: &[u8], at: usize, eof: bool) -> Option<usize> {
    let mut end = at;
    while let Some(&byte) = window.get(end) {
        if !symbol(byte) {
            return Some(end);
        }
        end += 1;
    }
    eof.then_some(end)
}

/// The first landmark at or after `at`, or the end of the window.
#[inline]
pub(crate) fn next_landmark(window: &[u8], at: usize) -> usize {
    let rest = window.get(at..).unwrap_or_default();
    let mut from = at;
    // Between comments there are only a few bytes.
    for &byte in rest.iter().take(12) {
        if landmark(byte) {
            return from;
        }
        from += 1;
    }
    let rest = window.get(from..).unwrap_or_default();
    let (blocks, tail) = rest.as_chunks::<32>();
    for block in blocks {
        let [a, b, c, d] = landmarks_in(block);
        if a | b | c | d != 0 {
            for (i, word) in [a, b, c, d].into_iter().enumerate() {
                if word != 0 {
                    return from + 8 * i + word.trailing_zeros() as usize / 8;
                }
            }
        }
        from += 32;
    }
    let in_tail = tail.iter().position(|&byte| landmark(byte));
    from + in_tail.unwrap_or(tail.len())
}

/// Movetext of games without comments is seldom longer.
const PLAIN_GAME: usize = 4 << 10;

/// The `[` that ends a game, if all before it is plain: no comments, no variations, and no result
/// but at the end. A few searches for single bytes tell, faster than a walk. `None` says nothing.
pub(crate) fn plain_end(window: &[u8], at: usize, eof: bool) -> Option<usize> {
    let rest = window.get(at..)?;
    // Not farther than games are long: a text without tags would be searched to its end for each.
    let near = rest.get(..PLAIN_GAME).unwrap_or(rest);
    let length = memchr3(b'{', b';', b'[', near)?;
    let end = at + length;
    if rest.get(length) != Some(&b'[') || is_tag(window, end, eof) != Some(true) {
        return None;
    }
    let text = rest.get(..length)?.trim_ascii_end();
    let last = text.rsplit(u8::is_ascii_whitespace).next()?;
    // A result at the end is as it should be; anywhere else it would have ended the game.
    let body = match Outcome::parse(last) {
        Some(_) => text.get(..text.len() - last.len())?,
        None => text,
    };
    let is_plain = text.is_ascii()
        && memchr3(b'(', b')', b'%', text).is_none()
        && memchr2(b'*', b'/', body).is_none()
        && memchr_iter(b'-', body).all(|at| !matches!(body.get(at + 1), Some(b'0' | b'1')))
        && memchr_iter(b'\n', body).all(|at| !matches!(body.get(at + 1), Some(b'\n' | b'\r')));
    is_plain.then_some(end)
}

/// Eight bytes to a word, not 0 where a landmark is: the loop is one for vector instructions.
#[inline(always)]
fn landmarks_in(block: &[u8; 32]) -> [u64; 4] {
    let mut hits = [0u8; 32];
    for (hit, &byte) in hits.iter_mut().zip(block) {
        // `;` `[` `{` differ in two bits only, and so do `%` `-` `/` (and `'`, which does no harm).
        let is_opener = byte & 0x9f == 0x1b && byte >= 0x20;
        let is_dash = byte & 0xf5 == 0x25;
        let is_paren = byte & 0xfe == 0x28 || byte == b'*';
        *hit = u8::from(is_opener | is_dash | is_paren | (byte == b'\n') | (byte >= 0x80));
    }
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().zip(hits.as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}

/// Where `½-½` or `½` in UTF-8 ends that begins at `at`; `Some(None)` if something else does. `None`
/// if the window is too short to tell.
pub(crate) fn half_end(window: &[u8], at: usize, eof: bool) -> Option<Option<usize>> {
    let rest = window.get(at..).unwrap_or_default();
    if rest.len() < 5 && !eof {
        return None;
    }
    let follows_symbol = at
        .checked_sub(1)
        .and_then(|before| window.get(before))
        .is_some_and(|&byte| symbol(byte));
    let length = match rest {
        [0xc2, 0xbd, b'-', 0xc2, 0xbd, ..] => 5,
        [0xc2, 0xbd, ..] => 2,
        _ => return Some(None),
    };
    Some((!follows_symbol).then_some(at + length))
}

/// No result is longer than this.
const LONGEST_OUTCOME: usize = 12;

/// The result that the byte at `at` is part of, and where it ends. `None` if the window is too
/// short to tell. The run of symbols around is looked at only as far as a result can reach, so a
/// token of a million dashes costs no more than it should.
pub(crate) fn outcome_around(
    window: &[u8],
    at: usize,
    eof: bool,
) -> Option<Option<(Outcome, usize)>> {
    let before = window.get(..at).unwrap_or_default();
    let back = before
        .iter()
        .rev()
        .take(LONGEST_OUTCOME)
        .take_while(|&&byte| symbol(byte))
        .count();
    let start = at - back;
    // `$1-0` begins with a glyph, and after 0xC2 there is half of a character.
    let is_bound = start > 0 && matches!(window.get(start - 1), Some(b'$' | 0xc2));
    if back == LONGEST_OUTCOME || is_bound {
        return Some(None);
    }
    let after = window.get(at..).unwrap_or_default();
    let ahead = after
        .iter()
        .take(LONGEST_OUTCOME)
        .take_while(|&&byte| symbol(byte))
        .count();
    if ahead == LONGEST_OUTCOME {
        return Some(None);
    }
    if ahead == after.len() && !eof {
        return None;
    }
    let token = window.get(start..at + ahead).unwrap_or_default();
    Some(Outcome::parse(token).map(|outcome| (outcome, at + ahead)))
}

/// Whether the digit at `at` begins `1.` after an empty line: a game that has neither tags nor a
/// result before it. `None` if the window is too short to tell.
pub(crate) fn restarts(window: &[u8], at: usize, eof: bool) -> Option<bool> {
    let before = window.get(..at).unwrap_or_default();
    if window.get(at) != Some(&b'1') || !(before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n"))
    {
        return Some(false);
    }
    match (window.get(at + 1), window.get(at + 2)) {
        (Some(b'.'), Some(b'.')) => Some(false),
        (Some(b'.'), Some(_)) => Some(true),
        (Some(b'.') | None, None) if !eof => None,
        _ => Some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_end_at_their_brace_or_at_the_next_game() {
        assert_eq!(comment_end(b"abc} d}", 0), CommentEnd::Closed(3));
        assert_eq!(comment_end(b"a\nb\n[%x]}", 0), CommentEnd::Closed(8));
        assert_eq!(
            comment_end(b"abc\n\n[Event \"x\"] }", 0),
            CommentEnd::Border(5)
        );
        assert_eq!(
            comment_end(b"a\r\n\r\n[Event \"x\"]", 0),
            CommentEnd::Border(5)
        );
        assert_eq!(comment_end(b"abc\n[Event \"x\"]", 0), CommentEnd::Open);
    }

    #[test]
    fn landmarks_are_found_in_blocks_as_in_bytes() {
        for byte in 0..=255u8 {
            for at in [0, 5, 11, 12, 20, 44, 60, 99] {
                let mut text = [b'a'; 100];
                text[at] = byte;
                let found = next_landmark(&text, 0);
                if landmark(byte) {
                    assert_eq!(found, at, "{byte}");
                } else {
                    // A false hit is allowed, a missed one is not.
                    assert!(found == 100 || found == at, "{byte}");
                }
            }
        }
    }

    #[test]
    fn results_are_seen_from_any_of_their_bytes() {
        for text in ["1-0", "0-1", "1/2-1/2", "1/2"] {
            let padded = format!(" {text} ");
            for at in 1..=text.len() {
                let found = outcome_around(padded.as_bytes(), at, false).unwrap();
                assert_eq!(found.unwrap().1, text.len() + 1, "{text}");
            }
        }
        for text in ["O-O ", "$1-0 ", "11-0 ", "1-0x ", "--------------------- "] {
            assert_eq!(
                outcome_around(text.as_bytes(), 2, true),
                Some(None),
                "{text}"
            );
        }
        assert_eq!(outcome_around(b"1-0", 1, false), None);
    }
}
