//! PGN in, an archive out: all cores, bounded memory, the same bytes whatever their number.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

use codec::CodecName;
use memchr::memmem;
use pgn::{Flow, RawGame, RawTag, Reader, Stop, Visitor};

use super::fault::ArchiveFault;
use super::row_builder::TagSet;
use super::row_group::{BadGame, EncodedRowGroup, Piece, Recipe};
use super::tag_column::{self, TAGS};
use super::writer::FileWriter;
use crate::ArchiveError;

/// How to pack.
#[derive(Clone, Copy, Debug)]
pub struct PackOptions {
    /// The encoding of the moves.
    pub codec: CodecName,
    /// How many threads work.
    pub threads: NonZeroUsize,
    /// The size of a piece of text that becomes a row group, in bytes.
    pub piece_bytes: usize,
    /// Whether every row group is proved to come back before it is written.
    pub is_checked: bool,
    /// The level of zstd.
    pub level: i32,
}

impl Default for PackOptions {
    fn default() -> PackOptions {
        PackOptions {
            codec: CodecName::Packed,
            threads: thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            piece_bytes: 16 << 20,
            is_checked: true,
            level: 6,
        }
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

/// Packs texts, each with its name, into an archive. `progress` is told the games and bytes that
/// have been packed.
///
/// # Errors
/// [`ArchiveError::Io`], or [`ArchiveFault::Proof`] if the archive would not give back its input.
pub fn pack<W: Write>(
    inputs: Vec<(String, Box<dyn Read + Send>)>,
    out: W,
    options: &PackOptions,
    mut progress: impl FnMut(u64, u64),
) -> Result<(W, Packed), ArchiveError> {
    let (names, readers): (Vec<String>, Vec<_>) = inputs.into_iter().unzip();
    let mut cutter = Cutter::new(readers, options.piece_bytes.max(1 << 10));
    let first = cutter.next_piece()?;
    let mut tags = TagSet::from(TAGS.map(|tag| tag.is_always));
    if let Some(piece) = &first {
        note_tags(&piece.text, &mut tags);
    }
    let recipe = Recipe {
        tags,
        codec: options.codec,
        level: options.level,
        is_checked: options.is_checked,
    };
    let mut writer = FileWriter::new(out, &tags, options.codec, names)?;
    let mut packed = Packed::default();
    let mut write = |group: EncodedRowGroup, writer: &mut FileWriter<W>| {
        packed.games += group.games;
        packed.plies += group.plies;
        packed.text_bytes += group.text_bytes;
        packed.bad_games += u64::try_from(group.bad.len()).unwrap_or(0);
        for bad in &group.bad {
            if packed.bad.len() < 100 {
                let row = bad.row + writer.rows();
                packed.bad.push(BadGame { row, ..bad.clone() });
            }
        }
        progress(packed.games, packed.text_bytes);
        writer.write(group)
    };
    thread::scope(|scope| -> Result<(), ArchiveError> {
        let threads = options.threads.get();
        let (to_workers, pieces) = sync_channel::<(usize, Piece)>(1);
        let pieces = Arc::new(Mutex::new(pieces));
        let (to_writer, groups) = sync_channel(threads);
        for _ in 0..threads {
            let (pieces, to_writer) = (pieces.clone(), to_writer.clone());
            scope.spawn(move || work(&recipe, &pieces, &to_writer));
        }
        drop((pieces, to_writer));
        let mut waiting = BTreeMap::new();
        let (mut sent, mut written) = (0, 0);
        let mut next = first;
        // Of no more than this many row groups is anything in memory.
        let most = threads + 1;
        loop {
            while sent - written < most {
                let Some(piece) = next.take() else { break };
                if to_workers.send((sent, piece)).is_err() {
                    break;
                }
                sent += 1;
                next = cutter.next_piece()?;
            }
            if written == sent && next.is_none() {
                return Ok(());
            }
            let Ok((number, group)) = groups.recv() else {
                return Ok(());
            };
            waiting.insert(number, group);
            while let Some(group) = waiting.remove(&written) {
                write(group?, &mut writer)?;
                written += 1;
            }
        }
    })?;
    let (out, _, length) = writer.finish()?;
    packed.archive_bytes = length;
    Ok((out, packed))
}

type Encoded = (usize, Result<EncodedRowGroup, ArchiveFault>);

fn work(recipe: &Recipe, pieces: &Mutex<Receiver<(usize, Piece)>>, out: &SyncSender<Encoded>) {
    loop {
        let piece = match pieces.lock() {
            Ok(pieces) => pieces.recv(),
            Err(_) => return,
        };
        let Ok((number, piece)) = piece else { return };
        let group = recipe.encode(number, &piece);
        if out.send((number, group)).is_err() {
            return;
        }
    }
}

/// Finds which tags there are, so that those that are not get no column.
fn note_tags(text: &[u8], tags: &mut TagSet) {
    struct Names<'a>(&'a mut TagSet);
    impl Visitor for Names<'_> {
        type Output = ();
        fn tag(&mut self, name: &[u8], _: RawTag<'_>) -> Flow {
            let column = tag_column::find(name);
            if let Some(is_there) = column.and_then(|column| self.0.get_mut(column)) {
                *is_there = true;
            }
            Flow::Continue(())
        }
        fn begin_moves(&mut self) -> Flow {
            Flow::Break(Stop::Skip)
        }
        fn end_game(&mut self, _: RawGame<'_>) {}
    }
    // A megabyte of games shows what the rest is like; a tag that comes later is kept all the same.
    let text = text.get(..1 << 20).unwrap_or(text);
    let mut reader = Reader::from_slice(text);
    let mut names = Names(tags);
    while let Ok(Some(_)) = reader.read_game(&mut names) {}
}

/// Cuts texts into pieces, at borders of games.
struct Cutter {
    inputs: std::vec::IntoIter<Box<dyn Read + Send>>,
    input: Option<Box<dyn Read + Send>>,
    size: usize,
    piece: Piece,
    is_done: bool,
}

/// A game of more bytes is no game.
const LARGEST_GAME: usize = 64 << 20;

impl Cutter {
    fn new(inputs: Vec<Box<dyn Read + Send>>, size: usize) -> Cutter {
        let mut inputs = inputs.into_iter();
        Cutter {
            input: inputs.next(),
            inputs,
            size,
            piece: Piece::default(),
            is_done: false,
        }
    }

