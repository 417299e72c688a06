//! An archive in, PGN out: all cores, a few rows at a time.

use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::Schema;

use super::read_at::ReadAt;
use super::reader::Archive;
use super::restored_text::RestoredText;
use super::row_group_view::RowGroup;
use crate::ArchiveError;
use crate::in_order::in_order;

/// So many rows are restored at a time, half a megabyte or less: texts stay in the cache until they are
/// written, and all cores have work in an archive of one row group.
const PIECE: usize = 256;

/// Room for texts that is kept for others: ten times as much as most take.
const MOST_ROOM: usize = 4 << 20;

/// So many pieces a thread may be under way: to read a row group takes longer than to restore a piece.
const AHEAD: usize = 4;

/// A row group that is read when somebody first wants it, in two halves, so that two threads can do it at
/// the same time. `None` if it cannot be read.
#[derive(Default)]
struct Shared {
    halves: [OnceLock<Option<RecordBatch>>; 2],
    whole: OnceLock<Option<RowGroup>>,
}

/// Something to do with a row group.
struct Job {
    number: usize,
    group: Arc<Shared>,
    task: Task,
}

enum Task {
    /// To read a half of it, so that it is there when it is wanted.
    Read(usize),
    /// To restore some rows of it.
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
            |job| {
                let room = used().pop().unwrap_or_else(|| Vec::with_capacity(1 << 20));
                self.restore_job(job, room, threads.get() > 1)
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

    /// The rows of all row groups, piece by piece. To read ahead, a row group is asked for before the last
    /// rows of the one before it; of the first, one half is read beside the other.
    fn jobs(&self, reads_ahead: bool) -> impl Iterator<Item = Job> {
        let groups = (0..self.row_groups()).map(|number| (number, Arc::<Shared>::default()));
        let groups: Vec<_> = groups.collect();
        let first = groups.first().filter(|_| reads_ahead).cloned();
        let first = first.into_iter().map(|(number, group)| Job {
            number,
            group,
            task: Task::Read(1),
        });
        let mut groups = groups.into_iter().peekable();
        let all = std::iter::from_fn(move || {
            let (number, group) = groups.next()?;
            let count = usize::try_from(self.rows_in(number)).unwrap_or(usize::MAX);
            // Even a row group without rows is looked at: what is damaged is told.
            let pieces = count.div_ceil(PIECE).max(1);
            let ahead = groups.peek().filter(|_| reads_ahead).cloned();
            Some((0..pieces).flat_map(move |piece| {
                let start = piece * PIECE;
                let own = Job {
                    number,
                    group: group.clone(),
                    task: Task::Restore(start..count.min(start.saturating_add(PIECE))),
                };
                let ahead = ahead.clone().filter(|_| piece == pieces / 2);
                let ahead = ahead.into_iter().flat_map(|(number, group)| {
                    [0, 1].map(|half| Job {
                        number,
                        group: group.clone(),
                        task: Task::Read(half),
                    })
                });
                ahead.chain([own])
            }))
        });
        first.chain(all.flatten())
    }

    /// Reads and restores what a job asks for, into memory that somebody has used.
    fn restore_job(
        &self,
        job: Job,
        room: Vec<u8>,
        by_halves: bool,
    ) -> Result<Option<RestoredText>, ArchiveError> {
        match job.task {
            Task::Read(half) => {
                self.read_half(&job, half);
                Ok(None)
            }
            Task::Restore(ref rows) => {
                let whole = job.group.whole.get_or_init(|| match by_halves {
                    true => self.read_halves(&job),
                    false => self.read(job.number).ok(),
                });
                let restored = match whole {
                    Some(group) => group.restore_rows(rows.clone(), room),
                    // An error belongs to one thread alone: each finds out for itself.
                    None => self.read(job.number)?.restore_rows(rows.clone(), room),
                };
                restored.map(Some)
            }
        }
    }

    fn read_half<'a>(&self, job: &'a Job, half: usize) -> Option<&'a RecordBatch> {
        let place = job.group.halves.get(half)?;
        let read = || {
            let columns = *self.halves(job.number).get(half)?;
            self.read_batch(job.number, columns).ok()
        };
        place.get_or_init(read).as_ref()
    }

    /// Puts a row group together.
    fn read_halves(&self, job: &Job) -> Option<RowGroup> {
        let halves = [self.read_half(job, 0)?, self.read_half(job, 1)?];
        let fields = halves.iter().flat_map(|half| half.schema_ref().fields());
        let fields: Vec<_> = fields.cloned().collect();
        let columns = halves.iter().flat_map(|half| half.columns());
        let columns = columns.cloned().collect();
        let options = RecordBatchOptions::new().with_row_count(Some(halves[0].num_rows()));
        let schema = Arc::new(Schema::new(fields));
        let batch = RecordBatch::try_new_with_options(schema, columns, &options).ok()?;
        let first_row = self.rows_before(job.number);
        self.rows_of(job.number, first_row, &batch).ok()
    }
}
