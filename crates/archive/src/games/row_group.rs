//! A piece of PGN to the column chunks of a row group, and the proof that it comes back.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use bytes::Bytes;
use codec::CodecName;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::page_index::offset_index::PageLocation;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use pgn::Reader;

use super::cutter::Piece;
use super::detect::Layouts;
use super::difference;
use super::fault::ArchiveFault;
use super::flags::RowKind;
use super::layout::Layout;
use super::lossy::Lossy;
use super::recorder::Recorder;
use super::row_builder::{RowBuilder, TagSet, text_schema};
use super::rows::{Rows, Scratch};
use super::tag_column::{TAGS, TagKind};

/// A bad game, for the report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadGame {
    /// The number of the row in the archive, from 1.
    pub row: u64,
    /// What is wrong with it.
    pub error: String,
}

/// The column chunks of a row group, ready to be written.
#[derive(Debug, Default)]
pub(crate) struct EncodedRowGroup {
    pub(crate) rows: usize,
    pub(crate) games: u64,
    pub(crate) bad: Vec<BadGame>,
    pub(crate) plies: u64,
    /// Bytes of the text that was packed, and of that which comes back.
    pub(crate) input_bytes: u64,
    pub(crate) text_bytes: u64,
    /// The rows up to the end of each file that ends in the piece, and its name.
    pub(crate) file_ends: Vec<(usize, String)>,
    /// Offsets count from the begin of the chunk.
    pub(crate) chunks: Vec<Chunk>,
    /// The pages of each chunk. Offsets count from the begin of the chunk.
    pub(crate) pages: Vec<Vec<PageLocation>>,
}

/// Metadata, bytes and checksum of a column chunk.
pub(crate) type Chunk = (ColumnChunkMetaData, Bytes, u32);

/// How row groups are made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    pub(crate) tags: TagSet,
    pub(crate) codec: CodecName,
    pub(crate) level: i32,
    pub(crate) is_checked: bool,
    pub(crate) lossy: Option<Lossy>,
}

/// A column chunk and its pages.
type Column = (ColumnChunkMetaData, Vec<PageLocation>);

/// So many rows make a page. One game is read by decoding a page of each column; pages of 1,024 rows
/// would make archives some 3 % larger, these make them 0.8 % larger.
const PAGE_ROWS: usize = 4096;

/// A row's text.
struct Span {
    range: Range<usize>,
    keep: bool,
}

impl Recipe {
    /// Encodes a piece and proves that it comes back.
    pub(crate) fn encode(
        &self,
        number: usize,
        piece: Piece,
    ) -> Result<EncodedRowGroup, ArchiveFault> {
        if piece.text.is_empty() {
            let ends = piece.ends.into_iter();
            return Ok(EncodedRowGroup {
                file_ends: ends.map(|end| (0, end.name)).collect(),
                ..EncodedRowGroup::default()
            });
        }
        let parquet = |error: ParquetError| ArchiveFault::Parquet {
            row_group: number,
            message: error.to_string(),
        };
        let mut builder = RowBuilder::new(&self.tags, self.codec);
        let mut taken = Taken::default();
        let mut recorder = Recorder::new(self.lossy);
        let mut start = 0;
        let mut file_ends = Vec::with_capacity(piece.ends.len());
        let ends = piece.ends.into_iter().map(|end| (end.at, Some(end.name)));
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
        let batch = builder.finish().map_err(|error| parquet(error.into()))?;
        let main = self.write(&batch).map_err(parquet)?;
        let (file, columns) = main;
        let rows = read_rows(file.clone(), self.codec, number)?;
        let (text_batch, text_bytes) = self.compare(number, &rows, &piece.text, &taken.spans)?;
        let restored = piece.text.len();
        let (text_file, text_columns) = self.write(&text_batch).map_err(parquet)?;
        if self.is_checked {
            // The columns just written are read back too; the text they give was compared above.
            let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
            let reader =
                ParquetRecordBatchReaderBuilder::try_new_with_options(text_file.clone(), options)
                    .and_then(|builder| builder.with_batch_size(rows.len().max(1)).build())
                    .map_err(parquet)?;
            let mut at = 0;
            for batch in reader {
                let batch = batch.map_err(|error| parquet(error.into()))?;
                if text_batch.slice(at, batch.num_rows()).columns() != batch.columns() {
                    return Err(ArchiveFault::Proof {
                        row_group: number,
                        offset: restored,
                    });
                }
                at += batch.num_rows();
            }
            if at != text_batch.num_rows() {
                return Err(ArchiveFault::Proof {
                    row_group: number,
                    offset: restored,
                });
            }
        }
        let mut chunks = Vec::with_capacity(columns.len() + text_columns.len());
        let mut pages = Vec::with_capacity(chunks.capacity());
        for (file, columns) in [(file, columns), (text_file, text_columns)] {
            for (column, mut places) in columns {
                let (offset, length) = column.byte_range();
                for page in &mut places {
                    page.offset -= i64::try_from(offset).unwrap_or(0);
                }
                pages.push(places);
                let offset = usize::try_from(offset).unwrap_or(usize::MAX);
                let length = usize::try_from(length).unwrap_or(usize::MAX);
                if offset
                    .checked_add(length)
                    .is_none_or(|end| end > file.len())
                {
                    return Err(ArchiveFault::Footer {
                        what: "chunks lie outside of the file",
                    });
                }
                let bytes = file.slice(offset..offset + length);
                let checksum = crc32c::crc32c(&bytes);
                let column =
                    shifted(column, -i64::try_from(offset).unwrap_or(0)).map_err(parquet)?;
                chunks.push((column, bytes, checksum));
            }
        }
        Ok(EncodedRowGroup {
            rows: taken.spans.len(),
            games: taken.games,
            bad: taken.bad,
            plies: taken.plies,
            input_bytes: u64::try_from(piece.text.len()).unwrap_or(u64::MAX),
            text_bytes: u64::try_from(text_bytes).unwrap_or(u64::MAX),
            file_ends,
            chunks,
            pages,
        })
    }

