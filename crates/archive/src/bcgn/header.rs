//! What stands before the moves of a game.

use chess::Position;
use pgn::Outcome;

use super::{Date, Format, decode_start};
use crate::cursor::Cursor;
use crate::{ArchiveError, FormatFault};

/// What a game's header says of the players and the event. Zeros and empty names are unknown; in
/// headerless files all is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Info<'a> {
    /// Who has White.
    pub white: &'a [u8],
    /// Who has Black.
    pub black: &'a [u8],
    /// The tournament or match.
    pub event: &'a [u8],
    /// Where it was played.
    pub site: &'a [u8],
    /// When it was played.
    pub date: Date,
    /// The rating of White.
    pub white_elo: u16,
    /// The rating of Black.
    pub black_elo: u16,
    /// The round.
    pub round: u16,
    /// The opening as it is in the file, see [`Eco::from_bytes`](super::Eco::from_bytes).
    pub eco: [u8; 2],
}

/// The header of a game, read; and where its moves are.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    /// The players and the event.
    pub info: Info<'a>,
    /// How the game ended.
    pub result: Outcome,
    /// How many moves it has.
    pub plies: u16,
    /// Where it starts, if that is not the usual position.
    pub start: Option<Position>,
    /// Further tags.
    pub tags: ExtraTags<'a>,
    pub(super) moves: &'a [u8],
    pub(super) moves_offset: u64,
}

/// Tags that have no field of their own, name and value, as an iterator.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExtraTags<'a>(&'a [u8]);

impl<'a> Iterator for ExtraTags<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        // The lengths were checked when the header was read.
        let mut cursor = Cursor::new(self.0, 0);
        let tag = (cursor.short_string().ok()?, cursor.short_string().ok()?);
        self.0 = cursor.rest();
        Some(tag)
    }
}

/// A start position follows.
pub(super) const HAS_START: u8 = 2;
/// Extra tags follow.
pub(super) const HAS_TAGS: u8 = 1;

/// The number of a result in a file. // FORMAT.md §1.3
pub(super) const fn result_number(result: Outcome) -> u16 {
    match result {
        Outcome::Unknown => 0,
        Outcome::WhiteWins => 1,
        Outcome::BlackWins => 2,
        Outcome::Draw => 3,
    }
}

/// Takes apart the number of moves and the result.
const fn plies_and_result(word: u16) -> (u16, Outcome) {
    let result = match word & 3 {
        0 => Outcome::Unknown,
        1 => Outcome::WhiteWins,
        2 => Outcome::BlackWins,
        _ => Outcome::Draw,
    };
    (word >> 2, result)
}

