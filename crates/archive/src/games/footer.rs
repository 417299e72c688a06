//! The footer: what the file says of itself, and the checksums: `FORMAT.md`, §2.2 and §2.3.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use codec::CodecName;
use codec::modelled::Level;
use parquet::file::metadata::{
    ColumnChunkMetaData, KeyValue, ParquetMetaData, ParquetMetaDataReader,
};

use super::fault::ArchiveFault;
use super::lossy::Lossy;
use super::thrift;

/// The version of the format that is written.
pub const VERSION: u32 = 2;

/// The keys of the metadata. All others are passed over.
const VERSION_KEY: &str = "scoresheet.version";
const CODEC_KEY: &str = "scoresheet.codec";
const GAMES_KEY: &str = "scoresheet.games";
const PLIES_KEY: &str = "scoresheet.plies";
const BYTES_KEY: &str = "scoresheet.bytes";
const INPUTS_KEY: &str = "scoresheet.inputs";
const CHUNKS_KEY: &str = "scoresheet.chunks.crc32c";
/// The model of the encodings `modelled` and `modelled-max`: its number and its hash.
const MODEL_KEY: &str = "scoresheet.model";
/// What was left out; without it, nothing.
const LOSSY_KEY: &str = "scoresheet.lossy";
const INDEX_KEY: &str = "scoresheet.index.crc32c";
/// The last key. Its value is the mark and eight hexadecimal digits.
const FOOTER_KEY: &str = "scoresheet.footer";
const MARK: &[u8] = b"scoresheet-footer-crc32c=";

pub(crate) const MAGIC: &[u8; 4] = b"PAR1";

/// A file that was packed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Its name, without directories.
    pub name: String,
    /// Its rows in the archive.
    pub rows: u64,
}

/// What the footer says beside the columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Facts {
    pub(crate) codec: CodecName,
    pub(crate) games: u64,
    pub(crate) plies: u64,
    pub(crate) text_bytes: u64,
    pub(crate) lossy: Option<Lossy>,
    pub(crate) inputs: Vec<Input>,
    /// Of all column chunks, row group by row group.
    pub(crate) checksums: Vec<u32>,
    /// Of the places of pages, a number for each row group.
    pub(crate) index_checksums: Vec<u32>,
}

impl Facts {
    pub(crate) fn to_metadata(&self) -> Vec<KeyValue> {
        let mut inputs = String::new();
        for input in &self.inputs {
            // A line each; a name cannot break it.
            let name = input.name.replace(['\n', '\r'], " ");
            inputs.push_str(&format!("{} {name}\n", input.rows));
        }
        let mark = String::from_utf8_lossy(MARK).into_owned();
        let lossy = self.lossy.map(|lossy| (LOSSY_KEY, lossy.to_string()));
        let model = self.codec.level().map(|level| (MODEL_KEY, model(level)));
        let pairs = [
            (VERSION_KEY, VERSION.to_string()),
            (CODEC_KEY, self.codec.to_string()),
            (GAMES_KEY, self.games.to_string()),
            (PLIES_KEY, self.plies.to_string()),
            (BYTES_KEY, self.text_bytes.to_string()),
            (INPUTS_KEY, inputs),
            (CHUNKS_KEY, digits(&self.checksums)),
            (INDEX_KEY, digits(&self.index_checksums)),
            (FOOTER_KEY, mark + "00000000"),
        ];
        // Not the last: that is the checksum.
        lossy
            .into_iter()
            .chain(model)
            .chain(pairs)
            .map(|(key, value)| KeyValue::new(key.to_owned(), value))
            .collect()
    }

