//! The opening table: positions that were met often, and how often each move was played there.
//!
//! The bytes are used as they stand. Positions are hashed to [`BUCKETS`] buckets; a bucket says where
//! its positions and their moves begin; a position is 16 more bits of its key and the number of
//! its moves; a move is its number in the order of the format and a count.

use chess::attacks::Sliders;
use chess::{Position, Role};

/// How many buckets there are: the highest bits of the key choose one.
pub const BUCKETS: usize = 1 << BUCKET_BITS;
const BUCKET_BITS: u32 = 13;

/// A move of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry([u8; 2]);

impl Entry {
    /// A move by its number in the order of the format, and a count as [`Entry::code`] gives it.
    #[must_use]
    pub const fn new(index: u8, code: u8) -> Entry {
        Entry([index, code])
    }

    /// The number of the move.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0[0] as usize
    }

    /// How often it was played, as far as the code can tell.
    #[must_use]
    pub const fn games(self) -> u32 {
        let [_, code] = self.0;
        let (power, digits) = (code >> 4, (code & 15) as u32);
        if power == 0 {
            digits
        } else {
            (16 + digits) << (power - 1)
        }
    }

    /// The code of a count: exact up to 31, then the nearest of sixteen steps between powers of two.
    #[must_use]
    pub fn code(games: u32) -> u8 {
        let nearest = |code: &u8| Entry::new(0, *code).games().abs_diff(games);
        (0..=255).min_by_key(nearest).unwrap_or(0)
    }
}

/// The key of a position, made for this table: men, turn, castling rights, en-passant square.
///
/// Two positions can have the same key, and then share their counts, which costs bits and nothing
/// else.
#[inline(always)]
#[must_use]
pub fn key(position: &Position) -> u64 {
    const ODD: [u64; 9] = [
        0x9e37_79b9_7f4a_7c15,
        0xbf58_476d_1ce4_e5b9,
        0x94d0_49bb_1331_11eb,
        0xd6e8_feb8_6659_fd93,
        0xa076_1d64_78bd_642f,
        0xe703_7ed1_a0b4_28db,
        0x8ebc_6af0_9c88_c6e3,
        0x5899_65cc_7537_4cc3,
        0x1d8e_4e27_c47d_124f,
    ];
    let board = position.board();
    let state = position.turn() as u64 | position.ep_square().map_or(64, |ep| ep as u64) << 1;
    let parts = [
        board.by_color(chess::Color::White).bits(),
        board.by_role(Role::Pawn).bits(),
        board.by_role(Role::Knight).bits(),
        board.by_role(Role::Bishop).bits(),
        board.by_role(Role::Rook).bits(),
        board.by_role(Role::Queen).bits(),
        board.by_role(Role::King).bits(),
        position.castling_rooks().bits(),
        state,
    ];
    let mut key = 0u64;
    for (part, odd) in parts.into_iter().zip(ODD) {
        // Both halves of the product: the lower one alone says little about the last squares.
        let product = u128::from(part ^ odd >> 1) * u128::from(odd);
        #[allow(clippy::cast_possible_truncation)] // The halves.
        let folded = product as u64 ^ (product >> 64) as u64;
        key = key.rotate_left(7).wrapping_add(folded);
    }
    key = (key ^ key >> 32).wrapping_mul(ODD[0]);
    key ^ key >> 29
}

/// The bucket of a key and the 16 bits that are kept.
#[inline(always)]
#[must_use]
pub const fn place(key: u64) -> (usize, u16) {
    let bucket = (key >> (64 - BUCKET_BITS)) as usize;
    (bucket, (key >> (48 - BUCKET_BITS) & 0xffff) as u16)
}

/// The table in a file of weights.
#[derive(Clone, Copy, Debug, Default)]
pub struct Book<'a> {
    /// Twice 32 bits for each bucket and one more: its first position, its first move.
    buckets: &'a [[u8; 8]],
    keys: &'a [[u8; 2]],
    /// How many moves each position has.
    counts: &'a [u8],
    moves: &'a [[u8; 2]],
}

impl<'a> Book<'a> {
    /// The table in these bytes: two 32-bit numbers of positions and moves, then the four arrays.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Option<Book<'a>> {
        let (head, rest) = bytes.split_first_chunk::<8>()?;
        let [positions, moves] = numbers(*head);
        let (buckets, rest) = rest.split_at_checked(8 * (BUCKETS + 1))?;
        let (keys, rest) = rest.split_at_checked(2 * positions)?;
        let (counts, rest) = rest.split_at_checked(positions)?;
        let moves = rest.get(..2 * moves)?;
        Some(Book {
            buckets: buckets.as_chunks().0,
            keys: keys.as_chunks().0,
            counts,
            moves: moves.as_chunks().0,
        })
    }

    /// How many positions and moves there are.
    #[must_use]
    pub fn len(&self) -> (usize, usize) {
        (self.keys.len(), self.moves.len())
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Asks for what says where the positions of a key's bucket are.
    #[inline(always)]
    pub(super) fn soon<S: Sliders>(&self, key: u64, sliders: S) {
        let (bucket, _) = place(key);
        if let Some(pair) = self.buckets.get(bucket..bucket + 2) {
            sliders.soon(pair);
        }
    }

    /// The bucket of a key. Its positions are asked for.
    #[inline(always)]
    pub(super) fn bucket<S: Sliders>(&self, key: u64, sliders: S) -> Option<Bucket<'a>> {
        let (bucket, tag) = place(key);
        let [first, first_move] = numbers(*self.buckets.get(bucket)?);
        let [last, last_move] = numbers(*self.buckets.get(bucket + 1)?);
        let found = Bucket {
            tag,
            keys: self.keys.get(first..last)?,
            counts: self.counts.get(first..last)?,
            moves: self.moves.get(first_move..last_move)?,
        };
        sliders.soon(found.keys);
        sliders.soon(found.counts);
        // Keys are spread evenly, so the moves are near here.
        let near = (found.moves.len() * usize::from(tag)) >> 16;
        sliders.soon(found.moves.get(near..near + 1).unwrap_or_default());
        Some(found)
    }
}

