//! The Parquet library is the slow twin: it reads what we write, and we read what it writes.

use std::sync::Arc;

use arrow_array::builder::{Int32Builder, ListBuilder, MapBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, Int32Array, RecordBatch, StringArray, UInt8Array, UInt32Array,
};
use arrow_schema::{DataType, Field, Schema};
use bytes::Bytes;
use codec::CodecName;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;
use testkit::{Random, mutant};

use super::{ChunkWriter, Coding, Part, Plan, Told};
use crate::games::batch_reader::BatchReader;
use crate::games::gathered::item;
use crate::games::numbered_texts::NumberedTextsBuilder;
use crate::games::row_builder::whole_schema;
use crate::games::row_group::{EncodedRowGroup, Recipe, leaves};
use crate::games::writer::FileWriter;

/// How the values of a column come.
#[derive(Clone, Copy)]
struct Manner {
    /// Rows in eight that have something.
    share: usize,
    /// How many different values there are.
    different: usize,
    /// How long texts may be, and how large numbers.
    size: usize,
}

impl Manner {
    fn random(random: &mut Random) -> Manner {
        Manner {
            share: [0, 1, 4, 7, 8, 8][random.below(6)],
            different: [1, 3, 60, 1 << 20][random.below(4)],
            size: [2, 12, 30, 300][random.below(4)],
        }
    }

    fn is_there(self, random: &mut Random) -> bool {
        random.below(8) < self.share
    }

    fn number(self, random: &mut Random) -> u32 {
        let number = random.below(self.different) * 0x9e37_79b9;
        u32::try_from(number % (1 << self.size.min(32))).unwrap()
    }

    fn text(self, random: &mut Random) -> String {
        let seed = random.below(self.different);
        let length = seed * 7919 % self.size;
        let letters = seed.to_string();
        letters
            .chars()
            .chain("äbc".chars())
            .cycle()
            .take(length)
            .collect()
    }
}

fn column(data_type: &DataType, rows: usize, random: &mut Random) -> ArrayRef {
    let manner = Manner::random(random);
    let rows = 0..rows;
    let some = |random: &mut Random| manner.is_there(random).then(|| manner.number(random));
    match data_type {
        DataType::Utf8 => Arc::new(StringArray::from_iter(
            rows.map(|_| manner.is_there(random).then(|| manner.text(random))),
        )),
        DataType::Binary => Arc::new(BinaryArray::from_iter(
            rows.map(|_| manner.is_there(random).then(|| manner.text(random))),
        )),
        DataType::Int32 => Arc::new(Int32Array::from_iter(
            rows.map(|_| some(random).map(u32::cast_signed)),
        )),
        DataType::UInt32 => Arc::new(UInt32Array::from_iter(rows.map(|_| some(random)))),
        DataType::UInt8 => Arc::new(UInt8Array::from_iter(
            rows.map(|_| some(random).map(|number| number.to_le_bytes()[0])),
        )),
        DataType::Dictionary(..) => {
            let mut builder = NumberedTextsBuilder::default();
            for _ in rows {
                match manner.is_there(random) {
                    true => builder.push(&manner.text(random), false),
                    false => builder.push_null(),
                }
            }
            builder.finish().unwrap()
        }
        DataType::List(_) => {
            let mut builder = ListBuilder::new(Int32Builder::new()).with_field(item());
            for _ in rows {
                let is_there = manner.is_there(random);
                for _ in 0..random.below(if is_there { manner.size } else { 1 }) {
                    let number = manner.number(random).cast_signed();
                    builder.values().append_value(number);
                }
                builder.append(is_there);
            }
            Arc::new(builder.finish())
        }
        DataType::Map(pair, _) => {
            let names = arrow_array::builder::MapFieldNames {
                entry: pair.name().clone(),
                key: "key".into(),
                value: "value".into(),
            };
            let (keys, values) = (StringBuilder::new(), StringBuilder::new());
            let mut builder = MapBuilder::new(Some(names), keys, values)
                .with_values_field(Field::new("value", DataType::Utf8, false));
            for _ in rows {
                let is_there = manner.is_there(random);
                for _ in 0..random.below(if is_there { 4 } else { 1 }) {
                    builder.keys().append_value(manner.text(random));
                    builder.values().append_value(manner.text(random));
                }
                builder.append(is_there).unwrap();
            }
            Arc::new(builder.finish())
        }
        other => panic!("{other}"),
    }
}

