//! PGN in, an archive out: all cores, bounded memory, the same bytes whatever their number.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::thread;

use codec::CodecName;

use super::binder::Binder;
use super::clerk::Clerk;
use super::cutter::{Cutter, Piece};
use super::fault::ArchiveFault;
use super::lossy::Lossy;
use super::press::Press;
use super::row_group::Recipe;
use super::transcript::{BadGame, Manner};
use super::writer::FileWriter;
use crate::ArchiveError;
use crate::in_order::in_order;

/// How to pack.
#[derive(Clone, Copy, Debug)]
pub struct PackOptions {
    /// The encoding of the moves.
    pub codec: CodecName,
    /// How many threads work.
    pub threads: NonZeroUsize,
    /// How much text becomes a row group, in bytes.
    pub row_group_bytes: usize,
    /// Whether every row group is read back from what is to be written and compared.
    pub is_checked: bool,
    /// The level of zstd.
    pub level: i32,
    /// What to leave out; nothing, so that every byte comes back.
    pub lossy: Option<Lossy>,
    /// How many bytes of memory may be used, more or less. It bounds the size of row groups and the
    /// number of threads, so the archive depends on it only if it is small.
    pub memory: usize,
}

/// Texts are worked on in pieces of so many bytes: enough that what is done once a piece does not
/// count, and so few that all cores have work and a piece stays in the cache.
const PIECE: usize = 1 << 20;

/// So many pieces a thread may be under way: the one that ends a row group takes three times as long as
/// others, and nobody is to wait for it.
const AHEAD: usize = 4;

/// A row group has no more rows, however short their texts are.
const ROWS: usize = 1 << 17;

/// A game of more bytes is kept as text.
const GAME_BYTES: usize = 16 << 20;

impl PackOptions {
    /// The usual options for a codec. Whoever takes `modelled` wants small files, and has time: row
    /// groups are twice as large, so that names are stored less often, and zstd looks harder. For
    /// the others level 3 would save 0.4 to 0.9 % of the archive, and take 3 to 9 % of the time of
    /// packing.
    #[must_use]
    pub fn for_codec(codec: CodecName) -> PackOptions {
        let is_small = codec.level().is_some();
        PackOptions {
            codec,
            threads: thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            row_group_bytes: if is_small { 32 << 20 } else { 16 << 20 },
            is_checked: true,
            level: if is_small { 19 } else { 1 },
            lossy: None,
            memory: 512 << 20,
        }
    }

    /// While a row group is written, its rows are there up to four times, and two row groups may be
    /// under way; rows take as much room as their text, or less.
    fn row_group_bytes(&self) -> usize {
        self.row_group_bytes.min(self.memory / 16).max(1 << 10)
    }

    fn piece_bytes(&self) -> usize {
        self.row_group_bytes().min(PIECE)
    }

    /// A piece takes up to twelve times the bytes of its text while it is worked on, and twelve more
    /// are for those of its thread that wait before and after.
    fn workers(&self) -> NonZeroUsize {
        let room = self.memory.saturating_sub(8 * self.row_group_bytes());
        let most = NonZeroUsize::new(room / (24 * self.piece_bytes()));
        self.threads.min(most.unwrap_or(NonZeroUsize::MIN))
    }
}

impl Default for PackOptions {
    fn default() -> PackOptions {
        PackOptions::for_codec(CodecName::Index)
    }
}

/// What packing came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Packed {
    /// Games, the bad ones among them.
    pub games: u64,
    /// Moves of main lines.
    pub plies: u64,
    /// Bytes of PGN.
    pub text_bytes: u64,
    /// Bytes of the archive.
    pub archive_bytes: u64,
    /// The games that are kept as text, the first hundred of them.
    pub bad: Vec<BadGame>,
    /// How many there are.
    pub bad_games: u64,
}

/// What a thread is to do.
enum Job {
    /// To take down a piece of text, which begins at a byte of the inputs.
    Piece {
        number: u64,
        offset: u64,
        is_last: bool,
        piece: Piece,
    },
    /// To help with row groups.
    Help,
}

/// Closes the press if a thread panics, so that no other waits for it.
struct CloseOnPanic<'a>(&'a Press);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.close();
        }
    }
}

