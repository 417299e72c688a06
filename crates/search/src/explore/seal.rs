//! Checksums of an index, block by block, so that a question that reads a few pages need not read the
//! whole file to know that they are what was written, and landmarks, so that it knows which pages they
//! are: `FORMAT.md`, §4.4.

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::{Arc, OnceLock};

use archive::games::ReadAt;
use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

/// So many bytes have a checksum of their own.
const BLOCK: usize = 1 << 14;
/// The last bytes of a seal: checksum of the footer, number of landmarks, number of blocks, checksum of
/// the seal, magic.
const TAIL: usize = 20;
const MAGIC: &[u8; 4] = b"SEAL";
/// The last bytes of a Parquet file: the length of the footer, and its magic.
const FOOTER_TAIL: usize = 8;

/// Writes a Parquet file, and before its footer the seal of all that comes before.
pub(crate) struct Sealer<W> {
    out: W,
    sums: Vec<u32>,
    /// The checksum of the block that is not full, and how much is in it.
    sum: u32,
    filled: usize,
    /// What comes after the last page: it ends with the footer.
    held: Option<Vec<u8>>,
}

impl<W: Write> Sealer<W> {
    pub(crate) fn new(out: W) -> Sealer<W> {
        Sealer {
            out,
            sums: Vec::new(),
            sum: 0,
            filled: 0,
            held: None,
        }
    }

    /// Keeps what follows, until [`Sealer::seal`] knows where in it the footer begins.
    pub(crate) fn hold(&mut self) {
        self.held = Some(Vec::new());
    }

    fn pass(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        while !bytes.is_empty() {
            let (now, rest) = bytes.split_at(bytes.len().min(BLOCK - self.filled));
            self.sum = crc32c::crc32c_append(self.sum, now);
            self.filled += now.len();
            bytes = rest;
            if self.filled == BLOCK {
                self.end_block();
            }
        }
        Ok(())
    }

    fn end_block(&mut self) {
        self.sums.push(self.sum);
        (self.sum, self.filled) = (0, 0);
    }

    /// Writes the seal, with some numbers for the reader, and the footer after it.
    pub(crate) fn seal(mut self, landmarks: &[u64]) -> io::Result<()> {
        let held = self.held.take().unwrap_or_default();
        let start = footer_start(&held).ok_or(io::ErrorKind::InvalidData)?;
        let (before, footer) = held.split_at(start);
        self.pass(before)?;
        if self.filled > 0 {
            self.end_block();
        }
        let count = |len: usize| u32::try_from(len).map_err(|_| io::ErrorKind::FileTooLarge);
        let mut seal: Vec<u8> = landmarks.iter().flat_map(|key| key.to_le_bytes()).collect();
        seal.extend(self.sums.iter().flat_map(|sum| sum.to_le_bytes()));
        seal.extend(crc32c::crc32c(footer).to_le_bytes());
        seal.extend(count(landmarks.len())?.to_le_bytes());
        seal.extend(count(self.sums.len())?.to_le_bytes());
        seal.extend(crc32c::crc32c(&seal).to_le_bytes());
        seal.extend(MAGIC);
        self.out.write_all(&seal)?;
        self.out.write_all(footer)
    }
}

