//! A column of a row group to its chunk: pages of rows, and perhaps a dictionary before them.

use std::ops::Range;

use parquet::basic::{Compression, Encoding, Type, ZstdLevel};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::page_index::offset_index::PageLocation;
use parquet::file::statistics::Statistics;
use parquet::schema::types::ColumnDescPtr;

use super::dictionary::Dictionary;
use super::header::{PageHeader, PageKind};
use super::part::Part;
use super::runs::{RunWriter, width_of};
use super::{Coding, EMPTY_LIST, ENTRY, NOTHING, lengths, zstd};
use crate::games::row_group::EncodedColumn;

/// How a column is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Plan {
    pub(crate) coding: Coding,
    /// The level of zstd; `None` if pages are not compressed.
    pub(crate) level: Option<i32>,
    pub(crate) told: Told,
}

/// What the footer tells of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Told {
    Nothing,
    /// How many rows have nothing.
    Nulls,
    /// The least and the largest value, too.
    Bounds,
}

/// So many rows make a page. One game is read by decoding a page of each column; pages of 1,024 rows
/// would make archives some 3 % larger, these make them 0.8 % larger.
const PAGE_ROWS: usize = 4096;

/// A page ends before it has more bytes, unless it is one row.
const PAGE_BYTES: usize = 512 << 10;

/// Of texts that have no more bytes, zstd makes too little to be asked;
const SHORT: usize = 2048;
/// nor of numbers that have no more;
const FEW_NUMBERS: usize = 128;
/// nor of so many different values, however often they come.
const FEW_VALUES: usize = 4;

/// After so many values it is seen whether they come again.
const SAMPLE: usize = 4096;

/// Longer texts are no bounds.
const MOST_BOUND: usize = 64;

/// Writes chunks, one after the other: its memory is used again.
#[derive(Debug, Default)]
pub(crate) struct ChunkWriter {
    /// The page.
    body: Vec<u8>,
    packed: Vec<u8>,
    numbers: Vec<u32>,
    lengths: Vec<i32>,
    /// The places of all values in the dictionary.
    places: Vec<u32>,
    loose: Vec<u32>,
}

/// A chunk while it is written.
struct Chunk {
    plan: Plan,
    bytes: Vec<u8>,
    /// How many bytes it would have if it were not compressed.
    plain_bytes: usize,
    pages: Vec<PageLocation>,
    entries: usize,
    values: usize,
}

/// Rows of a part.
type Slice<'a> = (&'a Part<'a>, Range<usize>);

