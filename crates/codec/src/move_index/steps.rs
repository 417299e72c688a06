//! Where a number leads.

use chess::attacks;
use chess::{Bitboard, CastlingSide, Color, Move, MoveKind, Position, Rank, Role, Square};

use super::numbers::{CASTLINGS, MAX, ROLES, SIZES};
use crate::empty_board;

/// Distance of a pawn's move: White's captures to the left are 7 squares up.
#[inline(always)]
pub(super) fn pawn_distance(from: Square, to: Square) -> u32 {
    (from as u32).abs_diff(to as u32).saturating_sub(7)
}

/// Distance and promotion of a pawn's move.
#[inline(always)]
pub(super) fn pawn_destination(m: Move) -> u32 {
    let step = pawn_distance(m.from(), m.to());
    match m.flags() {
        flags @ 8.. => step << 2 | u32::from(flags & 3),
        _ => step,
    }
}

/// Whether it is a pawn of the side to move that stands on `from`, and its next step is onto the last
/// rank. One test of one word: of two conditions LLVM would make two branches, the first of them on
/// what moves, which nobody can foresee.
#[inline(always)]
pub(crate) fn is_last_step(position: &Position, from: Square) -> bool {
    let pawns = position.board().by_role(Role::Pawn) & last_but_one(position.turn());
    pawns.contains(from)
}

/// The rank from which the pawns of a side are promoted.
#[inline(always)]
const fn last_but_one(turn: Color) -> Bitboard {
    Bitboard::from_rank(match turn {
        Color::White => Rank::Seventh,
        Color::Black => Rank::Second,
    })
}

/// The number of a pawn's double push.
pub(super) const DOUBLE_PUSH: u32 = 9;

/// A move that is not found by [`Meaning::to`]: castling, or a promotion. `None` if it is neither, and
/// so none at all. The position does not come by reference: that would keep it in memory, see
/// `game.rs`.
#[cold]
pub(super) fn rare_move(
    turn: Color,
    occupied: Bitboard,
    role: Role,
    from: Square,
    found: u32,
    number: u32,
) -> Option<Move> {
    match (role, found) {
        (Role::King, 0) => Some(castling(turn, from, CastlingSide::KingSide)),
        (Role::King, 1) => Some(castling(turn, from, CastlingSide::QueenSide)),
        (Role::Pawn, _) => promotion(turn, occupied, from, number),
        _ => None,
    }
}

/// The king's own square is the one where it stands, wherever that is.
const fn castling(turn: Color, from: Square, side: CastlingSide) -> Move {
    Move::new(from, side.king_to(turn), MoveKind::castle(side))
}

/// A pawn on its last but one rank steps 7, 8 or 9 squares, and the number tells what it becomes.
fn promotion(turn: Color, occupied: Bitboard, from: Square, number: u32) -> Option<Move> {
    if !last_but_one(turn).contains(from) {
        return None;
    }
    let squares = 7 + (number >> 2 & 3) as u8;
    let to = Square::from_low_bits(match turn {
        Color::White => (from as u8).wrapping_add(squares),
        Color::Black => (from as u8).wrapping_sub(squares),
    });
    let takes = occupied.contains(to);
    let is_sound = match number >> 2 {
        0 | 2 => attacks::pawn(turn, from).contains(to),
        1 => true,
        _ => false,
    };
    let role = Role::PROMOTIONS.get((number & 3) as usize)?;
    let kind = MoveKind::promotion(*role, takes)?;
    is_sound.then(|| Move::new(from, to, kind))
}

/// What a number means, counted from the start of its block: which of the men, and where it goes.
/// Known before the board is.
///
/// | bits | |
/// |---|---|
/// | 0 … 5 | the rank of the man among those of its role |
/// | 6 | a pawn's double push, unless the pawn is about to be promoted |
/// | 7 | a pawn's capture, likewise |
/// | 8 … | where in [`DESTINATIONS`] its squares are, for a man on a1 |
#[derive(Clone, Copy)]
pub(super) struct Meaning(u32);

