//! PGN to BCGN: whole files, on all cores.

use std::io::{Read, Write};
use std::ops::ControlFlow;

use pgn::{
    Flow, GameBuilder, GameError, Nag, Outcome, Parallel, RawComment, RawGame, RawTag, Stop,
    Variation, Visitor,
};

use super::{
    ConvertError, ConvertOptions, Draft, Dropped, Format, Problem, ProblemCause, Report, Writer,
};
use crate::Refusal;

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
pub fn import<R: Read + Send, W: Write>(
    input: R,
    output: W,
    format: Format,
    options: &ConvertOptions,
    watch: impl FnMut(Option<&Problem>, &Report),
) -> Result<Report, ConvertError> {
    let mut parallel = Parallel::new();
    parallel.threads = options.threads.get();
    let mut collector = Collector {
        writer: Writer::new(output, format).map_err(ConvertError::writing)?,
        report: Report {
            bytes_written: Format::BYTES as u64,
            ..Report::default()
        },
        line: 1,
        is_strict: options.is_strict,
        watch,
    };
    let make = || Encoder {
        builder: GameBuilder::new(),
        format,
        has_extra_tags: options.has_extra_tags,
    };
    let mut stopped = None;
    parallel.read(input, make, |game, result| {
        match collector.take(game, result) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                stopped = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    match stopped {
        Some(error) => Err(error),
        None => {
            collector.writer.finish().map_err(ConvertError::writing)?;
            (collector.watch)(None, &collector.report);
            Ok(collector.report)
        }
    }
}

/// Builds a game and encodes it at once: bytes cross from thread to thread, and not trees.
struct Encoder {
    builder: GameBuilder,
    format: Format,
    has_extra_tags: bool,
}

/// A game as an entry, and what it has lost.
struct Encoded {
    entry: Vec<u8>,
    plies: u64,
    dropped: Dropped,
    /// Extra tags that nobody wanted.
    tags: u64,
}

impl Encoder {
    fn encode(&self, game: &pgn::Game) -> Result<Encoded, Refusal> {
        let mut drafted = Draft::from_pgn(game)?;
        let draft = &mut drafted.draft;
        let mut tags = 0;
        if !self.has_extra_tags && !self.format.is_headerless {
            tags = std::mem::take(&mut draft.tags).len() as u64;
        }
        let mut entry = Vec::with_capacity(256);
        self.format.encode(draft, &mut entry)?;
        Ok(Encoded {
            entry,
            plies: draft.moves.len() as u64,
            dropped: drafted.dropped,
            tags,
        })
    }
}

impl Visitor for Encoder {
    type Output = Result<Encoded, Refusal>;

    fn begin_game(&mut self) -> Flow {
        self.builder.begin_game()
    }

    fn tag(&mut self, name: &[u8], value: RawTag<'_>) -> Flow {
        self.builder.tag(name, value)
    }

    fn begin_moves(&mut self) -> Flow {
        self.builder.begin_moves()
    }

    fn san(&mut self, token: &[u8]) -> Flow {
        self.builder.san(token)
    }

    fn nag(&mut self, nag: Nag, is_suffix: bool) -> Flow {
        self.builder.nag(nag, is_suffix)
    }

    fn comment(&mut self, comment: RawComment<'_>) -> Flow {
        self.builder.comment(comment)
    }

    fn begin_variation(&mut self) -> ControlFlow<Stop, Variation> {
        self.builder.begin_variation()
    }

    fn end_variation(&mut self) -> Flow {
        self.builder.end_variation()
    }

    fn outcome(&mut self, outcome: Outcome) -> Flow {
        self.builder.outcome(outcome)
    }

    fn end_game(&mut self, game: RawGame<'_>) -> Result<Encoded, Refusal> {
        let game = self.builder.end_game(game);
        self.encode(&game)
    }
}

/// How often the progress is told, in games.
const STEP: u64 = 1024;

/// Writes the games in order, and counts.
struct Collector<W, F> {
    writer: Writer<W>,
    report: Report,
    /// The line at which the next game begins.
    line: u64,
    is_strict: bool,
    watch: F,
}

impl<W: Write, F: FnMut(Option<&Problem>, &Report)> Collector<W, F> {
    fn take(
        &mut self,
        game: RawGame<'_>,
        result: Result<Result<Encoded, Refusal>, GameError>,
    ) -> Result<(), ConvertError> {
        self.report.games_read += 1;
        let line = self.line;
        self.line += count_lines(game.bytes) + game.unseen_lines;
        let problem = |cause| Problem {
            game: game.number,
            line: Some(line),
            offset: game.offset,
            cause,
        };
        match result {
            Ok(Ok(encoded)) => self.write(&encoded, problem)?,
            Ok(Err(refusal)) => self.note(problem(ProblemCause::Refused(refusal)))?,
            Err(error) => self.note(Problem {
                game: error.game,
                line: Some(error.line),
                offset: error.offset,
                cause: ProblemCause::Text(error.cause),
            })?,
        }
        if self.report.games_read.is_multiple_of(STEP) {
            (self.watch)(None, &self.report);
        }
        Ok(())
    }

    fn write(
        &mut self,
        encoded: &Encoded,
        problem: impl Fn(ProblemCause) -> Problem,
    ) -> Result<(), ConvertError> {
        let Encoded {
            entry,
            plies,
            dropped,
            tags,
        } = encoded;
        for (kind, count) in [
            ("comments", dropped.comments),
            ("variations", dropped.variations),
            ("NAGs", dropped.nags),
        ] {
            if count > 0 {
                self.note(problem(ProblemCause::Dropped { kind, count }))?;
            }
        }
        // Asked for: counted, and no problem.
        self.report.drop("tags", *tags);
        self.report.games_written += 1;
        self.report.plies += plies;
        self.report.bytes_written += entry.len() as u64;
        let written = self.writer.write_encoded(entry, 1);
        written.map_err(ConvertError::writing)
    }

    fn note(&mut self, problem: Problem) -> Result<(), ConvertError> {
        self.report.note(&problem);
        (self.watch)(Some(&problem), &self.report);
        if self.is_strict {
            return Err(ConvertError::Strict(Box::new(problem)));
        }
        Ok(())
    }
}

fn count_lines(text: &[u8]) -> u64 {
    text.iter().map(|&byte| u64::from(byte == b'\n')).sum()
}
