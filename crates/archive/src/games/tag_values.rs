//! The values of the tags of a game, as they are written one after the other.

use std::ops::Range;

use arrow_array::{Array, Int32Array, StringArray};
use pgn::Outcome;

use super::fault::RowFault;
use super::notes::put_number;
use super::room::Room;
use super::rows::{Rows, put_text};
use super::tag_column::{TAGS, TagKind, place};
use super::tag_order::{OPENING, OrderEntry};

/// A column of tags.
#[derive(Debug)]
pub(super) enum TagArray {
    Text(TextArray),
    Number(TagKind, Int32Array),
}

/// Texts, and whether there is a quote or a backslash in any of them: few columns have one, and then
/// nobody need look at every text.
#[derive(Debug)]
pub(super) struct TextArray {
    pub(super) texts: StringArray,
    has_quotes: bool,
}

/// Nearly all texts are as short.
const SHORT_TEXT: usize = 32;

// What is put for a tag without asking for more room: its name, a text, quote, bracket and line end.
const _: () = assert!(OPENING + SHORT_TEXT + 4 <= Room::LEAST / 2);

impl TextArray {
    pub(super) fn new(texts: StringArray) -> TextArray {
        let has_quotes = memchr::memchr2(b'"', b'\\', texts.value_data()).is_some();
        TextArray { texts, has_quotes }
    }

    /// A text and what follows it, if it is short and so much follows: it is copied as so many bytes as the
    /// compiler knows of, without a call.
    #[inline(always)]
    fn short(&self, row: usize) -> Option<(&[u8; SHORT_TEXT], usize)> {
        let [start, end] = *self.texts.value_offsets().get(row..)?.first_chunk()?;
        let (start, end) = (usize::try_from(start).ok()?, usize::try_from(end).ok()?);
        let text = self.texts.value_data().get(start..)?.first_chunk()?;
        let length = end.checked_sub(start)?;
        (length <= SHORT_TEXT).then_some((text, length))
    }
}

/// Whether a column has a value in a row. The library's own question is a call.
#[inline(always)]
fn has(column: &impl Array, row: usize) -> bool {
    column.nulls().is_none_or(|nulls| nulls.is_valid(row))
}

/// The values of the tags of a row, which must be asked for in their order.
pub(super) struct TagValues<'a> {
    pub(super) rows: &'a Rows,
    pub(super) row: usize,
    pub(super) is_latin1: bool,
    /// Those that are in no column of their own, and have not been asked for.
    pub(super) others: Range<usize>,
    /// What the first tag `Result` says.
    pub(super) outcome: Option<Outcome>,
    /// Where the first tag `Date` has been written.
    pub(super) date: Option<Range<usize>>,
}

impl<'a> TagValues<'a> {
    /// The column in which the value of a tag is, if it has one.
    #[inline(always)]
    fn column(&self, entry: &OrderEntry) -> Option<&'a TagArray> {
        let column = entry.column.filter(|_| entry.is_first)?;
        self.rows.tags.get(column)?.as_ref()
    }

    /// Writes a tag as nearly all are: one that has a column of numbers, or of texts without quotes and is
    /// short. `false`, and nothing is written, if it is another.
    #[inline(always)]
    pub(super) fn put_usual(
        &mut self,
        entry: &OrderEntry,
        closing: (&[u8; 4], usize),
        out: &mut Room<'_>,
    ) -> bool {
        let Some(column) = self.column(entry).filter(|_| entry.is_usual) else {
            return false;
        };
        let row = self.row;
        let begin = out.len();
        let Some(mut strip) = out.strip() else {
            return false;
        };
        entry.put_short_opening(&mut strip);
        let start = strip.len();
        match column {
            TagArray::Number(kind, numbers) if has(numbers, row) => {
                kind.write(numbers.value(row), &mut strip);
            }
            TagArray::Text(array) if has(&array.texts, row) => {
                let short = array.short(row);
                let Some((text, length)) = short.filter(|_| !array.has_quotes & !self.is_latin1)
                else {
                    return false;
                };
                if entry.column == Some(place::RESULT) {
                    self.outcome = text.get(..length).and_then(Outcome::parse);
                }
                strip.put_some(text, length);
            }
            _ => return false,
        }
        let end = strip.len();
        strip.put_some(closing.0, closing.1);
        let length = strip.len();
        out.take_over(length);
        if entry.column == Some(place::DATE) {
            self.date = Some(begin + start..begin + end);
        }
        true
    }

    /// Writes the value of any tag. Says whether there may be quotes in it.
    ///
    /// # Errors
    /// [`RowFault::Tags`].
    pub(super) fn put(&mut self, entry: &OrderEntry, out: &mut Room<'_>) -> Result<bool, RowFault> {
        const FAULT: RowFault = RowFault::Tags;
        let (rows, row, start) = (self.rows, self.row, out.len());
        // Values of columns without quotes, and numbers, have none.
        let mut may_have_quotes = false;
        match self.column(entry) {
            _ if entry.is_derived => match entry.column {
                Some(place::PLY_COUNT) => put_number(out, rows.plies(row).ok_or(FAULT)?),
                Some(place::UTC_DATE) => out.put_again(self.date.clone().ok_or(FAULT)?),
                _ => return Err(FAULT),
            },
            Some(TagArray::Number(kind, numbers)) if has(numbers, row) => {
                kind.write(numbers.value(row), out);
            }
            Some(TagArray::Text(array)) if has(&array.texts, row) => {
                put_text(array.texts.value(row), self.is_latin1, out)?;
                may_have_quotes = array.has_quotes;
            }
            _ => {
                let at = self.others.next().ok_or(FAULT)?;
                let (_, keys, values) = rows.others.as_ref().ok_or(FAULT)?;
                if at >= keys.len() || at >= values.len() {
                    return Err(FAULT);
                }
                if keys.value(at).as_bytes() != entry.name {
                    return Err(FAULT);
                }
                put_text(values.value(at), self.is_latin1, out)?;
                // Numbers and dates that are none are not looked at, and never were.
                let tag = entry.column.and_then(|column| TAGS.get(column));
                may_have_quotes = tag.is_none_or(|tag| tag.kind == TagKind::Text);
            }
        }
        let value = start..out.len();
        match entry.column.filter(|_| entry.is_first) {
            Some(place::RESULT) => self.outcome = Outcome::parse(out.text(value)),
            Some(place::DATE) => self.date = Some(value),
            _ => {}
        }
        Ok(may_have_quotes)
    }

    /// What they say of the result.
    ///
    /// # Errors
    /// [`RowFault::Tags`] if there are more values than tags.
    pub(super) fn finish(self) -> Result<Option<Outcome>, RowFault> {
        if self.others.is_empty() {
            Ok(self.outcome)
        } else {
            Err(RowFault::Tags)
        }
    }
}
