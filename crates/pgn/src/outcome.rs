//! How a game ended.

use core::fmt;

use chess::Color;

/// The result of a game, as the movetext or the tag `Result` gives it.
///
/// ```
/// use scoresheet_pgn::Outcome;
/// assert_eq!(Outcome::parse(b"1/2-1/2"), Some(Outcome::Draw));
/// assert_eq!(Outcome::parse(b"1-0").unwrap().to_string(), "1-0");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: in progress, abandoned or not known.
    Unknown,
}

impl Outcome {
    /// All four.
    pub const ALL: [Outcome; 4] = [
        Outcome::WhiteWins,
        Outcome::BlackWins,
        Outcome::Draw,
        Outcome::Unknown,
    ];

    /// The result that a text means. Besides the four of the standard, `1/2`, `½-½` and
    /// dashes of typographers are understood.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Outcome> {
        Some(match text {
            b"1-0" | b"1\xe2\x80\x930" => Outcome::WhiteWins,
            b"0-1" | b"0\xe2\x80\x931" => Outcome::BlackWins,
            b"1/2-1/2" | b"1/2" | b"1/2\xe2\x80\x931/2" => Outcome::Draw,
            // "½" in UTF-8 and in Latin-1.
            b"\xc2\xbd-\xc2\xbd" | b"\xc2\xbd" | b"\xbd-\xbd" | b"\xbd" => Outcome::Draw,
            b"\xc2\xbd\xe2\x80\x93\xc2\xbd" => Outcome::Draw,
            b"*" => Outcome::Unknown,
            _ => return None,
        })
    }

    /// As the standard writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Outcome::WhiteWins => "1-0",
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Unknown => "*",
        }
    }

    /// Who won, if somebody did.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::WhiteWins => Some(Color::White),
            Outcome::BlackWins => Some(Color::Black),
            Outcome::Draw | Outcome::Unknown => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
