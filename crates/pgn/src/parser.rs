//! The state machine that turns a window of text into events.
//!
//! It does no I/O: the caller shows it a window that begins with the first byte of a game, and a
//! longer one when it asks for more. Every token is read from its first byte again then, so no
//! state is needed inside tokens; windows grow geometrically, so this costs a constant factor.
//!
//! Where a game ends is decided here and nowhere else, by the text alone and never by the visitor:
//!
//! 1. at a result outside of variations, with the comments, glyphs and results that follow it;
//! 2. before a tag that follows movetext, on whatever line;
//! 3. before `[Event ` on a line of its own after an empty line, even in a comment;
//! 4. before `1.` after an empty line, outside of comments and variations;
//! 5. at the end of the text.

use std::ops::ControlFlow;

use chess::attacks::{self, Job, Sliders};

use crate::byte_class as class;
use crate::scan::{CommentEnd, comment_end, line_end, outcome_around};
use crate::tag::{find_tag, is_border, is_tag, plain_tag};
use crate::{Cause, CommentKind, Limits, RawComment, Stop, Visitor};

/// Where in a game the parser is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    /// Before the first token of the movetext.
    Tags,
    /// In the movetext.
    Moves,
    /// After the result.
    Closed,
}

/// A comment or line that goes on in the next window: only while bytes are thrown away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Inside {
    Nothing,
    Brace,
    Line,
}

/// What a run of the parser came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// The window is used up.
    NeedMore,
    /// The game takes this many bytes; `false` if there is no game, but white space.
    End(usize, bool),
}

/// What part of a state came to.
pub(crate) enum Next {
    NeedMore,
    /// Another state, or another way of reading.
    Turn,
    /// The game ends before this byte.
    End,
}

#[derive(Debug)]
pub(crate) struct Parser {
    pub(crate) limits: Limits,
    pub(crate) state: State,
    pub(crate) at: usize,
    pub(crate) depth: u32,
    /// The `(` of the outermost variation that is open.
    opened: usize,
    /// Where the movetext begins.
    pub(crate) moves_start: usize,
    /// No more events for this game.
    pub(crate) is_skipping: bool,
    /// A variation is passed over until the depth is this again.
    pub(crate) skip_to_depth: Option<u32>,
    pub(crate) inside: Inside,
    /// What has been read is thrown away: the game is too large to keep.
    pub(crate) is_dropping: bool,
    /// Whether the first byte of the window is the first of its line.
    pub(crate) starts_line: bool,
    /// Longer than games like the last one are.
    pub(crate) usual_length: usize,
    has_begun: bool,
    has_tags: bool,
    /// An open comment and how much of it has been looked at in vain.
    pub(crate) searched: (usize, usize),
    pub(crate) fault: Option<(usize, Cause)>,
    /// The line in which a game began that is thrown away.
    pub(crate) dropped_line: Option<u64>,
}

/// How many bytes before `at` must stay when the window is cut: a look back is never longer.
pub(crate) const LOOK_BACK: usize = 16;

/// A part of a game read with the instructions that this CPU has. No part looks up sliders itself,
/// but visitors do; and loops that take words apart bit by bit gain as much. Each part is compiled by
/// itself: what one keeps in registers is of no use to another.
struct Part<'a, V, const STATE: u8> {
    parser: &'a mut Parser,
    window: &'a [u8],
    eof: bool,
    visitor: &'a mut V,
}

const TAGS: u8 = State::Tags as u8;
const MOVES: u8 = State::Moves as u8;
const SKIPPED: u8 = State::Closed as u8 + 1;

impl<V: Visitor, const STATE: u8> Job for Part<'_, V, STATE> {
    type Output = Next;

    #[inline(always)]
    fn run<S: Sliders>(self, _: S) -> Next {
        match STATE {
            TAGS => self.parser.tags(self.window, self.eof, self.visitor),
            MOVES => self.parser.moves(self.window, self.eof, self.visitor),
            _ => self.parser.skip_moves(self.window, self.eof),
        }
    }
}

