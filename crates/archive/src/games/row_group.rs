//! Rows to the column chunks of a row group, and the proof that they come back.

use std::ops::Range;
use std::sync::LazyLock;

use arrow_array::{Array, ArrayRef, RecordBatch, new_empty_array};
use arrow_schema::{DataType, Field, FieldRef};
use bytes::Bytes;
use parquet::arrow::ArrowSchemaConverter;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::page_index::offset_index::PageLocation;
use parquet::schema::types::SchemaDescPtr;

use super::batch_reader::{ColumnReader, is_empty};
use super::fault::ArchiveFault;
use super::filter;
use super::pages::{ChunkWriter, Coding, Part, Plan, Told};
use super::row_builder::whole_schema;
use super::tag_column::{TAGS, TagKind};
use super::transcript::{BadGame, InputEnd, Transcript};

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

/// So many rows are read back and compared at a time: they stay in the cache.
const PROVED_ROWS: usize = 1024;

/// The columns of an archive as Parquet knows them: lists of pairs are two. Nothing if it knows none like them.
static LEAVES: LazyLock<Option<SchemaDescPtr>> = LazyLock::new(|| {
    let converted = ArrowSchemaConverter::new().convert(&whole_schema());
    converted.ok().map(SchemaDescPtr::new)
});

/// The columns of an archive.
///
/// # Errors
/// If the library does not know their types.
pub(crate) fn leaves() -> Result<SchemaDescPtr, ParquetError> {
    let none = || ParquetError::General("no schema".to_owned());
    LEAVES.clone().ok_or_else(none)
}

impl Recipe {
    /// Encodes some columns of the rows of consecutive pieces, and proves that they come back.
    pub(crate) fn encode(
        &self,
        row_group: usize,
        offset: u64,
        batches: &[RecordBatch],
        columns: Range<usize>,
    ) -> Result<Vec<EncodedColumn>, ArchiveFault> {
        let broken = |error: ParquetError| ArchiveFault::Parquet {
            row_group,
            message: error.to_string(),
        };
        if batches.iter().all(|rows| rows.num_rows() == 0) {
            return Ok(Vec::new());
        }
        let mut writer = ChunkWriter::default();
        let mut encoded = Vec::new();
        let schema = whole_schema();
        let fields = schema.fields().iter().enumerate();
        for (i, field) in fields.skip(columns.start).take(columns.len()) {
            let arrays = batches.iter().filter_map(|rows| rows.columns().get(i));
            let arrays: Vec<&ArrayRef> = arrays.collect();
            let own = self.write(&mut writer, field, &arrays).map_err(broken)?;
            if self.is_checked && comes_back(field, &own, &arrays) != Ok(true) {
                return Err(ArchiveFault::Proof { offset });
            }
            encoded.extend(own);
        }
        Ok(encoded)
    }

    /// Writes a column: as two if its rows are lists of pairs.
    fn write(
        &self,
        writer: &mut ChunkWriter,
        field: &Field,
        arrays: &[&ArrayRef],
    ) -> Result<Vec<EncodedColumn>, ParquetError> {
        let is_nothing = arrays.iter().all(|array| array.null_count() == array.len());
        let plan = match is_nothing {
            // The footer says so, and nobody need read it.
            true => Plan {
                coding: Coding::Plain,
                level: None,
                told: Told::Nulls,
            },
            false => self.plan(field),
        };
        let leaves = leaves()?;
        let leaves = leaves.columns().iter();
        let leaves = leaves.filter(|leaf| leaf.path().parts().first() == Some(field.name()));
        let mut encoded = Vec::new();
        for (number, leaf) in leaves.enumerate() {
            let parts = arrays.iter().map(|array| Part::of(array, number));
            let parts: Option<Vec<Part<'_>>> = parts.collect();
            let parts = parts.ok_or_else(|| ParquetError::General(format!("{field}: its type")))?;
            encoded.push(writer.write(leaf.clone(), &parts, plan)?);
        }
        Ok(encoded)
    }

