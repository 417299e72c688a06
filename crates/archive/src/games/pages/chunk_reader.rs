//! A column chunk to rows, so many at a time.

use std::sync::Arc;

use arrow_array::types::{Int32Type, UInt8Type, UInt32Type};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BinaryArray, DictionaryArray, ListArray, MapArray,
    PrimitiveArray, StringArray, StructArray,
};
use arrow_buffer::{Buffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, FieldRef, Fields};
use bytes::Bytes;
use parquet::basic::{Compression, Type};
use parquet::file::metadata::ColumnChunkMetaData;

use super::header::{PageHeader, PageKind};
use super::page::{Form, MOST_ENTRIES, Page, TOO_LONG, Values};
use super::{ENTRY, zstd};
use crate::games::varint;

/// Reads the pages of a chunk one after the other.
#[derive(Debug)]
pub(crate) struct ChunkReader {
    form: Form,
    is_compressed: bool,
    /// The chunk, and how far it has been read.
    bytes: Bytes,
    at: usize,
    /// Where the dictionary ends, if the footer says that there is one: else 0.
    dictionary_end: usize,
    dictionary: Values,
    page: Page,
    /// All texts of a column that has their numbers.
    numbered: Numbered,
    /// Memory to use again: of rows one after the other, whether they have something; where texts end.
    runs: Vec<(bool, usize)>,
    ends: Vec<usize>,
}

/// Texts with numbers: those of the dictionary, then those of pages that have none.
#[derive(Debug, Default)]
struct Numbered {
    texts: Values,
    array: Option<ArrayRef>,
}

/// What is wrong with a chunk.
type Fault = &'static str;

/// No page has more bytes: it has half a mebibyte, or a row, or what the library once looked at together.
const MOST_BYTES: usize = 256 << 20;

/// Room is made for no more rows before they are seen: what a footer says may be a lie.
const MOST_ROOM: usize = 1 << 17;

/// Rows of a column that are lists: where each begins, and which are there.
struct Lists {
    offsets: Vec<i32>,
    are_there: NullBufferBuilder,
}

impl ChunkReader {
    /// A reader of a chunk, or of some pages of it, one after the other, and its dictionary.
    pub(crate) fn new(column: &ColumnChunkMetaData, bytes: Bytes) -> Result<ChunkReader, Fault> {
        let has_texts = match column.column_type() {
            Type::BYTE_ARRAY => true,
            Type::INT32 => false,
            _ => return Err(OTHER_TYPE),
        };
        let description = column.column_descr();
        let levels = (description.max_def_level(), description.max_rep_level());
        let (most, is_list) = match levels {
            (0, 0) => (0, false),
            (1, 0) => (1, false),
            (2, 1) => (ENTRY, true),
            _ => return Err(OTHER_TYPE),
        };
        let is_compressed = match column.compression() {
            Compression::UNCOMPRESSED => false,
            Compression::ZSTD(_) => true,
            _ => return Err("compressed in a way which no archive has"),
        };
        let (start, _) = column.byte_range();
        let data = u64::try_from(column.data_page_offset()).unwrap_or(0);
        Ok(ChunkReader {
            dictionary_end: usize::try_from(data.saturating_sub(start)).unwrap_or(usize::MAX),
            form: Form {
                most,
                is_list,
                has_texts,
            },
            is_compressed,
            bytes,
            at: 0,
            dictionary: Values::default(),
            page: Page::default(),
            numbered: Numbered::default(),
            runs: Vec::new(),
            ends: Vec::new(),
        })
    }

    /// Opens the next page with rows. Says whether there is one.
    fn open_page(&mut self) -> Result<bool, Fault> {
        while self.page.is_over() {
            let mut rest = self.bytes.get(self.at..).unwrap_or_default();
            if rest.is_empty() {
                return Ok(false);
            }
            let header = PageHeader::take(&mut rest).ok_or("a page without a header")?;
            let stored = varint::take_bytes(&mut rest, header.stored).ok_or("a page is cut off")?;
            if header.size > MOST_BYTES {
                return Err("a page of very many bytes");
            }
            let body = &mut self.page.body;
            if self.is_compressed {
                zstd::decompress(stored, header.size, body).map_err(|_| "zstd cannot read it")?;
            } else {
                body.clear();
                body.extend_from_slice(stored);
            }
            let is_dictionary = self.at < self.dictionary_end;
            self.at = self.bytes.len() - rest.len();
            match header.kind {
                // Else a reader that begins at a page in the middle would see other rows.
                PageKind::Dictionary { .. } if self.at != self.dictionary_end => {
                    return Err(OTHER_PLACE);
                }
                PageKind::Data { .. } if is_dictionary => return Err(OTHER_PLACE),
                PageKind::Dictionary { values } if values > MOST_ENTRIES => {
                    return Err("a dictionary of very many values");
                }
                PageKind::Dictionary { values } => {
                    self.dictionary = Values::read(&self.page.body, values, self.form.has_texts)?;
                }
                PageKind::Data { entries, coding } => {
                    self.page.open(entries, coding, self.form)?;
                }
            }
        }
        Ok(true)
    }

