//! Finds the magic numbers of `src/attacks/magics.rs` and prints that file.
//!
//! `cargo run --release -p scoresheet-chess --example find_magics > crates/chess/src/attacks/magics.rs`
//!
//! For each square: try random numbers with few bits set until one maps every set of blockers to
//! a slot of its own, or to one shared with a set of the same reach.

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

fn find(square: usize, steps: &Steps, random: &mut Random) -> u64 {
    let mask = walk(square, steps, 0, true);
    let bits = mask.count_ones();
    let mut cases = Vec::new();
    let mut blockers = 0u64;
    loop {
        cases.push((blockers, walk(square, steps, blockers, false)));
        blockers = blockers.wrapping_sub(mask) & mask;
        if blockers == 0 {
            break;
        }
    }
    let mut slots = vec![(0u32, 0u64); 1 << bits];
    for attempt in 1.. {
        let magic = random.sparse();
        if (mask.wrapping_mul(magic) >> 56).count_ones() < 6 {
            continue;
        }
        let fits = cases.iter().all(|&(blockers, reach)| {
            let slot = &mut slots[(blockers.wrapping_mul(magic) >> (64 - bits)) as usize];
            if slot.0 != attempt {
                *slot = (attempt, reach);
            }
            slot.1 == reach
        });
        if fits {
            return magic;
        }
    }
    unreachable!("the search ends only with a magic")
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
            let magic = find(square, steps, &mut random);
            let end = if square % 4 == 3 { "\n" } else { " " };
            let start = if square % 4 == 0 { "    " } else { "" };
            text += &format!("{start}0x{magic:016x},{end}");
        }
        text += "];\n";
    }
    text
}

#[allow(dead_code)] // The test that compares the file uses this one as a module.
fn main() {
    print!("{}", file());
}
