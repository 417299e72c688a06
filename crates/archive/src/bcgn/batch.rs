//! The entries of a file, some at a time, on all cores, in order.

use std::io::{Read, Write};

use super::{ConvertError, ConvertOptions, Entry, Format, Problem, ProblemCause, Reader, Report};
use crate::ArchiveError;
use crate::in_order::in_order;

/// How many bytes of entries are handed to a thread at a time.
const BATCH: usize = 128 << 10;

/// Turns every entry of a file into something else by `each`, and writes that.
pub(super) fn convert_entries<R: Read, W: Write>(
    input: R,
    mut output: W,
    options: &ConvertOptions,
    mut watch: impl FnMut(Option<&Problem>, &Report),
    each: impl Fn(&Entry<'_>, &mut Batch) + Sync,
) -> Result<Report, ConvertError> {
    let mut reader = Reader::new(input)?;
    let format = reader.format();
    let mut is_over = false;
    let mut total = Report::default();
    in_order(
        options.threads,
        2,
        || {
            if is_over {
                return Ok(None);
            }
            let job = next_job(&mut reader)?;
            is_over = job.end.is_some();
            let is_empty = job.entries.is_empty() && job.end.is_none();
            Ok((!is_empty).then_some(job))
        },
        |job| convert(job, format, &each),
        |batch: Batch| -> Result<(), ConvertError> {
            total.add(&batch.report);
            for problem in batch.problems {
                watch(Some(&problem), &total);
                if options.is_strict {
                    return Err(ConvertError::Strict(Box::new(problem)));
                }
            }
            output.write_all(&batch.out).map_err(ConvertError::Write)?;
            watch(None, &total);
            Ok(())
        },
    )?;
    output.flush().map_err(ConvertError::Write)?;
    Ok(total)
}

/// Some entries, and why there are no more.
struct Job {
    entries: Vec<u8>,
    offset: u64,
    number: u64,
    end: Option<ArchiveError>,
}

fn next_job<R: Read>(reader: &mut Reader<R>) -> Result<Job, ArchiveError> {
    let mut job = Job {
        entries: Vec::with_capacity(BATCH + (64 << 10)),
        offset: reader.offset(),
        number: reader.games(),
        end: None,
    };
    while job.entries.len() < BATCH {
        match reader.next_entry() {
            Ok(Some(entry)) => job.entries.extend_from_slice(entry.bytes()),
            Ok(None) => break,
            Err(error @ ArchiveError::Format { .. }) => {
                job.end = Some(error);
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(job)
}

/// What some entries became.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) out: Vec<u8>,
    pub(super) report: Report,
    problems: Vec<Problem>,
}

impl Batch {
    pub(super) fn note(&mut self, problem: Problem) {
        self.report.note(&problem);
        self.problems.push(problem);
    }

    /// An entry that is no game, with the place of the damage.
    pub(super) fn note_damage(&mut self, entry: &Entry<'_>, error: ArchiveError) {
        let mut problem = Problem::of(entry, ProblemCause::Damaged(error));
        if let ProblemCause::Damaged(ArchiveError::Format { offset, .. }) = problem.cause {
            problem.offset = offset;
        }
        self.note(problem);
    }
}

impl Problem {
    /// A problem with a whole entry.
    pub(super) fn of(entry: &Entry<'_>, cause: ProblemCause) -> Problem {
        Problem {
            game: entry.number() + 1,
            line: None,
            offset: entry.offset(),
            cause,
        }
    }
}

fn convert(job: Job, format: Format, each: &impl Fn(&Entry<'_>, &mut Batch)) -> Batch {
    let mut batch = Batch::default();
    let mut rest = &job.entries[..];
    let (mut offset, mut number) = (job.offset, job.number);
    while let Some((entry, after)) = split_entry(rest) {
        let entry = Entry::new(format, entry, offset, number);
        rest = after;
        offset += entry.bytes().len() as u64;
        number += 1;
        batch.report.games_read += 1;
        each(&entry, &mut batch);
    }
    if let Some(ArchiveError::Format { offset, fault }) = job.end {
        batch.report.games_read += 1;
        batch.report.is_cut_short = true;
        batch.note(Problem {
            game: number + 1,
            line: None,
            offset,
            cause: ProblemCause::Damaged(ArchiveError::Format { offset, fault }),
        });
    }
    batch
}

/// The reader has checked the lengths.
fn split_entry(entries: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = u16::from_be_bytes(*entries.first_chunk()?);
    entries.split_at_checked(usize::from(length))
}
