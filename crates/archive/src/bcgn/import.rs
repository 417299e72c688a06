//! PGN to BCGN: whole files, on all cores.

use std::io::{self, Read, Write};

use pgn::{Cause, Flow, GameBuilder, RawGame, Stop, Visitor};

use super::report::Batch;
use super::{ConvertError, ConvertOptions, Draft, Format, Problem, ProblemCause, Report, Writer};
use crate::in_order::in_order;

/// A batch is cut after the game that makes it this long.
const BATCH: usize = 512 << 10;
/// Batches are cut at the end of a line, so that each can be read on its own. A file without line
/// ends is cut all the same, when a batch is this long.
const LONGEST_BATCH: usize = 32 << 20;

/// Reads PGN and writes BCGN. `watch` hears of every problem in the order of the games, and of the
/// progress now and then.
///
/// Bad games, and games that BCGN cannot hold, are left out and reported; comments, variations and
/// glyphs are left out and counted. With [`ConvertOptions::is_strict`] either ends the conversion.
///
/// # Errors
/// [`ConvertError`]; what has been written then is no whole file.
///
/// ```
/// use scoresheet_archive::bcgn::{import, ConvertOptions, Format, Level};
/// let text = b"1. e4! e5 *\n\n1. e5 *\n\n1. d4 *\n";
/// let mut file = Vec::new();
/// let mut problems = Vec::new();
/// let format = Format::new(Level::Index).headerless();
/// let options = ConvertOptions::default();
/// let report = import(&text[..], &mut file, format, &options, |problem, _| {
///     problems.extend(problem.map(ToString::to_string));
/// })?;
/// assert_eq!((report.games_read, report.games_written), (3, 2));
/// assert_eq!(problems[0], "game 1, line 1, byte 0: no place for 1 NAGs");
/// assert!(problems[1].starts_with("game 2, line 3, byte 16: 'e5': "));
/// # Ok::<(), scoresheet_archive::bcgn::ConvertError>(())
/// ```
pub fn import<R: Read, W: Write>(
    input: R,
    output: W,
    format: Format,
    options: &ConvertOptions,
    mut watch: impl FnMut(Option<&Problem>, &Report),
) -> Result<Report, ConvertError> {
    let mut writer = Writer::new(output, format)?;
    let mut cutter = Cutter::new(input);
    let mut total = Report {
        bytes_written: Format::BYTES as u64,
        ..Report::default()
    };
    let mut lines = 0;
    in_order(
        options.threads,
        || cutter.next_job(),
        |job| encode(&job, format, options),
        |batch: Batch| -> Result<(), ConvertError> {
            let games_before = total.games_read;
            total.add(&batch.report);
            for mut problem in batch.problems {
                problem.game += games_before;
                problem.line = problem.line.map(|line| line + lines);
                watch(Some(&problem), &total);
                if options.is_strict {
                    return Err(ConvertError::Strict(Box::new(problem)));
                }
            }
            lines += batch.lines;
            writer.write_encoded(&batch.out, batch.report.games_written)?;
            watch(None, &total);
            Ok(())
        },
    )?;
    writer.finish()?;
    Ok(total)
}

/// Some games of the input, or one that is too large.
enum Job {
    Text { text: Vec<u8>, offset: u64 },
    TooLarge(Problem),
}

/// Cuts the input into batches of whole games.
struct Cutter<R> {
    reader: pgn::Reader<pgn::Stream<R>>,
    /// A game that is too large, found at the end of a batch.
    too_large: Option<Problem>,
}

impl<R: Read> Cutter<R> {
    fn new(input: R) -> Cutter<R> {
        Cutter {
            reader: pgn::Reader::new(input),
            too_large: None,
        }
    }

    fn next_job(&mut self) -> Result<Option<Job>, ConvertError> {
        if let Some(problem) = self.too_large.take() {
            return Ok(Some(Job::TooLarge(problem)));
        }
        let mut text = Vec::with_capacity(BATCH + (64 << 10));
        let mut offset = None;
        while let Some(game) = self.read()? {
            match game {
                Ok(()) => {
                    let game = self.reader.last_game();
                    offset.get_or_insert(game.offset);
                    text.extend_from_slice(game.bytes);
                    let is_at_line_end = matches!(text.last(), Some(b'\n'));
                    if (text.len() >= BATCH && is_at_line_end) || text.len() >= LONGEST_BATCH {
                        break;
                    }
                }
                Err(problem) if offset.is_none() => return Ok(Some(Job::TooLarge(problem))),
                Err(problem) => {
                    self.too_large = Some(problem);
                    break;
                }
            }
        }
        Ok(offset.map(|offset| Job::Text { text, offset }))
    }

