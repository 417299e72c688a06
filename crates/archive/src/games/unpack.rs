//! An archive in, PGN out: all cores, a few rows at a time.

use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::read_at::ReadAt;
use super::reader::Archive;
use super::restored_text::RestoredText;
use super::row_group_view::RowGroup;
use crate::ArchiveError;
use crate::in_order::in_order;

/// So many rows are restored at a time, a megabyte or so: texts stay in the cache until they are
/// written, and all cores have work in an archive of one row group.
const PIECE: usize = 512;

/// So many pieces a thread may be under way: to read a row group takes longer than to restore a piece.
const AHEAD: usize = 4;

/// A row group that is read when somebody first wants it. `None` if it cannot be read.
type Shared = Arc<OnceLock<Option<RowGroup>>>;

/// A row group to be read, and the rows of it to be restored, if any: without them it is only to be
/// there when it is wanted.
struct Job {
    number: usize,
    group: Shared,
    rows: Option<Range<usize>>,
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
                self.restore_job(job, room)
            },
            |text: Result<Option<RestoredText>, ArchiveError>| {
                if let Some(text) = text? {
                    each(&text)?;
                    used().push(text.text);
                }
                Ok(())
            },
        )
    }

    /// The rows of all row groups, piece by piece. To read ahead, a row group is asked for before the last
    /// rows of the one before it.
    fn jobs(&self, reads_ahead: bool) -> impl Iterator<Item = Job> {
        let groups: Vec<Shared> = (0..self.row_groups()).map(|_| Shared::default()).collect();
        let mut groups = groups.into_iter().enumerate().peekable();
        std::iter::from_fn(move || {
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
                    rows: Some(start..count.min(start.saturating_add(PIECE))),
                };
                let ahead = ahead.as_ref().filter(|_| piece == pieces / 2);
                let ahead = ahead.map(|(number, group)| Job {
                    number: *number,
                    group: group.clone(),
                    rows: None,
                });
                ahead.into_iter().chain([own])
            }))
        })
        .flatten()
    }

    /// Reads and restores what a job asks for, into memory that somebody has used.
    fn restore_job(&self, job: Job, room: Vec<u8>) -> Result<Option<RestoredText>, ArchiveError> {
        let group = job.group.get_or_init(|| self.read(job.number).ok());
        let Some(rows) = job.rows else {
            return Ok(None);
        };
        match group {
            Some(group) => group.restore_rows(rows, room).map(Some),
            // An error belongs to one thread alone: each finds out for itself.
            None => self.read(job.number)?.restore_rows(rows, room).map(Some),
        }
    }
}
