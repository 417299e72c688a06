//! A page of data while it is read.

use super::{Coding, EMPTY_LIST, ENTRY, NOTHING, lengths, runs};
use crate::games::varint;

/// A page of data: what it says of its rows, and its values.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// The page as it is decompressed. Its values begin at `values_at`.
    pub(super) body: Vec<u8>,
    values_at: usize,
    coding: Option<Coding>,
    /// For each row or entry of a list: whether it is there.
    levels: Vec<u8>,
    /// For each entry of a list: whether it begins one.
    starts: Vec<u8>,
    /// Nothing is missing, and no list is without entries.
    is_full: bool,
    entries: usize,
    /// How many entries have been read,
    entry: usize,
    /// and how many values.
    value: usize,
    values: usize,
    /// Texts one after the other, unless they are those of a dictionary: where each ends.
    ends: Vec<usize>,
    /// Places in the dictionary.
    places: Vec<u32>,
}

/// What the rows of a column look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Form {
    /// How high levels are.
    pub(super) most: u8,
    pub(super) is_list: bool,
    pub(super) has_texts: bool,
}

/// Values of a dictionary.
#[derive(Debug, Default)]
pub(super) struct Values {
    pub(super) texts: Vec<u8>,
    /// Where each text ends.
    pub(super) ends: Vec<usize>,
    pub(super) numbers: Vec<u32>,
}

/// No page has more entries, and no dictionary more values.
pub(super) const MOST_ENTRIES: usize = 1 << 24;

/// Where texts end is counted by 32 bits.
const MOST_TEXT: usize = i32::MAX as usize;
pub(super) const TOO_LONG: Fault = "more than fits into a column";

const RUN_LENGTH: usize = 4;

type Fault = &'static str;

impl Page {
    /// Takes up the page in `body`.
    pub(super) fn open(&mut self, entries: usize, coding: Coding, form: Form) -> Result<(), Fault> {
        if entries > MOST_ENTRIES {
            return Err("a page of very many rows");
        }
        let mut rest = &self.body[..];
        self.levels.clear();
        self.starts.clear();
        if form.is_list {
            read_levels(take_levels(&mut rest)?, 1, entries, &mut self.starts)?;
            if self.starts.first().is_some_and(|&start| start != 0) {
                return Err("a page begins inside of a list");
            }
        }
        self.values = entries;
        if form.most > 0 {
            let width = runs::width_of(form.most.into());
            let own = take_levels(&mut rest)?;
            // Most often all are there, which is said in two bytes.
            if runs::all_same(own, width, entries) != Some(form.most.into()) {
                read_levels(own, width, entries, &mut self.levels)?;
                self.values = count(&self.levels, form.most);
                self.check_levels(form)?;
            }
        }
        self.is_full = self.values == entries;
        (self.entries, self.entry, self.value) = (entries, 0, 0);
        self.coding = Some(coding);
        self.ends.clear();
        self.places.clear();
        let values_at = self.body.len() - rest.len();
        self.values_at = match coding {
            Coding::Dictionary => {
                let (&width, rest) = rest.split_first().unwrap_or((&0, &[]));
                runs::read(rest, width.into(), self.values, &mut self.places, |place| {
                    place
                })
                .ok_or("fewer values than announced")?;
                values_at
            }
            Coding::Lengths if form.has_texts => {
                lengths::take_ends(&mut rest, self.values, &mut self.ends)
                    .filter(|()| self.ends.last().is_none_or(|&end| end == rest.len()))
                    .ok_or("lengths that do not fit the texts")?;
                self.body.len() - rest.len()
            }
            Coding::Plain if form.has_texts => {
                let mut texts = Vec::new();
                take_plain(rest, self.values, &mut texts, &mut self.ends)
                    .ok_or("lengths that do not fit the texts")?;
                self.body = texts;
                0
            }
            Coding::Plain | Coding::Split if !form.has_texts => {
                if rest.len() != self.values * 4 {
                    return Err("fewer or more numbers than announced");
                }
                values_at
            }
            _ => return Err("values that are written in a way which no archive has"),
        };
        Ok(())
    }

