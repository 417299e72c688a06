//! The date of a game, of which parts may be unknown.

use core::fmt;

/// A date; 0 stands for what is not known.
///
/// ```
/// use scoresheet_archive::games::GameDate;
/// let date = GameDate::parse(b"1886.01.??").unwrap();
/// assert_eq!((date.year, date.month, date.day), (1886, 1, 0));
/// assert_eq!(GameDate::parse(b"last week"), None);
/// assert_eq!(date.to_string(), "1886.01.??");
/// assert_eq!((date.first_day(), date.last_day()), (18_860_101, 18_860_131));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct GameDate {
    /// The year.
    pub year: u16,
    /// The month, from 1.
    pub month: u8,
    /// The day, from 1.
    pub day: u8,
}

impl GameDate {
    /// Reads `YYYY.MM.DD`, where question marks stand for what is unknown. `None` for anything else.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<GameDate> {
        let mut parts = text.split(|&byte| byte == b'.');
        let year = part(parts.next()?, 4)?;
        let month = u8::try_from(part(parts.next()?, 2)?).ok()?;
        let day = u8::try_from(part(parts.next()?, 2)?).ok()?;
        parts
            .next()
            .is_none()
            .then_some(GameDate { year, month, day })
    }

    /// The date that a column has as a number: 20170830.
    #[must_use]
    pub fn from_number(number: i32) -> Option<GameDate> {
        let number = u32::try_from(number).ok()?;
        let part = |number: u32| u8::try_from(number % 100).unwrap_or(0);
        Some(GameDate {
            year: u16::try_from(number / 10_000).ok()?,
            month: part(number / 100),
            day: part(number),
        })
    }

    /// The first day that it can be, as a number whose digits are year, month and day.
    #[must_use]
    pub fn first_day(self) -> u32 {
        self.with(self.month.max(1), self.day.max(1))
    }

    /// The last day that it can be, as a number. Months are taken to have 31 days.
    #[must_use]
    pub fn last_day(self) -> u32 {
        let or = |part: u8, last| if part == 0 { last } else { part };
        self.with(or(self.month, 12), or(self.day, 31))
    }

    fn with(self, month: u8, day: u8) -> u32 {
        u32::from(self.year) * 10_000 + u32::from(month) * 100 + u32::from(day)
    }
}

/// As many digits, or as many question marks.
fn part(text: &[u8], length: usize) -> Option<u16> {
    if text.len() != length {
        return None;
    }
    if text.iter().all(|&byte| byte == b'?') {
        return Some(0);
    }
    if !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    core::str::from_utf8(text).ok()?.parse().ok()
}

impl fmt::Display for GameDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.year {
            0 => f.write_str("????")?,
            year => write!(f, "{year:04}")?,
        }
        for part in [self.month, self.day] {
            match part {
                0 => f.write_str(".??")?,
                part => write!(f, ".{part:02}")?,
            }
        }
        Ok(())
    }
}
