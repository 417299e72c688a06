//! From scores to shares: integers only, and the same on every machine.

use core::hint::select_unpredictable;

use chess::attacks::WEIGHED;

use super::book::Entry;
use super::range::{Share, TOTAL};

/// The most that one move can have: then it costs a 64th of a bit. So bytes bound the number of moves.
pub(super) const MOST: u32 = 64_830;

/// e^(−n/64) in units of 2^−16, by repeated multiplication in 64 bits.
const EXP: [u32; EXP_LEN] = {
    let mut table = [0; EXP_LEN];
    let mut value: u64 = 1 << 63;
    let mut n = 0;
    while n < EXP_LEN {
        table[n] = ((value + (1 << 46)) >> 47) as u32;
        // e^(−1/64) in units of 2^−64.
        value = ((value as u128 * 0xfc07_f55f_f77d_2493) >> 64) as u64;
        n += 1;
    }
    table
};
const EXP_LEN: usize = 1024;

/// How much the model counts beside the opening table: as so many games.
pub(super) const MODEL_GAMES: u32 = 6;

/// As many moves as a list of moves can hold.
const CAPACITY: usize = chess::MoveList::CAPACITY;

/// Shares are given in whole groups: a loop over the few moves that are left after the last group
/// would end where nobody foresees it.
const GROUP: usize = 16;

/// A smaller group, where one of its moves is looked for.
const FEW: usize = 8;

/// More than there are moves: for a group that is filled up, and for the moves of one more man.
const ROOM: usize = CAPACITY.next_multiple_of(GROUP) + WEIGHED;

/// The moves of a position with their scores, then with their shares. It is filled anew for every
/// position and made once a game.
#[derive(Clone, Debug)]
pub(super) struct Odds {
    moves: [u16; ROOM],
    scores: [i16; ROOM],
    shares: [u32; ROOM],
    len: usize,
    /// Only at the level `max`.
    opinions: Option<Box<[Opinion; 2]>>,
}

/// The scores and shares of the moves by one of two opinions.
#[derive(Clone, Debug)]
struct Opinion {
    scores: [i16; ROOM],
    shares: [u32; ROOM],
}

impl Opinion {
    const NONE: Opinion = Opinion {
        scores: [0; ROOM],
        shares: [0; ROOM],
    };

    #[inline(always)]
    fn share_out(&mut self, len: usize) {
        share_out(len, &mut self.scores, &mut self.shares);
    }
}

impl Odds {
    pub(super) const fn new() -> Odds {
        Odds {
            moves: [0; ROOM],
            scores: [0; ROOM],
            shares: [0; ROOM],
            len: 0,
            opinions: None,
        }
    }

    /// A move by its name, with its score.
    #[inline(always)]
    pub(super) fn set(&mut self, at: usize, name: u16, score: i16) {
        self.moves[at % CAPACITY] = name;
        self.scores[at % CAPACITY] = score;
    }

    /// The names and scores of the moves of one man, from `at` on, to be set.
    #[inline(always)]
    pub(super) fn room(&mut self, at: usize) -> (&mut [u16; WEIGHED], &mut [i16; WEIGHED]) {
        const { assert!(CAPACITY + WEIGHED <= ROOM) };
        let at = at.min(CAPACITY);
        let (_, names) = self.moves.split_at_mut(at);
        let (_, scores) = self.scores.split_at_mut(at);
        match (names.first_chunk_mut(), scores.first_chunk_mut()) {
            (Some(names), Some(scores)) => (names, scores),
            _ => unreachable!("there is room behind the last move"),
        }
    }

    /// How many moves were set.
    #[inline(always)]
    pub(super) fn set_len(&mut self, len: usize) {
        self.len = len.min(CAPACITY);
    }

    /// Makes shares of the scores: every move has at least one, and all together at most [`TOTAL`].
    #[inline(always)]
    pub(super) fn share_out(&mut self) {
        share_out(self.len, &mut self.scores, &mut self.shares);
    }