    /// Only an only entry can be missing: of a list that is none, or has none.
    fn check_levels(&self, form: Form) -> Result<(), Fault> {
        if !form.is_list {
            let known = count(&self.levels, NOTHING) + self.values;
            let are_known = known == self.levels.len();
            return are_known.then_some(()).ok_or("levels that do not exist");
        }
        let mut missing = 0;
        for place in memchr::memchr2_iter(NOTHING, EMPTY_LIST, &self.levels) {
            missing += 1;
            let begins = |place: usize| self.starts.get(place).is_none_or(|&start| start == 0);
            if !begins(place) || !begins(place + 1) {
                return Err("lists with gaps");
            }
        }
        let are_known = missing + self.values == self.levels.len();
        are_known.then_some(()).ok_or("levels that do not exist")
    }

    /// Whether all has been read.
    pub(super) fn is_over(&self) -> bool {
        self.entry == self.entries
    }

    /// Goes on by so many rows, or by all that are left. Calls `run` for rows one after the other that have
    /// something, or that have not. Returns the number of rows, and of values.
    pub(super) fn pass_rows(
        &mut self,
        most: usize,
        mut run: impl FnMut(bool, usize),
    ) -> (usize, usize) {
        let count = most.min(self.entries - self.entry);
        let own = self.entry..self.entry + count;
        self.entry = own.end;
        if self.is_full {
            run(true, count);
            return (count, count);
        }
        let mut values = 0;
        let levels = self.levels.get(own).unwrap_or_default();
        for same in levels.chunk_by(|one, next| one == next) {
            let is_there = same.first() != Some(&NOTHING);
            values += if is_there { same.len() } else { 0 };
            run(is_there, same.len());
        }
        (count, values)
    }

    /// Goes on by so many lists, or by all that are left. Calls `list` with what each has: whether it is there,
    /// and how many entries. Returns the number of lists, and of values.
    pub(super) fn pass_lists(
        &mut self,
        most: usize,
        mut list: impl FnMut(bool, usize),
    ) -> (usize, usize) {
        let (mut count, mut values) = (0, 0);
        while count < most && !self.is_over() {
            let rest = self.starts.get(self.entry + 1..).unwrap_or_default();
            let more = memchr::memchr(0, rest).unwrap_or(rest.len());
            let level = if self.is_full {
                ENTRY
            } else {
                self.levels.get(self.entry).copied().unwrap_or(NOTHING)
            };
            let entries = if level == ENTRY { more + 1 } else { 0 };
            list(level != NOTHING, entries);
            self.entry += more + 1;
            values += entries;
            count += 1;
        }
        (count, values)
    }

    /// Passes over values.
    pub(super) fn skip(&mut self, count: usize) {
        self.value = (self.value + count).min(self.values);
    }

    /// Appends the next numbers.
    pub(super) fn put_numbers<N>(
        &mut self,
        count: usize,
        dictionary: &Values,
        out: &mut Vec<N>,
        make: impl Fn(u32) -> N,
    ) -> Result<(), Fault> {
        let own = self.value..self.value + count;
        self.skip(count);
        let values = self.body.get(self.values_at..).unwrap_or_default();
        match self.coding {
            Some(Coding::Plain) => {
                let values = values.get(own.start * 4..own.end * 4).unwrap_or_default();
                let (numbers, _) = values.as_chunks();
                out.extend(
                    numbers
                        .iter()
                        .map(|&number| make(u32::from_le_bytes(number))),
                );
            }
            Some(Coding::Split) => {
                let plane = |i: usize| {
                    let plane = values.get(i * self.values..(i + 1) * self.values);
                    plane
                        .and_then(|plane| plane.get(own.clone()))
                        .unwrap_or_default()
                };
                let (low, high) = (plane(0).iter().zip(plane(1)), plane(2).iter().zip(plane(3)));
                let numbers = low.zip(high).map(|((&a, &b), (&c, &d))| {
                    make(u32::from(a) | u32::from(b) << 8 | u32::from(c) << 16 | u32::from(d) << 24)
                });
                out.extend(numbers);
            }
            _ => {
                let places = self.places.get(own).unwrap_or_default();
                out.reserve(places.len());
                for &place in places {
                    let number = dictionary.numbers.get(place as usize);
                    out.push(make(*number.ok_or(NO_SUCH_VALUE)?));
                }
            }
        }
        Ok(())
    }

    /// The places of the next values in the dictionary, if they are in one.
    pub(super) fn take_places(&mut self, count: usize) -> Option<&[u32]> {
        if self.coding != Some(Coding::Dictionary) {
            return None;
        }
        let own = self.value..self.value + count;
        self.skip(count);
        self.places.get(own)
    }

