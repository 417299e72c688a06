//! PGN in, an archive out: all cores, bounded memory, the same bytes whatever their number.

use std::io::{Read, Write};
use std::num::NonZeroUsize;
use std::thread;

use codec::CodecName;
use pgn::{Flow, RawGame, RawTag, Reader, Stop, Visitor};

use super::cutter::Cutter;
use super::lossy::Lossy;
use super::row_builder::TagSet;
use super::row_group::{BadGame, Recipe};
use super::tag_column::{self, TAGS};
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
    /// The size of a piece of text that becomes a row group, in bytes.
    pub piece_bytes: usize,
    /// Whether every row group is proved to come back before it is written.
    pub is_checked: bool,
    /// The level of zstd.
    pub level: i32,
    /// What to leave out; nothing, so that every byte comes back.
    pub lossy: Option<Lossy>,
    /// How many bytes of memory may be used, more or less. It bounds the size of row groups and the
    /// number of threads, so the archive depends on it only if it is small.
    pub memory: usize,
}

/// A row group takes so many times the bytes of its text while it is made.
const ROOM: usize = 12;

impl PackOptions {
    fn row_group_bytes(&self) -> usize {
        self.piece_bytes.min(self.memory / ROOM).max(1 << 10)
    }

    fn workers(&self) -> NonZeroUsize {
        let most = self.memory / ROOM / self.row_group_bytes();
        self.threads
            .min(NonZeroUsize::new(most).unwrap_or(NonZeroUsize::MIN))
    }
}

impl Default for PackOptions {
    fn default() -> PackOptions {
        PackOptions {
            codec: CodecName::Packed,
            threads: thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            piece_bytes: 8 << 20,
            is_checked: true,
            level: 6,
            lossy: None,
            memory: 512 << 20,
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
    let mut cutter = Cutter::new(inputs.into_iter(), options.row_group_bytes());
    let mut first = cutter.next_piece()?;
    let mut tags = TagSet::from(TAGS.map(|tag| tag.is_always));
    if let Some(piece) = &first {
        note_tags(&piece.text, &mut tags);
    }
    let recipe = Recipe {
        tags,
        codec: options.codec,
        level: options.level,
        is_checked: options.is_checked,
        lossy: options.lossy,
    };
    let mut writer = FileWriter::new(out, &tags, options.codec, options.lossy)?;
    let mut packed = Packed::default();
    let mut number = 0;
    in_order(
        options.workers(),
        || -> Result<_, ArchiveError> {
            let piece = match first.take() {
                Some(piece) => Some(piece),
                None => cutter.next_piece()?,
            };
            number += 1;
            Ok(piece.map(|piece| (number - 1, piece)))
        },
        |(number, piece)| recipe.encode(number, piece),
        |group| {
            let group = group?;
            packed.games += group.games;
            packed.plies += group.plies;
            packed.text_bytes += group.input_bytes;
            packed.bad_games += u64::try_from(group.bad.len()).unwrap_or(0);
            for bad in &group.bad {
                if packed.bad.len() < 100 {
                    let row = bad.row + writer.rows();
                    packed.bad.push(BadGame { row, ..bad.clone() });
                }
            }
            progress(packed.games, packed.text_bytes);
            writer.write(group)
        },
    )?;
    let (out, _, length) = writer.finish()?;
    packed.archive_bytes = length;
    Ok((out, packed))
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
    // Some hundred games show what the rest is like; a tag that comes later is kept all the same.
    let text = text.get(..256 << 10).unwrap_or(text);
    let mut reader = Reader::from_slice(text);
    let mut names = Names(tags);
    while let Ok(Some(_)) = reader.read_game(&mut names) {}
}
