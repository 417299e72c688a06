//! The footer: what the file says of itself, and the checksums: `FORMAT.md`, §2.2 and §2.3.

use codec::CodecName;
use parquet::file::metadata::{KeyValue, ParquetMetaData, ParquetMetaDataReader};

use super::fault::ArchiveFault;

/// The version of the format that is written.
pub const VERSION: u32 = 1;

/// The keys of the metadata. All others are passed over.
const VERSION_KEY: &str = "scoresheet.version";
const CODEC_KEY: &str = "scoresheet.codec";
const GAMES_KEY: &str = "scoresheet.games";
const PLIES_KEY: &str = "scoresheet.plies";
const BYTES_KEY: &str = "scoresheet.bytes";
const INPUTS_KEY: &str = "scoresheet.inputs";
const CHUNKS_KEY: &str = "scoresheet.chunks.crc32c";
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
    pub(crate) inputs: Vec<Input>,
    /// Of all column chunks, row group by row group.
    pub(crate) checksums: Vec<u32>,
}

impl Facts {
    pub(crate) fn to_metadata(&self) -> Vec<KeyValue> {
        let mut inputs = String::new();
        for input in &self.inputs {
            // A line each; a name cannot break it.
            let name = input.name.replace(['\n', '\r'], " ");
            inputs.push_str(&format!("{} {name}\n", input.rows));
        }
        let mut chunks = String::with_capacity(self.checksums.len() * 8);
        for checksum in &self.checksums {
            chunks.push_str(&format!("{checksum:08x}"));
        }
        let mark = String::from_utf8_lossy(MARK).into_owned();
        let pairs = [
            (VERSION_KEY, VERSION.to_string()),
            (CODEC_KEY, self.codec.to_string()),
            (GAMES_KEY, self.games.to_string()),
            (PLIES_KEY, self.plies.to_string()),
            (BYTES_KEY, self.text_bytes.to_string()),
            (INPUTS_KEY, inputs),
            (CHUNKS_KEY, chunks),
            (FOOTER_KEY, mark + "00000000"),
        ];
        pairs
            .into_iter()
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
        let chunks = value(CHUNKS_KEY).unwrap_or_default().as_bytes();
        let checksums: Option<Vec<u32>> = chunks.chunks(8).map(hexadecimal).collect();
        let facts = Facts {
            codec: codec.ok_or(ArchiveFault::Footer { what: "codec" })?,
            games: number(GAMES_KEY, "number of games")?,
            plies: number(PLIES_KEY, "number of plies")?,
            text_bytes: number(BYTES_KEY, "number of bytes")?,
            inputs,
            checksums: checksums.ok_or(ArchiveFault::Footer { what: "checksums" })?,
        };
        Ok(facts)
    }
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
fn digits_of(footer: &[u8]) -> Option<std::ops::Range<usize>> {
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
    let digits = digits_of(footer).ok_or(ArchiveFault::NotAnArchive)?;
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
    let metadata = ParquetMetaDataReader::decode_metadata(metadata)
        .map_err(|_| ArchiveFault::Footer { what: "metadata" })?;
    let facts = Facts::from_metadata(&metadata)?;
    // The chunks must fill the file: then the checksums cover every byte of it.
    let mut at = 4;
    let mut count = 0;
    for column in metadata
        .row_groups()
        .iter()
        .flat_map(|group| group.columns())
    {
        if column.data_page_offset() < 0 || column.compressed_size() < 0 {
            return Err(ArchiveFault::Footer { what: "chunks" });
        }
        let (offset, length) = column.byte_range();
        if offset != at {
            return Err(ArchiveFault::Footer { what: "chunks" });
        }
        at += length;
        count += 1;
    }
    if at != data_end || count != facts.checksums.len() {
        return Err(ArchiveFault::Footer { what: "chunks" });
    }
    Ok((metadata, facts))
}
