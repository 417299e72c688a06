//! Reading movetext, token by token.

use std::ops::ControlFlow;

use chess::SanToken;

use crate::byte_class as class;
use crate::parser::{Inside, Next, Parser, State};
use crate::scan::{CommentEnd, comment_end, half_end, restarts, symbol_end};
use crate::tag::is_tag;
use crate::{Cause, CommentKind, Nag, Outcome, RawComment, Stop, Variation, Visitor};

/// Longer runs of marks or digits are read in pieces: a look ahead must have an end.
const LONGEST_RUN: usize = 32;

/// Calls `$body`; unless it says that a token is done, leaves the loop.
macro_rules! go_on {
    ($parser:ident, $at:ident, $body:expr) => {{
        $parser.at = $at;
        match $body {
            Next::Turn if $parser.is_reading() => $at = $parser.at,
            other => return other,
        }
    }};
}

/// How many bytes the number of a move, its dots and a space take, at the start of a text; 0 if there
/// is no such number. Numbers without dots stay, and so does 1: it may begin a result or another game.
///
/// All is branches, as the numbers of a game are easy to foresee. Without them the next move could
/// not be looked at before this one is understood; that was tried, and is a sixth slower.
#[inline(always)]
fn number_length(text: &[u8; 8]) -> usize {
    let [first, rest @ ..] = *text;
    match rest {
        _ if !first.is_ascii_digit() => 0,
        [b'.', ..] if first == b'1' => 0,
        [b'.', b' ', ..] => 3,
        [b'.', b'.', b'.', b' ', ..] => 5,
        [b'0'..=b'9', b'.', b' ', ..] => 4,
        [b'0'..=b'9', b'.', b'.', b'.', b' ', ..] => 6,
        _ => odd_number_length(text),
    }
}

#[inline(never)]
fn odd_number_length(text: &[u8; 8]) -> usize {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut rest = text.iter().skip(digits);
    let dots = rest.clone().take_while(|&&byte| byte == b'.').count();
    match rest.nth(dots) {
        _ if dots == 0 => 0,
        Some(b' ' | b'\n') => digits + dots + 1,
        _ => digits + dots,
    }
}

/// Eight bytes of a text, from here on.
#[inline(always)]
fn letters(text: &[u8], at: usize) -> Option<&[u8; 8]> {
    text.get(at..)?.first_chunk()
}

impl Parser {
    #[inline(always)]
    fn is_reading(&self) -> bool {
        !self.is_skipping
            && self.inside == Inside::Nothing
            && self.skip_to_depth.is_none()
            && self.state as u8 == State::Moves as u8
    }

    /// Plain moves with their numbers and short comments, for as long as nothing else comes: a loop
    /// of its own, in which the next token is easier to foresee. Returns where something else
    /// stands, a move that is not plain, or the visitor wants no more.
    #[inline(always)]
    fn plain_moves<V: Visitor>(&mut self, window: &[u8], mut at: usize, visitor: &mut V) -> usize {
        while let Some(text) = letters(window, at) {
            let Some(token) = SanToken::before_space(text) else {
                break;
            };
            if !visitor.plain_san(token) {
                break;
            }
            // At most the eighth byte: the space.
            at += token.len() + 1;
            if let Some([b'{', text @ ..]) = window.get(at..) {
                let mut wants_more = true;
                let length = match visitor.plain_comment(text) {
                    Some(length) => {
                        debug_assert_eq!(text.get(length), Some(&b'}'));
                        length
                    }
                    None => {
                        let CommentEnd::Closed(length) = comment_end(text, 0) else {
                            break;
                        };
                        let bytes = text.get(..length).unwrap_or_default();
                        let flow = visitor.comment(RawComment::new(bytes, CommentKind::Brace));
                        wants_more = self.obey(at, flow);
                        length
                    }
                };
                at += length + 2;
                let (true, Some(b' ' | b'\n')) = (wants_more, window.get(at)) else {
                    break;
                };
                at += 1;
            }
            let Some(text) = letters(window, at) else {
                break;
            };
            at += number_length(text);
        }
        at
    }

