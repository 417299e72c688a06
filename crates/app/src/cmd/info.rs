//! `scoresheet info`: what is in an archive.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{Write, stdout};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use archive::ArchiveError;
use archive::games::{ColumnSize, Columns, Dataset, Lossy, Summary};
use codec::Legality;
use search::{Naming, Opening};
use serde_json::{Map, Value, json};

use crate::archive_file;
use crate::exit::{Exit, Failure};
use crate::output::grouped;

/// Tell what is in archives: games, plies, bytes of each column, dates, results, ratings, openings.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  scoresheet info games.scoresheet
  scoresheet info archives/ --json")]
pub struct Args {
    /// Archives, or directories of archives; several are told as one.
    #[arg(required = true, value_name = "ARCHIVE")]
    archives: Vec<PathBuf>,

    /// Do not look at the moves for the openings that were played.
    #[arg(long)]
    no_openings: bool,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// What the footers say, and what the games are like.
struct Info {
    archives: usize,
    games: u64,
    plies: u64,
    bytes: u64,
    text_bytes: u64,
    row_groups: usize,
    /// The encodings of moves, each once.
    codecs: Vec<&'static str>,
    /// What was left out when they were packed, each once.
    lossy: Vec<&'static str>,
    /// Columns in order, and what is no column: footers and page indexes.
    columns: Vec<ColumnSize>,
    rest: u64,
    inputs: Vec<(String, u64)>,
    summary: Summary,
    /// Games by the last of their positions that has a name.
    openings: Option<HashMap<Opening, u64>>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let dataset = archive_file::open_all(&args.archives)?;
    let mut info = Info::of(&dataset)?;
    // Damaged moves are no reason not to tell the rest.
    let mut damage = None;
    if !args.no_openings {
        match openings_of(&dataset) {
            Ok(openings) => info.openings = Some(openings),
            Err(failure) => damage = Some(failure),
        }
    }
    let mut out = stdout().lock();
    if args.json {
        writeln!(out, "{}", info.to_json())?;
    } else {
        info.print(&mut out)?;
    }
    damage.map_or(Ok(Exit::Ok), Err)
}

impl Info {
    fn of(dataset: &Dataset) -> Result<Info, Failure> {
        let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let mut info = Info {
            archives: dataset.parts().len(),
            games: 0,
            plies: 0,
            bytes: 0,
            text_bytes: 0,
            row_groups: 0,
            codecs: Vec::new(),
            lossy: Vec::new(),
            columns: Vec::new(),
            rest: 0,
            inputs: Vec::new(),
            summary: Summary::default(),
            openings: None,
        };
        for part in dataset.parts() {
            let archive = &part.archive;
            info.games += archive.games();
            info.plies += archive.plies();
            info.bytes += archive.bytes();
            info.text_bytes += archive.text_bytes();
            info.row_groups += archive.row_groups();
            let codec = archive.codec().as_str();
            if !info.codecs.contains(&codec) {
                info.codecs.push(codec);
            }
            if let Some(lossy) = archive.lossy().map(Lossy::as_str)
                && !info.lossy.contains(&lossy)
            {
                info.lossy.push(lossy);
            }
            for column in archive.columns() {
                match info
                    .columns
                    .iter_mut()
                    .find(|known| known.name == column.name)
                {
                    Some(known) => known.bytes += column.bytes,
                    None => info.columns.push(column),
                }
            }
            let inputs = archive.inputs().iter();
            info.inputs
                .extend(inputs.map(|input| (input.name.clone(), input.rows)));
            archive.for_each_row_group(
                threads,
                |number| archive.summary(number),
                |summary| -> Result<(), Failure> {
                    let summary = summary.map_err(|error| archive_file::at(&part.path, error))?;
                    info.summary.add(summary);
                    Ok(())
                },
            )?;
        }
        let columns: u64 = info.columns.iter().map(|column| column.bytes).sum();
        info.rest = info.bytes.saturating_sub(columns);
        Ok(info)
    }

    fn bits_per_move(&self) -> f64 {
        let moves = self.columns.iter().find(|column| column.name == "moves");
        let moves = moves.map_or(0, |column| column.bytes);
        moves as f64 * 8.0 / self.plies.max(1) as f64
    }

