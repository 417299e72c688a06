//! Asks an index.

use core::fmt;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use archive::ArchiveError;
use archive::games::pages_of_chunk;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int32Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, PrimitiveArray, RecordBatch};
use chess::{Color, Move, Position};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::{FileMetaData, ParquetMetaDataBuilder};
use parquet::file::page_index::offset_index::{OffsetIndexMetaData, PageLocation};

use super::answer::{Answer, MoveAnswer, SAMPLES, Tally};
use super::builder::{GROUP_ROWS, PAGE_ROWS, schema};
use super::facts::GameFacts;
use super::seal::SealedFile;

/// The version of the format.
pub(crate) const VERSION: u32 = 2;
pub(crate) const VERSION_KEY: &str = "scoresheet.index.version";
pub(crate) const ARCHIVE_KEY: &str = "scoresheet.index.archive";
pub(crate) const PLIES_KEY: &str = "scoresheet.index.plies";
pub(crate) const PAIRS_KEY: &str = "scoresheet.index.pairs";

/// Columns, by their place.
const KEY: usize = 0;
const GAMES: usize = 2;
const NAMED: [usize; SAMPLES] = [3, 4, 5, 6];
const FACTS: usize = 16;

/// What can be wrong with an index.
#[derive(Debug)]
#[non_exhaustive]
pub enum IndexError {
    /// Reading or writing failed.
    Io(io::Error),
    /// The archive that it is built from is at fault.
    Archive(ArchiveError),
    /// It is no index, or damaged.
    Parquet(String),
    /// A checksum does not fit.
    Damaged {
        /// Where the first block begins that is not as it was written.
        at: u64,
    },
    /// It is a Parquet file, and no index.
    NotAnIndex,
    /// It was written by an older version, without checksums.
    Older {
        /// Its version.
        found: u32,
    },
    /// It was written by a newer version.
    Newer {
        /// Its version.
        found: u32,
        /// The version that is known.
        known: u32,
    },
    /// It belongs to another archive, or to this one as it was before.
    Stale {
        /// The archive it was built from.
        found: String,
        /// The archive at hand.
        expected: String,
    },
    /// The archive has more games than an index can number.
    TooManyGames {
        /// So many.
        games: u64,
    },
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IndexError::Io(error) => error.fmt(f),
            IndexError::Archive(error) => error.fmt(f),
            IndexError::Parquet(message) => write!(
                f,
                "this index cannot be read ({message}); build it again with `explore index --force`"
            ),
            IndexError::Damaged { at } => write!(
                f,
                "this index is damaged at byte {at} or up to 16,383 bytes after it; \
                 build it again with `explore index --force`"
            ),
            IndexError::NotAnIndex => f.write_str("this is no index of positions"),
            IndexError::Older { found } => write!(
                f,
                "the index has version {found}, which has no checksums; \
                 build it again with `explore index --force`"
            ),
            IndexError::Newer { found, known } => write!(
                f,
                "the index has version {found}, this program knows versions up to {known}; \
                 use a newer program, or build the index again"
            ),
            IndexError::Stale { found, expected } => write!(
                f,
                "the index was built from another archive ({found}, this one is {expected}); \
                 build it again with `explore index --force`"
            ),
            IndexError::TooManyGames { games } => write!(
                f,
                "{games} rows are more than an index can number; split the archive"
            ),
        }
    }
}

impl core::error::Error for IndexError {}

/// An open index.
#[derive(Debug)]
pub struct Index {
    file: SealedFile,
    metadata: ArrowReaderMetadata,
    pairs: u64,
    plies: Option<u32>,
}

/// A row that was asked for.
struct Row {
    word: u16,
    games: u64,
    named: Vec<u64>,
    /// If not all games are named.
    tally: Option<Tally>,
}

/// A page of a row group. All columns have the same rows in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Page {
    group: usize,
    number: usize,
}