    /// The loop in which a reader spends its time: `at` lives in a register.
    #[inline(always)]
    pub(crate) fn moves<V: Visitor>(&mut self, window: &[u8], eof: bool, visitor: &mut V) -> Next {
        let mut at = self.at;
        loop {
            let Some(&byte) = window.get(at) else {
                self.at = at;
                return Next::NeedMore;
            };
            match class::class(byte) {
                class::SPACE | class::DOT => at += 1,
                class::LETTER => {
                    let start = at;
                    at = self.plain_moves(window, at, visitor);
                    if self.is_skipping {
                        self.at = at;
                        return Next::Turn;
                    }
                    if at != start {
                        continue;
                    }
                    let Some(end) = symbol_end(window, at, eof) else {
                        self.at = at;
                        return Next::NeedMore;
                    };
                    // A move ends with a space nine times of ten; `.`, `(` and single letters
                    // have stories of their own.
                    let is_plain = end - at > 1 && !matches!(window.get(end), Some(b'.' | b'('));
                    if is_plain {
                        let token = window.get(at..end).unwrap_or_default();
                        let flow = visitor.san(token);
                        if !self.obey(at, flow) {
                            self.at = at;
                            return Next::Turn;
                        }
                        at = end + usize::from(window.get(end) == Some(&b' '));
                    } else {
                        go_on!(self, at, self.odd_letters(window, end, eof, visitor));
                    }
                }
                class::DIGIT => {
                    let text = window.get(at..).and_then(|rest| rest.first_chunk());
                    let length = text.map_or(0, number_length);
                    if length > 0 {
                        at += length;
                        continue;
                    }
                    let mut end = at + 1;
                    while window.get(end).is_some_and(u8::is_ascii_digit) {
                        end += 1;
                    }
                    if end == window.len() && !eof {
                        self.at = at;
                        return Next::NeedMore;
                    }
                    go_on!(self, at, self.digits(window, end, eof, visitor));
                }
                class::BRACE => {
                    go_on!(self, at, self.brace(window, eof, visitor));
                    at += usize::from(window.get(at) == Some(&b' '));
                }
                class::MARK => go_on!(self, at, self.marks(window, eof, visitor)),
                class::DOLLAR => {
                    self.at = at;
                    match self.dollar(window, eof, visitor) {
                        Some(true) if self.is_reading() => at = self.at,
                        Some(true) => return Next::Turn,
                        Some(false) => {
                            self.fail(at, Cause::Byte(b'$'));
                            return Next::Turn;
                        }
                        None => return Next::NeedMore,
                    }
                }
                class::OPEN => go_on!(self, at, self.open(visitor)),
                class::CLOSE => go_on!(self, at, self.close(visitor)),
                class::STAR => {
                    go_on!(self, at, self.outcome(Outcome::Unknown, at + 1, visitor));
                }
                class::SIGN => go_on!(self, at, self.sign(window, eof, visitor)),
                class::SEMICOLON => go_on!(self, at, self.semicolon(window, eof, visitor)),
                class::BRACKET => {
                    self.at = at;
                    match is_tag(window, at, eof) {
                        None => return Next::NeedMore,
                        Some(true) => return Next::End,
                        Some(false) => {
                            self.fail(at, Cause::Byte(byte));
                            return Next::Turn;
                        }
                    }
                }
                class::PERCENT if self.is_line_start(window, at) => {
                    go_on!(self, at, self.escape_line(window, eof));
                }
                _ => go_on!(self, at, self.other(window, byte, eof, visitor)),
            }
        }
    }

    /// A result, a number, or castling with zeros. The digits end at `digits_end`.
    #[inline]
    fn digits<V: Visitor>(
        &mut self,
        window: &[u8],
        digits_end: usize,
        eof: bool,
        visitor: &mut V,
    ) -> Next {
        let at = self.at;
        if self.depth == 0 && at != self.moves_start {
            match restarts(window, at, eof) {
                Some(true) => return Next::End,
                Some(false) => {}
                None => return Next::NeedMore,
            }
        }
        let Some(end) = symbol_end(window, at, eof) else {
            return Next::NeedMore;
        };
        let token = window.get(at..end).unwrap_or_default();
        if let Some(outcome) = Outcome::parse(token) {
            return self.outcome(outcome, end, visitor);
        }
        if token.starts_with(b"0-0") {
            return self.token(token, end, visitor);
        }
        self.at = digits_end;
        Next::Turn
    }

