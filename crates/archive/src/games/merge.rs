//! Several archives to one, without decoding a game.

use std::io::Write;

use super::fault::ArchiveFault;
use super::read_at::ReadAt;
use super::reader::Archive;
use super::row_group::{EncodedRowGroup, shifted};
use super::writer::FileWriter;
use crate::ArchiveError;

/// Joins archives into one, in order: row groups are copied as they are, after their checksums have
/// been checked. Returns the output and how many bytes were written.
///
/// # Errors
/// [`ArchiveFault::Unlike`] if they differ in codec, columns or in what they leave out, and those of
/// reading and writing.
pub fn merge<F: ReadAt, W: Write>(
    archives: &[&Archive<F>],
    out: W,
) -> Result<(W, u64), ArchiveError> {
    let Some(first) = archives.first() else {
        return Err(ArchiveFault::Unlike {
            archive: 0,
            what: "anything, as there is no archive",
        }
        .into());
    };
    let schema = |archive: &Archive<F>| archive.parquet().file_metadata().schema_descr_ptr();
    for (number, archive) in archives.iter().enumerate() {
        let what = if archive.codec() != first.codec() {
            "another codec"
        } else if archive.lossy() != first.lossy() {
            "other things left out"
        } else if schema(archive).root_schema() != schema(first).root_schema() {
            "other columns"
        } else {
            continue;
        };
        let archive = number + 1;
        return Err(ArchiveFault::Unlike { archive, what }.into());
    }
    let mut writer = FileWriter::with_schema(out, schema(first), first.codec(), first.lossy())?;
    for archive in archives {
        for number in 0..archive.row_groups() {
            writer.write(copy_of(archive, number)?)?;
        }
        writer.add_facts(archive.facts());
    }
    let (out, _, length) = writer.finish()?;
    Ok((out, length))
}

/// A row group as it stands in an archive.
fn copy_of<F: ReadAt>(
    archive: &Archive<F>,
    number: usize,
) -> Result<EncodedRowGroup, ArchiveError> {
    let broken = |error: parquet::errors::ParquetError| ArchiveFault::Parquet {
        row_group: number,
        message: error.to_string(),
    };
    let mut chunks = Vec::new();
    let mut all_pages = Vec::new();
    for ((column, bytes), mut pages) in archive.read_whole(number)? {
        let (offset, _) = column.byte_range();
        let by = i64::try_from(offset).unwrap_or(i64::MAX);
        for page in &mut pages {
            page.offset -= by;
        }
        let checksum = crc32c::crc32c(&bytes);
        let column = shifted(column.clone(), -by).map_err(broken)?;
        chunks.push((column, bytes, checksum));
        all_pages.push(pages);
    }
    Ok(EncodedRowGroup {
        rows: usize::try_from(archive.rows_in(number)).unwrap_or(usize::MAX),
        chunks,
        pages: all_pages,
        ..EncodedRowGroup::default()
    })
}
