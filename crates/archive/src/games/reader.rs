//! Archives to games.

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

use bytes::Bytes;
use codec::CodecName;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{ChunkReader, Length};

use super::RowKind;
use super::fault::{ArchiveFault, RowFault};
use super::footer::{self, Facts, Input, MAGIC};
use super::row_group::rows_of;
use super::rows::{Rows, Scratch};
use crate::ArchiveError;

/// An archive that can be read.
#[derive(Debug)]
pub struct Archive<R> {
    file: R,
    length: u64,
    metadata: ArrowReaderMetadata,
    facts: Facts,
}

/// A column of an archive and its size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColumnSize {
    /// The name.
    pub name: String,
    /// Its bytes in all row groups.
    pub bytes: u64,
}

impl From<ArchiveFault> for ArchiveError {
    fn from(fault: ArchiveFault) -> ArchiveError {
        ArchiveError::Archive(fault)
    }
}

impl<R: Read + Seek> Archive<R> {
    /// Opens an archive: reads and checks its footer.
    ///
    /// # Errors
    /// [`ArchiveError::Io`], or [`ArchiveError::Archive`] if it is none, damaged or too new.
    pub fn open(mut file: R) -> Result<Archive<R>, ArchiveError> {
        let length = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(0))?;
        let mut magic = Vec::new();
        file.by_ref().take(4).read_to_end(&mut magic)?;
        if magic != MAGIC {
            return Err(ArchiveFault::NotParquet.into());
        }
        if length < 12 {
            return Err(ArchiveFault::Truncated.into());
        }
        let mut tail = [0; 8];
        file.seek(SeekFrom::Start(length - 8))?;
        file.read_exact(&mut tail)?;
        let footer_length = footer::footer_length(tail, length)?;
        let data_end = length - footer_length;
        file.seek(SeekFrom::Start(data_end))?;
        let mut bytes = Vec::new();
        file.by_ref().take(footer_length).read_to_end(&mut bytes)?;
        let (metadata, facts) = footer::read(&bytes, data_end)?;
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let metadata = ArrowReaderMetadata::try_new(Arc::new(metadata), options)
            .map_err(|_| ArchiveFault::Footer { what: "schema" })?;
        Ok(Archive {
            file,
            length,
            metadata,
            facts,
        })
    }

    fn parquet(&self) -> &Arc<ParquetMetaData> {
        self.metadata.metadata()
    }

    /// How many games there are, the bad ones among them.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.facts.games
    }

    /// How many moves their main lines have.
    #[must_use]
    pub fn plies(&self) -> u64 {
        self.facts.plies
    }

    /// How many bytes of PGN were packed.
    #[must_use]
    pub fn text_bytes(&self) -> u64 {
        self.facts.text_bytes
    }

    /// The size of the file in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.length
    }

    /// The encoding of the moves.
    #[must_use]
    pub fn codec(&self) -> CodecName {
        self.facts.codec
    }

    /// The files that were packed, in order.
    #[must_use]
    pub fn inputs(&self) -> &[Input] {
        &self.facts.inputs
    }

    /// How many row groups there are.
    #[must_use]
    pub fn row_groups(&self) -> usize {
        self.parquet().num_row_groups()
    }

    /// How many rows a row group has.
    #[must_use]
    pub fn rows_in(&self, row_group: usize) -> u64 {
        let group = self.parquet().row_groups().get(row_group);
        group.map_or(0, |group| u64::try_from(group.num_rows()).unwrap_or(0))
    }

    /// How many rows come before a row group.
    #[must_use]
    pub fn rows_before(&self, row_group: usize) -> u64 {
        (0..row_group).map(|group| self.rows_in(group)).sum()
    }

    /// The columns and their sizes, in order.
    #[must_use]
    pub fn columns(&self) -> Vec<ColumnSize> {
        let mut columns: Vec<ColumnSize> = Vec::new();
        for group in self.parquet().row_groups() {
            for column in group.columns() {
                let path = column.column_path().parts();
                let name = path.first().map_or("", String::as_str);
                let bytes = u64::try_from(column.compressed_size()).unwrap_or(0);
                match columns.iter_mut().find(|known| known.name == name) {
                    Some(known) => known.bytes += bytes,
                    None => columns.push(ColumnSize {
                        name: name.to_owned(),
                        bytes,
                    }),
                }
            }
        }
        columns
    }

    /// Reads a row group: the checksums of its chunks first.
    ///
    /// # Errors
    /// [`ArchiveFault::Checksum`] names the column that is damaged.
    pub fn read(&mut self, row_group: usize) -> Result<RowGroup, ArchiveError> {
        let checked = self.read_chunks(row_group)?;
        checked.decode()
    }

    /// Reads the bytes of a row group and checks them; [`Chunks::decode`] can be done elsewhere.
    ///
    /// # Errors
    /// As [`Archive::read`].
    pub fn read_chunks(&mut self, row_group: usize) -> Result<Chunks, ArchiveError> {
        let metadata = self.parquet().clone();
        let outside = ArchiveFault::Footer { what: "row groups" };
        let group = metadata.row_groups().get(row_group).ok_or(outside)?;
        let before: usize = metadata
            .row_groups()
            .iter()
            .take(row_group)
            .map(|group| group.num_columns())
            .sum();
        let Some(first) = group.columns().first() else {
            return Err(ArchiveFault::Footer { what: "columns" }.into());
        };
        let (start, _) = first.byte_range();
        let length: u64 = group
            .columns()
            .iter()
            .map(|column| column.byte_range().1)
            .sum();
        self.file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        self.file.by_ref().take(length).read_to_end(&mut bytes)?;
        if u64::try_from(bytes.len()).ok() != Some(length) {
            return Err(ArchiveFault::Truncated.into());
        }
        let checksums = self.facts.checksums.iter().skip(before);
        for (column, &stored) in group.columns().iter().zip(checksums) {
            let (offset, length) = column.byte_range();
            let at = usize::try_from(offset - start).unwrap_or(usize::MAX);
            let end = at.saturating_add(usize::try_from(length).unwrap_or(usize::MAX));
            let computed = crc32c::crc32c(bytes.get(at..end).unwrap_or_default());
            if stored != computed {
                return Err(ArchiveFault::Checksum {
                    row_group,
                    column: column.column_path().string(),
                    stored,
                    computed,
                }
                .into());
            }
        }
        Ok(Chunks {
            row_group,
            first_row: self.rows_before(row_group),
            metadata: self.metadata.clone(),
            codec: self.facts.codec,
            window: Window {
                start,
                bytes: bytes.into(),
                length: self.length,
            },
        })
    }

    /// Restores all that was packed. `progress` is told the rows that have been restored.
    ///
    /// # Errors
    /// Those of reading and writing.
    pub fn unpack(
        &mut self,
        out: &mut impl Write,
        mut progress: impl FnMut(u64),
    ) -> Result<(), ArchiveError> {
        let mut text = Vec::new();
        for number in 0..self.row_groups() {
            let group = self.read(number)?;
            text.clear();
            group.restore_all(&mut text)?;
            out.write_all(&text)?;
            progress(group.first_row + self.rows_in(number));
        }
        Ok(())
    }
}

