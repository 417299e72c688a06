//! The 32 bytes that a file begins with.

use codec::CodecName;

use crate::cursor::Cursor;
use crate::{ArchiveError, FormatFault};

/// How moves are written: the level of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// 0: two bytes a move, the fastest.
    Compressed,
    /// 1: one byte a move, two for a side with three queens or more.
    Index,
    /// 2: as few bits as tell the moves of a piece apart, the smallest.
    Packed,
}

impl Level {
    /// All levels.
    pub const ALL: [Level; 3] = [Level::Compressed, Level::Index, Level::Packed];

    /// The level with this number.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Level> {
        match number {
            0 => Some(Level::Compressed),
            1 => Some(Level::Index),
            2 => Some(Level::Packed),
            _ => None,
        }
    }

    /// The number in the file.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The encoding of a move.
    #[must_use]
    pub const fn codec(self) -> CodecName {
        match self {
            Level::Compressed => CodecName::Compressed,
            Level::Index => CodecName::Index,
            Level::Packed => CodecName::Packed,
        }
    }
}

/// What the first 32 bytes of a file say: how its games are written.
///
/// ```
/// use scoresheet_archive::bcgn::{Format, Level};
/// let format = Format::new(Level::Packed).headerless();
/// let bytes = format.to_bytes();
/// assert_eq!(bytes[..8], *b"BCGN\x00\x02\x00\x80");
/// assert_eq!(Format::decode(&bytes).unwrap(), format);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Format {
    /// How moves are written.
    pub level: Level,
    /// Whether games have no names, dates and tags.
    pub is_headerless: bool,
}

const MAGIC: [u8; 4] = *b"BCGN";
const HEADERLESS: u8 = 0x80;

impl Format {
    /// The length of the head of a file.
    pub const BYTES: usize = 32;

    /// A format with headers.
    #[must_use]
    pub const fn new(level: Level) -> Format {
        Format {
            level,
            is_headerless: false,
        }
    }

    /// The same without headers.
    #[must_use]
    pub const fn headerless(self) -> Format {
        Format {
            is_headerless: true,
            ..self
        }
    }

    /// All six formats.
    #[must_use]
    pub fn all() -> [Format; 6] {
        let [zero, one, two] = Level::ALL.map(Format::new);
        [
            zero,
            one,
            two,
            zero.headerless(),
            one.headerless(),
            two.headerless(),
        ]
    }

    /// The least that an entry takes.
    pub(crate) const fn least_entry(self) -> u16 {
        // The fixed fields; with a header, four empty strings too.
        if self.is_headerless { 5 } else { 23 }
    }

    /// The head of a file. // FORMAT.md §1.2
    #[must_use]
    pub const fn to_bytes(self) -> [u8; Format::BYTES] {
        let [b, c, g, n] = MAGIC;
        let flags = if self.is_headerless { HEADERLESS } else { 0 };
        let mut bytes = [0; Format::BYTES];
        if let Some(head) = bytes.first_chunk_mut() {
            *head = [b, c, g, n, 0, self.level.number(), 0, flags];
        }
        bytes
    }

    /// Reads the head of a file.
    ///
    /// # Errors
    /// [`ArchiveError::Format`] if it is no BCGN, or one that we do not know.
    pub fn decode(bytes: &[u8]) -> Result<Format, ArchiveError> {
        let mut cursor = Cursor::new(bytes, 0);
        let fail = |offset, fault| Err(ArchiveError::format(offset, fault));
        let found = *cursor.array()?;
        if found != MAGIC {
            return fail(0, FormatFault::Magic { found });
        }
        let &[version, level, compression, flags] = cursor.array()?;
        if version != 0 {
            return fail(4, FormatFault::Version { found: version });
        }
        let Some(level) = Level::from_number(level) else {
            return fail(5, FormatFault::Level { found: level });
        };
        if compression != 0 {
            return fail(6, FormatFault::Compression { found: compression });
        }
        if flags & !HEADERLESS != 0 {
            let (found, known) = (flags, HEADERLESS);
            return fail(7, FormatFault::Flags { found, known });
        }
        let reserved = cursor.array::<24>()?;
        if let Some((offset, &found)) = (8..).zip(reserved).find(|(_, byte)| **byte != 0) {
            return fail(offset, FormatFault::Reserved { found });
        }
        cursor.finish()?;
        Ok(Format {
            level,
            is_headerless: flags & HEADERLESS != 0,
        })
    }
}