impl Parser {
    pub(crate) fn new(limits: Limits) -> Parser {
        Parser {
            limits,
            state: State::Tags,
            at: 0,
            depth: 0,
            opened: 0,
            moves_start: 0,
            is_skipping: false,
            skip_to_depth: None,
            inside: Inside::Nothing,
            is_dropping: false,
            starts_line: true,
            usual_length: 16 << 10,
            has_begun: false,
            has_tags: false,
            searched: (0, 0),
            fault: None,
            dropped_line: None,
        }
    }

    /// Gets ready for the next game, after one of this length.
    pub(crate) fn restart(&mut self, starts_line: bool, length: usize) {
        *self = Parser {
            starts_line,
            usual_length: (4 * length).clamp(4 << 10, 256 << 10),
            ..Parser::new(self.limits)
        };
    }

    /// Goes into the variation whose `(` is here.
    #[inline]
    pub(crate) fn deepen(&mut self) {
        if self.depth == 0 {
            self.opened = self.at;
        }
        self.depth = self.depth.saturating_add(1);
        self.at += 1;
    }

    /// The game is bad here; what follows is skipped.
    pub(crate) fn fail(&mut self, at: usize, cause: Cause) {
        if self.fault.is_none() {
            self.fault = Some((at, cause));
        }
        self.is_skipping = true;
        self.skip_to_depth = None;
    }

    /// Takes the visitor's answer to a token at `at`.
    #[inline(always)]
    pub(crate) fn obey(&mut self, at: usize, flow: ControlFlow<Stop>) -> bool {
        match flow {
            ControlFlow::Continue(()) => true,
            ControlFlow::Break(Stop::Skip) => {
                self.is_skipping = true;
                false
            }
            ControlFlow::Break(Stop::Bad(cause)) => {
                self.fail(at, cause);
                false
            }
        }
    }

    fn part<V: Visitor, const STATE: u8>(
        &mut self,
        window: &[u8],
        eof: bool,
        visitor: &mut V,
    ) -> Next {
        attacks::dispatch(Part::<V, STATE> {
            parser: self,
            window,
            eof,
            visitor,
        })
    }

    /// Reads on in a window that begins with the game.
    pub(crate) fn run<V: Visitor>(&mut self, window: &[u8], eof: bool, visitor: &mut V) -> Step {
        loop {
            let next = match (self.state, self.is_skipping || self.skip_to_depth.is_some()) {
                _ if self.inside != Inside::Nothing => self.leave_inside(window, eof),
                (State::Tags, _) => self.part::<V, TAGS>(window, eof, visitor),
                (State::Moves, false) => self.part::<V, MOVES>(window, eof, visitor),
                (State::Moves, true) => self.part::<V, SKIPPED>(window, eof, visitor),
                (State::Closed, _) => self.closed(window, eof, visitor),
            };
            match next {
                Next::Turn => {}
                Next::NeedMore if !eof => return Step::NeedMore,
                Next::NeedMore | Next::End => {
                    if self.depth > 0 {
                        self.fail(self.opened.min(window.len()), Cause::UnclosedVariation);
                    }
                    return Step::End(self.at.min(window.len()), self.has_begun);
                }
            }
        }
    }

    /// The first sign of a game that is more than white space.
    #[inline]
    fn begin<V: Visitor>(&mut self, visitor: &mut V) {
        if !self.has_begun {
            self.has_begun = true;
            if !self.is_skipping {
                let flow = visitor.begin_game();
                self.obey(self.at, flow);
            }
        }
    }

