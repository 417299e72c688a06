//! Some rows of a column as they are to be written.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, UInt8Type, UInt32Type};
use arrow_array::{Array, ArrayRef};
use arrow_buffer::{ArrowNativeType, NullBuffer};

/// The rows of a column that came of one piece of text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    pub(super) rows: usize,
    /// Which rows have something; `None` if all have.
    pub(super) nulls: Option<&'a NullBuffer>,
    /// Where the entries of each row begin, and the next, if rows are lists.
    pub(super) lists: Option<&'a [i32]>,
    pub(super) values: Values<'a>,
}

/// Texts with numbers count as no longer: as many as a page has rows fill it then.
const MOST_AVERAGE: usize = 128;

/// What rows have, or the entries of lists.
#[derive(Clone, Copy, Debug)]
pub(super) enum Values<'a> {
    Signed(&'a [i32]),
    Words(&'a [u32]),
    Bytes(&'a [u8]),
    /// Where each text begins, and the next, and all texts.
    Texts(&'a [i32], &'a [u8]),
    /// The number of each text, and the texts.
    Numbered(&'a [i32], &'a [i32], &'a [u8]),
}

impl<'a> Part<'a> {
    /// What Parquet knows as one column: the keys and the values of lists of pairs are two, which have
    /// the numbers 0 and 1. `None` if there is none, or one of a kind that no archive has.
    pub(crate) fn of(column: &'a ArrayRef, number: usize) -> Option<Part<'a>> {
        let part = |lists, values| Part {
            rows: column.len(),
            nulls: column.nulls().filter(|nulls| nulls.null_count() > 0),
            lists,
            values,
        };
        if let Some(map) = column.as_map_opt() {
            let texts = [map.keys(), map.values()].into_iter().nth(number)?;
            return Some(part(Some(map.value_offsets()), Values::of(texts)?));
        }
        if number > 0 {
            return None;
        }
        if let Some(list) = column.as_list_opt::<i32>() {
            let values = Values::of(list.values())?;
            return Some(part(Some(list.value_offsets()), values));
        }
        Some(part(None, Values::of(column)?))
    }

    /// Whether so many rows from this one on are those of another from that one on.
    pub(crate) fn is_same(
        &self,
        at: usize,
        other: &Part<'_>,
        other_at: usize,
        count: usize,
    ) -> bool {
        if at + count > self.rows || other_at + count > other.rows {
            return false;
        }
        let is_valid = |nulls: Option<&NullBuffer>, row| nulls.is_none_or(|all| all.is_valid(row));
        let are_there = self.nulls.is_none() && other.nulls.is_none()
            || (0..count)
                .all(|i| is_valid(self.nulls, at + i) == is_valid(other.nulls, other_at + i));
        let are_as_long = match (self.lists, other.lists) {
            (None, None) => true,
            (Some(_), Some(_)) => {
                (0..count).all(|i| self.list(at + i).0 == other.list(other_at + i).0)
            }
            _ => false,
        };
        let mut is_same = are_there && are_as_long;
        if !is_same {
            return false;
        }
        let mut compare = |own: Range<usize>, start| {
            is_same &= self.values.is_same(own, &other.values, start);
        };
        match self.lists {
            Some(_) => {
                let own = self.first_value(at)..self.first_value(at + count);
                compare(own, other.first_value(other_at));
            }
            None => self.runs(at..at + count, |is_there, run| {
                if is_there {
                    compare(run.clone(), run.start - at + other_at);
                }
            }),
        }
        is_same
    }

    /// Which rows, of these, have something and which have not, in runs.
    pub(super) fn runs(&self, rows: Range<usize>, mut each: impl FnMut(bool, Range<usize>)) {
        let Some(nulls) = self.nulls else {
            return each(true, rows);
        };
        let own = nulls.slice(rows.start, rows.len());
        let mut at = rows.start;
        for (start, end) in own.valid_slices() {
            let (start, end) = (rows.start + start, rows.start + end);
            if at < start {
                each(false, at..start);
            }
            each(true, start..end);
            at = end;
        }
        if at < rows.end {
            each(false, at..rows.end);
        }
    }

    /// Where in the values those of some rows are, in runs.
    pub(super) fn values_of(&self, rows: Range<usize>, mut each: impl FnMut(Range<usize>)) {
        match self.lists {
            // What has no list has none of its entries.
            Some(_) => each(self.first_value(rows.start)..self.first_value(rows.end)),
            None => self.runs(rows, |is_there, run| {
                if is_there {
                    each(run);
                }
            }),
        }
    }

    /// How many entries the list of a row has, and whether there is a list.
    pub(super) fn list(&self, row: usize) -> (usize, bool) {
        let count = self.first_value(row + 1) - self.first_value(row);
        (count, self.nulls.is_none_or(|nulls| nulls.is_valid(row)))
    }

    pub(super) fn has_texts(&self) -> bool {
        matches!(self.values, Values::Texts(..) | Values::Numbered(..))
    }

    fn first_value(&self, row: usize) -> usize {
        self.lists.map_or(row, |lists| offset(lists, row))
    }

    /// How many bytes all rows before this one take, more or less.
    fn weight_before(&self, row: usize, coding: super::Coding) -> usize {
        let value = self.first_value(row);
        match self.values {
            Values::Texts(offsets, _) if coding != super::Coding::Dictionary => {
                offset(offsets, value)
            }
            Values::Numbered(_, offsets, bytes) if coding != super::Coding::Dictionary => {
                // One very long text among short ones must not make all of them count as long.
                let texts = offsets.len().saturating_sub(1).max(1);
                value * bytes.len().div_ceil(texts).min(MOST_AVERAGE)
            }
            _ => value * 4,
        }
    }

    /// How many rows from this one on, no more than `most`, take no more than `room` bytes.
    pub(super) fn rows_in(
        &self,
        start: usize,
        most: usize,
        room: usize,
        coding: super::Coding,
    ) -> usize {
        let before = self.weight_before(start, coding);
        let fits = |count: usize| self.weight_before(start + count, coding) - before <= room;
        let most = most.min(self.rows - start);
        if fits(most) {
            return most;
        }
        // None fit to all fit: between them is the last that fits.
        let (mut low, mut high) = (0, most);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if fits(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// How many bytes these rows take, more or less.
    pub(super) fn weight_of(&self, rows: Range<usize>, coding: super::Coding) -> usize {
        self.weight_before(rows.end, coding) - self.weight_before(rows.start, coding)
    }
}

impl<'a> Values<'a> {
    fn of(array: &'a ArrayRef) -> Option<Values<'a>> {
        if let Some(texts) = array.as_string_opt::<i32>() {
            return Some(Values::Texts(texts.value_offsets(), texts.value_data()));
        }
        if let Some(bytes) = array.as_binary_opt::<i32>() {
            return Some(Values::Texts(bytes.value_offsets(), bytes.value_data()));
        }
        if let Some(numbers) = array.as_primitive_opt::<Int32Type>() {
            return Some(Values::Signed(numbers.values()));
        }
        if let Some(numbers) = array.as_primitive_opt::<UInt32Type>() {
            return Some(Values::Words(numbers.values()));
        }
        if let Some(numbers) = array.as_primitive_opt::<UInt8Type>() {
            return Some(Values::Bytes(numbers.values()));
        }
        let numbered = array.as_dictionary_opt::<Int32Type>()?;
        let texts = numbered.values().as_string_opt::<i32>()?;
        let numbers = numbered.keys().values();
        Some(Values::Numbered(
            numbers,
            texts.value_offsets(),
            texts.value_data(),
        ))
    }

    /// Whether some values are those of another from that one on.
    fn is_same(&self, own: Range<usize>, other: &Values<'_>, start: usize) -> bool {
        fn some<T>(values: &[T], range: Range<usize>) -> Option<&[T]> {
            values.get(range)
        }
        let others = start..start + own.len();
        match (self, other) {
            (Values::Signed(one), Values::Signed(two)) => some(one, own) == some(two, others),
            (Values::Words(one), Values::Words(two)) => some(one, own) == some(two, others),
            (Values::Bytes(one), Values::Bytes(two)) => some(one, own) == some(two, others),
            (Values::Texts(one, bytes), Values::Texts(two, other_bytes)) => {
                let (Some(one), Some(two)) = (
                    one.get(own.start..=own.end),
                    two.get(others.start..=others.end),
                ) else {
                    return false;
                };
                // As long, each and all, and then they lie one after the other.
                let are_as_long = one.windows(2).zip(two.windows(2)).all(|pair| match pair {
                    (&[start, end], &[other_start, other_end]) => {
                        end - start == other_end - other_start
                    }
                    _ => false,
                });
                let text = |offsets: &[i32]| {
                    let (start, end) = (offsets.first(), offsets.last());
                    start.map_or(0, |at| at.as_usize())..end.map_or(0, |at| at.as_usize())
                };
                are_as_long && bytes.get(text(one)) == other_bytes.get(text(two))
            }
            (Values::Numbered(one, ..), Values::Numbered(two, ..)) => {
                let mut last = None;
                own.zip(others).all(|(own, other_own)| {
                    let numbers = (one.get(own), two.get(other_own));
                    // Those of the row before are known to be the same text.
                    let is_same = last == Some(numbers)
                        || numbers.0.is_some() && self.text(own) == other.text(other_own);
                    last = Some(numbers);
                    is_same
                })
            }
            _ => false,
        }
    }

    /// One of the texts.
    fn text(&self, place: usize) -> Option<&'a [u8]> {
        let mut text = None;
        self.texts(place..place + 1, |own| text = Some(own));
        text
    }

    /// Calls `each` with some of the numbers, in order; with none of texts.
    #[inline]
    pub(super) fn numbers(&self, range: Range<usize>, each: impl FnMut(u32)) {
        match self {
            Values::Signed(numbers) => {
                let own = numbers.get(range).unwrap_or_default().iter();
                own.map(|number| number.cast_unsigned()).for_each(each);
            }
            Values::Words(numbers) => {
                let own = numbers.get(range).unwrap_or_default().iter();
                own.copied().for_each(each);
            }
            Values::Bytes(numbers) => {
                let own = numbers.get(range).unwrap_or_default().iter();
                own.copied().map(u32::from).for_each(each);
            }
            Values::Texts(..) | Values::Numbered(..) => {}
        }
    }

    /// Appends some of the numbers.
    pub(super) fn put_numbers(&self, range: Range<usize>, out: &mut Vec<u32>) {
        match self {
            Values::Signed(numbers) => {
                let own = numbers.get(range).unwrap_or_default().iter();
                out.extend(own.map(|number| number.cast_unsigned()));
            }
            Values::Words(numbers) => {
                out.extend_from_slice(numbers.get(range).unwrap_or_default());
            }
            Values::Bytes(numbers) => {
                let own = numbers.get(range).unwrap_or_default().iter();
                out.extend(own.copied().map(u32::from));
            }
            Values::Texts(..) | Values::Numbered(..) => {}
        }
    }

    /// Appends some of the texts, one after the other.
    pub(super) fn put_texts(&self, range: Range<usize>, out: &mut Vec<u8>) {
        match *self {
            // They lie one after the other.
            Values::Texts(offsets, bytes) => {
                let own = offset(offsets, range.start)..offset(offsets, range.end);
                out.extend_from_slice(bytes.get(own).unwrap_or_default());
            }
            _ => self.texts(range, |text| out.extend_from_slice(text)),
        }
    }

    /// Calls `each` with some of the texts, in order; with none of numbers.
    #[inline]
    pub(super) fn texts(&self, range: Range<usize>, mut each: impl FnMut(&'a [u8])) {
        match *self {
            Values::Texts(offsets, bytes) => {
                let own = offsets.get(range.start..range.end + 1).unwrap_or_default();
                for pair in own.windows(2) {
                    if let &[start, end] = pair {
                        each(
                            bytes
                                .get(start.as_usize()..end.as_usize())
                                .unwrap_or_default(),
                        );
                    }
                }
            }
            Values::Numbered(numbers, offsets, bytes) => {
                for number in numbers.get(range).unwrap_or_default() {
                    let place = number.as_usize();
                    let own = offset(offsets, place)..offset(offsets, place + 1);
                    each(bytes.get(own).unwrap_or_default());
                }
            }
            _ => {}
        }
    }
}

fn offset(offsets: &[i32], i: usize) -> usize {
    offsets.get(i).map_or(0, |offset| offset.as_usize())
}
