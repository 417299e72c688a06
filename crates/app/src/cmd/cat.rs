//! `scoresheet cat`: games of archives by number or by what they are.

use std::io::{self, BufWriter, IsTerminal as _, Write, stdout};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread;

use archive::ArchiveError;
use archive::games::{Buffer, Dataset, Filter, Part, RowGroup, RowKind};
use clap::ValueEnum;

use crate::archive_file;
use crate::exit::{Exit, Failure};
use crate::filter_args::FilterArgs;
use crate::game_text::{Form, GameText};
use crate::output::{counted_games, shown};
use crate::row_numbers::RowNumbers;

/// Print games of archives: by number, or those of a player, of a time, of an opening.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  scoresheet cat games.scoresheet 7
  scoresheet cat games.scoresheet 1,5,10-20 --format json
  scoresheet cat games.scoresheet --player carlsen --elo 2700- --date 2010-2015
  scoresheet cat archives/ --eco B90-B99 --result 1-0 --count
  scoresheet cat games.scoresheet --id abcd1234 --format fen

Several archives, or a directory of them, are counted through as one. All that is
asked must hold; --elo is asked of both players. Every word of a name must be part of
the player's, in any case; after = the name must be exactly this.
Exit codes: 1 if no game was found, 4 if a damaged part was met.")]
pub struct Args {
    /// Archives or directories of archives, and numbers of games such as 7 or 1,5,10-20,100-.
    #[arg(required = true, value_name = "ARCHIVE|NUMBERS")]
    what: Vec<PathBuf>,

    /// Numbers of games, from 1.
    #[arg(
        long,
        short = 'n',
        visible_alias = "games",
        alias = "game",
        alias = "numbers",
        value_name = "LIST"
    )]
    number: Option<RowNumbers>,

    #[command(flatten)]
    filter: FilterArgs,

    /// Print no more than so many games.
    #[arg(long, value_name = "N")]
    limit: Option<u64>,

    /// Print only how many games there are.
    #[arg(long)]
    count: bool,

    /// What to print of a game: its text as it was packed, a line of JSON, or its positions.
    #[arg(long, value_enum, default_value_t = Format::Pgn)]
    format: Format,

    /// The same as --format json.
    #[arg(long, conflicts_with_all = ["format", "fen"])]
    json: bool,

    /// The same as --format fen.
    #[arg(long, conflicts_with = "format")]
    fen: bool,

    /// How moves are written in JSON.
    #[arg(long, value_enum, default_value_t = Notation::San)]
    moves: Notation,

    /// Go on after damaged parts; what is left out is told.
    #[arg(long)]
    skip_damaged: bool,

    /// How many threads share the work; all cores if not given.
    #[arg(long, short, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum Format {
    /// The text as it was packed, byte for byte.
    Pgn,
    /// A line of JSON a game.
    #[value(alias = "jsonl")]
    Json,
    /// Every position of the main line, one a line.
    Fen,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum Notation {
    /// `Nf3`
    San,
    /// `g1f3`
    Uci,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let (paths, numbers) = split(args)?;
    let dataset = archive_file::open_all(&paths)?;
    let form = match (args.format, args.json, args.fen) {
        (_, true, _) | (Format::Json, ..) => Form::Json {
            is_uci: matches!(args.moves, Notation::Uci),
            has_files: dataset.parts().len() > 1,
        },
        (_, _, true) | (Format::Fen, ..) => Form::Fen,
        (Format::Pgn, ..) => Form::Pgn,
    };
    let reading = Reading {
        filter: args.filter.to_filter(),
        is_counting: args.count,
        form,
    };
    let mut printer = Printer {
        out: BufWriter::with_capacity(1 << 16, stdout().lock()),
        limit: args.limit.unwrap_or(u64::MAX),
        is_counting: args.count,
        skips_damaged: args.skip_damaged,
        is_terminal: stdout().is_terminal(),
        found: 0,
        was_damaged: false,
        needs_line: false,
    };
    let threads = args
        .threads
        .unwrap_or_else(|| thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));
    let done = match numbers {
        Some(numbers) => by_number(&dataset, &numbers, &reading, &mut printer),
        None => scan(&dataset, &reading, &mut printer, threads),
    };
    if let Err(Stop::Failed(failure)) = done {
        // What was found before the damage is shown.
        printer.out.flush()?;
        return Err(failure);
    }
    if args.count {
        writeln!(printer.out, "{}", printer.found)?;
    }
    printer.out.flush()?;
    if printer.found == 0 && !args.count && !printer.was_damaged {
        let games = counted_games(dataset.games());
        eprintln!("none of {games} is what was asked for");
    }
    Ok(if printer.was_damaged {
        Exit::Damaged
    } else if printer.found == 0 {
        Exit::NothingFound
    } else {
        Exit::Ok
    })
}

/// What is a list of numbers and no file is a list of numbers.
fn split(args: &Args) -> Result<(Vec<PathBuf>, Option<RowNumbers>), Failure> {
    let mut paths = Vec::new();
    let mut numbers = args.number.clone();
    for what in &args.what {
        let list = what
            .to_str()
            .and_then(|text| text.parse::<RowNumbers>().ok());
        match list.filter(|_| !what.exists()) {
            Some(list) => numbers
                .get_or_insert(RowNumbers(Vec::new()))
                .0
                .extend(list.0),
            None if is_meant_as_numbers(what) && !what.exists() => {
                let message = format!(
                    "{}: neither a file nor numbers of games, which go up from 1: 7 or 1,5,10-20,100-",
                    what.display()
                );
                return Err(Failure::new(Exit::Usage, message));
            }
            None => paths.push(what.clone()),
        }
    }
    if paths.is_empty() {
        return Err(Failure::new(Exit::Usage, "no archive was given"));
    }
    Ok((paths, numbers))
}

