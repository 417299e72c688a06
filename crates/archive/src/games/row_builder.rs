//! Games to columns.

use std::sync::{Arc, LazyLock};

use arrow_array::builder::{MapBuilder, MapFieldNames, StringBuilder};
use arrow_array::types::{Int32Type, UInt8Type, UInt32Type};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use chess::{Color, Move, Position, Role};
use codec::{CodecName, Legality};
use pgn::{GameError, Outcome};

use super::flags::{Flags, RowKind, StoredOutcome};
use super::gathered::{Blanks, GatheredBytes, GatheredLists, GatheredNumbers, item};
use super::numbered_texts::{self, NumberedTextsBuilder};
use super::recorder::Recorder;
use super::scribe::Taken;
use super::tag_column::{TAGS, TagKind, place};
use super::tag_notes::TagNotes;
use super::tag_order::is_fen;

/// The columns in which a game is stored, but those that need the others to be known.
static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let list = || DataType::List(item());
    let entries = DataType::Struct(
        vec![
            Field::new("key", DataType::Utf8, false),
            Field::new("value", DataType::Utf8, false),
        ]
        .into(),
    );
    let map = DataType::Map(Arc::new(Field::new("key_value", entries, false)), false);
    let mut fields: Vec<Field> = TAGS
        .iter()
        .map(|tag| match tag.kind {
            TagKind::Text => Field::new(tag.column, DataType::Utf8, true),
            _ => Field::new(tag.column, DataType::Int32, true),
        })
        .collect();
    fields.extend([
        numbered_texts::field("tag_order"),
        Field::new("tags", map, true),
        Field::new("flags", DataType::UInt8, false),
        Field::new("plies", DataType::UInt32, true),
        Field::new("moves", DataType::Binary, true),
        Field::new("clocks", list(), true),
        Field::new("evals", list(), true),
        Field::new("annotations", DataType::Binary, true),
        Field::new("final_pieces", DataType::UInt32, true),
        Field::new("final_pawns", DataType::UInt8, true),
        Field::new("home_left", DataType::UInt32, true),
        Field::new("error", DataType::Utf8, true),
    ]);
    Arc::new(Schema::new(fields))
});

static WHOLE_SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let text = [
        Arc::new(numbered_texts::field("layout")),
        Arc::new(Field::new("difference", DataType::Binary, true)),
    ];
    let fields: Vec<_> = SCHEMA.fields().iter().cloned().chain(text).collect();
    Arc::new(Schema::new(fields))
});

/// All columns: also the two that say how the text differs from what the others give.
pub(crate) fn whole_schema() -> SchemaRef {
    WHOLE_SCHEMA.clone()
}

/// Rows with their last two columns.
pub(crate) fn with_text(
    rows: &RecordBatch,
    text: [ArrayRef; 2],
) -> Result<RecordBatch, ArrowError> {
    let columns = rows.columns().iter().cloned().chain(text).collect();
    RecordBatch::try_new(whole_schema(), columns)
}

/// A column of tags.
enum TagBuilder {
    /// Bytes of UTF-8: they are checked all at once at the end.
    Text(GatheredBytes),
    Number(TagKind, GatheredNumbers<Int32Type>),
}

/// Gathers games column by column. One is enough for any number of pieces: its memory is used again.
pub(crate) struct RowBuilder {
    codec: CodecName,
    /// How many rows there are.
    rows: usize,
    tags: Vec<TagBuilder>,
    order: NumberedTextsBuilder,
    others: MapBuilder<StringBuilder, StringBuilder>,
    flags: GatheredNumbers<UInt8Type>,
    plies: GatheredNumbers<UInt32Type>,
    moves: GatheredBytes,
    clocks: GatheredLists,
    evals: GatheredLists,
    annotations: GatheredBytes,
    final_pieces: GatheredNumbers<UInt32Type>,
    final_pawns: GatheredNumbers<UInt8Type>,
    home_left: GatheredNumbers<UInt32Type>,
    error: GatheredBytes,
    /// Which columns of the last game were left out because they follow from others, and the order that
    /// its tags make with that.
    known_derived: u64,
    order_text: String,
    scratch: Vec<u8>,
    /// What the first tag `Result` of the last game says.
    tag_outcome: Option<Outcome>,
}

