//! Columns while they are gathered, row by row. Rows that have nothing are passed over: what they do not
//! have is made up for when the next one has something, or at the end. The memory is used again, and
//! what is handed out is no larger than it must be.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BinaryArray, Int32Array, ListArray, PrimitiveArray, StringArray,
    new_null_array,
};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field};

/// What lists of numbers hold: all numbers are there.
pub(crate) fn item() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::Int32, false))
}

/// Columns in which no row has anything. Of an archive's columns half are so in most pieces of text: those of
/// a type are one and the same.
pub(crate) struct Blanks {
    rows: usize,
    made: Vec<ArrayRef>,
}

impl Blanks {
    /// For so many rows.
    pub(crate) const fn new(rows: usize) -> Blanks {
        let made = Vec::new();
        Blanks { rows, made }
    }

    pub(crate) fn of(&mut self, data_type: &DataType) -> ArrayRef {
        let known = self.made.iter().find(|made| made.data_type() == data_type);
        known.cloned().unwrap_or_else(|| {
            let blank = new_null_array(data_type, self.rows);
            self.made.push(blank.clone());
            blank
        })
    }
}

/// Rows one after the other that have nothing.
#[derive(Debug, Default)]
struct Gaps(Vec<Range<usize>>);

impl Gaps {
    /// What Arrow wants to know of so many rows. Forgets them.
    fn take(&mut self, rows: usize) -> Option<NullBuffer> {
        if self.0.is_empty() {
            return None;
        }
        let mut bits = BooleanBufferBuilder::new(rows);
        let mut at = 0;
        for gap in self.0.drain(..) {
            bits.append_n(gap.start - at, true);
            bits.append_n(gap.len(), false);
            at = gap.end;
        }
        bits.append_n(rows - at, true);
        Some(NullBuffer::new(bits.finish()))
    }
}

/// Texts or bytes.
#[derive(Debug)]
pub(crate) struct GatheredBytes {
    bytes: Vec<u8>,
    /// Where each row begins, and the next.
    offsets: Offsets,
}

/// Where the rows of a column begin in what it holds.
#[derive(Debug)]
struct Offsets {
    starts: Vec<i32>,
    gaps: Gaps,
}

impl Offsets {
    fn new() -> Offsets {
        Offsets {
            starts: vec![0],
            gaps: Gaps::default(),
        }
    }

    /// How many rows there are.
    fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    fn is_blank(&self) -> bool {
        self.rows() == 0
    }

    /// Passes over rows up to this one.
    #[inline(always)]
    fn pass_to(&mut self, row: usize) {
        if self.rows() < row {
            self.pass_gap(row);
        }
    }

    #[inline(never)]
    fn pass_gap(&mut self, row: usize) {
        self.gaps.0.push(self.rows()..row);
        let end = self.starts.last().copied().unwrap_or(0);
        self.starts.resize(row + 1, end);
    }

    /// The row ends here. What is too long for 32 bits is found out when it is handed out.
    #[inline(always)]
    fn end_row(&mut self, end: usize) {
        self.starts.push(i32::try_from(end).unwrap_or(i32::MAX));
    }

    fn take(&mut self, rows: usize) -> (OffsetBuffer<i32>, Option<NullBuffer>) {
        self.pass_to(rows);
        let starts = ScalarBuffer::from(Buffer::from_vec(self.starts.clone()));
        self.starts.truncate(1);
        (OffsetBuffer::new(starts), self.gaps.take(rows))
    }
}

impl GatheredBytes {
    pub(crate) fn new() -> GatheredBytes {
        GatheredBytes {
            bytes: Vec::new(),
            offsets: Offsets::new(),
        }
    }

    /// Whether nothing was put.
    pub(crate) fn is_blank(&self) -> bool {
        self.offsets.is_blank()
    }

    /// Puts bytes into a row, which is behind all that have some.
    #[inline(always)]
    pub(crate) fn put(&mut self, row: usize, bytes: &[u8]) {
        self.offsets.pass_to(row);
        self.bytes.extend_from_slice(bytes);
        self.offsets.end_row(self.bytes.len());
    }

    /// So many rows as a column of texts.
    ///
    /// # Errors
    /// If a text is not UTF-8, or there is too much of it.
    pub(crate) fn take_texts(&mut self, rows: usize) -> Result<ArrayRef, ArrowError> {
        let (bytes, (offsets, nulls)) = (self.take_bytes(), self.offsets.take(rows));
        Ok(Arc::new(StringArray::try_new(offsets, bytes, nulls)?))
    }

    /// So many rows as a column of bytes.
    ///
    /// # Errors
    /// If there are too many.
    pub(crate) fn take(&mut self, rows: usize) -> Result<ArrayRef, ArrowError> {
        let (bytes, (offsets, nulls)) = (self.take_bytes(), self.offsets.take(rows));
        Ok(Arc::new(BinaryArray::try_new(offsets, bytes, nulls)?))
    }

    fn take_bytes(&mut self) -> Buffer {
        let bytes = Buffer::from_vec(self.bytes.clone());
        self.bytes.clear();
        bytes
    }
}

/// Numbers.
#[derive(Debug)]
pub(crate) struct GatheredNumbers<T: ArrowPrimitiveType> {
    numbers: Vec<T::Native>,
    gaps: Gaps,
}

