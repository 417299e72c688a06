//! BCGN to PGN: whole files, on all cores.

use std::io::{Read, Write};

use pgn::{Style, write_game};

use super::{ConvertError, ConvertOptions, Entry, Format, Problem, ProblemCause, Reader, Report};
use crate::ArchiveError;
use crate::in_order::in_order;

/// The export format of the PGN standard. The roster is in the game, and a tag that a game has twice
/// is written twice.
const STYLE: Style = Style {
    roster: false,
    ..Style::EXPORT
};

/// How many bytes of entries are handed to a thread at a time.
const BATCH: usize = 128 << 10;

/// Reads BCGN and writes PGN in the export format. `watch` hears of every problem in the order of the
/// games, and of the progress now and then.
///
/// A damaged game is left out and reported. Where a length is damaged or the file is cut, nobody
/// knows where the next game begins: the games before it are written, and the report says so.
///
/// # Errors
/// [`ConvertError`]; what has been written then is no whole file.
///
/// ```
/// use scoresheet_archive::bcgn::{export, ConvertOptions, Format, Level};
/// let mut file = Format::new(Level::Index).headerless().to_bytes().to_vec();
/// file.extend([0, 6, 0, 4, 0, 67]);
/// let mut text = Vec::new();
/// let report = export(&file[..], &mut text, &ConvertOptions::default(), |_, _| {})?;
/// assert_eq!(report.games_written, 1);
/// assert!(text.ends_with(b"\n\n1. e4 *\n\n"));
/// # Ok::<(), scoresheet_archive::bcgn::ConvertError>(())
/// ```
pub fn export<R: Read, W: Write>(
    input: R,
    mut output: W,
    options: &ConvertOptions,
    mut watch: impl FnMut(Option<&Problem>, &Report),
) -> Result<Report, ConvertError> {
    let mut reader = Reader::new(input)?;
    let format = reader.format();
    let mut is_over = false;
    let mut total = Report::default();
    in_order(
        options.threads,
        || {
            if is_over {
                return Ok(None);
            }
            let job = next_job(&mut reader)?;
            is_over = job.end.is_some();
            let is_empty = job.entries.is_empty() && job.end.is_none();
            Ok((!is_empty).then_some(job))
        },
        |job| decode(job, format),
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
struct Batch {
    out: Vec<u8>,
    report: Report,
    problems: Vec<Problem>,
}

impl Batch {
    fn note(&mut self, problem: Problem) {
        self.report.note(&problem);
        self.problems.push(problem);
    }
}

fn decode(job: Job, format: Format) -> Batch {
    let mut batch = Batch::default();
    let mut rest = &job.entries[..];
    let (mut offset, mut number) = (job.offset, job.number);
    while let Some((entry, after)) = split_entry(rest) {
        let entry = Entry::new(format, entry, offset, number);
        rest = after;
        offset += entry.bytes().len() as u64;
        number += 1;
        batch.report.games_read += 1;
        decode_entry(&entry, &mut batch);
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

fn decode_entry(entry: &Entry<'_>, batch: &mut Batch) {
    let problem = |offset, cause| Problem {
        game: entry.number() + 1,
        line: None,
        offset,
        cause,
    };
    let restored = match entry.to_pgn() {
        Ok(restored) => restored,
        Err(error) => {
            let offset = match error {
                ArchiveError::Format { offset, .. } => offset,
                _ => entry.offset(),
            };
            batch.note(problem(offset, ProblemCause::Damaged(error)));
            return;
        }
    };
    let before = batch.out.len();
    write_game(&restored.game, &STYLE, &mut batch.out);
    batch.report.games_written += 1;
    batch.report.plies += restored.game.main_line().moves().len() as u64;
    batch.report.bytes_written += (batch.out.len() - before) as u64;
    let kinds = [
        ("odd tags", restored.odd_tags),
        ("odd ECO codes", u64::from(restored.has_odd_eco)),
        ("contradicting FENs", u64::from(restored.has_odd_fen)),
    ];
    for (kind, count) in kinds.into_iter().filter(|(_, count)| *count > 0) {
        let cause = ProblemCause::Dropped { kind, count };
        batch.note(problem(entry.offset(), cause));
    }
}
