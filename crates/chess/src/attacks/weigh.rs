//! What it weighs to go to a square: sums of look-ups, for all squares of a set.

use super::Sliders;
use crate::{Bitboard, Color, MoveKind, PawnStep};

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
    /// By aims and the bits of the square.
    pub landings: &'a [i16; 4096],
    /// By five of the eight bits of the square.
    pub leavings: &'a [i16; 32],
    /// For all squares.
    pub base: i16,
    /// A number that is told with each square, which is in its lowest six bits.
    pub name: u16,
}

/// How many squares are weighed at most: a queen has 27, eight pawns have four each.
pub const WEIGHED: usize = 32;

/// The tables that the steps of pawns are looked up in, as in [`Weighing`]. A step weighs
///
/// ```text
/// columns[to ^ flip] + landings[aims << 8 | squares[to]] + origins[from ^ flip]
///     + leavings[(left << 5 | squares[from] >> 3) << 5 | squares[to] >> 3]
///     + roads[(free << 3 | rank of to ^ flip) << 5 | squares[to] >> 3]
/// ```
///
/// where `left` has a bit for each of two sets that `from` may be in, and `free` is whether `to` is in
/// a third. Its name is that of the move: [`Move::word`](crate::Move::word).
#[derive(Clone, Copy, Debug)]
pub struct PawnWeighing<'a> {
    /// Eight bits a square.
    pub squares: &'a [u8; 64],
    /// Four bits more of the square where the pawn arrives.
    pub aims: [Bitboard; 4],
    /// Two bits more of the square that it leaves.
    pub left: [Bitboard; 2],
    /// One bit more of the square where it arrives.
    pub free: Bitboard,
    /// Whose pawns they are: the board of columns and origins is seen from that side.
    pub us: Color,
    /// By square.
    pub columns: &'a [i16; 64],
    /// By square.
    pub origins: &'a [i16; 64],
    /// By aims and the bits of the new square.
    pub landings: &'a [i16; 4096],
    /// By what is known of the old square, and how the new one is.
    pub leavings: &'a [i16; 4096],
    /// By whether the road is free, the rank, and how the new square is.
    pub roads: &'a [i16; 512],
}

/// The kind of the moves that pawns make by a step, if it does not promote.
#[inline(always)]
pub(super) const fn kind(step: PawnStep) -> MoveKind {
    match step {
        PawnStep::Push => MoveKind::Quiet,
        PawnStep::DoublePush => MoveKind::DoublePush,
        PawnStep::CaptureWest | PawnStep::CaptureEast => MoveKind::Capture,
    }
}

/// See [`Sliders::weigh_pawns`]: one step after the other.
#[inline(always)]
pub(super) fn pawns_one_by_one<S: Sliders>(
    sliders: S,
    weighing: &PawnWeighing<'_>,
    targets: [Bitboard; 4],
    names: &mut [u16; WEIGHED],
    sums: &mut [i16; WEIGHED],
) {
    let mut len = 0;
    // Written out, so that the compiler knows the step in each.
    let [push, double, west, east] = targets;
    let mut weigh = |step, targets| {
        pawn_group(sliders, weighing, step, targets, |name, sum| {
            names[len % WEIGHED] = name;
            sums[len % WEIGHED] = sum;
            len += 1;
        });
    };
    weigh(PawnStep::Push, push);
    weigh(PawnStep::DoublePush, double);
    weigh(PawnStep::CaptureWest, west);
    weigh(PawnStep::CaptureEast, east);
}

/// All pawns that make this step.
#[inline(always)]
fn pawn_group<S: Sliders>(
    sliders: S,
    weighing: &PawnWeighing<'_>,
    step: PawnStep,
    targets: Bitboard,
    mut tell: impl FnMut(u16, i16),
) {
    if targets.is_empty() {
        return;
    }
    let flip = 56 * weighing.us as usize;
    // Sets of squares that are left, moved to those where the pawn arrives.
    let back = step.origin(weighing.us, crate::Square::A1) as u32;
    let [one, two] = weighing.left.map(|set| Bitboard(set.0.rotate_right(back)));
    // Eight pawns at most. The first one's bits where they are needed.
    let mut aims = sliders.membership(weighing.aims, targets) << 8;
    let mut ways = sliders.membership([one, two, weighing.free, Bitboard::EMPTY], targets);
    for to in targets {
        let from = step.origin(weighing.us, to);
        let seen = to.index() ^ flip;
        let square = usize::from(weighing.squares[to.index()]);
        let left = usize::from(weighing.squares[from.index()]) >> 3;
        let way = ways as usize;
        let sum = weighing.columns[seen % 64]
            .wrapping_add(weighing.landings[square | aims as usize & 0xf00])
            .wrapping_add(weighing.origins[(from.index() ^ flip) % 64])
            .wrapping_add(weighing.leavings[(way & 3) << 10 | left << 5 | square >> 3])
            .wrapping_add(weighing.roads[(way & 4) << 6 | (seen >> 3 & 7) << 5 | square >> 3]);
        tell(
            (kind(step) as u16) << 12 | (from as u16) << 6 | to as u16,
            sum,
        );
        aims >>= 4;
        ways >>= 4;
    }
}

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
    // As wide as the rest, once and not for every square.
    let (name, flip) = (usize::from(name), usize::from(flip));
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
            *place = (name | to) as u16;
            *sum = base
                .wrapping_add(columns[(to ^ flip) % 64])
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
