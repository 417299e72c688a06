//! Rows to the column chunks of a row group, and the proof that they come back.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Schema, SchemaRef};
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaDataReader};
use parquet::file::page_index::offset_index::PageLocation;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::schema::types::ColumnPath;

use super::batch_reader::{BatchReader, arrow_metadata};
use super::columns::Columns;
use super::fault::ArchiveFault;
use super::filter;
use super::list_column::LISTS;
use super::numbered_texts::NumberedTexts;
use super::tag_column::{TAGS, TagColumn, TagKind};
use super::transcript::{BadGame, InputEnd, Transcript};
use super::variety::Variety;
use super::window::Window;

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
    /// The files that end in the row group.
    pub(crate) file_ends: Vec<InputEnd>,
    /// Offsets count from the begin of the chunk.
    pub(crate) chunks: Vec<Chunk>,
    /// The pages of each chunk. Offsets count from the begin of the chunk.
    pub(crate) pages: Vec<Vec<PageLocation>>,
}

/// A column of a row group, ready to be written. Offsets count from the begin of its chunk.
#[derive(Clone, Debug)]
pub(crate) struct EncodedColumn {
    pub(crate) chunk: Chunk,
    pub(crate) pages: Vec<PageLocation>,
}

/// Metadata, bytes and checksum of a column chunk.
pub(crate) type Chunk = (ColumnChunkMetaData, Bytes, u32);

/// How row groups are made of rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    /// The level of zstd.
    pub(crate) level: i32,
    /// Whether what was written is read back and compared.
    pub(crate) is_checked: bool,
}

/// A column chunk and its pages.
type Column = (ColumnChunkMetaData, Vec<PageLocation>);

/// So many rows make a page. One game is read by decoding a page of each column; pages of 1,024 rows
/// would make archives some 3 % larger, these make them 0.8 % larger.
const PAGE_ROWS: usize = 4096;

/// So many rows are read back and compared at a time: they stay in the cache.
const PROVED_ROWS: usize = 2048;

impl Recipe {
    /// Encodes some columns of the rows of consecutive pieces, and proves that they come back.
    pub(crate) fn encode(
        &self,
        row_group: usize,
        offset: u64,
        batches: &[RecordBatch],
        columns: Range<usize>,
    ) -> Result<Vec<EncodedColumn>, ArchiveFault> {
        let parquet = |error: ParquetError| ArchiveFault::Parquet {
            row_group,
            message: error.to_string(),
        };
        if batches.iter().all(|rows| rows.num_rows() == 0) {
            return Ok(Vec::new());
        }
        let columns: Vec<usize> = columns.collect();
        let batches = batches.iter().map(|rows| rows.project(&columns));
        let batches: Result<Vec<_>, _> = batches.collect();
        let batches = batches.map_err(|error| parquet(error.into()))?;
        let (file, columns) = self.write(&batches).map_err(parquet)?;
        if self.is_checked && !come_back(&file, &batches).map_err(parquet)? {
            return Err(ArchiveFault::Proof { offset });
        }
        let mut encoded = Vec::with_capacity(columns.len());
        for (column, mut pages) in columns {
            let (offset, length) = column.byte_range();
            for page in &mut pages {
                page.offset -= i64::try_from(offset).unwrap_or(0);
            }
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
            let column = shifted(column, -i64::try_from(offset).unwrap_or(0)).map_err(parquet)?;
            encoded.push(EncodedColumn {
                chunk: (column, bytes, checksum),
                pages,
            });
        }
        Ok(encoded)
    }