fn batch(rows: usize, random: &mut Random) -> RecordBatch {
    let schema = whole_schema();
    let columns = schema.fields().iter().map(|field| {
        // What must be there is there.
        let column = column(field.data_type(), rows, random);
        if field.is_nullable() || column.null_count() == 0 {
            return column;
        }
        Arc::new(UInt8Array::from_iter_values(
            (0..rows).map(|row| row.to_le_bytes()[0]),
        ))
    });
    RecordBatch::try_new(schema.clone(), columns.collect()).unwrap()
}

/// The texts of a column, however they are stored.
fn plain(column: &ArrayRef) -> ArrayRef {
    let Some(numbered) = column.as_dictionary_opt::<Int32Type>() else {
        return column.clone();
    };
    let texts = numbered.downcast_dict::<StringArray>().unwrap();
    let rows = texts.into_iter().map(|text| text.map(str::to_owned));
    Arc::new(rows.collect::<StringArray>())
}

fn assert_same(one: &RecordBatch, two: &RecordBatch, what: &str) {
    assert_eq!(one.num_rows(), two.num_rows());
    for (field, column) in one.schema_ref().fields().iter().zip(one.columns()) {
        let other = two.column_by_name(field.name()).unwrap();
        assert!(plain(column) == plain(other), "{what}: {}", field.name());
    }
}

/// Rows around the borders of pages.
const ROWS: [usize; 8] = [1, 2, 9, 700, 4095, 4096, 4097, 9000];

#[test]
fn the_library_reads_what_we_write() {
    let mut random = Random::new(17);
    for (round, rows) in ROWS.into_iter().cycle().take(24).enumerate() {
        let batches = [
            batch(rows, &mut random),
            batch(round % 3, &mut random),
            batch(round * 7, &mut random),
        ];
        let recipe = Recipe {
            level: 1 + i32::try_from(round % 3).unwrap(),
            is_checked: true,
        };
        let mut group = EncodedRowGroup {
            rows: batches.iter().map(RecordBatch::num_rows).sum(),
            ..EncodedRowGroup::default()
        };
        let all = 0..whole_schema().fields().len();
        for column in recipe.encode(0, 0, &batches, all).unwrap() {
            group.chunks.push(column.chunk);
            group.pages.push(column.pages);
        }
        let mut writer = FileWriter::new(Vec::new(), CodecName::Index, None).unwrap();
        writer.write(group).unwrap();
        let (file, _, _) = writer.finish().unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(file)).unwrap();
        let mut reader = reader.with_batch_size(1 << 20).build().unwrap();
        let read = reader.next().unwrap().unwrap();
        let mut at = 0;
        for written in &batches {
            assert_same(
                written,
                &read.slice(at, written.num_rows()),
                "written by us",
            );
            at += written.num_rows();
        }
        assert!(at == read.num_rows() && reader.next().is_none());
    }
}

/// Ways of the library to write, older archives' among them.
fn properties(round: usize) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_dictionary_enabled(!round.is_multiple_of(3))
        .set_data_page_row_count_limit([700, 4096, 20_000][round % 3])
        .set_data_page_size_limit([1 << 12, 1 << 20][round % 2])
        // Small ones are given up on the way.
        .set_dictionary_page_size_limit([100, 1 << 20][round / 2 % 2])
        .set_write_batch_size([64, 1024][round % 2]);
    if !round.is_multiple_of(4) {
        let level = ZstdLevel::try_new(1).unwrap();
        properties = properties.set_compression(Compression::ZSTD(level));
    }
    for field in whole_schema().fields() {
        let name = field.name().clone();
        let (path, encoding) = match field.data_type() {
            DataType::Utf8 | DataType::Binary => (vec![name], Encoding::DELTA_LENGTH_BYTE_ARRAY),
            DataType::Int32 | DataType::UInt32 => (vec![name], Encoding::BYTE_STREAM_SPLIT),
            DataType::List(_) => (
                vec![name, "list".into(), "item".into()],
                Encoding::BYTE_STREAM_SPLIT,
            ),
            _ => continue,
        };
        if !round.is_multiple_of(2) {
            let path = ColumnPath::new(path);
            properties = properties.set_column_encoding(path, encoding);
        }
    }
    properties.build()
}

fn by_the_library(batch: &RecordBatch, round: usize) -> Bytes {
    let mut file = Vec::new();
    let properties = Some(properties(round));
    let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), properties).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
    file.into()
}

/// A reader of the columns in a file of the library's.
fn reader_of(file: &Bytes, change: impl Fn(Bytes) -> Bytes) -> BatchReader {
    let library = ParquetRecordBatchReaderBuilder::try_new(file.clone()).unwrap();
    let group = library.metadata().row_group(0);
    let chunks = group.columns().iter().map(|column| {
        let (start, length) = column.byte_range();
        let range = usize::try_from(start).unwrap()..usize::try_from(start + length).unwrap();
        (column, change(file.slice(range)), 0)
    });
    BatchReader::new(chunks).unwrap()
}

