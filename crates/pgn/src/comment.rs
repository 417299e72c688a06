//! Comments and the commands in them: `{ [%clk 0:03:00] }`.

use std::borrow::Cow;
use std::time::Duration;

use chess::Square;
use memchr::memmem;

use crate::decode_text;

/// How a comment is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CommentKind {
    /// `{ … }`
    Brace,
    /// `; …` up to the end of the line.
    Line,
}

/// A comment as it stands in the text, without its braces or its `;`.
///
/// The commands in it are parsed when they are asked for, and not before.
///
/// ```
/// use scoresheet_pgn::{CommentKind, Eval, RawComment};
/// use std::time::Duration;
/// let comment = RawComment::new(b" [%eval 0.17] [%clk 0:03:00] Book ", CommentKind::Brace);
/// assert_eq!(comment.clock(), Some(Duration::from_secs(180)));
/// assert_eq!(comment.eval(), Some(Eval::Centipawns(17)));
/// assert_eq!(comment.text(), "Book");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawComment<'a> {
    bytes: &'a [u8],
    kind: CommentKind,
}

/// What an engine thinks of a position, from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eval {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves; negative if Black mates.
    Mate(i32),
}

/// The colour of a mark on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum MarkColor {
    Green,
    Red,
    Yellow,
    Blue,
}

/// A coloured square or arrow; a square's arrow leads to itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mark {
    /// The colour.
    pub color: MarkColor,
    /// Where the arrow begins.
    pub from: Square,
    /// Where it ends.
    pub to: Square,
}

impl<'a> RawComment<'a> {
    /// A comment with these bytes.
    #[must_use]
    pub const fn new(bytes: &'a [u8], kind: CommentKind) -> RawComment<'a> {
        RawComment { bytes, kind }
    }

    /// The bytes.
    #[must_use]
    pub const fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// How it is written.
    #[must_use]
    pub const fn kind(self) -> CommentKind {
        self.kind
    }

    /// All of it as text.
    #[must_use]
    pub fn decode(self) -> Cow<'a, str> {
        decode_text(self.bytes)
    }

    /// What is left for a human: the text without commands, runs of white space made one space.
    #[must_use]
    pub fn text(self) -> String {
        let mut text = Vec::new();
        let mut rest = self.bytes;
        loop {
            let command = memmem::find(rest, b"[%");
            let end = command.and_then(|at| {
                let close = memchr::memchr(b']', rest.get(at..)?)?;
                Some((at, at + close + 1))
            });
            let Some((start, end)) = end else {
                text.extend_from_slice(rest);
                break;
            };
            text.extend_from_slice(rest.get(..start).unwrap_or_default());
            text.push(b' ');
            rest = rest.get(end..).unwrap_or_default();
        }
        let words = text.split(u8::is_ascii_whitespace);
        let words: Vec<&[u8]> = words.filter(|word| !word.is_empty()).collect();
        decode_text(&words.join(&b' ')).into_owned()
    }

    /// All commands in order: name and arguments of `[%name arguments]`.
    pub fn commands(self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        let mut rest = self.bytes;
        std::iter::from_fn(move || {
            let start = memmem::find(rest, b"[%")? + 2;
            let body = rest.get(start..)?;
            let length = memchr::memchr(b']', body)?;
            rest = body.get(length..)?;
            let body = body.get(..length)?;
            let name = body.split(u8::is_ascii_whitespace).next()?;
            let arguments = body.get(name.len()..)?.trim_ascii();
            Some((name, arguments))
        })
    }

    /// The arguments of the first command with this name.
    #[must_use]
    pub fn command(self, name: &[u8]) -> Option<&'a [u8]> {
        self.commands()
            .find(|(found, _)| *found == name)
            .map(|(_, arguments)| arguments)
    }

    /// `[%clk 1:23:45]`: the time left on the clock.
    #[must_use]
    pub fn clock(self) -> Option<Duration> {
        parse_time(self.command(b"clk")?)
    }

    /// `[%emt 0:00:05]`: the time spent on the move.
    #[must_use]
    pub fn elapsed(self) -> Option<Duration> {
        parse_time(self.command(b"emt")?)
    }

    /// `[%eval 0.17]`, `[%eval #-3]`; a depth after a comma is passed over.
    #[must_use]
    pub fn eval(self) -> Option<Eval> {
        let text = core::str::from_utf8(self.command(b"eval")?).ok()?;
        let text = text.split(',').next()?.trim();
        match text.strip_prefix('#') {
            Some(mate) => mate.parse().ok().map(Eval::Mate),
            None => {
                let pawns: f64 = text.parse().ok()?;
                let centipawns = (pawns * 100.0).round();
                let in_range = centipawns.abs() < 1e9;
                // Checked one line above.
                #[allow(clippy::cast_possible_truncation)]
                in_range.then_some(Eval::Centipawns(centipawns as i32))
            }
        }
    }

    /// `[%csl Ga4,Rb5]`: coloured squares.
    pub fn squares(self) -> impl Iterator<Item = Mark> + 'a {
        marks(self.command(b"csl").unwrap_or_default())
    }

    /// `[%cal Ge2e4]`: coloured arrows.
    pub fn arrows(self) -> impl Iterator<Item = Mark> + 'a {
        marks(self.command(b"cal").unwrap_or_default())
    }
}

