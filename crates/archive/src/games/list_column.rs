//! Lists of numbers: clocks and evaluations, a value a move.

use std::sync::Arc;

use arrow_array::{Int32Array, ListArray};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::Int32Type;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;

use super::window::Window;

/// The columns that are lists of numbers.
pub(crate) const LISTS: [&str; 2] = ["clocks", "evals"];

/// So many lists are read at a time: what is said of their lengths stays in the cache.
const RECORDS: usize = 1024;

/// What a list that is none counts for, and a number in one: so Parquet tells apart what is not there,
/// what is empty, and what is there.
const NO_LIST: i16 = 0;
const NUMBER: i16 = 2;

/// The numbers of these lists are there.
pub(crate) fn item() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::Int32, false))
}

/// Reads the lists of a column in order. The library's reader of lists can read lists of anything, and
/// takes twice the time for it.
pub(crate) struct ListReader {
    name: &'static str,
    reader: ColumnReaderImpl<Int32Type>,
    /// What Parquet says of every number: whether it is there, and whether it begins a list.
    levels: Vec<i16>,
    starts: Vec<i16>,
    /// How many numbers there are, and rows, as the footer says.
    announced: (usize, usize),
}

impl ListReader {
    /// Readers of the lists of a row group that somebody wants, by the names of their columns.
    pub(crate) fn all(
        file: &Arc<Window>,
        group: &RowGroupMetaData,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<ListReader>, ParquetError> {
        let rows = usize::try_from(group.num_rows()).unwrap_or(0);
        let wanted = LISTS.into_iter().filter(|name| is_wanted(name));
        let chunks = wanted.filter_map(|name| {
            let root = |column: &ColumnChunkMetaData| column.column_path().parts().first().cloned();
            let mut columns = group.columns().iter();
            Some((
                name,
                columns.find(|column| root(column).as_deref() == Some(name))?,
            ))
        });
        chunks
            .map(|(name, column)| ListReader::new(file, name, column, rows))
            .collect()
    }

    fn new(
        file: &Arc<Window>,
        name: &'static str,
        column: &ColumnChunkMetaData,
        rows: usize,
    ) -> Result<ListReader, ParquetError> {
        let description = column.column_descr_ptr();
        if (description.max_def_level(), description.max_rep_level()) != (NUMBER, 1) {
            return Err(wrong(name, "not a list of numbers"));
        }
        let pages = SerializedPageReader::new(file.clone(), column, rows, None)?;
        match get_column_reader(description, Box::new(pages)) {
            ColumnReader::Int32ColumnReader(reader) => Ok(ListReader {
                name,
                reader,
                levels: Vec::new(),
                starts: Vec::new(),
                announced: (usize::try_from(column.num_values()).unwrap_or(0), rows),
            }),
            _ => Err(wrong(name, "not a list of numbers")),
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// The lists of so many rows.
    pub(crate) fn read(&mut self, rows: usize) -> Result<ListArray, ParquetError> {
        let wrong = |what: &str| wrong(self.name, what);
        let (levels, starts) = (&mut self.levels, &mut self.starts);
        // As many as these rows have if all have the same, and some more unless they are all rows. What the
        // footer says may be a lie, so there is a limit.
        let (count, all) = self.announced;
        let expected = count.saturating_mul(rows) / all.max(1);
        let spare = if rows < all { expected / 4 } else { 0 };
        let mut numbers = Vec::with_capacity(expected.saturating_add(spare).min(1 << 21));
        let mut offsets = Vec::with_capacity(rows.min(1 << 17) + 1);
        let mut are_there = NullBufferBuilder::new(rows);
        let mut end = 0i32;
        while offsets.len() < rows {
            levels.clear();
            starts.clear();
            let wanted = RECORDS.min(rows - offsets.len());
            let read =
                self.reader
                    .read_records(wanted, Some(levels), Some(starts), &mut numbers)?;
            if read.0 == 0 {
                return Err(wrong("fewer rows than announced"));
            }
            // Numbers are counted by 32 bits.
            i32::try_from(numbers.len()).map_err(|_| wrong("too many numbers"))?;
            // Most begin no list: eight are looked at together.
            for (levels, starts) in levels.chunks(8).zip(starts.chunks(8)) {
                let are_numbers = levels
                    .iter()
                    .fold(true, |all, &level| all & (level == NUMBER));
                let go_on = starts.iter().fold(true, |all, &start| all & (start != 0));
                if are_numbers & go_on {
                    end += i32::try_from(levels.len()).unwrap_or(0);
                    continue;
                }
                for (&level, &start) in levels.iter().zip(starts) {
                    if start == 0 {
                        offsets.push(end);
                        are_there.append(level != NO_LIST);
                    }
                    end += i32::from(level == NUMBER);
                }
            }
        }
        offsets.push(end);
        ListArray::try_new(
            item(),
            OffsetBuffer::new(ScalarBuffer::from(offsets)),
            Arc::new(Int32Array::from(numbers)),
            are_there.finish(),
        )
        .map_err(|error| wrong(&error.to_string()))
    }
}

fn wrong(name: &str, what: &str) -> ParquetError {
    ParquetError::General(format!("{name}: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::builder::{Int32Builder, ListBuilder};
    use arrow_array::{Array, ArrayRef, RecordBatch};
    use bytes::Bytes;
    use parquet::arrow::ArrowWriter;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use parquet::file::properties::WriterProperties;
    use testkit::Random;

    /// A file with lists under both names.
    fn file(lists: &ListArray) -> Bytes {
        let columns = LISTS.map(|name| (name, Arc::new(lists.clone()) as ArrayRef));
        let batch = RecordBatch::try_from_iter_with_nullable(
            columns.map(|(name, lists)| (name, lists, true)),
        );
        let batch = batch.unwrap();
        let properties = WriterProperties::builder().set_data_page_row_count_limit(700);
        let (mut file, properties) = (Vec::new(), properties.set_write_batch_size(100).build());
        let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        file.into()
    }

    /// The slow twin is the library's reader of lists.
    #[test]
    fn lists_are_those_of_the_library() {
        let mut random = Random::new(11);
        for rows in [1, 2, 1023, 1024, 1025, 5000] {
            // Without lists, without empty ones, with all kinds.
            for kind in 0..4 {
                let mut lists = ListBuilder::new(Int32Builder::new()).with_field(item());
                for _ in 0..rows {
                    let length = random.below(9) * random.below(30);
                    match (kind, random.below(4)) {
                        (0, _) | (3, 0) => lists.append_null(),
                        (2.., 1) => lists.append(true),
                        _ => {
                            for _ in 0..=length {
                                lists.values().append_value(
                                    i32::try_from(random.below(1 << 20)).unwrap() - 99,
                                );
                            }
                            lists.append(true);
                        }
                    }
                }
                let lists = lists.finish();
                let file = file(&lists);
                let builder = ParquetRecordBatchReaderBuilder::try_new(file.clone()).unwrap();
                let metadata = builder.metadata().clone();
                let twin = builder.with_batch_size(rows).build().unwrap().next();
                let twin = twin.unwrap().unwrap();
                let window = Arc::new(Window::whole(file));
                let mut readers =
                    ListReader::all(&window, metadata.row_group(0), |_| true).unwrap();
                assert_eq!(readers.len(), 2);
                // All at once, and in parts.
                for (reader, part) in readers.iter_mut().zip([rows, 1 + random.below(2000)]) {
                    let twin = twin.column_by_name(reader.name()).unwrap();
                    for at in (0..rows).step_by(part) {
                        let part = part.min(rows - at);
                        let read = reader.read(part).unwrap();
                        assert_eq!(read, lists.slice(at, part));
                        assert_eq!(twin.slice(at, part).as_ref(), &read as &dyn Array);
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_list_is_an_error() {
        let lists = ListArray::new_null(item(), 5);
        let file = file(&lists);
        let builder = ParquetRecordBatchReaderBuilder::try_new(file.clone()).unwrap();
        let (group, window) = (
            builder.metadata().row_group(0),
            Arc::new(Window::whole(file)),
        );
        let none = ListReader::all(&window, group, |_| false).unwrap();
        assert!(none.is_empty());
        for mut reader in ListReader::all(&window, group, |_| true).unwrap() {
            let error = reader.read(6).unwrap_err().to_string();
            assert!(error.contains("fewer rows than announced"), "{error}");
        }
    }
}
