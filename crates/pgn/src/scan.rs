//! Finding ends: of comments, lines and games. Pure functions of a window of text.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use memchr::{memchr, memchr2, memchr3, memrchr2};

use crate::Outcome;
use crate::byte_class::{landmark, symbol};
use crate::tag::{is_border, is_tag};
use crate::word::{beyond_letters, first, landmarks};

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
#[inline(always)]
pub(crate) fn comment_end(window: &[u8], from: usize) -> CommentEnd {
    let mut at = from;
    // Clocks and evaluations are short: a call of a search would cost more than the search.
    while let Some(text) = window.get(at..).and_then(|rest| rest.first_chunk::<48>()) {
        let words = text
            .as_chunks()
            .0
            .iter()
            .map(|word| u64::from_le_bytes(*word));
        let mut unusual = words.map(|word| (word, beyond_letters(word))).enumerate();
        let Some((i, (word, hits))) = unusual.find(|(_, (_, hits))| *hits != 0) else {
            at += text.len();
            break;
        };
        at += 8 * i + first(hits);
        if word >> (8 * first(hits)) & 0xff == u64::from(b'}') {
            return CommentEnd::Closed(at);
        }
        // A line that goes on is usual too; what else there may be is for the search.
        if window.get(at) != Some(&b'\n') || window.get(at + 1) == Some(&b'[') {
            break;
        }
        at += 1;
    }
    long_comment_end(window, at)
}

#[inline(never)]
fn long_comment_end(window: &[u8], from: usize) -> CommentEnd {
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
#[inline(always)]
pub(crate) fn next_landmark(window: &[u8], at: usize) -> usize {
    let mut at = at;
    let mut rest = window.get(at..).unwrap_or_default();
    // Between comments there are seldom more than sixteen bytes, but how many is hard to foresee.
    while let Some((block, after)) = rest.split_first_chunk::<16>() {
        let [low, high] = block.as_chunks().0 else {
            break;
        };
        let [low, high] = [low, high].map(|word| landmarks(u64::from_le_bytes(*word)));
        if low | high != 0 {
            let (word, skipped) = if low == 0 { (high, 8) } else { (low, 0) };
            return at + skipped + first(word);
        }
        at += 16;
        rest = after;
    }
    let in_tail = rest.iter().position(|&byte| landmark(byte));
    at + in_tail.unwrap_or(rest.len())
}

/// Looks for an empty line in files of either kind.
static EMPTY_LINES: LazyLock<(Finder<'static>, Finder<'static>)> =
    LazyLock::new(|| (Finder::new(b"\n\n"), Finder::new(b"\n\r\n")));

/// The `[` at which the game ends, if it ends as most do: with an empty line and a tag after it, and
/// with nothing before that could end it sooner or open a variation, be it in a comment or not. To
/// find that out for all bytes at once is faster than to walk. `None` says nothing.
#[inline(always)]
pub(crate) fn plain_end(window: &[u8], at: usize, most: usize, eof: bool) -> Option<usize> {
    let rest = window.get(at..)?;
    // Not farther than games are long: what is in vain must be cheap.
    let near = rest.get(..most).unwrap_or(rest);
    if near.first() == Some(&b'%') {
        return None;
    }
    let first = memchr2(b'{', b'[', near)?;
    let tag = match near.get(first)? {
        b'[' => first,
        _ => {
            let line = memchr(b'\n', near)?;
            let lines = near.get(line..)?;
            match line.checked_sub(1).and_then(|before| near.get(before)) {
                Some(b'\r') => line + EMPTY_LINES.1.find(lines)? + 3,
                _ => line + EMPTY_LINES.0.find(lines)? + 2,
            }
        }
    };
    if near.get(tag) != Some(&b'[') || is_tag(window, at + tag, eof) != Some(true) {
        return None;
    }
    let text = near.get(..tag)?.trim_ascii_end();
    let last = text.rsplit(u8::is_ascii_whitespace).next()?;
    // A result at the end is as it should be; anywhere else it would have ended the game.
    let body = match Outcome::parse(last) {
        Some(_) => text.get(..text.len() - last.len())?,
        None => text,
    };
    if first < tag {
        // Whatever the braces are, the last one says whether a comment is open.
        if body.get(memrchr2(b'{', b'}', body)?) != Some(&b'}') {
            return None;
        }
        // Some programs begin every game with a comment that is odd: no need to see the rest.
        let head = body.get(..512).unwrap_or(body);
        if memchr3(b';', b'(', b'/', head).is_some() {
            return None;
        }
    }
    is_plain(body).then_some(at + tag)
}

/// Whether the byte before `next` might begin or be a result, a tag, a variation, an empty line, or a
/// comment up to the end of a line.
#[inline(always)]
const fn is_odd(byte: u8, next: u8) -> bool {
    // Clocks and the like begin with `[%`; other brackets are tags, other signs escape lines.
    let is_tag_or_escape = (byte == b'[') ^ (next == b'%');
    let is_result = (byte & 0xf0 == b'0') & (next == b'-');
    let is_empty_line = (byte == b'\n') & (next < b' ');
    let is_paren = byte & 0xfe == b'(';
    let is_sign = (byte == b'*') | (byte == b'/') | (byte == b';') | (byte >= 0x80);
    is_tag_or_escape | is_result | is_empty_line | is_paren | is_sign
}

/// Whether no byte of a text is odd. A loop for vector instructions: it does not stop at the first.
#[inline(always)]
fn is_plain(text: &[u8]) -> bool {
    const LANES: usize = 32;
    let mut odd = [false; LANES];
    let mut look = |block: &[u8; LANES + 1]| {
        for (odd, (&byte, &next)) in odd.iter_mut().zip(block.iter().zip(&block[1..])) {
            *odd |= is_odd(byte, next);
        }
    };
    let Some(last) = text.last_chunk() else {
        let nexts = text.iter().skip(1).chain(b" ");
        return !text
            .iter()
            .zip(nexts)
            .any(|(&byte, &next)| is_odd(byte, next));
    };
    let mut rest = text;
    while let Some(block) = rest.first_chunk() {
        look(block);
        rest = rest.get(LANES..).unwrap_or_default();
    }
    look(last);
    !odd.into_iter().fold(false, |any, odd| any | odd)
        && !text.last().is_some_and(|&last| landmark(last))
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
    // A byte that is no symbol is part of no result, though one may end before it: whoever finds that one
    // again stays where it is forever.
    let is_symbol = after.first().is_some_and(|&byte| symbol(byte));
    if ahead == LONGEST_OUTCOME || !is_symbol {
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
