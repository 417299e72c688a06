//! Where the pages of a column chunk lie: Parquet's offset index, `FORMAT.md`, §2.3.
//!
//! The Parquet library writes and reads these too, but for whole files at once and trusting the
//! numbers in them; here one row group is read at a time, and a number is checked before it is used.

use std::io;
use std::ops::Range;

use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::page_index::offset_index::PageLocation;

use super::footer;
use super::read_at::ReadAt;

/// Types and ends of fields in Thrift's compact protocol, as the index has them.
const LIST: u8 = 0x19;
const STRUCT: u8 = 0x0c;
const LONG: u8 = 0x16;
const INT: u8 = 0x15;
const STOP: u8 = 0;

/// Appends the index of a chunk.
pub(crate) fn encode(pages: &[PageLocation], out: &mut Vec<u8>) {
    out.push(LIST);
    match u8::try_from(pages.len()) {
        Ok(count @ 0..15) => out.push(count << 4 | STRUCT),
        _ => {
            out.push(0xf0 | STRUCT);
            put(pages.len() as u64, out);
        }
    }
    for page in pages {
        let numbers = [
            (LONG, page.offset),
            (INT, i64::from(page.compressed_page_size)),
            (LONG, page.first_row_index),
        ];
        for (kind, number) in numbers {
            out.push(kind);
            put(number.unsigned_abs() << 1, out);
        }
        out.push(STOP);
    }
    out.push(STOP);
}

/// Reads from a file where the pages of a chunk are; for those who read Parquet files of ours by the
/// Parquet library, which reads this for all columns of all row groups or none. `None` if it cannot be.
///
/// # Errors
/// Those of the file.
pub fn pages_of_chunk(
    file: &impl ReadAt,
    column: &ColumnChunkMetaData,
    rows: u64,
) -> io::Result<Option<Vec<PageLocation>>> {
    let Some(place) = footer::index_range(column) else {
        return Ok(None);
    };
    let (offset, length) = column.byte_range();
    let is_inside = place.end <= file.length()?;
    let size = usize::try_from(place.end - place.start).ok();
    let (Some(size), Some(end)) = (size.filter(|_| is_inside), offset.checked_add(length)) else {
        return Ok(None);
    };
    let mut bytes = vec![0; size];
    file.read_exact_at(place.start, &mut bytes)?;
    let data = u64::try_from(column.data_page_offset()).unwrap_or(0);
    Ok(decode(&bytes, &(offset..end), data, rows))
}

/// Reads the index of a chunk that lies in `chunk`, with its first page of data at `data`, and has
/// so many rows. `None` if it is none, or its pages do not fill the chunk.
pub(crate) fn decode(
    mut bytes: &[u8],
    chunk: &Range<u64>,
    data: u64,
    rows: u64,
) -> Option<Vec<PageLocation>> {
    let bytes = &mut bytes;
    expect(bytes, LIST)?;
    let head = take(bytes)?;
    let count = match head >> 4 {
        15 => number(bytes)?,
        count => u64::from(count),
    };
    // A page takes seven bytes or more, so a count that was made up asks for no memory.
    let fits = usize::try_from(count).is_ok_and(|count| count <= bytes.len() / 7);
    if head & 0x0f != STRUCT || !fits {
        return None;
    }
    let mut pages = Vec::with_capacity(usize::try_from(count).ok()?);
    let mut at = data;
    let mut next_row = 0;
    for _ in 0..count {
        let offset = field(bytes, LONG)?;
        let size = field(bytes, INT)?;
        let first_row = field(bytes, LONG)?;
        expect(bytes, STOP)?;
        let is_next = if pages.is_empty() {
            first_row == 0
        } else {
            first_row >= next_row
        };
        if offset != at || !is_next || first_row >= rows {
            return None;
        }
        at = at.checked_add(size).filter(|&end| end <= chunk.end)?;
        next_row = first_row + 1;
        pages.push(PageLocation {
            offset: i64::try_from(offset).ok()?,
            compressed_page_size: i32::try_from(size).ok()?,
            first_row_index: i64::try_from(first_row).ok()?,
        });
    }
    expect(bytes, STOP)?;
    let is_whole = at == chunk.end && pages.is_empty() == (rows == 0);
    (bytes.is_empty() && is_whole).then_some(pages)
}

fn put(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        // Cut to the low seven bits on purpose.
        #[allow(clippy::cast_possible_truncation)]
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    #[allow(clippy::cast_possible_truncation)]
    out.push(number as u8);
}

#[inline(always)]
fn take(bytes: &mut &[u8]) -> Option<u8> {
    let (&byte, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(byte)
}

#[inline(always)]
fn expect(bytes: &mut &[u8], wanted: u8) -> Option<()> {
    take(bytes).filter(|&byte| byte == wanted).map(drop)
}

#[inline(always)]
fn number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for (i, &byte) in bytes.iter().enumerate().take(9) {
        number |= u64::from(byte & 0x7f) << (7 * i);
        if byte < 0x80 {
            *bytes = bytes.get(i + 1..)?;
            return Some(number);
        }
    }
    None
}

/// A number that must not be negative: its sign is the lowest bit.
#[inline(always)]
fn field(bytes: &mut &[u8], kind: u8) -> Option<u64> {
    expect(bytes, kind)?;
    number(bytes)
        .filter(|number| number & 1 == 0)
        .map(|number| number >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::{Random, mutant};

    fn pages(count: usize) -> (Vec<PageLocation>, Range<u64>) {
        let pages = (0..count as i64).map(|i| PageLocation {
            offset: 1_000 + i * 300,
            compressed_page_size: 300,
            first_row_index: i * 1_024,
        });
        (pages.collect(), 900..1_000 + 300 * count as u64)
    }

    #[test]
    fn an_index_comes_back() {
        for count in [1, 2, 14, 15, 16, 300] {
            let (pages, chunk) = pages(count);
            let rows = 1_024 * count as u64;
            let mut bytes = Vec::new();
            encode(&pages, &mut bytes);
            assert_eq!(decode(&bytes, &chunk, 1_000, rows), Some(pages));
            for cut in 0..bytes.len() {
                assert_eq!(decode(&bytes[..cut], &chunk, 1_000, rows), None);
            }
            assert_eq!(decode(&bytes, &(900..chunk.end + 1), 1_000, rows), None);
            assert_eq!(decode(&bytes, &chunk, 999, rows), None);
            assert_eq!(decode(&bytes, &chunk, 1_000, rows - 1_024), None);
        }
    }

    #[test]
    fn what_is_no_index_asks_for_no_memory() {
        let huge = [LIST, 0xf0 | STRUCT, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0];
        assert_eq!(decode(&huge, &(0..9), 0, 1), None);
        let (pages, chunk) = pages(20);
        let mut bytes = Vec::new();
        encode(&pages, &mut bytes);
        let mut random = Random::new(1);
        for _ in 0..20_000 {
            let mutant = mutant(&bytes, &mut random);
            if let Some(found) = decode(&mutant, &chunk, 1_000, 20 * 1_024) {
                assert!(found.len() <= mutant.len());
            }
        }
    }
}