    #[inline(always)]
    fn tags<V: Visitor>(&mut self, window: &[u8], eof: bool, visitor: &mut V) -> Next {
        loop {
            let Some(&byte) = window.get(self.at) else {
                return Next::NeedMore;
            };
            match class::class(byte) {
                class::SPACE => self.at += 1,
                class::BRACKET => match is_tag(window, self.at, eof) {
                    None => return Next::NeedMore,
                    Some(false) => return self.begin_moves(visitor),
                    Some(true) => {
                        if self.has_tags && is_border(window, self.at) {
                            return Next::End;
                        }
                        let Some(tag) = find_tag(window, self.at, eof) else {
                            return self.line_goes_on(self.at + 1);
                        };
                        self.begin(visitor);
                        self.has_tags = true;
                        if !self.is_skipping {
                            let flow = visitor.tag(tag.name, tag.value);
                            self.obey(self.at, flow);
                        }
                        self.at = tag.end;
                        self.plain_tags(window, visitor);
                    }
                },
                class::BRACE => {
                    self.begin(visitor);
                    match self.brace(window, eof, visitor) {
                        Next::Turn if self.inside == Inside::Nothing => {}
                        other => return other,
                    }
                }
                class::SEMICOLON => {
                    self.begin(visitor);
                    match self.semicolon(window, eof, visitor) {
                        Next::Turn if self.inside == Inside::Nothing => {}
                        other => return other,
                    }
                }
                class::PERCENT if self.is_line_start(window, self.at) => {
                    match self.escape_line(window, eof) {
                        Next::Turn if self.inside == Inside::Nothing => {}
                        other => return other,
                    }
                }
                class::OTHER => match self.odd_space(window, eof) {
                    Some(true) => {}
                    Some(false) => return self.begin_moves(visitor),
                    None => return Next::NeedMore,
                },
                _ => return self.begin_moves(visitor),
            }
        }
    }

    /// More tags on lines of their own, as long as they are plain ones.
    #[inline(always)]
    fn plain_tags<V: Visitor>(&mut self, window: &[u8], visitor: &mut V) {
        while let Some(next) = window.get(self.at..self.at + 3) {
            let newline = match next {
                [b'\n', b'[', _] => 1,
                b"\r\n[" => 2,
                _ => return,
            };
            let Some(tag) = plain_tag(window, self.at + newline) else {
                return;
            };
            self.at += newline;
            if !self.is_skipping {
                let flow = visitor.tag(tag.name, tag.value);
                self.obey(self.at, flow);
            }
            self.at = tag.end;
        }
    }

    fn begin_moves<V: Visitor>(&mut self, visitor: &mut V) -> Next {
        self.begin(visitor);
        self.state = State::Moves;
        self.moves_start = self.at;
        if !self.is_skipping {
            let flow = visitor.begin_moves();
            self.obey(self.at, flow);
        }
        Next::Turn
    }

    /// What may follow a result without beginning another game.
    fn closed<V: Visitor>(&mut self, window: &[u8], eof: bool, visitor: &mut V) -> Next {
        loop {
            let Some(&byte) = window.get(self.at) else {
                return Next::NeedMore;
            };
            match class::class(byte) {
                class::SPACE | class::DOT | class::STAR => self.at += 1,
                class::BRACE => match self.brace(window, eof, visitor) {
                    Next::Turn if self.inside == Inside::Nothing => {}
                    other => return other,
                },
                class::SEMICOLON => match self.semicolon(window, eof, visitor) {
                    Next::Turn if self.inside == Inside::Nothing => {}
                    other => return other,
                },
                class::PERCENT if self.is_line_start(window, self.at) => {
                    match self.escape_line(window, eof) {
                        Next::Turn if self.inside == Inside::Nothing => {}
                        other => return other,
                    }
                }
                class::DOLLAR => match self.dollar(window, eof, visitor) {
                    Some(true) => {}
                    Some(false) => return Next::End,
                    None => return Next::NeedMore,
                },
                class::DIGIT => match outcome_around(window, self.at, eof) {
                    Some(Some((_, end))) => self.at = end,
                    Some(None) => return Next::End,
                    None => return Next::NeedMore,
                },
                class::OTHER => match self.odd_space(window, eof) {
                    Some(true) => {}
                    Some(false) => return Next::End,
                    None => return Next::NeedMore,
                },
                _ => return Next::End,
            }
        }
    }

    pub(crate) fn is_line_start(&self, window: &[u8], at: usize) -> bool {
        match at.checked_sub(1) {
            Some(before) => matches!(window.get(before), Some(b'\n' | b'\r')),
            None => self.starts_line,
        }
    }

