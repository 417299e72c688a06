//! Columns to games.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, UInt8Type, UInt32Type};
use arrow_array::{
    Array, BinaryArray, Int32Array, ListArray, MapArray, RecordBatch, StringArray, UInt8Array,
    UInt32Array,
};
use chess::{Move, Position};
use codec::{CodecName, Legality, Plies};
use pgn::Outcome;

use super::compose::{self, Movetext};
use super::difference;
use super::fault::RowFault;
use super::flags::{Flags, RowKind};
use super::layout::Layout;
use super::notes::put_number;
use super::row_builder::start_of;
use super::tag_column::{self, TAGS, TagKind};

#[derive(Debug)]
enum TagArray {
    Text(StringArray),
    Number(Int32Array),
}

/// One entry of a tag order.
#[derive(Clone, Debug)]
struct OrderEntry {
    name: Vec<u8>,
    column: Option<usize>,
    is_derived: bool,
}

/// Memory that is used again for every game.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    order_text: String,
    order: Vec<OrderEntry>,
    text: Vec<u8>,
    tags: Vec<(Range<usize>, Range<usize>)>,
    moves: Vec<Move>,
    written: Vec<u8>,
    layout_text: String,
    layout: Option<Layout>,
}

impl Scratch {
    /// The tags that were read last.
    pub(crate) fn tags(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.tags.iter().map(|(name, value)| {
            (
                self.text.get(name.clone()).unwrap_or_default(),
                self.text.get(value.clone()).unwrap_or_default(),
            )
        })
    }

    /// The moves that were read last.
    pub(crate) fn moves(&self) -> &[Move] {
        &self.moves
    }

    fn push_text(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.text.len();
        self.text.extend_from_slice(bytes);
        start..self.text.len()
    }
}

/// The rows of a row group.
#[derive(Debug)]
pub(crate) struct Rows {
    count: usize,
    codec: CodecName,
    tags: Vec<Option<TagArray>>,
    order: StringArray,
    others: Option<(MapArray, StringArray, StringArray)>,
    flags: UInt8Array,
    plies: UInt32Array,
    moves: BinaryArray,
    clocks: Option<(ListArray, Int32Array)>,
    evals: Option<(ListArray, Int32Array)>,
    annotations: Option<BinaryArray>,
    error: Option<StringArray>,
    layout: Option<StringArray>,
    difference: Option<BinaryArray>,
}

