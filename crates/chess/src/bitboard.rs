//! Sets of squares.

#![allow(clippy::cast_possible_truncation)] // Bit numbers are below 64.

use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use crate::{File, Rank, Square};

/// A set of squares, one bit a square, a1 the lowest.
///
/// ```
/// use scoresheet_chess::{Bitboard, Square};
/// let corners = Bitboard::from_iter([Square::A1, Square::H1, Square::A8, Square::H8]);
/// assert!(corners.contains(Square::H8));
/// assert_eq!((corners - Bitboard::from(Square::A1)).len(), 3);
/// assert_eq!(corners.first(), Some(Square::A1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub(crate) u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const ALL: Bitboard = Bitboard(!0);
    pub(crate) const FILE_A: Bitboard = Bitboard(0x0101_0101_0101_0101);
    pub(crate) const FILE_H: Bitboard = Bitboard(0x8080_8080_8080_8080);
    /// The first and the eighth rank.
    pub const BACK_RANKS: Bitboard = Bitboard(0xff00_0000_0000_00ff);

    /// The set with these bits, a1 the lowest.
    #[must_use]
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Bitboard {
        Bitboard(bits)
    }

    /// The bits of the set, a1 the lowest.
    #[must_use]
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set of one square.
    #[must_use]
    #[inline(always)]
    pub const fn from_square(square: Square) -> Bitboard {
        Bitboard(1 << square as u8)
    }

    /// The eight squares of a rank.
    #[must_use]
    #[inline]
    pub const fn from_rank(rank: Rank) -> Bitboard {
        Bitboard(0xff << (rank as u8 * 8))
    }

    /// The eight squares of a file.
    #[must_use]
    #[inline]
    pub const fn from_file(file: File) -> Bitboard {
        Bitboard(Bitboard::FILE_A.0 << file as u8)
    }

    /// All squares with a smaller index than `square`.
    ///
    /// ```
    /// # use scoresheet_chess::{Bitboard, Square};
    /// assert_eq!(Bitboard::before(Square::A6).last(), Some(Square::H5));
    /// ```
    #[must_use]
    #[inline]
    pub const fn before(square: Square) -> Bitboard {
        Bitboard((1 << square as u8) - 1)
    }

    /// How many squares are in the set.
    #[must_use]
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no square is in the set.
    #[must_use]
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether at least one square is in the set.
    #[must_use]
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether there are two squares or more, without counting them.
    #[must_use]
    #[inline(always)]
    pub const fn is_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether `square` is in the set.
    #[must_use]
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 != 0
    }

    /// Whether the two sets share a square.
    #[must_use]
    #[inline(always)]
    pub const fn intersects(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every square of this set is in `other`.
    #[must_use]
    #[inline]
    pub const fn is_subset_of(self, other: Bitboard) -> bool {
        self.0 & !other.0 == 0
    }

    /// Puts a square into the set.
    #[inline(always)]
    pub const fn insert(&mut self, square: Square) {
        self.0 |= 1 << square as u8;
    }

    /// Takes a square out of the set.
    #[inline(always)]
    pub const fn remove(&mut self, square: Square) {
        self.0 &= !(1 << square as u8);
    }

    /// The square with the lowest index.
    #[must_use]
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(self.first_or_a1())
        }
    }

    /// The square with the lowest index; a1 if the set is empty. For sets that are known not to
    /// be empty, such as the king's square: no branch and no panic.
    #[inline(always)]
    pub(crate) const fn first_or_a1(self) -> Square {
        Square::from_low_bits(self.0.trailing_zeros() as u8)
    }

    /// The square with the highest index.
    #[must_use]
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_low_bits(63 - self.0.leading_zeros() as u8))
        }
    }

    /// Takes the square with the lowest index out of the set.
    #[inline(always)]
    pub const fn pop_first(&mut self) -> Option<Square> {
        let first = self.first();
        self.0 &= self.0.wrapping_sub(1);
        first
    }

    /// The `n`-th square of the set in ascending order, counted from 0.
    ///
    /// ```
    /// # use scoresheet_chess::{Bitboard, Rank, Square};
    /// assert_eq!(Bitboard::from_rank(Rank::Second).nth(3), Some(Square::D2));
    /// assert_eq!(Bitboard::from_rank(Rank::Second).nth(8), None);
    /// ```
    #[must_use]
    #[inline]
    pub const fn nth(self, n: usize) -> Option<Square> {
        let mut bits = self.0;
        let mut left = n;
        while left > 0 && bits != 0 {
            bits &= bits - 1;
            left -= 1;
        }
        Bitboard(bits).first()
    }

    /// How many squares of the set have a smaller index than `square`.
    #[must_use]
    #[inline]
    pub const fn rank_of(self, square: Square) -> usize {
        Bitboard(self.0 & Bitboard::before(square).0).len()
    }

    /// The squares in ascending order.
    #[must_use]
    #[inline(always)]
    pub const fn iter(self) -> Squares {
        Squares(self)
    }

    /// The set upside down: rank 1 becomes rank 8.
    #[must_use]
    #[inline]
    pub const fn flip_ranks(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// Every square moved by `delta` in index, those that would leave the board dropped. The
    /// caller keeps files from wrapping round.
    #[inline(always)]
    pub(crate) const fn shifted(self, delta: i8) -> Bitboard {
        if delta >= 0 {
            Bitboard(self.0 << delta)
        } else {
            Bitboard(self.0 >> -delta)
        }
    }

    /// `self | other`, usable in constants.
    #[inline(always)]
    pub(crate) const fn or(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

/// The squares of a [`Bitboard`] in ascending order.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        self.0.pop_first()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        self.iter()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares
            .into_iter()
            .fold(Bitboard::EMPTY, |set, square| set | square.into())
    }
}