/// What the row cannot hold, so that the text of the game must be kept as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct KeepText;

impl RowBuilder {
    pub(crate) fn new(codec: CodecName) -> RowBuilder {
        let names = MapFieldNames {
            entry: "key_value".into(),
            key: "key".into(),
            value: "value".into(),
        };
        let others = MapBuilder::new(Some(names), StringBuilder::new(), StringBuilder::new())
            .with_values_field(Field::new("value", DataType::Utf8, false));
        RowBuilder {
            codec,
            rows: 0,
            tags: TAGS
                .iter()
                .map(|tag| match tag.kind {
                    TagKind::Text => TagBuilder::Text(GatheredBytes::new()),
                    kind => TagBuilder::Number(kind, GatheredNumbers::new()),
                })
                .collect(),
            order: NumberedTextsBuilder::default(),
            others,
            flags: GatheredNumbers::new(),
            plies: GatheredNumbers::new(),
            moves: GatheredBytes::new(),
            clocks: GatheredLists::new(),
            evals: GatheredLists::new(),
            annotations: GatheredBytes::new(),
            final_pieces: GatheredNumbers::new(),
            final_pawns: GatheredNumbers::new(),
            home_left: GatheredNumbers::new(),
            error: GatheredBytes::new(),
            known_derived: 0,
            order_text: String::new(),
            scratch: Vec::new(),
            tag_outcome: None,
        }
    }

    /// Adds a good game, which has this text.
    pub(crate) fn push_game(&mut self, game: &Recorder, text: &[u8]) -> Result<(), KeepText> {
        let mut flags = Flags::new(RowKind::Game);
        let mut keep = self.push_tags(&game.tags, text, game.scribe.plies(), &mut flags);
        let start = game.start();
        if game.has_null_move || (game.has_fen && start_of(&game.tags, text) != start) {
            keep = Err(KeepText);
        }
        let row = self.rows;
        match game.scribe.taken() {
            Taken::Bytes(bytes) => self.moves.put(row, bytes),
            Taken::Moves(moves) => self.push_moves(&start, moves, &mut flags),
        }
        let plies = u32::try_from(game.scribe.plies()).unwrap_or(u32::MAX);
        self.plies.put(row, plies);
        self.clocks.put(row, lost(&game.notebook.clocks));
        self.evals.put(row, game.notebook.evals.iter().copied());
        let notes = game.notebook.packed();
        if !notes.is_empty() {
            self.annotations.put(row, notes);
        }
        self.final_pieces.put(row, final_pieces(&game.end));
        self.final_pawns.put(row, final_pawns(&game.end));
        if start.board() == Position::START.board() {
            self.home_left.put(row, game.scribe.home().left());
        }
        flags.set_outcome(StoredOutcome::of(game.outcome, self.tag_outcome));
        self.end_row(flags);
        keep
    }

    fn push_moves(&mut self, start: &Position, moves: &[Move], flags: &mut Flags) {
        self.scratch.clear();
        let all = moves.iter().copied();
        let encoded = self
            .codec
            .encode_with(start, all, Legality::Trusted, &mut self.scratch);
        if encoded.is_err() {
            // Chess960 in an encoding of BCGN: the word tells all castling there is.
            flags.set_word();
            self.scratch.clear();
            for m in moves {
                self.scratch.extend_from_slice(&m.word().to_be_bytes());
            }
        }
        self.moves.put(self.rows, &self.scratch);
    }

