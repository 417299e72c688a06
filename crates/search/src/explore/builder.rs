//! Builds an index: all moves of all games, sorted by position, counted, written as Parquet.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use archive::ArchiveError;
use archive::games::{Archive, Columns, GameView, ReadAt};
use arrow_array::builder::{
    Int32Builder, PrimitiveBuilder, UInt16Builder, UInt32Builder, UInt64Builder,
};
use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use chess::{Color, Keyed};
use codec::Legality;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::answer::{SAMPLES, Tally};
use super::entry::Entry;
use super::facts::GameFacts;
use super::index::{ARCHIVE_KEY, IndexError, PAIRS_KEY, PLIES_KEY, VERSION, VERSION_KEY};
use super::seal::Sealer;
use super::sorter::Sorter;

/// How an index is built.
#[derive(Clone, Debug)]
pub struct IndexOptions {
    /// How many plies of each game; all, if it is `None`.
    pub plies: Option<u32>,
    /// How many threads read games. The index is the same for any number.
    pub threads: NonZeroUsize,
    /// How many bytes the sorting may hold.
    pub memory: usize,
    /// Where files without a name are made if that is not enough.
    pub directory: PathBuf,
}

/// What an index came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Indexed {
    /// Games.
    pub games: u64,
    /// Positions of games, as often as they came.
    pub positions: u64,
    /// Different pairs of position and move.
    pub pairs: u64,
}

/// Rows of a row group, and of a page. A question reads a page a position.
pub(super) const GROUP_ROWS: usize = 1 << 20;
pub(super) const PAGE_ROWS: usize = 2048;
const BATCH_ROWS: usize = 1 << 16;

/// Builds indices.
#[derive(Clone, Debug)]
pub struct IndexBuilder {
    options: IndexOptions,
}

impl IndexBuilder {
    /// A builder with these options.
    #[must_use]
    pub fn new(options: IndexOptions) -> IndexBuilder {
        IndexBuilder { options }
    }

    /// Reads an archive and writes its index. `progress` is told how many games have been read.
    ///
    /// # Errors
    /// Those of the archive and of `out`.
    pub fn build<F: ReadAt, W: Write + Send>(
        &self,
        archive: &Archive<F>,
        mut out: W,
        mut progress: impl FnMut(u64),
    ) -> Result<(W, Indexed), IndexError> {
        if u32::try_from(archive.rows()).is_err() {
            return Err(IndexError::TooManyGames {
                games: archive.rows(),
            });
        }
        let mut indexed = Indexed::default();
        let mut facts = Vec::new();
        let entries = self.options.memory / size_of::<Entry>() / 2;
        let mut sorter = Sorter::new(entries, &self.options.directory);
        archive.for_each_row_group(
            self.options.threads,
            |group| self.read(archive, group),
            |read: Result<Read, ArchiveError>| -> Result<(), IndexError> {
                let read = read?;
                indexed.games += read.games;
                indexed.positions += read.entries.len() as u64;
                facts.extend(read.facts);
                sorter.push(read.entries)?;
                progress(indexed.games);
                Ok(())
            },
        )?;
        let mut rows = Rows::new(&mut out)?;
        let mut group = Group::default();
        for entry in sorter.finish()? {
            let entry = entry?;
            if group.key != entry.key || group.word != entry.word() {
                group.write(&mut rows, &facts)?;
                group = Group::new(entry);
            }
            group.add(entry.game(), &facts);
        }
        group.write(&mut rows, &facts)?;
        indexed.pairs = rows.pairs;
        rows.finish(&facts, archive.id(), self.options.plies)?;
        Ok((out, indexed))
    }