impl<W: Write> Write for Sealer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.held {
            Some(held) => held.extend_from_slice(bytes),
            None => self.pass(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Where the footer begins in bytes that end with one.
fn footer_start(bytes: &[u8]) -> Option<usize> {
    let (_, tail) = bytes.split_last_chunk::<FOOTER_TAIL>()?;
    let length = u32::from_le_bytes(*tail.first_chunk()?);
    let length = usize::try_from(length).ok()?.checked_add(FOOTER_TAIL)?;
    bytes.len().checked_sub(length)
}

/// A file that was sealed, and is checked as it is read. It has no place of its own, so that threads
/// can share it.
#[derive(Clone, Debug)]
pub(crate) struct SealedFile {
    file: Arc<File>,
    length: u64,
    /// The seal up to its tail: landmarks, then the checksums of the blocks. Empty if there is none.
    seal: Bytes,
    landmarks: usize,
    /// Where the seal begins.
    end: u64,
    /// The first block that was found to be damaged begins here. It is kept beside the error, of which
    /// the library makes words of its own.
    damage: Arc<OnceLock<u64>>,
}

impl SealedFile {
    /// Opens a file. One that has no seal can be read, and is not [`SealedFile::is_sealed`].
    pub(crate) fn new(file: File) -> io::Result<SealedFile> {
        let length = file.length()?;
        let mut sealed = SealedFile {
            file: Arc::new(file),
            length,
            seal: Bytes::new(),
            landmarks: 0,
            end: 0,
            damage: Arc::default(),
        };
        if let Some((seal, landmarks, end)) = sealed.read_seal()? {
            (sealed.seal, sealed.landmarks, sealed.end) = (seal, landmarks, end);
        }
        Ok(sealed)
    }

    /// Where damage has been found, if it has.
    pub(crate) fn damage(&self) -> Option<u64> {
        self.damage.get().copied()
    }

    pub(crate) fn is_sealed(&self) -> bool {
        !self.seal.is_empty()
    }

    /// The seal, how many landmarks it has, and where it begins; `None` if it is not there or not whole.
    fn read_seal(&self) -> io::Result<Option<(Bytes, usize, u64)>> {
        let read = |end: u64, count: usize| -> io::Result<Option<(u64, Vec<u8>)>> {
            let start = u64::try_from(count)
                .ok()
                .and_then(|count| end.checked_sub(count));
            let Some(start) = start else { return Ok(None) };
            let mut bytes = vec![0; count];
            self.file.read_exact_at(start, &mut bytes)?;
            Ok(Some((start, bytes)))
        };
        let number = |bytes: &[u8], at: usize| {
            let bytes = bytes.get(at..)?.first_chunk()?;
            Some(u32::from_le_bytes(*bytes))
        };
        let Some((_, tail)) = read(self.length, FOOTER_TAIL)? else {
            return Ok(None);
        };
        let footer = number(&tail, 0).and_then(|length| usize::try_from(length).ok());
        let footer = footer.and_then(|length| length.checked_add(FOOTER_TAIL));
        let Some((footer_start, footer)) = footer
            .filter(|&length| u64::try_from(length).is_ok_and(|length| length <= self.length))
            .map(|length| read(self.length, length))
            .transpose()?
            .flatten()
        else {
            return Ok(None);
        };
        let Some((_, tail)) = read(footer_start, TAIL)? else {
            return Ok(None);
        };
        let count = |at: usize| number(&tail, at).and_then(|count| usize::try_from(count).ok());
        let (landmarks, sums) = (count(4).unwrap_or(0), count(8).unwrap_or(0));
        let size = landmarks.checked_mul(8).zip(sums.checked_mul(4));
        let size = size.and_then(|(keys, sums)| keys.checked_add(sums)?.checked_add(TAIL));
        let size = size.filter(|&size| u64::try_from(size).is_ok_and(|size| size <= footer_start));
        let Some(size) = size.filter(|_| tail.ends_with(MAGIC)) else {
            return Ok(None);
        };
        let Some((start, seal)) = read(footer_start, size)? else {
            return Ok(None);
        };
        let is_whole = number(&tail, 0) == Some(crc32c::crc32c(&footer))
            && number(&tail, 12) == seal.get(..size - 8).map(crc32c::crc32c)
            && sums == blocks(start);
        Ok(is_whole.then(|| (seal.into(), landmarks, start)))
    }

    /// The landmarks, in ascending order.
    pub(crate) fn landmarks(&self) -> &[[u8; 8]] {
        let all = self.seal.as_chunks().0;
        all.get(..self.landmarks).unwrap_or_default()
    }

    /// The checksum of a block.
    fn sum(&self, block: usize) -> Option<u32> {
        let sums = self.seal.get(8 * self.landmarks..)?;
        let sum = sums.as_chunks().0.get(block)?;
        Some(u32::from_le_bytes(*sum))
    }

    /// Reads whole blocks, and compares their checksums.
    fn read_blocks(&self, start: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(start, buffer)?;
        let places = (start..).step_by(BLOCK);
        for (place, block) in places.zip(buffer.chunks(BLOCK)) {
            let number = usize::try_from(place / BLOCK as u64).unwrap_or(usize::MAX);
            if self.sum(number) != Some(crc32c::crc32c(block)) {
                let at = *self.damage.get_or_init(|| place);
                let message = format!("damaged at byte {at}");
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
        }
        Ok(())
    }
}

/// How many blocks so many bytes are.
fn blocks(bytes: u64) -> usize {
    usize::try_from(bytes.div_ceil(BLOCK as u64)).unwrap_or(usize::MAX)
}

impl ReadAt for SealedFile {
    fn length(&self) -> io::Result<u64> {
        Ok(self.length)
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let bytes = self.get_bytes(offset, buffer.len())?;
        buffer.copy_from_slice(&bytes);
        Ok(())
    }
}

impl Length for SealedFile {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for SealedFile {
    type T = Tail;

    fn get_read(&self, start: u64) -> Result<Tail, ParquetError> {
        Ok(Tail {
            file: self.clone(),
            at: start,
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let end = start.checked_add(length as u64);
        let Some(end) = end.filter(|&end| end <= self.length) else {
            return Err(ParquetError::EOF("a page ends after the file".to_owned()));
        };
        // The footer was checked with the seal.
        if !self.is_sealed() || start >= self.end {
            let mut bytes = vec![0; length];
            self.file.read_exact_at(start, &mut bytes)?;
            return Ok(bytes.into());
        }
        if end > self.end {
            return Err(ParquetError::EOF("a page ends in the seal".to_owned()));
        }
        let skipped = start % BLOCK as u64;
        let whole = blocks(end) as u64 * BLOCK as u64;
        let count = whole.min(self.end) - (start - skipped);
        let mut bytes = vec![0; usize::try_from(count).unwrap_or(usize::MAX)];
        self.read_blocks(start - skipped, &mut bytes)?;
        let skipped = usize::try_from(skipped).unwrap_or(0);
        Ok(Bytes::from(bytes).slice(skipped..skipped + length))
    }
}

/// What comes from a place on.
#[derive(Debug)]
pub(crate) struct Tail {
    file: SealedFile,
    at: u64,
}

impl Read for Tail {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let edge = match self.at < self.file.end {
            true => self.file.end,
            false => self.file.length,
        };
        let left = usize::try_from(edge.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let count = buffer.len().min(left);
        let (buffer, _) = buffer.split_at_mut(count);
        self.file.read_exact_at(self.at, buffer)?;
        self.at += count as u64;
        Ok(count)
    }
}
