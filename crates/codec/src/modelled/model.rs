//! A model: weights and an opening table, from one file.

use std::sync::OnceLock;

use chess::Position;
use chess::attacks::Sliders;

use super::book::Book;
use super::layout::{
    COLUMNS, LANDINGS, LEAVINGS, ORIGINS, PHASES, PLACES, PROMOTIONS, REPLIES, ROADS, SEQUELS,
    WEIGHTS,
};
use super::sums::Sums;

/// What a file of weights begins with.
pub const MAGIC: [u8; 8] = *b"SCORESHM";

/// The number of the model in this file.
pub(super) const NUMBER: u16 = 1;

/// Bytes before the weights: magic, number of the model, six bytes of 0, hash of the rest.
pub(super) const HEAD: usize = 24;

pub(super) static BYTES: &[u8] = &FILE.bytes;

static FILE: Aligned<{ include_bytes!("model-1.bin").len() }> =
    Aligned::new(*include_bytes!("model-1.bin"));

/// A file in memory, placed so that what follows its head begins where a line of the cache does: a
/// row then has six lines, not seven, and no load crosses from one to the next.
#[repr(C, align(64))]
pub(super) struct Aligned<const N: usize> {
    before: [u8; 64 - HEAD],
    pub(super) bytes: [u8; N],
}

impl<const N: usize> Aligned<N> {
    pub(super) const fn new(bytes: [u8; N]) -> Aligned<N> {
        Aligned {
            before: [0; 64 - HEAD],
            bytes,
        }
    }
}

/// Room for all weights that are in no row.
const SINGLES: usize = (WEIGHTS - LANDINGS).next_power_of_two();

/// Weights, ready to be summed, and the opening table.
#[derive(Debug)]
pub(super) struct Model {
    rows: &'static [[u8; COLUMNS]],
    /// The weights from [`LANDINGS`] on, and zeros up to a power of two: so a number of a weight
    /// needs no check.
    singles: Box<[i16; SINGLES]>,
    pub(super) book: Book<'static>,
    /// The rows of the usual start, summed.
    start: Option<Box<Sums>>,
}

/// The model that is built in: made on first use, in less than a millisecond.
pub(super) fn built_in() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(|| Model::new(BYTES).unwrap_or_default())
}

/// Never used: a test reads the file that is built in.
impl Default for Model {
    fn default() -> Model {
        Model {
            rows: &[],
            singles: Box::new([0; SINGLES]),
            book: Book::default(),
            start: None,
        }
    }
}

impl Model {
    fn new(bytes: &'static [u8]) -> Option<Model> {
        let (rows, rest) = bytes.get(HEAD..)?.split_at_checked(LANDINGS)?;
        let (singles, book) = rest.split_at_checked(2 * (WEIGHTS - LANDINGS))?;
        let mut padded = vec![0; SINGLES];
        for (to, two) in padded.iter_mut().zip(singles.as_chunks().0) {
            *to = i16::from_le_bytes(*two);
        }
        let mut model = Model {
            rows: rows.as_chunks().0,
            singles: padded.into_boxed_slice().try_into().ok()?,
            book: Book::new(book)?,
            start: None,
        };
        model.start = Some(Box::new(Sums::of(&model, &Position::START)));
        Some(model)
    }

    /// The sums of a start position: those of the usual one are ready.
    pub(super) fn sums(&self, start: &Position) -> Sums {
        match &self.start {
            Some(sums) if start.board() == Position::START.board() => **sums,
            _ => Sums::of(self, start),
        }
    }

    /// A weight that is in no row.
    #[inline(always)]
    pub(super) fn weight(&self, at: usize) -> i16 {
        self.singles[at.wrapping_sub(LANDINGS) % SINGLES]
    }

    /// `N` weights that are in no row, `N` being a power of two that divides what is before them.
    #[inline(always)]
    pub(super) fn weights_at<const N: usize>(&self, at: usize) -> &[i16; N] {
        let (parts, _) = self.singles.as_slice().as_chunks::<N>();
        &parts[at.wrapping_sub(LANDINGS) % SINGLES / N]
    }

    /// The weights of pawns' roads, which begin where no other look-up finds them.
    #[inline(always)]
    pub(super) fn roads(&self) -> &[i16; 512] {
        const { assert!(PROMOTIONS - ROADS == 512) };
        let roads = self.singles.get(ROADS - LANDINGS..);
        roads
            .and_then(<[i16]>::first_chunk)
            .unwrap_or(const { &[0; 512] })
    }