    fn to_json(&self) -> Value {
        let columns: Map<String, Value> = self
            .columns
            .iter()
            .map(|column| (column.name.clone(), column.bytes.into()))
            .collect();
        let inputs = self.inputs.iter();
        let inputs: Vec<_> = inputs
            .map(|(name, rows)| json!({ "name": name, "rows": rows }))
            .collect();
        let [white, black, draws, unknown] = self.summary.results;
        let date = |date: Option<archive::games::GameDate>| date.map(|date| date.to_string());
        let ratings: Map<String, Value> = self
            .summary
            .ratings
            .iter()
            .map(|(hundred, &count)| ((hundred * 100).to_string(), count.into()))
            .collect();
        json!({
            "archives": self.archives,
            "games": self.games,
            "bad_games": self.summary.bad,
            "plies": self.plies,
            "bytes": self.bytes,
            "pgn_bytes": self.text_bytes,
            "bits_per_move": self.bits_per_move(),
            "codec": self.codecs.join(", "),
            "lossy": self.lossy,
            "row_groups": self.row_groups,
            "columns": columns,
            "tags": self.summary.tags,
            "first_date": date(self.summary.first_date),
            "last_date": date(self.summary.last_date),
            "results": {
                "1-0": white, "0-1": black, "1/2-1/2": draws, "*": unknown,
            },
            "ratings": ratings,
            "openings": self.openings().map(|all| {
                let all = all.into_iter();
                all.map(|(opening, games)| json!({ "eco": opening.eco, "name": opening.name, "games": games }))
                    .collect::<Vec<_>>()
            }),
            "inputs": inputs,
        })
    }

    fn print(&self, out: &mut impl Write) -> Result<(), Failure> {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let games = self.games.max(1) as f64;
        for (name, number) in [
            ("games", self.games),
            ("bad games", self.summary.bad),
            ("plies", self.plies),
            ("bytes of PGN", self.text_bytes),
            ("bytes", self.bytes),
            ("row groups", self.row_groups as u64),
        ] {
            writeln!(out, "{name:<14} {:>16}", grouped(number))?;
        }
        let percent = share(self.bytes, self.text_bytes);
        writeln!(out, "{:<14} {percent:>15.1}%", "size")?;
        writeln!(
            out,
            "{:<14} {:>16.2}",
            "bytes a game",
            self.bytes as f64 / games
        )?;
        writeln!(out, "{:<14} {:>16}", "codec", self.codecs.join(", "))?;
        if !self.lossy.is_empty() {
            writeln!(out, "{:<14} {:>16}", "packed with", self.lossy.join(", "))?;
        }
        writeln!(
            out,
            "{:<14} {:>16.2}",
            "bits per move",
            self.bits_per_move()
        )?;
        if let (Some(first), Some(last)) = (self.summary.first_date, self.summary.last_date) {
            writeln!(out, "{:<14} {:>16}", "first date", first.to_string())?;
            writeln!(out, "{:<14} {:>16}", "last date", last.to_string())?;
        }

        writeln!(
            out,
            "\n{:<18} {:>14} {:>9} {:>6}",
            "column", "bytes", "a game", "share"
        )?;
        let rest = ColumnSize {
            name: "(footer, pages)".to_owned(),
            bytes: self.rest,
        };
        for column in self.columns.iter().chain([&rest]) {
            let (size, percent) = (grouped(column.bytes), share(column.bytes, self.bytes));
            let each = column.bytes as f64 / games;
            writeln!(
                out,
                "{:<18} {size:>14} {each:>9.2} {percent:>5.1}%",
                column.name
            )?;
        }

        if !self.summary.tags.is_empty() {
            writeln!(out, "\n{:<18} {:>14}", "tag", "games")?;
            let mut tags: Vec<_> = self.summary.tags.iter().collect();
            tags.sort_by_key(|&(_, &count)| Reverse(count));
            for &(tag, &count) in tags.iter().take(40) {
                let tag = tag.escape_debug().to_string();
                writeln!(out, "{tag:<18} {:>14}", grouped(count))?;
            }
            if tags.len() > 40 {
                writeln!(out, "… and {} more", tags.len() - 40)?;
            }
        }

        writeln!(out, "\n{:<18} {:>14}", "result", "games")?;
        let names = ["1-0", "0-1", "1/2-1/2", "*"];
        for (name, &count) in names.iter().zip(&self.summary.results) {
            let percent = share(count, self.games);
            writeln!(out, "{name:<18} {:>14} {percent:>5.1}%", grouped(count))?;
        }
        self.print_ratings(out)?;
        self.print_openings(out)?;

        writeln!(out, "\n{:<40} {:>14}", "input", "games")?;
        for (name, rows) in self.inputs.iter().take(20) {
            let name = name.escape_debug().to_string();
            writeln!(out, "{name:<40} {:>14}", grouped(*rows))?;
        }
        if self.inputs.len() > 20 {
            writeln!(out, "… and {} more", self.inputs.len() - 20)?;
        }
        Ok(())
    }