    /// Makes shares of the scores in two opinions, which `more` tells apart, and mixes them: the first
    /// counts for so much of [`TOTAL`]. Shares of both add up to [`TOTAL`] at most, so the mixed do.
    #[inline(always)]
    pub(super) fn share_out_twice(&mut self, trust: u32, mut more: impl FnMut(u16) -> [i16; 2]) {
        let len = self.len.min(CAPACITY);
        let opinions = self
            .opinions
            .get_or_insert_with(|| Box::new([Opinion::NONE; 2]));
        let [first, second] = &mut **opinions;
        for i in 0..len {
            let more = more(self.moves[i % CAPACITY]);
            let score = self.scores[i % CAPACITY];
            first.scores[i % CAPACITY] = score.wrapping_add(more[0]);
            second.scores[i % CAPACITY] = score.wrapping_add(more[1]);
        }
        first.share_out(len);
        second.share_out(len);
        for i in 0..len {
            let (first, second) = (first.shares[i % CAPACITY], second.shares[i % CAPACITY]);
            self.shares[i % CAPACITY] = (first * trust + second * (TOTAL - trust)) >> 16;
        }
    }

    /// How much the first opinion is to be trusted after a move: by how much it had expected it. No
    /// opinion is ever given up.
    #[inline(never)]
    pub(super) fn trust_after(&self, trust: u32, name: u16) -> u32 {
        const LEAST: u32 = TOTAL / 64;
        let at = self.index_of(name);
        let Some((at, [first, second])) = at.zip(self.opinions.as_deref()) else {
            return trust;
        };
        let part = |trust: u32, opinion: &Opinion| {
            u64::from(trust) * u64::from(opinion.shares[at % CAPACITY])
        };
        let (first, second) = (part(trust, first), part(TOTAL - trust, second));
        let new = (first << 16) / (first + second).max(1);
        (new as u32).clamp(LEAST, TOTAL - LEAST)
    }

    fn index_of(&self, name: u16) -> Option<usize> {
        let moves = self.moves.get(..self.len)?;
        moves.iter().position(|&other| other == name)
    }

    /// Mixes in what the opening table knows from so many games: the model counts as [`MODEL_GAMES`].
    #[inline(always)]
    pub(super) fn mix(&mut self, entries: &[Entry], games: u32) {
        let len = self.len.min(CAPACITY);
        let Some(shares) = self.shares.get_mut(..len) else {
            return;
        };
        if games == 0 {
            return;
        }
        let weight = (MODEL_GAMES << 16) / (MODEL_GAMES + games);
        let mut sum = 0;
        for share in shares.iter_mut() {
            // Below 2^16 both.
            *share = 1 + ((*share * weight) >> 16);
            sum += *share;
        }
        let rest = u64::from(TOTAL.saturating_sub(sum));
        let parts = Quotient::by(games);
        for entry in entries {
            if let Some(share) = shares.get_mut(entry.index()) {
                let part = parts.of(rest * u64::from(entry.games())) as u32; // At most TOTAL.
                *share = (*share + part).min(MOST);
            }
        }
    }

    /// The share of the move of a name, if it is among the moves.
    #[inline(always)]
    pub(super) fn share_of(&self, name: u16) -> Option<Share> {
        let at = self.index_of(name)?;
        Some(Share {
            before: self.shares.get(..at)?.iter().sum(),
            size: *self.shares.get(at)?,
        })
    }

    /// The name of the move whose share a value is in.
    #[inline(always)]
    pub(super) fn find(&self, value: u64) -> Option<(u16, Share)> {
        let value = u32::try_from(value).ok()?;
        let mut before = 0;
        // Group by group, and in the right one without a branch.
        let groups = self.shares.as_chunks::<FEW>().0;
        for (number, group) in groups.iter().take(self.len.div_ceil(FEW)).enumerate() {
            let sum: u32 = group.iter().sum();
            if value < before + sum {
                let (mut at, mut end) = (number * FEW, before);
                for &size in group {
                    end += size;
                    let is_before = end <= value;
                    at += usize::from(is_before);
                    before = select_unpredictable(is_before, end, before);
                }
                // Behind the moves there are shares that are nobody's.
                let name = *self.moves.get(..self.len)?.get(at)?;
                let size = self.shares[at % CAPACITY];
                return Some((name, Share { before, size }));
            }
            before += sum;
        }
        None
    }