fn column<'a>(batch: &'a RecordBatch, name: &'static str) -> Result<&'a Arc<dyn Array>, RowFault> {
    batch
        .column_by_name(name)
        .ok_or(RowFault::Column { column: name })
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
                (Some(array), TagKind::Text) => Some(TagArray::Text(typed(
                    array.as_string_opt::<i32>(),
                    tag.column,
                )?)),
                (Some(array), _) => Some(TagArray::Number(typed(
                    array.as_primitive_opt::<Int32Type>(),
                    tag.column,
                )?)),
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
        let binary = |name| -> Result<Option<BinaryArray>, RowFault> {
            batch
                .column_by_name(name)
                .map(|array| typed(array.as_binary_opt::<i32>(), name))
                .transpose()
        };
        Ok(Rows {
            count: batch.num_rows(),
            codec,
            tags,
            order: typed(
                column(batch, "tag_order")?.as_string_opt::<i32>(),
                "tag_order",
            )?,
            others,
            flags: typed(
                column(batch, "flags")?.as_primitive_opt::<UInt8Type>(),
                "flags",
            )?,
            plies: typed(
                column(batch, "plies")?.as_primitive_opt::<UInt32Type>(),
                "plies",
            )?,
            moves: typed(column(batch, "moves")?.as_binary_opt::<i32>(), "moves")?,
            clocks: list(batch, "clocks")?,
            evals: list(batch, "evals")?,
            annotations: binary("annotations")?,
            error: text("error")?,
            layout: text("layout")?,
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
        let error = self.error.as_ref()?;
        (row < error.len() && !error.is_null(row)).then(|| error.value(row))
    }

    /// How many plies a game has.
    pub(crate) fn plies(&self, row: usize) -> Option<u32> {
        (row < self.count && !self.plies.is_null(row)).then(|| self.plies.value(row))
    }

    /// The difference that is stored for a row.
    fn difference(&self, row: usize) -> Option<&[u8]> {
        let difference = self.difference.as_ref()?;
        (!difference.is_null(row)).then(|| difference.value(row))
    }

    fn load_order(&self, row: usize, scratch: &mut Scratch) {
        let order = if self.order.is_null(row) {
            ""
        } else {
            self.order.value(row)
        };
        if order == scratch.order_text {
            return;
        }
        scratch.order_text.clear();
        scratch.order_text.push_str(order);
        scratch.order.clear();
        for name in order.split(' ').filter(|name| !name.is_empty()) {
            let (name, is_derived) = match name.strip_suffix('=') {
                Some(name) => (name, true),
                None => (name, false),
            };
            scratch.order.push(OrderEntry {
                name: name.as_bytes().to_vec(),
                column: tag_column::find(name.as_bytes()),
                is_derived,
            });
        }
    }

    /// Reads the tags of a row into the scratch, and returns what they say of the result.
    pub(crate) fn load_tags(
        &self,
        row: usize,
        scratch: &mut Scratch,
    ) -> Result<Option<Outcome>, RowFault> {
        let is_latin1 = self.flags(row)?.is_latin1();
        self.load_order(row, scratch);
        scratch.text.clear();
        scratch.tags.clear();
        let order = std::mem::take(&mut scratch.order);
        let result = self.load_ordered_tags(row, is_latin1, &order, scratch);
        scratch.order = order;
        result
    }

    fn load_ordered_tags(
        &self,
        row: usize,
        is_latin1: bool,
        order: &[OrderEntry],
        scratch: &mut Scratch,
    ) -> Result<Option<Outcome>, RowFault> {
        const FAULT: RowFault = RowFault::Tags;
        let mut other = 0..0;
        if let Some((map, _, _)) = self.others.as_ref().filter(|(map, _, _)| !map.is_null(row)) {
            let offset = |i: usize| {
                let offset = map.value_offsets().get(i).copied().ok_or(FAULT)?;
                usize::try_from(offset).map_err(|_| FAULT)
            };
            other = offset(row)?..offset(row + 1)?;
        }
        let mut used = 0u64;
        let mut outcome = None;
        let mut date: Option<Range<usize>> = None;
        for entry in order {
            let name = scratch.push_text(&entry.name);
            let start = scratch.text.len();
            let is_first = entry.column.is_some_and(|column| used >> column & 1 == 0);
            let tag = entry.column.and_then(|column| TAGS.get(column));
            let array = entry.column.filter(|_| is_first);
            let array = array.and_then(|column| self.tags.get(column)?.as_ref());
            if let Some(column) = entry.column {
                used |= 1 << column;
            }
            match (entry.is_derived, tag, array) {
                (true, Some(tag), _) if tag.tag == "PlyCount" => {
                    put_number(&mut scratch.text, self.plies(row).ok_or(FAULT)?);
                }
                (true, Some(tag), _) if tag.tag == "UTCDate" => {
                    let date = date.clone().ok_or(FAULT)?;
                    scratch.text.extend_from_within(date);
                }
                (true, _, _) => return Err(FAULT),
                (_, Some(tag), Some(TagArray::Number(numbers))) if !numbers.is_null(row) => {
                    tag.kind.write(numbers.value(row), &mut scratch.text);
                }
                (_, _, Some(TagArray::Text(texts))) if !texts.is_null(row) => {
                    put_text(texts.value(row), is_latin1, &mut scratch.text)?;
                }
                _ => {
                    let at = other.next().ok_or(FAULT)?;
                    let (_, keys, values) = self.others.as_ref().ok_or(FAULT)?;
                    if at >= keys.len() || at >= values.len() {
                        return Err(FAULT);
                    }
                    if keys.value(at).as_bytes() != entry.name {
                        return Err(FAULT);
                    }
                    put_text(values.value(at), is_latin1, &mut scratch.text)?;
                }
            }
            let value = start..scratch.text.len();
            match entry.name.as_slice() {
                b"Result" if outcome.is_none() => {
                    outcome = Some(Outcome::parse(
                        scratch.text.get(value.clone()).unwrap_or_default(),
                    ));
                }
                b"Date" if date.is_none() => date = Some(value.clone()),
                _ => {}
            }
            scratch.tags.push((name, value));
        }
        if other.next().is_some() {
            return Err(FAULT);
        }
        Ok(outcome.flatten())
    }

    /// Reads the moves of a game into the scratch, and returns where they start. The tags must have
    /// been read.
    pub(crate) fn load_moves(
        &self,
        row: usize,
        scratch: &mut Scratch,
    ) -> Result<Position, RowFault> {
        let start = start_of(scratch.tags());
        let flags = self.flags(row)?;
        scratch.moves.clear();
        let Some(plies) = self.plies(row).filter(|_| !self.moves.is_null(row)) else {
            return Ok(start);
        };
        let codec = if flags.is_word() {
            CodecName::Word
        } else {
            self.codec
        };
        let plies = usize::try_from(plies).map_err(|_| RowFault::Flags)?;
        let moves = &mut scratch.moves;
        codec
            .replay(
                &start,
                Plies::Exactly(plies),
                // The checksum vouches for the bytes, and whoever wrote them for the moves; what
                // is no move at all is an error all the same.
                Legality::Trusted,
                self.moves.value(row),
                |_, m| {
                    moves.push(m);
                    std::ops::ControlFlow::Continue(())
                },
            )
            .map_err(RowFault::Moves)?;
        Ok(start)
    }

    /// Reads a row for [`Rows::write_in`]: `false` if its text is stored as it is.
    pub(crate) fn load(&self, row: usize, scratch: &mut Scratch) -> Result<Loaded, RowFault> {
        let flags = self.flags(row)?;
        let tag_outcome = self.load_tags(row, scratch)?;
        let start = self.load_moves(row, scratch)?;
        Ok(Loaded {
            start,
            outcome: flags.outcome().resolve(tag_outcome),
        })
    }

    /// Writes the text of a loaded game in a layout.
    pub(crate) fn write_in(
        &self,
        row: usize,
        loaded: &Loaded,
        layout: &Layout,
        scratch: &Scratch,
        out: &mut Vec<u8>,
    ) -> Result<(), RowFault> {
        compose::write_tags(scratch.tags(), layout, out);
        let values = |list: &'_ Option<(ListArray, Int32Array)>| -> Result<Range<usize>, RowFault> {
            let Some((list, values)) = list.as_ref().filter(|(list, _)| !list.is_null(row)) else {
                return Ok(0..0);
            };
            let offset = |i: usize| {
                let offset = list.value_offsets().get(i).copied();
                usize::try_from(offset.unwrap_or(0)).unwrap_or(0)
            };
            let range = offset(row)..offset(row + 1);
            if range.end > values.len() {
                return Err(RowFault::Notes);
            }
            Ok(range)
        };
        let clocks = values(&self.clocks)?;
        let evals = values(&self.evals)?;
        let slice = |list: &'_ Option<(ListArray, Int32Array)>, range: Range<usize>| {
            let values = list.as_ref().map(|(_, values)| values.values().clone());
            values.map(|values| values.slice(range.start, range.len()))
        };
        let clocks = slice(&self.clocks, clocks);
        let evals = slice(&self.evals, evals);
        let notes = self
            .annotations
            .as_ref()
            .filter(|notes| !notes.is_null(row));
        let movetext = Movetext {
            start: &loaded.start,
            moves: &scratch.moves,
            notes: notes.map_or(&[], |notes| notes.value(row)),
            clocks: clocks.as_deref().unwrap_or_default(),
            evals: evals.as_deref().unwrap_or_default(),
            outcome: loaded.outcome,
        };
        compose::write_movetext(&movetext, layout, out).map_err(|_| RowFault::Notes)
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
        let loaded = self.load(row, scratch)?;
        let Some(difference) = difference else {
            return self.write_in(row, &loaded, &layout, scratch, out);
        };
        let mut written = std::mem::take(&mut scratch.written);
        written.clear();
        let result = self.write_in(row, &loaded, &layout, scratch, &mut written);
        let applied = difference::apply(&written, difference, out);
        scratch.written = written;
        result?;
        applied.ok_or(RowFault::Difference)
    }

    fn layout(&self, row: usize, scratch: &mut Scratch) -> Result<Layout, RowFault> {
        let layouts = self.layout.as_ref().ok_or(RowFault::Layout)?;
        if layouts.is_null(row) {
            return Err(RowFault::Layout);
        }
        let text = layouts.value(row);
        if scratch.layout.is_none() || scratch.layout_text != text {
            scratch.layout = Layout::parse(text);
            scratch.layout_text.clear();
            scratch.layout_text.push_str(text);
        }
        scratch.layout.ok_or(RowFault::Layout)
    }
}

/// A game between columns and text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loaded {
    pub(crate) start: Position,
    pub(crate) outcome: Option<Outcome>,
}

fn put_text(text: &str, is_latin1: bool, out: &mut Vec<u8>) -> Result<(), RowFault> {
    if !is_latin1 {
        out.extend_from_slice(text.as_bytes());
        return Ok(());
    }
    for c in text.chars() {
        out.push(u8::try_from(u32::from(c)).map_err(|_| RowFault::Tags)?);
    }
    Ok(())
}
