//! Fair timing: all contestants in one process, taking turns.
//!
//! A machine changes speed from second to second. Times of one round are taken close
//! together, so their ratio is steadier than either time; the median of the ratios over
//! all rounds is what we publish, the best time only shows the order of magnitude.

use std::time::Instant;

use crate::libraries::BASELINES;

/// A piece of work done by one contestant. It returns its answer, which all must share.
pub struct Entry {
    pub contestant: String,
    pub run: Box<dyn FnMut() -> u64>,
}

impl Entry {
    pub fn new(contestant: &str, run: impl FnMut() -> u64 + 'static) -> Entry {
        Entry {
            contestant: contestant.to_owned(),
            run: Box::new(run),
        }
    }
}

/// The same work for everybody, one line of a table.
pub struct Work {
    pub name: String,
    /// Nodes, moves or plies that one run goes through.
    pub units: u64,
    /// What each run must return, where somebody knows it beforehand.
    pub answer: Option<u64>,
    pub entries: Vec<Entry>,
}

/// One contestant on one piece of work.
#[derive(Debug, Clone)]
pub struct Score {
    pub contestant: String,
    /// Units a second in the best round.
    pub rate: f64,
    /// Speed divided by the baseline's speed, median of the rounds.
    pub ratio: f64,
}

/// One line of a table.
#[derive(Debug, Clone)]
pub struct Line {
    pub work: String,
    pub scores: Vec<Score>,
}

impl Work {
    /// Runs `rounds` rounds after one that is not counted.
    ///
    /// # Panics
    ///
    /// When two contestants give different answers: then there is nothing to compare.
    pub fn measure(mut self, rounds: usize) -> Line {
        let count = self.entries.len();
        let mut seconds = vec![Vec::with_capacity(rounds); count];
        let mut answer = self.answer;
        for round in 0..=rounds {
            for turn in 0..count {
                // Nobody always runs after the same neighbour.
                let i = (round + turn) % count;
                let entry = &mut self.entries[i];
                let start = Instant::now();
                let found = (entry.run)();
                let elapsed = start.elapsed().as_secs_f64();
                let expected = *answer.get_or_insert(found);
                assert_eq!(
                    found, expected,
                    "{}: {} differs",
                    self.name, entry.contestant
                );
                if round > 0 {
                    seconds[i].push(elapsed);
                }
            }
        }
        let place = |name: &&str| self.entries.iter().position(|e| e.contestant == **name);
        let base = BASELINES.iter().find_map(place);
        let base = seconds[base.expect("the baseline takes part in every case")].clone();
        let scores = self.entries.iter().zip(&seconds);
        let scores = scores
            .map(|(entry, own)| Score {
                contestant: entry.contestant.clone(),
                rate: self.units as f64 / own.iter().copied().fold(f64::INFINITY, f64::min),
                ratio: median(base.iter().zip(own).map(|(b, o)| b / o).collect()),
            })
            .collect();
        Line {
            work: self.name,
            scores,
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        values[middle]
    } else {
        f64::midpoint(values[middle - 1], values[middle])
    }
}

/// The mean over all lines: rates and ratios, for the contestant in column `i`.
pub fn geometric_mean(lines: &[Line], i: usize) -> Score {
    let mean = |value: fn(&Score) -> f64| {
        let logs: f64 = lines.iter().map(|l| value(&l.scores[i]).ln()).sum();
        (logs / lines.len() as f64).exp()
    };
    Score {
        contestant: lines[0].scores[i].contestant.clone(),
        rate: mean(|s| s.rate),
        ratio: mean(|s| s.ratio),
    }
}