    fn from_metadata(metadata: &ParquetMetaData) -> Result<Facts, ArchiveFault> {
        let pairs = metadata.file_metadata().key_value_metadata();
        let value = |key: &str| {
            let pair = pairs?.iter().find(|pair| pair.key == key)?;
            pair.value.as_deref()
        };
        let version = value(VERSION_KEY).ok_or(ArchiveFault::NotAnArchive)?;
        let found = version
            .parse()
            .map_err(|_| ArchiveFault::Footer { what: "version" })?;
        if found > VERSION {
            return Err(ArchiveFault::Newer {
                found,
                known: VERSION,
            });
        }
        let number = |key, what| {
            let number = value(key).and_then(|value| value.parse().ok());
            number.ok_or(ArchiveFault::Footer { what })
        };
        let codec = value(CODEC_KEY).and_then(|value| value.parse().ok());
        if let Some(level) = codec.and_then(CodecName::level)
            && value(MODEL_KEY) != Some(model(level).as_str())
        {
            return Err(ArchiveFault::Model {
                found: value(MODEL_KEY).unwrap_or("none").to_owned(),
                known: model(level),
            });
        }
        let mut inputs = Vec::new();
        for line in value(INPUTS_KEY).unwrap_or_default().lines() {
            let (rows, name) = line
                .split_once(' ')
                .ok_or(ArchiveFault::Footer { what: "inputs" })?;
            inputs.push(Input {
                name: name.to_owned(),
                rows: rows
                    .parse()
                    .map_err(|_| ArchiveFault::Footer { what: "inputs" })?,
            });
        }
        let checksums = |key| -> Result<Vec<u32>, ArchiveFault> {
            let digits = value(key).unwrap_or_default().as_bytes();
            let checksums: Option<Vec<u32>> = digits.chunks(8).map(hexadecimal).collect();
            checksums.ok_or(ArchiveFault::Footer { what: "checksums" })
        };
        let facts = Facts {
            codec: codec.ok_or(ArchiveFault::Footer { what: "codec" })?,
            games: number(GAMES_KEY, "number of games")?,
            plies: number(PLIES_KEY, "number of plies")?,
            text_bytes: number(BYTES_KEY, "number of bytes")?,
            lossy: match value(LOSSY_KEY) {
                None => None,
                Some(name) => {
                    let lossy = name.parse().ok();
                    Some(lossy.ok_or(ArchiveFault::Footer { what: "losses" })?)
                }
            },
            inputs,
            checksums: checksums(CHUNKS_KEY)?,
            index_checksums: checksums(INDEX_KEY)?,
        };
        Ok(facts)
    }
}

fn digits(checksums: &[u32]) -> String {
    let mut digits = String::with_capacity(checksums.len() * 8);
    for checksum in checksums {
        digits.push_str(&format!("{checksum:08x}"));
    }
    digits
}

/// The model of a level. With another the same bytes would be other games, just as legal.
fn model(level: Level) -> String {
    format!("{} {:016x}", level.model(), level.hash())
}

fn hexadecimal(digits: &[u8]) -> Option<u32> {
    let is_plain = digits.len() == 8
        && digits
            .iter()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let text = core::str::from_utf8(digits).ok().filter(|_| is_plain)?;
    u32::from_str_radix(text, 16).ok()
}

/// Where the digits of the footer's own checksum stand.
fn digits_of(footer: &[u8]) -> Option<Range<usize>> {
    let mark = memchr::memmem::rfind(footer, MARK)?;
    let start = mark + MARK.len();
    footer.get(start..start + 8).map(|_| start..start + 8)
}

/// Writes the footer's checksum into it: of all its bytes, with zeros where the checksum goes.
pub(crate) fn seal(footer: &mut [u8]) -> Option<()> {
    let checksum = format!("{:08x}", crc32c::crc32c(footer));
    let digits = digits_of(footer)?;
    footer.get_mut(digits)?.copy_from_slice(checksum.as_bytes());
    Some(())
}

/// How many bytes of the end of a file are the footer; the last eight bytes tell.
pub(crate) fn footer_length(tail: [u8; 8], file_length: u64) -> Result<u64, ArchiveFault> {
    let [a, b, c, d, magic @ ..] = tail;
    if &magic != MAGIC {
        return Err(ArchiveFault::Truncated);
    }
    let length = u64::from(u32::from_le_bytes([a, b, c, d])) + 8;
    if length + 4 > file_length {
        return Err(ArchiveFault::Truncated);
    }
    Ok(length)
}