    /// Openings, the most common first.
    fn openings(&self) -> Option<Vec<(Opening, u64)>> {
        let all = self.openings.as_ref()?.iter();
        let mut all: Vec<(Opening, u64)> = all.map(|(opening, games)| (*opening, *games)).collect();
        all.sort_by_key(|(opening, games)| (Reverse(*games), opening.eco, opening.name));
        Some(all)
    }

    fn print_openings(&self, out: &mut impl Write) -> Result<(), Failure> {
        let all = self.openings().unwrap_or_default();
        let Some(&(_, most)) = all.first() else {
            return Ok(());
        };
        writeln!(out, "\n{:<46} {:>12}", "opening", "games")?;
        for (opening, games) in all.iter().take(OPENINGS) {
            let name: String = opening.name.chars().take(42).collect();
            let (eco, count, bar) = (opening.eco, grouped(*games), bar(*games, most));
            writeln!(out, "{eco} {name:<42} {count:>12} {bar}")?;
        }
        if let Some(more @ 1..) = all.len().checked_sub(OPENINGS) {
            writeln!(out, "… and {} more", grouped(more as u64))?;
        }
        Ok(())
    }

    fn print_ratings(&self, out: &mut impl Write) -> Result<(), Failure> {
        let ratings = &self.summary.ratings;
        let (Some(&most), Some((&first, _)), Some((&last, _))) = (
            ratings.values().max(),
            ratings.first_key_value(),
            ratings.last_key_value(),
        ) else {
            return Ok(());
        };
        writeln!(out, "\n{:<11} {:>12}", "rating", "players")?;
        // Ratings that nobody has are left out where many follow each other: one may be a slip.
        let mut gap = 0;
        for hundred in first..=last.min(first.saturating_add(1_000)) {
            let count = ratings.get(&hundred).copied().unwrap_or(0);
            gap = if count == 0 { gap + 1 } else { 0 };
            if gap > 2 {
                continue;
            }
            let bar = bar(count, most);
            let from = hundred * 100;
            writeln!(
                out,
                "{from:>5}-{:<5} {:>12} {bar}",
                from + 99,
                grouped(count)
            )?;
        }
        Ok(())
    }
}

/// So many openings are shown.
const OPENINGS: usize = 15;

/// Games by their openings; transpositions come to the same name.
fn openings_of(dataset: &Dataset) -> Result<HashMap<Opening, u64>, Failure> {
    let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let mut all: HashMap<Opening, u64> = HashMap::new();
    for part in dataset.parts() {
        let archive = &part.archive;
        archive.for_each_row_group(
            threads,
            |number| -> Result<HashMap<Opening, u64>, ArchiveError> {
                let rows = archive.row_group(number, Columns::MOVES)?;
                let mut openings = HashMap::new();
                for game in rows.games() {
                    let Some(moves) = game.moves() else { continue };
                    let mut naming = Naming::new(moves.start);
                    let replayed = moves.replay(Legality::Trusted, |_, m| naming.play(m));
                    replayed.map_err(|error| rows.moves_fault(game, error))?;
                    if let Some(opening) = naming.opening() {
                        *openings.entry(opening).or_default() += 1;
                    }
                }
                Ok(openings)
            },
            |openings| -> Result<(), Failure> {
                let openings = openings.map_err(|error| archive_file::at(&part.path, error))?;
                for (opening, games) in openings {
                    *all.entry(opening).or_default() += games;
                }
                Ok(())
            },
        )?;
    }
    Ok(all)
}

/// A bar of up to forty characters, in eighths.
fn bar(count: u64, most: u64) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = u128::from(count) * 320 / u128::from(most.max(1));
    let eighths = usize::try_from(eighths).unwrap_or(320);
    let part = PARTS.get(eighths % 8).copied().unwrap_or_default();
    "█".repeat(eighths / 8) + part
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn bars_are_as_long_as_their_counts() {
        assert_eq!(bar(0, 10), "");
        assert_eq!(bar(10, 10), "█".repeat(40));
        assert_eq!(bar(1, 80), "▌");
        assert_eq!(bar(u64::MAX, u64::MAX), "█".repeat(40));
    }
}
