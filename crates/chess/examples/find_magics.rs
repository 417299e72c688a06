//! Finds the magic numbers of `src/attacks/magics.rs` and prints that file.
//!
//! `cargo run --release -p scoresheet-chess --example find_magics > crates/chess/src/attacks/magics.rs`
//!
//! For each square: try random numbers with few bits set until one maps every set of blockers to
//! a slot of its own, or to one shared with a set of the same reach. The magics of stage three map
//! every set of targets within a group of at most seven squares to a slot of its own.

#![allow(clippy::cast_possible_truncation)] // Squares and slots are small.

/// A small generator (xorshift64*) with a fixed seed: the same file each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Magics that work have few bits; the conjunction of three numbers has eight on average.
    fn sparse(&mut self) -> u64 {
        self.next() & self.next() & self.next()
    }
}

type Steps = [(i32, i32); 4];
const BISHOP: Steps = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const ROOK: Steps = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// The squares reached on each ray; with `inner`, without the last one of each ray.
fn walk(square: usize, steps: &Steps, occupied: u64, inner: bool) -> u64 {
    let on_board = |file: i32, rank: i32| (0..8).contains(&file) && (0..8).contains(&rank);
    let mut reached = 0;
    for (files, ranks) in steps {
        let (mut file, mut rank) = (square as i32 % 8 + files, square as i32 / 8 + ranks);
        while on_board(file, rank) && (!inner || on_board(file + files, rank + ranks)) {
            let bit = 1u64 << (rank * 8 + file);
            reached |= bit;
            if occupied & bit != 0 {
                break;
            }
            (file, rank) = (file + files, rank + ranks);
        }
    }
    reached
}

/// Every subset of a mask.
fn subsets(mask: u64) -> Vec<u64> {
    let mut sets = vec![0u64];
    loop {
        let next = sets[sets.len() - 1].wrapping_sub(mask) & mask;
        if next == 0 {
            return sets;
        }
        sets.push(next);
    }
}

/// A number that sends each case's set to a slot of its own, or to one with the same value.
fn search(cases: &[(u64, u64)], bits: u32, tries: u32, random: &mut Random) -> Option<u64> {
    let mut slots = vec![(0u32, 0u64); 1 << bits];
    (1..=tries).find_map(|attempt| {
        let magic = random.sparse();
        let fits = cases.iter().all(|&(set, value)| {
            let slot = &mut slots[(set.wrapping_mul(magic) >> (64 - bits)) as usize];
            if slot.0 != attempt {
                *slot = (attempt, value);
            }
            slot.1 == value
        });
        fits.then_some(magic)
    })
}

/// The magic of a slider on a square, for the first stage.
fn slider(square: usize, steps: &Steps, random: &mut Random) -> u64 {
    let mask = walk(square, steps, 0, true);
    let cases: Vec<(u64, u64)> = subsets(mask)
        .into_iter()
        .map(|set| (set, walk(square, steps, set, false)))
        .collect();
    search(&cases, mask.count_ones(), u32::MAX, random).expect("every square has a magic")
}

/// The groups of targets of stage three on a square, in the order of `Group` in `move_table.rs`:
/// four lines, two halves of the knight's and of the king's jumps, and the pawns' steps.
fn groups(square: usize) -> Vec<u64> {
    let jumps = |jumps: &[(i32, i32)]| {
        jumps.iter().fold(0, |set, (files, ranks)| {
            let (file, rank) = (square as i32 % 8 + files, square as i32 / 8 + ranks);
            let inside = (0..8).contains(&file) && (0..8).contains(&rank);
            if inside {
                set | 1u64 << (rank * 8 + file)
            } else {
                set
            }
        })
    };
    let line = |steps: Steps| walk(square, &steps, 0, false);
    vec![
        line([(1, 0), (-1, 0), (1, 0), (-1, 0)]),
        line([(0, 1), (0, -1), (0, 1), (0, -1)]),
        line([(1, 1), (-1, -1), (1, 1), (-1, -1)]),
        line([(1, -1), (-1, 1), (1, -1), (-1, 1)]),
        jumps(&[(1, 2), (2, 1), (-1, 2), (-2, 1)]),
        jumps(&[(1, -2), (2, -1), (-1, -2), (-2, -1)]),
        jumps(&[(1, 0), (-1, 1), (0, 1), (1, 1)]),
        jumps(&[(-1, 0), (-1, -1), (0, -1), (1, -1)]),
        jumps(&[(-1, 1), (0, 1), (1, 1), (0, 2)]),
        jumps(&[(-1, -1), (0, -1), (1, -1), (0, -2)]),
    ]
}

/// The magic of a group of targets and the bits of its slots: as few as can be found.
fn group(mask: u64, random: &mut Random) -> (u64, u32) {
    let cases: Vec<(u64, u64)> = subsets(mask).into_iter().map(|set| (set, set)).collect();
    for bits in mask.count_ones().max(1).. {
        if let Some(magic) = search(&cases, bits, 200_000, random) {
            return (magic, bits);
        }
    }
    unreachable!("with enough bits there is a magic")
}

/// The text of `magics.rs`.
pub fn file() -> String {
    let mut random = Random(0x5c07_e5ee_7000_0001);
    let mut text = String::from(
        "//! Magic numbers, found and written by `examples/find_magics.rs`. Do not edit.\n",
    );
    for (name, steps) in [("BISHOP", &BISHOP), ("ROOK", &ROOK)] {
        text += &format!("\n#[rustfmt::skip]\npub(super) const {name}: [u64; 64] = [\n");
        for square in 0..64 {
            let magic = slider(square, steps, &mut random);
            let end = if square % 4 == 3 { "\n" } else { " " };
            let start = if square % 4 == 0 { "    " } else { "" };
            text += &format!("{start}0x{magic:016x},{end}");
        }
        text += "];\n";
    }
    text += "\n#[rustfmt::skip]\npub(super) const GROUPS: [[(u64, u8); 10]; 64] = [\n";
    for square in 0..64 {
        text += "    [\n";
        for mask in groups(square) {
            let (magic, bits) = group(mask, &mut random);
            text += &format!("        (0x{magic:016x}, {bits}),\n");
        }
        text += "    ],\n";
    }
    text += "];\n";
    text
}

#[allow(dead_code)] // The test that compares the file uses this one as a module.
fn main() {
    print!("{}", file());
}
