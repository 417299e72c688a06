//! Squares, files and ranks of the board.

use core::fmt;
use core::str::FromStr;

use crate::Color;

/// A file (column) of the board, `A` to `H`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

/// A rank (row) of the board, counted from White's side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

impl File {
    /// All files, `A` first.
    pub const ALL: [File; 8] = [
        File::A,
        File::B,
        File::C,
        File::D,
        File::E,
        File::F,
        File::G,
        File::H,
    ];
    /// How many files there are.
    pub const COUNT: usize = 8;

    /// The file with this index (0 is the a-file), if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<File> {
        if index < 8 {
            Some(File::ALL[index])
        } else {
            None
        }
    }

    /// 0 for the a-file, 7 for the h-file.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The lower-case letter of the file.
    #[must_use]
    pub const fn char(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file of this letter, in either case.
    #[must_use]
    pub const fn from_char(c: char) -> Option<File> {
        match c {
            'a'..='h' => File::from_index(c as usize - 'a' as usize),
            'A'..='H' => File::from_index(c as usize - 'A' as usize),
            _ => None,
        }
    }
}

impl Rank {
    /// All ranks, White's first rank first.
    pub const ALL: [Rank; 8] = [
        Rank::First,
        Rank::Second,
        Rank::Third,
        Rank::Fourth,
        Rank::Fifth,
        Rank::Sixth,
        Rank::Seventh,
        Rank::Eighth,
    ];
    /// How many ranks there are.
    pub const COUNT: usize = 8;

    /// The rank with this index (0 is the first rank), if there is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Rank> {
        if index < 8 {
            Some(Rank::ALL[index])
        } else {
            None
        }
    }

    /// 0 for the first rank, 7 for the eighth.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The digit of the rank.
    #[must_use]
    pub const fn char(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank of this digit.
    #[must_use]
    pub const fn from_char(c: char) -> Option<Rank> {
        match c {
            '1'..='8' => Rank::from_index(c as usize - '1' as usize),
            _ => None,
        }
    }

    /// The same rank as `color` counts it: its own back rank is the first.
    ///
    /// ```
    /// use scoresheet_chess::{Color, Rank};
    /// assert_eq!(Rank::Eighth.seen_by(Color::Black), Rank::First);
    /// ```
    #[must_use]
    pub const fn seen_by(self, color: Color) -> Rank {
        match color {
            Color::White => self,
            Color::Black => Rank::ALL[7 - self as usize],
        }
    }
}

macro_rules! squares {
    ($($name:ident = $index:literal),* $(,)?) => {
        /// A square of the board: a1 is 0, b1 is 1, … h8 is 63.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Square { $($name = $index),* }

        impl Square {
            /// All squares, a1 first, rank by rank.
            pub const ALL: [Square; 64] = [$(Square::$name),*];

            /// The square with the low six bits of `bits` as its index.
            ///
            /// The match is the identity, and the optimiser sees it: no table, no branch, and
            /// later look-ups by square need no bounds check.
            #[must_use]
            #[inline(always)]
            pub const fn from_low_bits(bits: u8) -> Square {
                match bits & 63 {
                    $($index => Square::$name,)*
                    _ => Square::A1,
                }
            }
        }
    };
}

squares! {
    A1 = 0, B1 = 1, C1 = 2, D1 = 3, E1 = 4, F1 = 5, G1 = 6, H1 = 7,
    A2 = 8, B2 = 9, C2 = 10, D2 = 11, E2 = 12, F2 = 13, G2 = 14, H2 = 15,
    A3 = 16, B3 = 17, C3 = 18, D3 = 19, E3 = 20, F3 = 21, G3 = 22, H3 = 23,
    A4 = 24, B4 = 25, C4 = 26, D4 = 27, E4 = 28, F4 = 29, G4 = 30, H4 = 31,
    A5 = 32, B5 = 33, C5 = 34, D5 = 35, E5 = 36, F5 = 37, G5 = 38, H5 = 39,
    A6 = 40, B6 = 41, C6 = 42, D6 = 43, E6 = 44, F6 = 45, G6 = 46, H6 = 47,
    A7 = 48, B7 = 49, C7 = 50, D7 = 51, E7 = 52, F7 = 53, G7 = 54, H7 = 55,
    A8 = 56, B8 = 57, C8 = 58, D8 = 59, E8 = 60, F8 = 61, G8 = 62, H8 = 63,
}

