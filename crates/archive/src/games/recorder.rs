//! The visitor that takes a game down in the form in which it is stored.

use std::ops::ControlFlow;

use chess::{Move, Position, ReadMove, SanToken};
use pgn::{
    Cause, CommentKind, Flow, Nag, Outcome, RawComment, RawGame, RawTag, Stop, Tracker, Variation,
    Visitor,
};

use super::lossy::Lossy;
use super::notebook::Notebook;
use super::notes::Op;
use super::scribe::Scribe;
use super::tag_notes::TagNotes;
use super::tag_order::is_fen;
use super::transcript::Manner;
use super::varint;

/// A game taken down. One is enough for any number of games: its memory is used again.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    /// What is not taken down.
    lossy: Option<Lossy>,
    tracker: Tracker,
    pub(crate) tags: TagNotes,
    /// A tag says where the game starts.
    pub(crate) has_fen: bool,
    /// The moves of the main line.
    pub(crate) scribe: Scribe,
    pub(crate) notebook: Notebook,
    pub(crate) outcome: Option<Outcome>,
    /// The main line goes on with a null move, for which there is no code.
    pub(crate) has_null_move: bool,
    /// The position after the last move.
    pub(crate) end: Position,
    /// Where in its slot the result stands.
    result_at: Option<usize>,
}

impl Recorder {
    pub(crate) fn new(manner: &Manner) -> Recorder {
        Recorder {
            lossy: manner.lossy,
            scribe: Scribe::new(manner.codec),
            ..Recorder::default()
        }
    }

    /// The position before the first move.
    pub(crate) fn start(&self) -> Position {
        self.tracker.start()
    }

    fn clear(&mut self) {
        self.tags.clear();
        self.has_fen = false;
        self.scribe.reset();
        self.notebook.clear();
        self.outcome = None;
        self.has_null_move = false;
        self.result_at = None;
    }
}

fn bad<T>(cause: Cause) -> ControlFlow<Stop, T> {
    ControlFlow::Break(Stop::Bad(cause))
}

impl Visitor for Recorder {
    type Output = ();

    fn begin_game(&mut self) -> Flow {
        self.tracker.reset();
        self.clear();
        Flow::Continue(())
    }

    #[inline(always)]
    fn tag(&mut self, name: &[u8], value: RawTag<'_>) -> Flow {
        if !self.tags.put(name, value) {
            return Flow::Continue(());
        }
        self.has_fen |= is_fen(name);
        match self.tracker.tag(name, value) {
            Ok(()) => Flow::Continue(()),
            Err(cause) => bad(cause),
        }
    }

    fn begin_moves(&mut self) -> Flow {
        self.scribe.begin(self.tracker.position());
        Flow::Continue(())
    }

    #[inline]
    fn san(&mut self, token: &[u8]) -> Flow {
        let before = *self.tracker.position();
        let played = match self.tracker.play_san(token) {
            Ok(played) => played,
            Err(cause) => return bad(cause),
        };
        if self.tracker.depth() > 0 {
            let slot = self.notebook.slot();
            slot.push(Op::Move as u8);
            let word = played.map_or(0, Move::word);
            slot.extend_from_slice(&word.to_le_bytes());
        } else if !self.has_null_move {
            match played {
                Some(m) => {
                    self.notebook.end_slot();
                    self.scribe.put(&before, ReadMove::Other(m));
                }
                None => {
                    self.has_null_move = true;
                    self.end = before;
                }
            }
        }
        Flow::Continue(())
    }

    #[inline(always)]
    fn plain_san(&mut self, token: SanToken) -> bool {
        if self.tracker.depth() > 0 || self.has_null_move {
            return false;
        }
        let played = self.tracker.play_plain_telling(
            token,
            #[inline(always)]
            |before, read| self.scribe.put(before, read),
        );
        if played.is_none() {
            return false;
        }
        self.notebook.end_slot();
        true
    }

    #[inline(always)]
    fn plain_comment(&mut self, text: &[u8]) -> Option<usize> {
        if self.lossy.is_some() || self.tracker.depth() > 0 || self.has_null_move {
            return None;
        }
        self.notebook.repeat_comment(text)
    }

    fn nag(&mut self, nag: Nag, is_suffix: bool) -> Flow {
        if self.lossy == Some(Lossy::MovesOnly) {
            return Flow::Continue(());
        }
        let slot = self.notebook.slot();
        slot.push(if is_suffix { Op::Suffix } else { Op::Nag } as u8);
        varint::put(slot, usize::from(nag.0));
        Flow::Continue(())
    }

    fn comment(&mut self, comment: RawComment<'_>) -> Flow {
        if self.lossy.is_some() {
            return Flow::Continue(());
        }
        let bytes = comment.bytes();
        match comment.kind() {
            CommentKind::Brace if self.tracker.depth() == 0 => {
                self.notebook.put_comment(bytes);
            }
            kind => {
                let is_brace = kind == CommentKind::Brace;
                let op = if is_brace {
                    Op::Verbatim
                } else {
                    Op::LineComment
                };
                let slot = self.notebook.slot();
                slot.push(op as u8);
                varint::put(slot, bytes.len());
                slot.extend_from_slice(bytes);
            }
        }
        Flow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Stop, Variation> {
        if self.lossy == Some(Lossy::MovesOnly) {
            return ControlFlow::Continue(Variation::Skip);
        }
        match self.tracker.enter() {
            Ok(()) => {
                self.notebook.slot().push(Op::Open as u8);
                ControlFlow::Continue(Variation::Enter)
            }
            Err(cause) => bad(cause),
        }
    }

    fn end_variation(&mut self) -> Flow {
        self.tracker.leave();
        self.notebook.slot().push(Op::Close as u8);
        Flow::Continue(())
    }

    fn outcome(&mut self, outcome: Outcome) -> Flow {
        if self.tracker.depth() > 0 {
            let number = Outcome::ALL.iter().position(|&known| known == outcome);
            let slot = self.notebook.slot();
            slot.push(Op::Outcome as u8);
            varint::put(slot, number.unwrap_or(3));
        } else {
            let slot = self.notebook.slot();
            self.result_at = Some(slot.len());
            slot.push(Op::Result as u8);
            self.outcome = Some(outcome);
        }
        Flow::Continue(())
    }

    fn end_game(&mut self, _: RawGame<'_>) {
        // A result that nothing follows needs no note.
        let slot = self.notebook.slot();
        if self.result_at.is_some_and(|at| at + 1 == slot.len()) {
            slot.pop();
        }
        if !self.has_null_move {
            self.end = *self.tracker.position();
        }
        self.notebook.finish();
    }
}