#[test]
fn we_read_what_the_library_writes() {
    let mut random = Random::new(19);
    for (round, rows) in ROWS.into_iter().cycle().take(24).enumerate() {
        let batch = batch(rows, &mut random);
        let file = by_the_library(&batch, round);
        let mut reader = reader_of(&file, |bytes| bytes);
        let mut at = 0;
        while at < rows {
            let count = (rows - at).min([1, 300, 4096, 10_000][random.below(4)]);
            let read = reader.next(count).unwrap();
            assert_same(&batch.slice(at, count), &read, "written by the library");
            at += count;
        }
        reader.finish().unwrap();
        let error = reader.next(1).unwrap_err();
        assert!(error.ends_with("fewer rows than announced"), "{error}");
    }
}

#[test]
fn damaged_pages_are_errors_or_rows() {
    let mut random = Random::new(23);
    let batch = batch(300, &mut random);
    let (mut errors, mut read) = (0, 0);
    for round in 0..400 {
        // Not compressed, so that zstd is not all that is tested.
        let file = by_the_library(&batch, round % 4 * 4);
        let seed = random.below(1 << 30);
        let change = |bytes: Bytes| {
            let mut random = Random::new(seed as u64);
            Bytes::from(mutant(&bytes, &mut random))
        };
        let mut reader = reader_of(&file, change);
        match reader.next(300).and_then(|_| reader.finish()) {
            Ok(()) => read += 1,
            Err(_) => errors += 1,
        }
    }
    assert!(errors > 300 && errors + read == 400, "{errors} {read}");
    // Skipping and reading end at the same place.
    let file = by_the_library(&batch, 5);
    let library = ParquetRecordBatchReaderBuilder::try_new(file.clone()).unwrap();
    let columns = library.metadata().row_group(0).columns();
    for skipped in [0, 1, 299] {
        let chunks = columns.iter().map(|column| {
            let (start, length) = column.byte_range();
            let range = usize::try_from(start).unwrap()..usize::try_from(start + length).unwrap();
            (column, file.slice(range), skipped)
        });
        let mut reader = BatchReader::new(chunks).unwrap();
        let rest = reader.next(300 - skipped).unwrap();
        assert_same(&batch.slice(skipped, 300 - skipped), &rest, "skipped");
    }
}

/// A reader of one column in a file that the library wrote.
fn reader_of_one(name: &str, column: ArrayRef, properties: WriterProperties) -> BatchReader {
    let batch = RecordBatch::try_from_iter_with_nullable([(name, column, true)]).unwrap();
    let mut file = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    reader_of(&file.into(), |bytes| bytes)
}

#[test]
fn a_short_file_cannot_ask_for_all_memory() {
    // 800 rows of one text of 3 MiB, which is stored once.
    let numbers = Int32Array::from_iter_values(std::iter::repeat_n(0, 800));
    let texts = Arc::new(StringArray::from_iter_values(["a".repeat(3 << 20)]));
    let column: ArrayRef = Arc::new(arrow_array::DictionaryArray::new(numbers, texts));
    let plan = Plan {
        coding: Coding::Dictionary,
        level: Some(1),
        told: Told::Nothing,
    };
    let leaves = leaves().unwrap();
    for name in ["white", "layout"] {
        let leaf = leaves.columns().iter().find(|leaf| leaf.name() == name);
        let part = Part::of(&column, 0).unwrap();
        let written = ChunkWriter::default().write(leaf.unwrap().clone(), &[part], plan);
        let (chunk, bytes, _) = written.unwrap().chunk;
        assert!(bytes.len() < 4096);
        let mut reader = BatchReader::new([(&chunk, bytes, 0)]).unwrap();
        match reader.next(800) {
            // Numbered texts are there once.
            Ok(batch) => assert!(name == "layout" && batch.get_array_memory_size() < 8 << 20),
            Err(error) => assert_eq!(error, "white: more than fits into a column"),
        }
    }
}