    /// Passes over a game. Only its size matters here; other faults are found where it is read.
    fn read(&mut self) -> io::Result<Option<Result<(), Problem>>> {
        Ok(match self.reader.read_game(&mut Skipper)? {
            None => None,
            Some(Err(error)) if matches!(error.cause, Cause::TooLarge { .. }) => {
                Some(Err(Problem {
                    game: 1,
                    line: Some(1),
                    offset: error.offset,
                    cause: ProblemCause::Text(error.cause),
                }))
            }
            Some(_) => Some(Ok(())),
        })
    }
}

/// Wants nothing of a game.
struct Skipper;

impl Visitor for Skipper {
    type Output = ();

    fn begin_game(&mut self) -> Flow {
        Flow::Break(Stop::Skip)
    }

    fn end_game(&mut self, _: RawGame<'_>) {}
}

fn encode(job: &Job, format: Format, options: &ConvertOptions) -> Batch {
    let mut batch = Batch::default();
    match job {
        Job::TooLarge(problem) => {
            batch.report.games_read = 1;
            batch.note(Problem {
                cause: match &problem.cause {
                    ProblemCause::Text(cause) => ProblemCause::Text(cause.clone()),
                    _ => ProblemCause::Text(Cause::TooLarge { max: 0 }),
                },
                ..*problem
            });
        }
        Job::Text { text, offset } => {
            batch.out.reserve(text.len() / 4);
            encode_text(text, *offset, format, options, &mut batch);
            batch.lines += count_lines(text);
        }
    }
    batch
}

fn encode_text(
    text: &[u8],
    offset: u64,
    format: Format,
    options: &ConvertOptions,
    batch: &mut Batch,
) {
    let mut reader = pgn::Reader::from_slice(text);
    let mut builder = GameBuilder::new();
    let mut lines = Lines {
        text,
        at: 0,
        passed: 0,
    };
    // Memory gives no I/O errors.
    while let Ok(Some(game)) = reader.read_game(&mut builder) {
        batch.report.games_read += 1;
        let number = batch.report.games_read;
        match game {
            Ok(game) => {
                let start = reader.last_game().offset;
                let problem = |cause| Problem {
                    game: number,
                    line: Some(lines.number_at(start)),
                    offset: offset + start,
                    cause,
                };
                encode_game(&game, problem, format, options, batch);
            }
            Err(error) => batch.note(Problem {
                game: number,
                line: Some(error.line),
                offset: offset + error.offset,
                cause: ProblemCause::Text(error.cause),
            }),
        }
    }
}

/// Counts lines, each once however many problems there are.
struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    passed: u64,
}

impl Lines<'_> {
    /// The number of the line at an offset that is not before the last one.
    fn number_at(&mut self, offset: u64) -> u64 {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        self.passed += count_lines(self.text.get(self.at..offset).unwrap_or_default());
        self.at = self.at.max(offset);
        1 + self.passed
    }
}

fn encode_game(
    game: &pgn::Game,
    mut problem: impl FnMut(ProblemCause) -> Problem,
    format: Format,
    options: &ConvertOptions,
    batch: &mut Batch,
) {
    let before = batch.out.len();
    let drafted = Draft::from_pgn(game).and_then(|mut drafted| {
        if !options.has_extra_tags && !format.is_headerless {
            // Asked for: it is counted, and no problem.
            let tags = std::mem::take(&mut drafted.draft.tags);
            batch.report.drop("tags", tags.len() as u64);
        }
        format.encode(&drafted.draft, &mut batch.out)?;
        Ok(drafted)
    });
    let drafted = match drafted {
        Ok(done) => done,
        Err(refusal) => {
            batch.note(problem(ProblemCause::Refused(refusal)));
            return;
        }
    };
    batch.report.games_written += 1;
    batch.report.plies += drafted.draft.moves.len() as u64;
    batch.report.bytes_written += (batch.out.len() - before) as u64;
    let dropped = drafted.dropped;
    let kinds = [
        ("comments", dropped.comments),
        ("variations", dropped.variations),
        ("NAGs", dropped.nags),
    ];
    for (kind, count) in kinds.into_iter().filter(|(_, count)| *count > 0) {
        batch.note(problem(ProblemCause::Dropped { kind, count }));
    }
}

fn count_lines(text: &[u8]) -> u64 {
    text.iter().map(|&byte| u64::from(byte == b'\n')).sum()
}
