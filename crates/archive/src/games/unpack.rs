//! An archive in, PGN out: all cores, a few rows at a time.

use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::Schema;

use super::batch_reader::BatchReader;
use super::columns::Columns;
use super::fault::ArchiveFault;
use super::read_at::ReadAt;
use super::reader::Archive;
use super::restored_text::RestoredText;
use super::row_group_view::RowGroup;
use crate::ArchiveError;
use crate::in_order::in_order;
use crate::turnstile::Turnstile;

/// So many rows are decoded at a time, as many as most pages have: the columns of a whole row group would
/// not stay in the cache, and take much fresh memory.
const LOAD: usize = 4096;

/// So many rows are restored at a time, half a megabyte or less: texts stay in the cache until they are
/// written, and all cores have work in an archive of one row group.
const PIECE: usize = 256;

/// Room for texts that is kept for others: ten times as much as most take.
const MOST_ROOM: usize = 4 << 20;

/// So many pieces a thread may be under way: to decode a load takes longer than to restore a piece.
const AHEAD: usize = 4;

/// Half of the columns of a row group, which are decoded in order, so that two threads can do it at the same
/// time.
struct Half {
    columns: Columns,
    /// `None` before the first rows, and if they could not be read.
    reader: Turnstile<Option<BatchReader>>,
}

/// Some rows of a row group. They are decoded when somebody first wants them, and are `None` if that
/// fails.
struct Load {
    row_group: usize,
    /// Counted from 0 in the row group.
    number: usize,
    /// Counted through the archive.
    rows: Range<u64>,
    columns: Arc<[Half; 2]>,
    halves: [OnceLock<Option<RecordBatch>>; 2],
    whole: OnceLock<Option<RowGroup>>,
}

/// Something to do with a load.
struct Job {
    load: Arc<Load>,
    task: Task,
}

enum Task {
    /// To decode a half of it, so that it is there when it is wanted.
    Decode(usize),
    /// To restore some rows of it, counted from its first.
    Restore(Range<usize>),
}

impl<F: ReadAt> Archive<F> {
    /// Restores all that was packed. `progress` is told the rows that have been restored.
    ///
    /// # Errors
    /// Those of reading and writing.
    pub fn unpack(
        &self,
        out: &mut impl Write,
        mut progress: impl FnMut(u64),
    ) -> Result<(), ArchiveError> {
        self.unpack_on(NonZeroUsize::MIN, |text| {
            out.write_all(text.all())?;
            progress(text.rows());
            Ok(())
        })
    }

    /// Restores all that was packed by as many threads, and calls `each` with the text of a few rows
    /// after the other, in order.
    ///
    /// # Errors
    /// Those of reading, and of `each`.
    pub fn unpack_on<E: From<ArchiveError>>(
        &self,
        threads: NonZeroUsize,
        mut each: impl FnMut(&RestoredText) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut jobs = self.jobs(threads.get() > 1);
        // Texts that have been written make room for others: the kernel would clear fresh memory for each.
        let used = Mutex::new(Vec::new());
        let used = || used.lock().unwrap_or_else(PoisonError::into_inner);
        in_order(
            threads,
            AHEAD,
            || Ok(jobs.next()),
            |Job { load, task }| match task {
                Task::Decode(half) => {
                    self.decode_half(&load, half);
                    Ok(None)
                }
                Task::Restore(rows) => {
                    let room = used().pop();
                    let room = room.unwrap_or_else(|| Vec::with_capacity(1 << 20));
                    let decoded = load.whole.get_or_init(|| self.decode_load(&load));
                    match decoded {
                        Some(decoded) => decoded.restore_rows(rows, room).map(Some),
                        None => Err(self.what_is_wrong(&load)),
                    }
                }
            },
            |text: Result<Option<RestoredText>, ArchiveError>| {
                if let Some(text) = text? {
                    each(&text)?;
                    // Not that of games far longer than others.
                    if text.text.capacity() <= MOST_ROOM {
                        used().push(text.text);
                    }
                }
                Ok(())
            },
        )
    }

