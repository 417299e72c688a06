//! Row groups to column chunks, by whoever has time.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use arrow_array::{Array, RecordBatch};

use super::binder::Bound;
use super::fault::ArchiveFault;
use super::row_group::{EncodedColumn, EncodedRowGroup, Recipe};

/// Encodes row groups, a few columns at a time: to write one takes as long as to take down several
/// pieces, and at the end of a text there are no more pieces for the other threads.
#[derive(Debug)]
pub(crate) struct Press {
    recipe: Recipe,
    desk: Mutex<Desk>,
    /// There is something to do, or there will be nothing more.
    news: Condvar,
}

#[derive(Debug, Default)]
struct Desk {
    open: VecDeque<Task>,
    is_closed: bool,
}

/// Some columns of a row group that are to be encoded.
#[derive(Debug)]
struct Task {
    number: usize,
    group: Arc<Group>,
    columns: Range<usize>,
}

#[derive(Debug)]
struct Group {
    number: usize,
    /// Where in the inputs it begins.
    offset: u64,
    batches: Vec<RecordBatch>,
    encoded: Mutex<Encoded>,
}

/// What has been encoded of a row group.
#[derive(Debug)]
struct Encoded {
    /// All but its columns.
    group: EncodedRowGroup,
    /// The columns of each task.
    tasks: Vec<Option<Vec<EncodedColumn>>>,
}

/// Into so many tasks a row group is cut: what a task has encoded stays in memory until it is done, and
/// the next uses the same memory. With one task for all columns the kernel had a quarter more to clear,
/// and the first 40 MB of a process took 1.08 times as long.
const TASKS: usize = 8;

/// A row group that is ready, with its number.
pub(crate) type Ready = (usize, EncodedRowGroup);

impl Press {
    pub(crate) fn new(recipe: Recipe) -> Press {
        Press {
            recipe,
            desk: Mutex::default(),
            news: Condvar::new(),
        }
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands in row groups; `is_last` if no others follow.
    pub(crate) fn hand_in(&self, bound: Vec<Bound>, is_last: bool) {
        let tasks: Vec<Task> = bound.into_iter().flat_map(Press::cut).collect();
        let mut desk = self.desk();
        desk.open.extend(tasks);
        desk.is_closed |= is_last;
        self.news.notify_all();
    }

    /// Nothing more will come: somebody has met with an error, or there is no more.
    pub(crate) fn close(&self) {
        self.hand_in(Vec::new(), true);
    }

    /// Encodes what is open. Returns the row groups that were completed by it.
    pub(crate) fn work(&self) -> Result<Vec<Ready>, ArchiveFault> {
        let next = || self.desk().open.pop_front();
        self.work_on(next)
    }

    /// Encodes what is open, and what will be.
    pub(crate) fn work_to_the_end(&self) -> Result<Vec<Ready>, ArchiveFault> {
        self.work_on(|| {
            let has_none = |desk: &mut Desk| desk.open.is_empty() && !desk.is_closed;
            let desk = self.news.wait_while(self.desk(), has_none);
            desk.unwrap_or_else(PoisonError::into_inner)
                .open
                .pop_front()
        })
    }

    fn work_on(&self, next: impl Fn() -> Option<Task>) -> Result<Vec<Ready>, ArchiveFault> {
        let mut ready = Vec::new();
        while let Some(task) = next() {
            let Group {
                number,
                offset,
                batches,
                encoded,
            } = &*task.group;
            let columns = self
                .recipe
                .encode(*number, *offset, batches, task.columns)?;
            let mut encoded = encoded.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(place) = encoded.tasks.get_mut(task.number) {
                *place = Some(columns);
            }
            if encoded.tasks.iter().all(Option::is_some) {
                let mut group = std::mem::take(&mut encoded.group);
                for column in encoded.tasks.iter_mut().flat_map(Option::take).flatten() {
                    group.chunks.push(column.chunk);
                    group.pages.push(column.pages);
                }
                ready.push((*number, group));
            }
        }
        Ok(ready)
    }

    /// Cuts a row group into tasks of about as many bytes.
    fn cut(bound: Bound) -> impl Iterator<Item = Task> {
        let number = bound.number;
        let offset = bound.transcripts.first().map_or(0, |first| first.offset);
        let mut group = EncodedRowGroup::default();
        let mut batches = Vec::with_capacity(bound.transcripts.len());
        for transcript in bound.transcripts {
            group.add(transcript, &mut batches);
        }
        let runs = runs(&batches, TASKS);
        let group = Arc::new(Group {
            number,
            offset,
            batches,
            encoded: Mutex::new(Encoded {
                group,
                tasks: vec![None; runs.len()],
            }),
        });
        let runs = runs.into_iter().enumerate();
        runs.map(move |(number, columns)| Task {
            number,
            group: group.clone(),
            columns,
        })
    }
}

/// Runs of columns with about as many bytes, no more than `most`. None is empty, unless there are no columns.
fn runs(batches: &[RecordBatch], most: usize) -> Vec<Range<usize>> {
    let count = batches.first().map_or(0, RecordBatch::num_columns);
    let bytes = |column: usize| -> usize {
        let parts = batches.iter().filter_map(|rows| rows.columns().get(column));
        parts.map(|part| part.get_array_memory_size()).sum()
    };
    let bytes: Vec<usize> = (0..count).map(bytes).collect();
    let enough = bytes.iter().sum::<usize>() / most;
    let mut runs = Vec::with_capacity(most);
    let (mut start, mut sum) = (0, 0);
    for (column, bytes) in bytes.into_iter().enumerate() {
        sum += bytes;
        if sum > enough && runs.len() + 1 < most {
            runs.push(start..column + 1);
            (start, sum) = (column + 1, 0);
        }
    }
    if start < count || runs.is_empty() {
        runs.push(start..count);
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::row_builder::whole_schema;
    use arrow_array::BinaryArray;
    use std::sync::Arc;

    #[test]
    fn runs_have_all_columns_once() {
        for most in 1..9 {
            for (columns, large) in [(1, 0), (2, 1), (2, 0), (3, 1), (30, 15), (30, 29), (30, 0)] {
                let column = |i: usize| {
                    let length = if i == large { 90_000 } else { 10 * i };
                    let bytes = BinaryArray::from_iter_values([vec![0; length]]);
                    (i.to_string(), Arc::new(bytes) as _)
                };
                let batch = RecordBatch::try_from_iter((0..columns).map(column)).unwrap();
                let runs = runs(&[batch.clone(), batch], most);
                let all: Vec<usize> = runs.iter().cloned().flatten().collect();
                assert_eq!(all, (0..columns).collect::<Vec<_>>());
                assert!((1..=most).contains(&runs.len()));
                assert!(!runs.iter().any(Range::is_empty));
                assert!(most == 1 || columns < 30 || large == 29 || runs.len() > 1);
            }
        }
        let none: [RecordBatch; 0] = [];
        let one = runs(&none, 4);
        assert!(one.len() == 1 && one[0].is_empty());
        let empty = RecordBatch::new_empty(whole_schema());
        let last = runs(&[empty], 4).last().map(|run| run.end);
        assert_eq!(last, Some(whole_schema().fields().len()));
    }
}