#[test]
fn a_dictionary_is_where_the_footer_says() {
    let rows = |i: usize| Some(["a", "b"][i % 2]);
    let column: ArrayRef = Arc::new(StringArray::from_iter((0..100).map(rows)));
    let leaves = leaves().unwrap();
    let leaf = leaves.columns().iter().find(|leaf| leaf.name() == "white");
    let part = Part::of(&column, 0).unwrap();
    let plan = Plan {
        coding: Coding::Dictionary,
        level: None,
        told: Told::Nothing,
    };
    let written = ChunkWriter::default().write(leaf.unwrap().clone(), &[part], plan);
    let (chunk, bytes, _) = written.unwrap().chunk;
    let end = chunk.data_page_offset();
    assert!(end > 0);
    for data in [
        0,
        end - 1,
        end,
        end + 1,
        i64::try_from(bytes.len()).unwrap(),
    ] {
        let chunk = chunk.clone().into_builder().set_data_page_offset(data);
        let chunk = chunk.build().unwrap();
        let mut reader = BatchReader::new([(&chunk, bytes.clone(), 0)]).unwrap();
        let is_right = reader.next(100).is_ok() && reader.finish().is_ok();
        assert_eq!(is_right, data == end, "{data}");
    }
    // Without one, pages of data are no dictionary.
    let pages = bytes.slice(usize::try_from(end).unwrap()..);
    let mut reader = BatchReader::new([(&chunk, pages, 0)]).unwrap();
    assert!(reader.next(100).is_err());
}

#[test]
fn numbered_texts_are_forgotten_after_a_batch() {
    let texts: Vec<String> = (0..9000).map(|i| format!("text {}", i % 700)).collect();
    let column = StringArray::from_iter_values(&texts);
    let properties = WriterProperties::builder().set_dictionary_enabled(false);
    let mut reader = reader_of_one("layout", Arc::new(column.clone()), properties.build());
    assert_eq!(reader.next(0).unwrap().num_rows(), 0);
    for at in (0..9000).step_by(300) {
        let batch = reader.next(300).unwrap();
        assert_eq!(
            &plain(batch.column(0)),
            &(Arc::new(column.slice(at, 300)) as ArrayRef)
        );
        let all = batch.column(0).as_dictionary::<Int32Type>().values().len();
        assert_eq!(all, 300);
    }
    reader.finish().unwrap();
}

#[test]
fn long_numbered_texts_are_compressed() {
    let mut builder = NumberedTextsBuilder::default();
    for i in 0..300 {
        builder.push(&format!("{} {}", "Event Site ".repeat(20), i % 60), false);
    }
    let recipe = Recipe {
        level: 1,
        is_checked: true,
    };
    let mut random = Random::new(1);
    let place = whole_schema().index_of("tag_order").unwrap();
    let mut columns = batch(300, &mut random).columns().to_vec();
    columns[place] = builder.finish().unwrap();
    let batch = RecordBatch::try_new(whole_schema(), columns).unwrap();
    let encoded = recipe.encode(0, 0, &[batch], place..place + 1).unwrap();
    assert!(encoded[0].chunk.1.len() < 2000);
}

#[test]
fn one_long_numbered_text_costs_the_others_nothing() {
    let mut builder = NumberedTextsBuilder::default();
    let long = "Tag ".repeat(5 << 18);
    for i in 0..20_000 {
        builder.push(if i == 99 { &long } else { "Event" }, false);
    }
    let column = builder.finish().unwrap();
    let leaves = leaves().unwrap();
    let leaf = leaves
        .columns()
        .iter()
        .find(|leaf| leaf.name() == "tag_order");
    let part = Part::of(&column, 0).unwrap();
    let plan = Plan {
        coding: Coding::Dictionary,
        level: Some(1),
        told: Told::Nothing,
    };
    let written = ChunkWriter::default().write(leaf.unwrap().clone(), &[part], plan);
    let written = written.unwrap();
    // It is too long for a dictionary.
    assert_eq!(written.chunk.0.dictionary_page_offset(), None);
    assert!(written.pages.len() < 10, "{}", written.pages.len());
    let mut reader = BatchReader::new([(&written.chunk.0, written.chunk.1, 0)]).unwrap();
    let read = reader.next(20_000).unwrap();
    assert!(plain(read.column(0)) == plain(&column));
}

#[test]
fn other_columns_are_told() {
    let strange: ArrayRef = Arc::new(arrow_array::Float64Array::from(vec![1.0]));
    for (name, is_known) in [
        ("white", true),
        ("plies", true),
        ("tags", true),
        ("mood", false),
    ] {
        let field = Field::new(name, DataType::Float64, true);
        let schema = Arc::new(Schema::new(vec![field]));
        let batch = RecordBatch::try_new(schema.clone(), vec![strange.clone()]).unwrap();
        let mut file = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut file, schema, None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        let file = Bytes::from(file);
        let library = ParquetRecordBatchReaderBuilder::try_new(file.clone()).unwrap();
        let column = library.metadata().row_group(0).column(0);
        let reader = BatchReader::new([(column, file.clone(), 0)]);
        match reader {
            Err(error) => assert!(is_known && error.ends_with("another type"), "{error}"),
            Ok(mut reader) => {
                assert!(!is_known && reader.next(1).unwrap().num_columns() == 0);
            }
        }
    }
}
