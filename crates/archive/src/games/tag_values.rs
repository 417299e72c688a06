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

#[cfg(test)]
mod tests {
    use super::super::clerk::Clerk;
    use super::super::cutter::Piece;
    use super::super::tag_order::TagOrders;
    use super::super::transcript::Manner;
    use super::*;
    use codec::CodecName;
    use testkit::Random;

    /// Tags of all kinds, in any order, some twice; texts that are short and long, with quotes and without.
    fn game(random: &mut Random) -> String {
        let long = "a long name, longer than most names are";
        let values = [
            ("Event", ["Blitz", long, "", "a \\\"b\\\""]),
            ("Site", ["Oslo", long, "x", "?"]),
            ("Date", ["2017.08.30", "????.??.??", "1999.??.??", "soon"]),
            ("Result", ["1-0", "1/2-1/2", "*", "won"]),
            ("WhiteElo", ["2500", "0", "?", "01"]),
            ("WhiteRatingDiff", ["+5", "-17", "0", "5"]),
            (
                "UTCDate",
                ["2017.08.30", "????.??.??", "2017.08.30", "2020.01.01"],
            ),
            ("UTCTime", ["21:53:20", "00:00:00", "99:00:00", "noon"]),
            ("PlyCount", ["2", "3", "02", "two"]),
            ("ATagThatHasNoColumnOfItsOwn", ["a", long, "", "\\\\"]),
        ];
        let mut text = String::new();
        for _ in 0..random.below(12) {
            let (name, values) = values[random.below(values.len())];
            // Mostly the first.
            let value = values[random.below(4) * random.below(2)];
            text.push_str(&format!("[{name} \"{value}\"]\n"));
        }
        text + "\n1. e4 e5 *\n\n"
    }

    /// The slow twin goes the long way for every tag.
    #[test]
    fn usual_tags_are_written_as_any() {
        let mut random = Random::new(23);
        for _ in 0..20 {
            let games: String = (0..100).map(|_| game(&mut random)).collect();
            let mut piece = Piece {
                text: games.into_bytes(),
                ..Piece::default()
            };
            let manner = Manner {
                codec: CodecName::Index,
                lossy: None,
            };
            let taken = Clerk::new(manner).take_down(&mut piece, 0).unwrap();
            let rows = Rows::new(&taken.rows, manner.codec).unwrap();
            let mut orders = TagOrders::default();
            let (mut usual, mut all) = (0, 0);
            for row in 0..rows.len() {
                let order = orders.get(rows.numbered_order(row));
                let mut texts = [Vec::new(), Vec::new()];
                let results = [0, 1].map(|way| {
                    let mut values = rows.tag_values(row, false).unwrap();
                    let mut out = Room::behind(&mut texts[way]);
                    for entry in &order.entries {
                        all += way;
                        if way == 1 && values.put_usual(entry, (b"\"]\n\0", 3), &mut out) {
                            usual += 1;
                            continue;
                        }
                        out.make();
                        entry.put_opening(&mut out);
                        values.put(entry, &mut out).unwrap();
                        out.put_some(b"\"]\n\0", 3);
                    }
                    values.finish().unwrap()
                });
                assert_eq!(results[0], results[1]);
                assert_eq!(texts[0], texts[1]);
            }
            assert!(usual > all / 4 && usual < all, "{usual} of {all}");
        }
    }
}
