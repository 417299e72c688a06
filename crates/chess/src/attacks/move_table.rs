//! Stage three: from a set of targets to ready moves.
//!
//! What is left of a reach set without own men, off the pin line and within the check line is a
//! set of targets. A second magic multiplication hashes it to a slot, the slot names a row, and the
//! row holds up to eight moves, written down once and for all: listing them is one vector store
//! instead of a loop over bits.
//!
//! The targets of a man are split into groups of at most seven squares, so that every set of a group
//! has a slot of its own and a row fits a vector register:
//!
//! | group | sets with a row |
//! |---|---|
//! | rank, file, two diagonals | what a slider can reach quietly: so far on one side, so far on the other; and one square alone, to block a check |
//! | upper and lower half of a knight's or a king's jumps | all |
//! | steps of a white or a black pawn short of the last rank | all, with their flags |
//!
//! Captures by pieces, promotions, en passant and castling are rare enough to be made on demand.

use super::magics::GROUPS;
use crate::{Bitboard, Color, Move, MoveKind, Role, Square};

/// The groups, in the order of the magics.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Group {
    Rank,
    File,
    Diagonal,
    AntiDiagonal,
    KnightUp,
    KnightDown,
    KingUp,
    KingDown,
    WhitePawn,
    BlackPawn,
}

/// Slots of all groups of all squares.
const SLOTS: usize = 25_680;
/// Rows of all groups of all squares.
const ROWS: usize = 7_818;
/// Marks a slot without a row. Numbers go up to 24: no entry with a row is 255.
const NO_ROW: u8 = 255;

#[derive(Clone, Copy)]
struct Lane {
    mask: u64,
    magic: u64,
    index: u32,
    rows: u16,
    shift: u8,
}

/// The tables of stage three.
struct MoveTable {
    lanes: [[Lane; 10]; 64],
    /// For each slot: the number of its row within the lane, and in the low three bits its length.
    index: [u8; SLOTS],
    rows: [[Move; 8]; ROWS],
}

pub(super) fn bytes() -> usize {
    size_of_val(&TABLE)
}

static TABLE: MoveTable = {
    let mut table = MoveTable {
        lanes: [[Lane {
            mask: 0,
            magic: 0,
            index: 0,
            rows: 0,
            shift: 63,
        }; 10]; 64],
        index: [NO_ROW; SLOTS],
        rows: [[Move::from_nonzero(1); 8]; ROWS],
    };
    let mut slots = 0;
    let mut rows = 0;
    let mut square = 0;
    while square < 64 {
        let from = Square::ALL[square];
        let mut group = 0;
        while group < 10 {
            let (magic, bits) = GROUPS[square][group];
            let lane = Lane {
                mask: 0,
                magic,
                index: slots,
                rows,
                shift: 64 - bits,
            };
            table.lanes[square][group] = lane;
            rows += if group < 4 {
                let (files, ranks) = LINES[group];
                fill_line(&mut table, from, group, files, ranks)
            } else {
                fill_leaps(&mut table, from, group, &LEAPS[group - 4])
            };
            slots += 1 << bits;
            group += 1;
        }
        square += 1;
    }
    assert!(slots as usize == SLOTS && rows as usize == ROWS);
    table
};

const LINES: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];
const LEAPS: [[(i8, i8); 4]; 6] = [
    [(1, 2), (2, 1), (-1, 2), (-2, 1)],
    [(1, -2), (2, -1), (-1, -2), (-2, -1)],
    [(1, 0), (-1, 1), (0, 1), (1, 1)],
    [(-1, 0), (-1, -1), (0, -1), (1, -1)],
    [(-1, 1), (0, 1), (1, 1), (0, 2)],
    [(-1, -1), (0, -1), (1, -1), (0, -2)],
];

/// Gives the set of targets a row, unless it has one, and returns how many rows there are now.
const fn add_row(
    table: &mut MoveTable,
    from: Square,
    group: usize,
    targets: u64,
    rows: u16,
) -> u16 {
    let lane = &table.lanes[from as usize][group];
    let slot = lane.index as usize + slot_of(lane, targets);
    if table.index[slot] != NO_ROW {
        return rows;
    }
    let mut row = [Move::from_nonzero(1); 8];
    let mut left = targets;
    let mut len = 0;
    while left != 0 {
        let to = left.trailing_zeros() as u16;
        row[len] = Move::from_nonzero(flags_of(from, to, group) << 12 | (from as u16) << 6 | to);
        left &= left - 1;
        len += 1;
    }
    table.rows[(lane.rows + rows) as usize] = row;
    table.index[slot] = (rows as u8) << 3 | len as u8; // At most 25 rows of at most 7 moves.
    rows + 1
}

/// Pawns take on the diagonal and may step twice; the geometry says which it is.
const fn flags_of(from: Square, to: u16, group: usize) -> u16 {
    if group < Group::WhitePawn as usize {
        0
    } else if (from as u16) % 8 != to % 8 {
        4
    } else {
        ((from as u16).abs_diff(to) == 16) as u16
    }
}

const fn fill_line(table: &mut MoveTable, from: Square, group: usize, files: i8, ranks: i8) -> u16 {
    // The first 0, 1, 2, … squares of each of the two rays.
    let mut prefixes = [[0u64; 8]; 2];
    let mut lengths = [0; 2];
    let mut side = 0;
    while side < 2 {
        let sign = 1 - 2 * side as i8;
        let mut at = from;
        while let Some(next) = at.offset(sign * files, sign * ranks) {
            prefixes[side][lengths[side] + 1] = prefixes[side][lengths[side]] | 1 << next as u8;
            lengths[side] += 1;
            at = next;
        }
        side += 1;
    }
    let mask = prefixes[0][lengths[0]] | prefixes[1][lengths[1]];
    table.lanes[from as usize][group].mask = mask;
    let mut rows = 0;
    let mut one = 0;
    while one <= lengths[0] {
        let mut other = 0;
        while other <= lengths[1] {
            rows = add_row(
                table,
                from,
                group,
                prefixes[0][one] | prefixes[1][other],
                rows,
            );
            other += 1;
        }
        one += 1;
    }
    let mut alone = mask;
    while alone != 0 {
        rows = add_row(table, from, group, alone & alone.wrapping_neg(), rows);
        alone &= alone - 1;
    }
    rows
}

