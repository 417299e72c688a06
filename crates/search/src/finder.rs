//! Looks through PGN, by the same matcher.

use std::ops::ControlFlow;

use pgn::{Cause, Flow, Outcome, RawGame, RawTag, Stop, Tracker, Variation, Visitor};

use crate::matcher::{Extent, Matcher, Plies};
use crate::query::Query;

/// A visitor of PGN that gives the matches of a game; none, if it has none.
///
/// ```
/// use pgn::Reader;
/// use scoresheet_search::{Extent, Finder, Query};
/// let query = Query::parse_json(r#"{ "event": "checkmate" }"#)?;
/// let mut finder = Finder::new(&query, Extent::First);
/// let mut reader = Reader::from_slice(b"1. f3 e5 2. g4 Qh4# 0-1");
/// let found = reader.read_game(&mut finder)?.ok_or("no game")??;
/// assert_eq!(found, [[4]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Finder<'q> {
    query: &'q Query,
    tracker: Tracker,
    matcher: Matcher<'q>,
    tag_outcome: Option<Outcome>,
    outcome: Option<Outcome>,
}

impl<'q> Finder<'q> {
    /// A finder; one is enough for any number of games.
    #[must_use]
    pub fn new(query: &'q Query, extent: Extent) -> Finder<'q> {
        Finder {
            query,
            tracker: Tracker::new(),
            matcher: Matcher::new(query, extent),
            tag_outcome: None,
            outcome: None,
        }
    }

    fn has_result(&self) -> bool {
        let outcome = self.tag_outcome.or(self.outcome);
        self.query.results.is_empty()
            || outcome.is_some_and(|outcome| self.query.results.contains(&outcome))
    }
}

fn flow<T>(result: Result<T, Cause>) -> ControlFlow<Stop, T> {
    match result {
        Ok(value) => ControlFlow::Continue(value),
        Err(cause) => ControlFlow::Break(Stop::Bad(cause)),
    }
}

impl Visitor for Finder<'_> {
    type Output = Vec<Plies>;

    fn begin_game(&mut self) -> Flow {
        self.tracker.reset();
        self.matcher.begin();
        self.tag_outcome = None;
        self.outcome = None;
        Flow::Continue(())
    }

    fn tag(&mut self, name: &[u8], value: RawTag<'_>) -> Flow {
        if name == b"Result" {
            self.tag_outcome = Outcome::parse(value.raw());
        }
        flow(self.tracker.tag(name, value))
    }

    fn begin_moves(&mut self) -> Flow {
        match self.tag_outcome.is_none() || self.has_result() {
            true => Flow::Continue(()),
            false => Flow::Break(Stop::Skip),
        }
    }

    // A game is read to its end even when nothing more is looked for: it may be bad, and a bad game
    // is reported, not found.
    fn san(&mut self, token: &[u8]) -> Flow {
        let before = *self.tracker.position();
        if let Some(m) = flow(self.tracker.play_san(token))? {
            self.matcher.go_on(&before, m);
        }
        Flow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Stop, Variation> {
        ControlFlow::Continue(Variation::Skip)
    }

    fn outcome(&mut self, outcome: Outcome) -> Flow {
        self.outcome = Some(outcome);
        Flow::Continue(())
    }

    fn end_game(&mut self, _: RawGame<'_>) -> Vec<Plies> {
        let found = self.matcher.end(self.tracker.position()).to_vec();
        match self.has_result() {
            true => found,
            false => Vec::new(),
        }
    }
}