/// Checks and reads a footer: metadata, length and magic. `data_end` is where it begins.
pub(crate) fn read(footer: &[u8], data_end: u64) -> Result<(ParquetMetaData, Facts), ArchiveFault> {
    let digits = digits_of(footer).ok_or_else(|| {
        // Damage may have hit the very mark; a stranger's file has none of our keys.
        if memchr::memmem::find(footer, VERSION_KEY.as_bytes()).is_some() {
            ArchiveFault::Footer { what: "checksum" }
        } else {
            ArchiveFault::NotAnArchive
        }
    })?;
    let stored = footer.get(digits.clone()).and_then(hexadecimal);
    let stored = stored.ok_or(ArchiveFault::Footer { what: "checksum" })?;
    let mut plain = footer.to_vec();
    if let Some(digits) = plain.get_mut(digits) {
        digits.fill(b'0');
    }
    let computed = crc32c::crc32c(&plain);
    if stored != computed {
        return Err(ArchiveFault::FooterChecksum { stored, computed });
    }
    let metadata = footer
        .get(..footer.len().saturating_sub(8))
        .unwrap_or_default();
    const FAULT: ArchiveFault = ArchiveFault::Footer { what: "metadata" };
    if !thrift::is_sound(metadata) {
        return Err(FAULT);
    }
    let decode = || ParquetMetaDataReader::decode_metadata(metadata);
    // The library's panics on what a faulty program wrote are errors here.
    let decoded = catch_unwind(AssertUnwindSafe(decode)).map_err(|_| FAULT)?;
    let metadata = decoded.map_err(|_| FAULT)?;
    let facts = Facts::from_metadata(&metadata)?;
    check_tiling(&metadata, &facts, data_end)?;
    Ok((metadata, facts))
}

/// The chunks of all row groups and then the places of their pages must fill the file: then the
/// checksums cover every byte of it.
fn check_tiling(
    metadata: &ParquetMetaData,
    facts: &Facts,
    data_end: u64,
) -> Result<(), ArchiveFault> {
    const CHUNKS: ArchiveFault = ArchiveFault::Footer { what: "chunks" };
    const INDEX: ArchiveFault = ArchiveFault::Footer { what: "page index" };
    let columns = || {
        metadata
            .row_groups()
            .iter()
            .flat_map(|group| group.columns())
    };
    let mut at = 4u64;
    let mut count = 0;
    for column in columns() {
        let starts = [
            Some(column.data_page_offset()),
            column.dictionary_page_offset(),
        ];
        if starts.into_iter().flatten().any(|start| start < 0) || column.compressed_size() < 0 {
            return Err(CHUNKS);
        }
        let (offset, length) = column.byte_range();
        let end = offset.checked_add(length).filter(|_| offset == at);
        at = end.filter(|&end| end <= data_end).ok_or(CHUNKS)?;
        count += 1;
    }
    if count != facts.checksums.len() {
        return Err(CHUNKS);
    }
    for column in columns() {
        let range = index_range(column).filter(|range| range.start == at);
        at = range
            .map(|range| range.end)
            .filter(|&end| end <= data_end)
            .ok_or(INDEX)?;
    }
    if at != data_end || facts.index_checksums.len() != metadata.num_row_groups() {
        return Err(INDEX);
    }
    let mut rows = 0i64;
    for group in metadata.row_groups() {
        let is_even = group.num_columns() == metadata.file_metadata().schema_descr().num_columns();
        if !is_even {
            return Err(CHUNKS);
        }
        let count = Some(group.num_rows()).filter(|count| (0..=MOST_ROWS).contains(count));
        rows = count
            .and_then(|count| rows.checked_add(count))
            .ok_or(ROWS)?;
    }
    if rows != metadata.file_metadata().num_rows()
        || u64::try_from(rows).is_ok_and(|rows| rows < facts.games)
    {
        return Err(ROWS);
    }
    Ok(())
}

const ROWS: ArchiveFault = ArchiveFault::Footer {
    what: "number of rows",
};
/// A row group cannot have more: a game takes a byte of text or more, and a row group has no more
/// bytes than fit into memory.
const MOST_ROWS: i64 = 1 << 31;

/// Where the places of the pages of a chunk are listed.
pub(crate) fn index_range(column: &ColumnChunkMetaData) -> Option<Range<u64>> {
    let start = u64::try_from(column.offset_index_offset()?).ok()?;
    let length = u64::try_from(column.offset_index_length()?).ok()?;
    Some(start..start.checked_add(length)?)
}
