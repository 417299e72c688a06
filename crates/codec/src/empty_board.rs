//! What a piece reaches on an empty board.

// Filled by loops over the table's own lengths, looked up by enum.
#![allow(clippy::indexing_slicing)]

use chess::{Bitboard, Role, Square};

static REACH: [[Bitboard; 64]; 6] = {
    let mut table = [[Bitboard::EMPTY; 64]; 6];
    let mut role = 0;
    while role < 6 {
        let mut from = 0;
        while from < 64 {
            table[role][from] = walk(Role::ALL[role], Square::ALL[from]);
            from += 1;
        }
        role += 1;
    }
    table
};

/// The squares a piece attacks on an empty board; none for a pawn.
#[inline(always)]
pub(crate) fn reach(role: Role, from: Square) -> Bitboard {
    REACH[role.index()][from.index()]
}

/// The same, worked out from distances.
pub(crate) const fn walk(role: Role, from: Square) -> Bitboard {
    let mut reached = 0u64;
    let mut to = 0;
    while to < 64 {
        let files = (from as u8 % 8).abs_diff(to % 8);
        let ranks = (from as u8 / 8).abs_diff(to / 8);
        let straight = (files == 0) != (ranks == 0);
        let diagonal = files == ranks && files != 0;
        let is_reached = match role {
            Role::Pawn => false,
            Role::Knight => files * ranks == 2,
            Role::Bishop => diagonal,
            Role::Rook => straight,
            Role::Queen => straight || diagonal,
            Role::King => files < 2 && ranks < 2 && files + ranks > 0,
        };
        if is_reached {
            reached |= 1 << to;
        }
        to += 1;
    }
    Bitboard::from_bits(reached)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Color, attacks};

    #[test]
    fn distances_and_attacks_agree() {
        for role in Role::ALL.into_iter().filter(|&role| role != Role::Pawn) {
            for from in Square::ALL {
                let attacked = attacks::of(role, Color::White, from, Bitboard::EMPTY);
                assert_eq!(reach(role, from), attacked);
            }
        }
    }
}