    #[inline(always)]
    fn row(&self, begin: usize, row: usize) -> Row<'_> {
        const NONE: [u8; COLUMNS] = [0; COLUMNS];
        Row(self
            .rows
            .get(begin / COLUMNS + row)
            .unwrap_or(const { &NONE }))
    }

    #[inline(always)]
    pub(super) fn place(&self, row: usize) -> Row<'_> {
        self.row(PLACES, row)
    }

    #[inline(always)]
    pub(super) fn reply(&self, row: usize) -> Row<'_> {
        self.row(REPLIES, row)
    }

    #[inline(always)]
    pub(super) fn sequel(&self, row: usize) -> Row<'_> {
        self.row(SEQUELS, row)
    }

    #[inline(always)]
    pub(super) fn phase(&self, row: usize) -> Row<'_> {
        self.row(PHASES, row)
    }
}

/// 384 weights of eight bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a>(&'a [u8; COLUMNS]);

impl Row<'_> {
    /// Asks for it before it is needed.
    #[inline(always)]
    pub(super) fn soon<S: Sliders>(self, sliders: S) {
        sliders.soon(self.0);
    }

    /// The weight of a column, which must be one.
    #[inline(always)]
    pub(super) fn at(self, column: usize) -> i16 {
        i16::from(self.0.get(column).copied().unwrap_or(0).cast_signed())
    }
}

/// The bytes of a file of weights: those of the rows in eight bits, the others in sixteen.
///
/// # Panics
/// Never; a number of weights other than [`WEIGHTS`] makes a file that no reader takes.
#[must_use]
pub fn write(model: u16, weights: &[i16], book: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (rows, singles) = weights.split_at(LANDINGS.min(weights.len()));
    let eight_bits = |weight: &i16| i8::try_from(*weight).unwrap_or(0).cast_unsigned();
    bytes.extend(rows.iter().map(eight_bits));
    bytes.extend(singles.iter().flat_map(|weight| weight.to_le_bytes()));
    bytes.extend(book);
    with_head(model, &bytes)
}

/// A file: what it holds, after a head with its number and hash.
#[must_use]
pub fn with_head(model: u16, rest: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::from(MAGIC);
    bytes.extend(model.to_le_bytes());
    bytes.extend([0; 6]);
    bytes.extend(hash(rest).to_le_bytes());
    bytes.extend(rest);
    bytes
}

/// The weights of a file that [`write()`] has made, for who learns on from there; none if it is cut.
#[must_use]
pub fn weights(bytes: &[u8]) -> Option<Vec<i16>> {
    let (rows, rest) = bytes.get(HEAD..)?.split_at_checked(LANDINGS)?;
    let singles = rest.get(..2 * (WEIGHTS - LANDINGS))?.as_chunks().0;
    let rows = rows.iter().map(|row| i16::from(row.cast_signed()));
    let singles = singles.iter().map(|two| i16::from_le_bytes(*two));
    Some(rows.chain(singles).collect())
}

/// The hash of a file after its head: FNV-1a of 64 bits, byte by byte.
#[must_use]
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The hash that the head of a file says it has.
pub(super) fn hash_in_head(bytes: &[u8]) -> u64 {
    let hash = bytes.get(16..HEAD).and_then(|bytes| bytes.first_chunk());
    u64::from_le_bytes(hash.copied().unwrap_or_default())
}

const _: () = assert!(LANDINGS.is_multiple_of(COLUMNS));
const _: () = assert!(WEIGHTS - LANDINGS < SINGLES);
const _: () = assert!((LEAVINGS - LANDINGS).is_multiple_of(4096));
const _: () = assert!((ORIGINS - LANDINGS).is_multiple_of(64));

#[cfg(test)]
mod tests {
    use super::super::odds::LEAST_SCORE;
    use super::*;

    #[test]
    fn the_built_in_file_is_whole() {
        assert!(BYTES.len() <= 4 << 20);
        assert_eq!(BYTES[..8], MAGIC);
        assert_eq!(BYTES[8..10], NUMBER.to_le_bytes());
        assert_eq!(hash(&BYTES[HEAD..]), hash_in_head(BYTES));
        let model = Model::new(BYTES).unwrap();
        assert!(!model.book.is_empty());
        assert_eq!(model.rows.len() * COLUMNS, LANDINGS);
        assert!(model.singles.iter().any(|&weight| weight != 0));
    }

    /// No sum of scores leaves 16 bits in a position of 32 men, nor comes near to the least of them, with
    /// as much as a hidden layer can add.
    #[test]
    fn sums_of_weights_fit() {
        let model = Model::new(BYTES).unwrap();
        let most = model
            .singles
            .iter()
            .map(|w| i32::from(w.unsigned_abs()))
            .max();
        let layer = (32 * 255 * 256) >> 7;
        assert!(35 * 128 + 5 * most.unwrap() + layer < -i32::from(LEAST_SCORE));
    }
}