fn marks(arguments: &[u8]) -> impl Iterator<Item = Mark> + '_ {
    arguments.split(|&byte| byte == b',').filter_map(|mark| {
        let (color, squares) = mark.trim_ascii().split_first()?;
        let color = match color {
            b'G' => MarkColor::Green,
            b'R' => MarkColor::Red,
            b'Y' => MarkColor::Yellow,
            b'B' => MarkColor::Blue,
            _ => return None,
        };
        let squares = core::str::from_utf8(squares).ok()?;
        let from: Square = squares.get(..2)?.parse().ok()?;
        let to = match squares.get(2..)? {
            "" => from,
            to => to.parse().ok()?,
        };
        Some(Mark { color, from, to })
    })
}

/// `h:mm:ss`, `mm:ss` or `ss`, with a fraction perhaps.
fn parse_time(text: &[u8]) -> Option<Duration> {
    let text = core::str::from_utf8(text).ok()?.trim();
    let mut seconds = 0u64;
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, ""));
    for part in whole.split(':') {
        let part: u64 = part.parse().ok()?;
        seconds = seconds.checked_mul(60)?.checked_add(part)?;
    }
    let mut nanos = 0;
    let mut unit = 100_000_000;
    for digit in fraction.bytes() {
        nanos += char::from(digit).to_digit(10)? * unit;
        unit /= 10;
    }
    Some(Duration::new(seconds, nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comment(text: &str) -> RawComment<'_> {
        RawComment::new(text.as_bytes(), CommentKind::Brace)
    }

    #[test]
    fn times_are_read_in_all_their_forms() {
        for (text, millis) in [
            ("[%clk 1:00:01]", Some(3_601_000)),
            ("[%clk 0:00:01.5]", Some(1_500)),
            ("[%clk 02:03]", Some(123_000)),
            ("[%clk 59]", Some(59_000)),
            ("[%clk]", None),
            ("[%clk 0:00:xx]", None),
            ("[%clk 0:00:01", None),
            ("[%emt 0:00:01]", None),
        ] {
            let expected = millis.map(Duration::from_millis);
            assert_eq!(comment(text).clock(), expected, "{text}");
        }
        assert_eq!(
            comment("[%emt 0:00:07]").elapsed(),
            Some(Duration::from_secs(7))
        );
    }

    #[test]
    fn evaluations_are_pawns_or_mates() {
        for (text, eval) in [
            ("[%eval -1.25]", Some(Eval::Centipawns(-125))),
            ("[%eval 0.3,18]", Some(Eval::Centipawns(30))),
            ("[%eval #-3]", Some(Eval::Mate(-3))),
            ("[%eval #5,20]", Some(Eval::Mate(5))),
            ("[%eval 1e99]", None),
            ("[%eval NaN]", None),
            ("[%eval]", None),
        ] {
            assert_eq!(comment(text).eval(), eval, "{text}");
        }
    }

    #[test]
    fn squares_and_arrows_have_colours() {
        let all = comment("[%csl Ga4,Rh8][%cal Ye2e4, Xa1a2,Bb1]");
        let squares: Vec<Mark> = all.squares().collect();
        assert_eq!(squares.len(), 2);
        assert_eq!(squares[0].color, MarkColor::Green);
        assert_eq!(squares[1].from, Square::H8);
        let arrows: Vec<Mark> = all.arrows().collect();
        assert_eq!(arrows.len(), 2);
        assert_eq!((arrows[0].from, arrows[0].to), (Square::E2, Square::E4));
    }

    #[test]
    fn the_text_is_what_is_left() {
        assert_eq!(comment(" a [%clk 1]  b\n[%x").text(), "a b [%x");
        assert_eq!(comment("[%clk 1]").text(), "");
        let commands: Vec<_> = comment("[%a 1][%b  2 3 ]").commands().collect();
        assert_eq!(commands, [(&b"a"[..], &b"1"[..]), (b"b", b"2 3")]);
    }
}