    /// The entries of a row group, sorted, and the facts of its games.
    fn read<F: ReadAt>(&self, archive: &Archive<F>, group: usize) -> Result<Read, ArchiveError> {
        let tags = ["WhiteElo", "BlackElo", "Date", "Result"];
        let columns = tags.into_iter().map(Columns::tag);
        let columns = columns.fold(Columns::MOVES, |columns, tag| columns | tag);
        let rows = archive.row_group(group, columns)?;
        let mut read = Read::default();
        let most = self.options.plies.unwrap_or(u32::MAX);
        for game in rows.games() {
            read.facts.push(facts_of(game).to_bits());
            let Some(moves) = game.moves() else { continue };
            read.games += 1;
            let number = game.number();
            let mut keyed = Keyed::new(moves.start);
            let mut left = most;
            let entries = &mut read.entries;
            // The checksum has been verified: moves are as they were when they were checked.
            let replayed = moves.replay(Legality::Trusted, |_, m| {
                if left == 0 {
                    return ControlFlow::Break(());
                }
                left -= 1;
                entries.push(Entry::new(keyed.key(), Some(m), number));
                keyed.play_unchecked(m);
                ControlFlow::Continue(())
            });
            replayed.map_err(|error| rows.moves_fault(game, error))?;
            if left > 0 {
                entries.push(Entry::new(keyed.key(), None, number));
            }
        }
        read.entries.sort_unstable();
        // A position that came twice with the same move counts once.
        read.entries.dedup();
        Ok(read)
    }
}

/// What statistics need of a game.
pub(crate) fn facts_of(game: GameView<'_>) -> GameFacts {
    let elo = |elo: Option<u32>| {
        elo.and_then(|elo| u16::try_from(elo).ok())
            .filter(|elo| *elo > 0)
    };
    GameFacts {
        elos: [elo(game.white_elo()), elo(game.black_elo())],
        date: game.date().filter(|date| date.year > 0).map(|date| {
            u32::from(date.year) * 10_000 + u32::from(date.month) * 100 + u32::from(date.day)
        }),
        outcome: game.result(),
    }
}

#[derive(Default)]
struct Read {
    games: u64,
    facts: Vec<u64>,
    entries: Vec<Entry>,
}

/// All games with a move in a position.
#[derive(Default)]
struct Group {
    key: u64,
    word: u16,
    /// The first games.
    first: Vec<u32>,
    games: u64,
    last: u64,
    /// All but the first few.
    tally: Tally,
}

impl Group {
    fn new(entry: Entry) -> Group {
        Group {
            key: entry.key,
            word: entry.word(),
            ..Group::default()
        }
    }

    fn add(&mut self, game: u64, facts: &[u64]) {
        if self.games > 0 && game == self.last {
            return;
        }
        self.last = game;
        self.games += 1;
        if self.first.len() < SAMPLES {
            self.first.push(u32::try_from(game).unwrap_or(u32::MAX));
            return;
        }
        self.tally.add(Color::White, game, facts_at(facts, game));
    }

    fn write(&mut self, rows: &mut Rows<'_>, facts: &[u64]) -> Result<(), IndexError> {
        if self.first.is_empty() {
            return Ok(());
        }
        let tally = &mut self.tally;
        let tally = if self.games > SAMPLES as u64 {
            for &game in &self.first {
                tally.add(Color::White, game.into(), facts_at(facts, game.into()));
            }
            Some(&*tally)
        } else {
            None
        };
        rows.push(self.key, self.word, self.games, &self.first, tally)
    }
}

pub(crate) fn facts_at(facts: &[u64], game: u64) -> GameFacts {
    let at = usize::try_from(game.saturating_sub(1)).unwrap_or(usize::MAX);
    GameFacts::from_bits(facts.get(at).copied().unwrap_or(0))
}

