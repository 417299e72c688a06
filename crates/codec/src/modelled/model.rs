//! A model: weights and an opening table, from one file.

use std::sync::OnceLock;

use super::book::Book;
use super::layout::{COLUMNS, LANDINGS, PHASES, PLACES, REPLIES, SEQUELS, WEIGHTS};

/// What a file of weights begins with.
pub const MAGIC: [u8; 8] = *b"SCORESHM";

/// The number of the model that is built in. A file of games names it; a reader that lacks it
/// refuses the games, and a model, once published, is never changed.
pub const MODEL: u16 = 1;

/// Bytes before the weights: magic, number of the model, six bytes of 0, hash of the rest.
const HEAD: usize = 24;

static BYTES: &[u8] = include_bytes!("model-1.bin");

/// Weights, ready to be summed, and the opening table.
#[derive(Debug)]
pub(super) struct Model {
    weights: Box<[i16]>,
    pub(super) book: Book<'static>,
}

/// The model that is built in: made on first use, in less than a millisecond.
pub(super) fn built_in() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(|| Model::new(BYTES).unwrap_or_else(Model::empty))
}

impl Model {
    fn new(bytes: &'static [u8]) -> Option<Model> {
        let (weights, book) = bytes.get(HEAD..)?.split_at_checked(2 * WEIGHTS)?;
        let (weights, _) = weights.as_chunks();
        Some(Model {
            weights: weights.iter().map(|two| i16::from_le_bytes(*two)).collect(),
            book: Book::new(book)?,
        })
    }

    /// Never used: a test reads the file that is built in.
    fn empty() -> Model {
        Model {
            weights: vec![0; WEIGHTS].into(),
            book: Book::default(),
        }
    }

    #[inline(always)]
    pub(super) fn weight(&self, at: usize) -> i16 {
        self.weights.get(at).copied().unwrap_or(0)
    }

    #[inline(always)]
    pub(super) fn weights(&self) -> &[i16] {
        &self.weights
    }

    #[inline(always)]
    fn row(&self, begin: usize, row: usize) -> &[i16; COLUMNS] {
        const NONE: [i16; COLUMNS] = [0; COLUMNS];
        let row = self.weights.get(begin + row * COLUMNS..);
        row.and_then(|row| row.first_chunk())
            .unwrap_or(const { &NONE })
    }

    #[inline(always)]
    pub(super) fn place(&self, row: usize) -> &[i16; COLUMNS] {
        self.row(PLACES, row)
    }

    #[inline(always)]
    pub(super) fn reply(&self, row: usize) -> &[i16; COLUMNS] {
        self.row(REPLIES, row)
    }

    #[inline(always)]
    pub(super) fn sequel(&self, row: usize) -> &[i16; COLUMNS] {
        self.row(SEQUELS, row)
    }

    #[inline(always)]
    pub(super) fn phase(&self, row: usize) -> &[i16; COLUMNS] {
        self.row(PHASES, row)
    }
}

/// The bytes of a file of weights.
///
/// # Panics
/// Never; a number of weights other than [`WEIGHTS`] makes a file that no reader takes.
#[must_use]
pub fn write(model: u16, weights: &[i16], book: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::from(MAGIC);
    bytes.extend(model.to_le_bytes());
    bytes.extend([0; 14]);
    bytes.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
    bytes.extend(book);
    let hash = hash(bytes.get(HEAD..).unwrap_or_default());
    if let Some(place) = bytes.get_mut(16..HEAD) {
        place.copy_from_slice(&hash.to_le_bytes());
    }
    bytes
}

/// The hash of a file after its head: FNV-1a of 64 bits, byte by byte.
#[must_use]
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The hash in the head of the built-in model: with [`MODEL`] it says which weights were used.
#[must_use]
pub fn built_in_hash() -> u64 {
    let hash = BYTES.get(16..HEAD).and_then(|bytes| bytes.first_chunk());
    u64::from_le_bytes(hash.copied().unwrap_or_default())
}

const _: () = assert!(LANDINGS.is_multiple_of(COLUMNS));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_file_is_whole() {
        assert!(BYTES.len() <= 4 << 20);
        assert_eq!(BYTES[..8], MAGIC);
        assert_eq!(BYTES[8..10], MODEL.to_le_bytes());
        assert_eq!(hash(&BYTES[HEAD..]), built_in_hash());
        let model = Model::new(BYTES).unwrap();
        assert!(!model.book.is_empty());
        assert!(model.weights.iter().any(|&weight| weight != 0));
    }

    /// No sum of scores leaves 16 bits in a position of 32 men.
    #[test]
    fn sums_of_weights_fit() {
        let model = Model::new(BYTES).unwrap();
        let most = |range: std::ops::Range<usize>| {
            let weights = &model.weights[range];
            weights
                .iter()
                .map(|w| i32::from(w.unsigned_abs()))
                .max()
                .unwrap_or(0)
        };
        let rows = 32 * most(PLACES..REPLIES) + most(REPLIES..SEQUELS) + most(SEQUELS..PHASES);
        assert!(rows + 5 * most(PHASES..WEIGHTS) < 1 << 15);
    }
}
