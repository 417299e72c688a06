//! Row groups to a file.

use std::io::Write;
use std::sync::Arc;

use codec::CodecName;
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    FileMetaData, ParquetMetaData, ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::file::page_index::offset_index::PageLocation;
use parquet::schema::types::SchemaDescriptor;

use super::fault::ArchiveFault;
use super::footer::{self, Facts, Input, MAGIC};
use super::lossy::Lossy;
use super::page_index;
use super::row_group::{self, Chunk, EncodedRowGroup, shifted};
use super::transcript::InputEnd;
use crate::ArchiveError;

/// Writes an archive: row groups in order, then the footer.
#[derive(Debug)]
pub(crate) struct FileWriter<W> {
    out: W,
    at: u64,
    schema: Arc<SchemaDescriptor>,
    groups: Vec<RowGroupMetaData>,
    /// The pages of the chunks of each row group.
    pages: Vec<Vec<Vec<PageLocation>>>,
    facts: Facts,
    rows: u64,
    /// Rows of the file that is being written.
    input_rows: u64,
}

fn broken(row_group: usize) -> impl Fn(ParquetError) -> ArchiveError {
    move |error| {
        ArchiveError::Archive(ArchiveFault::Parquet {
            row_group,
            message: error.to_string(),
        })
    }
}

impl<W: Write> FileWriter<W> {
    pub(crate) fn new(
        out: W,
        codec: CodecName,
        lossy: Option<Lossy>,
    ) -> Result<FileWriter<W>, ArchiveError> {
        let schema = row_group::leaves().map_err(broken(0))?;
        FileWriter::with_schema(out, schema, codec, lossy)
    }

    /// A file with these columns.
    pub(crate) fn with_schema(
        mut out: W,
        schema: Arc<SchemaDescriptor>,
        codec: CodecName,
        lossy: Option<Lossy>,
    ) -> Result<FileWriter<W>, ArchiveError> {
        out.write_all(MAGIC)?;
        Ok(FileWriter {
            out,
            at: 4,
            schema,
            groups: Vec::new(),
            pages: Vec::new(),
            facts: Facts {
                codec,
                games: 0,
                plies: 0,
                text_bytes: 0,
                lossy,
                inputs: Vec::new(),
                checksums: Vec::new(),
                index_checksums: Vec::new(),
            },
            rows: 0,
            input_rows: 0,
        })
    }

    /// Adds what another archive says of row groups that were copied from it.
    pub(crate) fn add_facts(&mut self, facts: &Facts) {
        self.facts.games = self.facts.games.saturating_add(facts.games);
        self.facts.plies = self.facts.plies.saturating_add(facts.plies);
        self.facts.text_bytes = self.facts.text_bytes.saturating_add(facts.text_bytes);
        self.facts.inputs.extend(facts.inputs.iter().cloned());
        self.input_rows = 0;
    }

    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    pub(crate) fn write(&mut self, group: EncodedRowGroup) -> Result<(), ArchiveError> {
        let wide = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        if group.rows > 0 {
            self.write_chunks(group.rows, group.chunks, group.pages)?;
        }
        self.facts.games += group.games;
        self.facts.plies += group.plies;
        self.facts.text_bytes += group.text_bytes;
        let mut before = 0;
        for InputEnd { rows, name, .. } in group.file_ends {
            self.input_rows += wide(rows - before);
            before = rows;
            let rows = std::mem::take(&mut self.input_rows);
            self.facts.inputs.push(Input { name, rows });
        }
        self.input_rows += wide(group.rows - before);
        self.rows += wide(group.rows);
        Ok(())
    }

    fn write_chunks(
        &mut self,
        rows: usize,
        chunks: Vec<Chunk>,
        mut pages: Vec<Vec<PageLocation>>,
    ) -> Result<(), ArchiveError> {
        let broken = broken(self.groups.len());
        let mut columns = Vec::with_capacity(chunks.len());
        let mut size = 0i64;
        for ((column, bytes, checksum), pages) in chunks.into_iter().zip(&mut pages) {
            let offset = i64::try_from(self.at).unwrap_or(i64::MAX);
            for page in pages {
                page.offset += offset;
            }
            size = size.saturating_add(column.uncompressed_size());
            columns.push(shifted(column, offset).map_err(&broken)?);
            self.out.write_all(&bytes)?;
            self.at += u64::try_from(bytes.len()).unwrap_or(0);
            self.facts.checksums.push(checksum);
        }
        let metadata = RowGroupMetaData::builder(self.schema.clone())
            .set_num_rows(i64::try_from(rows).unwrap_or(i64::MAX))
            .set_total_byte_size(size)
            .set_column_metadata(columns)
            .build();
        self.groups.push(metadata.map_err(&broken)?);
        self.pages.push(pages);
        Ok(())
    }

    /// Writes where the pages of all chunks are. Together they lie, as Parquet wants them.
    fn write_page_index(&mut self) -> Result<(), ArchiveError> {
        let groups = std::mem::take(&mut self.groups);
        for (i, (group, pages)) in groups.into_iter().zip(&self.pages).enumerate() {
            let mut index = Vec::new();
            let mut columns = Vec::with_capacity(pages.len());
            for (column, pages) in group.columns().iter().zip(pages) {
                let start = index.len();
                page_index::encode(pages, &mut index);
                let offset = i64::try_from(self.at).ok();
                let offset = offset.and_then(|at| at.checked_add(i64::try_from(start).ok()?));
                let column = column.clone().into_builder();
                let column = column
                    .set_offset_index_offset(offset)
                    .set_offset_index_length(i32::try_from(index.len() - start).ok())
                    .build();
                columns.push(column.map_err(broken(i))?);
            }
            self.out.write_all(&index)?;
            self.at += u64::try_from(index.len()).unwrap_or(0);
            self.facts.index_checksums.push(crc32c::crc32c(&index));
            let group = group.into_builder().set_column_metadata(columns).build();
            self.groups.push(group.map_err(broken(i))?);
        }
        Ok(())
    }

    /// Writes the footer.
    pub(crate) fn finish(mut self) -> Result<(W, Facts, u64), ArchiveError> {
        self.write_page_index()?;
        let file = FileMetaData::new(
            1,
            i64::try_from(self.rows).unwrap_or(i64::MAX),
            Some(concat!("scoresheet ", env!("CARGO_PKG_VERSION")).to_owned()),
            Some(self.facts.to_metadata()),
            self.schema.clone(),
            None,
        );
        let metadata = ParquetMetaData::new(file, self.groups);
        let mut footer = Vec::new();
        ParquetMetaDataWriter::new(&mut footer, &metadata)
            .finish()
            .map_err(broken(0))?;
        footer::seal(&mut footer).ok_or(ArchiveError::Archive(ArchiveFault::Footer {
            what: "checksum",
        }))?;
        self.out.write_all(&footer)?;
        self.out.flush()?;
        let length = self.at + u64::try_from(footer.len()).unwrap_or(0);
        Ok((self.out, self.facts, length))
    }
}
