//! A piece of PGN to rows, and the proof that its text comes back from them.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::BinaryBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use codec::CodecName;
use pgn::Reader;

use super::cutter::Piece;
use super::detect::Layouts;
use super::difference;
use super::fault::{ArchiveFault, RowFault};
use super::flags::RowKind;
use super::layout::Layout;
use super::lossy::Lossy;
use super::numbered_texts::NumberedTextsBuilder;
use super::recorder::Recorder;
use super::row_builder::{RowBuilder, with_text};
use super::rows::{Rows, Scratch};

/// A bad game, for the report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadGame {
    /// The number of the row in the archive, from 1.
    pub row: u64,
    /// What is wrong with it.
    pub error: String,
}

/// How games are taken down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) codec: CodecName,
    pub(crate) lossy: Option<Lossy>,
}

/// The rows of a piece.
#[derive(Debug)]
pub(crate) struct Transcript {
    /// Where in the inputs the piece begins.
    pub(crate) offset: u64,
    pub(crate) rows: RecordBatch,
    pub(crate) games: u64,
    pub(crate) bad: Vec<BadGame>,
    pub(crate) plies: u64,
    /// Bytes of the text that was packed, and of that which comes back.
    pub(crate) input_bytes: u64,
    pub(crate) text_bytes: u64,
    /// The rows up to the end of each file that ends in the piece, and its name.
    pub(crate) file_ends: Vec<(usize, String)>,
}

/// A row's text.
struct Span {
    range: Range<usize>,
    keep: bool,
}

impl Transcript {
    /// Takes down a piece, which begins at a byte of the inputs, and compares what the rows give with
    /// it.
    pub(crate) fn of(
        piece: &mut Piece,
        manner: &Manner,
        offset: u64,
    ) -> Result<Transcript, ArchiveFault> {
        let proof = |at: usize| ArchiveFault::Proof {
            offset: offset.saturating_add(u64::try_from(at).unwrap_or(u64::MAX)),
        };
        let mut builder = RowBuilder::new(manner.codec);
        let mut taken = Taken::default();
        let mut recorder = Recorder::new(manner);
        let mut start = 0;
        let mut file_ends = Vec::with_capacity(piece.ends.len());
        let ends = std::mem::take(&mut piece.ends)
            .into_iter()
            .map(|end| (end.at, Some(end.name)));
        for (end, name) in ends.chain([(piece.text.len(), None)]) {
            let text = piece.text.get(start..end).unwrap_or_default();
            take_down(
                text,
                start,
                piece.is_raw,
                &mut recorder,
                &mut builder,
                &mut taken,
            );
            start = end;
            file_ends.extend(name.map(|name| (taken.spans.len(), name)));
        }
        let batch = builder.finish().map_err(|_| proof(0))?;
        let rows = Rows::new(&batch, manner.codec).map_err(|_| proof(0))?;
        let (text_columns, text_bytes) =
            compare(&rows, &piece.text, &taken.spans, manner).map_err(proof)?;
        Ok(Transcript {
            offset,
            rows: with_text(&batch, text_columns).map_err(|_| proof(0))?,
            games: taken.games,
            bad: taken.bad,
            plies: taken.plies,
            input_bytes: u64::try_from(piece.text.len()).unwrap_or(u64::MAX),
            text_bytes: u64::try_from(text_bytes).unwrap_or(u64::MAX),
            file_ends,
        })
    }
}

