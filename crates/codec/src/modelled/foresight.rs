//! What the model expects of a game at the place where it stands.

use chess::attacks::Sliders;
use chess::{Move, Position};

use super::book::{self, Entry};
use super::features::{
    ManWeights, Memory, PawnWeights, RoleWeights, StepVisitor, StepWeights, phase, visit_order,
    visit_steps,
};
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
}

/// After so many unknown positions in a row the opening table is not asked any more.
const GIVE_UP: u8 = 4;

/// Where the opening table has so many games, all moves are alike to the model.
const WELL_KNOWN: u32 = 256;

impl<'m> Foresight<'m> {
    pub(super) fn new(model: &'m Model, start: &Position) -> Foresight<'m> {
        Foresight {
            model,
            position: *start,
            memory: Memory::default(),
            sums: model.sums(start),
            unknown: 0,
            is_known: false,
        }
    }

    pub(super) const fn position(&self) -> &Position {
        &self.position
    }

    /// The odds of all legal moves here.
    #[inline(always)]
    pub(super) fn odds<S: Sliders>(&mut self, sliders: S, odds: &mut Odds) {
        odds.clear();
        let mut found = [Entry::new(0, 0); book::MOST_MOVES];
        let entries = if self.unknown < GIVE_UP {
            self.ask_book(&mut found)
        } else {
            &[]
        };
        if book::games(entries) < WELL_KNOWN {
            self.ask_model(sliders, odds);
        } else {
            visit_order(&self.position, sliders, &mut Names(odds));
        }
        odds.share_out();
        if !entries.is_empty() {
            odds.mix(entries);
        }
    }

    /// What the opening table knows of the position.
    #[inline(never)]
    fn ask_book<'e>(&mut self, found: &'e mut [Entry; book::MOST_MOVES]) -> &'e [Entry] {
        let len = self.model.book.find(book::key(&self.position), found);
        self.is_known = len > 0;
        found.get(..len).unwrap_or_default()
    }

    #[inline(always)]
    fn ask_model<S: Sliders>(&self, sliders: S, odds: &mut Odds) {
        let mut row = [0; COLUMNS];
        self.sum_rows(&mut row);
        let mut score = Score::new(self.model, &row, odds);
        visit_steps(&self.position, self.memory, sliders, &mut score);
    }

    /// The sum of all rows that are true of the position.
    #[inline(always)]
    fn sum_rows(&self, row: &mut [i16; COLUMNS]) {
        let men = self.sums.side(self.position.turn());
        let reply = self.model.reply(self.memory.reply_row());
        let sequel = self.model.sequel(self.memory.sequel_row());
        let phase = self.model.phase(phase(&self.position));
        for (i, sum) in row.iter_mut().enumerate() {
            #[allow(clippy::indexing_slicing)] // All have the same length.
            {
                *sum = men[i]
                    .wrapping_add(reply.at(i))
                    .wrapping_add(sequel.at(i))
                    .wrapping_add(phase.at(i));
            }
        }
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
    fn role(&mut self, role: RoleWeights) {
        let columns = self.row.get(role.columns..);
        if let Some(columns) = columns.and_then(|row| row.first_chunk()) {
            self.columns = columns;
        }
        if let Some(landings) = self.model.weights_at(role.landings) {
            self.landings = landings;
        }
    }

    #[inline(always)]
    fn man(&mut self, man: ManWeights) {
        let weight = |at: Option<usize>| at.map_or(0, |at| self.model.weight(at));
        self.man = weight(man.own[0]).wrapping_add(weight(man.own[1]));
        if let Some(leavings) = self.model.weights_at(man.leavings) {
            self.leavings = leavings;
        }
    }

    #[inline(always)]
    fn steps(&mut self, words: [u16; 4], steps: [StepWeights; 4], count: usize) {
        let scores = steps.map(|step| self.sum(step));
        self.odds.push_four(words, scores, count);
    }

    #[inline(always)]
    fn pawn_step(&mut self, word: u16, step: StepWeights, pawn: PawnWeights) {
        let weight = |at: usize| self.model.weight(at);
        #[allow(clippy::indexing_slicing)] // Taken modulo the lengths.
        let score = self.columns[step.column & 63]
            .wrapping_add(self.landings[step.landing & 4095])
            .wrapping_add(weight(pawn.leavings + step.leaving))
            .wrapping_add(weight(pawn.origin))
            .wrapping_add(weight(pawn.road))
            .wrapping_add(pawn.promotion.map_or(0, weight));
        self.odds.push(word, score);
    }

    #[inline(always)]
    fn castle(&mut self, word: u16, column: usize) {
        let score = self.row.get(column).copied().unwrap_or(0);
        self.odds.push(word, score);
    }
}

/// Only the moves, all with the same score.
struct Names<'a>(&'a mut Odds);

impl StepVisitor for Names<'_> {
    #[inline(always)]
    fn role(&mut self, _: RoleWeights) {}

    #[inline(always)]
    fn man(&mut self, _: ManWeights) {}

    #[inline(always)]
    fn steps(&mut self, words: [u16; 4], _: [StepWeights; 4], count: usize) {
        self.0.push_four(words, [0; 4], count);
    }

    #[inline(always)]
    fn pawn_step(&mut self, word: u16, _: StepWeights, _: PawnWeights) {
        self.0.push(word, 0);
    }

    #[inline(always)]
    fn castle(&mut self, word: u16, _: usize) {
        self.0.push(word, 0);
    }
}