const IS_DOUBLE: u32 = 1 << 6;
const IS_DIAGONAL: u32 = 1 << 7;

/// By turn and block. 24 KiB, of which a game uses some two.
static MEANINGS: [[[Meaning; MEANINGS_A_BLOCK]; 6]; 2] = {
    let mut table = [[[Meaning(0); MEANINGS_A_BLOCK]; 6]; 2];
    let mut block = 0;
    while block < 6 {
        let mut local = 0;
        while local <= MAX {
            #[allow(clippy::indexing_slicing)]
            {
                table[0][block][local as usize] = meaning(Color::White, block, local);
                table[1][block][local as usize] = meaning(Color::Black, block, local);
            }
            local += 1;
        }
        block += 1;
    }
    table
};

const MEANINGS_A_BLOCK: usize = MAX as usize + 1;

const fn meaning(turn: Color, block: usize, local: u32) -> Meaning {
    #[allow(clippy::indexing_slicing)] // Six blocks.
    let (role, size) = (ROLES[block], SIZES[block]);
    if block == 0 && local < CASTLINGS {
        return Meaning((place_of(role as u32) | NOWHERE) << 8);
    }
    let local = if block == 0 { local - CASTLINGS } else { local };
    let (before, number) = (local / size, local % size);
    let (row, flags) = match (role, turn, number) {
        (Role::Pawn, Color::White, DOUBLE_PUSH) => (WHITE_PAWNS, IS_DOUBLE),
        (Role::Pawn, Color::Black, DOUBLE_PUSH) => (BLACK_PAWNS, IS_DOUBLE),
        (Role::Pawn, Color::White, 0 | 2) => (WHITE_PAWNS, IS_DIAGONAL),
        (Role::Pawn, Color::Black, 0 | 2) => (BLACK_PAWNS, IS_DIAGONAL),
        (Role::Pawn, Color::Black, _) => (BLACK_PAWNS, 0),
        _ => (role as u32, 0),
    };
    Meaning((place_of(row) | number) << 8 | flags | before & 63)
}

/// Where the squares of a row begin in [`DESTINATIONS`].
const fn place_of(row: u32) -> u32 {
    row << 11
}

/// A number that nobody has.
const NOWHERE: u32 = 31;

impl Meaning {
    /// The meaning of a number from the start of its block.
    #[inline(always)]
    pub(super) fn of(turn: Color, block: usize, local: u32) -> Meaning {
        let local = local as usize & (MEANINGS_A_BLOCK - 1);
        #[allow(clippy::indexing_slicing)] // Two sides, and what is masked; six blocks.
        MEANINGS[turn as usize][block][local]
    }

    /// The rank of the man among those of its role; only the low six bits count.
    #[inline(always)]
    pub(super) const fn man(self) -> u32 {
        self.0
    }

    /// Whether a pawn makes its double push, if it goes anywhere.
    #[inline(always)]
    pub(super) const fn is_double_push(self) -> bool {
        self.0 & IS_DOUBLE != 0
    }

    /// Whether a pawn takes, if it goes anywhere.
    #[inline(always)]
    pub(super) const fn is_diagonal(self) -> bool {
        self.0 & IS_DIAGONAL != 0
    }

    /// The number of the man's move.
    #[inline(always)]
    pub(super) const fn number(self) -> u32 {
        self.0 >> 8 & 31
    }

    /// Where the man goes; its own square if nowhere.
    #[inline(always)]
    pub(super) fn to(self, from: Square) -> Square {
        let place = (self.0 >> 8) as usize + (from.index() << 5);
        #[allow(clippy::indexing_slicing)] // Masked.
        DESTINATIONS[place & (DESTINATIONS.len() - 1)]
    }
}

