//! What the model expects of a game at the place where it stands.

use chess::attacks::Sliders;
use chess::{Move, Position};

use super::book::{self, Entry};
use super::features::{Memory, StepVisitor, phase, visit_steps};
use super::layout::COLUMNS;
use super::model::Model;
use super::odds::Odds;
use super::sums::Sums;

/// A game on its way: the position, and all that the odds of the next move depend on.
#[derive(Clone, Debug)]
pub(super) struct Foresight<'m> {
    model: &'m Model,
    position: Position,
    memory: Memory,
    sums: Sums,
    /// How many positions in a row the opening table has not known.
    unknown: u8,
    odds: Odds,
}

/// After so many unknown positions in a row the opening table is not asked any more.
const GIVE_UP: u8 = 4;

impl<'m> Foresight<'m> {
    pub(super) fn new(model: &'m Model, start: &Position) -> Foresight<'m> {
        Foresight {
            model,
            position: *start,
            memory: Memory::default(),
            sums: Sums::of(model, start),
            unknown: 0,
            odds: Odds::new(),
        }
    }

    pub(super) const fn position(&self) -> &Position {
        &self.position
    }

    /// The odds of all legal moves here.
    #[inline(always)]
    pub(super) fn odds<S: Sliders>(&mut self, sliders: S) -> &Odds {
        let row = self.row();
        self.odds.clear();
        let mut score = Score {
            weights: self.model.weights(),
            row: &row,
            man: 0,
            odds: &mut self.odds,
        };
        visit_steps(&self.position, self.memory, sliders, &mut score);
        self.odds.share_out();
        if self.unknown < GIVE_UP {
            self.ask_book();
        }
        &self.odds
    }

    /// The sum of all rows that are true of the position.
    #[inline(always)]
    fn row(&self) -> [i16; COLUMNS] {
        let men = self.sums.side(self.position.turn());
        let reply = self.model.reply(self.memory.reply_row());
        let sequel = self.model.sequel(self.memory.sequel_row());
        let phase = self.model.phase(phase(&self.position));
        let mut row = [0; COLUMNS];
        for (i, sum) in row.iter_mut().enumerate() {
            #[allow(clippy::indexing_slicing)] // All have the same length.
            {
                *sum = men[i]
                    .wrapping_add(reply[i])
                    .wrapping_add(sequel[i])
                    .wrapping_add(phase[i]);
            }
        }
        row
    }

    fn ask_book(&mut self) {
        let mut found = [Entry::new(0, 0); book::MOST_MOVES];
        let len = self.model.book.find(book::key(&self.position), &mut found);
        if len == 0 {
            self.unknown += 1;
        } else {
            self.unknown = 0;
            self.odds.mix(found.get(..len).unwrap_or_default());
        }
    }

    /// Goes on by a legal move.
    #[inline(always)]
    pub(super) fn play(&mut self, m: Move) {
        self.memory = self.memory.after(&self.position, m);
        self.sums.play(self.model, &self.position, m);
        self.position.play_unchecked(m);
    }
}

/// Sums up the weights of each move.
struct Score<'a> {
    weights: &'a [i16],
    row: &'a [i16; COLUMNS],
    man: i16,
    odds: &'a mut Odds,
}

impl Score<'_> {
    #[inline(always)]
    fn weight(&self, at: Option<usize>) -> i16 {
        at.and_then(|at| self.weights.get(at)).copied().unwrap_or(0)
    }
}

impl StepVisitor for Score<'_> {
    #[inline(always)]
    fn man(&mut self, weights: [Option<usize>; 2]) {
        self.man = self
            .weight(weights[0])
            .wrapping_add(self.weight(weights[1]));
    }

    #[inline(always)]
    fn step(&mut self, m: Move, column: usize, weights: [Option<usize>; 4]) {
        let own = weights
            .into_iter()
            .fold(self.man, |sum, at| sum.wrapping_add(self.weight(at)));
        let row = self.row.get(column).copied().unwrap_or(0);
        self.odds.push(m.word(), own.wrapping_add(row));
    }
}
