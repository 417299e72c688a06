//! Numeric annotation glyphs: `$1`, `!`, `+-`.

use core::fmt;

/// A numeric annotation glyph (PGN §8.2.4).
///
/// ```
/// use scoresheet_pgn::Nag;
/// assert_eq!(Nag::from_glyph(b"!?"), Some(Nag::SPECULATIVE));
/// assert_eq!(Nag::SPECULATIVE.suffix(), Some("!?"));
/// assert_eq!(Nag(18).to_string(), "$18");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nag(pub u16);

impl Nag {
    /// `!`
    pub const GOOD: Nag = Nag(1);
    /// `?`
    pub const MISTAKE: Nag = Nag(2);
    /// `!!`
    pub const BRILLIANT: Nag = Nag(3);
    /// `??`
    pub const BLUNDER: Nag = Nag(4);
    /// `!?`
    pub const SPECULATIVE: Nag = Nag(5);
    /// `?!`
    pub const DUBIOUS: Nag = Nag(6);

    /// The glyph of a text that stands for one: the six suffixes, and the signs that people write
    /// after moves.
    #[must_use]
    pub fn from_glyph(glyph: &[u8]) -> Option<Nag> {
        Some(Nag(match glyph {
            b"!" => 1,
            b"?" => 2,
            b"!!" => 3,
            b"??" => 4,
            b"!?" => 5,
            b"?!" => 6,
            b"=" => 10,
            b"+/=" | b"+=" | b"\xe2\xa9\xb2" => 14,
            b"=/+" | b"=+" | b"\xe2\xa9\xb1" => 15,
            b"+/-" | b"\xc2\xb1" | b"\xb1" => 16,
            b"-/+" | b"\xe2\x88\x93" => 17,
            b"+-" | b"+--" => 18,
            b"-+" | b"--+" => 19,
            b"N" | b"TN" => 146,
            b"D" => 220,
            _ => return None,
        }))
    }

    /// The suffix `!`, `?`, `!!`, `??`, `!?` or `?!`, if the glyph is one of the six.
    #[must_use]
    pub const fn suffix(self) -> Option<&'static str> {
        Some(match self.0 {
            1 => "!",
            2 => "?",
            3 => "!!",
            4 => "??",
            5 => "!?",
            6 => "?!",
            _ => return None,
        })
    }
}

/// As the standard writes it: `$1`.
impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}