    /// All rows, piece by piece. To decode ahead, a load is asked for before the last pieces of the one
    /// before it; of the first, one half is decoded beside the other.
    fn jobs(&self, decodes_ahead: bool) -> impl Iterator<Item = Job> {
        let mut loads = self.loads().map(Arc::new).peekable();
        let first = loads.peek().filter(|_| decodes_ahead).cloned();
        let first = first.into_iter().map(|load| Job {
            load,
            task: Task::Decode(1),
        });
        let all = std::iter::from_fn(move || {
            let load = loads.next()?;
            let count = usize::try_from(load.rows.end - load.rows.start).unwrap_or(usize::MAX);
            // Even a load without rows is looked at: what is damaged is told.
            let pieces = count.div_ceil(PIECE).max(1);
            let ahead = loads.peek().filter(|_| decodes_ahead).cloned();
            Some((0..pieces).flat_map(move |piece| {
                let start = piece * PIECE;
                let own = Job {
                    load: load.clone(),
                    task: Task::Restore(start..count.min(start.saturating_add(PIECE))),
                };
                let ahead = ahead.clone().filter(|_| piece == pieces / 2);
                let ahead = ahead.into_iter().flat_map(|load| {
                    [0, 1].map(|half| Job {
                        load: load.clone(),
                        task: Task::Decode(half),
                    })
                });
                ahead.chain([own])
            }))
        });
        first.chain(all.flatten())
    }

    /// The rows of all row groups, one load at least of each.
    fn loads(&self) -> impl Iterator<Item = Load> {
        (0..self.row_groups()).flat_map(|row_group| {
            let rows = self.rows_before(row_group)..self.rows_before(row_group + 1);
            let columns = Arc::new(self.halves(row_group).map(|columns| Half {
                columns,
                reader: Turnstile::default(),
            }));
            let count = usize::try_from(rows.end - rows.start).unwrap_or(usize::MAX);
            (0..count.div_ceil(LOAD).max(1)).map(move |number| {
                let start = rows.start + (number * LOAD) as u64;
                Load {
                    row_group,
                    number,
                    rows: start..rows.end.min(start + LOAD as u64),
                    columns: columns.clone(),
                    halves: Default::default(),
                    whole: OnceLock::new(),
                }
            })
        })
    }

    /// Decodes a half of a load, when that of the load before it has been. Jobs are begun in their order, so
    /// somebody is about it.
    fn decode_half<'a>(&self, load: &'a Load, half: usize) -> Option<&'a RecordBatch> {
        let decode = || {
            let Half { columns, reader } = load.columns.get(half)?;
            reader.pass(load.number, |reader| {
                let mut batches = match reader.take() {
                    None if load.number == 0 => self.batches(load.row_group, *columns).ok()?,
                    before => before?,
                };
                let batch = self.next_batch(&mut batches, load.row_group, &load.rows);
                *reader = Some(batches).filter(|_| batch.is_ok());
                batch.ok()
            })
        };
        load.halves.get(half)?.get_or_init(decode).as_ref()
    }

    /// Decodes a load, and puts its halves together. Both are asked for, even if one fails: the next load
    /// waits for its turn.
    fn decode_load(&self, load: &Load) -> Option<RowGroup> {
        let halves = [0, 1].map(|half| self.decode_half(load, half));
        let [Some(one), Some(other)] = halves else {
            return None;
        };
        let halves = [one, other];
        let fields = halves.iter().flat_map(|half| half.schema_ref().fields());
        let fields: Vec<_> = fields.cloned().collect();
        let columns = halves.iter().flat_map(|half| half.columns());
        let columns = columns.cloned().collect();
        let options = RecordBatchOptions::new().with_row_count(Some(one.num_rows()));
        let schema = Arc::new(Schema::new(fields));
        let batch = RecordBatch::try_new_with_options(schema, columns, &options).ok()?;
        self.rows_of(load.row_group, load.rows.start, &batch).ok()
    }

    /// Why a load cannot be decoded. An error belongs to one thread alone: each finds out for itself.
    fn what_is_wrong(&self, load: &Load) -> ArchiveError {
        let row_group = load.row_group;
        let again = self.read(row_group).err();
        again.unwrap_or_else(|| {
            let message = "rows could not be decoded, and then they could".to_owned();
            ArchiveFault::Parquet { row_group, message }.into()
        })
    }
}
