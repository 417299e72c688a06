//! Sets of men, and the number of one man.

use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Sub};

use crate::Color;

/// The number of a man on an [`AttackBoard`](super::AttackBoard): 0–15 are White's, 16–31 Black's.
///
/// A man keeps its number from the set-up until it is taken. A pawn keeps it when it is promoted,
/// so there is always room for whatever it becomes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct PieceIndex(u8);

impl PieceIndex {
    /// The number in the low five bits.
    #[must_use]
    #[inline(always)]
    pub const fn from_low_bits(bits: u8) -> PieceIndex {
        PieceIndex(bits & 31)
    }

    /// 0 to 31.
    #[must_use]
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 31) as usize
    }

    /// 0 to 31, as the mailbox stores it.
    #[inline(always)]
    pub(super) const fn number(self) -> u8 {
        self.0
    }

    /// Whose man it is.
    #[must_use]
    #[inline]
    pub const fn color(self) -> Color {
        if self.0 < 16 {
            Color::White
        } else {
            Color::Black
        }
    }
}

/// A set of men, one bit a man: the white ones in the low half, the black ones in the high half.
///
/// ```
/// use scoresheet_chess::{AttackBoard, Color, Square};
/// let board = AttackBoard::default();
/// let defenders = board.attackers(Square::F3, Color::White);
/// assert_eq!(defenders.len(), 3); // The knight and two pawns.
/// assert!(board.attackers(Square::F3, Color::Black).is_empty());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct PieceMask(pub(super) u32);

impl PieceMask {
    /// No man.
    pub const EMPTY: PieceMask = PieceMask(0);

    /// The numbers of one side.
    #[must_use]
    #[inline(always)]
    pub const fn of(color: Color) -> PieceMask {
        PieceMask(match color {
            Color::White => 0x0000_ffff,
            Color::Black => 0xffff_0000,
        })
    }

    /// The 32 bits.
    #[must_use]
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// How many men there are.
    #[must_use]
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    #[must_use]
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there is at least one.
    #[must_use]
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether there are two or more, without counting them.
    #[must_use]
    #[inline(always)]
    pub const fn is_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether this man is one of them.
    #[must_use]
    #[inline(always)]
    pub const fn contains(self, piece: PieceIndex) -> bool {
        self.0 >> piece.index() & 1 != 0
    }

    /// Whether the two sets share a man.
    #[must_use]
    #[inline(always)]
    pub const fn intersects(self, other: PieceMask) -> bool {
        self.0 & other.0 != 0
    }

    /// The man with the lowest number.
    #[must_use]
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)] // At most 32.
    pub const fn first(self) -> Option<PieceIndex> {
        if self.0 == 0 {
            None
        } else {
            Some(PieceIndex::from_low_bits(self.0.trailing_zeros() as u8))
        }
    }

    /// The men by number.
    #[must_use]
    #[inline(always)]
    pub const fn iter(self) -> Pieces {
        Pieces(self)
    }
}

impl From<PieceIndex> for PieceMask {
    #[inline(always)]
    fn from(piece: PieceIndex) -> PieceMask {
        PieceMask(1 << piece.index())
    }
}

impl BitAnd for PieceMask {
    type Output = PieceMask;
    #[inline(always)]
    fn bitand(self, other: PieceMask) -> PieceMask {
        PieceMask(self.0 & other.0)
    }
}

impl BitOr for PieceMask {
    type Output = PieceMask;
    #[inline(always)]
    fn bitor(self, other: PieceMask) -> PieceMask {
        PieceMask(self.0 | other.0)
    }
}

/// The men of the first set that are not in the second.
impl Sub for PieceMask {
    type Output = PieceMask;
    #[inline(always)]
    fn sub(self, other: PieceMask) -> PieceMask {
        PieceMask(self.0 & !other.0)
    }
}

impl Not for PieceMask {
    type Output = PieceMask;
    #[inline(always)]
    fn not(self) -> PieceMask {
        PieceMask(!self.0)
    }
}

impl BitAndAssign for PieceMask {
    #[inline(always)]
    fn bitand_assign(&mut self, other: PieceMask) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for PieceMask {
    #[inline(always)]
    fn bitor_assign(&mut self, other: PieceMask) {
        self.0 |= other.0;
    }
}

impl fmt::Debug for PieceMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PieceMask({:#010x})", self.0)
    }
}

/// The men of a [`PieceMask`] by number.
#[derive(Clone, Debug)]
pub struct Pieces(PieceMask);

impl Iterator for Pieces {
    type Item = PieceIndex;

    #[inline(always)]
    fn next(&mut self) -> Option<PieceIndex> {
        let first = self.0.first();
        self.0.0 &= self.0.0.wrapping_sub(1);
        first
    }
}

impl IntoIterator for PieceMask {
    type Item = PieceIndex;
    type IntoIter = Pieces;

    #[inline(always)]
    fn into_iter(self) -> Pieces {
        self.iter()
    }
}