    /// Nothing may be left.
    pub(crate) fn finish(&mut self) -> Result<(), Fault> {
        match self.open_page()? {
            false => Ok(()),
            true => Err("more rows than announced"),
        }
    }

    /// Passes over rows.
    pub(crate) fn skip(&mut self, mut rows: usize) -> Result<(), Fault> {
        while rows > 0 {
            self.need_page()?;
            let (count, values) = if self.form.is_list {
                self.page.pass_lists(rows, |_, _| ())
            } else {
                self.page.pass_rows(rows, |_, _| ())
            };
            self.page.skip(values);
            rows -= count;
        }
        Ok(())
    }

    fn need_page(&mut self) -> Result<(), Fault> {
        let is_there = self.open_page()?;
        is_there.then_some(()).ok_or("fewer rows than announced")
    }

    /// The next rows of a column as an array of this type.
    pub(crate) fn read(&mut self, data_type: &DataType, rows: usize) -> Result<ArrayRef, Fault> {
        match data_type {
            DataType::Int32 => self.numbers::<Int32Type>(rows, u32::cast_signed),
            DataType::UInt32 => self.numbers::<UInt32Type>(rows, |number| number),
            // A writer that keeps to the format has no others.
            #[allow(clippy::cast_possible_truncation)]
            DataType::UInt8 => self.numbers::<UInt8Type>(rows, |number| number as u8),
            DataType::Utf8 => self.texts(rows, true),
            DataType::Binary => self.texts(rows, false),
            DataType::Dictionary(..) => self.numbered(rows),
            DataType::List(item) => self.lists(rows, item),
            _ => Err(OTHER_TYPE),
        }
    }

    fn is_of(&self, is_list: bool, has_texts: bool) -> Result<(), Fault> {
        let is_same = (self.form.is_list, self.form.has_texts) == (is_list, has_texts);
        is_same.then_some(()).ok_or(OTHER_TYPE)
    }

    /// Goes on by so many rows, or by all that are left of a page, and keeps which of them have something in
    /// `runs`. Returns the number of rows, and of values.
    fn pass_rows(&mut self, most: usize) -> Result<(usize, usize), Fault> {
        self.need_page()?;
        let ChunkReader { page, runs, .. } = self;
        runs.clear();
        Ok(page.pass_rows(most, |is_there, length| runs.push((is_there, length))))
    }

    fn numbers<T: ArrowPrimitiveType>(
        &mut self,
        rows: usize,
        make: impl Fn(u32) -> T::Native,
    ) -> Result<ArrayRef, Fault> {
        self.is_of(false, false)?;
        let mut numbers: Vec<T::Native> = Vec::with_capacity(rows.min(MOST_ROOM));
        let mut are_there = NullBufferBuilder::new(rows.min(MOST_ROOM));
        let mut some = Vec::new();
        while numbers.len() < rows {
            let (count, values) = self.pass_rows(rows - numbers.len())?;
            let (page, dictionary) = (&mut self.page, &self.dictionary);
            if values == count {
                are_there.append_n_non_nulls(count);
                page.put_numbers(count, dictionary, &mut numbers, &make)?;
                continue;
            }
            some.clear();
            page.put_numbers(values, dictionary, &mut some, &make)?;
            let some = some.iter().copied();
            let nothing = |_: &[_]| T::default_value();
            spread(&self.runs, some, nothing, &mut numbers, &mut are_there);
        }
        let numbers = ScalarBuffer::from(numbers);
        let array = PrimitiveArray::<T>::new(numbers, are_there.finish());
        Ok(Arc::new(array))
    }

