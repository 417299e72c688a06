//! Stage three with PEXT and a byte shuffle.
//!
//! Where the CPU has PEXT, the second magic is not needed either. The squares of a group are
//! gathered into at most eight bits, one for each lane of a row that holds the moves to *all* squares
//! of the group; the bits choose a shuffle that moves the wanted lanes to the front. Another PEXT
//! finds the lanes where an enemy stands and sets their capture flags. No set needs a row of its
//! own, so the tables shrink from 166 KB to 17, and captures come with the quiet moves.

use core::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_or_si128, _mm_shuffle_epi8, _pext_u64};

use super::{Pext, leapers, rays};
use crate::{Bitboard, Move, Role, Square};

/// A group of at most eight squares that a man attacks from a square, and the moves to them.
#[derive(Clone, Copy)]
struct Group {
    squares: Bitboard,
    row: [Move; 8],
}

/// The groups of one square.
#[derive(Clone, Copy)]
struct Groups {
    lines: [Group; 4],
    knight: Group,
    king: Group,
}

const fn group(from: Square, squares: Bitboard) -> Group {
    let mut row = [Move::from_nonzero(1); 8];
    let mut left = squares.0;
    let mut lane = 0;
    while left != 0 {
        row[lane] = Move::from_nonzero((from as u16) << 6 | left.trailing_zeros() as u16);
        left &= left - 1;
        lane += 1;
    }
    Group { squares, row }
}

const fn line(from: Square, files: i8, ranks: i8) -> Group {
    let one = rays::walk(from, (files, ranks), Bitboard::EMPTY);
    let other = rays::walk(from, (-files, -ranks), Bitboard::EMPTY);
    group(from, one.or(other))
}

static GROUPS: [Groups; 64] = {
    let none = Group {
        squares: Bitboard::EMPTY,
        row: [Move::from_nonzero(1); 8],
    };
    let mut table = [Groups {
        lines: [none; 4],
        knight: none,
        king: none,
    }; 64];
    let mut square = 0;
    while square < 64 {
        let from = Square::ALL[square];
        table[square] = Groups {
            lines: [
                line(from, 1, 0),
                line(from, 0, 1),
                line(from, 1, 1),
                line(from, 1, -1),
            ],
            knight: group(from, leapers::KNIGHT[square]),
            king: group(from, leapers::KING[square]),
        };
        square += 1;
    }
    table
};

/// For every choice of lanes, the shuffle that brings them to the front. The lanes behind them
/// repeat the first one, so that every lane of the result is a move.
static TO_FRONT: [[u8; 16]; 256] = {
    let mut table = [[0; 16]; 256];
    let mut chosen = 0;
    while chosen < 256 {
        let mut lane = 0;
        let mut at = 0;
        while lane < 8 {
            if chosen >> lane & 1 != 0 {
                table[chosen][at] = 2 * lane;
                table[chosen][at + 1] = 2 * lane + 1;
                at += 2;
            }
            lane += 1;
        }
        while at < 16 {
            table[chosen][at + 1] = 1;
            at += 2;
        }
        chosen += 1;
    }
    table
};

/// For every choice of lanes, the capture flag in each of them.
static CAPTURES: [[u16; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut chosen = 0;
    while chosen < 256 {
        let mut lane = 0;
        while lane < 8 {
            table[chosen][lane] = ((chosen >> lane & 1) as u16) << 14;
            lane += 1;
        }
        chosen += 1;
    }
    table
};

/// The bytes of all tables of this file.
pub(super) fn bytes() -> usize {
    size_of_val(&GROUPS) + size_of_val(&TO_FRONT) + size_of_val(&CAPTURES)
}

/// Tells `take` the moves of a piece to its targets, a row of up to eight at a time.
#[inline(always)]
pub(super) fn rows(
    pext: Pext,
    role: Role,
    from: Square,
    targets: Bitboard,
    enemy: Bitboard,
    mut take: impl FnMut(&[Move; 8], usize),
) {
    let groups = &GROUPS[from.index()];
    let groups = match role {
        Role::Pawn => &[],
        Role::Knight => core::slice::from_ref(&groups.knight),
        Role::Bishop => &groups.lines[2..],
        Role::Rook => &groups.lines[..2],
        Role::Queen => &groups.lines[..],
        Role::King => core::slice::from_ref(&groups.king),
    };
    for group in groups {
        let (row, count) = row(pext, group, targets, enemy);
        take(&row, count);
    }
}

#[inline(always)]
fn row(_: Pext, group: &Group, targets: Bitboard, enemy: Bitboard) -> ([Move; 8], usize) {
    // SAFETY: the argument `Pext` proves that the CPU has BMI2 and AVX2, hence SSSE3. A group has at
    // most eight squares, so the gathered bits index tables of 256. The loads are unaligned loads of
    // 16 bytes from arrays of 16 bytes. Every lane of the result is a lane of the row with a flag
    // added: a move, never 0. The checked twin is `row_checked`; the test `rows_are_the_bits` compares
    // them for every set of every group. Measured against the magic table: lists take 0.7 × the time.
    #[allow(unsafe_code)]
    unsafe {
        let chosen = _pext_u64(targets.0, group.squares.0) as u8 as usize;
        let taken = _pext_u64(enemy.0, group.squares.0) as u8 as usize;
        let load = |bytes: *const u8| _mm_loadu_si128(bytes.cast::<__m128i>());
        let all = load(group.row.as_ptr().cast());
        let flagged = _mm_or_si128(all, load(CAPTURES[taken].as_ptr().cast()));
        let front = _mm_shuffle_epi8(flagged, load(TO_FRONT[chosen].as_ptr()));
        (
            core::mem::transmute::<__m128i, [Move; 8]>(front),
            chosen.count_ones() as usize,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MoveKind;

    fn row_checked(from: Square, group: &Group, targets: Bitboard, enemy: Bitboard) -> Vec<Move> {
        let targets = targets & group.squares;
        let kind = |to| {
            if enemy.contains(to) {
                MoveKind::Capture
            } else {
                MoveKind::Quiet
            }
        };
        targets
            .into_iter()
            .map(|to| Move::new(from, to, kind(to)))
            .collect()
    }

    #[test]
    fn rows_are_the_bits() {
        let Some(pext) = Pext::detect() else {
            println!("skipped: this CPU has no fast PEXT");
            return;
        };
        for from in Square::ALL {
            let Groups {
                lines,
                knight,
                king,
            } = &GROUPS[from.index()];
            for group in lines.iter().chain([knight, king]) {
                let mask = group.squares.0;
                let mut targets = 0u64;
                loop {
                    // Every other square of the board, and every other one of the rest.
                    for enemy in [0x5555_5555_5555_5555, 0x3333_3333_3333_3333, !0, 0] {
                        let (row, count) =
                            row(pext, group, Bitboard(targets | !mask), Bitboard(enemy));
                        let checked = row_checked(from, group, Bitboard(targets), Bitboard(enemy));
                        assert_eq!(row[..count], checked, "{from}");
                    }
                    targets = targets.wrapping_sub(mask) & mask;
                    if targets == 0 {
                        break;
                    }
                }
            }
        }
    }
}
