//! Games to columns.

use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BinaryBuilder, Int32Builder, ListBuilder, MapBuilder, MapFieldNames,
    StringBuilder, UInt8Builder, UInt32Builder,
};
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use chess::{Color, Move, Position, Role};
use codec::{CodecName, Legality};
use pgn::{GameError, Outcome};

use super::flags::{Flags, RowKind, StoredOutcome};
use super::list_column::item;
use super::numbered_texts::{self, NumberedTextsBuilder};
use super::recorder::Recorder;
use super::scribe::Taken;
use super::tag_column::{self, TAGS, TagKind, place};
use super::tag_order::is_fen;

/// The columns in which a game is stored, but those that need the others to be known.
fn schema() -> SchemaRef {
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
}

/// All columns: also the two that say how the text differs from what the others give.
pub(crate) fn whole_schema() -> SchemaRef {
    let text = [
        Arc::new(numbered_texts::field("layout")),
        Arc::new(Field::new("difference", DataType::Binary, true)),
    ];
    let fields: Vec<_> = schema().fields().iter().cloned().chain(text).collect();
    Arc::new(Schema::new(fields))
}

/// Rows with their last two columns.
pub(crate) fn with_text(
    rows: &RecordBatch,
    text: [ArrayRef; 2],
) -> Result<RecordBatch, ArrowError> {
    let columns = rows.columns().iter().cloned().chain(text).collect();
    RecordBatch::try_new(whole_schema(), columns)
}

/// A column of tags. What rows do not have is made up for when the next one has it, or at the end: most
/// games have a third of the tags.
enum TagBuilder {
    /// Bytes of UTF-8: they are checked all at once at the end.
    Text(BinaryBuilder),
    Number(TagKind, Int32Builder),
}

/// A tag of the last game: most games have the same tags in the same order, so its name is
/// compared with that of the last game before it is looked up.
#[derive(Default)]
struct KnownTag {
    name: Vec<u8>,
    column: Option<usize>,
    /// Whether its name can be part of an order.
    is_plain: bool,
    /// Whether its value was left out because it follows from others.
    is_derived: bool,
}

impl KnownTag {
    fn learn(&mut self, name: &[u8]) {
        self.name.clear();
        self.name.extend_from_slice(name);
        self.column = tag_column::find(name);
        let is_plain = |byte: &u8| byte.is_ascii_graphic() && *byte != b'=';
        self.is_plain = !name.is_empty() && name.iter().all(is_plain);
    }
}

