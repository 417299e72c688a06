//! Rows to the column chunks of a row group, and the proof that they come back.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, StringArray};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Schema};
use arrow_select::concat::concat_batches;
use bytes::Bytes;
use codec::CodecName;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::page_index::offset_index::PageLocation;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::schema::types::{ColumnPath, SchemaDescriptor};

use super::binder::Bound;
use super::columns::Columns;
use super::fault::ArchiveFault;
use super::filter;
use super::list_column::{self, LISTS};
use super::rows::Rows;
use super::tag_column::{TAGS, TagKind};
use super::transcript::{BadGame, Transcript};
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
    /// The rows up to the end of each file that ends in the row group, and its name.
    pub(crate) file_ends: Vec<(usize, String)>,
    /// Offsets count from the begin of the chunk.
    pub(crate) chunks: Vec<Chunk>,
    /// The pages of each chunk. Offsets count from the begin of the chunk.
    pub(crate) pages: Vec<Vec<PageLocation>>,
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

/// So many rows are handed to the library at a time: it makes two words of every number in a list, which
/// are to stay in the cache.
const WRITTEN_ROWS: usize = 1024;

impl Recipe {
    /// Encodes the rows of consecutive pieces, and proves that they come back.
    pub(crate) fn encode(&self, bound: Bound) -> Result<EncodedRowGroup, ArchiveFault> {
        let Bound {
            number,
            transcripts,
        } = bound;
        let parquet = |error: ParquetError| ArchiveFault::Parquet {
            row_group: number,
            message: error.to_string(),
        };
        let offset = transcripts.first().map_or(0, |first| first.offset);
        let mut group = EncodedRowGroup::default();
        let mut batches = Vec::with_capacity(transcripts.len());
        for transcript in transcripts {
            group.add(transcript, &mut batches);
        }
        let Some(first) = batches.first().filter(|_| group.rows > 0) else {
            return Ok(group);
        };
        let batch = concat_batches(&first.schema(), &batches);
        let batch = batch.map_err(|error| parquet(error.into()))?;
        drop(batches);
        let (file, columns) = self.write(&batch).map_err(parquet)?;
        if self.is_checked && !comes_back(&file, &batch).map_err(parquet)? {
            return Err(ArchiveFault::Proof { offset });
        }
        for (column, mut places) in columns {
            let (offset, length) = column.byte_range();
            for page in &mut places {
                page.offset -= i64::try_from(offset).unwrap_or(0);
            }
            group.pages.push(places);
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
            group.chunks.push((column, bytes, checksum));
        }
        Ok(group)
    }

