//! Follows the moves of a game on the board, into variations and out of them.

use chess::{Color, Move, ParseSanError, Position, ReadMove, SanToken};

use crate::{Cause, RawTag, Start, decode_text};

/// The board beside the movetext: a [`Visitor`](crate::Visitor) that wants moves instead of tokens
/// owns one and tells it what it hears.
///
/// ```
/// use scoresheet_pgn::Tracker;
/// let mut tracker = Tracker::new();
/// tracker.play_san(b"e4")?;
/// tracker.enter()?; // a variation: 1. d4
/// tracker.play_san(b"d4")?;
/// tracker.leave();
/// let reply = tracker.play_san(b"e5")?.expect("no null move");
/// assert_eq!(reply.to_string(), "e7e5");
/// # Ok::<(), scoresheet_pgn::Cause>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tracker {
    start: Start,
    /// The position now, and the one before the last move, where a variation begins. They change
    /// places with every move, so that nothing is copied.
    positions: [Line; 2],
    is_second: bool,
    has_moved: bool,
    stack: Vec<(Position, Position)>,
}

/// A position on a line of the cache of its own. What is written across two lines is read again half as
/// fast, and where a tracker lies is chance: to pack took up to a fifth longer.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Line(Position);

impl Default for Tracker {
    fn default() -> Tracker {
        Tracker::new()
    }
}

impl Tracker {
    /// At the usual start.
    #[must_use]
    pub fn new() -> Tracker {
        Tracker {
            start: Start::default(),
            positions: [Line(Position::START), Line(Position::START)],
            is_second: false,
            has_moved: false,
            stack: Vec::new(),
        }
    }

    /// The position now and the one before.
    #[inline(always)]
    const fn both(&mut self) -> (&mut Position, &mut Position) {
        let [Line(first), Line(second)] = &mut self.positions;
        if self.is_second {
            (second, first)
        } else {
            (first, second)
        }
    }

    /// A move has led to `next`.
    #[inline]
    fn advance(&mut self, next: Position) {
        *self.both().1 = next;
        self.is_second = !self.is_second;
        self.has_moved = true;
    }

    /// A new game: forgets everything but its memory.
    #[inline]
    pub fn reset(&mut self) {
        self.start = Start::default();
        *self.both().0 = Position::START;
        self.has_moved = false;
        self.stack.clear();
    }

    /// Takes note of the tags that matter: `FEN` and `Variant`.
    ///
    /// # Errors
    /// [`Cause::Fen`] or [`Cause::Variant`].
    #[inline]
    pub fn tag(&mut self, name: &[u8], value: RawTag<'_>) -> Result<(), Cause> {
        self.start.tag(name, value)?;
        if let b"FEN" | b"Fen" | b"fen" = name {
            *self.both().0 = self.start.position();
        }
        Ok(())
    }

    /// The position now.
    #[must_use]
    #[inline]
    pub const fn position(&self) -> &Position {
        let [Line(first), Line(second)] = &self.positions;
        if self.is_second { second } else { first }
    }

    /// The position before the first move.
    #[must_use]
    pub fn start(&self) -> Position {
        self.start.position()
    }

    /// How deep in variations we are; 0 in the main line.
    #[must_use]
    #[inline]
    pub fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Plays the move that a token means; `None` is a null move.
    ///
    /// # Errors
    /// [`Cause::Move`] or [`Cause::NullMoveInCheck`]; the position is as before then.
    #[inline]
    pub fn play_san(&mut self, token: &[u8]) -> Result<Option<Move>, Cause> {
        if let Some(m) = SanToken::new(token).and_then(|token| self.play_plain(token)) {
            return Ok(Some(m));
        }
        let mut next = *self.position();
        match next.parse_san(token) {
            Ok(m) => {
                next.play_unchecked(m);
                self.advance(next);
                Ok(Some(m))
            }
            Err(source) => self.play_odd(token, source),
        }
    }

    /// Plays a move in its canonical form; `None` if the token is anything else. For
    /// [`Visitor::plain_san`](crate::Visitor::plain_san).
    #[doc(hidden)]
    #[inline(always)]
    pub fn play_plain(&mut self, token: SanToken) -> Option<Move> {
        self.play_plain_telling(token, |_, _| {})
    }