impl Index {
    /// Opens the index of an archive, whose [`id`](archive::games::Archive::id) it must have.
    ///
    /// # Errors
    /// [`IndexError::Stale`] if it belongs to another, and those of the file.
    pub fn open(file: File, archive_id: &str) -> Result<Index, IndexError> {
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let file = SealedFile::new(file)?;
        let metadata = or_gave_up(|| Ok(ArrowReaderMetadata::load(&file, options)?))?;
        let pairs = metadata.metadata().file_metadata().key_value_metadata();
        let value = |key: &str| {
            let pair = pairs?.iter().find(|pair| pair.key == key)?;
            pair.value.as_deref()
        };
        let version = value(VERSION_KEY).and_then(|version| version.parse().ok());
        let found = version.ok_or(IndexError::NotAnIndex)?;
        if found > VERSION {
            return Err(IndexError::Newer {
                found,
                known: VERSION,
            });
        }
        if found < VERSION {
            return Err(IndexError::Older { found });
        }
        if !file.is_sealed() {
            let message = "its checksums are damaged".to_owned();
            return Err(IndexError::Parquet(message));
        }
        let found = value(ARCHIVE_KEY).ok_or(IndexError::NotAnIndex)?;
        if found != archive_id {
            return Err(IndexError::Stale {
                found: found.to_owned(),
                expected: archive_id.to_owned(),
            });
        }
        let pairs = value(PAIRS_KEY).and_then(|pairs| pairs.parse().ok());
        let pairs = pairs.ok_or(IndexError::NotAnIndex)?;
        let plies = value(PLIES_KEY).and_then(|plies| plies.parse().ok());
        let columns = metadata.metadata().file_metadata().schema_descr();
        if columns.root_schema().get_fields().len() != schema().fields().len() {
            return Err(IndexError::NotAnIndex);
        }
        Ok(Index {
            file,
            metadata,
            pairs,
            plies,
        })
    }

    /// How many plies of each game it knows; `None` if all.
    #[must_use]
    pub fn plies(&self) -> Option<u32> {
        self.plies
    }

    /// How many pairs of position and move it has.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// What was played in a position. How often the positions after its moves came by other ways is
    /// looked up by a second thread.
    ///
    /// # Errors
    /// Those of the file.
    pub fn ask(&self, position: &Position) -> Result<Answer, IndexError> {
        let mut children = Vec::new();
        for m in position.legal_moves() {
            let mut child = *position;
            child.play_unchecked(m);
            children.push((m, child.key()));
        }
        let mut keys: Vec<u64> = children.iter().map(|(_, key)| *key).collect();
        keys.sort_unstable();
        keys.dedup();
        let (answer, games) = std::thread::scope(|scope| {
            let games = scope.spawn(|| or_gave_up(|| self.games(&keys)));
            let answer = or_gave_up(|| self.played(position));
            let games = games.join().unwrap_or_else(|panic| resume_unwind(panic));
            (answer, games)
        });
        let told = |error| {
            self.file
                .damage()
                .map_or(error, |at| IndexError::Damaged { at })
        };
        let (mut answer, games) = (answer.map_err(told)?, games.map_err(told)?);
        for (m, child) in children {
            let games = games.get(&child).copied().unwrap_or(0);
            match answer.moves.iter_mut().find(|answer| answer.m == m) {
                Some(known) => known.transposed = games.saturating_sub(known.played.games),
                None => answer.moves.push(MoveAnswer {
                    m,
                    played: Tally::default(),
                    transposed: games,
                }),
            }
        }
        answer.sort();
        Ok(answer)
    }

    /// The moves that were played in a position.
    fn played(&self, position: &Position) -> Result<Answer, IndexError> {
        let key = position.key();
        let all: Vec<usize> = (0..FACTS).collect();
        let mut rows = Vec::new();
        self.read(&self.pages_of(&[key]), &all, |batch| {
            rows.extend(rows_of(batch, key).map(|i| Row::from_batch(batch, i)));
        })?;
        let facts = self.facts(rows.iter().filter(|row| row.tally.is_none()))?;
        let mut answer = Answer {
            position: *position,
            total: Tally::default(),
            moves: Vec::new(),
        };
        for row in rows {
            let tally = row.tally(position.turn(), &facts);
            answer.total.merge(&tally);
            if let Some(m) = Move::from_word(row.word).filter(|m| position.is_legal(*m)) {
                answer.moves.push(MoveAnswer {
                    m,
                    played: tally,
                    transposed: 0,
                });
            }
        }
        Ok(answer)
    }

    /// How many games came to positions, by their keys.
    fn games(&self, keys: &[u64]) -> Result<HashMap<u64, u64>, IndexError> {
        let mut games: HashMap<u64, u64> = HashMap::with_capacity(keys.len());
        self.read(&self.pages_of(keys), &[KEY, GAMES], |batch| {
            let counts = batch.column(1).as_primitive::<UInt32Type>().values();
            for &key in keys {
                for &count in counts.get(rows_of(batch, key)).unwrap_or_default() {
                    *games.entry(key).or_default() += u64::from(count);
                }
            }
        })?;
        Ok(games)
    }