    /// Writes a batch as a Parquet file in memory.
    fn write(&self, batch: &RecordBatch) -> Result<(Bytes, Vec<Column>), ParquetError> {
        let options = ArrowWriterOptions::new()
            .with_properties(self.properties(batch)?)
            .with_skip_arrow_metadata(true);
        let mut file = Vec::new();
        let mut writer = ArrowWriter::try_new_with_options(&mut file, batch.schema(), options)?;
        for at in (0..batch.num_rows()).step_by(WRITTEN_ROWS) {
            writer.write(&batch.slice(at, WRITTEN_ROWS.min(batch.num_rows() - at)))?;
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
        for column in LISTS {
            let parts = [column, "list", "item"].map(str::to_owned).to_vec();
            properties = split(properties, ColumnPath::new(parts));
        }
        for column in ["plies", "final_pawns", "home_left"] {
            properties = split(properties, path(column));
        }
        for tag in &TAGS {
            let Some(column) = batch.column_by_name(tag.column) else {
                continue;
            };
            // Bounds of texts cost time, and are kept where they let a search pass over row groups.
            let is_sought = filter::BOUNDED_TEXTS.contains(&tag.column);
            if is_sought || tag.kind != TagKind::Text {
                let path = path(tag.column);
                properties =
                    properties.set_column_statistics_enabled(path, EnabledStatistics::Chunk);
            }
            properties = match tag.kind {
                TagKind::Text if is_diverse(column) => properties
                    .set_column_dictionary_enabled(path(tag.column), false)
                    .set_column_encoding(path(tag.column), Encoding::DELTA_LENGTH_BYTE_ARRAY),
                TagKind::Text => properties,
                // Neighbours have the same date or the next: zstd finds more of that in the dates
                // themselves than in numbers of a dictionary.
                TagKind::Date => properties.set_column_dictionary_enabled(path(tag.column), false),
                TagKind::Number | TagKind::Signed | TagKind::Time => {
                    split(properties, path(tag.column))
                }
            };
        }
        // Many columns have nothing in this row group, or next to nothing. There is nothing to compress
        // then, and to make ready for it would take longer than to write them.
        let schema = batch.schema();
        for (field, column) in schema.fields().iter().zip(batch.columns()) {
            let is_empty = column.null_count() == column.len();
            if !is_empty && !is_next_to_nothing(column) {
                continue;
            }
            let name = field.name();
            let paths: &[&[&str]] = match field.data_type() {
                DataType::List(_) => &[&[name, "list", "item"]],
                DataType::Map(..) => &[&[name, "key_value", "key"], &[name, "key_value", "value"]],
                _ => &[&[name]],
            };
            for path in paths {
                let path = ColumnPath::new(path.iter().map(|&part| part.to_owned()).collect());
                if is_empty {
                    properties = properties.set_column_dictionary_enabled(path.clone(), false);
                }
                properties = properties.set_column_compression(path, Compression::UNCOMPRESSED);
            }
        }
        Ok(properties.build())
    }
}

/// Numbers that differ in their low bytes only: all first bytes, all second bytes and so on.
fn split(properties: WriterPropertiesBuilder, path: ColumnPath) -> WriterPropertiesBuilder {
    properties
        .set_column_dictionary_enabled(path.clone(), false)
        .set_column_encoding(path, Encoding::BYTE_STREAM_SPLIT)
}

/// Whether a column of texts or numbers has few values, and short ones, or the same over and over: a
/// dictionary and runs make some hundred bytes of it.
fn is_next_to_nothing(column: &ArrayRef) -> bool {
    const FEW: usize = 32;
    const SHORT: usize = 1024;
    let count = column.len() - column.null_count();
    let are_few = |texts: &StringArray| count <= FEW && texts.value_data().len() <= SHORT;
    // All of one length, and each the same as the next.
    let are_same = |texts: &StringArray| {
        let all = texts.value_data();
        let length = all.len() / count.max(1);
        let is_length = |found: usize| found == length || found == 0;
        length * count == all.len()
            && all.get(length..) == all.get(..all.len() - length)
            && texts.offsets().lengths().all(is_length)
    };
    if let Some(texts) = column.as_string_opt::<i32>() {
        return are_few(texts) || are_same(texts);
    }
    column.as_primitive_opt::<Int32Type>().is_some() && count <= FEW
}

/// Whether most values of a column are there once: a dictionary would be a second copy of it.
fn is_diverse(column: &ArrayRef) -> bool {
    let Some(texts) = column.as_string_opt::<i32>() else {
        return false;
    };
    // Their checksums will do: some may be the same by chance, which changes nothing.
    let sample = texts.iter().flatten().take(4096);
    let mut sums: Vec<u32> = sample.map(|text| crc32c::crc32c(text.as_bytes())).collect();
    let count = sums.len();
    sums.sort_unstable();
    sums.dedup();
    sums.len() * 4 > count * 3
}

impl EncodedRowGroup {
    /// Counts what a transcript has, and adds its rows to `batches`.
    fn add(&mut self, transcript: Transcript, batches: &mut Vec<RecordBatch>) {
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
        self.file_ends
            .extend(ends.map(|(rows, name)| (before + rows, name)));
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

/// Whether a file in memory that has one row group gives these rows.
fn comes_back(file: &Bytes, batch: &RecordBatch) -> Result<bool, ParquetError> {
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(file.clone(), options)?;
    let Some(group) = builder.metadata().row_groups().first() else {
        return Ok(false);
    };
    let lists = list_column::read_all(&Arc::new(file.clone()), group, |_| true)?;
    for name in LISTS {
        let read = lists.iter().find(|(read, _)| *read == name);
        let read = read.map(|(_, list)| -> ArrayRef { Arc::new(list.clone()) });
        let same = batch.column_by_name(name).zip(read);
        if !same.is_some_and(|(expected, read)| are_equal(expected, &read)) {
            return Ok(false);
        }
    }
    let mask = without_lists(builder.parquet_schema(), |_| true);
    let names = batch.schema_ref().fields().iter().enumerate();
    let others = names.filter(|(_, field)| !LISTS.contains(&field.name().as_str()));
    let others = batch.project(&others.map(|(i, _)| i).collect::<Vec<_>>())?;
    let mut at = 0;
    let builder = builder.with_projection(mask);
    for read in builder.with_batch_size(batch.num_rows()).build()? {
        let read = read?;
        if at + read.num_rows() > batch.num_rows() {
            return Ok(false);
        }
        let expected = others.slice(at, read.num_rows());
        let mut columns = expected.columns().iter().zip(read.columns());
        if expected.num_columns() != read.num_columns() || !columns.all(|(a, b)| are_equal(a, b)) {
            return Ok(false);
        }
        at += read.num_rows();
    }
    Ok(at == batch.num_rows())
}

/// The columns that somebody wants and that are no lists: those have a reader of their own.
pub(crate) fn without_lists(
    schema: &SchemaDescriptor,
    is_wanted: impl Fn(&str) -> bool,
) -> ProjectionMask {
    let roots = schema.root_schema().get_fields().iter().enumerate();
    let roots =
        roots.filter(|(_, field)| is_wanted(field.name()) && !LISTS.contains(&field.name()));
    ProjectionMask::roots(schema, roots.map(|(i, _)| i))
}

/// Whether two columns hold the same. If all bytes are the same, as they are nearly always, that is
/// seen at the speed of memory; else values are compared one by one.
fn are_equal(a: &ArrayRef, b: &ArrayRef) -> bool {
    have_same_bytes(&a.to_data(), &b.to_data()) || a == b
}

fn have_same_bytes(a: &ArrayData, b: &ArrayData) -> bool {
    let mut children = a.child_data().iter().zip(b.child_data());
    (a.data_type(), a.len(), a.offset()) == (b.data_type(), b.len(), b.offset())
        && a.nulls() == b.nulls()
        && a.buffers() == b.buffers()
        && a.child_data().len() == b.child_data().len()
        && children.all(|(a, b)| have_same_bytes(a, b))
}

/// All rows that a reader gives, as one batch, and the lists that it is told to add. Not generic: the
/// library's reader takes long to compile, and is compiled here alone.
pub(crate) fn rows_of(
    builder: ParquetRecordBatchReaderBuilder<Window>,
    lists: Option<ListChunks<'_>>,
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
    let batch = match lists {
        Some(lists) => with_lists(batch, &lists).map_err(|error| Ok(error.to_string()))?,
        None => batch,
    };
    Rows::new(&batch, codec).map_err(Err)
}

/// Reads lists, and adds them to the other columns of the same rows.
fn with_lists(batch: RecordBatch, lists: &ListChunks<'_>) -> Result<RecordBatch, ParquetError> {
    let is_wanted = |name: &str| lists.columns.contains(name);
    let mut fields = batch.schema_ref().fields().to_vec();
    let mut arrays = batch.columns().to_vec();
    for (name, list) in list_column::read_all(&lists.file, lists.group, is_wanted)? {
        fields.push(Arc::new(Field::new(name, list.data_type().clone(), true)));
        arrays.push(Arc::new(list));
    }
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    let schema = Arc::new(Schema::new(fields));
    Ok(RecordBatch::try_new_with_options(schema, arrays, &options)?)
}

/// Where the lists of a row group are, and which are wanted.
pub(crate) struct ListChunks<'a> {
    pub(crate) file: Arc<Window>,
    pub(crate) group: &'a RowGroupMetaData,
    pub(crate) columns: Columns,
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::Int32Array;

    #[test]
    fn next_to_nothing_is_few_values_or_the_same_one() {
        let texts = |text: &dyn Fn(usize) -> Option<String>| -> ArrayRef {
            Arc::new((0..1000).map(text).collect::<StringArray>())
        };
        let numbers = |number: &dyn Fn(i32) -> Option<i32>| -> ArrayRef {
            Arc::new((0..1000).map(number).collect::<Int32Array>())
        };
        assert!(is_next_to_nothing(&texts(&|_| Some("-".to_owned()))));
        assert!(is_next_to_nothing(&texts(&|_| Some(String::new()))));
        assert!(is_next_to_nothing(&texts(&|_| None)));
        assert!(is_next_to_nothing(&texts(
            &|row| (row % 3 > 0).then(|| "Rated blitz game".to_owned())
        )));
        assert!(is_next_to_nothing(&texts(
            &|row| (row < 32).then(|| row.to_string())
        )));
        assert!(!is_next_to_nothing(&texts(
            &|row| (row < 33).then(|| row.to_string())
        )));
        assert!(!is_next_to_nothing(&texts(
            &|row| (row < 32).then(|| "long".repeat(row))
        )));
        // The letters are the same all along, but not the texts: two are the mean.
        assert!(!is_next_to_nothing(&texts(
            &|row| (row > 0).then(|| "a".repeat(1 + row % 3))
        )));
        assert!(!is_next_to_nothing(&texts(&|row| Some(
            ["1-0", "0-1"][row % 2].to_owned()
        ))));
        assert!(is_next_to_nothing(&numbers(
            &|row| (row < 32).then_some(row)
        )));
        assert!(!is_next_to_nothing(&numbers(&|_| Some(7))));
        let lists = arrow_array::ListArray::new_null(list_column::item(), 5);
        assert!(!is_next_to_nothing(&(Arc::new(lists) as ArrayRef)));
    }

    #[test]
    fn columns_are_equal_if_their_values_are() {
        let texts = |texts: Vec<Option<&str>>| -> ArrayRef { Arc::new(StringArray::from(texts)) };
        let all = texts(vec![Some("a"), None, Some("bc")]);
        assert!(are_equal(&all, &texts(vec![Some("a"), None, Some("bc")])));
        for other in [
            vec![Some("a"), None, Some("bd")],
            vec![Some("a"), Some(""), Some("bc")],
            vec![Some("ab"), None, Some("c")],
            vec![Some("a"), None],
        ] {
            assert!(!are_equal(&all, &texts(other)));
        }
        // The same values among other bytes.
        let longer = texts(vec![Some("x"), Some("a"), None, Some("bc")]);
        assert!(are_equal(&all, &longer.slice(1, 3)));
        let numbers: ArrayRef = Arc::new(Int32Array::from(vec![1, 2, 3]));
        assert!(!are_equal(&all, &numbers));
    }
}