    /// Writes batches as a Parquet file in memory.
    fn write(&self, batches: &[RecordBatch]) -> Result<(Bytes, Vec<Column>), ParquetError> {
        let options = ArrowWriterOptions::new()
            .with_properties(self.properties(batches)?)
            .with_skip_arrow_metadata(true);
        let mut file = Vec::new();
        let schema = schema_of(batches);
        let mut writer = ArrowWriter::try_new_with_options(&mut file, schema, options)?;
        for batch in batches {
            writer.write(batch)?;
        }
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

    fn properties(&self, batches: &[RecordBatch]) -> Result<WriterProperties, ParquetError> {
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
        // A dictionary and runs make nothing of flags.
        properties = properties.set_column_compression(path("flags"), Compression::UNCOMPRESSED);
        // Moves leave little to find, and looking for it harder takes longer than all other columns.
        properties = properties.set_column_compression(path("moves"), zstd(1)?);
        for column in LISTS {
            let parts = [column, "list", "item"].map(str::to_owned).to_vec();
            properties = split(properties, ColumnPath::new(parts));
        }
        for column in ["plies", "final_pawns", "home_left"] {
            properties = split(properties, path(column));
        }
        for (i, field) in schema_of(batches).fields().iter().enumerate() {
            let columns = batches.iter().filter_map(|rows| rows.columns().get(i));
            let variety = Variety::of(&columns.collect::<Vec<_>>());
            if let Some(tag) = TAGS.iter().find(|tag| tag.column == field.name()) {
                properties = of_tag(properties, tag, variety);
            }
            let name = field.name();
            let paths: &[&[&str]] = match field.data_type() {
                DataType::List(_) => &[&[name, "list", "item"]],
                DataType::Map(..) => &[&[name, "key_value", "key"], &[name, "key_value", "value"]],
                _ => &[&[name]],
            };
            for path in paths.iter().filter(|_| variety.is_little) {
                let path = ColumnPath::new(path.iter().map(|&part| part.to_owned()).collect());
                if variety.is_nothing {
                    // The footer says so, and nobody need read it.
                    properties = properties
                        .set_column_dictionary_enabled(path.clone(), false)
                        .set_column_statistics_enabled(path.clone(), EnabledStatistics::Chunk);
                }
                properties = properties.set_column_compression(path, Compression::UNCOMPRESSED);
            }
        }
        Ok(properties.build())
    }
}

/// The columns of some rows, of which all have the same.
fn schema_of(batches: &[RecordBatch]) -> SchemaRef {
    let schema = batches.first().map(RecordBatch::schema);
    schema.unwrap_or_else(|| Arc::new(Schema::empty()))
}

/// How the column of a tag is written.
fn of_tag(
    mut properties: WriterPropertiesBuilder,
    tag: &TagColumn,
    variety: Variety,
) -> WriterPropertiesBuilder {
    let path = ColumnPath::from(tag.column.to_owned());
    // Bounds of texts cost time, and are kept where they let a search pass over row groups.
    let is_sought = filter::BOUNDED_TEXTS.contains(&tag.column);
    if is_sought || tag.kind != TagKind::Text {
        let bounds = EnabledStatistics::Chunk;
        properties = properties.set_column_statistics_enabled(path.clone(), bounds);
    }
    match tag.kind {
        TagKind::Text if variety.is_diverse => properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::DELTA_LENGTH_BYTE_ARRAY),
        TagKind::Text => properties,
        // Neighbours have the same date or the next: zstd finds more of that in the dates
        // themselves than in numbers of a dictionary.
        TagKind::Date => properties.set_column_dictionary_enabled(path, false),
        TagKind::Number | TagKind::Signed | TagKind::Time => split(properties, path),
    }
}

/// Numbers that differ in their low bytes only: all first bytes, all second bytes and so on.
fn split(properties: WriterPropertiesBuilder, path: ColumnPath) -> WriterPropertiesBuilder {
    properties
        .set_column_dictionary_enabled(path.clone(), false)
        .set_column_encoding(path, Encoding::BYTE_STREAM_SPLIT)
}