    /// All moves with their shares.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u16, u32)> + '_ {
        self.moves
            .iter()
            .copied()
            .zip(self.shares.iter().copied())
            .take(self.len)
    }
}

/// No score is less: see the test `sums_of_weights_fit`.
#[cfg(test)]
pub(super) const LEAST_SCORE: i16 = i16::MIN + EXP_LEN as i16;

/// Shares by scores: each of `len` moves has 1 for sure; the rest goes by weight. The rounding leaves
/// some to nobody. Behind the moves, scores and shares up to a whole group are written over.
#[inline(always)]
fn share_out(len: usize, scores: &mut [i16; ROOM], shares: &mut [u32; ROOM]) {
    let len = len.min(CAPACITY);
    let end = len.next_multiple_of(GROUP);
    scores[len..len + GROUP].fill(i16::MIN);
    let mut most = [i16::MIN; GROUP];
    for group in scores[..end].as_chunks::<GROUP>().0 {
        for (most, &score) in most.iter_mut().zip(group) {
            *most = score.max(*most);
        }
    }
    let most = most.into_iter().fold(i16::MIN, i16::max);
    // What is behind the moves weighs nothing: it is less by more than the table has. To be told, it
    // would have to be stored again, and waited for.
    let scores = scores[..end].as_chunks::<GROUP>().0;
    let shares = shares[..end].as_chunks_mut::<GROUP>().0;
    let mut sum: u32 = 0;
    for (shares, scores) in shares.iter_mut().zip(scores) {
        let less = scores.map(|score| {
            let less = most.wrapping_sub(score).cast_unsigned();
            less.min(EXP_LEN as u16 - 1)
        });
        for (share, less) in shares.iter_mut().zip(less) {
            *share = EXP[usize::from(less) % EXP_LEN];
            sum += *share;
        }
    }
    if sum == 0 {
        return;
    }
    // Fewer than 512; less than 2^16 × 2^32 / 2^16, since the first has a weight of 2^16.
    let unit = ((u64::from(TOTAL - len as u32) << 32) / u64::from(sum)) as u32;
    for shares in shares {
        for share in shares {
            let part = ((u64::from(*share) * u64::from(unit)) >> 32) as u32; // At most TOTAL.
            *share = (1 + part).min(MOST);
        }
    }
}

/// Division by one number, by multiplication: exact for numbers below 2^40.
#[derive(Clone, Copy)]
struct Quotient {
    divisor: u32,
    /// 2^64 ÷ divisor, rounded up: too much by less than divisor ÷ 2^64, which no number below 2^40
    /// makes up to a whole with a divisor below 2^24.
    reciprocal: u64,
}

impl Quotient {
    #[inline(always)]
    fn by(divisor: u32) -> Quotient {
        Quotient {
            divisor,
            reciprocal: (u64::MAX / u64::from(divisor.max(1))).wrapping_add(1),
        }
    }

