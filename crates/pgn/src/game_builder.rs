//! The visitor that makes an owned [`Game`].

use std::ops::ControlFlow;

use chess::SanToken;

use crate::game::Stored;
use crate::{
    Cause, Flow, Game, LineId, Nag, Outcome, RawComment, RawGame, RawTag, Stop, Tracker, Variation,
    Visitor,
};

/// Checks every move and keeps everything.
#[derive(Clone, Debug, Default)]
pub struct GameBuilder {
    tracker: Tracker,
    game: Game,
    path: Vec<LineId>,
}

impl GameBuilder {
    /// A new builder; one is enough for any number of games.
    #[must_use]
    pub fn new() -> GameBuilder {
        GameBuilder::default()
    }

    fn line(&self) -> LineId {
        self.path.last().copied().unwrap_or(LineId::MAIN)
    }

    fn note(&mut self, note: Stored) {
        let is_after = self.game.outcome.is_some() && self.path.is_empty();
        self.game.push_note(self.line(), note);
        if is_after {
            self.game.notes_after_outcome += 1;
        }
    }
}

fn bad<T>(cause: Cause) -> ControlFlow<Stop, T> {
    ControlFlow::Break(Stop::Bad(cause))
}

impl Visitor for GameBuilder {
    type Output = Game;

    fn begin_game(&mut self) -> Flow {
        self.tracker.reset();
        self.game = Game::default();
        self.path.clear();
        Flow::Continue(())
    }

    fn tag(&mut self, name: &[u8], value: RawTag<'_>) -> Flow {
        self.game.push_tag(name, &value.value());
        match self.tracker.tag(name, value) {
            Ok(()) => {
                self.game.start = *self.tracker.position();
                Flow::Continue(())
            }
            Err(cause) => bad(cause),
        }
    }

    fn plain_san(&mut self, token: SanToken) -> bool {
        let Some(m) = self.tracker.play_plain(token) else {
            return false;
        };
        self.game.push_move(self.line(), Some(m));
        true
    }

    fn san(&mut self, token: &[u8]) -> Flow {
        match self.tracker.play_san(token) {
            Ok(m) => {
                self.game.push_move(self.line(), m);
                Flow::Continue(())
            }
            Err(cause) => bad(cause),
        }
    }

    fn nag(&mut self, nag: Nag, is_suffix: bool) -> Flow {
        self.note(Stored::Nag(nag, is_suffix));
        Flow::Continue(())
    }

    fn comment(&mut self, comment: RawComment<'_>) -> Flow {
        let range = self.game.push_text(comment.bytes());
        self.note(Stored::Comment(range, comment.kind()));
        Flow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Stop, Variation> {
        if let Err(cause) = self.tracker.enter() {
            return bad(cause);
        }
        match self.game.push_variation(self.line()) {
            Some(variation) => {
                self.path.push(variation);
                ControlFlow::Continue(Variation::Enter)
            }
            None => bad(Cause::VariationBeforeMove),
        }
    }

    fn end_variation(&mut self) -> Flow {
        self.tracker.leave();
        self.path.pop();
        Flow::Continue(())
    }

    fn outcome(&mut self, outcome: Outcome) -> Flow {
        if self.path.is_empty() {
            self.game.outcome = Some(outcome);
        } else {
            self.note(Stored::Outcome(outcome));
        }
        Flow::Continue(())
    }

    fn end_game(&mut self, _: RawGame<'_>) -> Game {
        std::mem::take(&mut self.game)
    }
}