impl EncodedRowGroup {
    /// Counts what a transcript has, and adds its rows to `batches`.
    pub(crate) fn add(&mut self, transcript: Transcript, batches: &mut Vec<RecordBatch>) {
        let before = self.rows;
        self.rows += transcript.rows.num_rows();
        self.games += transcript.games;
        self.plies += transcript.plies;
        self.input_bytes += transcript.input_bytes;
        self.text_bytes += transcript.text_bytes;
        let wide = u64::try_from(before).unwrap_or(u64::MAX);
        self.bad
            .extend(transcript.bad.into_iter().map(|bad| BadGame {
                row: bad.row.saturating_add(wide),
                ..bad
            }));
        let ends = transcript.file_ends.into_iter();
        self.file_ends.extend(ends.map(|end| InputEnd {
            rows: before + end.rows,
            ..end
        }));
        batches.push(transcript.rows);
    }
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

/// Whether a file in memory that has one row group gives the rows of these batches.
fn come_back(file: &Bytes, batches: &[RecordBatch]) -> Result<bool, ParquetError> {
    let metadata = ParquetMetaDataReader::new().parse_and_finish(file)?;
    let metadata = arrow_metadata(metadata)?;
    let window = Window::whole(file.clone());
    let read = BatchReader::new(window, metadata, 0, Columns::ALL, PROVED_ROWS)?;
    let mut batches = batches.iter();
    let mut expected: Option<RecordBatch> = None;
    for read in read {
        let mut read = read?;
        while read.num_rows() > 0 {
            let Some(batch) = expected.take().or_else(|| batches.next().cloned()) else {
                return Ok(false);
            };
            let count = batch.num_rows().min(read.num_rows());
            if !are_equal(&batch.slice(0, count), &read.slice(0, count)) {
                return Ok(false);
            }
            read = read.slice(count, read.num_rows() - count);
            let rest = batch.slice(count, batch.num_rows() - count);
            expected = Some(rest).filter(|rest| rest.num_rows() > 0);
        }
    }
    Ok(expected.is_none() && batches.all(|batch| batch.num_rows() == 0))
}

/// Whether what was read is what was written: in whatever order the columns are, and without those that
/// have nothing.
fn are_equal(written: &RecordBatch, read: &RecordBatch) -> bool {
    let schema = written.schema_ref();
    let mut columns = schema.fields().iter().zip(written.columns());
    columns.all(|(field, column)| match read.column_by_name(field.name()) {
        Some(read) => match (NumberedTexts::of(read), NumberedTexts::of(column)) {
            (Some(read), Some(column)) => read.is_same(&column),
            _ => read == column,
        },
        None => column.null_count() == column.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::batch_reader::empty_columns;
    use crate::games::clerk::Clerk;
    use crate::games::cutter::Piece;
    use crate::games::row_builder::whole_schema;
    use crate::games::transcript::Manner;
    use arrow_array::StringArray;
    use codec::CodecName;

    /// The rows of games with clocks, with tags of their own and without.
    fn rows(games: Range<usize>) -> RecordBatch {
        let game = |i: usize| {
            let clock = format!("{{ [%clk 0:{:02}:00] }}", i % 60);
            let tag = if i.is_multiple_of(7) {
                "[Mood \"bad\"]\n"
            } else {
                ""
            };
            format!("[White \"{i}\"]\n{tag}\n1. e4 {clock} 1... e5 {clock} *\n\n")
        };
        let mut piece = Piece {
            text: games.map(game).collect::<String>().into_bytes(),
            ..Piece::default()
        };
        let manner = Manner {
            codec: CodecName::Index,
            lossy: None,
        };
        Clerk::new(manner).take_down(&mut piece, 0).unwrap().rows
    }

    #[test]
    fn the_footer_tells_which_columns_have_nothing() {
        let recipe = Recipe {
            level: 1,
            is_checked: true,
        };
        // Only one of these has a tag without a column.
        for (games, has_others) in [(1..7, false), (1..8, true)] {
            let (file, _) = recipe.write(&[rows(games)]).unwrap();
            let metadata = ParquetMetaDataReader::new()
                .parse_and_finish(&file)
                .unwrap();
            let empty: Vec<&str> = empty_columns(metadata.row_group(0)).collect();
            for name in ["fen", "white_elo", "utc_date", "evals", "difference"] {
                assert!(empty.contains(&name), "{name}");
            }
            for name in [
                "white",
                "tag_order",
                "flags",
                "moves",
                "clocks",
                "annotations",
            ] {
                assert!(!empty.contains(&name), "{name}");
            }
            assert_eq!(empty.contains(&"tags"), !has_others);
        }
    }

    #[test]
    fn only_the_rows_that_were_written_come_back() {
        let recipe = Recipe {
            level: 1,
            is_checked: true,
        };
        let all = [rows(0..1500), rows(1500..2500), rows(2500..5000)];
        let (file, _) = recipe.write(&all).unwrap();
        let come_back = |batches: &[RecordBatch]| come_back(&file, batches).unwrap();
        assert!(come_back(&all));
        assert!(come_back(&[rows(0..5000)]));
        assert!(come_back(&[
            rows(0..0),
            rows(0..1),
            rows(1..5000),
            rows(0..0)
        ]));
        // Fewer, more, others, in another order; or something where there was nothing.
        assert!(!come_back(&[rows(0..4999)]) && !come_back(&[rows(0..5001)]));
        assert!(!come_back(&[rows(1..5001)]) && !come_back(&[]));
        assert!(!come_back(&[
            rows(1500..2500),
            rows(0..1500),
            rows(2500..5000)
        ]));
        let none = StringArray::new_null(5000);
        for (i, field) in whole_schema().fields().iter().enumerate() {
            let mut columns = rows(0..5000).columns().to_vec();
            if field.data_type() == &DataType::Utf8 {
                let is_empty = columns[i].null_count() == 5000;
                let text = is_empty.then_some("a");
                columns[i] = Arc::new(StringArray::from_iter(
                    (0..5000).map(|row| if row == 4000 { text } else { None }),
                ));
                assert!(is_empty || *columns[i] == none);
                let batch = RecordBatch::try_new(whole_schema(), columns).unwrap();
                assert!(!come_back(&[batch]), "{field}");
            }
        }
    }
}
