//! Reading on several threads: text is cut at borders of games, pieces are read side by side,
//! and what comes out is handed over in the order of the text.
//!
//! A thread that has nothing to do takes the next piece of text, under a lock, and reads it; the
//! caller's thread collects. The buffers go round: there are only so many, so a slow collector slows
//! the rest down, and memory stays bounded. What comes out does not depend on the number of threads,
//! because a cut is made only where a game ends whatever came before it: at a border (rule 3 of the
//! parser), or where a full scan says so.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use memchr::{memchr_iter, memmem};

use crate::tag::is_border;
use crate::{GameError, Limits, RawGame, Reader, Source, Visitor};

/// What is read at once by one thread: as much as its own cache holds.
const PIECE: usize = 512 << 10;

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

/// A game of a piece and what it came to.
struct Found<T> {
    offset: u64,
    length: u64,
    /// How many of its bytes are kept.
    kept: usize,
    unseen_lines: u64,
    result: Result<T, GameError>,
}

/// A piece of text: the first bytes of a buffer that goes round.
#[derive(Default)]
struct Piece {
    buffer: Vec<u8>,
    length: usize,
}

/// A piece that has been read.
struct Done<T> {
    number: usize,
    piece: Piece,
    games: Vec<Found<T>>,
    lines: u64,
    /// Places are counted from the first piece of this kind: the text could not be cut.
    is_rest: bool,
}

/// What a thread tells the collector.
enum Message<T> {
    Done(Done<T>),
    /// A visitor has panicked: there will be a gap, and nobody must wait for it to close.
    Panic,
}

/// Memory that goes round, for a piece and for its games.
type Spare<T> = (Piece, Vec<Found<T>>);

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
    /// Those of the stream, after the games before them.
    ///
    /// # Panics
    /// If a visitor or `each` does.
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
        let spares = 2 * self.threads + 1;
        let (messages, received) = sync_channel(spares);
        let (spare_sender, spare) = sync_channel(spares);
        for _ in 0..spares {
            // The channel is as long as there are spares.
            let _ = spare_sender.try_send(Spare::default());
        }
        let cutter = Mutex::new(Cutter {
            reader,
            limits: self.limits,
            spare,
            left: Vec::new(),
            number: 0,
            is_over: false,
            error: None,
        });
        std::thread::scope(|scope| {
            let (cutter, make) = (&cutter, &make);
            for _ in 0..self.threads {
                let messages = messages.clone();
                scope.spawn(move || work(cutter, &messages, make));
            }
            drop(messages);
            collect(received, spare_sender, each);
        });
        // A thread that panics has been joined, and has handed its panic on.
        match cutter.into_inner().map(|cutter| cutter.error) {
            Ok(Some(error)) => Err(error),
            _ => Ok(()),
        }
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

/// Tells the collector if its thread panics.
struct Alarm<'a, T>(&'a SyncSender<Message<T>>);

impl<T> Drop for Alarm<'_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(Message::Panic);
        }
    }
}

/// Takes pieces and reads them until there are no more, or nobody wants them.
fn work<R: Read, V: Visitor>(
    cutter: &Mutex<Cutter<R, V::Output>>,
    messages: &SyncSender<Message<V::Output>>,
    make: impl Fn() -> V,
) {
    let _alarm = Alarm(messages);
    let mut visitor = make();
    loop {
        // A poisoned lock means that another thread has panicked.
        let Ok(mut next) = cutter.lock() else {
            return;
        };
        let Some((number, spare, is_whole)) = next.cut() else {
            return;
        };
        if !is_whole {
            next.read_rest(number, spare, messages, &mut visitor);
            return;
        }
        let limits = next.limits;
        drop(next);
        let (piece, mut games) = spare;
        let text = piece.text();
        let mut reader = Reader::from_slice(text).with_limits(limits);
        // Memory gives no I/O errors.
        while let Ok(true) = read_one(&mut reader, &mut visitor, &mut games) {}
        let done = Done {
            number,
            lines: count_lines(text),
            piece,
            games,
            is_rest: false,
        };
        if messages.send(Message::Done(done)).is_err() {
            return;
        }
    }
}

/// Reads a game and puts it with the others. `false` if there is none.
#[inline(always)]
fn read_one<S: Source, V: Visitor>(
    reader: &mut Reader<S>,
    visitor: &mut V,
    games: &mut Vec<Found<V::Output>>,
) -> io::Result<bool> {
    let Some(result) = reader.read_game(visitor)? else {
        return Ok(false);
    };
    let game = reader.last_game();
    games.push(Found {
        offset: game.offset,
        length: game.length,
        kept: game.bytes.len(),
        unseen_lines: game.unseen_lines,
        result,
    });
    Ok(true)
}

