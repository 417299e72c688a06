//! A row group to batches of rows.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, RecordBatchReader};
use arrow_schema::{Field, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::schema::types::SchemaDescriptor;

use super::columns::Columns;
use super::list_column::{LISTS, ListReader};
use super::numbered_texts;
use super::window::Window;

/// Reads the rows of a row group in order, so many at a time. Not generic: the library's reader takes
/// long to compile.
pub(crate) struct BatchReader {
    others: ParquetRecordBatchReader,
    lists: Vec<ListReader>,
}

impl BatchReader {
    /// A reader of some columns of a row group: lists of numbers have a reader of their own. The last
    /// batch may have fewer rows.
    pub(crate) fn new(
        file: Window,
        metadata: ArrowReaderMetadata,
        row_group: usize,
        columns: Columns,
        batch_rows: usize,
    ) -> Result<BatchReader, ParquetError> {
        let group = metadata.metadata().row_groups().get(row_group);
        let group = group.ok_or_else(|| ParquetError::General("no such row group".to_owned()))?;
        let empty: Vec<&str> = empty_columns(group).collect();
        let is_wanted = |name: &str| columns.contains(name) && !empty.contains(&name);
        let lists = ListReader::all(&Arc::new(file.clone()), group, is_wanted)?;
        let is_other = |name: &str| is_wanted(name) && !LISTS.contains(&name);
        let mask = projection(metadata.parquet_schema(), is_other);
        let others = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
            .with_row_groups(vec![row_group])
            .with_projection(mask)
            .with_batch_size(batch_rows.max(1))
            .build()?;
        Ok(BatchReader { others, lists })
    }

    /// What a row group without rows is read as.
    pub(crate) fn no_rows(&self) -> RecordBatch {
        RecordBatch::new_empty(self.others.schema())
    }

    fn read(&mut self) -> Result<Option<RecordBatch>, ParquetError> {
        let Some(batch) = self.others.next().transpose()? else {
            return Ok(None);
        };
        let mut fields = batch.schema_ref().fields().to_vec();
        let mut arrays = batch.columns().to_vec();
        for reader in &mut self.lists {
            let list: ArrayRef = Arc::new(reader.read(batch.num_rows())?);
            let field = Field::new(reader.name(), list.data_type().clone(), true);
            fields.push(Arc::new(field));
            arrays.push(list);
        }
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let schema = Arc::new(Schema::new(fields));
        let batch = RecordBatch::try_new_with_options(schema, arrays, &options)?;
        Ok(Some(batch))
    }
}

/// What the library wants to know of a file, with the types in which its columns are read.
pub(crate) fn arrow_metadata(
    metadata: ParquetMetaData,
) -> Result<ArrowReaderMetadata, ParquetError> {
    let metadata = Arc::new(metadata);
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let plain = ArrowReaderMetadata::try_new(metadata.clone(), options.clone())?;
    let fields = plain.schema().fields().iter().map(numbered_texts::numbered);
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    ArrowReaderMetadata::try_new(metadata, options.with_schema(schema))
}

/// Columns without a value in a row group, if its footer tells. There are many, and nobody need read them.
pub(crate) fn empty_columns(group: &RowGroupMetaData) -> impl Iterator<Item = &str> {
    group.columns().iter().filter_map(|column| {
        let nulls = column.statistics()?.null_count_opt()?;
        let is_empty = u64::try_from(column.num_values()) == Ok(nulls);
        column
            .column_path()
            .parts()
            .first()
            .map(String::as_str)
            .filter(|_| is_empty)
    })
}

/// The columns that somebody wants, by their names.
pub(crate) fn projection(
    schema: &SchemaDescriptor,
    is_wanted: impl Fn(&str) -> bool,
) -> ProjectionMask {
    let roots = schema.root_schema().get_fields().iter().enumerate();
    let roots = roots.filter(|(_, field)| is_wanted(field.name()));
    ProjectionMask::roots(schema, roots.map(|(i, _)| i))
}

/// Lists come last, whatever their place in the file.
impl Iterator for BatchReader {
    type Item = Result<RecordBatch, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}
