//! A game as it lies in the columns.

use core::fmt;
use core::ops::ControlFlow;

use chess::{Move, Position};
use codec::{CodecError, CodecName, Legality, Plies};
use pgn::Outcome;

use super::RowKind;
use super::flags::StoredOutcome;
use super::rows::Rows;
use super::tag_column::{self, TAGS, TagKind, place};
use crate::game_date::GameDate;

/// A game as it lies in the columns: nothing is copied until it is asked for.
///
/// What was not among the [`Columns`](super::Columns) that were read is as if the game did not have
/// it.
#[derive(Clone, Copy)]
pub struct GameView<'a> {
    pub(crate) rows: &'a Rows,
    pub(crate) row: usize,
    pub(crate) number: u64,
}

/// The moves of a game, and what it takes to read them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moves<'a> {
    /// The position before the first.
    pub start: Position,
    /// How they are encoded.
    pub codec: CodecName,
    /// How many there are.
    pub plies: u32,
    /// The bytes.
    pub bytes: &'a [u8],
}

impl Moves<'_> {
    /// Plays through the game and calls `visit` with the position before each move: see
    /// [`codec::replay`]. Returns the position after the last and the number of moves.
    ///
    /// # Errors
    /// If the bytes are no such moves.
    pub fn replay(
        &self,
        legality: Legality,
        visit: impl FnMut(&Position, Move) -> ControlFlow<()>,
    ) -> Result<(Position, usize), CodecError> {
        let plies = Plies::Exactly(usize::try_from(self.plies).unwrap_or(usize::MAX));
        self.codec
            .replay(&self.start, plies, legality, self.bytes, visit)
    }
}

/// The value of a tag: as it lies in its column. It is written as in PGN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagValue<'a> {
    /// Text.
    Text(&'a str),
    /// A number: a rating, an identity.
    Number(i32),
    /// A number with its sign: `+5`.
    Signed(i32),
    /// A date.
    Date(GameDate),
    /// A time of day, in seconds.
    Time(i32),
}

impl fmt::Display for TagValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TagValue::Text(text) => f.write_str(text),
            TagValue::Number(number) => number.fmt(f),
            TagValue::Signed(0) => f.write_str("0"),
            TagValue::Signed(number) => write!(f, "{number:+}"),
            TagValue::Date(date) => date.fmt(f),
            TagValue::Time(seconds) => {
                let (minutes, seconds) = (seconds / 60, seconds % 60);
                write!(f, "{:02}:{:02}:{seconds:02}", minutes / 60, minutes % 60)
            }
        }
    }
}

impl<'a> GameView<'a> {
    /// The number of its row in the archive, from 1.
    #[must_use]
    pub fn number(self) -> u64 {
        self.number
    }

    /// What it is. Flags that mean nothing make it bad; restoring it tells.
    #[must_use]
    pub fn kind(self) -> RowKind {
        let flags = self.rows.flags(self.row);
        flags.map_or(RowKind::Bad, |flags| flags.kind())
    }

