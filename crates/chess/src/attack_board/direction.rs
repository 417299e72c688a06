//! Which way from one square to another, by one table of differences.
//!
//! With eight files a difference of squares is ambiguous: +1 is b1 seen from a1, and also a2 seen
//! from h1. In a board of 16 files of which only eight are used, each difference has one meaning,
//! so a table of 239 entries (h8 − a1 = 119, both ways, and 0) answers for all 4,096 pairs of
//! squares. A square off that board shows in the bits 0x88. Knights' jumps are not in the table:
//! what asks it asks about lines.

use crate::{Bitboard, Square};

/// One of the eight ways in which kings and sliders go. The first four lead to larger squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Direction {
    East,
    NorthWest,
    North,
    NorthEast,
    West,
    SouthEast,
    South,
    SouthWest,
}

impl Direction {
    const ALL: [Direction; 8] = [
        Direction::East,
        Direction::NorthWest,
        Direction::North,
        Direction::NorthEast,
        Direction::West,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
    ];

    /// One step, in 16×8 coordinates.
    const fn step(self) -> i16 {
        match self {
            Direction::East => 1,
            Direction::NorthWest => 15,
            Direction::North => 16,
            Direction::NorthEast => 17,
            Direction::West => -1,
            Direction::SouthEast => -15,
            Direction::South => -16,
            Direction::SouthWest => -17,
        }
    }

    /// The way from a square to another on the same rank, file or diagonal.
    #[inline(always)]
    pub(super) const fn between(from: Square, to: Square) -> Option<Direction> {
        let difference = wide(to).wrapping_sub(wide(from)).wrapping_add(OFFSET);
        DIRECTIONS[difference as usize]
    }

    /// All squares this way, to the edge of the board.
    #[inline(always)]
    pub(super) const fn ray(self, from: Square) -> Bitboard {
        RAYS[self as usize][from as usize]
    }

    /// The squares this way up to and including the first man: what a slider standing on `from`, or
    /// looking over it, reaches.
    #[inline(always)]
    pub(super) const fn reach(self, from: Square, occupied: Bitboard) -> Bitboard {
        let ray = self.ray(from).bits();
        let men = ray & occupied.bits();
        // Up to the lowest man, down to the highest man; everything if there is none. Both are
        // computed: which of them is wanted is a coin's toss to the branch predictor.
        let upwards = men ^ men.wrapping_sub(1);
        let downwards = !0 << (63 - (men | 1).leading_zeros());
        let near = if (self as u8) < 4 { upwards } else { downwards };
        Bitboard(ray & near)
    }
}

/// The number of a square on a board of 16 files.
#[inline(always)]
const fn wide(square: Square) -> u8 {
    square as u8 + (square as u8 & 56)
}

/// h8 in 16×8 coordinates: added to a difference, it makes an index.
const OFFSET: u8 = 119;

/// The 239 differences; 17 empty entries more let a byte be the index without a check.
static DIRECTIONS: [Option<Direction>; 256] = {
    let mut table = [None; 256];
    let mut i = 0;
    while i < 8 {
        let mut distance = 1;
        while distance < 8 {
            let difference = Direction::ALL[i].step() * distance;
            table[(difference + OFFSET as i16) as usize] = Some(Direction::ALL[i]);
            distance += 1;
        }
        i += 1;
    }
    table
};

static RAYS: [[Bitboard; 64]; 8] = {
    let mut table = [[Bitboard::EMPTY; 64]; 8];
    let mut i = 0;
    while i < 8 {
        let mut from = 0;
        while from < 64 {
            let step = Direction::ALL[i].step();
            let mut at = wide(Square::ALL[from]) as i16 + step;
            while at & 0x88 == 0 {
                let narrow = (at & 7) + (at >> 4) * 8;
                table[i][from].insert(Square::ALL[narrow as usize]);
                at += step;
            }
            from += 1;
        }
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_agree_with_geometry() {
        for from in Square::ALL {
            for to in Square::ALL {
                let files = i32::from(to.file() as u8) - i32::from(from.file() as u8);
                let ranks = i32::from(to.rank() as u8) - i32::from(from.rank() as u8);
                let on_line =
                    from != to && (files == 0 || ranks == 0 || files.abs() == ranks.abs());
                let found = Direction::between(from, to);
                assert_eq!(found.is_some(), on_line, "{from} {to}");
                if let Some(direction) = found {
                    let step = ranks.signum() * 16 + files.signum();
                    assert_eq!(i32::from(direction.step()), step, "{from} {to}");
                    assert!(direction.ray(from).contains(to));
                }
            }
        }
        let used = DIRECTIONS.iter().flatten().count();
        assert_eq!(used, 8 * 7);
        assert!(DIRECTIONS[239..].iter().all(Option::is_none));
    }

    #[test]
    fn reach_stops_at_the_first_man() {
        let mut occupied = Bitboard(0x0123_4567_89ab_cdef);
        for from in Square::ALL {
            for direction in Direction::ALL {
                let mut walked = Bitboard::EMPTY;
                let mut at = from;
                while let Some(next) = direction
                    .ray(at)
                    .into_iter()
                    .find(|next| at.distance(*next) == 1)
                {
                    walked.insert(next);
                    if occupied.contains(next) {
                        break;
                    }
                    at = next;
                }
                assert_eq!(
                    direction.reach(from, occupied),
                    walked,
                    "{from} {direction:?}"
                );
                assert_eq!(direction.reach(from, Bitboard::EMPTY), direction.ray(from));
                occupied = Bitboard(occupied.bits().rotate_left(7).wrapping_mul(3));
            }
        }
    }
}
