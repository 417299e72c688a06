//! Which numbers belong to which man.

use chess::{Color, Move, Position, Role, Square};

use crate::Bits;
use crate::counts::len_of;

/// The roles in the order of the blocks.
pub(super) const ROLES: [Role; 6] = [
    Role::King,
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// How many numbers each man of a block has.
pub(super) const SIZES: [u32; 6] = [8, 12, 8, 13, 14, 27];

/// The numbers before those of the king, at the start of its block.
pub(super) const CASTLINGS: u32 = 2;

/// Where the numbers of each role start, and where the last one ends: six lanes of ten bits for
/// P N B R Q and the end, the topmost bit of each lane free. The four bits above count the queens.
///
/// It changes only when a man is taken or promoted. So it is remembered from move to move, and
/// which man a number means is known before the board is: a replay waits for its board alone. In
/// one word, since an array would be stored and loaded again for every move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Starts(u64);

/// The lowest and the highest bit of each lane.
const LOW: u64 = 1 | 1 << 10 | 1 << 20 | 1 << 30 | 1 << 40 | 1 << 50;
const HIGH: u64 = LOW << 9;
/// The largest number in a lane. Sixteen men have at most 415.
pub(super) const MAX: u32 = 511;

/// What a man of each role adds: its numbers to the starts of all roles behind its own.
const SHARES: [u64; 8] = {
    let mut shares = [0; 8];
    let mut block = 1;
    while block < 6 {
        #[allow(clippy::indexing_slicing)]
        {
            let lanes_behind = LOW >> (10 * block) << (10 * block);
            shares[ROLES[block] as usize] = SIZES[block] as u64 * lanes_behind;
        }
        block += 1;
    }
    #[allow(clippy::indexing_slicing)]
    {
        shares[Role::Queen as usize] += 1 << 60;
    }
    shares
};

#[inline(always)]
fn share(role: Role) -> u64 {
    #[allow(clippy::indexing_slicing)] // Six roles.
    SHARES[role.index()]
}

impl Starts {
    /// Those of either side at the start of a game.
    const USUAL: Starts = {
        let men = [
            (Role::Pawn, 8),
            (Role::Knight, 2),
            (Role::Bishop, 2),
            (Role::Rook, 2),
            (Role::Queen, 1),
        ];
        let (mut sum, mut i) = (10 * LOW, 0);
        while i < men.len() {
            #[allow(clippy::indexing_slicing)]
            {
                sum += SHARES[men[i].0 as usize] * men[i].1;
            }
            i += 1;
        }
        Starts(sum)
    };

    pub(super) fn of(position: &Position, color: Color) -> Starts {
        let board = position.board();
        let men = board.by_color(color);
        let shares =
            Role::ALL.map(|role| share(role) * u64::from(len_of(men & board.by_role(role))));
        Starts(shares.into_iter().fold(10 * LOW, u64::wrapping_add))
    }

    /// The bits of a number: two bytes for three queens or more.
    #[inline(always)]
    pub(super) const fn width(self) -> u32 {
        if self.0 >> 60 > 2 { 16 } else { 8 }
    }

    /// The bits of a move: the rank of its man among those of its role, and where it goes.
    #[inline(always)]
    pub(super) fn bits(self, role: Role, man: u32, destination: u32) -> Bits {
        let block = (role.index() + 1) % 6;
        #[allow(clippy::indexing_slicing)] // Six blocks.
        let number = self.start(block) + man * SIZES[block] + destination;
        Bits::new(number, self.width())
    }

    /// The block of a number up to [`MAX`], 6 if it is past the last one: how many lanes are not
    /// larger. All six are compared at once; the role of the next man to move is what no branch predictor can know.
    #[inline(always)]
    pub(super) const fn block(self, number: u32) -> usize {
        let not_larger = ((number as u64 * LOW) | HIGH).wrapping_sub(self.0) & HIGH;
        not_larger.count_ones() as usize
    }

    /// Where a block starts: the king's with the castlings at 0.
    #[inline(always)]
    pub(super) const fn start(self, block: usize) -> u32 {
        let with_king = self.0 << 10;
        (with_king >> ((10 * block) & 63) & 0x3ff) as u32
    }
}

/// The numbers of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    white: Starts,
    black: Starts,
}

impl Numbers {
    pub(super) fn at_start(position: &Position) -> Numbers {
        // As nearly all games start.
        if position.board() == Position::START.board() {
            return Numbers {
                white: Starts::USUAL,
                black: Starts::USUAL,
            };
        }
        Numbers {
            white: Starts::of(position, Color::White),
            black: Starts::of(position, Color::Black),
        }
    }

    #[inline(always)]
    pub(super) fn of(self, color: Color) -> Starts {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    #[inline(always)]
    pub(super) fn follow(&mut self, before: &Position, played: Move) {
        if played.is_capture() {
            self.forget_taken(before, played.to());
        }
        if let Some(role) = played.promotion() {
            let change = share(role).wrapping_sub(share(Role::Pawn));
            self.add(before.turn(), change);
        }
    }

    /// What was taken on a square leaves. En passant finds it empty, and has taken a pawn.
    #[inline(always)]
    pub(super) fn forget_taken(&mut self, before: &Position, square: Square) {
        let taken = before.board().role_at(square).unwrap_or(Role::Pawn);
        self.add(!before.turn(), share(taken).wrapping_neg());
    }

    /// Adds to the numbers of a side.
    #[inline(always)]
    fn add(&mut self, color: Color, share: u64) {
        let starts = match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        };
        starts.0 = starts.0.wrapping_add(share);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_starts_are_those_of_the_usual_position() {
        for color in Color::ALL {
            assert_eq!(Starts::of(&Position::START, color), Starts::USUAL);
        }
    }
}