/// Packs texts, each with its name, into an archive. A text is asked for when the one before it has
/// been read. `progress` is told the games and bytes that have been packed.
///
/// # Errors
/// [`ArchiveError::Io`], or [`ArchiveFault::Proof`](super::ArchiveFault::Proof) if the archive
/// would not give back its input.
pub fn pack<R: Read, W: Write>(
    inputs: impl IntoIterator<Item = (String, R)>,
    out: W,
    options: &PackOptions,
    mut progress: impl FnMut(u64, u64),
) -> Result<(W, Packed), ArchiveError> {
    let game_bytes = options.row_group_bytes().saturating_mul(2).min(GAME_BYTES);
    let mut cutter = Cutter::new(inputs.into_iter(), options.piece_bytes(), game_bytes);
    // Texts that have been taken down make room for others: the kernel would clear fresh memory for each.
    // So do those who took them down.
    let (used, clerks) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let used = || used.lock().unwrap_or_else(PoisonError::into_inner);
    let clerks = || clerks.lock().unwrap_or_else(PoisonError::into_inner);
    let mut next = cutter.next_piece()?;
    let manner = Manner {
        codec: options.codec,
        lossy: options.lossy,
    };
    let recipe = Recipe {
        level: options.level,
        is_checked: options.is_checked,
    };
    let mut writer = FileWriter::new(out, options.codec, options.lossy)?;
    let mut packed = Packed::default();
    let binder = Binder::new(options.row_group_bytes(), ROWS);
    let press = Press::new(recipe);
    let (mut number, mut offset) = (0, 0);
    // When there are no more pieces, all threads but one help with the last row group.
    let mut helpers = options.workers().get() - 1;
    // Row groups that are ready before their turn.
    let mut early = BTreeMap::new();
    let mut next_group = 0;
    // Where files end, in bytes of all of them.
    let mut file_ends = Vec::new();
    in_order(
        options.workers(),
        AHEAD,
        || -> Result<_, ArchiveError> {
            let Some(piece) = next.take() else {
                if number == 0 {
                    press.close();
                }
                let is_wanted = helpers > 0;
                helpers = helpers.saturating_sub(1);
                return Ok(is_wanted.then_some(Job::Help));
            };
            cutter.room = cutter.room.take().or_else(|| used().pop());
            next = cutter.next_piece()?;
            let bytes = u64::try_from(piece.text.len()).unwrap_or(0);
            let job = Job::Piece {
                number,
                offset,
                is_last: next.is_none(),
                piece,
            };
            number += 1;
            offset += bytes;
            Ok(Some(job))
        },
        |job| {
            // Whoever waits for row groups must not wait for one that never comes.
            let _closing = CloseOnPanic(&press);
            let result = match job {
                Job::Help => press.work_to_the_end().map(|ready| ((0, 0), ready)),
                Job::Piece {
                    number,
                    offset,
                    is_last,
                    mut piece,
                } => {
                    let clerk = clerks().pop();
                    let mut clerk = clerk.unwrap_or_else(|| Clerk::new(manner));
                    clerk.take_down(&mut piece, offset).and_then(|transcript| {
                        // Not what was needed for games far longer than others.
                        if piece.text.capacity() <= 2 * options.piece_bytes() {
                            used().push(piece.text);
                            clerks().push(clerk);
                        }
                        let done = (transcript.games, transcript.input_bytes);
                        let (bound, is_over) = binder.add(number, transcript, is_last);
                        press.hand_in(bound, is_over);
                        Ok((done, press.work()?))
                    })
                }
            };
            if result.is_err() {
                press.close();
            }
            result
        },
        |result: Result<_, ArchiveFault>| {
            let ((games, bytes), ready) = result?;
            packed.games += games;
            packed.text_bytes += bytes;
            progress(packed.games, packed.text_bytes);
            early.extend(ready);
            while let Some(group) = early.remove(&next_group) {
                next_group += 1;
                packed.plies += group.plies;
                packed.bad_games += u64::try_from(group.bad.len()).unwrap_or(0);
                for bad in &group.bad {
                    if packed.bad.len() < 100 {
                        let row = bad.row + writer.rows();
                        packed.bad.push(BadGame { row, ..bad.clone() });
                    }
                }
                file_ends.extend(group.file_ends.iter().map(|end| end.offset));
                writer.write(group).inspect_err(|_| press.close())?;
            }
            Ok(())
        },
    )?;
    let (out, facts, length) = writer.finish()?;
    packed.archive_bytes = length;
    let last_rows: Vec<u64> = facts
        .inputs
        .iter()
        .scan(0, |rows, input| {
            *rows += input.rows;
            Some(*rows)
        })
        .collect();
    for bad in &mut packed.bad {
        // By its row: a fault may be where its file ends, and another begins.
        let before = last_rows.partition_point(|&last| last < bad.row);
        let start = before.checked_sub(1).and_then(|last| file_ends.get(last));
        bad.offset = bad.offset.saturating_sub(start.copied().unwrap_or(0));
        let input = facts.inputs.get(before);
        bad.input = input.map_or_else(String::new, |input| input.name.clone());
    }
    Ok((out, packed))
}