/// The bytes of a row group, checked.
#[derive(Debug)]
pub struct Chunks {
    row_group: usize,
    first_row: u64,
    metadata: ArrowReaderMetadata,
    codec: CodecName,
    window: Window,
}

impl Chunks {
    /// Decodes the columns.
    ///
    /// # Errors
    /// [`ArchiveFault::Parquet`] or [`ArchiveFault::Row`] if a program wrote what is none.
    pub fn decode(self) -> Result<RowGroup, ArchiveError> {
        self.decode_columns(|_| true)
    }

    /// Decodes some of the columns: those whose names are wanted, and those without which no game
    /// can be read.
    ///
    /// # Errors
    /// As [`Chunks::decode`].
    pub fn decode_columns(
        self,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<RowGroup, ArchiveError> {
        let row_group = self.row_group;
        let schema = self.metadata.parquet_schema();
        let roots = schema.root_schema().get_fields().iter().enumerate();
        let roots = roots.filter(|(_, field)| {
            let name = field.name();
            matches!(name, "tag_order" | "flags" | "plies" | "moves") || is_wanted(name)
        });
        let mask = ProjectionMask::roots(schema, roots.map(|(i, _)| i));
        let builder =
            ParquetRecordBatchReaderBuilder::new_with_metadata(self.window, self.metadata)
                .with_row_groups(vec![row_group])
                .with_projection(mask);
        let rows = rows_of(builder, self.codec).map_err(|error| match error {
            Ok(message) => ArchiveFault::Parquet { row_group, message },
            Err(fault) => ArchiveFault::Row {
                row_group,
                row: self.first_row + 1,
                fault,
            },
        })?;
        Ok(RowGroup {
            row_group,
            first_row: self.first_row,
            rows,
        })
    }
}

/// Part of a file, in memory.
#[derive(Clone, Debug)]
struct Window {
    start: u64,
    bytes: Bytes,
    length: u64,
}

impl Length for Window {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for Window {
    type T = Cursor<Bytes>;

