//! What the games of an archive are like.

use std::collections::{BTreeMap, HashMap};

use pgn::Outcome;

use super::columns::Columns;
use super::flags::RowKind;
use super::read_at::ReadAt;
use super::reader::Archive;
use super::row_group_view::RowGroup;
use crate::ArchiveError;
use crate::game_date::GameDate;

/// What games are like, counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Games whose moves are stored.
    pub good: u64,
    /// Games with a fault.
    pub bad: u64,
    /// Rows of text that is no game.
    pub texts: u64,
    /// The first date of which the year is known.
    pub first_date: Option<GameDate>,
    /// The last date.
    pub last_date: Option<GameDate>,
    /// How many games were won by White, won by Black, drawn; how many have `*`.
    pub results: [u64; 4],
    /// How many players there are by hundreds of their ratings: 24 for 2400 to 2499.
    pub ratings: BTreeMap<u32, u64>,
    /// How many games have a tag, by its name.
    pub tags: BTreeMap<String, u64>,
}

impl Summary {
    /// What must be read for one.
    fn columns() -> Columns {
        [
            "white_elo",
            "black_elo",
            "date",
            "utc_date",
            "result",
            "tag_order",
        ]
        .into_iter()
        .filter_map(Columns::named)
        .fold(Columns::NONE, |all, column| all | column)
    }

    /// Adds another.
    pub fn add(&mut self, other: Summary) {
        self.good += other.good;
        self.bad += other.bad;
        self.texts += other.texts;
        self.note_date(other.first_date);
        self.note_date(other.last_date);
        for (own, other) in self.results.iter_mut().zip(other.results) {
            *own += other;
        }
        for (hundred, count) in other.ratings {
            *self.ratings.entry(hundred).or_default() += count;
        }
        for (tag, count) in other.tags {
            *self.tags.entry(tag).or_default() += count;
        }
    }

    fn note_date(&mut self, date: Option<GameDate>) {
        let Some(date) = date.filter(|date| date.year > 0) else {
            return;
        };
        if self
            .first_date
            .is_none_or(|first| date.first_day() < first.first_day())
        {
            self.first_date = Some(date);
        }
        if self
            .last_date
            .is_none_or(|last| date.last_day() > last.last_day())
        {
            self.last_date = Some(date);
        }
    }

    fn of(rows: &RowGroup) -> Summary {
        let mut summary = Summary::default();
        // Most games have the same tags in the same order.
        let mut orders: HashMap<&str, u64> = HashMap::new();
        for game in rows.games() {
            match game.kind() {
                RowKind::Game => summary.good += 1,
                RowKind::Bad => summary.bad += 1,
                RowKind::Text => {
                    summary.texts += 1;
                    continue;
                }
            }
            summary.note_date(game.date());
            let result = game.result();
            let place = Outcome::ALL.iter().position(|&known| Some(known) == result);
            if let Some(count) = place.and_then(|place| summary.results.get_mut(place)) {
                *count += 1;
            }
            for rating in [game.white_elo(), game.black_elo()].into_iter().flatten() {
                *summary.ratings.entry(rating / 100).or_default() += 1;
            }
            *orders.entry(game.tag_order()).or_default() += 1;
        }
        for (order, count) in orders {
            let mut names: Vec<&str> = order.split(' ').filter(|name| !name.is_empty()).collect();
            names.sort_unstable();
            names.dedup();
            for name in names {
                let name = name.strip_suffix('=').unwrap_or(name);
                *summary.tags.entry(name.to_owned()).or_default() += count;
            }
        }
        summary
    }
}

impl<F: ReadAt> Archive<F> {
    /// Counts what the games of a row group are like.
    ///
    /// # Errors
    /// As [`Archive::row_group`].
    pub fn summary(&self, row_group: usize) -> Result<Summary, ArchiveError> {
        let rows = self.row_group(row_group, Summary::columns())?;
        Ok(Summary::of(&rows))
    }
}