    /// Restores every row from the columns, finds its layout, and describes what differs.
    fn compare(
        &self,
        number: usize,
        rows: &Rows,
        text: &[u8],
        spans: &[Span],
    ) -> Result<(RecordBatch, usize), ArchiveFault> {
        let mut layouts = Layouts::default();
        let mut layout_column = StringBuilder::new();
        // Most games have the layout of the one before.
        let mut layout_text = (Layout::PLAIN, Layout::PLAIN.to_string());
        let mut push_layout = |layout: Layout, column: &mut StringBuilder| {
            if layout != layout_text.0 {
                layout_text = (layout, layout.to_string());
            }
            column.append_value(&layout_text.1);
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
            let fault = |fault| ArchiveFault::Row {
                row_group: number,
                row: u64::try_from(row + 1).unwrap_or(u64::MAX),
                fault,
            };
            let kind = rows.flags(row).map_err(fault)?.kind();
            if span.keep || kind != RowKind::Game {
                layout_column.append_null();
                difference.clear();
                difference::whole(original, &mut difference);
                difference_column.append_value(&difference);
                restored += original.len();
                continue;
            }
            if self.lossy.is_some() {
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
                    return Err(ArchiveFault::Proof {
                        row_group: number,
                        offset: restored,
                    });
                }
                difference_column.append_value(&difference);
            }
            restored += original.len();
        }
        if restored != text.len() || rows.len() != spans.len() {
            return Err(ArchiveFault::Proof {
                row_group: number,
                offset: restored,
            });
        }
        let columns: Vec<ArrayRef> = vec![
            Arc::new(layout_column.finish()),
            Arc::new(difference_column.finish()),
        ];
        let batch = RecordBatch::try_new(text_schema(), columns).map_err(|error| {
            ArchiveFault::Parquet {
                row_group: number,
                message: error.to_string(),
            }
        })?;
        Ok((batch, restored.saturating_add_signed(-shorter)))
    }

    /// Writes a batch as a Parquet file in memory.
    fn write(&self, batch: &RecordBatch) -> Result<(Bytes, Vec<Column>), ParquetError> {
        let options = ArrowWriterOptions::new()
            .with_properties(self.properties(batch)?)
            .with_skip_arrow_metadata(true);
        let mut file = Vec::new();
        let mut writer = ArrowWriter::try_new_with_options(&mut file, batch.schema(), options)?;
        writer.write(batch)?;
        let metadata = writer.close()?;
        let columns = metadata
            .row_groups()
            .iter()
            .flat_map(|group| group.columns());
        let index = metadata.offset_index().into_iter().flatten().flatten();
        let pages = index.map(|index| index.page_locations.clone());
        let columns = columns.cloned().zip(pages).collect();
        Ok((file.into(), columns))
    }

    fn properties(&self, batch: &RecordBatch) -> Result<WriterProperties, ParquetError> {
        let zstd = |level| ZstdLevel::try_new(level).map(Compression::ZSTD);
        let path = |name: &str| ColumnPath::from(name.to_owned());
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("scoresheet ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(zstd(self.level)?)
            .set_max_row_group_row_count(None)
            .set_data_page_row_count_limit(PAGE_ROWS)
            .set_data_page_size_limit(1 << 20)
            .set_dictionary_page_size_limit(4 << 20)
            .set_statistics_enabled(EnabledStatistics::None);
        for name in ["moves", "annotations", "difference"] {
            properties = properties
                .set_column_dictionary_enabled(path(name), false)
                .set_column_encoding(path(name), Encoding::DELTA_LENGTH_BYTE_ARRAY);
        }
        // Moves leave little to find, and looking for it harder takes longer than all other columns.
        properties = properties.set_column_compression(path("moves"), zstd(1)?);
        for name in ["clocks", "evals"] {
            let parts = [name, "list", "item"].map(str::to_owned).to_vec();
            properties = properties
                .set_column_dictionary_enabled(ColumnPath::new(parts.clone()), false)
                .set_column_encoding(ColumnPath::new(parts), Encoding::BYTE_STREAM_SPLIT);
        }
        for tag in &TAGS {
            let Some(column) = batch.column_by_name(tag.column) else {
                continue;
            };
            properties = properties
                .set_column_statistics_enabled(path(tag.column), EnabledStatistics::Chunk);
            if tag.kind == TagKind::Text && is_diverse(column) {
                properties = properties
                    .set_column_dictionary_enabled(path(tag.column), false)
                    .set_column_encoding(path(tag.column), Encoding::DELTA_LENGTH_BYTE_ARRAY);
            }
        }
        Ok(properties.build())
    }
}