    /// Why it is bad, if it is.
    #[must_use]
    pub fn error(self) -> Option<&'a str> {
        self.rows.error(self.row)
    }

    fn text(self, place: usize) -> Option<&'a str> {
        self.rows.tag_text(place, self.row)
    }

    /// The tag `Event`.
    #[must_use]
    pub fn event(self) -> Option<&'a str> {
        self.text(place::EVENT)
    }

    /// The tag `Site`.
    #[must_use]
    pub fn site(self) -> Option<&'a str> {
        self.text(place::SITE)
    }

    /// The tag `Round`.
    #[must_use]
    pub fn round(self) -> Option<&'a str> {
        self.text(place::ROUND)
    }

    /// The tag `White`.
    #[must_use]
    pub fn white(self) -> Option<&'a str> {
        self.text(place::WHITE)
    }

    /// The tag `Black`.
    #[must_use]
    pub fn black(self) -> Option<&'a str> {
        self.text(place::BLACK)
    }

    /// The tag `ECO`.
    #[must_use]
    pub fn eco(self) -> Option<&'a str> {
        self.text(place::ECO)
    }

    fn elo(self, place: usize) -> Option<u32> {
        u32::try_from(self.rows.tag_number(place, self.row)?).ok()
    }

    /// White's rating, if the tag `WhiteElo` is a number.
    #[must_use]
    pub fn white_elo(self) -> Option<u32> {
        self.elo(place::WHITE_ELO)
    }

    /// Black's rating, if the tag `BlackElo` is a number.
    #[must_use]
    pub fn black_elo(self) -> Option<u32> {
        self.elo(place::BLACK_ELO)
    }

    /// The tag `Date`, or `UTCDate` if that is none.
    #[must_use]
    pub fn date(self) -> Option<GameDate> {
        let number = |place| self.rows.tag_number(place, self.row);
        let number = number(place::DATE).or_else(|| number(place::UTC_DATE))?;
        GameDate::from_number(number)
    }

    /// The result: that of the tag, or that at the end of the moves if the tag names none.
    #[must_use]
    pub fn result(self) -> Option<Outcome> {
        let tag = self.text(place::RESULT);
        let tag = tag.and_then(|text| Outcome::parse(text.as_bytes()));
        tag.or_else(|| match self.rows.flags(self.row).ok()?.outcome() {
            StoredOutcome::Own(outcome) => Some(outcome),
            StoredOutcome::AsTag | StoredOutcome::Missing => None,
        })
    }

    /// The first tag of this name.
    #[must_use]
    pub fn tag(self, name: &str) -> Option<TagValue<'a>> {
        let place = tag_column::find(name.as_bytes());
        let own = place.and_then(|place| self.tag_of_column(place));
        own.or_else(|| {
            let mut others = self.rows.other_tags(self.row);
            let found = others.find(|(known, _)| *known == name);
            found.map(|(_, value)| TagValue::Text(value))
        })
    }

    fn tag_of_column(self, place: usize) -> Option<TagValue<'a>> {
        let tag = TAGS.get(place)?;
        if tag.kind == TagKind::Text {
            return self.text(place).map(TagValue::Text);
        }
        let mut number = self.rows.tag_number(place, self.row);
        if number.is_none() && self.is_derived(tag.tag) {
            number = match tag.tag {
                "PlyCount" => self.rows.plies(self.row)?.try_into().ok(),
                _ => self.rows.tag_number(place::DATE, self.row),
            };
        }
        let number = number?;
        Some(match tag.kind {
            TagKind::Text | TagKind::Number => TagValue::Number(number),
            TagKind::Signed => TagValue::Signed(number),
            TagKind::Date => TagValue::Date(GameDate::from_number(number)?),
            TagKind::Time => TagValue::Time(number),
        })
    }

    /// Whether the tag is there and its value follows from others: `FORMAT.md`, §2.4.
    fn is_derived(self, tag: &str) -> bool {
        let mut names = self.tag_order().split(' ');
        names.any(|name| name.strip_suffix('=') == Some(tag))
    }

    /// The names of its tags in their order, between spaces, as they are stored: `FORMAT.md`, §2.4.
    pub(crate) fn tag_order(self) -> &'a str {
        self.rows.tag_order(self.row).unwrap_or_default()
    }

    /// The position before the first move.
    #[must_use]
    pub fn start(self) -> Position {
        self.rows.start(self.row)
    }

    /// How many moves the main line has.
    #[must_use]
    pub fn plies(self) -> u32 {
        self.rows.plies(self.row).unwrap_or(0)
    }

    /// The moves of the main line. `None` for what is no game.
    #[must_use]
    pub fn moves(self) -> Option<Moves<'a>> {
        let (codec, bytes) = self.rows.move_bytes(self.row)?;
        Some(Moves {
            start: self.start(),
            codec,
            plies: self.rows.plies(self.row)?,
            bytes,
        })
    }

    /// Queens, rooks, bishops and knights at the end, White's first, four bits each.
    #[must_use]
    pub fn final_pieces(self) -> Option<u32> {
        self.rows.final_pieces(self.row)
    }

    /// Pawns at the end: White's in the high four bits, Black's in the low ones.
    #[must_use]
    pub fn final_pawns(self) -> Option<u8> {
        self.rows.final_pawns(self.row)
    }

    /// The home squares that their first men have left, or been taken on: a1 is bit 0, h2 bit 15, a7
    /// bit 16, h8 bit 31. `None` if the men do not start at home.
    #[must_use]
    pub fn home_left(self) -> Option<u32> {
        self.rows.home_left(self.row)
    }

    /// The clocks of the main line in seconds, in the order of their comments.
    pub fn clocks(self) -> impl Iterator<Item = i32> + use<'a> {
        // FORMAT.md §2.6: the first two as they are, then what each lost against the one two before.
        let mut last = [0i32; 2];
        let stored = self.rows.clocks(self.row).iter().enumerate();
        stored.map(move |(i, &clock)| {
            let [own, other] = last;
            let seconds = if i < 2 {
                clock
            } else {
                own.wrapping_sub(clock)
            };
            last = [other, seconds];
            seconds
        })
    }

    /// The evaluations of the main line in hundredths of a pawn, in the order of their comments;
    /// 1,000,000 and n, with its sign, for a mate in n.
    #[must_use]
    pub fn evals(self) -> &'a [i32] {
        self.rows.evals(self.row)
    }
}

impl fmt::Debug for GameView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameView")
            .field("number", &self.number)
            .field("white", &self.white())
            .field("black", &self.black())
            .field("plies", &self.plies())
            .finish()
    }
}