const _: () = assert!(size_of::<Option<Square>>() == 1);

impl Square {
    /// How many squares there are.
    pub const COUNT: usize = 64;

    /// The square where a file and a rank meet.
    #[must_use]
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square::from_low_bits(rank as u8 * 8 + file as u8)
    }

    /// The square with this index, if there is one.
    #[must_use]
    #[inline]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < 64 {
            Some(Square::ALL[index])
        } else {
            None
        }
    }

    /// 0 for a1, 1 for b1, … 63 for h8.
    #[must_use]
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file this square is on.
    #[must_use]
    #[inline]
    pub const fn file(self) -> File {
        File::ALL[self as usize % 8]
    }

    /// The rank this square is on.
    #[must_use]
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::ALL[self as usize / 8]
    }

    /// The square some files to the right and some ranks up, unless that is off the board.
    ///
    /// ```
    /// use scoresheet_chess::Square;
    /// assert_eq!(Square::G1.offset(-1, 2), Some(Square::F3));
    /// assert_eq!(Square::H1.offset(1, 0), None);
    /// ```
    #[must_use]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = (self as i8 % 8) + files;
        let rank = (self as i8 / 8) + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Square::from_index((rank * 8 + file) as usize)
    }

    /// The square reached by adding `delta` to the index, which must stay on the board: the
    /// result is taken modulo 64.
    #[inline(always)]
    pub(crate) const fn plus(self, delta: i8) -> Square {
        Square::from_low_bits((self as u8).wrapping_add_signed(delta))
    }

    /// The square mirrored in the middle line between the fourth and fifth rank.
    #[must_use]
    #[inline]
    pub const fn flip_ranks(self) -> Square {
        Square::from_low_bits(self as u8 ^ 56)
    }

    /// How many king steps the two squares are apart.
    #[must_use]
    pub const fn distance(self, other: Square) -> u8 {
        let files = (self as u8 % 8).abs_diff(other as u8 % 8);
        let ranks = (self as u8 / 8).abs_diff(other as u8 / 8);
        if files > ranks { files } else { ranks }
    }

    /// Whether the square is a light one, as h1 is.
    #[must_use]
    pub const fn is_light(self) -> bool {
        (self as u8 % 8 + self as u8 / 8) % 2 == 1
    }

    /// Reads a square such as `e4` at the start of `text`.
    pub(crate) fn parse_prefix(text: &[u8]) -> Option<Square> {
        let [file, rank, ..] = *text else { return None };
        let file = file.wrapping_sub(b'a');
        let rank = rank.wrapping_sub(b'1');
        (file < 8 && rank < 8).then(|| Square::from_low_bits(rank * 8 + file))
    }
}

/// The text is not the name of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a square such as e4: a file a–h, then a rank 1–8")
    }
}

impl core::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        if text.len() == 2 {
            Square::parse_prefix(text.as_bytes()).ok_or(ParseSquareError)
        } else {
            Err(ParseSquareError)
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().char(), self.rank().char())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::cast_possible_truncation)]
    fn every_square_survives_its_name_and_its_index() {
        for (i, &square) in Square::ALL.iter().enumerate() {
            assert_eq!(square.index(), i);
            assert_eq!(Square::from_index(i), Some(square));
            assert_eq!(Square::from_low_bits(i as u8), square);
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
        }
        assert_eq!(Square::from_index(64), None);
    }

    #[test]
    fn names_must_be_whole() {
        for bad in ["", "e", "e9", "i1", "e4 ", "E4", "4e", "e44"] {
            assert_eq!(bad.parse::<Square>(), Err(ParseSquareError), "{bad:?}");
        }
    }
}
