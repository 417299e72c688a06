//! A question to a collection of games.

use pgn::Outcome;

use crate::condition::Condition;
use crate::matcher::Sieve;
use crate::needs::Needs;
use crate::{Event, MovePattern, Path, QueryError};

/// What is asked of a game: steps, one after the other, and how it must have ended.
///
/// ```
/// use scoresheet_search::Query;
/// let query = Query::parse_json(r#"{ "sub-fen": "8/8/p7/8/8/1B3N2/8/8", "result": "1-0" }"#)?;
/// assert_eq!(query.steps().len(), 1);
/// # Ok::<(), scoresheet_search::QueryError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Query {
    steps: Vec<Step>,
    /// Results that will do; any, if there are none.
    pub results: Vec<Outcome>,
    /// How the game must end on the board.
    pub ending: Option<Event>,
    /// Also as in a mirror, files from right to left.
    pub mirror: bool,
    /// Also with the sides exchanged.
    pub flip_colors: bool,
    /// So many games that match are passed over first.
    pub skip: u64,
    /// No more games than this.
    pub limit: Option<u64>,
}

/// Something that happens in a game, later than the step before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Conditions that hold at consecutive moments; often only one.
    Streak(Vec<Condition>),
    /// A man goes its way.
    Path(Path),
}

/// No streak is longer, and no query has more conditions.
pub(crate) const MOST_CONDITIONS: usize = 64;

impl Query {
    /// The steps, in order.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Asks for something more, later in the game.
    ///
    /// # Errors
    /// [`QueryError`] if the query becomes too long.
    pub fn push(&mut self, step: Step) -> Result<(), QueryError> {
        self.steps.push(step);
        let conditions = self.steps.iter().map(|step| match step {
            Step::Streak(streak) => streak.len(),
            Step::Path(_) => 1,
        });
        if conditions.sum::<usize>() > MOST_CONDITIONS {
            let expected = format!("no more than {MOST_CONDITIONS} conditions");
            return Err(QueryError::new("query", "", 0, expected));
        }
        Ok(())
    }

    /// Asks for moves: those side by side follow each other at once, `…` or `...` stands for any
    /// number of others.
    ///
    /// ```
    /// use scoresheet_search::Query;
    /// let mut query = Query::default();
    /// query.push_moves("1. e4 c5 Nf3 ... Bb5+")?;
    /// assert_eq!(query.steps().len(), 2);
    /// # Ok::<(), scoresheet_search::QueryError>(())
    /// ```
    ///
    /// # Errors
    /// [`QueryError`] with the place in the text.
    pub fn push_moves(&mut self, text: &str) -> Result<(), QueryError> {
        let fail = |at, expected: String| QueryError::new("moves", text, at, expected);
        let mut streak = Vec::new();
        let mut number = String::new();
        let mut at = 0;
        for word in text.split(' ') {
            let place = at;
            at += word.chars().count() + 1;
            match word {
                "" => continue,
                "…" | "..." => {
                    if !number.is_empty() {
                        return Err(fail(place, "a move after its number".to_owned()));
                    }
                    if !streak.is_empty() {
                        self.push(Step::Streak(std::mem::take(&mut streak)))?;
                    }
                    continue;
                }
                _ => {}
            }
            // `12.` and its move may be two words.
            if word.ends_with('.') && word.starts_with(|c: char| c.is_ascii_digit()) {
                number = word.to_owned();
                continue;
            }
            let pattern = MovePattern::parse(&format!("{number}{word}"));
            number.clear();
            let pattern = pattern.map_err(|error| fail(place, error.expected))?;
            streak.push(Condition {
                moves: vec![vec![pattern]],
                ..Condition::default()
            });
        }
        if !number.is_empty() {
            return Err(fail(
                text.chars().count(),
                "a move after its number".to_owned(),
            ));
        }
        if !streak.is_empty() {
            self.push(Step::Streak(streak))?;
        }
        Ok(())
    }

    /// The query and its mirror images, as far as they are asked for.
    pub(crate) fn plans(&self) -> Vec<Plan> {
        let mut all = vec![self.steps.clone()];
        let turned = |all: &[Vec<Step>], turn: fn(&Step) -> Step| -> Vec<Vec<Step>> {
            all.iter()
                .map(|steps| steps.iter().map(turn).collect())
                .collect()
        };
        if self.mirror {
            all.extend(turned(&all, Step::mirrored));
        }
        if self.flip_colors {
            all.extend(turned(&all, Step::flipped));
        }
        // What is its own mirror image is looked for once.
        let mut plans: Vec<Plan> = Vec::new();
        for steps in all {
            if plans.iter().all(|plan| plan.steps != steps) {
                plans.push(Plan::new(steps));
            }
        }
        plans
    }
}

impl Step {
    fn mirrored(&self) -> Step {
        match self {
            Step::Streak(streak) => Step::Streak(streak.iter().map(Condition::mirrored).collect()),
            Step::Path(path) => Step::Path(path.mirrored()),
        }
    }

    fn flipped(&self) -> Step {
        match self {
            Step::Streak(streak) => Step::Streak(streak.iter().map(Condition::flipped).collect()),
            Step::Path(path) => Step::Path(path.flipped()),
        }
    }

    fn needs(&self) -> Needs {
        match self {
            Step::Streak(streak) => streak
                .iter()
                .map(Condition::needs)
                .fold(Needs::NOTHING, Needs::and),
            Step::Path(_) => Needs::NOTHING,
        }
    }
}

/// Steps, and what is needed for all that remain.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    /// At i: what steps i and later need.
    pub(crate) needs: Vec<Needs>,
    /// What each step begins with, if that is easily seen.
    pub(crate) sieves: Vec<Option<Sieve>>,
}

impl Plan {
    fn new(steps: Vec<Step>) -> Plan {
        let mut needs = Vec::with_capacity(steps.len());
        let mut later = Needs::NOTHING;
        for step in steps.iter().rev() {
            later = later.and(step.needs());
            needs.push(later);
        }
        needs.reverse();
        let sieves = steps.iter().zip(&needs);
        let sieves = sieves.map(|(step, needs)| Sieve::of(step, needs)).collect();
        Plan {
            steps,
            needs,
            sieves,
        }
    }
}
