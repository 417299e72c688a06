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
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::{FileMetaData, PageIndexPolicy, ParquetMetaDataBuilder};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::page_index::offset_index::OffsetIndexMetaData;

use super::answer::{Answer, MoveAnswer, Tally};
use super::builder::schema;
use super::facts::GameFacts;
use super::seal::SealedFile;

/// The version of the format.
pub(crate) const VERSION: u32 = 2;
pub(crate) const VERSION_KEY: &str = "scoresheet.index.version";
pub(crate) const ARCHIVE_KEY: &str = "scoresheet.index.archive";
pub(crate) const PLIES_KEY: &str = "scoresheet.index.plies";
pub(crate) const PAIRS_KEY: &str = "scoresheet.index.pairs";

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
                "this index cannot be read ({message}); build it again with `explore index`"
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
                 build it again with `explore index`"
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

/// Some columns of a row group: where their pages are is read only for those who ask.
struct Part {
    metadata: ArrowReaderMetadata,
    columns: Vec<usize>,
    rows: usize,
}

/// What is found of a key.
#[derive(Default)]
struct Found {
    /// Its rows: row groups, and ranges in them.
    rows: Vec<(usize, Vec<Range<usize>>)>,
    /// How many games came to the position.
    games: u64,
}

impl Index {
    /// Opens the index of an archive, whose [`id`](archive::games::Archive::id) it must have.
    ///
    /// # Errors
    /// [`IndexError::Stale`] if it belongs to another, and those of the file.
    pub fn open(file: File, archive_id: &str) -> Result<Index, IndexError> {
        let options = ArrowReaderOptions::new()
            .with_skip_arrow_metadata(true)
            .with_column_index_policy(PageIndexPolicy::Required);
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

    /// What was played in a position.
    ///
    /// # Errors
    /// Those of the file.
    pub fn ask(&self, position: &Position) -> Result<Answer, IndexError> {
        Ok(self.ask_while(position, |_| ())?.0)
    }

    /// What was played in a position. How often the positions after its moves came by other ways is
    /// looked up by a second thread, and so long `meanwhile` has all but that: it may read sample games.
    ///
    /// # Errors
    /// Those of the file.
    pub fn ask_while<T>(
        &self,
        position: &Position,
        meanwhile: impl FnOnce(&Answer) -> T,
    ) -> Result<(Answer, T), IndexError> {
        let mut children = Vec::new();
        for m in position.legal_moves() {
            let mut child = *position;
            child.play_unchecked(m);
            children.push((m, child.key()));
        }
        let mut keys: Vec<u64> = children.iter().map(|(_, key)| *key).collect();
        keys.sort_unstable();
        keys.dedup();
        std::thread::scope(|scope| {
            let found = scope.spawn(|| or_gave_up(|| self.find(&keys)));
            let answer = or_gave_up(|| self.played(position));
            let done = answer.map(|answer| {
                let done = meanwhile(&answer);
                (answer, done)
            });
            let found = found.join().unwrap_or_else(|panic| resume_unwind(panic))?;
            let (mut answer, done) = done?;
            for (m, child) in children {
                let games = found.get(&child).map_or(0, |found| found.games);
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
            Ok((answer, done))
        })
    }

    /// The moves that were played in a position.
    fn played(&self, position: &Position) -> Result<Answer, IndexError> {
        let key = position.key();
        let mut rows = Vec::new();
        if let Some(found) = self.find(&[key])?.get(&key) {
            for (group, ranges) in &found.rows {
                rows.extend(self.read(*group, ranges)?);
            }
        }
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

    /// Looks for all of these keys, which are in order. A position costs a page, so it is read once.
    fn find(&self, keys: &[u64]) -> Result<HashMap<u64, Found>, IndexError> {
        let mut found: HashMap<u64, Found> = HashMap::with_capacity(keys.len());
        for group in 0..self.metadata.metadata().num_row_groups() {
            let mut pages = Vec::new();
            for &key in keys {
                pages.extend(self.pages_of(group, key).unwrap_or_default());
            }
            if pages.is_empty() {
                continue;
            }
            pages.sort_unstable();
            pages.dedup();
            let part = self.part(group, &[0, 2])?;
            let pages: Vec<Range<usize>> = pages
                .iter()
                .filter_map(|&page| part.rows_of(page))
                .collect();
            // As many rows as were asked for make one batch, and rows are sorted by key.
            for batch in part.read(&self.file, &pages)? {
                let sorted = batch.column(0).as_primitive::<UInt64Type>().values();
                let games = batch.column(1).as_primitive::<UInt32Type>().values();
                for &key in keys {
                    let start = sorted.partition_point(|&other| other < key);
                    let same = sorted.iter().skip(start).take_while(|&&other| other == key);
                    let rows = start..start + same.count();
                    if rows.is_empty() {
                        continue;
                    }
                    let played = games.get(rows.clone()).unwrap_or_default();
                    let found = found.entry(key).or_default();
                    found.games += played.iter().map(|&games| u64::from(games)).sum::<u64>();
                    found.rows.push((group, places(&pages, rows)));
                }
            }
        }
        Ok(found)
    }

    /// The pages of a row group that may have a key, by their numbers.
    fn pages_of(&self, group: usize, key: u64) -> Option<Range<usize>> {
        let columns = self.metadata.metadata().column_index()?.get(group)?;
        let ColumnIndexMetaData::INT64(keys) = columns.first()? else {
            return None;
        };
        let bits = |value: &i64| value.cast_unsigned();
        let (mins, maxs) = (keys.min_values(), keys.max_values());
        let first = maxs.partition_point(|max| bits(max) < key);
        let end = mins.partition_point(|min| bits(min) <= key);
        Some(first..end)
    }

    /// Some columns of a row group.
    fn part(&self, group: usize, columns: &[usize]) -> Result<Part, IndexError> {
        let damaged = || IndexError::Parquet("its pages are not where they should be".to_owned());
        let group = self.metadata.metadata().row_groups().get(group);
        let group = group.ok_or_else(damaged)?;
        let rows = u64::try_from(group.num_rows()).unwrap_or(0);
        let mut pages = Vec::with_capacity(group.num_columns());
        for (i, column) in group.columns().iter().enumerate() {
            let page_locations = match columns.contains(&i) {
                true => pages_of_chunk(&self.file, column, rows)?.ok_or_else(damaged)?,
                false => Vec::new(),
            };
            pages.push(OffsetIndexMetaData {
                page_locations,
                unencoded_byte_array_data_bytes: None,
            });
        }
        // The file as if this row group were all there is: the library wants pages of all or none.
        let schema = self.metadata.metadata().file_metadata().schema_descr_ptr();
        let file = FileMetaData::new(1, group.num_rows(), None, None, schema, None);
        let metadata = ParquetMetaDataBuilder::new(file)
            .set_row_groups(vec![group.clone()])
            .set_offset_index(Some(vec![pages]))
            .build();
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        Ok(Part {
            metadata: ArrowReaderMetadata::try_new(Arc::new(metadata), options)?,
            columns: columns.to_vec(),
            rows: usize::try_from(rows).unwrap_or(0),
        })
    }

    fn read(&self, group: usize, ranges: &[Range<usize>]) -> Result<Vec<Row>, IndexError> {
        let all: Vec<usize> = (0..14).collect();
        let mut rows = Vec::new();
        for batch in self.part(group, &all)?.read(&self.file, ranges)? {
            for i in 0..batch.num_rows() {
                rows.push(Row::from_batch(&batch, i));
            }
        }
        Ok(rows)
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
                here.push(game);
            }
            if here.is_empty() {
                continue;
            }
            let rows = here.iter().map(|game| {
                let row = usize::try_from(game.saturating_sub(first + 1)).unwrap_or(0);
                row..row + 1
            });
            let mut numbers = here.iter();
            for batch in self
                .part(number, &[14])?
                .read(&self.file, &rows.collect::<Vec<_>>())?
            {
                let bits = batch.column(0).as_primitive::<UInt64Type>().values();
                for (&bits, &game) in bits.iter().zip(&mut numbers) {
                    facts.insert(game, GameFacts::from_bits(bits));
                }
            }
        }
        match games.next() {
            None => Ok(facts),
            Some(game) => Err(IndexError::Parquet(format!("there is no game {game}"))),
        }
    }
}

/// The library's panics on what is damaged are errors here.
fn or_gave_up<T>(read: impl FnOnce() -> Result<T, IndexError>) -> Result<T, IndexError> {
    let read = catch_unwind(AssertUnwindSafe(read));
    read.map_err(|_| IndexError::Parquet("the Parquet library gave up".to_owned()))?
}

/// Where rows are that were read, which are those of the pages one after the other.
fn places(pages: &[Range<usize>], rows: Range<usize>) -> Vec<Range<usize>> {
    let mut before = 0;
    let mut places = Vec::new();
    for page in pages {
        let here = rows.start.max(before)..rows.end.min(before + page.len());
        if !here.is_empty() {
            places.push(page.start + here.start - before..page.start + here.end - before);
        }
        before += page.len();
    }
    places
}

impl Part {
    /// The rows of a page, which are the same in all columns.
    fn rows_of(&self, page: usize) -> Option<Range<usize>> {
        let columns = self.metadata.metadata().offset_index()?.first()?;
        let pages = columns.get(*self.columns.first()?)?.page_locations();
        let start = usize::try_from(pages.get(page)?.first_row_index).ok()?;
        let end = match pages.get(page + 1) {
            Some(next) => usize::try_from(next.first_row_index).ok()?,
            None => self.rows,
        };
        Some(start..end)
    }

