//! `scoresheet find`: games by positions, material, moves and events.

use std::fs::File;
use std::io::{Read as _, Write, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use archive::games::{Archive, Columns};
use chess::Color;
use codec::Legality;
use pgn::Parallel;
use search::{
    Condition, Event, Extent, Finder, Hit, Opening, Query, QueryError, Scan, Scanned, Step,
};
use serde_json::json;

use crate::archive_file;
use crate::exit::{Exit, Failure};
use crate::filter_args::FilterArgs;
use crate::found_game::FoundGame;
use crate::output::grouped;
use crate::table::{Align, Table};
use crate::text_input::{TextInput, at};

/// Find games by positions, material, moves and events; no index is needed.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  scoresheet find games.scoresheet --fen 'rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq -'
  scoresheet find games.scoresheet --subfen '8/8/8/3N4/8/8/8/8' --player Tal --pgn
  scoresheet find games.scoresheet --material KRPPvKRP --for 20 --flip-colors --count
  scoresheet find games.pgn.zst --moves 'Nf3 ... Bb5' --path Nb1-d2-f1-g3
  scoresheet find games.scoresheet --event underpromotion --fens
  scoresheet find games.scoresheet --query '{ \"sub-fen\": \"8/8/p7/8/8/1B3N2/8/8\", \"result\": \"1-0\" }'

All that is asked of a position must hold at one moment. Moves and paths come after it in the game.
A sub-FEN has men where they must stand, ? for an empty square, . and digits for anything.
Material: KRPPvKRP exactly; P+ is one or more, PP- two or fewer, P* any number.")]
pub struct Args {
    /// Archives, or PGN files, packed or not; `-` is PGN from standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// A position: as many fields of a FEN as matter; `*` for a field that does not.
    #[arg(long, value_name = "FEN")]
    fen: Vec<String>,

    /// Part of a board. Given twice, either will do.
    #[arg(long, visible_alias = "sub-fen", value_name = "BOARD")]
    subfen: Vec<String>,

    /// Where exactly all pawns stand.
    #[arg(long, value_name = "BOARD")]
    pawns: Vec<String>,

    /// The men on the board. Given twice, either will do.
    #[arg(long, value_name = "KRPvKR")]
    material: Vec<String>,

    /// What one side has more: PPvN is two pawns for a knight.
    #[arg(long, value_name = "PPvN")]
    imbalance: Vec<String>,

    /// Whose turn it is.
    #[arg(long, value_name = "white|black")]
    turn: Option<Turn>,

    /// What happens: check, checkmate, stalemate, capture, en-passant, castling, promotion, underpromotion.
    #[arg(long, value_name = "EVENT")]
    event: Vec<Event>,

    /// For how many plies in a row it must be so.
    #[arg(long = "for", value_name = "PLIES", default_value_t = 1)]
    plies: usize,

    /// Moves in a row; ... between them stands for any others.
    #[arg(long, value_name = "MOVES")]
    moves: Vec<String>,

    /// The way of one man: Nb1-d2-f1-g3.
    #[arg(long, value_name = "PATH")]
    path: Vec<String>,

    /// A query as JSON, @FILE to read it from a file.
    #[arg(long, value_name = "JSON", conflicts_with_all = ["fen", "subfen", "pawns", "material", "imbalance", "turn", "event", "moves", "path"])]
    query: Option<String>,

    /// Also as in a mirror, files from right to left.
    #[arg(long)]
    mirror: bool,

    /// Also with the sides exchanged.
    #[arg(long)]
    flip_colors: bool,

    #[command(flatten)]
    filter: FilterArgs,

    /// All matches of a game, not only the first.
    #[arg(long, conflicts_with = "first")]
    all: bool,

    /// The first match of each game (the default).
    #[arg(long)]
    first: bool,

    /// No more games than this.
    #[arg(long, value_name = "N")]
    limit: Option<u64>,

    /// Only count.
    #[arg(long, group = "form")]
    count: bool,

    /// The games as PGN, with {match} in the moves and the tags MatchPly and MatchFEN.
    #[arg(long, group = "form")]
    pgn: bool,

    /// A JSON document a game, on a line.
    #[arg(long, group = "form")]
    json: bool,

    /// The positions of the matches.
    #[arg(long, group = "form")]
    fens: bool,

    /// How many threads work; all cores if not given.
    #[arg(long, short, value_name = "N")]
    threads: Option<std::num::NonZeroUsize>,

    /// Say nothing about the search itself.
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, clap::ValueEnum, Debug)]
enum Turn {
    White,
    Black,
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Failure {
        Failure::new(Exit::Usage, error)
    }
}