    /// Adds a bad game: the tags that were read, for those who look for it, and its error.
    pub(crate) fn push_bad(&mut self, game: &Recorder, text: &[u8], error: &GameError) {
        let mut flags = Flags::new(RowKind::Bad);
        let _ = self.push_tags(&game.tags, text, game.scribe.plies(), &mut flags);
        // Places are those in the input when it is packed, and no longer true when it is unpacked.
        let error = format!("{}: {}", error.cause.kind(), error.cause);
        self.error.put(self.rows, error.as_bytes());
        self.end_row(flags);
    }

    /// Adds text that is no game.
    pub(crate) fn push_text(&mut self) {
        self.order.push_null();
        // Cannot fail: keys and values have the same length.
        let _ = self.others.append(false);
        self.end_row(Flags::new(RowKind::Text));
    }

    fn end_row(&mut self, flags: Flags) {
        self.flags.put(self.rows, flags.byte());
        self.rows += 1;
    }

    fn push_tags(
        &mut self,
        tags: &TagNotes,
        text: &[u8],
        plies: usize,
        flags: &mut Flags,
    ) -> Result<(), KeepText> {
        let is_utf8 = tags.are_ascii(text)
            || tags.iter(text).all(|(name, value)| {
                core::str::from_utf8(&name.name).is_ok() && core::str::from_utf8(value).is_ok()
            });
        if !is_utf8 {
            flags.set_latin1();
        }
        let mut result = Ok(());
        // The columns of the tags so far.
        let mut seen = 0u64;
        let mut has_others = false;
        let mut derived = 0u64;
        let mut date: Option<&[u8]> = None;
        self.tag_outcome = None;
        for (name, value) in tags.iter(text) {
            if !name.is_plain {
                result = Err(KeepText);
            }
            if let Some(column) = name.column.filter(|&column| seen >> column & 1 == 0) {
                seen |= 1 << column;
                match column {
                    place::DATE => date = Some(value),
                    place::RESULT => self.tag_outcome = Outcome::parse(value),
                    place::PLY_COUNT | place::UTC_DATE
                        if is_derived(column, value, date, plies) =>
                    {
                        derived |= 1 << column;
                        continue;
                    }
                    _ => {}
                }
                let builder = self.tags.get_mut(column);
                if builder.is_some_and(|builder| builder.put(self.rows, value, is_utf8)) {
                    continue;
                }
            }
            has_others = true;
            let keys = self.others.keys();
            keys.append_value(&*stored_text(&name.name, is_utf8));
            let values = self.others.values();
            values.append_value(&*stored_text(value, is_utf8));
        }
        if self.others.append(has_others).is_err() {
            result = Err(KeepText);
        }
        let is_known_order = tags.are_again() && derived == self.known_derived;
        if !is_known_order {
            self.known_derived = derived;
            self.learn_order(tags);
        }
        self.order.push(&self.order_text, is_known_order);
        result
    }

    /// Puts the order of the tags together.
    fn learn_order(&mut self, tags: &TagNotes) {
        self.order_text.clear();
        let mut derived = self.known_derived;
        for (i, name) in tags.names().enumerate() {
            if i > 0 {
                self.order_text.push(' ');
            }
            self.order_text.push_str(&pgn::decode_text(&name.name));
            // The first tag of a column is the one that may be derived.
            let own = name.column.map_or(0, |column| 1 << column);
            if derived & own != 0 {
                derived &= !own;
                self.order_text.push('=');
            }
        }
    }

