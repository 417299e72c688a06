//! Follows a game and tells where it matches.

use std::ops::ControlFlow;

use chess::{Bitboard, Board, Move, Position};

use crate::condition::Condition;
use crate::needs::{Needs, SideEnd};
use crate::query::{Plan, Query, Step};

/// How much of a game is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Extent {
    /// The first match of a game.
    #[default]
    First,
    /// All matches, one after the other.
    All,
}

/// A match: the plies at which its steps begin, counted from the start of the game.
pub type Plies = Vec<u32>;

/// Follows games. One is enough for any number of them.
///
/// ```
/// use chess::Position;
/// use scoresheet_search::{Extent, Matcher, Query};
/// let mut query = Query::default();
/// query.push_moves("Nf3 ... Bb5")?;
/// let mut matcher = Matcher::new(&query, Extent::First);
/// matcher.begin();
/// let mut position = Position::START;
/// for san in ["e4", "e5", "Nf3", "Nc6", "Bb5"] {
///     let m = position.parse_san(san.as_bytes())?;
///     if matcher.look(&position, Some(m)).is_break() {
///         break;
///     }
///     position.play_unchecked(m);
/// }
/// assert_eq!(matcher.end(&position), [[2, 4]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Matcher<'q> {
    query: &'q Query,
    extent: Extent,
    plans: Vec<Plan>,
    runs: Vec<Run>,
    /// What must be seen before it is worth looking closer.
    sieve: Option<Sieve>,
    /// How many moments of the game have been looked at.
    ply: u32,
    found: Vec<Plies>,
}

/// Part of a board that a step begins with. Most positions do not have it, and that is all there is to
/// be known of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sieve {
    board: Board,
    squares: Bitboard,
    /// Whether it is worth a look when a pawn has moved or a man was taken, as it may be in vain then to
    /// go on.
    has_needs: bool,
}

impl Sieve {
    /// That of a step, if it is about one pattern. What is known of material is forgotten when a man is
    /// taken, which must be seen.
    pub(crate) fn of(step: &Step, needs: &Needs) -> Option<Sieve> {
        let Step::Streak(streak) = step else {
            return None;
        };
        let [pattern] = &*streak.first()?.patterns else {
            return None;
        };
        let (board, squares) = pattern.board();
        (!streak.iter().any(Condition::has_material)).then_some(Sieve {
            board,
            squares,
            has_needs: needs.are_many(),
        })
    }

    /// Whether a position has to be looked at.
    #[inline(always)]
    fn lets(&self, position: &Position) -> bool {
        position.board().agrees_with(&self.board, self.squares)
            || self.has_needs && position.halfmoves() == 0
    }
}

/// How far a plan has come.
#[derive(Clone, Debug, Default)]
struct Run {
    /// It can come no further.
    is_over: bool,
    step: usize,
    /// Bit i: conditions 0 to i of the streak have just held, one after the other.
    streak: u64,
    walkers: [u64; 2],
    /// Where the steps that are done began.
    plies: Plies,
    /// Of which conditions it is known whether their material is there, and of which it is.
    known: u64,
    there: u64,
}

