//! Columns to games.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Int32Type, UInt8Type, UInt32Type};
use arrow_array::{
    Array, BinaryArray, Int32Array, ListArray, MapArray, PrimitiveArray, RecordBatch, StringArray,
    UInt8Array, UInt32Array,
};
use chess::Position;
use codec::{CodecError, CodecName, Legality, MoveCodec, Plies};
use pgn::Outcome;

use super::compose::{Composer, Movetext};
use super::difference;
use super::fault::RowFault;
use super::flags::{Flags, RowKind};
use super::layout::Layout;
use super::numbered_texts::NumberedTexts;
use super::plain_moves::{After, PlainMoves};
use super::room::Room;
use super::tag_column::{TAGS, TagKind, place};
use super::tag_order::{MOST_NUMBERS, TagOrders, is_fen};
use super::tag_values::{TagArray, TagValues, TextArray};

/// Memory that is used again for every game.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    orders: TagOrders,
    text: Vec<u8>,
    tags: Vec<(Range<usize>, Range<usize>)>,
    written: Vec<u8>,
    /// By their numbers; `None` if nobody has asked.
    layouts: Vec<Option<Layout>>,
    /// The rows whose orders and layouts these are.
    rows: Option<u64>,
}

impl Scratch {
    /// Forgets what was said of other rows.
    #[inline]
    fn turn_to(&mut self, rows: &Rows) {
        if self.rows != Some(rows.id) {
            self.orders = TagOrders::default();
            self.layouts.clear();
            self.rows = Some(rows.id);
        }
    }

    /// The tags that were read last.
    pub(crate) fn tags(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.tags.iter().map(|(name, value)| {
            (
                self.text.get(name.clone()).unwrap_or_default(),
                self.text.get(value.clone()).unwrap_or_default(),
            )
        })
    }
}

/// The rows of a row group.
#[derive(Debug)]
pub(crate) struct Rows {
    /// No others have it.
    id: u64,
    count: usize,
    codec: CodecName,
    pub(super) tags: Vec<Option<TagArray>>,
    order: Option<NumberedTexts>,
    pub(super) others: Option<(MapArray, StringArray, StringArray)>,
    flags: UInt8Array,
    plies: Option<UInt32Array>,
    moves: Option<BinaryArray>,
    clocks: Option<(ListArray, Int32Array)>,
    evals: Option<(ListArray, Int32Array)>,
    annotations: Option<BinaryArray>,
    final_pieces: Option<UInt32Array>,
    final_pawns: Option<UInt8Array>,
    home_left: Option<UInt32Array>,
    error: Option<StringArray>,
    layout: Option<NumberedTexts>,
    difference: Option<BinaryArray>,
}

fn typed<T: Clone>(array: Option<&T>, column: &'static str) -> Result<T, RowFault> {
    array.cloned().ok_or(RowFault::Column { column })
}

fn list(
    batch: &RecordBatch,
    name: &'static str,
) -> Result<Option<(ListArray, Int32Array)>, RowFault> {
    let Some(array) = batch.column_by_name(name) else {
        return Ok(None);
    };
    let list = typed(array.as_list_opt::<i32>(), name)?;
    let values = typed(list.values().as_primitive_opt::<Int32Type>(), name)?;
    Ok(Some((list, values)))
}

