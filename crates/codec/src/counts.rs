//! Sizes of sets as the numbers that fields are made of.

use chess::{Bitboard, Square};

/// [`Bitboard::len`].
#[inline(always)]
pub(crate) const fn len_of(set: Bitboard) -> u32 {
    set.bits().count_ones()
}

/// [`Bitboard::rank_of`].
#[inline(always)]
pub(crate) const fn rank_in(set: Bitboard, square: Square) -> u32 {
    (set.bits() & Bitboard::before(square).bits()).count_ones()
}
