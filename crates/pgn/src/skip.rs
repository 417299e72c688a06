//! Passing over movetext without events, as fast as the borders of games allow.

use crate::parser::{Inside, Next, Parser, State};
use crate::scan::{half_end, next_landmark, outcome_around, plain_end, restarts};
use crate::tag::is_tag;
use crate::{Flow, RawGame, Visitor};

/// Wants nothing: for comments and lines that are passed over.
struct Deaf;

impl Visitor for Deaf {
    type Output = ();

    fn begin_game(&mut self) -> Flow {
        Flow::Continue(())
    }

    fn end_game(&mut self, _: RawGame<'_>) {}
}

impl Parser {
    /// Ends where reading would end (`laws::skip_equals_read`): at results, tags, borders.
    #[inline(always)]
    pub(crate) fn skip_moves(&mut self, window: &[u8], eof: bool) -> Next {
        if self.depth == 0
            && !self.is_dropping
            && let Some(end) = plain_end(window, self.at, self.usual_length, eof)
        {
            self.at = end;
            return Next::End;
        }
        loop {
            self.at = next_landmark(window, self.at);
            let next = match window.get(self.at) {
                None => return Next::NeedMore,
                Some(b'{') => self.brace(window, eof, &mut Deaf),
                Some(b'\n') => self.skip_newline(window, eof),
                Some(b';') => self.semicolon(window, eof, &mut Deaf),
                Some(b'(') => {
                    self.deepen();
                    Next::Turn
                }
                Some(b')') => {
                    self.depth = self.depth.saturating_sub(1);
                    self.at += 1;
                    if self.skip_to_depth == Some(self.depth) {
                        self.skip_to_depth = None;
                        return Next::Turn;
                    }
                    Next::Turn
                }
                Some(b'[') => match is_tag(window, self.at, eof) {
                    None => Next::NeedMore,
                    Some(true) => Next::End,
                    Some(false) => {
                        self.at += 1;
                        Next::Turn
                    }
                },
                Some(b'%') if self.is_line_start(window, self.at) => self.escape_line(window, eof),
                Some(b'%') => {
                    self.at += 1;
                    Next::Turn
                }
                Some(b'*') => self.skip_outcome(self.at + 1),
                Some(0xc2) => match half_end(window, self.at, eof) {
                    Some(Some(end)) => self.skip_outcome(end),
                    Some(None) => {
                        self.at += 1;
                        Next::Turn
                    }
                    None => Next::NeedMore,
                },
                _ => match outcome_around(window, self.at, eof) {
                    Some(Some((_, end))) => self.skip_outcome(end),
                    Some(None) => {
                        self.at += 1;
                        Next::Turn
                    }
                    None => Next::NeedMore,
                },
            };
            match next {
                Next::Turn if self.state == State::Moves && self.inside == Inside::Nothing => {}
                other => return other,
            }
        }
    }

    fn skip_outcome(&mut self, end: usize) -> Next {
        self.at = end;
        if self.depth == 0 {
            self.state = State::Closed;
        }
        Next::Turn
    }

    /// After an empty line another game may begin, though nothing ended the last.
    #[inline]
    fn skip_newline(&mut self, window: &[u8], eof: bool) -> Next {
        let rest = window.get(self.at + 1..).unwrap_or_default();
        let digit = match rest {
            [b'\n', ..] => self.at + 2,
            [b'\r', b'\n', ..] => self.at + 3,
            [] | [b'\r'] if !eof => return Next::NeedMore,
            _ => {
                self.at += 1;
                return Next::Turn;
            }
        };
        if window.get(digit).is_none() && !eof {
            return Next::NeedMore;
        }
        if self.depth == 0 && digit != self.moves_start {
            match restarts(window, digit, eof) {
                Some(true) => {
                    self.at = digit;
                    return Next::End;
                }
                Some(false) => {}
                None => return Next::NeedMore,
            }
        }
        self.at += 1;
        Next::Turn
    }
}