    /// The pages that may have some of these keys, in order.
    fn pages_of(&self, keys: &[u64]) -> Vec<Page> {
        const PAGES: usize = GROUP_ROWS / PAGE_ROWS;
        let firsts = self.file.landmarks();
        let mut pages = Vec::new();
        for &key in keys {
            // The key may be in the page before the first that begins with it, too.
            let first = firsts.partition_point(|first| u64::from_le_bytes(*first) < key);
            let end = firsts.partition_point(|first| u64::from_le_bytes(*first) <= key);
            pages.extend((first.saturating_sub(1)..end).map(|page| Page {
                group: page / PAGES,
                number: page % PAGES,
            }));
        }
        pages.sort_unstable();
        pages.dedup();
        pages
    }

    /// Reads some columns of pages, which are in order, and hands them over one by one: so they all use
    /// the same memory. It is done as if they were all that is in the file: the library would ask every
    /// page of every row group whether it is wanted.
    fn read(
        &self,
        pages: &[Page],
        columns: &[usize],
        mut each: impl FnMut(&RecordBatch),
    ) -> Result<(), IndexError> {
        let Some(first) = pages.first() else {
            return Ok(());
        };
        let group = self.metadata.metadata().row_groups().get(first.group);
        let group = group.ok_or_else(damaged)?;
        let mut chunks = group.columns().to_vec();
        let nowhere = OffsetIndexMetaData {
            page_locations: Vec::new(),
            unencoded_byte_array_data_bytes: None,
        };
        let mut places = vec![nowhere; chunks.len()];
        let mut rows = 0;
        for &column in columns {
            let (Some(chunk), Some(place)) = (chunks.get_mut(column), places.get_mut(column))
            else {
                return Err(damaged());
            };
            let (locations, count) = self.locations(pages, column)?;
            if rows != 0 && rows != count {
                return Err(damaged());
            }
            (place.page_locations, rows) = (locations, count);
            // Without a dictionary the first page is where the chunk begins.
            let start = place.page_locations.first().map_or(0, |page| page.offset);
            let moved = chunk.clone().into_builder().set_data_page_offset(start);
            *chunk = moved.set_dictionary_page_offset(None).build()?;
        }
        let group = group.clone().into_builder().set_num_rows(rows);
        let group = group.set_column_metadata(chunks).build()?;
        let schema = self.metadata.metadata().file_metadata().schema_descr_ptr();
        let file = FileMetaData::new(1, rows, None, None, schema, None);
        let metadata = ParquetMetaDataBuilder::new(file)
            .set_row_groups(vec![group])
            .set_offset_index(Some(vec![places]))
            .build();
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let metadata = ArrowReaderMetadata::try_new(Arc::new(metadata), options)?;
        let builder =
            ParquetRecordBatchReaderBuilder::new_with_metadata(self.file.clone(), metadata);
        let mask = ProjectionMask::roots(builder.parquet_schema(), columns.iter().copied());
        let reader = builder
            .with_projection(mask)
            .with_batch_size(PAGE_ROWS)
            .build()?;
        let mut found = 0;
        for batch in reader {
            let batch = batch.map_err(ParquetError::from)?;
            found += batch.num_rows();
            each(&batch);
        }
        match i64::try_from(found) == Ok(rows) {
            true => Ok(()),
            false => Err(damaged()),
        }
    }

    /// Where pages of a column are, with rows counted from the first of them, and how many rows.
    fn locations(
        &self,
        pages: &[Page],
        column: usize,
    ) -> Result<(Vec<PageLocation>, i64), IndexError> {
        let mut locations = Vec::with_capacity(pages.len());
        let mut rows = 0;
        for pages in pages.chunk_by(|a, b| a.group == b.group) {
            let group = pages.first().map_or(0, |page| page.group);
            let group = self.metadata.metadata().row_groups().get(group);
            let group = group.ok_or_else(damaged)?;
            let count = u64::try_from(group.num_rows()).map_err(|_| damaged())?;
            let chunk = group.columns().get(column).ok_or_else(damaged)?;
            let known = pages_of_chunk(&self.file, chunk, count)?.ok_or_else(damaged)?;
            for page in pages {
                let location = known.get(page.number).ok_or_else(damaged)?;
                let next = known.get(page.number + 1);
                let end = next.map_or(group.num_rows(), |next| next.first_row_index);
                locations.push(PageLocation {
                    first_row_index: rows,
                    ..location.clone()
                });
                rows += end - location.first_row_index;
            }
        }
        Ok((locations, rows))
    }

