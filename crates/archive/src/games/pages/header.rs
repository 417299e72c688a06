//! What stands before each page, in Thrift's compact protocol.

use super::Coding;
use crate::games::thrift::{I32, STRUCT, Walk};
use crate::games::varint;

/// What a page is and how long it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PageHeader {
    pub(super) kind: PageKind,
    /// Its bytes before they were compressed.
    pub(super) size: usize,
    /// Its bytes in the file.
    pub(super) stored: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PageKind {
    /// Rows or entries of lists, those without a value among them.
    Data { entries: usize, coding: Coding },
    /// The values of a dictionary.
    Dictionary { values: usize },
}

/// Fields of a page's header,
const TYPE: u64 = 1;
const SIZE: u64 = 2;
const STORED: u64 = 3;
const DATA: u64 = 5;
const DICTIONARY: u64 = 7;
/// and of what it has for data and for a dictionary.
const COUNT: u64 = 1;
const CODING: u64 = 2;

/// Types of pages.
const DATA_PAGE: usize = 0;
const DICTIONARY_PAGE: usize = 2;

/// How levels are written, among the encodings.
const RUNS: usize = 3;

/// A number in the field behind the last, and the end of a structure.
const NEXT_NUMBER: u8 = 0x10 | I32;
const END: u8 = 0;

impl PageHeader {
    /// Appends the header.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let (number, head) = match self.kind {
            PageKind::Data { .. } => (DATA_PAGE, 0x20 | STRUCT),
            PageKind::Dictionary { .. } => (DICTIONARY_PAGE, 0x40 | STRUCT),
        };
        put(&[number, self.size, self.stored], out);
        out.push(head);
        match self.kind {
            PageKind::Data { entries, coding } => {
                put(&[entries, coding.number(), RUNS, RUNS], out);
            }
            PageKind::Dictionary { values } => put(&[values, Coding::Plain.number()], out),
        }
        out.extend([END, END]);
    }

    /// Takes a header off the front. `None` if it is none, or of a page that no archive has.
    pub(super) fn take(bytes: &mut &[u8]) -> Option<PageHeader> {
        let mut walk = Walk { rest: bytes };
        let (mut page_type, mut size, mut stored) = (None, None, None);
        let (mut data, mut dictionary) = (None, None);
        let mut last = 0;
        while let Some((kind, id)) = walk.field(last)? {
            last = id;
            match (id, kind) {
                (TYPE, I32) => page_type = Some(unsigned(&mut walk)?),
                (SIZE, I32) => size = Some(unsigned(&mut walk)?),
                (STORED, I32) => stored = Some(unsigned(&mut walk)?),
                (DATA, STRUCT) => data = Some(count_and_coding(&mut walk)?),
                (DICTIONARY, STRUCT) => dictionary = Some(count_and_coding(&mut walk)?),
                _ => walk.value(kind, DEPTH)?,
            }
        }
        *bytes = walk.rest;
        let kind = match page_type? {
            DATA_PAGE => {
                let (entries, coding) = data?;
                let coding = Coding::of_number(coding)?;
                PageKind::Data { entries, coding }
            }
            DICTIONARY_PAGE => PageKind::Dictionary {
                values: dictionary?.0,
            },
            _ => return None,
        };
        Some(PageHeader {
            kind,
            size: size?,
            stored: stored?,
        })
    }
}

/// Appends numbers in fields one after the other.
fn put(numbers: &[usize], out: &mut Vec<u8>) {
    for number in numbers {
        out.push(NEXT_NUMBER);
        // The sign is the lowest bit.
        varint::put(out, number << 1);
    }
}

/// Deeper than any header is.
const DEPTH: u32 = 4;

fn unsigned(walk: &mut Walk<'_>) -> Option<usize> {
    let folded = walk.number().filter(|folded| folded & 1 == 0)?;
    usize::try_from(folded >> 1).ok()
}

fn count_and_coding(walk: &mut Walk<'_>) -> Option<(usize, usize)> {
    let (mut count, mut coding) = (None, None);
    let mut last = 0;
    while let Some((kind, id)) = walk.field(last)? {
        last = id;
        match (id, kind) {
            (COUNT, I32) => count = Some(unsigned(walk)?),
            (CODING, I32) => coding = Some(unsigned(walk)?),
            _ => walk.value(kind, DEPTH)?,
        }
    }
    count.zip(coding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::{Random, mutant};

    #[test]
    fn headers_come_back() {
        let mut random = Random::new(3);
        let codings = [
            Coding::Plain,
            Coding::Dictionary,
            Coding::Lengths,
            Coding::Split,
        ];
        for round in 0..1000 {
            let mut number = || random.below(1 << (1 + round % 30));
            let kind = match round % 5 {
                4 => PageKind::Dictionary { values: number() },
                i => PageKind::Data {
                    entries: number(),
                    coding: codings[i],
                },
            };
            let header = PageHeader {
                kind,
                size: number(),
                stored: number(),
            };
            let mut bytes = Vec::new();
            header.write(&mut bytes);
            for cut in 0..bytes.len() {
                assert_eq!(PageHeader::take(&mut &bytes[..cut]), None);
            }
            bytes.extend(b"page");
            let mut rest = &bytes[..];
            assert_eq!(PageHeader::take(&mut rest), Some(header));
            assert_eq!(rest, b"page");
            for _ in 0..20 {
                let _ = PageHeader::take(&mut &mutant(&bytes, &mut random)[..]);
            }
        }
    }
}
