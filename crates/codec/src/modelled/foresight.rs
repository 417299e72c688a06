//! What the model expects of a game at the place where it stands.

use chess::attacks::{Sliders, WEIGHED, Weighing};
use chess::{Move, Position, Role, Square};

use super::book::{self, Entry};
use super::features::{
    ManWeights, Memory, PawnTables, PawnTargets, PawnWeights, RoleWeights, StepVisitor,
    StepWeights, Targets, phase, visit_order, visit_steps, with_capture,
};
use super::layout::{COLUMNS, LEAVINGS, WEIGHTS};
use super::model::Model;
use super::net::Net;
use super::odds::Odds;
use super::range::TOTAL;
use super::sums::{Change, Sums};

/// A game on its way: the position, and all that the odds of the next move depend on.
#[derive(Clone, Debug)]
pub(super) struct Foresight<'m> {
    model: &'m Model,
    net: Option<&'m Net<'m>>,
    /// How much of 65,536 the first opinion of the net is trusted, and whether it was asked here.
    trust: u32,
    is_asked: bool,
    position: Position,
    memory: Memory,
    /// The rows of all men, but for the last move.
    sums: Sums,
    change: Option<Change>,
    /// The key of the position, while the opening table is asked.
    key: u64,
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
    pub(super) fn new(
        model: &'m Model,
        net: Option<&'m Net<'m>>,
        start: &Position,
    ) -> Foresight<'m> {
        Foresight {
            model,
            net,
            trust: TOTAL / 2,
            is_asked: false,
            position: *start,
            memory: Memory::default(),
            sums: model.sums(start),
            change: None,
            key: book::key(start),
            unknown: 0,
            is_known: false,
        }
    }

    pub(super) const fn position(&self) -> &Position {
        &self.position
    }

    /// The odds of all legal moves here. `MAX` says that there is a net: the usual level is compiled
    /// without it.
    #[inline(always)]
    pub(super) fn odds<S: Sliders, const MAX: bool>(&mut self, sliders: S, odds: &mut Odds) {
        let bucket = if self.unknown < GIVE_UP {
            self.model.book.bucket(self.key, sliders)
        } else {
            None
        };
        // There is time to do this while the bucket arrives.
        if let Some(change) = self.change.take() {
            self.sums.follow(self.model, &change);
        }
        let mut found = [Entry::new(0, 0); book::MOST_MOVES];
        let entries = match bucket {
            Some(bucket) => {
                let len = bucket.find(&mut found);
                self.is_known = len > 0;
                found.get(..len).unwrap_or_default()
            }
            None => &[],
        };
        let games = book::games(entries);
        let is_asked = games < WELL_KNOWN;
        if is_asked {
            self.ask_model(sliders, odds);
        } else {
            let mut names = Names::new(odds);
            visit_order(&self.position, sliders, &mut names);
            names.odds.set_len(names.len);
        }
        match self.net {
            Some(net) if MAX && is_asked => {
                net.share_out(&self.position, self.memory, self.trust, sliders, odds);
            }
            _ => odds.share_out(),
        }
        self.is_asked = is_asked;
        if !entries.is_empty() {
            odds.mix(entries, games);
        }
    }

    #[inline(always)]
    fn ask_model<S: Sliders>(&self, sliders: S, odds: &mut Odds) {
        let mut row = [0; COLUMNS];
        self.sum_rows(&mut row);
        let mut score = Score::new(self.model, &row, odds);
        visit_steps(&self.position, self.memory, sliders, &mut score);
        score.odds.set_len(score.len);
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

    /// The name under which the odds know a move: [`ManWeights::name`].
    #[inline(always)]
    pub(super) fn name(&self, m: Move) -> u16 {
        const CAPTURE: u16 = 4 << 12;
        match self.position.board().role_at(m.from()) {
            Some(Role::Pawn) => m.word(),
            _ => m.word() & !CAPTURE,
        }
    }

    /// The legal move of a name.
    #[inline(always)]
    pub(super) fn named(&self, name: u16) -> Option<Move> {
        let enemy = self.position.board().by_color(!self.position.turn());
        Move::from_word(with_capture(name, enemy))
    }

    /// Goes on by a legal move, whose odds were just told.
    #[inline(always)]
    pub(super) fn play<S: Sliders, const MAX: bool>(&mut self, sliders: S, odds: &Odds, m: Move) {
        if MAX && self.is_asked {
            self.trust = odds.trust_after(self.trust, self.name(m));
        }
        // Odds were asked for before every move that is played.
        if self.unknown < GIVE_UP {
            self.unknown = if self.is_known { 0 } else { self.unknown + 1 };
        }
        let change = Change::new(&self.position, m);
        change.soon(self.model, sliders);
        self.change = Some(change);
        self.memory = self.memory.after(&self.position, m);
        self.model.reply(self.memory.reply_row()).soon(sliders);
        self.position.play_unchecked(m);
        if self.unknown < GIVE_UP {
            self.key = book::key(&self.position);
            self.model.book.soon(self.key, sliders);
        }
    }
}

/// What all steps of a man share: the part of the row, and the weights, that they choose from.
#[derive(Clone, Copy)]
struct ManScore<'a> {
    columns: &'a [i16; 64],
    landings: &'a [i16; 4096],
    leavings: &'a [i16; 32],
    own: i16,
    /// The name of the man's move to a1.
    name: u16,
}