impl From<Square> for Bitboard {
    #[inline(always)]
    fn from(square: Square) -> Bitboard {
        Bitboard::from_square(square)
    }
}

impl From<Rank> for Bitboard {
    fn from(rank: Rank) -> Bitboard {
        Bitboard::from_rank(rank)
    }
}

impl From<File> for Bitboard {
    fn from(file: File) -> Bitboard {
        Bitboard::from_file(file)
    }
}

macro_rules! set_operators {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl $operator for Bitboard {
            type Output = Bitboard;

            #[inline(always)]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard($operator::$method(self.0, other.0))
            }
        }

        impl $assign for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Bitboard) {
                $assign::$assign_method(&mut self.0, other.0);
            }
        }
    )*};
}

set_operators! {
    BitAnd bitand BitAndAssign bitand_assign;
    BitOr bitor BitOrAssign bitor_assign;
    BitXor bitxor BitXorAssign bitxor_assign;
}

impl Sub for Bitboard {
    type Output = Bitboard;

    /// The squares of the first set that are not in the second.
    #[inline(always)]
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

/// Draws the board, rank 8 on top: `1` for a square of the set, `.` for another.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let mark = if self.contains(Square::new(file, rank)) {
                    '1'
                } else {
                    '.'
                };
                let gap = if file == File::H { '\n' } else { ' ' };
                write!(f, "{mark}{gap}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_iterates_in_ascending_order() {
        let set = Bitboard::from_iter([Square::H8, Square::A1, Square::E4]);
        assert_eq!(
            set.iter().collect::<Vec<_>>(),
            [Square::A1, Square::E4, Square::H8]
        );
        assert_eq!(set.iter().len(), 3);
        assert_eq!(set.last(), Some(Square::H8));
        for (n, square) in set.iter().enumerate() {
            assert_eq!(set.nth(n), Some(square));
            assert_eq!(set.rank_of(square), n);
        }
        assert_eq!(Bitboard::EMPTY.first(), None);
        assert_eq!(Bitboard::EMPTY.last(), None);
    }

    #[test]
    fn drawing_puts_the_eighth_rank_on_top() {
        let drawn = format!("{:?}", Bitboard::from(Square::H8));
        assert!(drawn.starts_with(". . . . . . . 1\n"));
        assert_eq!(drawn.lines().count(), 8);
    }
}