/// Digits with commas and dashes.
fn is_meant_as_numbers(what: &Path) -> bool {
    let is_one = |c: char| c.is_ascii_digit() || matches!(c, ',' | '-');
    what.to_str()
        .is_some_and(|text| !text.is_empty() && text.chars().all(is_one))
}

/// Why the printing of games ends.
enum Stop {
    /// As many were printed as were asked for.
    Enough,
    Failed(Failure),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Failed(error.into())
    }
}

/// What a thread has made of a row group: the texts of games one after the other, and their ends.
#[derive(Default)]
struct Found {
    text: Vec<u8>,
    ends: Vec<usize>,
    /// How many there are, if they are only counted.
    games: u64,
}

/// More games than this are read together with all of their row group.
const FEW: usize = 4;

fn by_number(
    dataset: &Dataset,
    numbers: &RowNumbers,
    reading: &Reading,
    printer: &mut Printer<impl Write>,
) -> Result<(), Stop> {
    for range in &numbers.0 {
        for (part, group, places) in dataset.places(range.start() - 1..*range.end()) {
            printer.take(part, reading.read(part, group, Some(places)))?;
        }
    }
    Ok(())
}

fn scan(
    dataset: &Dataset,
    reading: &Reading,
    printer: &mut Printer<impl Write>,
    threads: NonZeroUsize,
) -> Result<(), Stop> {
    for part in dataset.parts() {
        if reading.is_counting && reading.filter.is_empty() {
            printer.count(part.archive.games());
            continue;
        }
        part.archive.for_each_row_group(
            threads,
            |group| reading.read(part, group, None),
            |found| printer.take(part, found),
        )?;
    }
    Ok(())
}

/// Prints games, or counts them.
struct Printer<W> {
    out: W,
    limit: u64,
    is_counting: bool,
    skips_damaged: bool,
    is_terminal: bool,
    found: u64,
    was_damaged: bool,
    /// The last text does not end its line.
    needs_line: bool,
}

impl<W: Write> Printer<W> {
    fn count(&mut self, games: u64) {
        self.found = self.found.saturating_add(games).min(self.limit);
    }

    /// Prints what was found in a row group.
    fn take(&mut self, part: &Part, found: Result<Found, ArchiveError>) -> Result<(), Stop> {
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                let exit = archive_file::exit_of(&error);
                let failure = archive_file::at(&part.path, error);
                if self.skips_damaged && exit == Exit::Damaged {
                    eprintln!("skipped: {failure}");
                    self.was_damaged = true;
                    return Ok(());
                }
                return Err(Stop::Failed(failure));
            }
        };
        if self.is_counting {
            self.count(found.games);
            return Ok(());
        }
        let mut start = 0;
        for &end in &found.ends {
            if self.found >= self.limit {
                return Err(Stop::Enough);
            }
            let text = found.text.get(start..end).unwrap_or_default();
            start = end;
            if self.needs_line {
                // The last game of a file may have no line end; the next needs one before it.
                self.out.write_all(b"\n\n")?;
            }
            self.needs_line = !text.is_empty() && !text.ends_with(b"\n");
            if self.is_terminal {
                self.out.write_all(shown(text).as_bytes())?;
            } else {
                self.out.write_all(text)?;
            }
            self.found += 1;
        }
        Ok(())
    }
}

/// What a thread must know.
struct Reading {
    filter: Filter,
    is_counting: bool,
    form: Form,
}

impl Reading {
    /// Finds the games of a row group, or of some places in it, that are wanted.
    fn read(
        &self,
        part: &Part,
        group: usize,
        places: Option<Range<usize>>,
    ) -> Result<Found, ArchiveError> {
        let archive = &part.archive;
        let mut found = Found::default();
        let mut buffer = Buffer::default();
        if !self.filter.is_empty() && !self.filter.may_match(archive, group) {
            return Ok(found);
        }
        let whole = 0..usize::try_from(archive.rows_in(group)).unwrap_or(usize::MAX);
        let asked = places.unwrap_or(whole.clone());
        let load = |rows: Range<usize>, columns| {
            if rows == whole {
                archive.row_group(group, columns)
            } else {
                archive.row_range(group, rows, columns)
            }
        };
        if self.filter.is_empty() && !self.is_counting {
            let rows = load(asked, self.form.columns())?;
            for row in 0..rows.len() {
                self.push(part, &rows, row, &mut buffer, &mut found)?;
            }
            return Ok(found);
        }
        let rows = load(asked.clone(), self.filter.columns())?;
        let wanted = rows
            .games()
            .enumerate()
            .filter(|(_, game)| game.kind() != RowKind::Text && self.filter.matches(*game));
        let wanted: Vec<usize> = wanted.map(|(row, _)| asked.start + row).collect();
        if self.is_counting {
            found.games = wanted.len() as u64;
        } else if wanted.len() <= FEW {
            for row in wanted {
                let rows = archive.row_range(group, row..row + 1, self.form.columns())?;
                self.push(part, &rows, 0, &mut buffer, &mut found)?;
            }
        } else {
            let rows = archive.row_group(group, self.form.columns())?;
            for row in wanted {
                self.push(part, &rows, row, &mut buffer, &mut found)?;
            }
        }
        Ok(found)
    }

    fn push(
        &self,
        part: &Part,
        rows: &RowGroup,
        row: usize,
        buffer: &mut Buffer,
        found: &mut Found,
    ) -> Result<(), ArchiveError> {
        let before = found.text.len();
        let text = GameText {
            form: self.form,
            path: &part.path,
            first_row: part.first_row,
        };
        text.write(rows, row, buffer, &mut found.text)?;
        if found.text.len() > before {
            found.ends.push(found.text.len());
        }
        Ok(())
    }
}
