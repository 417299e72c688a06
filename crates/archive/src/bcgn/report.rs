//! What a conversion did, and what it could not do.

use core::fmt;
use std::collections::BTreeMap;
use std::io;

use crate::{ArchiveError, Refusal};

/// What came of a conversion, counted.
///
/// `games_read` is `games_written` and the sum of `games_left_out`, always.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Games in the input, good or bad.
    pub games_read: u64,
    /// Games in the output.
    pub games_written: u64,
    /// Moves in the output.
    pub plies: u64,
    /// Bytes of the output.
    pub bytes_written: u64,
    /// Games that are not in the output, by the reason.
    pub games_left_out: BTreeMap<&'static str, u64>,
    /// What the games in the output have lost, by kind: comments, variations, …
    pub dropped: BTreeMap<&'static str, u64>,
    /// Whether the input ends before its end, and how many games are behind the damage nobody knows.
    pub is_cut_short: bool,
}

impl Report {
    /// How many games are not in the output.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.games_left_out.values().sum()
    }

    /// Counts a problem.
    pub(super) fn note(&mut self, problem: &Problem) {
        match problem.cause {
            ProblemCause::Dropped { kind, count } => self.drop(kind, count),
            ref cause => *self.games_left_out.entry(cause.kind()).or_default() += 1,
        }
    }

    pub(super) fn drop(&mut self, kind: &'static str, count: u64) {
        if count > 0 {
            *self.dropped.entry(kind).or_default() += count;
        }
    }

    /// Adds what another part of the same conversion did.
    pub(super) fn add(&mut self, other: &Report) {
        self.games_read += other.games_read;
        self.games_written += other.games_written;
        self.plies += other.plies;
        self.bytes_written += other.bytes_written;
        self.is_cut_short |= other.is_cut_short;
        for (kind, count) in &other.games_left_out {
            *self.games_left_out.entry(kind).or_default() += count;
        }
        for (kind, count) in &other.dropped {
            *self.dropped.entry(kind).or_default() += count;
        }
    }
}

/// A game that did not come through whole: where it is, and why.
#[derive(Debug)]
pub struct Problem {
    /// The number of the game in the input, from 1.
    pub game: u64,
    /// The line, from 1; `None` in binary files.
    pub line: Option<u64>,
    /// The byte, from 0, in the decompressed input.
    pub offset: u64,
    /// What is wrong.
    pub cause: ProblemCause,
}

/// Why a game did not come through whole.
#[derive(Debug)]
#[non_exhaustive]
pub enum ProblemCause {
    /// The text is no game. It is left out.
    Text(pgn::Cause),
    /// The format cannot hold it. It is left out.
    Refused(Refusal),
    /// The bytes are no game. It is left out.
    Damaged(ArchiveError),
    /// It is there, without these.
    Dropped {
        /// What: `comments`, `variations`, …
        kind: &'static str,
        /// How many.
        count: u64,
    },
}

impl ProblemCause {
    /// A short fixed name, to count by.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            ProblemCause::Text(cause) => cause.kind(),
            ProblemCause::Refused(refusal) => refusal.kind(),
            ProblemCause::Damaged(_) => "damaged",
            ProblemCause::Dropped { kind, .. } => kind,
        }
    }

    /// Whether the game is not in the output.
    #[must_use]
    pub const fn is_left_out(&self) -> bool {
        !matches!(self, ProblemCause::Dropped { .. })
    }
}

impl fmt::Display for ProblemCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProblemCause::Text(cause) => cause.fmt(f),
            ProblemCause::Refused(refusal) => refusal.fmt(f),
            ProblemCause::Damaged(ArchiveError::Format { fault, .. }) => fault.fmt(f),
            ProblemCause::Damaged(error) => error.fmt(f),
            ProblemCause::Dropped { kind, count } => write!(f, "no place for {count} {kind}"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, ", self.game)?;
        if let Some(line) = self.line {
            write!(f, "line {line}, ")?;
        }
        write!(f, "byte {}: {}", self.offset, self.cause)
    }
}

/// Why a conversion stopped.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConvertError {
    /// The input cannot be read.
    Archive(ArchiveError),
    /// The output cannot be written.
    Write(io::Error),
    /// A game would not come through whole, and that was asked for.
    Strict(Box<Problem>),
}

impl ConvertError {
    /// An error of the output.
    pub(super) fn writing(error: impl Into<ArchiveError>) -> ConvertError {
        match error.into() {
            ArchiveError::Io(error) => ConvertError::Write(error),
            error => ConvertError::Archive(error),
        }
    }
}

impl<E: Into<ArchiveError>> From<E> for ConvertError {
    fn from(error: E) -> ConvertError {
        ConvertError::Archive(error.into())
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConvertError::Archive(error) => error.fmt(f),
            ConvertError::Write(error) => error.fmt(f),
            ConvertError::Strict(problem) => problem.fmt(f),
        }
    }
}

impl core::error::Error for ConvertError {}

/// How a conversion goes about its work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConvertOptions {
    /// How many threads share the work. The output does not depend on it.
    pub threads: std::num::NonZeroUsize,
    /// Whether to stop at the first game that does not come through whole.
    pub is_strict: bool,
    /// Whether tags that have no field of their own are written.
    pub has_extra_tags: bool,
}

impl Default for ConvertOptions {
    fn default() -> ConvertOptions {
        ConvertOptions {
            threads: std::num::NonZeroUsize::MIN,
            is_strict: false,
            has_extra_tags: true,
        }
    }
}
