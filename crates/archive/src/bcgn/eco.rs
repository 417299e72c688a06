//! The code of an opening.

use core::fmt;

/// An opening by its ECO code, A00 to E99.
///
/// ```
/// use scoresheet_archive::bcgn::Eco;
/// let eco = Eco::parse(b"B12").unwrap();
/// assert_eq!(eco.to_string(), "B12");
/// assert_eq!(Eco::from_bytes(eco.to_bytes()), Some(eco));
/// assert_eq!(Eco::parse(b"B12/03"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Eco {
    letter: u8,
    number: u8,
}

impl Eco {
    /// Reads a letter and two digits.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Eco> {
        match *text {
            [letter, tens @ b'0'..=b'9', units @ b'0'..=b'9'] => {
                Eco::from_bytes([letter, (tens & 15) * 10 + (units & 15)])
            }
            _ => None,
        }
    }

    /// The code in two bytes of a file: the letter, the number. `None` if they are none.
    #[must_use]
    pub fn from_bytes([letter, number]: [u8; 2]) -> Option<Eco> {
        (matches!(letter, b'A'..=b'E') && number < 100).then_some(Eco { letter, number })
    }

    /// The two bytes in a file.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 2] {
        [self.letter, self.number]
    }
}

impl fmt::Display for Eco {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:02}", char::from(self.letter), self.number)
    }
}
