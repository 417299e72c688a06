//! What the footer tells of the values in a row group.

use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::Statistics;

use super::read_at::ReadAt;
use super::reader::Archive;

/// Between what the values of a column in a row group lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bounds<T> {
    /// Nobody knows.
    Unknown,
    /// There are no values.
    Empty,
    /// From the least to the most, or between narrower ones.
    Within(T, T),
}

impl<T: Ord> Bounds<T> {
    /// Whether there may be a value from `least` to `most`.
    #[must_use]
    pub fn may_overlap(&self, least: &T, most: &T) -> bool {
        match self {
            Bounds::Unknown => true,
            Bounds::Empty => false,
            Bounds::Within(first, last) => first <= most && last >= least,
        }
    }
}

impl<F: ReadAt> Archive<F> {
    fn column(&self, row_group: usize, name: &str) -> Option<&ColumnChunkMetaData> {
        let group = self.parquet().row_groups().get(row_group)?;
        let mut columns = group.columns().iter();
        columns.find(|column| matches!(column.column_path().parts(), [own] if own == name))
    }

    fn statistics(&self, row_group: usize, name: &str) -> Bounds<&Statistics> {
        let Some(column) = self.column(row_group, name) else {
            return Bounds::Empty;
        };
        match column.statistics() {
            None => Bounds::Unknown,
            Some(statistics) => {
                let nulls = statistics.null_count_opt();
                let values = u64::try_from(column.num_values()).ok();
                match (nulls, values) {
                    (Some(nulls), Some(values)) if nulls == values => Bounds::Empty,
                    _ => Bounds::Within(statistics, statistics),
                }
            }
        }
    }

    /// The bounds of a column of numbers in a row group.
    #[must_use]
    pub fn number_bounds(&self, row_group: usize, column: &str) -> Bounds<i32> {
        match self.statistics(row_group, column) {
            Bounds::Within(Statistics::Int32(values), _) => {
                match (values.min_opt(), values.max_opt()) {
                    (Some(&min), Some(&max)) => Bounds::Within(min, max),
                    _ => Bounds::Unknown,
                }
            }
            Bounds::Empty => Bounds::Empty,
            _ => Bounds::Unknown,
        }
    }

    /// The bounds of a column of text in a row group, as bytes.
    #[must_use]
    pub fn text_bounds(&self, row_group: usize, column: &str) -> Bounds<&[u8]> {
        match self.statistics(row_group, column) {
            Bounds::Within(Statistics::ByteArray(values), _) => {
                match (values.min_bytes_opt(), values.max_bytes_opt()) {
                    (Some(min), Some(max)) => Bounds::Within(min, max),
                    _ => Bounds::Unknown,
                }
            }
            Bounds::Empty => Bounds::Empty,
            _ => Bounds::Unknown,
        }
    }
}