/// Restores every row from the columns, finds its layout, and describes what differs: the columns
/// that [`with_text`] wants, and how many bytes come back.
///
/// # Errors
/// The byte from which the text does not come back.
fn compare(
    rows: &Rows,
    text: &[u8],
    spans: &[Span],
    manner: &Manner,
) -> Result<([ArrayRef; 2], usize), usize> {
    let mut layouts = Layouts::default();
    let mut layout_column = NumberedTextsBuilder::default();
    // Most games have the layout of the one before.
    let mut layout_text = (Layout::PLAIN, Layout::PLAIN.to_string());
    let mut push_layout = |layout: Layout, column: &mut NumberedTextsBuilder| {
        let is_again = layout == layout_text.0;
        if !is_again {
            layout_text = (layout, layout.to_string());
        }
        column.push(&layout_text.1, is_again);
    };
    let mut difference_column = BinaryBuilder::new();
    let mut scratch = Scratch::default();
    let mut written = Vec::new();
    let mut difference = Vec::new();
    let mut back = Vec::new();
    let mut restored = 0;
    // What comes back is as long, unless something is left out.
    let mut shorter = 0;
    for (row, span) in spans.iter().enumerate() {
        let original = text.get(span.range.clone()).unwrap_or_default();
        let fault = |_: RowFault| span.range.start;
        let kind = rows.flags(row).map_err(fault)?.kind();
        if span.keep || kind != RowKind::Game {
            layout_column.push_null();
            difference.clear();
            difference::whole(original, &mut difference);
            difference_column.append_value(&difference);
            restored += original.len();
            continue;
        }
        if manner.lossy.is_some() {
            written.clear();
            rows.write_in(row, &Layout::PLAIN, &mut scratch, &mut written)
                .map_err(fault)?;
            push_layout(Layout::PLAIN, &mut layout_column);
            difference_column.append_null();
            restored += original.len();
            shorter += isize::try_from(original.len()).unwrap_or(0)
                - isize::try_from(written.len()).unwrap_or(0);
            continue;
        }
        let layout = layouts.last();
        written.clear();
        rows.write_in(row, &layout, &mut scratch, &mut written)
            .map_err(fault)?;
        if written == original {
            push_layout(layout, &mut layout_column);
            difference_column.append_null();
            restored += original.len();
            continue;
        }
        let (layout, fits) = layouts.find(original, &mut written, |layout, out| {
            // It was written once without a fault.
            let _ = rows.write_in(row, layout, &mut scratch, out);
        });
        push_layout(layout, &mut layout_column);
        if fits {
            difference_column.append_null();
        } else {
            written.clear();
            rows.write_in(row, &layout, &mut scratch, &mut written)
                .map_err(fault)?;
            difference.clear();
            difference::describe(&written, original, &mut difference);
            back.clear();
            let applied = difference::apply(&written, &difference, &mut back);
            if applied.is_none() || back != original {
                return Err(restored);
            }
            difference_column.append_value(&difference);
        }
        restored += original.len();
    }
    if restored != text.len() || rows.len() != spans.len() {
        return Err(restored);
    }
    let columns: [ArrayRef; 2] = [
        layout_column.finish().map_err(|_| 0usize)?,
        Arc::new(difference_column.finish()),
    ];
    Ok((columns, restored.saturating_add_signed(-shorter)))
}

#[derive(Default)]
struct Taken {
    spans: Vec<Span>,
    games: u64,
    bad: Vec<BadGame>,
    plies: u64,
}

/// Takes down all games of a text. Every byte of it belongs to a row.
fn take_down(
    text: &[u8],
    base: usize,
    is_raw: bool,
    recorder: &mut Recorder,
    builder: &mut RowBuilder,
    taken: &mut Taken,
) {
    let mut at = 0;
    let mut push = |taken: &mut Taken, length: usize, keep: bool| {
        let range = base + at..base + at + length;
        at += length;
        taken.spans.push(Span { range, keep });
        text.get(at..).unwrap_or_default().len()
    };
    let mut left = text.len();
    if !is_raw {
        let limits = pgn::Limits {
            game_bytes: usize::MAX / 8,
            ..pgn::Limits::default()
        };
        let mut reader = Reader::from_slice(text).with_limits(limits);
        // Memory gives no I/O errors.
        while let Ok(Some(result)) = reader.read_game(recorder) {
            let length = reader.last_game().bytes.len();
            taken.games += 1;
            let keep = match result {
                Ok(()) => {
                    taken.plies += u64::try_from(recorder.scribe.plies()).unwrap_or(0);
                    builder.push_game(recorder).is_err()
                }
                Err(error) => {
                    builder.push_bad(recorder, &error);
                    taken.bad.push(BadGame {
                        row: u64::try_from(taken.spans.len() + 1).unwrap_or(u64::MAX),
                        error: error.to_string(),
                    });
                    true
                }
            };
            left = push(taken, length, keep);
        }
    }
    if left > 0 {
        builder.push_text();
        push(taken, left, true);
    }
}