impl<T: ArrowPrimitiveType> GatheredNumbers<T> {
    pub(crate) fn new() -> GatheredNumbers<T> {
        GatheredNumbers {
            numbers: Vec::new(),
            gaps: Gaps::default(),
        }
    }

    /// Whether nothing was put.
    pub(crate) fn is_blank(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Puts a number into a row, which is behind all that have one.
    #[inline(always)]
    pub(crate) fn put(&mut self, row: usize, number: T::Native) {
        if self.numbers.len() < row {
            self.pass_gap(row);
        }
        self.numbers.push(number);
    }

    #[inline(never)]
    fn pass_gap(&mut self, row: usize) {
        self.gaps.0.push(self.numbers.len()..row);
        self.numbers.resize(row, T::default_value());
    }

    /// So many rows as a column.
    pub(crate) fn take(&mut self, rows: usize) -> ArrayRef {
        if self.numbers.len() < rows {
            self.pass_gap(rows);
        }
        let numbers = ScalarBuffer::from(Buffer::from_vec(self.numbers.clone()));
        self.numbers.clear();
        Arc::new(PrimitiveArray::<T>::new(numbers, self.gaps.take(rows)))
    }
}

/// Lists of numbers.
#[derive(Debug)]
pub(crate) struct GatheredLists {
    numbers: Vec<i32>,
    offsets: Offsets,
}

impl GatheredLists {
    pub(crate) fn new() -> GatheredLists {
        GatheredLists {
            numbers: Vec::new(),
            offsets: Offsets::new(),
        }
    }

    /// Whether nothing was put.
    pub(crate) fn is_blank(&self) -> bool {
        self.offsets.is_blank()
    }

    /// Puts a list into a row, which is behind all that have one. None is the same as an empty one.
    #[inline(always)]
    pub(crate) fn put(&mut self, row: usize, numbers: impl IntoIterator<Item = i32>) {
        let before = self.numbers.len();
        self.numbers.extend(numbers);
        if self.numbers.len() > before {
            self.offsets.pass_to(row);
            self.offsets.end_row(self.numbers.len());
        }
    }

    /// So many rows as a column.
    ///
    /// # Errors
    /// If there are too many numbers.
    pub(crate) fn take(&mut self, rows: usize) -> Result<ArrayRef, ArrowError> {
        let numbers = ScalarBuffer::from(Buffer::from_vec(self.numbers.clone()));
        self.numbers.clear();
        let numbers = Arc::new(Int32Array::new(numbers, None));
        let (offsets, nulls) = self.offsets.take(rows);
        Ok(Arc::new(ListArray::try_new(
            item(),
            offsets,
            numbers,
            nulls,
        )?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::types::{Int32Type, UInt8Type};
    use arrow_array::{Array, UInt8Array};
    use testkit::Random;

    /// The slow twin is the library, told all rows at once.
    #[test]
    fn columns_are_those_of_the_library() {
        let mut random = Random::new(29);
        let (mut bytes, mut texts) = (GatheredBytes::new(), GatheredBytes::new());
        let mut numbers = GatheredNumbers::<UInt8Type>::new();
        let mut lists = GatheredLists::new();
        for round in 0..200 {
            let rows = random.below(70);
            // All rows, none, some.
            let share = [4, 0, 1, 2, 3][round % 5];
            let values: Vec<Option<Vec<u8>>> = (0..rows)
                .map(|_| {
                    let length = random.below(5);
                    let value = (0..length).map(|_| b"abcdefgh"[random.below(8)]).collect();
                    (random.below(4) < share).then_some(value)
                })
                .collect();
            for (row, value) in values.iter().enumerate() {
                let Some(value) = value else { continue };
                bytes.put(row, value);
                texts.put(row, value);
                numbers.put(row, u8::try_from(value.len()).unwrap());
                lists.put(row, value.iter().map(|&byte| i32::from(byte)));
            }
            let text = |value: &Vec<u8>| String::from_utf8(value.clone()).unwrap();
            let all: StringArray = values
                .iter()
                .map(|value| value.as_ref().map(text))
                .collect();
            assert_eq!(texts.take_texts(rows).unwrap().as_ref(), &all as &dyn Array);
            let all: BinaryArray = values.iter().map(|value| value.as_deref()).collect();
            assert_eq!(bytes.take(rows).unwrap().as_ref(), &all as &dyn Array);
            let lengths = values
                .iter()
                .map(|value| value.as_ref().map(|v| u8::try_from(v.len()).unwrap()));
            let all: UInt8Array = lengths.collect();
            assert_eq!(numbers.take(rows).as_ref(), &all as &dyn Array);
            let list = |value: &Vec<u8>| -> Option<Vec<Option<i32>>> {
                let list = value.iter().map(|&byte| Some(i32::from(byte)));
                (!value.is_empty()).then(|| list.collect())
            };
            let all = values.iter().map(|value| value.as_ref().and_then(list));
            let all = ListArray::from_iter_primitive::<Int32Type, _, _>(all);
            let taken = lists.take(rows).unwrap();
            let taken = taken.as_any().downcast_ref::<ListArray>().unwrap();
            assert_eq!(
                taken.iter().collect::<Vec<_>>(),
                all.iter().collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn what_is_not_utf8_is_an_error() {
        let mut texts = GatheredBytes::new();
        texts.put(0, b"\xff");
        assert!(texts.take_texts(1).is_err());
    }
}