    /// How a column is written that has something.
    fn plan(&self, field: &Field) -> Plan {
        let name = field.name().as_str();
        let tag = TAGS.iter().find(|tag| tag.column == name);
        let coding = match (tag.map(|tag| tag.kind), field.data_type()) {
            (Some(TagKind::Text), _) => Coding::Dictionary,
            // Neighbours have the same date or the next: zstd finds more of that in the dates
            // themselves than in numbers of a dictionary.
            (Some(TagKind::Date), _) => Coding::Plain,
            (Some(TagKind::Number | TagKind::Signed | TagKind::Time), _) => Coding::Split,
            (None, DataType::Binary) => Coding::Lengths,
            (None, DataType::List(_)) => Coding::Split,
            (None, _) if ["plies", "final_pawns", "home_left"].contains(&name) => Coding::Split,
            _ => Coding::Dictionary,
        };
        // A dictionary and runs make nothing of flags. Moves leave little to find, and looking for it harder
        // takes longer than all other columns.
        let level = match name {
            "flags" => None,
            "moves" => Some(1),
            _ => Some(self.level),
        };
        // Bounds of texts cost time, and are kept where they let a search pass over row groups.
        let is_sought = tag.is_some_and(|tag| {
            tag.kind != TagKind::Text || filter::BOUNDED_TEXTS.contains(&tag.column)
        });
        let told = if is_sought {
            Told::Bounds
        } else {
            Told::Nothing
        };
        Plan {
            coding,
            level,
            told,
        }
    }
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

/// Whether a column gives these rows, and no more.
fn comes_back(
    field: &FieldRef,
    encoded: &[EncodedColumn],
    arrays: &[&ArrayRef],
) -> Result<bool, String> {
    let mut left: usize = arrays.iter().map(|array| array.len()).sum();
    let chunks = encoded.iter().map(|column| &column.chunk);
    if chunks.clone().all(|(column, ..)| is_empty(column)) {
        // Nobody reads it.
        let nothing: usize = arrays.iter().map(|array| array.null_count()).sum();
        let rows = i64::try_from(left).unwrap_or(i64::MAX);
        return Ok(nothing == left
            && chunks
                .into_iter()
                .all(|(column, ..)| column.num_values() == rows));
    }
    let chunks = chunks.map(|(column, bytes, _)| (column, bytes.clone(), 0));
    let mut reader = ColumnReader::new(field, chunks)?;
    let mut read = new_empty_array(field.data_type());
    let mut compared = 0;
    for array in arrays {
        let mut at = 0;
        while at < array.len() {
            if compared == read.len() {
                read = reader.next(PROVED_ROWS.min(left))?;
                left -= read.len();
                compared = 0;
            }
            let count = (array.len() - at).min(read.len() - compared);
            if !are_same((array, at), (&read, compared), count) {
                return Ok(false);
            }
            at += count;
            compared += count;
        }
    }
    reader.finish()?;
    Ok(true)
}

/// Whether two columns have the same in so many rows, each from one of its own on.
fn are_same(one: (&ArrayRef, usize), other: (&ArrayRef, usize), count: usize) -> bool {
    let parts = |number| (Part::of(one.0, number), Part::of(other.0, number));
    let is_same = |number| match parts(number) {
        (Some(one_part), Some(other_part)) => one_part.is_same(one.1, &other_part, other.1, count),
        (one, other) => number > 0 && one.is_none() && other.is_none(),
    };
    is_same(0) && is_same(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::batch_reader::root;
    use crate::games::clerk::Clerk;
    use crate::games::cutter::Piece;
    use crate::games::row_builder::whole_schema;
    use crate::games::transcript::Manner;
    use arrow_array::StringArray;
    use codec::CodecName;
    use std::sync::Arc;

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

    const RECIPE: Recipe = Recipe {
        level: 1,
        is_checked: true,
    };

    #[test]
    fn the_footer_tells_which_columns_have_nothing() {
        // Only one of these has a tag without a column.
        for (games, has_others) in [(1..7, false), (1..8, true)] {
            let all = 0..whole_schema().fields().len();
            let encoded = RECIPE.encode(0, 0, &[rows(games)], all).unwrap();
            let columns = encoded.iter().map(|column| &column.chunk.0);
            let empty = columns.filter(|column| is_empty(column)).filter_map(root);
            let empty: Vec<&str> = empty.collect();
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
        let all = [rows(0..1500), rows(1500..2500), rows(2500..5000)];
        let whole = rows(0..5000);
        let others = [
            rows(0..4999),
            rows(0..5001),
            rows(1..5001),
            rows(0..0),
            rows(2500..7500),
        ];
        let mut differ = 0;
        for (i, field) in whole_schema().fields().iter().enumerate() {
            let arrays: Vec<&ArrayRef> = all.iter().map(|rows| rows.column(i)).collect();
            let mut writer = ChunkWriter::default();
            let encoded = RECIPE.write(&mut writer, field, &arrays).unwrap();
            let comes_back = |arrays: &[&ArrayRef]| comes_back(field, &encoded, arrays) == Ok(true);
            assert!(comes_back(&arrays), "{field}");
            assert!(comes_back(&[whole.column(i)]), "{field}");
            let (none, one) = (rows(0..0), rows(0..1));
            assert!(comes_back(&[
                none.column(i),
                one.column(i),
                rows(1..5000).column(i),
                none.column(i)
            ]));
            // Fewer, more, others, in another order.
            let is_empty = whole.column(i).null_count() == 5000;
            for others in &others {
                // Arrow's own comparing is the slow twin.
                let is_like = whole.column(i) == others.column(i);
                assert_eq!(comes_back(&[others.column(i)]), is_like, "{field}");
                differ += usize::from(!is_like);
            }
            // Something where there was nothing, or nothing where there was something.
            if field.data_type() == &DataType::Utf8 {
                let text = is_empty.then_some("a");
                let changed: ArrayRef = Arc::new(StringArray::from_iter(
                    (0..5000).map(|row| if row == 4000 { text } else { None }),
                ));
                assert!(!comes_back(&[&changed]), "{field}");
            }
        }
        assert!(differ > 100);
    }
}
