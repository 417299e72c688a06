//! A row group to batches of rows.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, FieldRef, Schema};
use bytes::Bytes;
use parquet::file::metadata::ColumnChunkMetaData;

use super::pages::ChunkReader;
use super::row_builder::whole_schema;

/// Reads the rows of a row group in order, so many at a time.
#[derive(Debug)]
pub(crate) struct BatchReader {
    columns: Vec<ColumnReader>,
}

/// Reads the rows of a column.
#[derive(Debug)]
pub(crate) struct ColumnReader {
    field: FieldRef,
    chunks: Chunks,
}

#[derive(Debug)]
enum Chunks {
    One(Box<ChunkReader>),
    /// The keys and the values of pairs.
    Two(Box<[ChunkReader; 2]>),
}

impl ColumnReader {
    /// A reader of a column, from what Parquet knows as one column or two: each with its bytes, or its dictionary
    /// and some pages one after the other, and how many rows of them to pass over.
    pub(crate) fn new<'a>(
        field: &FieldRef,
        chunks: impl Iterator<Item = (&'a ColumnChunkMetaData, Bytes, usize)>,
    ) -> Result<ColumnReader, String> {
        let wrong = |fault: &str| format!("{}: {fault}", field.name());
        let readers = chunks.map(|(column, bytes, before)| {
            let mut reader = ChunkReader::new(column, bytes)?;
            reader.skip(before).map(|()| reader)
        });
        let readers: Vec<ChunkReader> = readers.collect::<Result<_, _>>().map_err(wrong)?;
        let is_pairs = matches!(field.data_type(), DataType::Map(..));
        let chunks = match (<[ChunkReader; 1]>::try_from(readers), is_pairs) {
            (Ok([one]), false) => Chunks::One(Box::new(one)),
            (Err(readers), true) => {
                let two = readers.try_into();
                Chunks::Two(two.map_err(|_| wrong("not pairs"))?)
            }
            _ => return Err(wrong("a column of another type")),
        };
        Ok(ColumnReader {
            field: field.clone(),
            chunks,
        })
    }

    /// The next rows.
    pub(crate) fn next(&mut self, rows: usize) -> Result<ArrayRef, String> {
        let array = match (&mut self.chunks, self.field.data_type()) {
            (Chunks::Two(two), DataType::Map(pair, _)) => {
                let [keys, values] = &mut **two;
                ChunkReader::read_pairs(keys, values, pair, rows)
            }
            (Chunks::One(one), data_type) => one.read(data_type, rows),
            (Chunks::Two(_), _) => Err("a column of another type"),
        };
        array.map_err(|fault| format!("{}: {fault}", self.field.name()))
    }

    /// There may be no more rows.
    pub(crate) fn finish(&mut self) -> Result<(), String> {
        let result = match &mut self.chunks {
            Chunks::One(one) => one.finish(),
            Chunks::Two(two) => two.iter_mut().try_for_each(ChunkReader::finish),
        };
        result.map_err(|fault| format!("{}: {fault}", self.field.name()))
    }
}

impl BatchReader {
    /// A reader of the columns of which there are chunks, as [`ColumnReader::new`] takes them. Columns that no
    /// archive has are left out.
    pub(crate) fn new<'a>(
        chunks: impl IntoIterator<Item = (&'a ColumnChunkMetaData, Bytes, usize)>,
    ) -> Result<BatchReader, String> {
        let chunks: Vec<_> = chunks.into_iter().collect();
        let mut columns = Vec::new();
        for field in whole_schema().fields() {
            let is_own = |column| root(column) == Some(field.name());
            let own = chunks.iter().filter(|(column, ..)| is_own(column));
            let mut own = own.cloned().peekable();
            if own.peek().is_some() {
                columns.push(ColumnReader::new(field, own)?);
            }
        }
        Ok(BatchReader { columns })
    }

    /// The next rows.
    pub(crate) fn next(&mut self, rows: usize) -> Result<RecordBatch, String> {
        let arrays = self.columns.iter_mut().map(|column| column.next(rows));
        let arrays: Vec<ArrayRef> = arrays.collect::<Result<_, _>>()?;
        let fields = self.columns.iter().map(|column| column.field.clone());
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(schema, arrays, &options);
        batch.map_err(|error| error.to_string())
    }

    /// There may be no more rows.
    pub(crate) fn finish(&mut self) -> Result<(), String> {
        self.columns.iter_mut().try_for_each(ColumnReader::finish)
    }
}

/// The name of the column that a chunk is part of.
pub(crate) fn root(column: &ColumnChunkMetaData) -> Option<&str> {
    column.column_path().parts().first().map(String::as_str)
}

/// Whether a chunk has no value, if its footer tells: there are many, and nobody need read them.
pub(crate) fn is_empty(column: &ColumnChunkMetaData) -> bool {
    let nulls = column.statistics().and_then(|told| told.null_count_opt());
    nulls.is_some() && nulls == u64::try_from(column.num_values()).ok()
}