impl ManScore<'_> {
    #[inline(always)]
    fn landed(&self, step: StepWeights) -> i16 {
        self.columns[step.column % 64].wrapping_add(self.landings[step.landing % 4096])
    }

    #[inline(always)]
    fn of(&self, step: StepWeights) -> i16 {
        self.own
            .wrapping_add(self.landed(step))
            .wrapping_add(self.leavings[step.leaving % 32])
    }
}

/// Sums up the weights of each move. It counts the moves itself: so the number stays in a register.
struct Score<'a> {
    model: &'a Model,
    row: &'a [i16; COLUMNS],
    man: ManScore<'a>,
    len: usize,
    odds: &'a mut Odds,
}

impl<'a> Score<'a> {
    #[inline(always)]
    fn new(model: &'a Model, row: &'a [i16; COLUMNS], odds: &'a mut Odds) -> Score<'a> {
        Score {
            model,
            row,
            man: ManScore {
                columns: &[0; 64],
                landings: &[0; 4096],
                leavings: &[0; 32],
                own: 0,
                name: 0,
            },
            len: 0,
            odds,
        }
    }

    #[inline(always)]
    fn push(&mut self, name: u16, score: i16) {
        self.odds.set(self.len, name, score);
        self.len += 1;
    }
}

impl StepVisitor for Score<'_> {
    #[inline(always)]
    fn role(&mut self, role: RoleWeights) {
        if let Some(columns) = self.row.as_chunks().0.get(role.columns / 64) {
            self.man.columns = columns;
        }
        self.man.landings = self.model.weights_at(role.landings);
    }

    #[inline(always)]
    fn man(&mut self, man: ManWeights) {
        // No weight is the one after the last, which is 0: no branch is needed.
        let weight = |at: Option<usize>| self.model.weight(at.unwrap_or(WEIGHTS));
        self.man.own = weight(man.own[0]).wrapping_add(weight(man.own[1]));
        self.man.leavings = self.model.weights_at(man.leavings);
        self.man.name = man.name(Square::A1);
    }

    #[inline(always)]
    fn step(&mut self, to: Square, step: StepWeights) {
        self.push(self.man.name | to as u16, self.man.of(step));
    }

    #[inline(always)]
    fn targets<S: Sliders>(&mut self, sliders: S, targets: Targets<'_>) {
        let man = self.man;
        let weighing = Weighing {
            squares: &targets.maps.squares,
            aims: targets.aims,
            flip: 56 * targets.us as u8,
            columns: man.columns,
            landings: man.landings,
            leavings: man.leavings,
            base: man.own,
            name: man.name,
        };
        let (names, scores) = self.odds.room(self.len);
        sliders.weigh(&weighing, targets.squares, names, scores);
        self.len += targets.squares.len();
    }

    #[inline(always)]
    fn pawns<S: Sliders>(&mut self, sliders: S, pawns: PawnTargets<'_>) {
        let weighing = pawns.weighing(PawnTables {
            columns: self.man.columns,
            landings: self.man.landings,
            origins: self.model.weights_at(pawns.origins()),
            leavings: self.model.weights_at(LEAVINGS),
            roads: self.model.roads(),
        });
        let (names, scores) = self.odds.room(self.len);
        sliders.weigh_pawns(&weighing, pawns.squares, names, scores);
        self.len += pawns.len();
    }

    #[inline(always)]
    fn pawn_step(&mut self, word: u16, step: StepWeights, pawn: PawnWeights) {
        let weight = |at: usize| self.model.weight(at);
        let score = self
            .man
            .landed(step)
            .wrapping_add(weight(pawn.leavings + step.leaving))
            .wrapping_add(weight(pawn.origin))
            .wrapping_add(weight(pawn.road))
            .wrapping_add(pawn.promotion.map_or(0, weight));
        self.push(word, score);
    }

    #[inline(always)]
    fn castle(&mut self, word: u16, column: usize) {
        let score = self.row.get(column).copied().unwrap_or(0);
        self.push(word, score);
    }
}

/// Only the moves, all with the same score.
struct Names<'a> {
    /// The name of the man's move to a1.
    name: u16,
    len: usize,
    odds: &'a mut Odds,
}

impl<'a> Names<'a> {
    #[inline(always)]
    fn new(odds: &'a mut Odds) -> Names<'a> {
        Names {
            name: 0,
            len: 0,
            odds,
        }
    }

    #[inline(always)]
    fn push(&mut self, name: u16) {
        self.odds.set(self.len, name, 0);
        self.len += 1;
    }
}

impl StepVisitor for Names<'_> {
    #[inline(always)]
    fn role(&mut self, _: RoleWeights) {}

    #[inline(always)]
    fn man(&mut self, man: ManWeights) {
        self.name = man.name(Square::A1);
    }

    #[inline(always)]
    fn step(&mut self, to: Square, _: StepWeights) {
        self.push(self.name | to as u16);
    }

    #[inline(always)]
    fn targets<S: Sliders>(&mut self, sliders: S, targets: Targets<'_>) {
        let (names, scores) = self.odds.room(self.len);
        sliders.list(targets.squares, self.name, names);
        *scores = [0; WEIGHED];
        self.len += targets.squares.len();
    }

    #[inline(always)]
    fn pawn_step(&mut self, word: u16, _: StepWeights, _: PawnWeights) {
        self.push(word);
    }

    #[inline(always)]
    fn castle(&mut self, word: u16, _: usize) {
        self.push(word);
    }
}
