//! Bytes made wrong on purpose.

use crate::Random;

/// A copy of `bytes` with a few random changes: bits flipped, bytes replaced, removed, doubled, a
/// piece cut off or copied elsewhere.
#[must_use]
pub fn mutant(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut mutant = bytes.to_vec();
    for _ in 0..1 + random.below(4) {
        if mutant.is_empty() {
            mutant.push(random.below(256) as u8);
            continue;
        }
        let at = random.below(mutant.len());
        match random.below(7) {
            0 => mutant[at] ^= 1 << random.below(8),
            1 => mutant[at] = random.below(256) as u8,
            2 => drop(mutant.remove(at)),
            3 => mutant.insert(at, random.below(256) as u8),
            4 => mutant.truncate(at),
            5 => {
                let end = (at + 1 + random.below(16)).min(mutant.len());
                let piece = mutant[at..end].to_vec();
                let to = random.below(mutant.len());
                mutant.splice(to..to, piece);
            }
            _ => {
                let end = (at + 1 + random.below(16)).min(mutant.len());
                mutant.drain(at..end);
            }
        }
    }
    mutant
}