    /// Reads some rows.
    fn read(
        &self,
        file: &SealedFile,
        rows: &[Range<usize>],
    ) -> Result<Vec<RecordBatch>, IndexError> {
        let wanted: usize = rows.iter().map(ExactSizeIterator::len).sum();
        let selection = RowSelection::from_consecutive_ranges(rows.iter().cloned(), self.rows);
        let builder =
            ParquetRecordBatchReaderBuilder::new_with_metadata(file.clone(), self.metadata.clone());
        let mask = ProjectionMask::roots(builder.parquet_schema(), self.columns.iter().copied());
        let builder = builder
            .with_projection(mask)
            .with_row_selection(selection)
            .with_batch_size(wanted.max(1));
        let batches: Result<Vec<RecordBatch>, _> = builder.build()?.collect();
        Ok(batches.map_err(ParquetError::from)?)
    }
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
        let mut named = vec![count(3)];
        let more = batch.column(4).as_list::<i32>();
        if more.is_valid(i) {
            let more = more.value(i);
            let more = more.as_primitive::<UInt32Type>();
            named.extend(more.values().iter().map(|&game| u64::from(game)));
        }
        let tally = u32_at(5).map(|white| Tally {
            games,
            white: white.into(),
            draws: count(6),
            black: count(7),
            rated: count(8),
            own_elos: u64_at(9).unwrap_or(0),
            other_elos: u64_at(10).unwrap_or(0),
            rated_points: count(11),
            dates: date_at(12).zip(date_at(13)),
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