    #[inline(always)]
    fn of(self, number: u64) -> u64 {
        if self.divisor <= 1 {
            return number;
        }
        ((u128::from(number) * u128::from(self.reciprocal)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::super::book;
    use super::*;

    #[test]
    fn quotients_are_exact() {
        let mut random = testkit::Random::new(8);
        // As many games as the moves of a position can have, and as large a product.
        let most_games = book::MOST_MOVES * Entry::new(0, 255).games() as usize;
        assert!(most_games < 1 << 24 && Entry::new(0, 255).games() < 1 << 23);
        for round in 0..200_000 {
            let divisor = 1 + random.below(if round % 2 == 0 { 300 } else { most_games }) as u32;
            let number = random.below(1 << 39) as u64;
            let near = number / u64::from(divisor) * u64::from(divisor);
            for number in [number, near, near.saturating_sub(1)] {
                let quotient = Quotient::by(divisor).of(number);
                assert_eq!(
                    quotient,
                    number / u64::from(divisor),
                    "{number} by {divisor}"
                );
            }
        }
    }

    #[test]
    fn the_table_is_the_exponential() {
        for (n, &value) in EXP.iter().enumerate() {
            let exact = 65_536.0 * (-(n as f64) / 64.0).exp();
            assert!(
                (f64::from(value) - exact).abs() <= 0.51,
                "{n}: {value} {exact}"
            );
        }
    }

    #[test]
    fn shares_never_exceed_the_total() {
        let mut random = testkit::Random::new(3);
        let mut odds = Odds::new();
        for len in (1..300).chain([415, 500]) {
            for word in 0..len {
                let score = match random.below(3) {
                    0 => 0,
                    1 => random.below(2_000) as i16,
                    _ => (random.below(65_536) as u16 as i16).max(LEAST_SCORE),
                };
                odds.set(usize::from(word), word, score);
            }
            odds.set_len(usize::from(len));
            odds.share_out();
            let check = |odds: &Odds| {
                assert!(odds.iter().all(|(_, share)| (1..=MOST).contains(&share)));
                assert!(odds.iter().map(|(_, share)| share).sum::<u32>() <= TOTAL);
            };
            check(&odds);
            let entries: Vec<Entry> = (0..random.below(9))
                .map(|_| Entry::new(random.below(300) as u8, random.below(256) as u8))
                .collect();
            odds.mix(&entries, book::games(&entries));
            check(&odds);
        }
    }

    /// One move after the other, from what the documentation says.
    fn slow_shares(scores: &[i16]) -> Vec<u32> {
        let most = *scores.iter().max().unwrap();
        let weight = |score: &i16| {
            let less = usize::from(most.wrapping_sub(*score).cast_unsigned());
            u64::from(EXP[less.min(EXP_LEN - 1)])
        };
        let sum: u64 = scores.iter().map(weight).sum();
        let unit = (u64::from(TOTAL - scores.len() as u32) << 32) / sum;
        let share = |score| (1 + ((weight(score) * unit) >> 32) as u32).min(MOST);
        scores.iter().map(share).collect()
    }

    #[test]
    fn shares_in_groups_are_the_slow_ones() {
        let mut random = testkit::Random::new(13);
        let mut odds = Odds::new();
        // From a long list to a short one: what is left behind the moves does not count.
        for len in (1..=CAPACITY).rev() {
            let base = random.below(65_536) as u16 as i16;
            let spread = [1, 300, 3_000, 65_536][random.below(4)];
            let scores: Vec<i16> = (0..len)
                .map(|_| base.wrapping_add(random.below(spread) as u16 as i16))
                .map(|score| score.max(LEAST_SCORE))
                .collect();
            for (at, &score) in scores.iter().enumerate() {
                odds.set(at, at as u16, score);
            }
            odds.set_len(len);
            odds.share_out();
            let shares: Vec<u32> = odds.iter().map(|(_, share)| share).collect();
            assert_eq!(shares, slow_shares(&scores), "{len} {base} {spread}");
        }
    }

    #[test]
    fn two_opinions_are_mixed_and_weighed() {
        let mut random = testkit::Random::new(4);
        let mut odds = Odds::new();
        let mut trust = TOTAL / 2;
        for len in (1..200).chain([500]) {
            for word in 0..len {
                odds.set(usize::from(word), word, random.below(900) as i16);
            }
            odds.set_len(usize::from(len));
            // The second has no opinion, the first expects move 0.
            odds.share_out_twice(trust, |name| [if name == 0 { 2_000 } else { 0 }, 0]);
            assert!(odds.iter().all(|(_, share)| (1..=MOST).contains(&share)));
            assert!(odds.iter().map(|(_, share)| share).sum::<u32>() <= TOTAL);
            let (right, wrong) = (odds.trust_after(trust, 0), odds.trust_after(trust, len - 1));
            assert_eq!(odds.trust_after(trust, 777), trust, "no such move");
            if len > 1 {
                assert!(wrong <= trust && trust <= right, "{wrong} {trust} {right}");
            }
            trust = if random.below(2) == 0 { right } else { wrong };
            assert!((TOTAL / 64..=TOTAL - TOTAL / 64).contains(&trust));
        }
    }

    #[test]
    fn the_most_costs_a_64th_of_a_bit() {
        let bits = (f64::from(TOTAL) / f64::from(MOST)).log2();
        assert!((1.0 / 64.0..1.0 / 63.9).contains(&bits), "{bits}");
    }
}