/// Gathers games column by column.
pub(crate) struct RowBuilder {
    codec: CodecName,
    tags: Vec<TagBuilder>,
    order: NumberedTextsBuilder,
    others: MapBuilder<StringBuilder, StringBuilder>,
    flags: UInt8Builder,
    plies: UInt32Builder,
    moves: BinaryBuilder,
    clocks: ListBuilder<Int32Builder>,
    evals: ListBuilder<Int32Builder>,
    annotations: BinaryBuilder,
    final_pieces: UInt32Builder,
    final_pawns: UInt8Builder,
    home_left: UInt32Builder,
    error: StringBuilder,
    known: Vec<KnownTag>,
    /// How many of `known` the last game had, which columns were derived, and the order they make.
    known_len: usize,
    known_derived: u64,
    order_text: String,
    scratch: Vec<u8>,
    /// What the clocks of a game lost.
    lost: Vec<i32>,
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
            tags: TAGS
                .iter()
                .map(|tag| match tag.kind {
                    TagKind::Text => TagBuilder::Text(BinaryBuilder::new()),
                    kind => TagBuilder::Number(kind, Int32Builder::new()),
                })
                .collect(),
            order: NumberedTextsBuilder::default(),
            others,
            flags: UInt8Builder::new(),
            plies: UInt32Builder::new(),
            moves: BinaryBuilder::new(),
            clocks: ListBuilder::new(Int32Builder::new()).with_field(item()),
            evals: ListBuilder::new(Int32Builder::new()).with_field(item()),
            annotations: BinaryBuilder::new(),
            final_pieces: UInt32Builder::new(),
            final_pawns: UInt8Builder::new(),
            home_left: UInt32Builder::new(),
            error: StringBuilder::new(),
            known: Vec::new(),
            known_len: 0,
            known_derived: 0,
            order_text: String::new(),
            scratch: Vec::new(),
            lost: Vec::new(),
            tag_outcome: None,
        }
    }

    /// Adds a good game.
    pub(crate) fn push_game(&mut self, game: &Recorder) -> Result<(), KeepText> {
        let mut keep = if game.has_null_move {
            Err(KeepText)
        } else {
            Ok(())
        };
        let mut flags = Flags::new(RowKind::Game);
        match self.push_tags(game, &mut flags) {
            Ok(()) => {}
            Err(KeepText) => keep = Err(KeepText),
        }
        let start = game.start();
        if game.has_fen && start_of(game.tags()) != start {
            keep = Err(KeepText);
        }
        match game.scribe.taken() {
            Taken::Bytes(bytes) => self.moves.append_value(bytes),
            Taken::Moves(moves) => self.push_moves(&start, moves, &mut flags),
        }
        self.plies
            .append_value(u32::try_from(game.scribe.plies()).unwrap_or(u32::MAX));
        push_clocks(&mut self.clocks, &game.notebook.clocks, &mut self.lost);
        push_list(&mut self.evals, &game.notebook.evals);
        let notes = game.notebook.packed();
        self.annotations
            .append_option((!notes.is_empty()).then_some(notes));
        self.final_pieces.append_value(final_pieces(&game.end));
        self.final_pawns.append_value(final_pawns(&game.end));
        let is_usual = start.board() == Position::START.board();
        self.home_left
            .append_option(is_usual.then(|| game.scribe.home().left()));
        self.error.append_null();
        flags.set_outcome(StoredOutcome::of(game.outcome, self.tag_outcome));
        self.flags.append_value(flags.byte());
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
        self.moves.append_value(&self.scratch);
    }

    /// Adds a bad game: the tags that were read, for those who look for it, and its error.
    pub(crate) fn push_bad(&mut self, game: &Recorder, error: &GameError) {
        let mut flags = Flags::new(RowKind::Bad);
        let _ = self.push_tags(game, &mut flags);
        // Places are those in the input when it is packed, and no longer true when it is unpacked.
        self.push_nothing(
            flags,
            Some(&format!("{}: {}", error.cause.kind(), error.cause)),
        );
    }

    /// Adds text that is no game.
    pub(crate) fn push_text(&mut self) {
        self.order.push_null();
        self.push_no_others();
        self.push_nothing(Flags::new(RowKind::Text), None);
    }

    fn push_no_others(&mut self) {
        // Cannot fail: keys and values have the same length.
        let _ = self.others.append(false);
    }

    fn push_nothing(&mut self, flags: Flags, error: Option<&str>) {
        self.flags.append_value(flags.byte());
        self.plies.append_null();
        self.moves.append_null();
        self.clocks.append_null();
        self.evals.append_null();
        self.annotations.append_null();
        self.final_pieces.append_null();
        self.final_pawns.append_null();
        self.home_left.append_null();
        self.error.append_option(error);
    }

    fn push_tags(&mut self, game: &Recorder, flags: &mut Flags) -> Result<(), KeepText> {
        let is_utf8 = game.has_ascii_tags()
            || game.tags().all(|(name, value)| {
                core::str::from_utf8(name).is_ok() && core::str::from_utf8(value).is_ok()
            });
        if !is_utf8 {
            flags.set_latin1();
        }
        let mut result = Ok(());
        let row = self.flags.len();
        // The columns of the tags so far.
        let mut seen = 0u64;
        let mut has_others = false;
        let mut is_known_order = true;
        let mut derived = 0u64;
        let mut count = 0;
        let mut date: Option<&[u8]> = None;
        self.tag_outcome = None;
        for (i, (name, value)) in game.tags().enumerate() {
            count += 1;
            if i == self.known.len() {
                self.known.push(KnownTag::default());
            }
            let Some(known) = self.known.get_mut(i) else {
                continue;
            };
            if known.name != name || i >= self.known_len {
                known.learn(name);
                is_known_order = false;
            }
            if !known.is_plain {
                result = Err(KeepText);
            }
            known.is_derived = false;
            if let Some(column) = known.column {
                let is_first = seen >> column & 1 == 0;
                seen |= 1 << column;
                match column {
                    place::DATE if is_first => date = Some(value),
                    place::RESULT if is_first => self.tag_outcome = Outcome::parse(value),
                    _ => {}
                }
                if is_first && is_derived(column, value, date, game.scribe.plies()) {
                    known.is_derived = true;
                    derived |= 1 << column;
                    continue;
                }
                let builder = self.tags.get_mut(column).filter(|_| is_first);
                if builder.is_some_and(|builder| builder.put(row, value, is_utf8)) {
                    continue;
                }
            }
            has_others = true;
            self.others
                .keys()
                .append_value(&*stored_text(name, is_utf8));
            self.others
                .values()
                .append_value(&*stored_text(value, is_utf8));
        }
        if self.others.append(has_others).is_err() {
            result = Err(KeepText);
        }
        is_known_order &= (count, derived) == (self.known_len, self.known_derived);
        if !is_known_order {
            (self.known_len, self.known_derived) = (count, derived);
            self.order_text.clear();
            for (i, known) in self.known.iter().take(count).enumerate() {
                if i > 0 {
                    self.order_text.push(' ');
                }
                self.order_text.push_str(&pgn::decode_text(&known.name));
                if known.is_derived {
                    self.order_text.push('=');
                }
            }
        }
        self.order.push(&self.order_text, is_known_order);
        result
    }

    /// All rows as one batch.
    pub(crate) fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        let mut columns: Vec<ArrayRef> = Vec::new();
        let rows = self.flags.len();
        for tag in &mut self.tags {
            tag.catch_up(rows);
            columns.push(match tag {
                TagBuilder::Text(texts) => Arc::new(StringArray::try_from_binary(texts.finish())?),
                TagBuilder::Number(_, numbers) => Arc::new(numbers.finish()),
            });
        }
        columns.extend([
            self.order.finish()?,
            Arc::new(self.others.finish()) as ArrayRef,
            Arc::new(self.flags.finish()),
            Arc::new(self.plies.finish()),
            Arc::new(self.moves.finish()),
            Arc::new(self.clocks.finish()),
            Arc::new(self.evals.finish()),
            Arc::new(self.annotations.finish()),
            Arc::new(self.final_pieces.finish()),
            Arc::new(self.final_pawns.finish()),
            Arc::new(self.home_left.finish()),
            Arc::new(self.error.finish()),
        ]);
        RecordBatch::try_new(schema(), columns)
    }
}

