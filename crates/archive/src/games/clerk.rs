//! A piece of PGN to rows, and the proof that its text comes back from them.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::BinaryBuilder;
use pgn::Reader;

use super::cutter::Piece;
use super::detect::Layouts;
use super::difference;
use super::fault::{ArchiveFault, RowFault};
use super::flags::RowKind;
use super::layout::Layout;
use super::numbered_texts::NumberedTextsBuilder;
use super::recorder::Recorder;
use super::row_builder::{RowBuilder, with_text};
use super::rows::{Rows, Scratch};
use super::transcript::{BadGame, InputEnd, Manner, Transcript};

/// Takes pieces down, one after the other. Its memory is used again: the kernel would clear fresh memory
/// for each. What one piece becomes does not depend on those before it.
pub(crate) struct Clerk {
    manner: Manner,
    recorder: Recorder,
    builder: RowBuilder,
    scratch: Scratch,
    /// The text of a game, restored.
    written: Vec<u8>,
}

impl Clerk {
    pub(crate) fn new(manner: Manner) -> Clerk {
        Clerk {
            manner,
            recorder: Recorder::new(&manner),
            builder: RowBuilder::new(manner.codec),
            scratch: Scratch::default(),
            written: Vec::new(),
        }
    }

    /// Takes down a piece, which begins at a byte of the inputs, and compares what the rows give with
    /// it.
    pub(crate) fn take_down(
        &mut self,
        piece: &mut Piece,
        offset: u64,
    ) -> Result<Transcript, ArchiveFault> {
        let place = |at: usize| offset.saturating_add(u64::try_from(at).unwrap_or(u64::MAX));
        let proof = |at: usize| ArchiveFault::Proof { offset: place(at) };
        let mut taken = Taken::default();
        let mut start = 0;
        let mut file_ends = Vec::with_capacity(piece.ends.len());
        let ends = std::mem::take(&mut piece.ends)
            .into_iter()
            .map(|end| (end.at, Some(end.name)));
        for (end, name) in ends.chain([(piece.text.len(), None)]) {
            let text = piece.text.get(start..end).unwrap_or_default();
            self.take_down_text(text, start, piece.is_raw, &mut taken);
            start = end;
            file_ends.extend(name.map(|name| InputEnd {
                rows: taken.spans.len(),
                offset: place(end),
                name,
            }));
        }
        for bad in &mut taken.bad {
            bad.offset = bad.offset.saturating_add(offset);
        }
        let batch = self.builder.finish().map_err(|_| proof(0))?;
        let rows = Rows::new(&batch, self.manner.codec).map_err(|_| proof(0))?;
        let (text_columns, text_bytes) = self
            .compare(&rows, &piece.text, &taken.spans)
            .map_err(proof)?;
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

    /// Takes down all games of a text. Every byte of it belongs to a row.
    fn take_down_text(&mut self, text: &[u8], base: usize, is_raw: bool, taken: &mut Taken) {
        let Clerk {
            recorder, builder, ..
        } = self;
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
                let bytes = reader.last_game().bytes;
                taken.games += 1;
                let keep = match result {
                    Ok(()) => {
                        taken.plies += u64::try_from(recorder.scribe.plies()).unwrap_or(0);
                        builder.push_game(recorder, bytes).is_err()
                    }
                    Err(error) => {
                        builder.push_bad(recorder, bytes, &error);
                        taken.bad.push(BadGame {
                            row: u64::try_from(taken.spans.len() + 1).unwrap_or(u64::MAX),
                            input: String::new(),
                            offset: error.offset.saturating_add(base as u64),
                            cause: error.cause.to_string(),
                        });
                        true
                    }
                };
                left = push(taken, bytes.len(), keep);
            }
        }
        if left > 0 {
            builder.push_text();
            push(taken, left, true);
        }
    }

    /// Restores every row from the columns, finds its layout, and describes what differs: the columns
    /// that [`with_text`] wants, and how many bytes come back.
    ///
    /// # Errors
    /// The byte from which the text does not come back.
    fn compare(
        &mut self,
        rows: &Rows,
        text: &[u8],
        spans: &[Span],
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
        let Clerk {
            manner,
            scratch,
            written,
            ..
        } = self;
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
                rows.write_in(row, &Layout::PLAIN, scratch, written)
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
            rows.write_in(row, &layout, scratch, written)
                .map_err(fault)?;
            if *written == original {
                push_layout(layout, &mut layout_column);
                difference_column.append_null();
                restored += original.len();
                continue;
            }
            let (layout, fits) = layouts.find(original, written, |layout, out| {
                // It was written once without a fault.
                let _ = rows.write_in(row, layout, scratch, out);
            });
            push_layout(layout, &mut layout_column);
            if fits {
                difference_column.append_null();
            } else {
                difference.clear();
                difference::describe(written, original, &mut difference);
                back.clear();
                let applied = difference::apply(written, &difference, &mut back);
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
}

/// A row's text.
struct Span {
    range: Range<usize>,
    keep: bool,
}

#[derive(Default)]
struct Taken {
    spans: Vec<Span>,
    games: u64,
    bad: Vec<BadGame>,
    plies: u64,
}