    fn token<V: Visitor>(&mut self, token: &[u8], end: usize, visitor: &mut V) -> Next {
        let flow = visitor.san(token);
        if self.obey(self.at, flow) {
            self.at = end;
        }
        Next::Turn
    }

    fn outcome<V: Visitor>(&mut self, outcome: Outcome, end: usize, visitor: &mut V) -> Next {
        let flow = visitor.outcome(outcome);
        self.obey(self.at, flow);
        self.at = end;
        if self.depth == 0 {
            self.state = State::Closed;
        }
        Next::Turn
    }

    /// Letters that are no plain move: `e8(Q)`, `exd6e.p.`, `N`, `D`.
    #[cold]
    fn odd_letters<V: Visitor>(
        &mut self,
        window: &[u8],
        end: usize,
        eof: bool,
        visitor: &mut V,
    ) -> Next {
        let token = window.get(self.at..end).unwrap_or_default();
        let rest = window.get(end..).unwrap_or_default();
        if rest.len() < 4 && !eof {
            return Next::NeedMore;
        }
        if token == b"e" && rest.starts_with(b".p.") {
            self.at = end + 3;
            return Next::Turn;
        }
        if let (Some(token), true) = (token.strip_suffix(b"e"), rest.starts_with(b".p.")) {
            return self.token(token, end + 3, visitor);
        }
        if let (true, [b'(', role @ (b'Q' | b'R' | b'B' | b'N'), b')', ..]) =
            (token.ends_with(b"8") || token.ends_with(b"1"), rest)
        {
            let mut promotion = [0; 8];
            let bytes = token.iter().copied().chain([b'=', *role]);
            let length = promotion.iter_mut().zip(bytes).map(|(to, byte)| *to = byte);
            let length = length.count();
            let promotion = promotion.get(..length).unwrap_or_default();
            return self.token(promotion, end + 3, visitor);
        }
        if let (1, Some(nag)) = (token.len(), Nag::from_glyph(token)) {
            return self.nag(nag, false, end, visitor);
        }
        self.token(token, end, visitor)
    }

    fn nag<V: Visitor>(&mut self, nag: Nag, is_suffix: bool, end: usize, visitor: &mut V) -> Next {
        let flow = visitor.nag(nag, is_suffix);
        if self.obey(self.at, flow) {
            self.at = end;
        }
        Next::Turn
    }

    /// `!`, `?!` and their like. Of a longer run the first two count.
    fn marks<V: Visitor>(&mut self, window: &[u8], eof: bool, visitor: &mut V) -> Next {
        let rest = window.get(self.at..).unwrap_or_default();
        let length = rest
            .iter()
            .take(LONGEST_RUN)
            .take_while(|byte| matches!(byte, b'!' | b'?'))
            .count();
        if length == rest.len() && !eof {
            return Next::NeedMore;
        }
        let glyph = rest.get(..length.min(2)).unwrap_or_default();
        match Nag::from_glyph(glyph) {
            Some(nag) => self.nag(nag, true, self.at + length, visitor),
            None => Next::End,
        }
    }

    /// `$` and a number. `Some(false)` if there is no number, `None` if the window is too short.
    pub(crate) fn dollar<V: Visitor>(
        &mut self,
        window: &[u8],
        eof: bool,
        visitor: &mut V,
    ) -> Option<bool> {
        let digits = window.get(self.at + 1..).unwrap_or_default();
        let length = digits
            .iter()
            .take(LONGEST_RUN)
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        if length == digits.len() && !eof {
            return None;
        }
        if length == 0 {
            return Some(false);
        }
        let number = digits.iter().take(length).fold(0u16, |number, byte| {
            number
                .saturating_mul(10)
                .saturating_add(u16::from(byte - b'0'))
        });
        if self.is_skipping {
            self.at += 1 + length;
        } else {
            self.nag(Nag(number), false, self.at + 1 + length, visitor);
        }
        Some(true)
    }