    /// [`Tracker::play_plain`] that tells the position before the move, and the move.
    #[doc(hidden)]
    #[inline(always)]
    pub fn play_plain_telling(
        &mut self,
        token: SanToken,
        mut tell: impl FnMut(&Position, ReadMove),
    ) -> Option<Move> {
        let (position, next) = self.both();
        let before = &*position;
        let m = before.play_canonical_san_telling(
            token,
            next,
            #[inline(always)]
            |read| tell(before, read),
        )?;
        self.is_second = !self.is_second;
        self.has_moved = true;
        Some(m)
    }

    #[cold]
    fn play_odd(&mut self, token: &[u8], source: ParseSanError) -> Result<Option<Move>, Cause> {
        if source == ParseSanError::NullMove || matches!(token, b"null" | b"pass" | b"NULL") {
            return self.play_null().map(|()| None);
        }
        let plain = without_figurines(token);
        if plain.len() != token.len() {
            return self.play_san(&plain);
        }
        let head = token.get(..32).unwrap_or(token);
        Err(Cause::Move {
            token: decode_text(head).into(),
            source,
        })
    }

    /// The side to move passes.
    ///
    /// # Errors
    /// [`Cause::NullMoveInCheck`].
    pub fn play_null(&mut self) -> Result<(), Cause> {
        let next = after_null(self.position()).ok_or(Cause::NullMoveInCheck)?;
        self.advance(next);
        Ok(())
    }

    /// A variation begins: the last move is taken back.
    ///
    /// # Errors
    /// [`Cause::VariationBeforeMove`] if there is none.
    pub fn enter(&mut self) -> Result<(), Cause> {
        if !self.has_moved {
            return Err(Cause::VariationBeforeMove);
        }
        let (position, before) = self.both();
        let both = (*position, *before);
        *position = *before;
        self.stack.push(both);
        self.has_moved = false;
        Ok(())
    }

    /// A variation ends. Does nothing in the main line.
    pub fn leave(&mut self) {
        if let Some((position, before)) = self.stack.pop() {
            let (now, then) = self.both();
            *now = position;
            *then = before;
            self.has_moved = true;
        }
    }
}

/// The position after the side to move has passed; `None` if it is in check.
pub(crate) fn after_null(position: &Position) -> Option<Position> {
    let mut setup = position.to_setup();
    setup.turn = !setup.turn;
    setup.ep_square = None;
    setup.halfmoves = setup.halfmoves.saturating_add(1);
    if setup.turn == Color::White {
        setup.fullmoves = setup.fullmoves.saturating_add(1);
    }
    Position::try_from(setup).ok()
}

/// The token with figurines, ♔ to ♟, replaced by letters, and dashes of typographers by `-`.
fn without_figurines(token: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(token.len().min(32));
    let mut rest = token;
    while let Some((&first, after)) = rest.split_first() {
        let (byte, length) = match rest {
            [0xe2, 0x99, figure @ 0x94..=0x9f, ..] => {
                (b"KQRBNP".get(usize::from((figure - 0x94) % 6)).copied(), 3)
            }
            [0xe2, 0x80, 0x90..=0x94, ..] | [0xe2, 0x88, 0x92, ..] => (Some(b'-'), 3),
            _ => (Some(first), 1),
        };
        plain.extend(byte);
        rest = rest.get(length..).unwrap_or(after);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figurines_are_letters() {
        let mut tracker = Tracker::new();
        for token in ["e4", "e5", "♘f3", "♞c6", "♗b5", "♞f6", "O–O"] {
            tracker.play_san(token.as_bytes()).unwrap();
        }
        assert_eq!(tracker.position().fullmoves(), 4);
    }

    #[test]
    fn passing_is_possible_unless_in_check() {
        let mut tracker = Tracker::new();
        assert_eq!(tracker.play_san(b"--"), Ok(None));
        assert_eq!(tracker.position().turn(), Color::Black);
        tracker.play_san(b"e5").unwrap();
        assert_eq!(tracker.play_san(b"Z0"), Ok(None));
        tracker.play_san(b"Qh4").unwrap();
        tracker.play_san(b"e4").unwrap();
        tracker.play_san(b"Qxf2+").unwrap();
        assert_eq!(tracker.play_san(b"--"), Err(Cause::NullMoveInCheck));
    }

    #[test]
    fn variations_need_a_move() {
        let mut tracker = Tracker::new();
        assert_eq!(tracker.enter(), Err(Cause::VariationBeforeMove));
        tracker.play_san(b"e4").unwrap();
        tracker.enter().unwrap();
        assert_eq!(tracker.enter(), Err(Cause::VariationBeforeMove));
        tracker.leave();
        tracker.leave();
        tracker.enter().unwrap();
        assert_eq!(tracker.position(), &Position::START);
    }
}