    fn texts(&mut self, rows: usize, is_text: bool) -> Result<ArrayRef, Fault> {
        self.is_of(false, true)?;
        let mut texts = Vec::new();
        let mut offsets: Vec<i32> = Vec::with_capacity(rows.min(MOST_ROOM) + 1);
        offsets.push(0);
        let mut are_there = NullBufferBuilder::new(rows.min(MOST_ROOM));
        while offsets.len() <= rows {
            let (_, values) = self.pass_rows(rows + 1 - offsets.len())?;
            self.ends.clear();
            let (page, ends) = (&mut self.page, &mut self.ends);
            page.put_texts(values, &self.dictionary, &mut texts, ends)?;
            i32::try_from(texts.len()).map_err(|_| TOO_LONG)?;
            // So no end is cut.
            #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
            let ends = ends.iter().map(|&end| end as i32);
            let again = |offsets: &[i32]| offsets.last().copied().unwrap_or(0);
            spread(&self.runs, ends, again, &mut offsets, &mut are_there);
        }
        let (offsets, nulls) = (OffsetBuffer::new(offsets.into()), are_there.finish());
        let texts = Buffer::from_vec(texts);
        if is_text {
            let array = StringArray::try_new(offsets, texts, nulls).map_err(|_| NO_UTF8)?;
            return Ok(Arc::new(array));
        }
        let array = BinaryArray::try_new(offsets, texts, nulls).map_err(|_| TOO_LONG)?;
        Ok(Arc::new(array))
    }

    fn numbered(&mut self, rows: usize) -> Result<ArrayRef, Fault> {
        self.is_of(false, true)?;
        let mut numbers: Vec<i32> = Vec::with_capacity(rows.min(MOST_ROOM));
        let mut are_there = NullBufferBuilder::new(rows.min(MOST_ROOM));
        let mut some: Vec<i32> = Vec::new();
        self.numbered.forget_all_but(&self.dictionary);
        while numbers.len() < rows {
            let (_, values) = self.pass_rows(rows - numbers.len())?;
            some.clear();
            let Numbered { texts: all, array } = &mut self.numbered;
            if all.ends.is_empty() {
                all.ends.extend_from_slice(&self.dictionary.ends);
                all.texts.extend_from_slice(&self.dictionary.texts);
                *array = None;
            }
            if let Some(places) = self.page.take_places(values) {
                some.extend(places.iter().map(|place| place.cast_signed()));
            } else {
                let first = i32::try_from(all.ends.len()).map_err(|_| TOO_LONG)?;
                let (page, dictionary) = (&mut self.page, &self.dictionary);
                page.put_texts(values, dictionary, &mut all.texts, &mut all.ends)?;
                let end = i32::try_from(all.ends.len()).map_err(|_| TOO_LONG)?;
                some.extend(first..end);
                *array = None;
            }
            let some = some.iter().copied();
            spread(&self.runs, some, |_| 0, &mut numbers, &mut are_there);
        }
        let texts = self.numbered.array()?;
        let numbers = PrimitiveArray::new(ScalarBuffer::from(numbers), are_there.finish());
        let array = DictionaryArray::<Int32Type>::try_new(numbers, texts);
        Ok(Arc::new(array.map_err(|_| "a text that is not there")?))
    }

    /// The lists of so many rows, with what they hold appended by `put`.
    fn pass_lists(
        &mut self,
        rows: usize,
        mut put: impl FnMut(&mut Page, &Values, usize) -> Result<(), Fault>,
    ) -> Result<Lists, Fault> {
        let mut offsets: Vec<i32> = Vec::with_capacity(rows.min(MOST_ROOM) + 1);
        offsets.push(0);
        let mut are_there = NullBufferBuilder::new(rows.min(MOST_ROOM));
        let mut end = 0usize;
        let mut left = rows;
        while left > 0 {
            self.need_page()?;
            let (count, values) = self.page.pass_lists(left, |is_there, entries| {
                are_there.append(is_there);
                end += entries;
                // Checked below, before it is used.
                offsets.push(i32::try_from(end).unwrap_or(i32::MAX));
            });
            i32::try_from(end).map_err(|_| TOO_LONG)?;
            put(&mut self.page, &self.dictionary, values)?;
            left -= count;
        }
        Ok(Lists { offsets, are_there })
    }