impl<'a> Header<'a> {
    /// Reads the header of the entry at `offset`.
    #[inline]
    pub(super) fn read(
        format: Format,
        entry: &'a [u8],
        offset: u64,
    ) -> Result<Header<'a>, ArchiveError> {
        if format.is_headerless {
            Header::read_short(entry, offset)
        } else {
            Header::read_full(entry, offset)
        }
    }

    fn read_short(entry: &'a [u8], offset: u64) -> Result<Header<'a>, ArchiveError> {
        let mut cursor = Cursor::new(entry, offset);
        cursor.u16()?;
        let (plies, result) = plies_and_result(cursor.u16()?);
        let flags = known_flags(&mut cursor, HAS_START)?;
        let start = read_start(&mut cursor, flags)?;
        Ok(Header {
            info: Info::default(),
            result,
            plies,
            start,
            tags: ExtraTags::default(),
            moves: cursor.rest(),
            moves_offset: cursor.offset(),
        })
    }

    fn read_full(entry: &'a [u8], offset: u64) -> Result<Header<'a>, ArchiveError> {
        let mut whole = Cursor::new(entry, offset);
        let total = whole.u16()?;
        let length = whole.u16()?;
        let Some((fields, moves)) = entry.split_at_checked(usize::from(length)) else {
            let (found, entry) = (length, total);
            let fault = FormatFault::HeaderLength { found, entry };
            return Err(ArchiveError::format(offset + 2, fault));
        };
        let mut cursor = Cursor::new(fields, offset);
        // A header that is shorter than its fields is a header with a wrong length.
        let header = Header::read_fields(&mut cursor, moves).map_err(|error| match error {
            ArchiveError::Format {
                fault: FormatFault::Truncated { needed, .. },
                offset: at,
            } => {
                let fields = usize::try_from(at - offset).unwrap_or(usize::MAX);
                let found = length;
                let fields = fields.saturating_add(needed);
                ArchiveError::format(offset + 2, FormatFault::HeaderEnd { found, fields })
            }
            error => error,
        })?;
        if !cursor.rest().is_empty() {
            let fault = FormatFault::HeaderEnd {
                found: length,
                fields: fields.len() - cursor.rest().len(),
            };
            return Err(ArchiveError::format(offset + 2, fault));
        }
        Ok(header)
    }

    fn read_fields(cursor: &mut Cursor<'a>, moves: &'a [u8]) -> Result<Header<'a>, ArchiveError> {
        let offset = cursor.offset();
        let &[
            _,
            _,
            l0,
            l1,
            p0,
            p1,
            y0,
            y1,
            month,
            day,
            w0,
            w1,
            b0,
            b1,
            r0,
            r1,
            e0,
            e1,
        ] = cursor.array::<18>()?;
        let (plies, result) = plies_and_result(u16::from_be_bytes([p0, p1]));
        let flags = known_flags(cursor, HAS_START | HAS_TAGS)?;
        let start = read_start(cursor, flags)?;
        let info = Info {
            white: cursor.short_string()?,
            black: cursor.short_string()?,
            event: cursor.short_string()?,
            site: cursor.short_string()?,
            date: Date {
                year: u16::from_be_bytes([y0, y1]),
                month,
                day,
            },
            white_elo: u16::from_be_bytes([w0, w1]),
            black_elo: u16::from_be_bytes([b0, b1]),
            round: u16::from_be_bytes([r0, r1]),
            eco: [e0, e1],
        };
        Ok(Header {
            info,
            result,
            plies,
            start,
            tags: read_tags(cursor, flags)?,
            moves,
            moves_offset: offset + u64::from(u16::from_be_bytes([l0, l1])),
        })
    }

    /// The position before the first move.
    #[must_use]
    #[inline]
    pub fn start_position(&self) -> &Position {
        self.start.as_ref().unwrap_or(&Position::START)
    }

    /// The bytes of the moves.
    #[must_use]
    pub const fn move_bytes(&self) -> &'a [u8] {
        self.moves
    }
}

fn known_flags(cursor: &mut Cursor<'_>, known: u8) -> Result<u8, ArchiveError> {
    let offset = cursor.offset();
    let found = cursor.u8()?;
    if found & !known == 0 {
        return Ok(found);
    }
    Err(ArchiveError::format(
        offset,
        FormatFault::Flags { found, known },
    ))
}

#[inline]
fn read_start(cursor: &mut Cursor<'_>, flags: u8) -> Result<Option<Position>, ArchiveError> {
    if flags & HAS_START == 0 {
        return Ok(None);
    }
    let offset = cursor.offset();
    decode_start(cursor.array()?, offset).map(Some)
}

#[inline]
fn read_tags<'a>(cursor: &mut Cursor<'a>, flags: u8) -> Result<ExtraTags<'a>, ArchiveError> {
    if flags & HAS_TAGS == 0 {
        return Ok(ExtraTags::default());
    }
    let count = cursor.u8()?;
    let tags = cursor.rest();
    for _ in 0..count {
        cursor.short_string()?;
        cursor.short_string()?;
    }
    let length = tags.len() - cursor.rest().len();
    Ok(ExtraTags(tags.get(..length).unwrap_or_default()))
}
