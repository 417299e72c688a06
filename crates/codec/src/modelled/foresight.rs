//! What the model expects of a game at the place where it stands.

use chess::attacks::Sliders;
use chess::{Move, Position};

use super::book::{self, Entry};
use super::features::{ManWeights, Memory, StepVisitor, StepWeights, phase, visit_steps};
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
    /// How many positions in a row the opening table has not known, up to the last move.
    unknown: u8,
    /// Whether it knows the present one, once it was asked.
    is_known: bool,
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
            is_known: false,
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
        let mut score = Score::new(self.model, &row, &mut self.odds);
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
                    .wrapping_add(reply.at(i))
                    .wrapping_add(sequel.at(i))
                    .wrapping_add(phase.at(i));
            }
        }
        row
    }

    fn ask_book(&mut self) {
        let mut found = [Entry::new(0, 0); book::MOST_MOVES];
        let len = self.model.book.find(book::key(&self.position), &mut found);
        self.is_known = len > 0;
        self.odds.mix(found.get(..len).unwrap_or_default());
    }

    /// Goes on by a legal move.
    #[inline(always)]
    pub(super) fn play(&mut self, m: Move) {
        // Odds were asked for before every move that is played.
        if self.unknown < GIVE_UP {
            self.unknown = if self.is_known { 0 } else { self.unknown + 1 };
        }
        self.memory = self.memory.after(&self.position, m);
        self.sums.play(self.model, &self.position, m);
        self.position.play_unchecked(m);
    }
}

/// Sums up the weights of each move.
struct Score<'a> {
    model: &'a Model,
    row: &'a [i16; COLUMNS],
    /// The part of the row, and the weights, that the steps of the present man choose from.
    columns: &'a [i16; 64],
    landings: &'a [i16; 4096],
    leavings: &'a [i16; 32],
    man: i16,
    odds: &'a mut Odds,
}

impl<'a> Score<'a> {
    fn new(model: &'a Model, row: &'a [i16; COLUMNS], odds: &'a mut Odds) -> Score<'a> {
        Score {
            model,
            row,
            columns: &[0; 64],
            landings: &[0; 4096],
            leavings: &[0; 32],
            man: 0,
            odds,
        }
    }

    #[inline(always)]
    fn sum(&self, step: StepWeights) -> i16 {
        #[allow(clippy::indexing_slicing)] // Taken modulo the lengths.
        self.man
            .wrapping_add(self.columns[step.column & 63])
            .wrapping_add(self.landings[step.landing & 4095])
            .wrapping_add(self.leavings[step.leaving & 31])
    }
}

impl StepVisitor for Score<'_> {
    #[inline(always)]
    fn man(&mut self, man: ManWeights) {
        let weight = |at: Option<usize>| at.map_or(0, |at| self.model.weight(at));
        self.man = weight(man.own[0]).wrapping_add(weight(man.own[1]));
        if let Some(columns) = self
            .row
            .get(man.columns..)
            .and_then(|row| row.first_chunk())
        {
            self.columns = columns;
        }
        if let Some(landings) = self.model.weights_at(man.landings) {
            self.landings = landings;
        }
        if let Some(leavings) = self.model.weights_at(man.leavings) {
            self.leavings = leavings;
        }
    }

    #[inline(always)]
    fn step(&mut self, word: u16, step: StepWeights) {
        self.odds.push(word, self.sum(step));
    }

    #[inline(always)]
    fn pawn_step(&mut self, word: u16, step: StepWeights, road: usize, promotion: Option<usize>) {
        let road = self.model.weight(road);
        let promotion = promotion.map_or(0, |at| self.model.weight(at));
        let score = self.sum(step).wrapping_add(road).wrapping_add(promotion);
        self.odds.push(word, score);
    }

    #[inline(always)]
    fn castle(&mut self, word: u16, column: usize) {
        let score = self.row.get(column).copied().unwrap_or(0);
        self.odds.push(word, score);
    }

    #[inline(always)]
    fn take_back(&mut self, steps: usize) {
        self.odds.take_back(steps);
    }
}