    /// All rows as one batch.
    pub(crate) fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let rows = std::mem::take(&mut self.rows);
        let mut blanks = Blanks::new(rows);
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(SCHEMA.fields().len());
        for tag in &mut self.tags {
            columns.push(match tag {
                TagBuilder::Text(texts) if texts.is_blank() => blanks.of(&DataType::Utf8),
                TagBuilder::Text(texts) => texts.take_texts(rows)?,
                TagBuilder::Number(_, numbers) if numbers.is_blank() => blanks.of(&DataType::Int32),
                TagBuilder::Number(_, numbers) => numbers.take(rows),
            });
        }
        let mut take = |lists: &mut GatheredLists| match lists.is_blank() {
            true => Ok(blanks.of(&DataType::List(item()))),
            false => lists.take(rows),
        };
        let (clocks, evals) = (take(&mut self.clocks)?, take(&mut self.evals)?);
        let error = match self.error.is_blank() {
            true => blanks.of(&DataType::Utf8),
            false => self.error.take_texts(rows)?,
        };
        columns.extend([
            std::mem::take(&mut self.order).finish()?,
            Arc::new(self.others.finish()) as ArrayRef,
            self.flags.take(rows),
            self.plies.take(rows),
            self.moves.take(rows)?,
            clocks,
            evals,
            self.annotations.take(rows)?,
            self.final_pieces.take(rows),
            self.final_pawns.take(rows),
            self.home_left.take(rows),
            error,
        ]);
        RecordBatch::try_new(SCHEMA.clone(), columns)
    }
}

impl TagBuilder {
    /// Puts the value of a tag into a row; says whether it fits the column.
    #[inline(always)]
    fn put(&mut self, row: usize, value: &[u8], is_utf8: bool) -> bool {
        match self {
            TagBuilder::Text(texts) if is_utf8 => texts.put(row, value),
            TagBuilder::Text(texts) => texts.put(row, stored_text(value, false).as_bytes()),
            TagBuilder::Number(kind, numbers) => match kind.parse(value) {
                Some(number) => numbers.put(row, number),
                None => return false,
            },
        }
        true
    }
}

fn stored_text(bytes: &[u8], is_utf8: bool) -> std::borrow::Cow<'_, str> {
    match core::str::from_utf8(bytes) {
        Ok(text) if is_utf8 => text.into(),
        _ => bytes.iter().copied().map(char::from).collect(),
    }
}

/// Whether the value follows from others: the number of plies, or the date once more.
fn is_derived(column: usize, value: &[u8], date: Option<&[u8]>, plies: usize) -> bool {
    match column {
        place::PLY_COUNT => {
            let number = TagKind::Number.parse(value);
            number.and_then(|number| usize::try_from(number).ok()) == Some(plies)
        }
        place::UTC_DATE => date == Some(value) && TagKind::Date.parse(value).is_some(),
        _ => false,
    }
}

/// The position that the tags say a game starts from, as the reader of PGN sees it.
fn start_of(tags: &TagNotes, text: &[u8]) -> Position {
    let mut start = Position::START;
    for (name, value) in tags.iter(text) {
        if is_fen(&name.name)
            && let Ok(position) = pgn::decode_text(value).trim().parse()
        {
            start = position;
        }
    }
    start
}

/// The first clock of each side, then what it lost since its last.
fn lost(clocks: &[i32]) -> impl Iterator<Item = i32> {
    let (first, later) = clocks.split_at(clocks.len().min(2));
    let lost = clocks.iter().zip(later).map(|(before, now)| before - now);
    first.iter().copied().chain(lost)
}

/// Queens, rooks, bishops and knights of White, then of Black, four bits each.
fn final_pieces(end: &Position) -> u32 {
    let board = end.board();
    let mut pieces = 0;
    for color in [Color::White, Color::Black] {
        for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
            let count = (board.by_color(color) & board.by_role(role)).len();
            pieces = pieces << 4 | u32::try_from(count.min(15)).unwrap_or(15);
        }
    }
    pieces
}

/// Pawns of White, then of Black, four bits each.
fn final_pawns(end: &Position) -> u8 {
    let board = end.board();
    let count = |color| {
        let count = (board.by_color(color) & board.by_role(Role::Pawn)).len();
        u8::try_from(count.min(15)).unwrap_or(15)
    };
    count(Color::White) << 4 | count(Color::Black)
}