const fn fill_leaps(
    table: &mut MoveTable,
    from: Square,
    group: usize,
    leaps: &[(i8, i8); 4],
) -> u16 {
    let is_pawn = group >= Group::WhitePawn as usize;
    let mut mask = 0u64;
    let mut leap = 0;
    while leap < 4 {
        let (files, ranks) = leaps[leap];
        if let Some(to) = from.offset(files, ranks) {
            mask |= 1 << to as u8;
        }
        leap += 1;
    }
    table.lanes[from as usize][group].mask = mask;
    // No pawn stands on the back ranks, and promotions are not in the table.
    let (home, seventh) = if group == Group::WhitePawn as usize {
        (0, 6)
    } else {
        (7, 1)
    };
    let rank = from as usize / 8;
    if is_pawn && (rank == home || rank == seventh || rank == 7 - home) {
        return 0;
    }
    let mut rows = 0;
    let mut targets = 0u64;
    loop {
        rows = add_row(table, from, group, targets, rows);
        targets = targets.wrapping_sub(mask) & mask;
        if targets == 0 {
            return rows;
        }
    }
}

#[inline(always)]
const fn slot_of(lane: &Lane, targets: u64) -> usize {
    ((targets & lane.mask).wrapping_mul(lane.magic) >> lane.shift) as usize
}

/// Tells `take` the moves of a piece to its targets. Quiet moves come in rows, captures, which are
/// few, one by one.
#[inline(always)]
pub(super) fn rows(
    role: Role,
    from: Square,
    targets: Bitboard,
    enemy: Bitboard,
    mut take: impl FnMut(&[Move; 8], usize),
) {
    let groups: &[Group] = match role {
        Role::Pawn => &[],
        Role::Knight => &[Group::KnightUp, Group::KnightDown],
        Role::Bishop => &[Group::Diagonal, Group::AntiDiagonal],
        Role::Rook => &[Group::Rank, Group::File],
        Role::Queen => &[
            Group::Rank,
            Group::File,
            Group::Diagonal,
            Group::AntiDiagonal,
        ],
        Role::King => &[Group::KingUp, Group::KingDown],
    };
    for &group in groups {
        row(from, group, targets - enemy, &mut take);
    }
    for to in targets & enemy {
        take(&[Move::new(from, to, MoveKind::Capture); 8], 1);
    }
}

/// Tells `take` the moves of one pawn, captures and double step included, promotions not.
#[inline(always)]
pub(crate) fn pawn_row(
    color: Color,
    from: Square,
    targets: Bitboard,
    mut take: impl FnMut(&[Move; 8], usize),
) {
    let group = match color {
        Color::White => Group::WhitePawn,
        Color::Black => Group::BlackPawn,
    };
    row(from, group, targets, &mut take);
}

#[inline(always)]
fn row(from: Square, group: Group, targets: Bitboard, take: &mut impl FnMut(&[Move; 8], usize)) {
    let lane = &TABLE.lanes[from.index()][group as usize];
    let entry = TABLE.index[lane.index as usize + slot_of(lane, targets.0)];
    let row = lane.rows as usize + usize::from(entry >> 3);
    match TABLE.rows.get(row) {
        Some(row) if entry != NO_ROW => take(row, usize::from(entry & 7)),
        _ => row_by_bits(from, targets.0 & lane.mask, group, take),
    }
}

/// A set that no legal position asks for: nothing is lost, it only takes longer.
#[cold]
fn row_by_bits(from: Square, targets: u64, group: Group, take: &mut impl FnMut(&[Move; 8], usize)) {
    for to in Bitboard(targets) {
        let flags = flags_of(from, to as u16, group as usize);
        let m = Move::from_nonzero(flags << 12 | (from as u16) << 6 | to as u16);
        take(&[m; 8], 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(tell: impl Fn(&mut dyn FnMut(&[Move; 8], usize))) -> Vec<Move> {
        let mut list = Vec::new();
        tell(&mut |row, count| list.extend_from_slice(&row[..count]));
        list
    }

    /// Every set of every group, those with a row and those without, lists the moves of its bits.
    #[test]
    fn every_set_of_every_group_lists_its_moves() {
        let groups = [
            Group::Rank,
            Group::File,
            Group::Diagonal,
            Group::AntiDiagonal,
            Group::KnightUp,
            Group::KnightDown,
            Group::KingUp,
            Group::KingDown,
            Group::WhitePawn,
            Group::BlackPawn,
        ];
        let mut sets = 0;
        for from in Square::ALL {
            for group in groups {
                let mask = TABLE.lanes[from.index()][group as usize].mask;
                let mut targets = 0u64;
                loop {
                    let by_table =
                        listed(|mut take| row(from, group, Bitboard(targets), &mut take));
                    let by_bits = listed(|mut take| row_by_bits(from, targets, group, &mut take));
                    assert_eq!(by_table, by_bits, "{from}");
                    sets += 1;
                    targets = targets.wrapping_sub(mask) & mask;
                    if targets == 0 {
                        break;
                    }
                }
            }
        }
        // Groups without a square (a corner's short diagonal) take two slots and use one.
        assert_eq!(sets, SLOTS - 38);
    }
}
