//! Reading on several threads: text is cut at borders of games, pieces are read side by side,
//! and what comes out is handed over in the order of the text.
//!
//! A thread reads and cuts, others parse, the caller's collects. The buffers go round: there are
//! only so many, so a slow collector slows the rest down, and memory stays bounded. What comes out
//! does not depend on the number of threads, because a cut is made only where a game ends whatever
//! came before it: at a border (rule 3 of the parser), or where a full scan says so.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use memchr::{memchr_iter, memmem};

use crate::tag::is_border;
use crate::{GameError, Limits, RawGame, Reader, Slice, Visitor};

/// What is read at once by one thread.
const PIECE: usize = 1 << 20;

/// A piece that cannot be cut grows to this, and no farther.
const LARGEST_PIECE: usize = 4 << 20;

/// No decision about the end of a game looks farther ahead.
const LOOK_AHEAD: usize = 128;

/// How to read on several threads.
///
/// ```
/// use std::ops::ControlFlow;
/// use scoresheet_pgn::{Checker, Parallel};
/// let text = b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. e5 *\n";
/// let (mut good, mut bad) = (0, 0);
/// Parallel::new().read(&text[..], Checker::new, |_, result| {
///     match result {
///         Ok(_) => good += 1,
///         Err(_) => bad += 1,
///     }
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!((good, bad), (1, 1));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Parallel {
    /// Threads that parse. One means: no threads at all.
    pub threads: usize,
    /// The limits of each reader.
    pub limits: Limits,
}

impl Default for Parallel {
    fn default() -> Parallel {
        Parallel::new()
    }
}

/// A piece of text, or what it came to.
struct Job {
    number: usize,
    text: Vec<u8>,
}

/// Where a game begins, how many bytes of it are kept, and what it came to.
type Results<T> = Vec<(u64, usize, Result<T, GameError>)>;

struct Done<T> {
    number: usize,
    text: Vec<u8>,
    results: Results<T>,
    lines: u64,
    /// Places are counted from the first piece of this kind: the text could not be cut.
    is_rest: bool,
}

fn count_lines(text: &[u8]) -> u64 {
    wide(memchr_iter(b'\n', text).count())
}