/// Positions whose keys have the same highest bits, and which of them is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bucket<'a> {
    tag: u16,
    /// In ascending order.
    keys: &'a [[u8; 2]],
    counts: &'a [u8],
    moves: &'a [[u8; 2]],
}

impl Bucket<'_> {
    /// The moves of the position, copied to `found`; how many, 0 for a position that is not known.
    #[inline(always)]
    pub(super) fn find(self, found: &mut [Entry; MOST_MOVES]) -> usize {
        // All smaller keys are before it. They are counted without a branch, and with them their
        // moves: some dozens at once.
        let (mut at, mut before) = (0_u16, 0_u16);
        for (key, &count) in self.keys.iter().zip(self.counts) {
            let is_before = u16::from(u16::from_le_bytes(*key) < self.tag);
            at = at.wrapping_add(is_before);
            before = before.wrapping_add(is_before * u16::from(count));
        }
        self.moves_at(usize::from(at), usize::from(before), found)
            .unwrap_or(0)
    }

    #[inline(always)]
    fn moves_at(self, at: usize, before: usize, found: &mut [Entry; MOST_MOVES]) -> Option<usize> {
        if *self.keys.get(at)? != self.tag.to_le_bytes() {
            return None;
        }
        let len = usize::from(*self.counts.get(at)?).min(MOST_MOVES);
        let moves = self.moves.get(before..)?.get(..len)?;
        for (to, from) in found.iter_mut().zip(moves) {
            *to = Entry(*from);
        }
        Some(len)
    }
}

/// How many games the moves of a position were counted in.
#[must_use]
pub fn games(entries: &[Entry]) -> u32 {
    entries.iter().map(|entry| entry.games()).sum()
}

/// More moves of one position are not kept.
pub const MOST_MOVES: usize = 32;

fn numbers(bytes: [u8; 8]) -> [usize; 2] {
    let [a, b, c, d, e, f, g, h] = bytes;
    [[a, b, c, d], [e, f, g, h]].map(|four| u32::from_le_bytes(four) as usize)
}

/// Writes a table: positions as their keys and moves, in any order. Of two positions that
/// look the same, the first is kept.
#[must_use]
pub fn write(mut positions: Vec<(u64, Vec<Entry>)>) -> Vec<u8> {
    positions.sort_by_key(|(key, _)| place(*key));
    positions.dedup_by_key(|(key, _)| place(*key));
    let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes();
    let all_moves: usize = positions
        .iter()
        .map(|(_, moves)| moves.len().min(MOST_MOVES))
        .sum();
    let (mut buckets, mut keys) = (Vec::new(), Vec::new());
    let (mut counts, mut moves) = (Vec::new(), Vec::new());
    let mut rest = positions.iter().peekable();
    for bucket in 0..=BUCKETS {
        buckets.extend(count(counts.len()));
        buckets.extend(count(moves.len() / 2));
        while let Some((key, entries)) = rest.next_if(|(key, _)| place(*key).0 == bucket) {
            keys.extend(place(*key).1.to_le_bytes());
            let entries = entries
                .get(..entries.len().min(MOST_MOVES))
                .unwrap_or(entries);
            counts.push(u8::try_from(entries.len()).unwrap_or(u8::MAX));
            moves.extend(entries.iter().flat_map(|entry| entry.0));
        }
    }
    let mut bytes = Vec::new();
    bytes.extend(count(counts.len()));
    bytes.extend(count(all_moves));
    bytes.extend(buckets.into_iter().chain(keys).chain(counts).chain(moves));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::attacks::TwoStage;

    #[test]
    fn counts_are_near() {
        for games in (0..5_000).chain([100_000, 500_000]) {
            let near = Entry::new(0, Entry::code(games)).games();
            assert!(near.abs_diff(games) * 30 <= games, "{games} {near}");
        }
    }

    #[test]
    fn what_is_written_is_found() {
        let mut random = testkit::Random::new(9);
        let mut positions = Vec::new();
        for n in 0..20_000_u64 {
            let key = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ n << 50;
            let moves: Vec<Entry> = (0..1 + random.below(40))
                .map(|_| Entry::new(random.below(60) as u8, random.below(256) as u8))
                .collect();
            positions.push((key, moves));
        }
        let bytes = write(positions.clone());
        let book = Book::new(&bytes).unwrap();
        let mut same = 0;
        for (key, moves) in &positions {
            let mut found = [Entry::new(0, 0); MOST_MOVES];
            let len = book.bucket(*key, TwoStage).unwrap().find(&mut found);
            same += usize::from(found[..len] == moves[..moves.len().min(MOST_MOVES)]);
        }
        // The others share bucket and tag with an earlier one.
        assert!(same + 20 > positions.len(), "{same}");
        for cut in [0, 5, 100, bytes.len() - 1] {
            assert!(Book::new(&bytes[..cut]).is_none());
        }
    }

    #[test]
    fn keys_tell_positions_apart() {
        let mut seen = std::collections::HashMap::new();
        for kind in testkit::GameKind::ALL {
            for seed in 0..50 {
                testkit::random_game(kind, seed, 80).walk(|position, _| {
                    let setup = position.to_setup();
                    let parts = (setup.board, setup.turn, setup.castling, setup.ep_square);
                    assert_eq!(*seen.entry(key(position)).or_insert(parts), parts);
                });
            }
        }
        assert!(seen.len() > 10_000);
    }
}