    /// Appends the next texts, and where each ends.
    pub(super) fn put_texts(
        &mut self,
        count: usize,
        dictionary: &Values,
        texts: &mut Vec<u8>,
        ends: &mut Vec<usize>,
    ) -> Result<(), Fault> {
        let own = self.value..self.value + count;
        if let Some(places) = self.take_places(count) {
            ends.reserve(places.len());
            for &place in places {
                dictionary.put(place, texts).ok_or(NO_SUCH_VALUE)?;
                // A short dictionary can make a long column: this is asked before there is no more memory.
                if texts.len() > MOST_TEXT {
                    return Err(TOO_LONG);
                }
                ends.push(texts.len());
            }
            return Ok(());
        }
        self.skip(count);
        let first = match own.start.checked_sub(1) {
            Some(before) => self.ends.get(before).copied().unwrap_or(0),
            None => 0,
        };
        let own = self.ends.get(own).unwrap_or_default();
        let last = own.last().copied().unwrap_or(first);
        let values = self.body.get(self.values_at..).unwrap_or_default();
        let before = texts.len();
        if last - first > MOST_TEXT.saturating_sub(before) {
            return Err(TOO_LONG);
        }
        texts.extend_from_slice(values.get(first..last).unwrap_or_default());
        ends.extend(own.iter().map(|end| before + (end - first)));
        Ok(())
    }
}

const NO_SUCH_VALUE: Fault = "a value that is not in the dictionary";

impl Values {
    /// The values of a dictionary's page.
    pub(super) fn read(page: &[u8], count: usize, has_texts: bool) -> Result<Values, Fault> {
        let mut values = Values::default();
        if has_texts {
            take_plain(page, count, &mut values.texts, &mut values.ends)
        } else {
            let (numbers, rest) = page.as_chunks();
            let numbers = numbers.iter().map(|&number| u32::from_le_bytes(number));
            values.numbers.extend(numbers);
            (rest.is_empty() && values.numbers.len() == count).then_some(())
        }
        .ok_or("a dictionary with fewer or more values than announced")?;
        Ok(values)
    }

    /// Appends a text.
    #[inline]
    fn put(&self, place: u32, out: &mut Vec<u8>) -> Option<()> {
        let place = place as usize;
        let start = match place.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        let length = *self.ends.get(place)? - start;
        let text = self.texts.get(start..)?;
        // Most texts are short: so many bytes are copied without a call.
        match text.first_chunk::<SHORT>() {
            Some(text) if length <= SHORT => {
                let end = out.len() + length;
                out.extend_from_slice(text);
                out.truncate(end);
            }
            _ => out.extend_from_slice(text.get(..length)?),
        }
        Some(())
    }
}

/// So long most texts are.
const SHORT: usize = 32;

/// Takes levels off the front, which have their length in bytes before them.
fn take_levels<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8], Fault> {
    varint::take_bytes(rest, RUN_LENGTH)
        .and_then(|length| Some(u32::from_le_bytes(*length.first_chunk()?) as usize))
        .and_then(|length| varint::take_bytes(rest, length))
        .ok_or(TOO_FEW_ROWS)
}

fn read_levels(own: &[u8], width: u32, entries: usize, out: &mut Vec<u8>) -> Result<(), Fault> {
    // Two bits at most.
    #[allow(clippy::cast_possible_truncation)]
    let read = runs::read(own, width, entries, out, |level| level as u8);
    read.ok_or(TOO_FEW_ROWS)
}

const TOO_FEW_ROWS: Fault = "fewer rows than announced";

/// How many levels are this one: a few are counted in a byte.
fn count(levels: &[u8], level: u8) -> usize {
    let few = |some: &[u8]| -> u8 { some.iter().map(|&own| u8::from(own == level)).sum() };
    let some = levels.chunks(usize::from(u8::MAX));
    some.map(|some| usize::from(few(some))).sum()
}

/// Reads all of `count` texts, each behind its length.
fn take_plain(
    mut bytes: &[u8],
    count: usize,
    texts: &mut Vec<u8>,
    ends: &mut Vec<usize>,
) -> Option<()> {
    texts.reserve(bytes.len());
    for _ in 0..count {
        let length = varint::take_bytes(&mut bytes, RUN_LENGTH)?;
        let length = u32::from_le_bytes(*length.first_chunk()?);
        texts.extend_from_slice(varint::take_bytes(&mut bytes, length as usize)?);
        ends.push(texts.len());
    }
    bytes.is_empty().then_some(())
}