fn wide(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

impl Parallel {
    /// As many threads as the machine has, the usual limits.
    #[must_use]
    pub fn new() -> Parallel {
        Parallel {
            threads: std::thread::available_parallelism().map_or(1, NonZero::get),
            limits: Limits::default(),
        }
    }

    /// Reads all games. Each thread has a visitor of its own, made by `make`; `each` is called on
    /// this thread with the text and the result of every game, in order, until it says `Break`.
    ///
    /// The number and the offset in a visitor's [`Visitor::end_game`] count from the begin of its
    /// piece; those that `each` sees count from the begin of the text.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn read<R, V>(
        &self,
        reader: R,
        make: impl Fn() -> V + Sync,
        each: impl FnMut(RawGame<'_>, Result<V::Output, GameError>) -> ControlFlow<()>,
    ) -> io::Result<()>
    where
        R: Read + Send,
        V: Visitor,
        V::Output: Send,
    {
        if self.threads <= 1 {
            return self.read_alone(reader, make, each);
        }
        let buffers = 2 * self.threads + 2;
        let (job_sender, jobs) = sync_channel::<Job>(buffers);
        let (done_sender, done) = sync_channel::<Done<V::Output>>(buffers);
        let (empty_sender, empty) = sync_channel::<Vec<u8>>(buffers);
        for _ in 0..buffers {
            // The channel is as long as there are buffers.
            let _ = empty_sender.try_send(Vec::new());
        }
        let jobs = Mutex::new(jobs);
        let limits = self.limits;
        std::thread::scope(|scope| {
            let cutter = Cutter {
                reader,
                limits,
                jobs: job_sender,
                done: done_sender.clone(),
                empty,
            };
            let make = &make;
            let cutting = scope.spawn(move || cutter.run(make));
            for _ in 0..self.threads {
                let done = done_sender.clone();
                let jobs = &jobs;
                scope.spawn(move || work(jobs, &done, limits, make));
            }
            drop(done_sender);
            collect(done, empty_sender, each);
            match cutting.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    fn read_alone<V: Visitor>(
        &self,
        reader: impl Read,
        make: impl Fn() -> V,
        mut each: impl FnMut(RawGame<'_>, Result<V::Output, GameError>) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let mut reader = Reader::new(reader).with_limits(self.limits);
        let mut visitor = make();
        while let Some(result) = reader.read_game(&mut visitor)? {
            if each(reader.last_game(), result).is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// Parses pieces until there are no more, or nobody wants them.
fn work<V: Visitor>(
    jobs: &Mutex<Receiver<Job>>,
    done: &SyncSender<Done<V::Output>>,
    limits: Limits,
    make: impl Fn() -> V,
) {
    let mut visitor = make();
    loop {
        // A poisoned lock means that another worker has panicked: so will the scope.
        let Ok(job) = jobs.lock().map(|jobs| jobs.recv()) else {
            return;
        };
        let Ok(Job { number, text }) = job else {
            return;
        };
        let mut reader = Reader::from_slice(&text).with_limits(limits);
        let mut results = Vec::new();
        read_all(&mut reader, &mut visitor, &mut results);
        let lines = count_lines(&text);
        let finished = Done {
            number,
            text,
            results,
            lines,
            is_rest: false,
        };
        if done.send(finished).is_err() {
            return;
        }
    }
}

fn read_all<V: Visitor>(
    reader: &mut Reader<Slice<'_>>,
    visitor: &mut V,
    results: &mut Results<V::Output>,
) {
    // Memory gives no I/O errors.
    while let Ok(Some(result)) = reader.read_game(visitor) {
        let game = reader.last_game();
        results.push((game.offset, game.bytes.len(), result));
    }
}

/// Puts the pieces in order and counts on from one to the next.
fn collect<T>(
    done: Receiver<Done<T>>,
    empty: SyncSender<Vec<u8>>,
    mut each: impl FnMut(RawGame<'_>, Result<T, GameError>) -> ControlFlow<()>,
) {
    let mut early = BTreeMap::new();
    let mut next = 0;
    let (mut games, mut lines, mut offset) = (0, 0, 0);
    let mut rest_start = None;
    while let Ok(piece) = done.recv() {
        early.insert(piece.number, piece);
        while let Some(piece) = early.remove(&next) {
            next += 1;
            let (first_game, first_line, first_byte) = if piece.is_rest {
                *rest_start.get_or_insert((games, lines, offset))
            } else {
                (games, lines, offset)
            };
            let mut at = 0;
            for (start, length, result) in piece.results {
                games += 1;
                let bytes = piece.text.get(at..at + length).unwrap_or_default();
                let raw = RawGame {
                    bytes,
                    number: games,
                    offset: first_byte + start,
                };
                at += length;
                let result = result.map_err(|error| GameError {
                    game: error.game + first_game,
                    line: error.line + first_line,
                    offset: error.offset + first_byte,
                    ..error
                });
                if each(raw, result).is_break() {
                    // Both channels close here: the others stop at their next piece.
                    return;
                }
            }
            lines += piece.lines;
            offset += wide(piece.text.len());
            // Large ones are not kept. Nobody needs any if the text is over.
            let buffer = if piece.text.capacity() > 2 * PIECE {
                Vec::new()
            } else {
                piece.text
            };
            let _ = empty.try_send(buffer);
        }
    }
}

/// Reads the text and cuts it.
struct Cutter<R, T> {
    reader: R,
    limits: Limits,
    jobs: SyncSender<Job>,
    done: SyncSender<Done<T>>,
    empty: Receiver<Vec<u8>>,
}

impl<R: Read, T> Cutter<R, T> {
    /// A closed channel means that the collector wants no more.
    fn run<V: Visitor<Output = T>>(mut self, make: impl Fn() -> V) -> io::Result<()> {
        let mut left = Vec::new();
        let mut number = 0;
        while let Ok(mut text) = self.empty.recv() {
            text.clear();
            text.append(&mut left);
            let mut wanted = PIECE;
            let at = loop {
                let missing = wide(wanted.saturating_sub(text.len()));
                let count = (&mut self.reader).take(missing).read_to_end(&mut text)?;
                if wide(count) < missing {
                    let _ = self.jobs.send(Job { number, text });
                    return Ok(());
                }
                if let Some(at) = cut(&text, number == 0, self.limits) {
                    break at;
                }
                if text.len() >= LARGEST_PIECE {
                    return self.rest(text, number, make);
                }
                wanted = 2 * text.len();
            };
            left.extend_from_slice(text.get(at..).unwrap_or_default());
            text.truncate(at);
            if self.jobs.send(Job { number, text }).is_err() {
                break;
            }
            number += 1;
        }
        Ok(())
    }

    /// Somewhere a game is so large that it is not worth while to keep several threads supplied:
    /// what is left is read here.
    fn rest<V: Visitor<Output = T>>(
        self,
        text: Vec<u8>,
        mut number: usize,
        make: impl Fn() -> V,
    ) -> io::Result<()> {
        let stream = io::Cursor::new(text).chain(self.reader);
        let mut reader = Reader::new(stream).with_limits(self.limits);
        let mut visitor = make();
        let mut is_over = false;
        while let (false, Ok(mut text)) = (is_over, self.empty.recv()) {
            text.clear();
            let mut results = Vec::new();
            while text.len() < PIECE {
                let Some(result) = reader.read_game(&mut visitor)? else {
                    is_over = true;
                    break;
                };
                let game = reader.last_game();
                text.extend_from_slice(game.bytes);
                results.push((game.offset, game.bytes.len(), result));
            }
            let finished = Done {
                number,
                text,
                results,
                lines: 0,
                is_rest: true,
            };
            number += 1;
            if self.done.send(finished).is_err() {
                break;
            }
        }
        Ok(())
    }
}

/// Where the text can be cut so that both parts are read as they would be together.
fn cut(text: &[u8], is_first: bool, limits: Limits) -> Option<usize> {
    // Before the first tag of a file there may be comments that belong to its first game.
    let least = if is_first {
        let mut reader = Reader::from_slice(text).with_limits(limits);
        let _ = reader.skip_game();
        usize::try_from(reader.offset()).ok()?
    } else {
        0
    };
    let borders = memmem::rfind_iter(text, b"\n[Event ");
    let last = borders.map(|at| at + 1).find(|&at| is_border(text, at));
    if let Some(at) = last.filter(|&at| at > least) {
        return Some(at);
    }
    // No border in sight, but perhaps games: whatever their shape, scanning finds their ends.
    let mut reader = Reader::from_slice(text).with_limits(limits);
    let mut end = 0;
    while let Ok(true) = reader.skip_game() {
        let next = usize::try_from(reader.offset()).ok()?;
        if next + LOOK_AHEAD > text.len() {
            break;
        }
        end = next;
    }
    (end > 0).then_some(end)
}