    fn next_piece(&mut self) -> io::Result<Option<Piece>> {
        let mut wanted = self.size;
        loop {
            self.fill(wanted)?;
            if self.input.is_none() {
                // The last file has no end of its own: the archive's will do.
                if self.is_done || self.piece.text.is_empty() && self.piece.ends.is_empty() {
                    return Ok(None);
                }
                self.is_done = true;
                return Ok(Some(std::mem::take(&mut self.piece)));
            }
            let last_end = self.piece.ends.last().copied().unwrap_or(0);
            let open = self.piece.text.get(last_end..).unwrap_or_default();
            if let Some(border) = last_border(open) {
                return Ok(Some(self.cut(last_end + border)));
            }
            if last_end > 0 {
                return Ok(Some(self.cut(last_end)));
            }
            if wanted >= LARGEST_GAME {
                let mut piece = self.cut(self.piece.text.len());
                piece.is_raw = true;
                return Ok(Some(piece));
            }
            wanted *= 2;
        }
    }

    /// Cuts the piece in two and returns the first.
    fn cut(&mut self, at: usize) -> Piece {
        let rest = self.piece.text.split_off(at);
        let text = std::mem::replace(&mut self.piece.text, rest);
        let ends = std::mem::take(&mut self.piece.ends);
        Piece {
            text,
            ends,
            is_raw: false,
        }
    }

    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        while self.piece.text.len() < wanted {
            let Some(input) = &mut self.input else {
                return Ok(());
            };
            let room = u64::try_from(wanted - self.piece.text.len()).unwrap_or(u64::MAX);
            if input.take(room).read_to_end(&mut self.piece.text)? == 0 {
                self.input = self.inputs.next();
                if self.input.is_some() {
                    self.piece.ends.push(self.piece.text.len());
                }
            }
        }
        Ok(())
    }
}

/// The last place where a game certainly begins: `[Event ` after an empty line.
fn last_border(text: &[u8]) -> Option<usize> {
    let mut end = text.len();
    while let Some(at) = memmem::rfind(text.get(..end)?, b"\n[Event ") {
        let before = text.get(..at)?;
        let before = before.strip_suffix(b"\r").unwrap_or(before);
        if before.ends_with(b"\n") {
            return Some(at + 1);
        }
        end = at;
    }
    // No tags: the reader says where the last game begins.
    let mut reader = Reader::from_slice(text);
    let mut border = 0;
    loop {
        let at = usize::try_from(reader.offset()).ok()?;
        if !reader.skip_game().ok()? {
            break;
        }
        border = at;
    }
    (border > 0).then_some(border)
}
