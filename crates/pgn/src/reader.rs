//! Reads games from a source.

use std::io::{self, Read};

use crate::parser::{LOOK_BACK, Parser, Step};
use crate::{Cause, GameError, Limits, RawGame, Slice, Source, Stream, Visitor};

/// Reads games one after the other and tells a [`Visitor`] what is in them.
///
/// ```
/// use scoresheet_pgn::{GameBuilder, Reader};
/// let text = b"[White \"Ann\"]\n\n1. e4 e5 1-0\n\n[White \"Bob\"]\n\n1. e5 *\n";
/// let mut reader = Reader::from_slice(text);
/// let mut builder = GameBuilder::new();
/// let first = reader.read_game(&mut builder)?.unwrap().unwrap();
/// assert_eq!(first.main_line().moves().len(), 2);
/// let error = reader.read_game(&mut builder)?.unwrap().unwrap_err();
/// assert_eq!((error.game, error.line), (2, 7));
/// assert!(reader.read_game(&mut builder)?.is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<S> {
    source: S,
    parser: Parser,
    /// Games read.
    games: u64,
    /// Where the window begins.
    offset: u64,
    /// Bytes of the window that belong to the last game.
    used: usize,
    /// Where the last game began.
    game_offset: u64,
    was_dropped: bool,
    /// Lines of the last game, if it was dropped.
    unseen_lines: u64,
}

impl<R: Read> Reader<Stream<R>> {
    /// Reads from a stream, through a buffer of its own: `BufReader` is not needed.
    pub fn new(reader: R) -> Reader<Stream<R>> {
        Reader::with_source(Stream::new(reader))
    }

    /// The stream.
    pub fn get_ref(&self) -> &R {
        self.source.get_ref()
    }
}

impl<'a> Reader<Slice<'a>> {
    /// Reads from memory, without copying.
    #[must_use]
    pub fn from_slice(text: &'a [u8]) -> Reader<Slice<'a>> {
        Reader::with_source(Slice::new(text))
    }
}

/// A number of bytes never needs more than 64 bits.
fn wide(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

impl<S: Source> Reader<S> {
    fn with_source(source: S) -> Reader<S> {
        Reader {
            source,
            parser: Parser::new(Limits::default()),
            games: 0,
            offset: 0,
            used: 0,
            game_offset: 0,
            was_dropped: false,
            unseen_lines: 0,
        }
    }

    /// The same reader with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Reader<S> {
        self.parser = Parser::new(limits);
        self
    }

    /// How many games have been read, good and bad.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// How many bytes lie before the next game.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset + wide(self.used)
    }

    /// The text of the last game, good or bad, up to the next one. Empty before the first game and
    /// for a game that is too large.
    #[must_use]
    pub fn last_game(&self) -> RawGame<'_> {
        let window = self.source.window();
        let bytes = if self.was_dropped {
            &[]
        } else {
            window.get(..self.used).unwrap_or_default()
        };
        RawGame {
            bytes,
            number: self.games,
            offset: self.game_offset,
            length: self.offset() - self.game_offset,
            unseen_lines: self.unseen_lines,
        }
    }

    /// Reads the next game. `None` at the end of the text; `Err` in `Some` for a bad game, after
    /// which reading goes on with the next.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn read_game<V: Visitor>(
        &mut self,
        visitor: &mut V,
    ) -> io::Result<Option<Result<V::Output, GameError>>> {
        self.leave_last_game();
        loop {
            let window = self.source.window();
            let is_at_end = self.source.is_at_end();
            match self.parser.run(window, is_at_end, visitor) {
                Step::End(length, is_game) => return Ok(self.finish(length, is_game, visitor)),
                Step::NeedMore => {
                    self.drop_if_too_large();
                    self.source.grow()?;
                }
            }
        }
    }

    /// Passes over the next game. `false` at the end of the text.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn skip_game(&mut self) -> io::Result<bool> {
        Ok(self.read_game(&mut Skipper)?.is_some())
    }

    #[inline]
    fn leave_last_game(&mut self) {
        if self.used == 0 && !self.was_dropped {
            return;
        }
        let game = self.source.window().get(..self.used).unwrap_or_default();
        let starts_line = matches!(game.last(), Some(b'\n' | b'\r'));
        self.parser.restart(starts_line, self.used);
        self.offset += wide(self.used);
        self.source.advance(self.used);
        self.used = 0;
        self.was_dropped = false;
        self.unseen_lines = 0;
        self.game_offset = self.offset;
    }

    fn finish<V: Visitor>(
        &mut self,
        length: usize,
        is_game: bool,
        visitor: &mut V,
    ) -> Option<Result<V::Output, GameError>> {
        let window = self.source.window();
        // A game has at least one byte. Were that not so, reading would never end.
        self.used = if is_game { length.max(1) } else { length };
        self.used = self.used.min(window.len());
        if !is_game {
            return None;
        }
        self.games += 1;
        let max = self.parser.limits.game_bytes;
        if self.used > max && !self.was_dropped {
            self.parser.fault = Some((0, Cause::TooLarge { max }));
        }
        match self.parser.fault.take() {
            Some((at, cause)) => Some(Err(self.error(at, cause))),
            None => Some(Ok(visitor.end_game(RawGame {
                bytes: window.get(..self.used).unwrap_or_default(),
                number: self.games,
                offset: self.game_offset,
                length: self.offset() - self.game_offset,
                unseen_lines: self.unseen_lines,
            }))),
        }
    }

    #[cold]
    fn error(&mut self, at: usize, cause: Cause) -> GameError {
        if let (Cause::TooLarge { .. }, Some(line)) = (&cause, self.parser.dropped_line) {
            self.unseen_lines = (1 + self.source.lines_before(self.used)).saturating_sub(line);
            return GameError {
                game: self.games,
                line,
                offset: self.game_offset,
                cause,
            };
        }
        GameError {
            game: self.games,
            line: 1 + self.source.lines_before(at),
            offset: self.offset + wide(at),
            cause,
        }
    }

    /// A game over the limit is no longer kept, but its end must still be found.
    #[inline]
    fn drop_if_too_large(&mut self) {
        let max = self.parser.limits.game_bytes;
        let length = self.source.window().len();
        if !self.parser.is_dropping {
            // Some bytes more than the limit, so that no token's look ahead can matter.
            if length <= max.saturating_add(4 * LOOK_BACK) {
                return;
            }
            let line = 1 + self.source.lines_before(0);
            self.parser.dropped_line = Some(line);
            self.parser.fault = Some((0, Cause::TooLarge { max }));
            self.parser.is_skipping = true;
            self.parser.skip_to_depth = None;
            self.parser.is_dropping = true;
            self.was_dropped = true;
        }
        self.parser.moves_start = usize::MAX;
        self.parser.searched = (0, 0);
        self.parser.starts_line = false;
        let count = self.parser.at.min(length).saturating_sub(LOOK_BACK);
        self.offset += wide(count);
        self.source.advance(count);
        self.parser.at -= count;
    }
}

/// Wants nothing.
struct Skipper;

impl Visitor for Skipper {
    type Output = ();

    fn begin_game(&mut self) -> crate::Flow {
        crate::Flow::Break(crate::Stop::Skip)
    }

    fn end_game(&mut self, _: RawGame<'_>) {}
}