pub fn run(args: &Args) -> Result<Exit, Failure> {
    let query = query(args)?;
    let begin = Instant::now();
    let mut report = Report::new(args, &query);
    for path in &args.files {
        if report.is_full() {
            break;
        }
        if path.is_dir() {
            // A directory of archives; one without any is a directory of PGN.
            let dataset = archive_file::open_all(std::slice::from_ref(path))?;
            for part in dataset.parts() {
                find_in_archive(args, &query, &part.path, &part.archive, &mut report)?;
            }
            if !dataset.parts().is_empty() {
                continue;
            }
        }
        match archive_of(path)? {
            Some(archive) => find_in_archive(args, &query, path, &archive, &mut report)?,
            None => find_in_text(args, &query, path, &mut report)?,
        }
    }
    report.finish(begin)
}

/// The file as an archive; `None` if it is something else, which can only be text.
fn archive_of(path: &Path) -> Result<Option<Archive<File>>, Failure> {
    if path.as_os_str() == "-" || path.is_dir() {
        return Ok(None);
    }
    let mut magic = [0; 4];
    let name = path.display().to_string();
    let mut file = File::open(path).map_err(|error| at(&name, &error))?;
    match file.read_exact(&mut magic) {
        Ok(()) if &magic == b"PAR1" => Ok(Some(archive_file::open(path)?)),
        _ => Ok(None),
    }
}

fn query(args: &Args) -> Result<Query, Failure> {
    let mut query = match &args.query {
        Some(text) => match text.strip_prefix('@') {
            Some(path) => {
                let text = std::fs::read_to_string(path).map_err(|error| at(path, &error))?;
                Query::parse_json(&text)?
            }
            None => Query::parse_json(text)?,
        },
        None => Query::default(),
    };
    let condition = condition(args)?;
    if condition != Condition::default() {
        if !(1..=64).contains(&args.plies) {
            return Err(Failure::new(Exit::Usage, "--for: from 1 to 64 plies"));
        }
        query.push(Step::Streak(vec![condition; args.plies]))?;
    }
    for moves in &args.moves {
        query.push_moves(moves)?;
    }
    for path in &args.path {
        query.push(Step::Path(search::Path::parse(path)?))?;
    }
    if query.steps().is_empty() && args.query.is_none() && args.filter.to_filter().is_empty() {
        let message = "nothing is asked for; --help shows what can be";
        return Err(Failure::new(Exit::Usage, message));
    }
    query.mirror |= args.mirror;
    query.flip_colors |= args.flip_colors;
    query.limit = args.limit.or(query.limit);
    Ok(query)
}

fn condition(args: &Args) -> Result<Condition, QueryError> {
    fn each<T>(
        texts: &[String],
        parse: impl Fn(&str) -> Result<T, QueryError>,
    ) -> Result<Vec<T>, QueryError> {
        texts.iter().map(|text| parse(text)).collect()
    }
    let mut patterns = each(&args.fen, search::Pattern::parse_fen)?;
    patterns.extend(each(&args.subfen, search::Pattern::parse_sub_fen)?);
    Ok(Condition {
        patterns,
        pawns: each(&args.pawns, search::Pawns::parse)?,
        material: each(&args.material, search::Material::parse)?,
        imbalance: each(&args.imbalance, search::Imbalance::parse)?,
        turn: args.turn.map(|turn| match turn {
            Turn::White => Color::White,
            Turn::Black => Color::Black,
        }),
        events: args.event.clone(),
        ..Condition::default()
    })
}