    fn open<V: Visitor>(&mut self, visitor: &mut V) -> Next {
        if self.depth >= self.limits.depth {
            let max = self.limits.depth;
            self.fail(self.at, Cause::TooDeep { max });
            return Next::Turn;
        }
        match visitor.begin_variation() {
            ControlFlow::Continue(answer) => {
                if answer == Variation::Skip {
                    self.skip_to_depth = Some(self.depth);
                }
                self.deepen();
            }
            ControlFlow::Break(Stop::Skip) => self.is_skipping = true,
            ControlFlow::Break(Stop::Bad(cause)) => self.fail(self.at, cause),
        }
        Next::Turn
    }

    fn close<V: Visitor>(&mut self, visitor: &mut V) -> Next {
        if self.depth == 0 {
            self.fail(self.at, Cause::UnopenedVariation);
            return Next::Turn;
        }
        let flow = visitor.end_variation();
        if self.obey(self.at, flow) {
            self.depth -= 1;
            self.at += 1;
        }
        Next::Turn
    }

    /// `--`, `+-`, or a check sign that stands apart from its move.
    #[cold]
    fn sign<V: Visitor>(&mut self, window: &[u8], eof: bool, visitor: &mut V) -> Next {
        let Some(end) = symbol_end(window, self.at, eof) else {
            return Next::NeedMore;
        };
        let token = window.get(self.at..end).unwrap_or_default();
        if matches!(token, b"+" | b"++") {
            self.at = end;
            return Next::Turn;
        }
        match Nag::from_glyph(token) {
            Some(nag) => self.nag(nag, false, end, visitor),
            None => self.token(token, end, visitor),
        }
    }

    /// Bytes that begin nothing in PGN: figurines, typographers' signs, rubbish.
    #[cold]
    fn other<V: Visitor>(&mut self, window: &[u8], byte: u8, eof: bool, visitor: &mut V) -> Next {
        match self.odd_space(window, eof) {
            Some(true) => return Next::Turn,
            Some(false) => {}
            None => return Next::NeedMore,
        }
        if byte == 0xc2 {
            match half_end(window, self.at, eof) {
                Some(Some(end)) => return self.outcome(Outcome::Draw, end, visitor),
                Some(None) => {}
                None => return Next::NeedMore,
            }
        }
        if !class::symbol(byte) && byte != 0xc2 {
            self.fail(self.at, Cause::Byte(byte));
            return Next::Turn;
        }
        let first = usize::from(byte == 0xc2);
        let Some(end) = symbol_end(window, self.at + first, eof) else {
            return Next::NeedMore;
        };
        let token = window.get(self.at..end).unwrap_or_default();
        let follows_symbol = self
            .at
            .checked_sub(1)
            .and_then(|before| window.get(before))
            .is_some_and(|&before| class::symbol(before));
        if token == b"#" {
            self.at = end;
            return Next::Turn;
        }
        if let (Some(outcome), false) = (Outcome::parse(token), follows_symbol) {
            return self.outcome(outcome, end, visitor);
        }
        match Nag::from_glyph(token) {
            Some(nag) => self.nag(nag, false, end, visitor),
            None => self.token(token, end, visitor),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_with_their_dots_and_one_space() {
        for (text, length) in [
            (b"2. e4 e5", 3),
            (b"2... e5 ", 5),
            (b"12. Nf3 ", 4),
            (b"12... e5", 6),
            (b"12.\nNf3 ", 4),
            (b"2.e4 e5 ", 2),
            (b"2.... e5", 6),
            (b"123. e4 ", 5),
            (b"1234567.", 8),
            (b"1. e4 e5", 0),
            (b"1... e5 ", 0),
            (b"2 e4 e5 ", 0),
            (b"12345678", 0),
            (b"e4 e5 2.", 0),
        ] {
            assert_eq!(number_length(text), length, "{text:?}");
        }
    }
}
