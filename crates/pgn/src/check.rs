//! The visitor that only wants to know whether a game is good.

use std::ops::ControlFlow;

use chess::{Position, SanToken};

use crate::{Cause, Flow, Outcome, RawGame, RawTag, Stop, Tracker, Variation, Visitor};

/// What a good game comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Moves of the main line.
    pub plies: u32,
    /// Moves of the main line and of all variations.
    pub moves: u32,
    /// The position after the last move of the main line.
    pub end: Position,
    /// The result in the movetext.
    pub outcome: Option<Outcome>,
    /// The result in the tag `Result`.
    pub tag_outcome: Option<Outcome>,
}

impl Checked {
    /// Whether movetext and tag give different results.
    #[must_use]
    pub fn is_contradictory(&self) -> bool {
        matches!((self.outcome, self.tag_outcome), (Some(a), Some(b)) if a != b)
    }
}

/// Plays every move of every line and counts.
///
/// ```
/// use scoresheet_pgn::{Checker, Reader};
/// let mut reader = Reader::from_slice(b"1. f3 (1. e4) e5 2. g4 Qh4# 0-1");
/// let game = reader.read_game(&mut Checker::new())?.unwrap().unwrap();
/// assert_eq!((game.plies, game.moves), (4, 5));
/// assert!(game.end.is_checkmate());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Checker {
    tracker: Tracker,
    moves: u32,
    /// Moves of variations, counted where the main line goes on: there are many more moves than
    /// variations.
    side_moves: u32,
    /// The moves before the variation that is being read.
    moves_before: u32,
    outcome: Option<Outcome>,
    tag_outcome: Option<Outcome>,
}

impl Checker {
    /// A new checker; one is enough for any number of games.
    #[must_use]
    pub fn new() -> Checker {
        Checker::default()
    }
}

#[inline(always)]
fn flow<T>(result: Result<T, Cause>) -> ControlFlow<Stop, T> {
    match result {
        Ok(value) => ControlFlow::Continue(value),
        Err(cause) => ControlFlow::Break(Stop::Bad(cause)),
    }
}

impl Visitor for Checker {
    type Output = Checked;

    #[inline]
    fn begin_game(&mut self) -> Flow {
        self.tracker.reset();
        self.moves = 0;
        self.side_moves = 0;
        self.outcome = None;
        self.tag_outcome = None;
        Flow::Continue(())
    }

    #[inline]
    fn tag(&mut self, name: &[u8], value: RawTag<'_>) -> Flow {
        if name == b"Result" {
            self.tag_outcome = Outcome::parse(value.raw());
        }
        flow(self.tracker.tag(name, value))
    }

    #[inline(always)]
    fn plain_san(&mut self, token: SanToken) -> bool {
        if self.tracker.play_plain(token).is_none() {
            return false;
        }
        self.moves += 1;
        true
    }

    #[inline(never)]
    fn san(&mut self, token: &[u8]) -> Flow {
        flow(self.tracker.play_san(token))?;
        self.moves += 1;
        Flow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Stop, Variation> {
        flow(self.tracker.enter())?;
        if self.tracker.depth() == 1 {
            self.moves_before = self.moves;
        }
        ControlFlow::Continue(Variation::Enter)
    }

    fn end_variation(&mut self) -> Flow {
        self.tracker.leave();
        if self.tracker.depth() == 0 {
            self.side_moves += self.moves - self.moves_before;
        }
        Flow::Continue(())
    }

    fn outcome(&mut self, outcome: Outcome) -> Flow {
        if self.tracker.depth() == 0 {
            self.outcome = Some(outcome);
        }
        Flow::Continue(())
    }

    fn end_game(&mut self, _: RawGame<'_>) -> Checked {
        Checked {
            plies: self.moves - self.side_moves,
            moves: self.moves,
            end: *self.tracker.position(),
            outcome: self.outcome,
            tag_outcome: self.tag_outcome,
        }
    }
}