    fn get_read(&self, start: u64) -> Result<Cursor<Bytes>, ParquetError> {
        let at = start
            .checked_sub(self.start)
            .and_then(|at| usize::try_from(at).ok());
        match at.filter(|&at| at <= self.bytes.len()) {
            Some(at) => Ok(Cursor::new(self.bytes.slice(at..))),
            None => Err(ParquetError::General("outside of the row group".to_owned())),
        }
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let at = start
            .checked_sub(self.start)
            .and_then(|at| usize::try_from(at).ok());
        let end = at.and_then(|at| at.checked_add(length));
        match at.zip(end).filter(|&(_, end)| end <= self.bytes.len()) {
            Some((at, end)) => Ok(self.bytes.slice(at..end)),
            None => Err(ParquetError::General("outside of the row group".to_owned())),
        }
    }
}

/// The games of a row group.
#[derive(Debug)]
pub struct RowGroup {
    row_group: usize,
    first_row: u64,
    rows: Rows,
}

/// A game of an archive, without its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The number of its row, from 1.
    pub number: u64,
    /// What it is.
    pub kind: RowKind,
    /// Tags in order, as text.
    pub tags: Vec<(String, String)>,
    /// Why it is bad, if it is.
    pub error: Option<String>,
    /// Moves of its main line.
    pub plies: u32,
}

impl Entry {
    /// The value of the first tag of this name.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(known, _)| known == name);
        tag.map(|(_, value)| value.as_str())
    }
}

/// Memory for reading games one after the other.
#[derive(Debug, Default)]
pub struct Buffer(Scratch);

impl RowGroup {
    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.len() == 0
    }

    /// How many rows come before the first.
    #[must_use]
    pub fn first_row(&self) -> u64 {
        self.first_row
    }

    fn fault(&self, row: usize) -> impl Fn(RowFault) -> ArchiveError {
        let row_group = self.row_group;
        let row = self.first_row + u64::try_from(row).unwrap_or(0) + 1;
        move |fault| {
            ArchiveError::Archive(ArchiveFault::Row {
                row_group,
                row,
                fault,
            })
        }
    }

    /// The tags of a row and what it is.
    ///
    /// # Errors
    /// [`ArchiveFault::Row`].
    pub fn entry(&self, row: usize, buffer: &mut Buffer) -> Result<Entry, ArchiveError> {
        let fault = self.fault(row);
        let kind = self.rows.flags(row).map_err(&fault)?.kind();
        self.rows.load_tags(row, &mut buffer.0).map_err(&fault)?;
        let text = |bytes: &[u8]| pgn::decode_text(bytes).into_owned();
        Ok(Entry {
            number: self.first_row + u64::try_from(row).unwrap_or(0) + 1,
            kind,
            tags: buffer
                .0
                .tags()
                .map(|(name, value)| (text(name), text(value)))
                .collect(),
            error: self.rows.error(row).map(str::to_owned),
            plies: self.rows.plies(row).unwrap_or(0),
        })
    }

    /// The start and the moves of a game.
    ///
    /// # Errors
    /// [`ArchiveFault::Row`].
    pub fn moves<'a>(
        &self,
        row: usize,
        buffer: &'a mut Buffer,
    ) -> Result<(chess::Position, &'a [chess::Move]), ArchiveError> {
        let fault = self.fault(row);
        self.rows.load_tags(row, &mut buffer.0).map_err(&fault)?;
        let start = self.rows.load_moves(row, &mut buffer.0).map_err(&fault)?;
        Ok((start, buffer.0.moves()))
    }

    /// Appends the text of a row, byte for byte as it was packed.
    ///
    /// # Errors
    /// [`ArchiveFault::Row`].
    pub fn restore(
        &self,
        row: usize,
        buffer: &mut Buffer,
        out: &mut Vec<u8>,
    ) -> Result<(), ArchiveError> {
        self.rows
            .restore(row, &mut buffer.0, out)
            .map_err(self.fault(row))
    }

    /// Appends the text of all rows.
    ///
    /// # Errors
    /// [`ArchiveFault::Row`].
    pub fn restore_all(&self, out: &mut Vec<u8>) -> Result<(), ArchiveError> {
        let mut buffer = Buffer::default();
        for row in 0..self.rows.len() {
            self.restore(row, &mut buffer, out)?;
        }
        Ok(())
    }
}

/// Opens an archive in memory.
///
/// # Errors
/// As [`Archive::open`].
pub fn open_bytes(bytes: &[u8]) -> Result<Archive<io::Cursor<&[u8]>>, ArchiveError> {
    Archive::open(io::Cursor::new(bytes))
}