/// Whether most values of a column are there once: a dictionary would be a second copy of it.
fn is_diverse(column: &ArrayRef) -> bool {
    use arrow_array::cast::AsArray;
    let Some(texts) = column.as_string_opt::<i32>() else {
        return false;
    };
    let sample = texts.iter().flatten().take(4096);
    let mut count = 0usize;
    let distinct: std::collections::HashSet<&str> = sample.inspect(|_| count += 1).collect();
    distinct.len() * 4 > count * 3
}

/// The same metadata with the chunk elsewhere.
pub(crate) fn shifted(
    column: ColumnChunkMetaData,
    by: i64,
) -> Result<ColumnChunkMetaData, ParquetError> {
    let data = column.data_page_offset() + by;
    let dictionary = column.dictionary_page_offset().map(|offset| offset + by);
    column
        .into_builder()
        .set_data_page_offset(data)
        .set_dictionary_page_offset(dictionary)
        .build()
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
                    taken.plies += u64::try_from(recorder.moves.len()).unwrap_or(0);
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

/// Reads the rows of a file in memory that has one row group.
fn read_rows(file: Bytes, codec: CodecName, number: usize) -> Result<Rows, ArchiveFault> {
    let parquet = |message: String| ArchiveFault::Parquet {
        row_group: number,
        message,
    };
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options)
        .map_err(|error| parquet(error.to_string()))?;
    rows_of(builder, codec).map_err(|error| match error {
        Ok(message) => parquet(message),
        Err(fault) => ArchiveFault::Row {
            row_group: number,
            row: 1,
            fault,
        },
    })
}

/// All rows that a reader gives, as one batch.
pub(crate) fn rows_of<R: parquet::file::reader::ChunkReader + 'static>(
    builder: ParquetRecordBatchReaderBuilder<R>,
    codec: CodecName,
) -> Result<Rows, Result<String, super::fault::RowFault>> {
    let count = builder
        .metadata()
        .row_groups()
        .iter()
        .map(|group| group.num_rows());
    let count = usize::try_from(count.max().unwrap_or(0)).unwrap_or(0);
    let schema = builder.schema().clone();
    let reader = builder.with_batch_size(count.max(1)).build();
    let mut reader = reader.map_err(|error| Ok(error.to_string()))?;
    let batch = match reader.next() {
        Some(batch) => batch.map_err(|error| Ok(error.to_string()))?,
        None => RecordBatch::new_empty(schema),
    };
    if reader.next().is_some() {
        return Err(Ok("more rows than announced".to_owned()));
    }
    Rows::new(&batch, codec).map_err(Err)
}