fn find_in_archive(
    args: &Args,
    query: &Query,
    path: &Path,
    archive: &Archive<File>,
    report: &mut Report<'_>,
) -> Result<(), Failure> {
    let mut scan = Scan::new(query);
    scan.filter = args.filter.to_filter();
    scan.extent = report.extent();
    scan.threads = args.threads.unwrap_or(scan.threads);
    let mut group = None;
    let mut failure = None;
    let scanned = scan.run(archive, |hit| {
        let wanted = match report.count() {
            Wanted::No => return ControlFlow::Continue(()),
            Wanted::Count => None,
            Wanted::Show => Some(hit),
        };
        if let Some(hit) = wanted {
            let shown = found_in_archive(archive, &mut group, &hit)
                .map_err(|error| archive_file::at(path, error))
                .and_then(|game| report.show(path, &hit, &game));
            if let Err(error) = shown {
                failure = Some(error);
                return ControlFlow::Break(());
            }
        }
        report.flow()
    });
    let scanned = scanned.map_err(|error| archive_file::at(path, error))?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    report.add(&scanned);
    Ok(())
}

/// A row group that has been read, and its number.
type Read = Option<(usize, archive::games::RowGroup)>;

/// Hits come in order: a row group is read once.
fn found_in_archive(
    archive: &Archive<File>,
    read: &mut Read,
    hit: &Hit,
) -> Result<FoundGame, archive::ArchiveError> {
    let (group, row) = archive
        .find_row(hit.row.saturating_sub(1))
        .unwrap_or((0, 0));
    if read.as_ref().is_none_or(|(number, _)| *number != group) {
        *read = Some((group, archive.row_group(group, Columns::ALL)?));
    }
    let Some((_, rows)) = read else {
        return Ok(FoundGame::default());
    };
    let game = rows.game(row);
    let mut found = FoundGame::default();
    let mut buffer = archive::games::Buffer::default();
    rows.restore(row, &mut buffer, &mut found.text)?;
    if let Some(moves) = game.moves() {
        found.start = moves.start;
        let replayed = moves.replay(Legality::Trusted, |_, m| {
            found.moves.push(m);
            ControlFlow::Continue(())
        });
        replayed.map_err(|error| rows.moves_fault(game, error))?;
    }
    found.read_tags();
    Ok(found)
}

fn find_in_text(
    args: &Args,
    query: &Query,
    path: &Path,
    report: &mut Report<'_>,
) -> Result<(), Failure> {
    let filter = args.filter.to_filter();
    let input = TextInput::new(&[path.to_owned()])?;
    let mut parallel = Parallel::new();
    if let Some(threads) = args.threads {
        parallel.threads = threads.get();
    }
    let extent = report.extent();
    let mut failure = None;
    let mut scanned = Scanned::default();
    input.for_each(|name, text| {
        let each = |raw: pgn::RawGame<'_>, result: Result<Vec<search::Plies>, pgn::GameError>| {
            scanned.games += 1;
            let matches = match result {
                Ok(matches) => matches,
                Err(error) => {
                    report.bad += 1;
                    if !args.quiet && report.bad <= 10 {
                        input.say(&format!("{name}: {error}"));
                    }
                    return ControlFlow::Continue(());
                }
            };
            if matches.is_empty() {
                return ControlFlow::Continue(());
            }
            let game = FoundGame::from_text(raw.bytes);
            if !game.passes(&filter) {
                scanned.filtered += 1;
                return ControlFlow::Continue(());
            }
            scanned.found += 1;
            if let Wanted::Show = report.count() {
                let row = raw.number;
                if let Err(error) = report.show(path, &Hit { row, matches }, &game) {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
            }
            report.flow()
        };
        let done = parallel.read(text, || Finder::new(query, extent), each);
        done.map_err(|error| at(name, &error))
    })?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    report.add(&scanned);
    Ok(())
}

enum Wanted {
    No,
    Count,
    Show,
}

/// What has been found so far, and how it is shown.
struct Report<'a> {
    args: &'a Args,
    query: &'a Query,
    found: u64,
    scanned: Scanned,
    bad: u64,
    table: Table<8>,
}

