//! What it weighs to go to a square: sums of look-ups, for all squares of a set.

use super::Sliders;
use crate::Bitboard;

/// The tables that the squares of a set are looked up in. A square `to` weighs
///
/// ```text
/// base + columns[to ^ flip] + landings[aims << 8 | squares[to]] + leavings[squares[to] >> 3]
/// ```
///
/// where `aims` has a bit for each of four sets that the square may be in.
#[derive(Clone, Copy, Debug)]
pub struct Weighing<'a> {
    /// Eight bits a square.
    pub squares: &'a [u8; 64],
    /// Four bits more: whether the square is in each of these.
    pub aims: [Bitboard; 4],
    /// 56 if the columns are those of a board seen from Black's side, else 0.
    pub flip: u8,
    /// By square.
    pub columns: &'a [i16; 64],
    /// By aims and the bits of the square. The last one is not used: some CPUs read two at a time.
    pub landings: &'a [i16; 4097],
    /// By five of the eight bits of the square.
    pub leavings: &'a [i16; 32],
    /// For all squares.
    pub base: i16,
    /// A number that is told with each square, which is in its lowest six bits.
    pub name: u16,
}

/// How many squares are weighed at most: a queen has 27.
pub const WEIGHED: usize = 32;

/// See [`Sliders::weigh`]: one square after the other.
#[inline(always)]
pub(super) fn one_by_one<S: Sliders>(
    sliders: S,
    weighing: &Weighing<'_>,
    targets: Bitboard,
    names: &mut [u16; WEIGHED],
    sums: &mut [i16; WEIGHED],
) {
    /// As many as [`Sliders::membership`] tells of.
    const PART: usize = 16;
    let Weighing {
        squares,
        flip,
        columns,
        landings,
        leavings,
        base,
        name,
        ..
    } = *weighing;
    let mut left = targets.0;
    let parts = names.as_chunks_mut::<PART>().0.iter_mut();
    for (names, sums) in parts.zip(sums.as_chunks_mut::<PART>().0) {
        // The first one's bits where they are needed: in bits 8 to 11.
        let aims = sliders.membership(weighing.aims, Bitboard(left));
        let mut aims = aims.rotate_left(8);
        let len = Bitboard(left).len().min(PART);
        for (place, sum) in names[..len].iter_mut().zip(&mut sums[..len]) {
            let to = left.trailing_zeros() as usize % 64;
            let square = usize::from(squares[to]);
            *place = name | to as u16;
            *sum = base
                .wrapping_add(columns[(to ^ usize::from(flip)) % 64])
                .wrapping_add(landings[square | aims as usize & 0xf00])
                .wrapping_add(leavings[square >> 3]);
            left &= left.wrapping_sub(1);
            aims = aims.rotate_right(4);
        }
        if left == 0 {
            return;
        }
    }
}

/// See [`Sliders::list`]: one square after the other.
#[inline(always)]
pub(super) fn list_one_by_one(targets: Bitboard, name: u16, names: &mut [u16; WEIGHED]) {
    for (place, to) in names.iter_mut().zip(targets) {
        *place = name | to as u16;
    }
}