/// The columns; `FORMAT.md`, chapter 4.
pub(crate) fn schema() -> SchemaRef {
    let optional = |name: &str, kind| Field::new(name, kind, true);
    Arc::new(Schema::new(vec![
        optional("key", DataType::UInt64),
        optional("move", DataType::UInt16),
        optional("games", DataType::UInt32),
        optional("game", DataType::UInt32),
        optional("game_2", DataType::UInt32),
        optional("game_3", DataType::UInt32),
        optional("game_4", DataType::UInt32),
        optional("white", DataType::UInt32),
        optional("draws", DataType::UInt32),
        optional("black", DataType::UInt32),
        optional("rated", DataType::UInt32),
        optional("white_elos", DataType::UInt64),
        optional("black_elos", DataType::UInt64),
        optional("white_points", DataType::UInt32),
        optional("first_date", DataType::Int32),
        optional("last_date", DataType::Int32),
        optional("facts", DataType::UInt64),
    ]))
}

/// Rows on their way to the file. Not generic: the library's writer takes long to compile, and is
/// compiled here alone.
struct Rows<'a> {
    writer: ArrowWriter<Sealer<&'a mut (dyn Write + Send)>>,
    pairs: u64,
    /// The first key of every page: a question finds its pages by them.
    landmarks: Vec<u64>,
    key: UInt64Builder,
    word: UInt16Builder,
    games: UInt32Builder,
    named: [UInt32Builder; SAMPLES],
    counts: [UInt32Builder; 5],
    elos: [UInt64Builder; 2],
    dates: [Int32Builder; 2],
    facts: UInt64Builder,
}

fn put<T: ArrowPrimitiveType>(builder: &mut PrimitiveBuilder<T>, value: Option<T::Native>) {
    builder.append_option(value);
}

impl<'a> Rows<'a> {
    fn new(out: &'a mut (dyn Write + Send)) -> Result<Rows<'a>, IndexError> {
        let path = |name: &str| ColumnPath::from(name.to_owned());
        let zstd = Compression::ZSTD(ZstdLevel::try_new(3)?);
        // Dictionaries are read whole for a single row, so there are none. And most columns are next to
        // empty, or random bits: to take them apart would cost a question more than it saves.
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("scoresheet ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_dictionary_enabled(false)
            .set_encoding(Encoding::PLAIN)
            .set_compression(Compression::UNCOMPRESSED)
            .set_max_row_group_row_count(Some(GROUP_ROWS))
            .set_data_page_row_count_limit(PAGE_ROWS)
            .set_write_batch_size(PAGE_ROWS)
            .set_statistics_enabled(EnabledStatistics::None)
            .set_column_encoding(path("key"), Encoding::DELTA_BINARY_PACKED);
        for name in ["move", "games", "game"] {
            properties = properties
                .set_column_encoding(path(name), Encoding::BYTE_STREAM_SPLIT)
                .set_column_compression(path(name), zstd);
        }
        let options = ArrowWriterOptions::new()
            .with_properties(properties.build())
            .with_skip_arrow_metadata(true);
        Ok(Rows {
            writer: ArrowWriter::try_new_with_options(Sealer::new(out), schema(), options)?,
            pairs: 0,
            landmarks: Vec::new(),
            key: UInt64Builder::new(),
            word: UInt16Builder::new(),
            games: UInt32Builder::new(),
            named: std::array::from_fn(|_| UInt32Builder::new()),
            counts: std::array::from_fn(|_| UInt32Builder::new()),
            elos: std::array::from_fn(|_| UInt64Builder::new()),
            dates: std::array::from_fn(|_| Int32Builder::new()),
            facts: UInt64Builder::new(),
        })
    }

    fn push(
        &mut self,
        key: u64,
        word: u16,
        games: u64,
        named: &[u32],
        tally: Option<&Tally>,
    ) -> Result<(), IndexError> {
        let small = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        if self.pairs.is_multiple_of(PAGE_ROWS as u64) {
            self.landmarks.push(key);
        }
        self.pairs += 1;
        put(&mut self.key, Some(key));
        put(&mut self.word, Some(word));
        put(&mut self.games, Some(small(games)));
        for (i, column) in self.named.iter_mut().enumerate() {
            put(column, named.get(i).copied());
        }
        self.put_tally(tally);
        put(&mut self.facts, None);
        self.flush_at(BATCH_ROWS)
    }

    fn put_tally(&mut self, tally: Option<&Tally>) {
        let small = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let counts = tally.map(|tally| {
            [
                tally.white,
                tally.draws,
                tally.black,
                tally.rated,
                tally.rated_points,
            ]
            .map(small)
        });
        for (i, column) in self.counts.iter_mut().enumerate() {
            put(column, counts.and_then(|counts| counts.get(i).copied()));
        }
        let [white, black] = &mut self.elos;
        put(white, tally.map(|tally| tally.own_elos));
        put(black, tally.map(|tally| tally.other_elos));
        let date = |date: u32| i32::try_from(date).unwrap_or(0);
        let [first, last] = &mut self.dates;
        let dates = tally.and_then(|tally| tally.dates);
        put(first, dates.map(|(first, _)| date(first)));
        put(last, dates.map(|(_, last)| date(last)));
    }

    fn flush_at(&mut self, rows: usize) -> Result<(), IndexError> {
        use arrow_array::builder::ArrayBuilder as _;
        if self.key.len() < rows {
            return Ok(());
        }
        let [white, draws, black, rated, points] =
            self.counts.each_mut().map(|column| column.finish());
        let [white_elos, black_elos] = self.elos.each_mut().map(|column| column.finish());
        let [first, last] = self.dates.each_mut().map(|column| column.finish());
        let [game, game_2, game_3, game_4] = self.named.each_mut().map(|column| column.finish());
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.key.finish()),
            Arc::new(self.word.finish()),
            Arc::new(self.games.finish()),
            Arc::new(game),
            Arc::new(game_2),
            Arc::new(game_3),
            Arc::new(game_4),
            Arc::new(white),
            Arc::new(draws),
            Arc::new(black),
            Arc::new(rated),
            Arc::new(white_elos),
            Arc::new(black_elos),
            Arc::new(points),
            Arc::new(first),
            Arc::new(last),
            Arc::new(self.facts.finish()),
        ];
        let batch = RecordBatch::try_new(schema(), columns).map_err(ParquetError::from)?;
        self.writer.write(&batch)?;
        Ok(())
    }