/// Puts the pieces in order and counts on from one to the next.
fn collect<T>(
    received: Receiver<Message<T>>,
    spare: SyncSender<Spare<T>>,
    mut each: impl FnMut(RawGame<'_>, Result<T, GameError>) -> ControlFlow<()>,
) {
    let mut early = BTreeMap::new();
    let mut next = 0;
    let (mut games, mut lines, mut offset) = (0, 0, 0);
    let mut rest_start = None;
    // At every return both channels close: the threads stop at their next piece.
    while let Ok(Message::Done(done)) = received.recv() {
        early.insert(done.number, done);
        while let Some(mut done) = early.remove(&next) {
            next += 1;
            let (first_game, first_line, first_byte) = if done.is_rest {
                *rest_start.get_or_insert((games, lines, offset))
            } else {
                (games, lines, offset)
            };
            let text = done.piece.text();
            let mut at = 0;
            for game in done.games.drain(..) {
                games += 1;
                let raw = RawGame {
                    bytes: text.get(at..at + game.kept).unwrap_or_default(),
                    number: games,
                    offset: first_byte + game.offset,
                    length: game.length,
                    unseen_lines: game.unseen_lines,
                };
                at += game.kept;
                let result = game.result.map_err(|error| GameError {
                    game: error.game + first_game,
                    line: error.line + first_line,
                    offset: error.offset + first_byte,
                    ..error
                });
                if each(raw, result).is_break() {
                    return;
                }
            }
            lines += done.lines;
            offset += wide(text.len());
            // Large buffers are not kept. Nobody needs any if the text is over.
            let is_large = done.piece.buffer.capacity() > 2 * PIECE;
            let piece = if is_large {
                Piece::default()
            } else {
                done.piece
            };
            let _ = spare.try_send((piece, done.games));
        }
    }
}

impl Piece {
    fn text(&self) -> &[u8] {
        self.buffer.get(..self.length).unwrap_or_default()
    }

    fn set(&mut self, text: &[u8]) {
        self.length = 0;
        self.append(text);
    }

    /// The buffer never gets shorter, so that no byte of it must be cleared twice.
    fn append(&mut self, text: &[u8]) {
        let end = self.length + text.len();
        if self.buffer.len() < end {
            self.buffer.resize(end.max(PIECE), 0);
        }
        if let Some(free) = self.buffer.get_mut(self.length..end) {
            free.copy_from_slice(text);
            self.length = end;
        }
    }

    /// Reads until the piece is so long. `false` if the text ends before.
    fn fill(&mut self, reader: &mut impl Read, length: usize) -> io::Result<bool> {
        if self.buffer.len() < length {
            self.buffer.resize(length, 0);
        }
        while let Some(free) = self.buffer.get_mut(self.length..length)
            && !free.is_empty()
        {
            match reader.read(free) {
                Ok(0) => return Ok(false),
                Ok(count) => self.length = (self.length + count).min(length),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }
}

/// Reads the text and cuts it.
struct Cutter<R, T> {
    reader: R,
    limits: Limits,
    spare: Receiver<Spare<T>>,
    /// What has been read and belongs to the next piece.
    left: Vec<u8>,
    /// The number of the next piece.
    number: usize,
    is_over: bool,
    error: Option<io::Error>,
}

impl<R: Read, T> Cutter<R, T> {
    /// The next piece and its number; `false` if it could not be cut, and one thread must go on from
    /// there. `None` if there is no more, or nobody wants it.
    fn cut(&mut self) -> Option<(usize, Spare<T>, bool)> {
        if self.is_over {
            return None;
        }
        // A closed channel means that the collector has gone.
        let (mut piece, games) = self.spare.recv().ok()?;
        piece.set(&self.left);
        self.left.clear();
        let mut wanted = PIECE;
        let number = self.number;
        self.number += 1;
        loop {
            match piece.fill(&mut self.reader, wanted) {
                Ok(true) => {}
                Ok(false) => {
                    self.is_over = true;
                    return Some((number, (piece, games), true));
                }
                Err(error) => {
                    // Where a game is known to end, those before the error are read.
                    self.is_over = true;
                    self.error = Some(error);
                    piece.length = cut(piece.text(), number == 0, self.limits)?;
                    return Some((number, (piece, games), true));
                }
            }
            if let Some(at) = cut(piece.text(), number == 0, self.limits) {
                self.left
                    .extend_from_slice(piece.text().get(at..).unwrap_or_default());
                piece.length = at;
                return Some((number, (piece, games), true));
            }
            if piece.length >= LARGEST_PIECE {
                self.is_over = true;
                return Some((number, (piece, games), false));
            }
            wanted = 2 * piece.length.max(PIECE);
        }
    }

    /// Somewhere a game is so large that it is not worth while to keep several threads supplied:
    /// what is left is read by one, and the others find the text over.
    fn read_rest<V: Visitor<Output = T>>(
        &mut self,
        mut number: usize,
        (piece, mut games): Spare<T>,
        messages: &SyncSender<Message<T>>,
        visitor: &mut V,
    ) {
        let stream = io::Cursor::new(piece.text().to_vec()).chain(&mut self.reader);
        let mut reader = Reader::new(stream).with_limits(self.limits);
        let mut piece = piece;
        loop {
            piece.length = 0;
            let mut is_over = false;
            while piece.length < PIECE && !is_over {
                match read_one(&mut reader, visitor, &mut games) {
                    Ok(true) => piece.append(reader.last_game().bytes),
                    Ok(false) => is_over = true,
                    Err(error) => {
                        self.error = Some(error);
                        is_over = true;
                    }
                }
            }
            let done = Done {
                number,
                piece,
                games,
                lines: 0,
                is_rest: true,
            };
            number += 1;
            if messages.send(Message::Done(done)).is_err() || is_over {
                return;
            }
            match self.spare.recv() {
                Ok(spare) => (piece, games) = spare,
                Err(_) => return,
            }
        }
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
