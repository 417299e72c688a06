//! Values that come again, each stored once.

use crate::games::ends::Ends;

/// Gathers values, and tells which of them each is. It looks in a few places only, so that no input can make
/// it slow: then a value is stored more than once, and nobody minds.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    /// By their hashes: the numbers of values, from 1.
    slots: Vec<u32>,
    last: u32,
}

#[derive(Debug)]
struct Entry {
    ends: Ends,
    start: usize,
}

/// A larger dictionary than that does not pay.
const MOST_BYTES: usize = 4 << 20;

/// So many slots are looked at.
const TRIES: usize = 8;

impl Dictionary {
    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// How many bytes they have.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The values in the order of their numbers.
    pub(super) fn values(&self) -> impl Iterator<Item = &[u8]> {
        self.entries.iter().map(|entry| self.value(entry))
    }

    fn value(&self, entry: &Entry) -> &[u8] {
        let own = entry.start..entry.start + entry.ends.length();
        self.bytes.get(own).unwrap_or_default()
    }

    #[inline(always)]
    fn is(&self, number: u32, ends: Ends, value: &[u8]) -> bool {
        let entry = self.entries.get(number as usize);
        entry.is_some_and(|entry| {
            entry.ends == ends && (ends.are_all() || self.value(entry) == value)
        })
    }

    /// The number of a value. `None` if the dictionary would be too large.
    #[inline]
    pub(super) fn place(&mut self, value: &[u8]) -> Option<u32> {
        let ends = Ends::of(value);
        // Neighbours are often the same.
        if !self.is(self.last, ends, value) {
            self.last = self.find(ends, value)?;
        }
        Some(self.last)
    }

    #[inline]
    fn find(&mut self, ends: Ends, value: &[u8]) -> Option<u32> {
        if self.entries.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let mut free = None;
        for slot in slots_of(ends.hash(), self.slots.len()) {
            let Some(number) = self.slots.get(slot)?.checked_sub(1) else {
                free = Some(slot);
                break;
            };
            if self.is(number, ends, value) {
                return Some(number);
            }
        }
        self.add(ends, value, free)
    }

    fn add(&mut self, ends: Ends, value: &[u8], free: Option<usize>) -> Option<u32> {
        let start = self.bytes.len();
        if start + value.len() > MOST_BYTES {
            return None;
        }
        self.bytes.extend_from_slice(value);
        self.entries.push(Entry { ends, start });
        let count = u32::try_from(self.entries.len()).ok()?;
        if let Some(slot) = free.and_then(|slot| self.slots.get_mut(slot)) {
            *slot = count;
        }
        Some(count - 1)
    }

    fn grow(&mut self) {
        let count = (self.slots.len() * 4).max(256);
        let mut slots = vec![0u32; count];
        for (entry, number) in self.entries.iter().zip(1..) {
            let mut places = slots_of(entry.ends.hash(), count);
            if let Some(free) = places.find(|&slot| slots.get(slot) == Some(&0))
                && let Some(slot) = slots.get_mut(free)
            {
                *slot = number;
            }
        }
        self.slots = slots;
    }
}

fn slots_of(hash: usize, count: usize) -> impl Iterator<Item = usize> {
    // The count is a power of two.
    (0..TRIES).map(move |i| hash.wrapping_add(i) & (count - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Random;

    #[test]
    fn values_are_told_apart_and_come_back() {
        let mut random = Random::new(13);
        for different in [1, 3, 200, 5000, 100_000] {
            let mut dictionary = Dictionary::default();
            let values: Vec<String> = (0..20_000)
                .map(|_| format!("{}", random.below(different) * 7919))
                .collect();
            let numbers = values
                .iter()
                .map(|value| dictionary.place(value.as_bytes()));
            let numbers: Vec<u32> = numbers.map(Option::unwrap).collect();
            let stored: Vec<&[u8]> = dictionary.values().collect();
            assert_eq!(stored.len(), dictionary.len());
            for (value, number) in values.iter().zip(numbers) {
                assert_eq!(stored[number as usize], value.as_bytes());
            }
            // Hardly one is stored twice.
            let mut distinct = values.clone();
            distinct.sort();
            distinct.dedup();
            assert!(stored.len() <= distinct.len() + distinct.len() / 50);
        }
    }

    #[test]
    fn values_of_one_hash_are_no_slower_and_come_back() {
        // Only the middle differs.
        let value = |i: usize| format!("12345678{i:06}12345678");
        let mut dictionary = Dictionary::default();
        for i in 0..30_000 {
            let number = dictionary.place(value(i).as_bytes()).unwrap();
            assert_eq!(number as usize, i);
            assert_eq!(dictionary.place(value(i).as_bytes()), Some(number));
        }
        assert_eq!(dictionary.place(value(0).as_bytes()), Some(0));
        assert_eq!(
            dictionary.values().nth(29_999).unwrap(),
            value(29_999).as_bytes()
        );
    }

    #[test]
    fn large_dictionaries_are_given_up() {
        let mut dictionary = Dictionary::default();
        let value = |i: u8| vec![i; MOST_BYTES / 3];
        let places = (0..4).map(|i| dictionary.place(&value(i)));
        assert_eq!(
            places.collect::<Vec<_>>(),
            [Some(0), Some(1), Some(2), None]
        );
        assert_eq!(dictionary.place(&value(1)), Some(1));
    }
}