    /// The facts of all games go last, in row groups of their own.
    fn finish(
        mut self,
        facts: &[u64],
        archive_id: String,
        plies: Option<u32>,
    ) -> Result<(), IndexError> {
        self.flush_at(1)?;
        self.writer.flush()?;
        for &bits in facts {
            put(&mut self.key, None);
            put(&mut self.word, None);
            put(&mut self.games, None);
            for column in &mut self.named {
                put(column, None);
            }
            self.put_tally(None);
            put(&mut self.facts, Some(bits));
            self.flush_at(BATCH_ROWS)?;
        }
        self.flush_at(1)?;
        let plies = plies.map_or_else(|| "all".to_owned(), |plies| plies.to_string());
        for (key, value) in [
            (VERSION_KEY, VERSION.to_string()),
            (ARCHIVE_KEY, archive_id),
            (PLIES_KEY, plies),
            (PAIRS_KEY, self.pairs.to_string()),
        ] {
            self.writer
                .append_key_value_metadata(KeyValue::new(key.to_owned(), value));
        }
        self.writer.flush()?;
        self.writer.sync()?;
        self.writer.inner_mut().hold();
        self.writer.into_inner()?.seal(&self.landmarks)?;
        Ok(())
    }
}

impl From<io::Error> for IndexError {
    fn from(error: io::Error) -> IndexError {
        IndexError::Io(error)
    }
}

impl From<ParquetError> for IndexError {
    fn from(error: ParquetError) -> IndexError {
        IndexError::Parquet(error.to_string())
    }
}

impl From<ArchiveError> for IndexError {
    fn from(error: ArchiveError) -> IndexError {
        IndexError::Archive(error)
    }
}