    fn lists(&mut self, rows: usize, item: &FieldRef) -> Result<ArrayRef, Fault> {
        self.is_of(true, false)?;
        let mut numbers: Vec<i32> = Vec::new();
        let Lists {
            offsets,
            mut are_there,
        } = self.pass_lists(rows, |page, dictionary, values| {
            page.put_numbers(values, dictionary, &mut numbers, u32::cast_signed)
        })?;
        let numbers = PrimitiveArray::<Int32Type>::new(numbers.into(), None);
        let offsets = OffsetBuffer::new(offsets.into());
        let (item, nulls) = (item.clone(), are_there.finish());
        let array = ListArray::try_new(item, offsets, Arc::new(numbers), nulls);
        Ok(Arc::new(array.map_err(|_| OTHER_TYPE)?))
    }

    /// A column of texts in lists: offsets and validity, and the texts.
    fn text_lists(&mut self, rows: usize) -> Result<(Lists, ArrayRef), Fault> {
        self.is_of(true, true)?;
        let (mut texts, mut ends) = (Vec::new(), vec![0]);
        let lists = self.pass_lists(rows, |page, dictionary, values| {
            page.put_texts(values, dictionary, &mut texts, &mut ends)
        })?;
        let ends: Result<Vec<i32>, _> = ends.into_iter().map(i32::try_from).collect();
        let offsets = OffsetBuffer::new(ends.map_err(|_| TOO_LONG)?.into());
        let array = StringArray::try_new(offsets, Buffer::from_vec(texts), None);
        Ok((lists, Arc::new(array.map_err(|_| NO_UTF8)?)))
    }

    /// The next rows of lists of pairs, from the columns of their keys and of their values.
    pub(crate) fn read_pairs(
        keys: &mut ChunkReader,
        values: &mut ChunkReader,
        pair: &FieldRef,
        rows: usize,
    ) -> Result<ArrayRef, Fault> {
        let (mut lists, keys) = keys.text_lists(rows)?;
        let (mut twin, values) = values.text_lists(rows)?;
        let nulls = lists.are_there.finish();
        if lists.offsets != twin.offsets || nulls != twin.are_there.finish() {
            return Err("keys without values");
        }
        let fields: Fields = match pair.data_type() {
            DataType::Struct(fields) => fields.clone(),
            _ => return Err(OTHER_TYPE),
        };
        let pairs = StructArray::try_new(fields, vec![keys, values], None);
        let pairs = pairs.map_err(|_| OTHER_TYPE)?;
        let offsets = OffsetBuffer::new(lists.offsets.into());
        let array = MapArray::try_new(pair.clone(), offsets, pairs, nulls, false);
        Ok(Arc::new(array.map_err(|_| OTHER_TYPE)?))
    }
}

/// Puts values into the rows that have something, and what `nothing` makes of all before into the others.
fn spread<N: Copy>(
    runs: &[(bool, usize)],
    mut some: impl Iterator<Item = N>,
    nothing: impl Fn(&[N]) -> N,
    out: &mut Vec<N>,
    are_there: &mut NullBufferBuilder,
) {
    for &(is_there, length) in runs {
        if is_there {
            are_there.append_n_non_nulls(length);
            out.extend(some.by_ref().take(length));
        } else {
            are_there.append_n_nulls(length);
            out.resize(out.len() + length, nothing(out));
        }
    }
}

impl Numbered {
    /// Numbers are those of one batch: texts of pages without a dictionary are not kept for the next.
    fn forget_all_but(&mut self, dictionary: &Values) {
        if self.texts.ends.len() > dictionary.ends.len() {
            self.texts.ends.truncate(dictionary.ends.len());
            self.texts.texts.truncate(dictionary.texts.len());
            self.array = None;
        }
    }

    /// All texts.
    fn array(&mut self) -> Result<ArrayRef, Fault> {
        if let Some(array) = &self.array {
            return Ok(array.clone());
        }
        let ends = [&0].into_iter().chain(&self.texts.ends);
        let ends: Result<Vec<i32>, _> = ends.map(|&end| i32::try_from(end)).collect();
        let offsets = OffsetBuffer::new(ends.map_err(|_| TOO_LONG)?.into());
        let texts = Buffer::from_slice_ref(&self.texts.texts);
        let texts = StringArray::try_new(offsets, texts, None).map_err(|_| NO_UTF8)?;
        let array: ArrayRef = Arc::new(texts);
        self.array = Some(array.clone());
        Ok(array)
    }
}

const OTHER_PLACE: Fault = "a dictionary is not where the footer says";
const OTHER_TYPE: Fault = "a column of another type";
const NO_UTF8: Fault = "text that is not UTF-8";
