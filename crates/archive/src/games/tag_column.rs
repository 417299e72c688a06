//! The tags that have columns of their own: `FORMAT.md`, §2.4.

use super::notes::{put_number, two_digits};
use super::room::Letters;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TagKind {
    /// Text.
    Text,
    /// A number without sign and leading zeros.
    Number,
    /// A number with its sign: `+5`, `-3`, `0`.
    Signed,
    /// `2017.08.30` as 20170830; unknown parts are 0.
    Date,
    /// `21:53:20` as seconds.
    Time,
}

/// A tag with a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TagColumn {
    /// The name of the column.
    pub(crate) column: &'static str,
    /// The name of the tag.
    pub(crate) tag: &'static str,
    /// What it holds.
    pub(crate) kind: TagKind,
}

const fn column(column: &'static str, tag: &'static str, kind: TagKind) -> TagColumn {
    TagColumn { column, tag, kind }
}

use TagKind::{Date, Number, Signed, Text, Time};

/// All of them, in the order of the columns.
pub(crate) const TAGS: [TagColumn; 38] = [
    column("event", "Event", Text),
    column("site", "Site", Text),
    column("date", "Date", Date),
    column("round", "Round", Text),
    column("white", "White", Text),
    column("black", "Black", Text),
    column("result", "Result", Text),
    column("white_elo", "WhiteElo", Number),
    column("black_elo", "BlackElo", Number),
    column("eco", "ECO", Text),
    column("white_title", "WhiteTitle", Text),
    column("black_title", "BlackTitle", Text),
    column("white_fide_id", "WhiteFideId", Number),
    column("black_fide_id", "BlackFideId", Number),
    column("white_team", "WhiteTeam", Text),
    column("black_team", "BlackTeam", Text),
    column("white_rating_diff", "WhiteRatingDiff", Signed),
    column("black_rating_diff", "BlackRatingDiff", Signed),
    column("utc_date", "UTCDate", Date),
    column("utc_time", "UTCTime", Time),
    column("time_control", "TimeControl", Text),
    column("opening", "Opening", Text),
    column("variation", "Variation", Text),
    column("termination", "Termination", Text),
    column("event_date", "EventDate", Date),
    column("event_type", "EventType", Text),
    column("event_rounds", "EventRounds", Number),
    column("event_country", "EventCountry", Text),
    column("event_category", "EventCategory", Number),
    column("source", "Source", Text),
    column("source_title", "SourceTitle", Text),
    column("source_date", "SourceDate", Date),
    column("annotator", "Annotator", Text),
    column("ply_count", "PlyCount", Number),
    column("board", "Board", Text),
    column("variant", "Variant", Text),
    column("set_up", "SetUp", Text),
    column("fen", "FEN", Text),
];

/// Where in [`TAGS`] the tags are that are asked for by name in a program.
pub(crate) mod place {
    pub(crate) const EVENT: usize = 0;
    pub(crate) const SITE: usize = 1;
    pub(crate) const DATE: usize = 2;
    pub(crate) const ROUND: usize = 3;
    pub(crate) const WHITE: usize = 4;
    pub(crate) const BLACK: usize = 5;
    pub(crate) const RESULT: usize = 6;
    pub(crate) const WHITE_ELO: usize = 7;
    pub(crate) const BLACK_ELO: usize = 8;
    pub(crate) const ECO: usize = 9;
    pub(crate) const UTC_DATE: usize = 18;
    pub(crate) const PLY_COUNT: usize = 33;
    pub(crate) const FEN: usize = 37;
}

/// The column of a tag.
pub(crate) fn find(tag: &[u8]) -> Option<usize> {
    TAGS.iter().position(|known| known.tag.as_bytes() == tag)
}

fn number(text: &[u8], most: usize) -> Option<i32> {
    let has_zero = text.len() > 1 && text.first() == Some(&b'0');
    if text.is_empty() || text.len() > most || has_zero || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    digits(text)
}

fn digits(text: &[u8]) -> Option<i32> {
    text.iter().try_fold(0i32, |number, byte| {
        byte.is_ascii_digit()
            .then(|| number * 10 + i32::from(byte - b'0'))
    })
}

/// As many digits, or as many question marks for 0.
fn part(text: &[u8]) -> Option<i32> {
    if text.iter().all(|&byte| byte == b'?') {
        return Some(0);
    }
    digits(text).filter(|&number| number > 0)
}