    /// Passes over a byte-order mark or a no-break space. `None` if the window is too short.
    pub(crate) fn odd_space(&mut self, window: &[u8], eof: bool) -> Option<bool> {
        let rest = window.get(self.at..).unwrap_or_default();
        for space in [&b"\xef\xbb\xbf"[..], b"\xc2\xa0", b"\xe2\x80\x8b"] {
            if rest.starts_with(space) {
                self.at += space.len();
                return Some(true);
            }
            if !eof && space.starts_with(rest) {
                return None;
            }
        }
        // In Latin-1 a no-break space is one byte, and no start of a character of UTF-8.
        if rest.first() == Some(&0xa0) {
            self.at += 1;
            return Some(true);
        }
        Some(false)
    }

    /// A `{` comment.
    #[inline]
    pub(crate) fn brace<V: Visitor>(&mut self, window: &[u8], eof: bool, visitor: &mut V) -> Next {
        let start = self.at + 1;
        let from = if self.searched.0 == start {
            self.searched.1.max(start)
        } else {
            start
        };
        match comment_end(window, from) {
            CommentEnd::Closed(end) => {
                if !self.is_skipping && self.skip_to_depth.is_none() {
                    let bytes = window.get(start..end).unwrap_or_default();
                    let comment = RawComment::new(bytes, CommentKind::Brace);
                    let flow = visitor.comment(comment);
                    self.obey(self.at, flow);
                }
                self.at = end + 1;
                Next::Turn
            }
            CommentEnd::Border(end) => {
                self.fail(self.at, Cause::UnclosedComment);
                self.at = end;
                Next::End
            }
            CommentEnd::Open if eof => {
                self.fail(self.at, Cause::UnclosedComment);
                self.at = window.len();
                Next::End
            }
            CommentEnd::Open if self.is_dropping => {
                self.inside = Inside::Brace;
                self.at = start;
                Next::Turn
            }
            CommentEnd::Open => {
                self.searched = (start, window.len().saturating_sub(LOOK_BACK));
                Next::NeedMore
            }
        }
    }

    /// A `;` comment, up to the end of its line.
    pub(crate) fn semicolon<V: Visitor>(
        &mut self,
        window: &[u8],
        eof: bool,
        visitor: &mut V,
    ) -> Next {
        let start = self.at + 1;
        match line_end(window, start, eof) {
            Some(end) => {
                if !self.is_skipping && self.skip_to_depth.is_none() {
                    let bytes = window.get(start..end).unwrap_or_default();
                    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
                    let comment = RawComment::new(bytes, CommentKind::Line);
                    let flow = visitor.comment(comment);
                    self.obey(self.at, flow);
                }
                self.at = end;
                Next::Turn
            }
            None => self.line_goes_on(start),
        }
    }

    /// A line that begins with `%`: not for us (PGN §6).
    pub(crate) fn escape_line(&mut self, window: &[u8], eof: bool) -> Next {
        match line_end(window, self.at, eof) {
            Some(end) => {
                self.at = end;
                Next::Turn
            }
            None => self.line_goes_on(self.at + 1),
        }
    }

    fn line_goes_on(&mut self, start: usize) -> Next {
        if !self.is_dropping {
            return Next::NeedMore;
        }
        self.inside = Inside::Line;
        self.at = start;
        Next::Turn
    }

    /// Goes on in a comment or line whose beginning has been thrown away.
    fn leave_inside(&mut self, window: &[u8], eof: bool) -> Next {
        let end = match self.inside {
            Inside::Line => line_end(window, self.at, eof),
            _ => match comment_end(window, self.at) {
                CommentEnd::Closed(end) => Some(end + 1),
                CommentEnd::Border(end) => {
                    self.inside = Inside::Nothing;
                    self.at = end;
                    return Next::End;
                }
                CommentEnd::Open => None,
            },
        };
        match end {
            Some(end) => {
                self.inside = Inside::Nothing;
                self.at = end;
                Next::Turn
            }
            None => {
                // A border may straddle the end of the window: keep the last bytes in view.
                let keep = if eof { 0 } else { LOOK_BACK };
                self.at = self.at.max(window.len().saturating_sub(keep));
                Next::NeedMore
            }
        }
    }
}
