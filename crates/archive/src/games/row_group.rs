//! Rows to the column chunks of a row group, and the proof that they come back.

use std::ops::Range;
use std::sync::LazyLock;

use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Field};
use bytes::Bytes;
use parquet::arrow::ArrowSchemaConverter;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::page_index::offset_index::PageLocation;
use parquet::schema::types::SchemaDescPtr;

use super::batch_reader::{BatchReader, is_empty};
use super::fault::ArchiveFault;
use super::filter;
use super::numbered_texts::NumberedTexts;
use super::pages::{ChunkWriter, Coding, Part, Plan, Told};
use super::row_builder::whole_schema;
use super::tag_column::{TAGS, TagKind};
use super::transcript::{BadGame, InputEnd, Transcript};
use super::variety::Variety;

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
const PROVED_ROWS: usize = 4096;

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
        let broken = |message| ArchiveFault::Parquet { row_group, message };
        if batches.iter().all(|rows| rows.num_rows() == 0) {
            return Ok(Vec::new());
        }
        let columns: Vec<usize> = columns.collect();
        let batches = batches.iter().map(|rows| rows.project(&columns));
        let batches: Result<Vec<_>, _> = batches.collect();
        let batches = batches.map_err(|error| broken(error.to_string()))?;
        let encoded = self.write(&batches);
        let encoded = encoded.map_err(|error| broken(error.to_string()))?;
        if self.is_checked && !come_back(&encoded, &batches) {
            return Err(ArchiveFault::Proof { offset });
        }
        Ok(encoded)
    }

    /// Writes the columns of batches, of which all have the same.
    fn write(&self, batches: &[RecordBatch]) -> Result<Vec<EncodedColumn>, ParquetError> {
        let leaves = leaves()?;
        let mut writer = ChunkWriter::default();
        let mut encoded = Vec::new();
        let fields = batches.first().map(RecordBatch::schema_ref);
        for (i, field) in fields.into_iter().flat_map(|all| all.fields()).enumerate() {
            let columns = batches.iter().filter_map(|rows| rows.columns().get(i));
            let columns: Vec<_> = columns.collect();
            let plan = self.plan(field, Variety::of(&columns));
            let parts: Option<Vec<_>> = columns.into_iter().map(Part::of).collect();
            let other = || ParquetError::General(format!("{field}: another type"));
            let parts = parts.ok_or_else(other)?;
            let own = leaves.columns().iter();
            let own = own.filter(|leaf| leaf.path().parts().first() == Some(field.name()));
            for (number, leaf) in own.enumerate() {
                let parts = parts.iter().filter_map(|part| part.get(number));
                let parts: Vec<Part<'_>> = parts.copied().collect();
                encoded.push(writer.write(leaf.clone(), &parts, plan)?);
            }
        }
        Ok(encoded)
    }

    /// How a column is written.
    fn plan(&self, field: &Field, variety: Variety) -> Plan {
        if variety.is_nothing {
            // The footer says so, and nobody need read it.
            return Plan {
                coding: Coding::Plain,
                level: None,
                told: Told::Nulls,
            };
        }
        let name = field.name().as_str();
        let tag = TAGS.iter().find(|tag| tag.column == name);
        let coding = match (tag.map(|tag| tag.kind), field.data_type()) {
            (Some(TagKind::Text), _) if variety.is_diverse => Coding::Lengths,
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
            _ if variety.is_little => None,
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

/// Whether columns give the rows of these batches, and no more.
fn come_back(encoded: &[EncodedColumn], batches: &[RecordBatch]) -> bool {
    let chunks = encoded.iter().map(|column| &column.chunk);
    let known = chunks.filter(|(column, ..)| !is_empty(column));
    let known = known.map(|(column, bytes, _)| (column, bytes.clone(), 0));
    let Ok(mut read) = BatchReader::new(known) else {
        return false;
    };
    let mut come_back = |batch: &RecordBatch| {
        let starts = (0..batch.num_rows()).step_by(PROVED_ROWS);
        let mut parts = starts.map(|at| batch.slice(at, PROVED_ROWS.min(batch.num_rows() - at)));
        parts.all(|part| {
            let read = read.next(part.num_rows());
            read.is_ok_and(|read| are_equal(&part, &read))
        })
    };
    batches.iter().all(&mut come_back) && read.finish().is_ok()
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

    #[test]
    fn the_footer_tells_which_columns_have_nothing() {
        let recipe = Recipe {
            level: 1,
            is_checked: true,
        };
        // Only one of these has a tag without a column.
        for (games, has_others) in [(1..7, false), (1..8, true)] {
            let encoded = recipe.write(&[rows(games)]).unwrap();
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
        let recipe = Recipe {
            level: 1,
            is_checked: true,
        };
        let all = [rows(0..1500), rows(1500..2500), rows(2500..5000)];
        let encoded = recipe.write(&all).unwrap();
        let come_back = |batches: &[RecordBatch]| come_back(&encoded, batches);
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