impl TagKind {
    /// The number of a text; `None` if another text would have it too, or the text is none.
    pub(crate) fn parse(self, text: &[u8]) -> Option<i32> {
        match self {
            TagKind::Text => None,
            TagKind::Number => number(text, 9),
            TagKind::Signed => match text.split_first()? {
                (b'+', rest) => number(rest, 6).filter(|&number| number > 0),
                (b'-', rest) => number(rest, 6).filter(|&number| number > 0).map(|n| -n),
                _ => (text == b"0").then_some(0),
            },
            TagKind::Date => {
                let [y1, y2, y3, y4, b'.', m1, m2, b'.', d1, d2] = text else {
                    return None;
                };
                let year = part(&[*y1, *y2, *y3, *y4])?;
                let month = part(&[*m1, *m2])?;
                let day = part(&[*d1, *d2])?;
                Some(year * 10_000 + month * 100 + day)
            }
            TagKind::Time => {
                let [h1, h2, b':', m1, m2, b':', s1, s2] = text else {
                    return None;
                };
                let hours = digits(&[*h1, *h2])?;
                let minutes = digits(&[*m1, *m2]).filter(|&n| n < 60)?;
                let seconds = digits(&[*s1, *s2]).filter(|&n| n < 60)?;
                Some((hours * 60 + minutes) * 60 + seconds)
            }
        }
    }

    /// Writes the text of a number that [`TagKind::parse`] gave.
    #[inline]
    pub(crate) fn write(self, number: i32, out: &mut impl Letters) {
        let size = number.unsigned_abs();
        let known = |number: u32| match number {
            0 => u64::from(u16::from_le_bytes(*b"??")),
            _ => two_digits(number),
        };
        match self {
            TagKind::Text | TagKind::Number => put_number(out, size),
            TagKind::Signed => {
                let sign = if number < 0 { b'-' } else { b'+' };
                out.put(u64::from(sign), usize::from(number != 0));
                put_number(out, size);
            }
            TagKind::Date => {
                let year = match size / 10_000 {
                    0 => u64::from(u32::from_le_bytes(*b"????")),
                    year => two_digits(year / 100 % 100) | two_digits(year % 100) << 16,
                };
                let dots = u64::from_le_bytes(*b"\0\0\0\0.\0\0.");
                out.put(year | known(size / 100 % 100) << 40 | dots, 8);
                out.put(known(size % 100), 2);
            }
            TagKind::Time => {
                let colons = u64::from_le_bytes(*b"\0\0:\0\0:\0\0");
                let hours = two_digits(size / 3600 % 100);
                let minutes = two_digits(size / 60 % 60);
                out.put(
                    hours | minutes << 24 | two_digits(size % 60) << 48 | colons,
                    8,
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_columns() {
        use place::*;
        for (place, tag) in [
            (EVENT, "Event"),
            (SITE, "Site"),
            (DATE, "Date"),
            (ROUND, "Round"),
            (WHITE, "White"),
            (BLACK, "Black"),
            (RESULT, "Result"),
            (WHITE_ELO, "WhiteElo"),
            (BLACK_ELO, "BlackElo"),
            (ECO, "ECO"),
            (UTC_DATE, "UTCDate"),
            (FEN, "FEN"),
        ] {
            assert_eq!(find(tag.as_bytes()), Some(place));
        }
    }

    #[test]
    fn what_is_a_number_is_written_back() {
        let cases: [(TagKind, &[&str], &[&str]); 4] = [
            (
                TagKind::Number,
                &["0", "7", "2850", "123456789"],
                &["", "07", "-1", "1 ", "?", "12345678901"],
            ),
            (
                TagKind::Signed,
                &["0", "+5", "-12"],
                &["5", "+0", "-0", "", "+", "+05"],
            ),
            (
                TagKind::Date,
                &[
                    "2017.08.30",
                    "1946.??.??",
                    "????.??.??",
                    "1999.12.??",
                    "????.01.02",
                ],
                &[
                    "2017.8.30",
                    "2017.08.3?",
                    "2017-08-30",
                    "0000.01.01",
                    "2017.00.01",
                    "",
                ],
            ),
            (
                TagKind::Time,
                &["00:00:00", "23:59:59", "99:00:00"],
                &["1:00:00", "00:60:00", "00:00:0x"],
            ),
        ];
        for (kind, good, bad) in cases {
            for text in good {
                let number = kind.parse(text.as_bytes()).expect(text);
                let mut out = Vec::new();
                kind.write(number, &mut out);
                assert_eq!(out, text.as_bytes());
            }
            for text in bad {
                assert_eq!(kind.parse(text.as_bytes()), None, "{text}");
            }
        }
    }
}