    /// The facts of the games that rows name.
    fn facts<'r>(
        &self,
        rows: impl Iterator<Item = &'r Row>,
    ) -> Result<HashMap<u64, GameFacts>, IndexError> {
        let mut games: Vec<u64> = rows.flat_map(|row| row.named.iter().copied()).collect();
        games.sort_unstable();
        games.dedup();
        let mut facts = HashMap::with_capacity(games.len());
        let mut games = games.into_iter().peekable();
        let mut before = 0u64;
        for (number, group) in self.metadata.metadata().row_groups().iter().enumerate() {
            let first = before;
            before += u64::try_from(group.num_rows()).unwrap_or(0);
            // Facts begin with a row group of their own, after all pairs.
            let Some(first) = first.checked_sub(self.pairs) else {
                continue;
            };
            let mut here = Vec::new();
            while let Some(game) = games.next_if(|game| *game <= before - self.pairs) {
                let row = game.saturating_sub(first + 1);
                here.push((game, usize::try_from(row).map_err(|_| damaged())?));
            }
            let mut pages: Vec<Page> = here
                .iter()
                .map(|(_, row)| Page {
                    group: number,
                    number: row / PAGE_ROWS,
                })
                .collect();
            pages.dedup();
            let mut numbers = pages.iter().map(|page| page.number);
            self.read(&pages, &[FACTS], |batch| {
                let bits = batch.column(0).as_primitive::<UInt64Type>();
                let page = numbers.next();
                for (game, row) in &here {
                    if Some(row / PAGE_ROWS) == page && row % PAGE_ROWS < bits.len() {
                        let bits = bits.value(row % PAGE_ROWS);
                        facts.insert(*game, GameFacts::from_bits(bits));
                    }
                }
            })?;
            if let Some((game, _)) = here.iter().find(|(game, _)| !facts.contains_key(game)) {
                return Err(no_game(*game));
            }
        }
        match games.next() {
            None => Ok(facts),
            Some(game) => Err(no_game(game)),
        }
    }
}

fn no_game(game: u64) -> IndexError {
    IndexError::Parquet(format!("there is no game {game}"))
}

fn damaged() -> IndexError {
    IndexError::Parquet("its pages are not where they should be".to_owned())
}

/// The rows of a key in pages, whose first column is sorted.
fn rows_of(pages: &RecordBatch, key: u64) -> Range<usize> {
    let sorted = pages.column(0).as_primitive::<UInt64Type>().values();
    let start = sorted.partition_point(|&other| other < key);
    let same = sorted.iter().skip(start).take_while(|&&other| other == key);
    start..start + same.count()
}

/// The library's panics on what is damaged are errors here.
fn or_gave_up<T>(read: impl FnOnce() -> Result<T, IndexError>) -> Result<T, IndexError> {
    let read = catch_unwind(AssertUnwindSafe(read));
    read.map_err(|_| IndexError::Parquet("the Parquet library gave up".to_owned()))?
}

impl Row {
    /// The statistics, from the point of view of the side to move.
    fn tally(&self, turn: Color, facts: &HashMap<u64, GameFacts>) -> Tally {
        if let Some(tally) = &self.tally {
            let mut tally = tally.clone();
            if turn == Color::Black {
                std::mem::swap(&mut tally.own_elos, &mut tally.other_elos);
                tally.rated_points = (2 * tally.rated).saturating_sub(tally.rated_points);
            }
            tally.games = self.games;
            tally.samples.clone_from(&self.named);
            return tally;
        }
        let mut tally = Tally::default();
        for game in &self.named {
            tally.add(turn, *game, facts.get(game).copied().unwrap_or_default());
        }
        tally
    }

    fn from_batch(batch: &RecordBatch, i: usize) -> Row {
        let u32_at = |column: usize| value(batch.column(column).as_primitive::<UInt32Type>(), i);
        let u64_at = |column: usize| value(batch.column(column).as_primitive::<UInt64Type>(), i);
        let date_at = |column: usize| {
            let date = value(batch.column(column).as_primitive::<Int32Type>(), i);
            date.and_then(|date| u32::try_from(date).ok())
        };
        let count = |column| u64::from(u32_at(column).unwrap_or(0));
        let games = count(2);
        let named = NAMED.iter().filter_map(|&column| u32_at(column));
        let named = named.map(u64::from).collect();
        let tally = u32_at(7).map(|white| Tally {
            games,
            white: white.into(),
            draws: count(8),
            black: count(9),
            rated: count(10),
            own_elos: u64_at(11).unwrap_or(0),
            other_elos: u64_at(12).unwrap_or(0),
            rated_points: count(13),
            dates: date_at(14).zip(date_at(15)),
            samples: Vec::new(),
        });
        Row {
            word: value(batch.column(1).as_primitive::<UInt16Type>(), i).unwrap_or(0),
            games,
            named,
            tally,
        }
    }
}

fn value<T: arrow_array::ArrowPrimitiveType>(
    array: &PrimitiveArray<T>,
    i: usize,
) -> Option<T::Native> {
    array.is_valid(i).then(|| array.value(i))
}