impl TagBuilder {
    /// Makes up for rows that had nothing, so that there are so many.
    #[inline]
    fn catch_up(&mut self, rows: usize) {
        match self {
            TagBuilder::Text(texts) if texts.len() < rows => {
                texts.append_nulls(rows - texts.len());
            }
            TagBuilder::Number(_, numbers) if numbers.len() < rows => {
                numbers.append_nulls(rows - numbers.len());
            }
            _ => {}
        }
    }

    /// Puts the value of a tag into a row; says whether it fits the column.
    fn put(&mut self, row: usize, value: &[u8], is_utf8: bool) -> bool {
        let number = match self {
            TagBuilder::Text(_) => Some(0),
            TagBuilder::Number(kind, _) => kind.parse(value),
        };
        let Some(number) = number else {
            return false;
        };
        self.catch_up(row);
        match self {
            TagBuilder::Text(texts) if is_utf8 => texts.append_value(value),
            TagBuilder::Text(texts) => texts.append_value(stored_text(value, false).as_bytes()),
            TagBuilder::Number(_, numbers) => numbers.append_value(number),
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
pub(crate) fn start_of<'a>(tags: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> Position {
    let mut start = Position::START;
    for (name, value) in tags {
        if is_fen(name)
            && let Ok(position) = pgn::decode_text(value).trim().parse()
        {
            start = position;
        }
    }
    start
}

fn push_list(list: &mut ListBuilder<Int32Builder>, values: &[i32]) {
    if values.is_empty() {
        list.append_null();
    } else {
        list.values().append_slice(values);
        list.append(true);
    }
}

/// The first clock of each side, then what it lost since its last.
fn push_clocks(list: &mut ListBuilder<Int32Builder>, clocks: &[i32], lost: &mut Vec<i32>) {
    if clocks.is_empty() {
        list.append_null();
        return;
    }
    let (first, later) = clocks.split_at(clocks.len().min(2));
    list.values().append_slice(first);
    lost.clear();
    lost.extend(clocks.iter().zip(later).map(|(before, now)| before - now));
    list.values().append_slice(lost);
    list.append(true);
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