impl<'q> Matcher<'q> {
    /// A matcher for a query.
    #[must_use]
    pub fn new(query: &'q Query, extent: Extent) -> Matcher<'q> {
        let plans = query.plans();
        Matcher {
            query,
            extent,
            runs: vec![Run::default(); plans.len()],
            sieve: None,
            plans,
            ply: 0,
            found: Vec::new(),
        }
    }

    /// Whether a game can match that ended with so many men, having left these home squares.
    pub(crate) fn can_match(&self, end: &[SideEnd; 2], left_homes: Option<Bitboard>) -> bool {
        self.plans.iter().any(|plan| {
            let needs = plan.needs.first().unwrap_or(&Needs::NOTHING);
            needs.can_have_come(end, left_homes)
        })
    }

    /// A new game.
    pub fn begin(&mut self) {
        self.ply = 0;
        self.found.clear();
        for run in &mut self.runs {
            run.is_over = false;
            run.restart();
            run.known = 0;
        }
        self.choose_sieve();
    }

    /// Looks at a position and the move that is played in it. `Break` says that the rest of the
    /// game does not matter.
    #[inline(always)]
    pub fn look(&mut self, position: &Position, m: Option<Move>) -> ControlFlow<()> {
        if self.sieve.is_some_and(|sieve| !sieve.lets(position)) {
            self.ply += 1;
            return ControlFlow::Continue(());
        }
        self.look_closer(position, m)
    }

    fn look_closer(&mut self, position: &Position, m: Option<Move>) -> ControlFlow<()> {
        let flow = self.look_at_all(position, m);
        self.choose_sieve();
        flow
    }

    /// Only for one plan that is at the begin of a step: otherwise there is more to look at.
    fn choose_sieve(&mut self) {
        self.sieve = match (&*self.plans, &*self.runs) {
            ([plan], [run]) if run.streak == 0 && !run.is_over => {
                plan.sieves.get(run.step).copied().flatten()
            }
            _ => None,
        };
    }

    fn look_at_all(&mut self, position: &Position, m: Option<Move>) -> ControlFlow<()> {
        let mut goes_on = false;
        for (plan, run) in self.plans.iter().zip(&mut self.runs) {
            if run.is_over {
                continue;
            }
            if run.look(plan, position, m, self.ply) {
                self.found.push(std::mem::take(&mut run.plies));
                if self.extent == Extent::First {
                    return self.seen_enough();
                }
                run.restart();
            }
            goes_on |= !run.is_over;
        }
        self.ply += 1;
        match goes_on {
            true => ControlFlow::Continue(()),
            false if self.found.is_empty() => ControlFlow::Break(()),
            false => self.seen_enough(),
        }
    }

    /// [`Matcher::look`] for those who play on in any case.
    pub(crate) fn go_on(&mut self, position: &Position, m: Move) {
        if self.runs.iter().any(|run| !run.is_over) {
            // Nothing is asked of a game whose runs are over.
            let _ = self.look(position, Some(m));
        }
    }

    /// Nothing more is looked for; but how the game ends may matter.
    fn seen_enough(&mut self) -> ControlFlow<()> {
        for run in &mut self.runs {
            run.is_over = true;
        }
        match self.query.ending {
            Some(_) => ControlFlow::Continue(()),
            None => ControlFlow::Break(()),
        }
    }

    /// The end of the game, or of what was looked at: the matches, in order. `end` is the position
    /// in which it ended, if `look` did not break.
    pub fn end(&mut self, end: &Position) -> &[Plies] {
        if self.runs.iter().any(|run| !run.is_over) {
            let _ = self.look(end, None);
        }
        if self
            .query
            .ending
            .is_some_and(|event| !event.happens(end, None))
        {
            self.found.clear();
        }
        if self.plans.len() > 1 {
            // Images of a query may find the same place.
            self.found.sort();
            self.found.dedup();
        }
        &self.found
    }
}

impl Run {
    fn restart(&mut self) {
        self.step = 0;
        self.streak = 0;
        self.walkers = [0; 2];
        self.plies.clear();
    }

    /// Whether the last step is done here.
    #[inline]
    fn look(&mut self, plan: &Plan, position: &Position, m: Option<Move>, ply: u32) -> bool {
        // Half a streak has what it needed, and may have used it up. What is needed changes when a
        // pawn moves or a man is taken: the clock tells, and looking less often costs no answer.
        if self.streak == 0
            && (position.halfmoves() == 0 || ply == 0)
            && let Some(needs) = plan.needs.get(self.step)
            && !needs.can_come(position)
        {
            self.is_over = true;
            return false;
        }
        let Some(step) = plan.steps.get(self.step) else {
            // Nothing is asked for: every game has that.
            return ply == 0;
        };
        let begin = match step {
            Step::Streak(streak) => {
                let last = self.streak_look(streak, position, m);
                last.then(|| ply.saturating_sub(u32::try_from(streak.len()).unwrap_or(0) - 1))
            }
            Step::Path(path) => {
                let arrived = m.is_some_and(|m| path.follow(&mut self.walkers, position, m));
                arrived.then_some(ply)
            }
        };
        if m.is_some_and(|m| m.flags() & 0b1100 != 0) {
            // A man will be gone or another.
            self.known = 0;
        }
        let Some(begin) = begin else { return false };
        self.plies.push(begin);
        self.streak = 0;
        self.walkers = [0; 2];
        self.known = 0;
        self.step += 1;
        self.step == plan.steps.len()
    }

    /// Whether the streak is complete.
    #[inline]
    fn streak_look(&mut self, streak: &[Condition], position: &Position, m: Option<Move>) -> bool {
        let mut hopes = self.streak << 1 | 1;
        let mut held = 0;
        while hopes != 0 {
            let i = hopes.trailing_zeros();
            hopes &= hopes - 1;
            let Some(condition) = streak.get(i as usize) else {
                break;
            };
            if condition.has_material() {
                if self.known >> i & 1 == 0 {
                    let there = u64::from(condition.material_holds(position));
                    self.there = self.there & !(1 << i) | there << i;
                    self.known |= 1 << i;
                }
                if self.there >> i & 1 == 0 {
                    continue;
                }
            }
            if condition.rest_holds(position, m) {
                held |= 1 << i;
            }
        }
        self.streak = held;
        held >> (streak.len().saturating_sub(1) & 63) & 1 != 0
    }
}