impl ChunkWriter {
    /// Writes the rows of all parts.
    ///
    /// # Errors
    /// If zstd fails, or there is more than fits into a chunk.
    pub(crate) fn write(
        &mut self,
        column: ColumnDescPtr,
        parts: &[Part<'_>],
        mut plan: Plan,
    ) -> Result<EncodedColumn, ParquetError> {
        let mut dictionary = Dictionary::default();
        if plan.coding == Coding::Dictionary && !self.find_places(parts, &mut dictionary) {
            plan.coding = match column.physical_type() {
                _ if dictionary.len() == 0 => Coding::Plain,
                Type::BYTE_ARRAY => Coding::Lengths,
                _ => Coding::Split,
            };
        }
        let bytes = |coding| -> usize {
            let parts = parts.iter();
            parts.map(|part| part.weight_of(0..part.rows, coding)).sum()
        };
        let is_text = column.physical_type() == Type::BYTE_ARRAY;
        let has_few = plan.coding == Coding::Dictionary
            && dictionary.len() <= FEW_VALUES
            && dictionary.bytes() <= SHORT;
        if has_few || bytes(Coding::Plain) <= if is_text { SHORT } else { FEW_NUMBERS } {
            plan.level = None;
        }
        let mut chunk = Chunk {
            plan,
            // What is more than it takes is given back, and never touched.
            bytes: Vec::with_capacity(bytes(plan.coding)),
            plain_bytes: 0,
            pages: Vec::new(),
            entries: 0,
            values: 0,
        };
        if plan.coding == Coding::Dictionary {
            self.body.clear();
            for value in dictionary.values() {
                self.put_plain(value, column.physical_type());
            }
            let values = dictionary.len();
            self.end_page(PageKind::Dictionary { values }, &mut chunk)?;
        }
        let data_start = chunk.bytes.len();
        let mut row = 0;
        for slices in pages_of(parts, plan.coding) {
            let offset = chunk.bytes.len();
            let rows: usize = slices.iter().map(|(_, rows)| rows.len()).sum();
            self.body.clear();
            let entries = self.put_levels(&slices, column.max_def_level());
            self.put_values(&slices, &mut chunk, column.physical_type());
            let coding = plan.coding;
            self.end_page(PageKind::Data { entries, coding }, &mut chunk)?;
            chunk.entries += entries;
            chunk.pages.push(PageLocation {
                offset: signed(offset)?,
                compressed_page_size: i32::try_from(chunk.bytes.len() - offset)
                    .map_err(|_| too_large())?,
                first_row_index: signed(row)?,
            });
            row += rows;
        }
        let statistics = statistics(parts, &chunk, &dictionary);
        chunk.finish(column, data_start, statistics)
    }

    /// Finds out which value of the dictionary each value is. Says whether that pays: where most values are
    /// there once, it would be a second copy of the column.
    fn find_places(&mut self, parts: &[Part<'_>], dictionary: &mut Dictionary) -> bool {
        self.places.clear();
        let mut fits = true;
        for part in parts {
            let places = &mut self.places;
            let mut put = |value: &[u8]| match dictionary.place(value) {
                Some(place) => places.push(place),
                None => fits = false,
            };
            part.values_of(0..part.rows, |range| {
                part.values.texts(range.clone(), &mut put);
                part.values
                    .numbers(range, |number| put(&number.to_le_bytes()));
            });
            let is_diverse = dictionary.len() * 8 > places.len() * 7;
            if !fits || is_diverse && places.len() > SAMPLE {
                return false;
            }
        }
        dictionary.len() * 8 <= self.places.len() * 7 && dictionary.len() > 0
    }

    /// Writes a value as it is.
    fn put_plain(&mut self, value: &[u8], physical_type: Type) {
        if physical_type == Type::BYTE_ARRAY {
            // No text has 4 GiB.
            let length = u32::try_from(value.len()).unwrap_or(u32::MAX);
            self.body.extend_from_slice(&length.to_le_bytes());
        }
        self.body.extend_from_slice(value);
    }

    /// Writes which rows have something, and where lists begin. Returns how many rows there are, or entries of
    /// lists, with one for each list that has none.
    fn put_levels(&mut self, slices: &[Slice<'_>], max_level: i16) -> usize {
        let mut entries = 0;
        let is_list = slices.iter().any(|(part, _)| part.lists.is_some());
        if is_list {
            self.put_runs(1, slices, |part, rows, runs| {
                for row in rows {
                    let (count, _) = part.list(row);
                    entries += count.max(1);
                    runs.put(0, 1);
                    if let Some(more @ 1..) = count.checked_sub(1) {
                        runs.put(1, more);
                    }
                }
            });
            self.put_runs(2, slices, |part, rows, runs| {
                for row in rows {
                    match part.list(row) {
                        (_, false) => runs.put(NOTHING.into(), 1),
                        (0, true) => runs.put(EMPTY_LIST.into(), 1),
                        (count, true) => runs.put(ENTRY.into(), count),
                    }
                }
            });
            return entries;
        }
        if max_level > 0 {
            self.put_runs(1, slices, |part, rows, runs| {
                part.runs(rows, |is_there, run| runs.put(is_there.into(), run.len()));
            });
        }
        slices.iter().map(|(_, rows)| rows.len()).sum()
    }

    /// Writes runs with their length in bytes before them.
    fn put_runs(
        &mut self,
        width: u32,
        slices: &[Slice<'_>],
        mut put: impl FnMut(&Part<'_>, Range<usize>, &mut RunWriter<'_>),
    ) {
        let start = self.body.len();
        self.body.extend([0; 4]);
        let mut runs = RunWriter::new(width, &mut self.body, &mut self.loose);
        for (part, rows) in slices {
            put(part, rows.clone(), &mut runs);
        }
        runs.finish();
        let length = u32::try_from(self.body.len() - start - 4).unwrap_or(u32::MAX);
        if let Some(place) = self.body.get_mut(start..start + 4) {
            place.copy_from_slice(&length.to_le_bytes());
        }
    }

    fn put_values(&mut self, slices: &[Slice<'_>], chunk: &mut Chunk, physical_type: Type) {
        let each = |put: &mut dyn FnMut(&Part<'_>, Range<usize>)| {
            for (part, rows) in slices {
                part.values_of(rows.clone(), |range| put(part, range));
            }
        };
        let mut count = 0;
        each(&mut |_, range| count += range.len());
        let before = chunk.values;
        chunk.values += count;
        match chunk.plan.coding {
            Coding::Plain => each(&mut |part, range| {
                part.values.texts(range.clone(), |text| {
                    self.put_plain(text, physical_type);
                });
                part.values.numbers(range, |number| {
                    self.body.extend_from_slice(&number.to_le_bytes());
                });
            }),
            Coding::Split => {
                self.numbers.clear();
                each(&mut |part, range| part.values.put_numbers(range, &mut self.numbers));
                for byte in 0..4 {
                    // One byte of each.
                    #[allow(clippy::cast_possible_truncation)]
                    let bytes = self
                        .numbers
                        .iter()
                        .map(|number| (number >> (8 * byte)) as u8);
                    self.body.extend(bytes);
                }
            }
            Coding::Lengths => {
                self.lengths.clear();
                each(&mut |part, range| {
                    part.values.texts(range, |text| {
                        self.lengths
                            .push(i32::try_from(text.len()).unwrap_or(i32::MAX));
                    });
                });
                lengths::write(&self.lengths, &mut self.body);
                each(&mut |part, range| part.values.put_texts(range, &mut self.body));
            }
            Coding::Dictionary => {
                let own = self.places.get(before..before + count).unwrap_or_default();
                let width = width_of(own.iter().copied().max().unwrap_or(0)).max(1);
                // 32 at most.
                self.body.push(u8::try_from(width).unwrap_or(32));
                let mut runs = RunWriter::new(width, &mut self.body, &mut self.loose);
                for &place in own {
                    runs.put(place, 1);
                }
                runs.finish();
            }
        }
    }

    /// Appends the page to the chunk.
    fn end_page(&mut self, kind: PageKind, chunk: &mut Chunk) -> Result<(), ParquetError> {
        let stored = match chunk.plan.level {
            None => &self.body,
            Some(level) => {
                zstd::compress(&self.body, level, &mut self.packed)?;
                &self.packed
            }
        };
        let header = PageHeader {
            kind,
            size: self.body.len(),
            stored: stored.len(),
        };
        let start = chunk.bytes.len();
        header.write(&mut chunk.bytes);
        chunk.plain_bytes += chunk.bytes.len() - start + self.body.len();
        chunk.bytes.extend_from_slice(stored);
        Ok(())
    }
}

/// The rows of each page.
fn pages_of<'a>(
    parts: &'a [Part<'a>],
    coding: Coding,
) -> impl Iterator<Item = Vec<Slice<'a>>> + use<'a> {
    let mut at = 0;
    let mut rest = parts.iter();
    let mut open: Option<&Part<'_>> = rest.next();
    std::iter::from_fn(move || {
        let mut slices: Vec<Slice<'a>> = Vec::new();
        let (mut rows, mut room) = (PAGE_ROWS, PAGE_BYTES);
        while let Some(part) = open {
            if at == part.rows {
                (open, at) = (rest.next(), 0);
                continue;
            }
            let fits = part.rows_in(at, rows, room, coding);
            // A row that is too long has a page of its own.
            let count = if slices.is_empty() { fits.max(1) } else { fits };
            if count == 0 {
                break;
            }
            let own = at..at + count;
            room = room.saturating_sub(part.weight_of(own.clone(), coding));
            rows -= count;
            at += count;
            slices.push((part, own));
        }
        (!slices.is_empty()).then_some(slices)
    })
}

impl Chunk {
    fn finish(
        mut self,
        column: ColumnDescPtr,
        data_start: usize,
        statistics: Option<Statistics>,
    ) -> Result<EncodedColumn, ParquetError> {
        self.bytes.shrink_to_fit();
        let compression = match self.plan.level {
            // The file does not say which.
            Some(_) => Compression::ZSTD(ZstdLevel::default()),
            None => Compression::UNCOMPRESSED,
        };
        let mut codings = vec![match self.plan.coding {
            Coding::Plain => Encoding::PLAIN,
            Coding::Dictionary => Encoding::RLE_DICTIONARY,
            Coding::Lengths => Encoding::DELTA_LENGTH_BYTE_ARRAY,
            Coding::Split => Encoding::BYTE_STREAM_SPLIT,
        }];
        if self.plan.coding == Coding::Dictionary {
            codings.push(Encoding::PLAIN);
        }
        if column.max_def_level() > 0 {
            codings.push(Encoding::RLE);
        }
        let has_dictionary = data_start > 0;
        let mut metadata = ColumnChunkMetaData::builder(column)
            .set_encodings(codings)
            .set_compression(compression)
            .set_num_values(signed(self.entries)?)
            .set_total_compressed_size(signed(self.bytes.len())?)
            .set_total_uncompressed_size(signed(self.plain_bytes)?)
            .set_data_page_offset(signed(data_start)?)
            .set_dictionary_page_offset(has_dictionary.then_some(0));
        if let Some(statistics) = statistics {
            metadata = metadata.set_statistics(statistics);
        }
        let checksum = crc32c::crc32c(&self.bytes);
        Ok(EncodedColumn {
            chunk: (metadata.build()?, self.bytes.into(), checksum),
            pages: self.pages,
        })
    }
}

/// What the footer tells of the values.
fn statistics(parts: &[Part<'_>], chunk: &Chunk, dictionary: &Dictionary) -> Option<Statistics> {
    let nulls = u64::try_from(chunk.entries - chunk.values).ok();
    let is_bounded = match chunk.plan.told {
        Told::Nothing => return None,
        Told::Nulls => false,
        Told::Bounds => true,
    };
    let mut texts: Option<(&[u8], &[u8])> = None;
    let mut numbers: Option<(i32, i32)> = None;
    if is_bounded {
        let mut text = |text| {
            let (least, most) = texts.unwrap_or((text, text));
            texts = Some((least.min(text), most.max(text)));
        };
        if chunk.plan.coding == Coding::Dictionary && parts.iter().all(Part::has_texts) {
            dictionary.values().for_each(text);
        } else {
            for part in parts {
                part.values_of(0..part.rows, |range| part.values.texts(range, &mut text));
            }
        }
        for part in parts {
            part.values_of(0..part.rows, |range| {
                part.values.numbers(range, |number| {
                    let number = number.cast_signed();
                    let (least, most) = numbers.unwrap_or((number, number));
                    numbers = Some((least.min(number), most.max(number)));
                });
            });
        }
    }
    if parts.iter().any(Part::has_texts) {
        let texts = texts.filter(|(least, most)| least.len().max(most.len()) <= MOST_BOUND);
        let bound = |text: &[u8]| ByteArray::from(text.to_vec());
        let (least, most) = (
            texts.map(|(text, _)| bound(text)),
            texts.map(|(_, text)| bound(text)),
        );
        return Some(Statistics::byte_array(least, most, None, nulls, false));
    }
    let (least, most) = (
        numbers.map(|(least, _)| least),
        numbers.map(|(_, most)| most),
    );
    Some(Statistics::int32(least, most, None, nulls, false))
}

fn signed(number: usize) -> Result<i64, ParquetError> {
    i64::try_from(number).map_err(|_| too_large())
}

fn too_large() -> ParquetError {
    ParquetError::General("a column is too large".to_owned())
}
