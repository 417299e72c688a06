//! Looks through a footer before the Parquet library does.
//!
//! The library makes room for as many row groups and fields as the footer announces, and goes down
//! into the schema as deep as it is. A footer that lies could make it ask for all memory there is; so
//! nobody may announce more than there are bytes for.

/// Types in Thrift's compact protocol.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I16: u8 = 4;
pub(crate) const I32: u8 = 5;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
pub(crate) const STRUCT: u8 = 12;

/// Deeper than any footer is.
const MOST_DEPTH: u32 = 16;
/// More columns, with the groups that they are in, than an archive has.
const MOST_SCHEMA_ELEMENTS: u64 = 512;

/// The list of the schema in the file's metadata, and the number of children in an element of it.
const SCHEMA: u64 = 2;
const CHILDREN: u64 = 5;

/// Whether nothing in a footer is announced for which there is no room.
pub(crate) fn is_sound(footer: &[u8]) -> bool {
    let mut walk = Walk { rest: footer };
    walk.file().is_some()
}

pub(crate) struct Walk<'a> {
    pub(crate) rest: &'a [u8],
}

impl Walk<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    fn skip(&mut self, count: u64) -> Option<()> {
        self.rest = self.rest.get(usize::try_from(count).ok()?..)?;
        Some(())
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// The type and the number of the next field; `None` inside at the end of the struct.
    pub(crate) fn field(&mut self, last: u64) -> Option<Option<(u8, u64)>> {
        let head = self.byte()?;
        if head == 0 {
            return Some(None);
        }
        let id = match head >> 4 {
            0 => self.number()? >> 1,
            delta => last.checked_add(u64::from(delta))?,
        };
        Some(Some((head & 0x0f, id)))
    }

    /// The type and the number of the elements of a list, each of which takes a byte or more.
    fn list(&mut self) -> Option<(u8, u64)> {
        let head = self.byte()?;
        let count = match head >> 4 {
            15 => self.number()?,
            count => u64::from(count),
        };
        let has_room = usize::try_from(count).is_ok_and(|count| count <= self.rest.len());
        has_room.then_some((head & 0x0f, count))
    }

    fn file(&mut self) -> Option<()> {
        let mut last = 0;
        while let Some((kind, id)) = self.field(last)? {
            last = id;
            if id == SCHEMA && kind == LIST {
                self.schema()?;
            } else {
                self.value(kind, MOST_DEPTH)?;
            }
        }
        Some(())
    }

    fn schema(&mut self) -> Option<()> {
        let (kind, count) = self.list()?;
        if kind != STRUCT || count > MOST_SCHEMA_ELEMENTS {
            return None;
        }
        for _ in 0..count {
            let mut last = 0;
            while let Some((kind, id)) = self.field(last)? {
                last = id;
                if id == CHILDREN && kind == I32 {
                    // The sign is the lowest bit.
                    let children = self.number()?;
                    if children & 1 != 0 || children >> 1 > count {
                        return None;
                    }
                } else {
                    self.value(kind, MOST_DEPTH)?;
                }
            }
        }
        Some(())
    }

    pub(crate) fn value(&mut self, kind: u8, depth: u32) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            TRUE | FALSE => Some(()),
            BYTE => self.skip(1),
            I16 | I32 | I64 => self.number().map(drop),
            DOUBLE => self.skip(8),
            BINARY => {
                let length = self.number()?;
                self.skip(length)
            }
            LIST | SET => {
                let (kind, count) = self.list()?;
                for _ in 0..count {
                    match kind {
                        // In a list a truth takes a byte.
                        TRUE | FALSE => self.skip(1)?,
                        _ => self.value(kind, depth)?,
                    }
                }
                Some(())
            }
            MAP => match self.number()? {
                0 => Some(()),
                // No footer has one.
                _ => None,
            },
            STRUCT => {
                let mut last = 0;
                while let Some((kind, id)) = self.field(last)? {
                    last = id;
                    self.value(kind, depth)?;
                }
                Some(())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_room_is_not_sound() {
        // A version, and nothing else.
        assert!(is_sound(&[0x15, 2, 0]));
        // Row groups: a list of no structs, of as many as there are bytes, of a great many.
        assert!(is_sound(&[0x49, 0x0c, 0]));
        assert!(is_sound(&[0x49, 0x2c, 0, 0, 0]));
        assert!(!is_sound(&[
            0x49, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07, 0, 0, 0
        ]));
        // A schema of one element that says it has many children.
        assert!(is_sound(&[0x29, 0x1c, 0x55, 2, 0, 0]));
        assert!(!is_sound(&[
            0x29, 0x1c, 0x55, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0, 0
        ]));
        // Cut off.
        for bytes in [&[][..], &[0x15], &[0x15, 2], &[0x28, 9, 1, 0]] {
            assert!(!is_sound(bytes));
        }
        // A struct in a struct in a struct …
        assert!(!is_sound(&[0x1c; 1_000_000]));
    }
}