/// Where numbers lead on an empty board, 32 a square, 64 squares a role; black pawns have a row of
/// their own. A man's own square for the numbers it does not have. 14 KiB, of which games use a part,
/// and two more, so that an index of fourteen bits needs no check.
static DESTINATIONS: [Square; 8 << 11] = {
    let mut table = [Square::A1; 8 << 11];
    let mut row = 0;
    while row < 7 {
        let mut from = 0;
        while from < 64 {
            #[allow(clippy::indexing_slicing)]
            let square = Square::ALL[from];
            #[allow(clippy::indexing_slicing)]
            let squares = match row {
                WHITE_PAWNS => pawn_destinations(Color::White, square),
                BLACK_PAWNS => pawn_destinations(Color::Black, square),
                _ => piece_destinations(Role::ALL[row as usize], square),
            };
            let place = place_of(row) as usize + (from << 5);
            let mut number = 0;
            while number < squares.len() {
                #[allow(clippy::indexing_slicing)]
                {
                    table[place + number] = squares[number];
                }
                number += 1;
            }
            from += 1;
        }
        row += 1;
    }
    table
};

const WHITE_PAWNS: u32 = Role::Pawn as u32;
const BLACK_PAWNS: u32 = 6;

const fn piece_destinations(role: Role, from: Square) -> [Square; 32] {
    let mut row = [from; 32];
    let mut reach = empty_board::walk(role, from);
    let mut number = 0;
    while let Some(to) = reach.pop_first() {
        #[allow(clippy::indexing_slicing)] // A queen reaches 27 squares.
        {
            row[number] = to;
        }
        number += 1;
    }
    row
}

/// Steps onto the last rank are not here: see [`promotion`].
const fn pawn_destinations(color: Color, from: Square) -> [Square; 32] {
    let up = match color {
        Color::White => 1,
        Color::Black => -1,
    };
    let mut row = [from; 32];
    // 7, 8, 9 or 16 squares up; that is to the left and to the right for White, and the other way.
    let steps = [
        (0, (-up, up)),
        (1, (0, up)),
        (2, (up, up)),
        (DOUBLE_PUSH as usize, (0, 2 * up)),
    ];
    let mut i = 0;
    while i < steps.len() {
        #[allow(clippy::indexing_slicing)]
        let (number, (files, ranks)) = steps[i];
        let rank = match color {
            Color::White => from as u8 / 8,
            Color::Black => 7 - from as u8 / 8,
        };
        if (number != DOUBLE_PUSH as usize || rank == 1)
            && rank != 6
            && let Some(to) = from.offset(files, ranks)
        {
            #[allow(clippy::indexing_slicing)]
            {
                row[number] = to;
            }
        }
        i += 1;
    }
    row
}

/// A man goes to another square, and takes what stands there.
#[inline(always)]
pub(crate) fn step(from: Square, to: Square, takes: bool, is_double: bool) -> Move {
    let flags = u16::from(takes) << 2 | u16::from(is_double);
    let word = flags << 12 | (from as u16) << 6 | to as u16;
    Move::from_word_unchecked(word).unwrap_or(Move::new(from, to, MoveKind::Quiet))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number of two men of each piece, against the definition.
    #[test]
    fn numbers_of_pieces_mean_their_squares() {
        for (block, role) in ROLES.into_iter().enumerate() {
            let first = if role == Role::King { CASTLINGS } else { 0 };
            for local in (0..2 * SIZES[block]).filter(|_| role != Role::Pawn) {
                let (man, number) = (local / SIZES[block], local % SIZES[block]);
                for turn in Color::ALL {
                    let meaning = Meaning::of(turn, block, first + local);
                    assert_eq!((meaning.man() & 63, meaning.number()), (man, number));
                    assert!(!meaning.is_double_push() && !meaning.is_diagonal());
                    for from in Square::ALL {
                        let to = empty_board::reach(role, from).nth(number as usize);
                        assert_eq!(meaning.to(from), to.unwrap_or(from), "{role:?} {number}");
                    }
                }
            }
        }
        assert_eq!(Meaning::of(Color::White, 0, 1).to(Square::E1), Square::E1);
    }
}
