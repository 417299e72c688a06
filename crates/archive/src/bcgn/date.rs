//! The day of a game.

use core::fmt;

/// A date of which parts may be unknown: they are 0.
///
/// ```
/// use scoresheet_archive::bcgn::Date;
/// let date = Date::parse(b"1985.??.??").unwrap();
/// assert_eq!((date.year, date.month, date.day), (1985, 0, 0));
/// assert_eq!(date.to_string(), "1985.??.??");
/// assert_eq!(Date::parse(b"last week"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Date {
    /// The year.
    pub year: u16,
    /// The month, from 1.
    pub month: u8,
    /// The day, from 1.
    pub day: u8,
}

impl Date {
    /// Reads `YYYY.MM.DD`, where question marks stand for what is unknown. `None` for anything else.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Date> {
        let mut parts = text.split(|&byte| byte == b'.');
        let year = part(parts.next()?, 4)?;
        let month = u8::try_from(part(parts.next()?, 2)?).ok()?;
        let day = u8::try_from(part(parts.next()?, 2)?).ok()?;
        parts.next().is_none().then_some(Date { year, month, day })
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

impl fmt::Display for Date {
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
