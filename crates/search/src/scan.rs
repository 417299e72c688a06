//! Looks through an archive, without an index.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use archive::ArchiveError;
use archive::games::{Archive, Columns, Filter, GameView, ReadAt, RowGroup, RowKind};
use chess::Bitboard;
use codec::Legality;

use crate::matcher::{Extent, Matcher, Plies};
use crate::needs::SideEnd;
use crate::query::Query;

/// A game that matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The number of its row in the archive, from 1.
    pub row: u64,
    /// Its matches: one, or all, as was asked for.
    pub matches: Vec<Plies>,
}

/// What a scan has looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Scanned {
    /// Games.
    pub games: u64,
    /// Their moves, those that were not looked at among them.
    pub plies: u64,
    /// Games that the filter or their result ruled out.
    pub filtered: u64,
    /// Games that were passed over unread: how they ended shows that they cannot match.
    pub skipped: u64,
    /// Games that match.
    pub found: u64,
}

impl Scanned {
    fn add(&mut self, other: &Scanned) {
        self.games += other.games;
        self.plies += other.plies;
        self.filtered += other.filtered;
        self.skipped += other.skipped;
        self.found += other.found;
    }
}

/// A scan for a query.
///
/// ```
/// use std::ops::ControlFlow;
/// use archive::games::{Archive, PackOptions, pack};
/// use scoresheet_search::{Query, Scan};
///
/// let text = b"[White \"Ann\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[White \"Bob\"]\n\n1. d4 d5 *\n\n".as_slice();
/// let inputs = [("games.pgn".to_owned(), text)];
/// let (file, _) = pack(inputs, Vec::new(), &PackOptions::default(), |_, _| {})?;
/// let archive = Archive::open(file)?;
///
/// let query = Query::parse_json(r#"{ "white-move": "Nf3" }"#)?;
/// let mut found = Vec::new();
/// let scanned = Scan::new(&query).run(&archive, |hit| {
///     found.push((hit.row, hit.matches[0][0]));
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(found, [(1, 2)]);
/// assert_eq!(scanned.games, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scan<'q> {
    query: &'q Query,
    /// Whether one match of a game is enough.
    pub extent: Extent,
    /// How many threads work.
    pub threads: NonZeroUsize,
    /// What the tags of a game must say.
    pub filter: Filter,
}

impl<'q> Scan<'q> {
    /// A scan by all cores for the first match of each game.
    #[must_use]
    pub fn new(query: &'q Query) -> Scan<'q> {
        Scan {
            query,
            extent: Extent::First,
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            filter: Filter::default(),
        }
    }

    /// Looks through all games that pass the filter. `each` is called with those that match, in
    /// order, until it says `Break`.
    ///
    /// # Errors
    /// Those of the archive.
    pub fn run<F: ReadAt>(
        &self,
        archive: &Archive<F>,
        mut each: impl FnMut(Hit) -> ControlFlow<()>,
    ) -> Result<Scanned, ArchiveError> {
        let mut scanned = Scanned::default();
        let is_over = AtomicBool::new(false);
        let work = |group: usize| {
            if is_over.load(Ordering::Relaxed) {
                return Ok(Default::default());
            }
            if let Some(scanned) = self.rule_out(archive, group)? {
                return Ok((scanned, Vec::new()));
            }
            let tags = Columns::tag("Result") | self.filter.columns();
            let rows = archive.row_group(group, Columns::MOVES | Columns::SKIP | tags)?;
            self.look(&rows)
        };
        archive.for_each_row_group(
            self.threads,
            work,
            |done: Result<(Scanned, Vec<Hit>), ArchiveError>| -> Result<(), ArchiveError> {
                let (part, hits) = done?;
                if is_over.load(Ordering::Relaxed) {
                    return Ok(());
                }
                scanned.add(&part);
                for hit in hits {
                    if each(hit).is_break() {
                        is_over.store(true, Ordering::Relaxed);
                        break;
                    }
                }
                Ok(())
            },
        )?;
        Ok(scanned)
    }

    /// What is to be said of a row group in which no game passes the filter: its moves, which are
    /// most of it, need not be read.
    fn rule_out<F: ReadAt>(
        &self,
        archive: &Archive<F>,
        group: usize,
    ) -> Result<Option<Scanned>, ArchiveError> {
        if self.filter.is_empty() {
            return Ok(None);
        }
        let mut columns = Columns::PLIES;
        let may_match = self.filter.may_match(archive, group);
        if may_match {
            columns = columns | self.filter.columns();
        }
        let rows = archive.row_group(group, columns)?;
        if may_match && rows.games().any(|game| self.filter.matches(game)) {
            return Ok(None);
        }
        let mut scanned = Scanned::default();
        for game in rows.games().filter(|game| game.kind() == RowKind::Game) {
            scanned.games += 1;
            scanned.plies += u64::from(game.plies());
        }
        scanned.filtered = scanned.games;
        Ok(Some(scanned))
    }

    fn look(&self, rows: &RowGroup) -> Result<(Scanned, Vec<Hit>), ArchiveError> {
        let mut matcher = Matcher::new(self.query, self.extent);
        let mut scanned = Scanned::default();
        let mut hits = Vec::new();
        for game in rows.games() {
            let Some(moves) = game.moves() else { continue };
            scanned.games += 1;
            scanned.plies += u64::from(moves.plies);
            let results = &self.query.results;
            let has_result = || {
                game.result()
                    .is_some_and(|result| results.contains(&result))
            };
            if !(results.is_empty() || has_result()) || !self.filter.matches(game) {
                scanned.filtered += 1;
                continue;
            }
            if ends_of(game).is_some_and(|(end, left)| !matcher.can_match(&end, left)) {
                scanned.skipped += 1;
                continue;
            }
            matcher.begin();
            // The checksum has been verified: moves are as they were when they were checked.
            let replayed = moves.replay(Legality::Trusted, |position, m| {
                matcher.look(position, Some(m))
            });
            let (end, _) = replayed.map_err(|error| rows.moves_fault(game, error))?;
            let matches = matcher.end(&end);
            if !matches.is_empty() {
                scanned.found += 1;
                hits.push(Hit {
                    row: game.number(),
                    matches: matches.to_vec(),
                });
            }
        }
        Ok((scanned, hits))
    }
}

/// What the columns for skipping tell: the men at the end, and the home squares that were left.
fn ends_of(game: GameView<'_>) -> Option<([SideEnd; 2], Option<Bitboard>)> {
    let pieces = game.final_pieces()?;
    let pawns = game.final_pawns()?;
    let nibbles = |bits: u32| -> usize {
        let nibbles = [bits, bits >> 4, bits >> 8, bits >> 12];
        nibbles.iter().map(|bits| (bits & 15) as usize).sum()
    };
    let end = |pieces: u32, pawns: u8| SideEnd {
        pawns: pawns.into(),
        men: 1 + usize::from(pawns) + nibbles(pieces),
    };
    let left = game.home_left().map(|left| {
        let (white, black) = (u64::from(left & 0xffff), u64::from(left >> 16));
        Bitboard::from_bits(white | black << 48)
    });
    Some((
        [end(pieces >> 16, pawns >> 4), end(pieces, pawns & 15)],
        left,
    ))
}