impl Rows {
    /// The rows of a batch.
    ///
    /// # Errors
    /// [`RowFault::Column`] if a column is missing that must be there, or holds something else.
    pub(crate) fn new(batch: &RecordBatch, codec: CodecName) -> Result<Rows, RowFault> {
        let mut tags = Vec::with_capacity(TAGS.len());
        for tag in &TAGS {
            tags.push(match (batch.column_by_name(tag.column), tag.kind) {
                (None, _) => None,
                (Some(array), TagKind::Text) => Some(TagArray::Text(TextArray::new(typed(
                    array.as_string_opt::<i32>(),
                    tag.column,
                )?))),
                (Some(array), kind) => Some(TagArray::Number(
                    kind,
                    typed(array.as_primitive_opt::<Int32Type>(), tag.column)?,
                )),
            });
        }
        let others = match batch.column_by_name("tags") {
            None => None,
            Some(array) => {
                let map = typed(array.as_map_opt(), "tags")?;
                let keys = typed(map.keys().as_string_opt::<i32>(), "tags")?;
                let values = typed(map.values().as_string_opt::<i32>(), "tags")?;
                Some((map, keys, values))
            }
        };
        let text = |name| -> Result<Option<StringArray>, RowFault> {
            batch
                .column_by_name(name)
                .map(|array| typed(array.as_string_opt::<i32>(), name))
                .transpose()
        };
        let numbered = |name| -> Result<Option<NumberedTexts>, RowFault> {
            let column = batch.column_by_name(name);
            column
                .map(|array| NumberedTexts::of(array).ok_or(RowFault::Column { column: name }))
                .transpose()
        };
        let binary = |name| -> Result<Option<BinaryArray>, RowFault> {
            batch
                .column_by_name(name)
                .map(|array| typed(array.as_binary_opt::<i32>(), name))
                .transpose()
        };
        let word = |name| -> Result<Option<UInt32Array>, RowFault> {
            batch
                .column_by_name(name)
                .map(|array| typed(array.as_primitive_opt::<UInt32Type>(), name))
                .transpose()
        };
        let byte = |name| -> Result<Option<UInt8Array>, RowFault> {
            batch
                .column_by_name(name)
                .map(|array| typed(array.as_primitive_opt::<UInt8Type>(), name))
                .transpose()
        };
        static ROWS: AtomicU64 = AtomicU64::new(0);
        Ok(Rows {
            id: ROWS.fetch_add(1, Ordering::Relaxed),
            count: batch.num_rows(),
            codec,
            tags,
            order: numbered("tag_order")?,
            others,
            flags: byte("flags")?.ok_or(RowFault::Column { column: "flags" })?,
            plies: word("plies")?,
            moves: binary("moves")?,
            clocks: list(batch, "clocks")?,
            evals: list(batch, "evals")?,
            annotations: binary("annotations")?,
            final_pieces: word("final_pieces")?,
            final_pawns: byte("final_pawns")?,
            home_left: word("home_left")?,
            error: text("error")?,
            layout: numbered("layout")?,
            difference: binary("difference")?,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// What a row is.
    pub(crate) fn flags(&self, row: usize) -> Result<Flags, RowFault> {
        if row >= self.count || self.flags.is_null(row) {
            return Err(RowFault::Flags);
        }
        Flags::from_byte(self.flags.value(row)).ok_or(RowFault::Flags)
    }

    /// Why a bad game is bad.
    pub(crate) fn error(&self, row: usize) -> Option<&str> {
        text_at(self.error.as_ref()?, row)
    }

    /// How many plies a game has.
    pub(crate) fn plies(&self, row: usize) -> Option<u32> {
        number_at(self.plies.as_ref()?, row)
    }

    /// The text of a tag that has a column of text, by its place in [`TAGS`].
    pub(crate) fn tag_text(&self, place: usize, row: usize) -> Option<&str> {
        match self.tags.get(place)?.as_ref()? {
            TagArray::Text(array) => text_at(&array.texts, row),
            TagArray::Number(..) => None,
        }
    }

    /// The number of a tag that has a column of numbers, by its place in [`TAGS`].
    pub(crate) fn tag_number(&self, place: usize, row: usize) -> Option<i32> {
        match self.tags.get(place)?.as_ref()? {
            TagArray::Number(_, numbers) => number_at(numbers, row),
            TagArray::Text(_) => None,
        }
    }

    /// The names of the tags in their order, as they are stored.
    pub(crate) fn tag_order(&self, row: usize) -> Option<&str> {
        Some(self.order.as_ref()?.get(row)?.1)
    }

    pub(super) fn numbered_order(&self, row: usize) -> Option<(usize, &str)> {
        self.order.as_ref()?.get(row)
    }

    /// The tags that are in no column of their own: names and values.
    pub(crate) fn other_tags(&self, row: usize) -> impl Iterator<Item = (&str, &str)> {
        let others = self.others.as_ref();
        let others = others.filter(|(map, _, _)| row < map.len() && !map.is_null(row));
        others.into_iter().flat_map(move |(map, keys, values)| {
            let offset = |i: usize| {
                let offset = map.value_offsets().get(i).copied().unwrap_or(0);
                usize::try_from(offset).unwrap_or(0)
            };
            (offset(row)..offset(row + 1))
                .filter_map(|at| Some((text_at(keys, at)?, text_at(values, at)?)))
        })
    }

    /// The moves of a game: their encoding and bytes.
    pub(crate) fn move_bytes(&self, row: usize) -> Option<(CodecName, &[u8])> {
        let bytes = bytes_at(self.moves.as_ref()?, row)?;
        let is_word = self.flags(row).ok()?.is_word();
        Some((if is_word { CodecName::Word } else { self.codec }, bytes))
    }

    /// Queens, rooks, bishops and knights of both at the end.
    pub(crate) fn final_pieces(&self, row: usize) -> Option<u32> {
        number_at(self.final_pieces.as_ref()?, row)
    }

    /// Pawns of both at the end.
    pub(crate) fn final_pawns(&self, row: usize) -> Option<u8> {
        number_at(self.final_pawns.as_ref()?, row)
    }

    /// Home squares left.
    pub(crate) fn home_left(&self, row: usize) -> Option<u32> {
        number_at(self.home_left.as_ref()?, row)
    }

    /// Clocks as they are stored.
    pub(crate) fn clocks(&self, row: usize) -> &[i32] {
        list_at(self.clocks.as_ref(), row)
    }

    /// Evaluations as they are stored.
    pub(crate) fn evals(&self, row: usize) -> &[i32] {
        list_at(self.evals.as_ref(), row)
    }

    /// Comments, glyphs and variations as they are stored.
    pub(crate) fn annotations(&self, row: usize) -> &[u8] {
        let notes = self.annotations.as_ref();
        notes
            .and_then(|notes| bytes_at(notes, row))
            .unwrap_or_default()
    }

    /// The position that the tags say a game starts from: that of the last FEN that is one.
    pub(crate) fn start(&self, row: usize) -> Position {
        let column = self.tag_text(place::FEN, row);
        if column.is_none() && self.other_tags(row).next().is_none() {
            return Position::START;
        }
        let mut column = column;
        let mut others = self.other_tags(row).filter(|(name, _)| is_fen(name));
        let mut start = Position::START;
        let is_latin1 = self.flags(row).is_ok_and(Flags::is_latin1);
        let order = self.tag_order(row).unwrap_or_default();
        for name in order.split(' ').filter(|name| is_fen(name)) {
            let own = if name == "FEN" { column.take() } else { None };
            let Some(fen) = own.or_else(|| others.next().map(|(_, value)| value)) else {
                continue;
            };
            let position = if is_latin1 {
                let bytes = latin1(fen).ok();
                bytes.and_then(|bytes| pgn::decode_text(&bytes).trim().parse().ok())
            } else {
                fen.trim().parse().ok()
            };
            start = position.unwrap_or(start);
        }
        start
    }

    /// The difference that is stored for a row.
    fn difference(&self, row: usize) -> Option<&[u8]> {
        bytes_at(self.difference.as_ref()?, row)
    }

    /// Reads the tags of a row into the scratch, and returns what they say of the result.
    pub(crate) fn load_tags(
        &self,
        row: usize,
        scratch: &mut Scratch,
    ) -> Result<Option<Outcome>, RowFault> {
        let is_latin1 = self.flags(row)?.is_latin1();
        scratch.turn_to(self);
        let Scratch {
            orders, text, tags, ..
        } = scratch;
        let order = orders.get(self.numbered_order(row));
        text.clear();
        tags.clear();
        let mut text = Room::behind(text);
        let mut values = self.tag_values(row, is_latin1)?;
        for entry in &order.entries {
            text.make();
            let name = text.len();
            text.put_text(&entry.name);
            let value = text.len();
            values.put(entry, &mut text)?;
            tags.push((name..value, value..text.len()));
        }
        values.finish()
    }

    /// The values of the tags of a row.
    pub(super) fn tag_values(
        &self,
        row: usize,
        is_latin1: bool,
    ) -> Result<TagValues<'_>, RowFault> {
        let mut others = 0..0;
        if let Some((map, _, _)) = self.others.as_ref().filter(|(map, _, _)| !map.is_null(row)) {
            let offset = |i: usize| {
                let offset = map.value_offsets().get(i).copied();
                offset.and_then(|offset| usize::try_from(offset).ok())
            };
            others = offset(row).ok_or(RowFault::Tags)?..offset(row + 1).ok_or(RowFault::Tags)?;
        }
        Ok(TagValues {
            rows: self,
            row,
            is_latin1,
            others,
            outcome: None,
            date: None,
        })
    }

    /// Writes the text of a game in a layout.
    pub(crate) fn write_in(
        &self,
        row: usize,
        layout: &Layout,
        scratch: &mut Scratch,
        out: &mut Vec<u8>,
    ) -> Result<(), RowFault> {
        let flags = self.flags(row)?;
        scratch.turn_to(self);
        let order = scratch.orders.get(self.numbered_order(row));
        let newline: &[u8] = if layout.crlf { b"\r\n" } else { b"\n" };
        for _ in 0..layout.blank_before {
            out.extend_from_slice(newline);
        }
        let closing = match layout.crlf {
            true => (b"\"]\r\n", 4),
            false => (b"\"]\n\0", 3),
        };
        let mut values = self.tag_values(row, flags.is_latin1())?;
        let mut text = Room::behind(out);
        for entry in &order.entries {
            if !values.put_usual(entry, closing, &mut text) {
                text.make();
                entry.put_opening(&mut text);
                let start = text.len();
                if values.put(entry, &mut text)? {
                    escape(&mut text, start);
                }
                text.put_some(closing.0, closing.1);
            }
        }
        drop(text);
        let tag_outcome = values.finish()?;
        if !order.entries.is_empty() {
            for _ in 0..layout.blank_after_tags {
                out.extend_from_slice(newline);
            }
        }
        let start = if order.has_fen {
            self.start(row)
        } else {
            Position::START
        };
        let movetext = Movetext {
            start: &start,
            notes: self.annotations(row),
            clocks: self.clocks(row),
            evals: self.evals(row),
            outcome: flags.outcome().resolve(tag_outcome),
        };
        let mut composer = Composer::new(&movetext, layout, out);
        let mut end = start;
        if let Some((plies, (name, bytes))) = self.plies(row).zip(self.move_bytes(row)) {
            let plies = usize::try_from(plies).map_err(|_| RowFault::Flags)?;
            let replayed = match name {
                CodecName::Index => {
                    write_moves(codec::MoveIndex, &start, plies, bytes, &mut composer)
                }
                CodecName::Packed => {
                    write_moves(codec::Packed, &start, plies, bytes, &mut composer)
                }
                _ => name.replay(&start, Plies::Exactly(plies), TRUST, bytes, |before, m| {
                    composer.step(before, m)
                }),
            };
            (end, _) = replayed.map_err(RowFault::Moves)?;
        }
        composer.finish(&end).map_err(|_| RowFault::Notes)
    }

    /// Restores the text of a row, byte for byte.
    pub(crate) fn restore(
        &self,
        row: usize,
        scratch: &mut Scratch,
        out: &mut Vec<u8>,
    ) -> Result<(), RowFault> {
        let difference = self.difference(row);
        if let Some(text) = difference.and_then(difference::whole_text) {
            out.extend_from_slice(text);
            return Ok(());
        }
        if self.flags(row)?.kind() != RowKind::Game {
            return Err(RowFault::Difference);
        }
        let layout = self.layout(row, scratch)?;
        let Some(difference) = difference else {
            return self.write_in(row, &layout, scratch, out);
        };
        let mut written = std::mem::take(&mut scratch.written);
        written.clear();
        let result = self.write_in(row, &layout, scratch, &mut written);
        let applied = difference::apply(&written, difference, out);
        scratch.written = written;
        result?;
        applied.ok_or(RowFault::Difference)
    }

    fn layout(&self, row: usize, scratch: &mut Scratch) -> Result<Layout, RowFault> {
        let layouts = self.layout.as_ref().ok_or(RowFault::Layout)?;
        let (number, text) = layouts.get(row).ok_or(RowFault::Layout)?;
        scratch.turn_to(self);
        if let Some(Some(layout)) = scratch.layouts.get(number) {
            return Ok(*layout);
        }
        let layout = Layout::parse(text).ok_or(RowFault::Layout)?;
        if scratch.layouts.len() <= number && number < MOST_NUMBERS {
            scratch.layouts.resize(number + 1, None);
        }
        if let Some(known) = scratch.layouts.get_mut(number) {
            *known = Some(layout);
        }
        Ok(layout)
    }
}

/// The checksum vouches for the bytes, and whoever wrote them for the moves; what is no move at all is an
/// error all the same.
const TRUST: Legality = Legality::Trusted;

/// Writes moves as they are decoded. The usual encodings have the usual writers compiled into their
/// loops.
#[inline(always)]
fn write_moves<C: MoveCodec>(
    codec: C,
    start: &Position,
    plies: usize,
    bytes: &[u8],
    composer: &mut Composer<'_, '_>,
) -> Result<(Position, usize), CodecError> {
    if composer.is_plain() {
        return composer.plain_moves(
            #[inline(always)]
            |moves| write_plain(codec, start, plies, bytes, moves),
        );
    }
    if let Some(refrain) = composer.refrain(plies) {
        return composer.moves_with(
            plies,
            refrain,
            #[inline(always)]
            |moves| write_plain(codec, start, plies, bytes, moves),
        );
    }
    codec::replay(
        codec,
        start,
        Plies::Exactly(plies),
        TRUST,
        bytes,
        |before, m| composer.step(before, m),
    )
}

#[inline(always)]
fn write_plain<C: MoveCodec, A: After>(
    codec: C,
    start: &Position,
    plies: usize,
    bytes: &[u8],
    moves: &mut PlainMoves<'_, A>,
) -> Result<(Position, usize), CodecError> {
    codec::replay_to(codec, start, Plies::Exactly(plies), TRUST, bytes, moves)
}

/// Puts a backslash before quotes and backslashes of a value, which begins at `start`.
#[inline]
fn escape(out: &mut Room<'_>, start: usize) {
    let value = out.text(start..out.len());
    if memchr::memchr2(b'"', b'\\', value).is_some() {
        let mut escaped = Vec::with_capacity(2 * value.len());
        for &byte in value {
            if matches!(byte, b'"' | b'\\') {
                escaped.push(b'\\');
            }
            escaped.push(byte);
        }
        out.truncate(start);
        out.put_text(&escaped);
    }
}

fn text_at(array: &StringArray, row: usize) -> Option<&str> {
    (row < array.len() && !array.is_null(row)).then(|| array.value(row))
}

fn bytes_at(array: &BinaryArray, row: usize) -> Option<&[u8]> {
    (row < array.len() && !array.is_null(row)).then(|| array.value(row))
}

fn number_at<T: ArrowPrimitiveType>(array: &PrimitiveArray<T>, row: usize) -> Option<T::Native> {
    (row < array.len() && !array.is_null(row)).then(|| array.value(row))
}

fn list_at(list: Option<&(ListArray, Int32Array)>, row: usize) -> &[i32] {
    let Some((list, values)) = list.filter(|(list, _)| row < list.len() && !list.is_null(row))
    else {
        return &[];
    };
    let offset = |i: usize| {
        let offset = list.value_offsets().get(i).copied();
        usize::try_from(offset.unwrap_or(0)).unwrap_or(0)
    };
    let range = offset(row)..offset(row + 1);
    values.values().get(range).unwrap_or_default()
}

pub(super) fn put_text(text: &str, is_latin1: bool, out: &mut Room<'_>) -> Result<(), RowFault> {
    if is_latin1 {
        out.put_text(&latin1(text)?);
    } else {
        out.put_text(text.as_bytes());
    }
    Ok(())
}

/// The bytes of a text that was Latin-1.
fn latin1(text: &str) -> Result<Vec<u8>, RowFault> {
    let bytes = text.chars().map(|c| u8::try_from(u32::from(c)));
    bytes.collect::<Result<_, _>>().map_err(|_| RowFault::Tags)
}
