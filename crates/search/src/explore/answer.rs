//! The answer of the explorer.

use chess::{Color, Move, Position};
use pgn::Outcome;

use super::facts::GameFacts;

/// How many games of a move are named.
pub(crate) const SAMPLES: usize = 4;

/// Games, results, ratings and dates.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// How many games.
    pub games: u64,
    /// How many White won.
    pub white: u64,
    /// How many were drawn.
    pub draws: u64,
    /// How many Black won.
    pub black: u64,
    /// In how many both players had a rating.
    pub rated: u64,
    /// The ratings of those to move, added up over the rated games.
    pub own_elos: u64,
    /// The ratings of their opponents, added up.
    pub other_elos: u64,
    /// Twice the points of those to move in the rated games.
    pub rated_points: u64,
    /// The date of the first game, and of the last; numbers of year, month and day.
    pub dates: Option<(u32, u32)>,
    /// The first games, by their numbers in the archive, from 1.
    pub samples: Vec<u64>,
}

impl Tally {
    /// Counts a game in which `turn` was to move.
    pub fn add(&mut self, turn: Color, number: u64, facts: GameFacts) {
        self.games += 1;
        let points = match facts.outcome {
            Some(Outcome::WhiteWins) => {
                self.white += 1;
                Some(if turn == Color::White { 2 } else { 0 })
            }
            Some(Outcome::BlackWins) => {
                self.black += 1;
                Some(if turn == Color::Black { 2 } else { 0 })
            }
            Some(Outcome::Draw) => {
                self.draws += 1;
                Some(1)
            }
            _ => None,
        };
        let [white, black] = facts.elos;
        if let (Some(white), Some(black), Some(points)) = (white, black, points) {
            let (own, other) = match turn {
                Color::White => (white, black),
                Color::Black => (black, white),
            };
            self.rated += 1;
            self.own_elos += u64::from(own);
            self.other_elos += u64::from(other);
            self.rated_points += points;
        }
        if let Some(date) = facts.date {
            let (first, last) = self.dates.unwrap_or((date, date));
            self.dates = Some((first.min(date), last.max(date)));
        }
        if self.samples.len() < SAMPLES {
            self.samples.push(number);
        }
    }

    /// Adds what others have counted. Samples are the lowest numbers of both.
    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.rated += other.rated;
        self.own_elos += other.own_elos;
        self.other_elos += other.other_elos;
        self.rated_points += other.rated_points;
        self.dates = match (self.dates, other.dates) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (own, others) => own.or(others),
        };
        self.samples.extend(&other.samples);
        self.samples.sort_unstable();
        self.samples.dedup();
        self.samples.truncate(SAMPLES);
    }

    /// The average rating of those to move.
    #[must_use]
    pub fn average_elo(&self) -> Option<u64> {
        (self.rated > 0).then(|| (self.own_elos + self.rated / 2) / self.rated)
    }

    /// The rating with which their points would have been expected: that of the opponents and what
    /// the logistic curve gives for the share of points, 800 at most.
    #[must_use]
    pub fn performance(&self) -> Option<i64> {
        if self.rated == 0 {
            return None;
        }
        let games = self.rated as f64;
        let share = self.rated_points as f64 / (2.0 * games);
        let margin = (400.0 * (share / (1.0 - share)).log10()).clamp(-800.0, 800.0);
        #[allow(clippy::cast_possible_truncation)] // A rating.
        Some((self.other_elos as f64 / games + margin).round() as i64)
    }
}

/// What was played in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The position.
    pub position: Position,
    /// All games that came to it.
    pub total: Tally,
    /// Its moves, the most played first.
    pub moves: Vec<MoveAnswer>,
}

/// A move, and what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveAnswer {
    /// The move.
    pub m: Move,
    /// The games in which it was played here.
    pub played: Tally,
    /// How many games came to the position after it by another way.
    pub transposed: u64,
}

impl Answer {
    /// Puts the moves in order: the most played first, then by squares.
    pub(crate) fn sort(&mut self) {
        self.moves
            .retain(|answer| answer.played.games > 0 || answer.transposed > 0);
        self.moves.sort_by_key(|answer| {
            let games = std::cmp::Reverse((answer.played.games, answer.transposed));
            (games, answer.m.word())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn performance_is_that_of_the_opponents_and_the_points() {
        let mut tally = Tally::default();
        assert_eq!(tally.performance(), None);
        let game = |outcome| GameFacts {
            elos: [Some(2600), Some(2500)],
            date: Some(20_000_101),
            outcome: Some(outcome),
        };
        tally.add(Color::White, 7, game(Outcome::Draw));
        assert_eq!(
            (tally.average_elo(), tally.performance()),
            (Some(2600), Some(2500))
        );
        tally.add(Color::White, 8, game(Outcome::WhiteWins));
        assert_eq!(tally.performance(), Some(2691));
        let mut other = Tally::default();
        other.add(Color::White, 3, game(Outcome::BlackWins));
        other.merge(&tally);
        assert_eq!(
            (other.games, other.white, other.draws, other.black),
            (3, 1, 1, 1)
        );
        assert_eq!(other.samples, [3, 7, 8]);
        let mut lost = Tally::default();
        lost.add(Color::Black, 1, game(Outcome::WhiteWins));
        assert_eq!(lost.performance(), Some(1800));
    }
}