impl<'a> Report<'a> {
    fn new(args: &'a Args, query: &'a Query) -> Report<'a> {
        Report {
            args,
            query,
            found: 0,
            scanned: Scanned::default(),
            bad: 0,
            table: Table::new([
                ("game", Align::Right),
                ("white", Align::Left),
                ("black", Align::Left),
                ("result", Align::Left),
                ("date", Align::Left),
                ("opening", Align::Left),
                ("match", Align::Left),
                ("position", Align::Left),
            ]),
        }
    }

    fn extent(&self) -> Extent {
        match self.args.all {
            true => Extent::All,
            false => Extent::First,
        }
    }

    /// Counts a game that matches.
    fn count(&mut self) -> Wanted {
        self.found += 1;
        match self.found <= self.query.skip {
            true => Wanted::No,
            false if self.args.count => Wanted::Count,
            false => Wanted::Show,
        }
    }

    fn shown(&self) -> u64 {
        self.found.saturating_sub(self.query.skip)
    }

    fn is_full(&self) -> bool {
        self.query.limit.is_some_and(|limit| self.shown() >= limit)
    }

    fn flow(&self) -> ControlFlow<()> {
        match self.is_full() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn add(&mut self, scanned: &Scanned) {
        self.scanned.games += scanned.games;
        self.scanned.plies += scanned.plies;
        self.scanned.filtered += scanned.filtered;
        self.scanned.skipped += scanned.skipped;
    }

    fn show(&mut self, path: &Path, hit: &Hit, game: &FoundGame) -> Result<(), Failure> {
        let mut out = stdout().lock();
        let args = self.args;
        let first = hit.matches.first().and_then(|plies| plies.first()).copied();
        if args.pgn {
            let mut plies = hit.matches.concat();
            plies.sort_unstable();
            plies.dedup();
            game.write_marked(&mut out, &plies)?;
        } else if args.fens {
            for plies in &hit.matches {
                for &ply in plies {
                    writeln!(out, "{}", game.position(ply))?;
                }
            }
        } else if args.json {
            let matches: Vec<_> = hit
                .matches
                .iter()
                .map(|plies| {
                    let fens: Vec<String> = plies
                        .iter()
                        .map(|&ply| game.position(ply).to_string())
                        .collect();
                    json!({ "plies": plies, "fens": fens })
                })
                .collect();
            let document = json!({
                "file": path.display().to_string(),
                "game": hit.row,
                "white": game.white,
                "black": game.black,
                "result": game.result,
                "date": game.date,
                "matches": matches,
            });
            writeln!(out, "{document}")?;
        } else {
            let ply = first.unwrap_or(0);
            let opening = game.opening();
            let opening =
                opening.map_or_else(String::new, |opening: Opening| opening.eco.to_owned());
            let places: Vec<String> = hit
                .matches
                .iter()
                .map(|plies| {
                    let places: Vec<String> = plies.iter().map(|&ply| game.place(ply)).collect();
                    places.join(" … ")
                })
                .collect();
            self.table.push([
                hit.row.to_string(),
                game.white.clone(),
                game.black.clone(),
                game.result.clone(),
                game.date.clone(),
                opening,
                places.join(", "),
                game.position(ply).board().to_string(),
            ]);
            self.table.pour(&mut out, "")?;
        }
        Ok(())
    }

    fn finish(self, begin: Instant) -> Result<Exit, Failure> {
        let mut out = stdout().lock();
        let args = self.args;
        if args.count {
            writeln!(out, "{}", self.shown())?;
        } else if !(args.pgn || args.json || args.fens) && self.shown() > 0 {
            self.table.write(&mut out, "")?;
        }
        out.flush()?;
        if !args.quiet {
            let seconds = begin.elapsed().as_secs_f64().max(1e-6);
            let speed = self.scanned.plies as f64 / seconds / 1e6;
            eprintln!(
                "{} of {} games match; {} ruled out by filters, {} skipped unread; {seconds:.3} s{}",
                grouped(self.shown()),
                grouped(self.scanned.games),
                grouped(self.scanned.filtered),
                grouped(self.scanned.skipped),
                match self.scanned.plies {
                    0 => String::new(),
                    _ => format!(", {speed:.1} M plies/s"),
                }
            );
            if self.bad > 0 {
                eprintln!("{} bad games were not looked at", grouped(self.bad));
            }
        }
        Ok(match self.shown() {
            0 => Exit::NothingFound,
            _ => Exit::Ok,
        })
    }
}
