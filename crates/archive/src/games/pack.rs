//! PGN in, an archive out: all cores, bounded memory, the same bytes whatever their number.

use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::thread;

use codec::CodecName;
use pgn::{Flow, RawGame, RawTag, Reader, Stop, Visitor};

use super::cutter::Cutter;
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

/// Packs texts, each with its name, into an archive. A text is asked for when the one before it has
/// been read. `progress` is told what has been packed.
///
/// # Errors
/// [`ArchiveError::Io`], or [`ArchiveFault::Proof`](super::ArchiveFault::Proof) if the archive
/// would not give back its input.
pub fn pack<R: Read, W: Write>(
    inputs: impl IntoIterator<Item = io::Result<(String, R)>>,
    out: W,
    options: &PackOptions,
    mut progress: impl FnMut(&Packed),
) -> Result<(W, Packed), ArchiveError> {
    let mut cutter = Cutter::new(inputs.into_iter(), options.piece_bytes.max(1 << 10));
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
    };
    let mut writer = FileWriter::new(out, &tags, options.codec)?;
    let mut packed = Packed::default();
    let mut number = 0;
    in_order(
        options.threads,
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
            packed.text_bytes += group.text_bytes;
            packed.bad_games += u64::try_from(group.bad.len()).unwrap_or(0);
            for bad in &group.bad {
                if packed.bad.len() < 100 {
                    let row = bad.row + writer.rows();
                    packed.bad.push(BadGame { row, ..bad.clone() });
                }
            }
            progress(&packed);
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
    // A megabyte of games shows what the rest is like; a tag that comes later is kept all the same.
    let text = text.get(..1 << 20).unwrap_or(text);
    let mut reader = Reader::from_slice(text);
    let mut names = Names(tags);
    while let Ok(Some(_)) = reader.read_game(&mut names) {}
}
