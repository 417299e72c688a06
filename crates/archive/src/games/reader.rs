//! Archives to games.

use std::num::NonZeroUsize;
use std::ops::Range;

use arrow_array::RecordBatch;
use bytes::Bytes;
use codec::CodecName;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::page_index::offset_index::PageLocation;

use super::batch_reader::{BatchReader, is_empty, root};
use super::columns::Columns;
use super::fault::ArchiveFault;
use super::footer::{self, Facts, Input, MAGIC};
use super::lossy::Lossy;
use super::page_index;
use super::read_at::ReadAt;
use super::row_group_view::RowGroup;
use super::rows::Rows;
use crate::ArchiveError;
use crate::in_order::in_order;

/// An archive that can be read.
///
/// Opening reads the footer and no more. Row groups are read one by one, each as a whole or only the
/// columns that are wanted, by as many threads as like: reading takes `&self`.
///
/// ```
/// use std::ops::ControlFlow;
/// use codec::Legality;
/// use scoresheet_archive::games::{Archive, Columns, PackOptions, pack};
///
/// let text = b"[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 2. Nf3 1-0\n\n".as_slice();
/// let inputs = [("games.pgn".to_owned(), text)];
/// let (file, _) = pack(inputs, Vec::new(), &PackOptions::default(), |_, _| {})?;
///
/// let archive = Archive::open(file)?;
/// let columns = Columns::MOVES | Columns::tag("White");
/// let mut squares = Vec::new();
/// for number in 0..archive.row_groups() {
///     for game in archive.row_group(number, columns)?.games() {
///         assert_eq!(game.white(), Some("Ann"));
///         let Some(moves) = game.moves() else { continue };
///         let replayed = moves.replay(Legality::Trusted, |_, m| {
///             squares.push(m.to());
///             ControlFlow::Continue(())
///         });
///         assert!(replayed.is_ok());
///     }
/// }
/// assert_eq!(squares.len(), 3);
/// # Ok::<(), scoresheet_archive::ArchiveError>(())
/// ```
#[derive(Debug)]
pub struct Archive<F> {
    file: F,
    length: u64,
    metadata: ParquetMetaData,
    facts: Facts,
    /// How many rows come before each row group, and all of them.
    first_rows: Vec<u64>,
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

impl<F: ReadAt> Archive<F> {
    /// Opens an archive: reads and checks its footer.
    ///
    /// # Errors
    /// [`ArchiveError::Io`], or [`ArchiveError::Archive`] if it is none, damaged or too new.
    pub fn open(file: F) -> Result<Archive<F>, ArchiveError> {
        let length = file.length()?;
        let mut magic = [0; 4];
        if length < 4 {
            return Err(ArchiveFault::NotParquet.into());
        }
        file.read_exact_at(0, &mut magic)?;
        if &magic != MAGIC {
            return Err(ArchiveFault::NotParquet.into());
        }
        if length < 12 {
            return Err(ArchiveFault::Truncated.into());
        }
        let mut tail = [0; 8];
        file.read_exact_at(length - 8, &mut tail)?;
        let footer_length = footer::footer_length(tail, length)?;
        let data_end = length - footer_length;
        let bytes = read(&file, data_end, footer_length)?;
        let (metadata, facts) = footer::read(&bytes, data_end)?;
        let mut first_rows = vec![0];
        let mut rows = 0;
        for group in metadata.row_groups() {
            rows += u64::try_from(group.num_rows()).unwrap_or(0);
            first_rows.push(rows);
        }
        Ok(Archive {
            file,
            length,
            metadata,
            facts,
            first_rows,
        })
    }

    pub(crate) fn parquet(&self) -> &ParquetMetaData {
        &self.metadata
    }

    /// How many games there are, the bad ones among them.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.facts.games
    }

    /// How many rows there are: the games, and text that is none.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.first_rows.last().copied().unwrap_or(0)
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

    /// What was left out when it was packed.
    #[must_use]
    pub fn lossy(&self) -> Option<Lossy> {
        self.facts.lossy
    }

    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The chunks of a row group, checked, and where the pages of each are.
    pub(crate) fn read_whole(
        &self,
        row_group: usize,
    ) -> Result<Vec<(ReadChunk<'_>, Vec<PageLocation>)>, ArchiveError> {
        let pages = self.read_page_index(row_group, Columns::ALL)?;
        let chunks = self.read_chunks(row_group, |_| true)?;
        Ok(chunks.into_iter().zip(pages).collect())
    }

    /// The files that were packed, in order.
    #[must_use]
    pub fn inputs(&self) -> &[Input] {
        &self.facts.inputs
    }

    /// What tells this archive from every other, and from itself after a change: a checksum of the
    /// checksums of all its chunks, and its length.
    #[must_use]
    pub fn id(&self) -> String {
        let mut checksum = 0;
        for chunk in &self.facts.checksums {
            checksum = crc32c::crc32c_append(checksum, &chunk.to_be_bytes());
        }
        format!("{checksum:08x}-{}", self.length)
    }

    /// How many row groups there are.
    #[must_use]
    pub fn row_groups(&self) -> usize {
        self.parquet().num_row_groups()
    }

    /// How many rows a row group has.
    #[must_use]
    pub fn rows_in(&self, row_group: usize) -> u64 {
        self.rows_before(row_group.saturating_add(1)) - self.rows_before(row_group)
    }

    /// How many rows come before a row group.
    #[must_use]
    pub fn rows_before(&self, row_group: usize) -> u64 {
        let before = self.first_rows.get(row_group).copied();
        before.unwrap_or_else(|| self.rows())
    }

    /// The row group of a row, which is counted from 0, and the row's place in it.
    #[must_use]
    pub fn find_row(&self, row: u64) -> Option<(usize, usize)> {
        let after = self.first_rows.partition_point(|&first| first <= row);
        let row_group = after.checked_sub(1)?;
        if row_group >= self.row_groups() {
            return None;
        }
        let place = usize::try_from(row - self.rows_before(row_group)).ok()?;
        Some((row_group, place))
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

    /// Reads some columns of a row group: the checksums first.
    ///
    /// # Errors
    /// [`ArchiveError::Io`]; [`ArchiveFault::Checksum`] names the column that is damaged;
    /// [`ArchiveFault::Parquet`] or [`ArchiveFault::Row`] if a program wrote what is none.
    pub fn row_group(&self, row_group: usize, columns: Columns) -> Result<RowGroup, ArchiveError> {
        let batch = self.read_batch(row_group, columns)?;
        self.rows_of(row_group, self.rows_before(row_group), &batch)
    }

    /// The columns of a row group in halves that take about as long to read.
    pub(crate) fn halves(&self, row_group: usize) -> [Columns; 2] {
        let group = self.parquet().row_groups().get(row_group);
        let columns = group.map_or(&[][..], |group| group.columns());
        let bytes = |column: &ColumnChunkMetaData| column.uncompressed_size();
        let all = columns.iter().map(bytes).fold(0, i64::saturating_add);
        let mut before = 0i64;
        let first = columns.iter().take_while(|column| {
            before = before.saturating_add(bytes(column));
            before <= all / 2
        });
        let first = Columns::of_names(first.filter_map(root));
        [first, Columns::ALL - first]
    }

    /// Reads some columns of a row group, as they are.
    pub(crate) fn read_batch(
        &self,
        row_group: usize,
        columns: Columns,
    ) -> Result<RecordBatch, ArchiveError> {
        let mut batches = self.batches(row_group, columns)?;
        let count = usize::try_from(self.rows_in(row_group)).unwrap_or(usize::MAX);
        let batch = batches.next(count);
        let batch = batch.and_then(|batch| batches.finish().map(|()| batch));
        Ok(batch.map_err(|message| ArchiveFault::Parquet { row_group, message })?)
    }

    /// Reads the chunks of some columns of a row group and checks them. Those without a value are left out.
    pub(crate) fn batches(
        &self,
        row_group: usize,
        columns: Columns,
    ) -> Result<BatchReader, ArchiveError> {
        let chunks = self.read_chunks(row_group, |root| columns.contains(root))?;
        let chunks = chunks.into_iter().filter(|(column, _)| !is_empty(column));
        let batches = BatchReader::new(chunks.map(|(column, bytes)| (column, bytes, 0)));
        Ok(batches.map_err(|message| ArchiveFault::Parquet { row_group, message })?)
    }

    /// The next batch of a row group, which must have these rows, counted through the archive.
    pub(crate) fn next_batch(
        &self,
        batches: &mut BatchReader,
        row_group: usize,
        rows: &Range<u64>,
    ) -> Result<RecordBatch, ArchiveError> {
        let count = usize::try_from(rows.end - rows.start).unwrap_or(usize::MAX);
        let is_last = rows.end >= self.rows_before(row_group.saturating_add(1));
        let mut batch = batches.next(count);
        if is_last {
            batch = batch.and_then(|batch| batches.finish().map(|()| batch));
        }
        Ok(batch.map_err(|message| ArchiveFault::Parquet { row_group, message })?)
    }

    /// Reads some columns of some rows of a row group: of each column only the pages are decoded in
    /// which they are. Rows are counted from 0 in the row group; in what is returned they are alone.
    ///
    /// # Errors
    /// As [`Archive::row_group`].
    pub fn row_range(
        &self,
        row_group: usize,
        rows: Range<usize>,
        columns: Columns,
    ) -> Result<RowGroup, ArchiveError> {
        let count = usize::try_from(self.group(row_group)?.num_rows()).unwrap_or(0);
        let rows = rows.start.min(count)..rows.end.min(count);
        let pages = self.read_page_index(row_group, columns)?;
        let chunks = self.read_pages(row_group, columns, &pages, &rows)?;
        let chunks = chunks.into_iter().filter(|(column, ..)| !is_empty(column));
        let batch = BatchReader::new(chunks).and_then(|mut batches| batches.next(rows.len()));
        let batch = batch.map_err(|message| ArchiveFault::Parquet { row_group, message })?;
        let first = self.rows_before(row_group) + u64::try_from(rows.start).unwrap_or(0);
        self.rows_of(row_group, first, &batch)
    }

    /// The games of a batch, before which there are so many rows.
    pub(crate) fn rows_of(
        &self,
        row_group: usize,
        first_row: u64,
        batch: &RecordBatch,
    ) -> Result<RowGroup, ArchiveError> {
        let rows = Rows::new(batch, self.facts.codec).map_err(|fault| ArchiveFault::Row {
            row_group,
            row: first_row + 1,
            fault,
        })?;
        Ok(RowGroup {
            row_group,
            first_row,
            rows,
        })
    }

    /// Reads all columns of a row group.
    ///
    /// # Errors
    /// As [`Archive::row_group`].
    pub fn read(&self, row_group: usize) -> Result<RowGroup, ArchiveError> {
        self.row_group(row_group, Columns::ALL)
    }

    fn group(&self, row_group: usize) -> Result<&RowGroupMetaData, ArchiveFault> {
        let outside = ArchiveFault::Footer { what: "row groups" };
        self.parquet().row_groups().get(row_group).ok_or(outside)
    }

    /// Reads where the pages of some columns are; of the others it says nothing.
    fn read_page_index(
        &self,
        row_group: usize,
        columns: Columns,
    ) -> Result<Vec<Vec<PageLocation>>, ArchiveError> {
        const FAULT: ArchiveFault = ArchiveFault::Footer { what: "page index" };
        let group = self.group(row_group)?;
        let range = |column: Option<&_>| column.and_then(footer::index_range).ok_or(FAULT);
        let start = range(group.columns().first())?.start;
        let end = range(group.columns().last())?.end;
        let bytes = read(&self.file, start, end.checked_sub(start).ok_or(FAULT)?)?;
        let stored = *self.facts.index_checksums.get(row_group).ok_or(FAULT)?;
        let computed = crc32c::crc32c(&bytes);
        compare(row_group, || "(page index)".to_owned(), stored, computed)?;
        let rows = u64::try_from(group.num_rows()).unwrap_or(0);
        let mut index = Vec::with_capacity(group.num_columns());
        for column in group.columns() {
            let mut page_locations = Vec::new();
            if root(column).is_some_and(|root| columns.contains(root)) {
                let place = |at: u64| usize::try_from(at.checked_sub(start)?).ok();
                let Range { start, end } = range(Some(column))?;
                let own = place(start).zip(place(end)).ok_or(FAULT)?;
                let own = bytes.get(own.0..own.1).ok_or(FAULT)?;
                let (offset, length) = column.byte_range();
                let data = u64::try_from(column.data_page_offset()).unwrap_or(0);
                let pages = page_index::decode(own, &(offset..offset + length), data, rows);
                page_locations = pages.ok_or(FAULT)?;
            }
            index.push(page_locations);
        }
        Ok(index)
    }

    /// The columns of a row group, by the names of their roots.
    pub(crate) fn column_names(&self, row_group: usize) -> Vec<String> {
        let group = self.parquet().row_groups().get(row_group);
        let columns = group.map_or(&[][..], |group| group.columns());
        let names = columns
            .iter()
            .filter_map(|column| column.column_path().parts().first());
        let mut names: Vec<String> = names.cloned().collect();
        names.dedup();
        names
    }

    /// Checks where the pages of a row group are said to be.
    pub(crate) fn check_page_index(&self, row_group: usize) -> Result<(), ArchiveError> {
        self.read_page_index(row_group, Columns::ALL).map(drop)
    }

    /// Checks all chunks.
    pub(crate) fn check_chunks(&self, row_group: usize) -> Result<(), ArchiveError> {
        self.read_chunks(row_group, |_| true).map(drop)
    }

    /// Checks the chunks of a column.
    pub(crate) fn check_column(&self, row_group: usize, name: &str) -> Result<(), ArchiveError> {
        self.read_chunks(row_group, |root| root == name).map(drop)
    }

    /// Reads the pages that have some rows of some columns, with dictionaries before them, and how many rows
    /// of them come before those. Checksums are of whole chunks, so these go through a small buffer: fresh
    /// memory for them would cost more than the rest.
    fn read_pages(
        &self,
        row_group: usize,
        columns: Columns,
        index: &[Vec<PageLocation>],
        rows: &Range<usize>,
    ) -> Result<Vec<(&ColumnChunkMetaData, Bytes, usize)>, ArchiveError> {
        let mut read = Vec::new();
        let mut buffer = vec![0; 1 << 16];
        for chunk in self.chunks(row_group, |root| columns.contains(root))? {
            let pages = index.get(chunk.number).map_or(&[][..], Vec::as_slice);
            let wanted = pages_with(rows, pages);
            let first_row = wanted.first().map(|page| page.first_row_index);
            let first_row = first_row.and_then(|row| usize::try_from(row).ok());
            let ranges = chunk.dictionary().into_iter();
            let ranges: Vec<Range<u64>> = ranges.chain(range_of(wanted)).collect();
            let mut bytes = Vec::new();
            let (mut at, mut computed) = (chunk.range.start, 0);
            while at < chunk.range.end {
                let length = usize::try_from(chunk.range.end - at).unwrap_or(usize::MAX);
                let length = length.min(buffer.len());
                let (piece, _) = buffer.split_at_mut(length);
                self.file.read_exact_at(at, piece)?;
                computed = crc32c::crc32c_append(computed, piece);
                let place = |wanted: u64| {
                    let place = usize::try_from(wanted.saturating_sub(at)).unwrap_or(usize::MAX);
                    place.min(piece.len())
                };
                for range in &ranges {
                    let wanted = piece.get(place(range.start)..place(range.end));
                    bytes.extend_from_slice(wanted.unwrap_or_default());
                }
                at += piece.len() as u64;
            }
            let name = || chunk.column.column_path().string();
            compare(row_group, name, chunk.checksum, computed)?;
            let before = first_row.map_or(0, |first| rows.start.saturating_sub(first));
            read.push((chunk.column, bytes.into(), before));
        }
        Ok(read)
    }

    /// The chunks of some columns of a row group.
    fn chunks(
        &self,
        row_group: usize,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<Chunk<'_>>, ArchiveError> {
        let group = self.group(row_group)?;
        // All row groups have the same columns.
        let before = row_group * group.num_columns();
        let mut wanted: Vec<Chunk<'_>> = Vec::new();
        for (i, column) in group.columns().iter().enumerate() {
            if !root(column).is_some_and(&is_wanted) {
                continue;
            }
            let (offset, length) = column.byte_range();
            let missing = ArchiveFault::Footer { what: "checksums" };
            wanted.push(Chunk {
                number: i,
                column,
                range: offset..offset + length,
                checksum: *self.facts.checksums.get(before + i).ok_or(missing)?,
            });
        }
        Ok(wanted)
    }

    /// Reads the chunks of some columns and checks them.
    fn read_chunks(
        &self,
        row_group: usize,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<ReadChunk<'_>>, ArchiveError> {
        let mut read_chunks = Vec::new();
        // Chunks that lie side by side are read at once.
        let wanted = self.chunks(row_group, is_wanted)?;
        for run in wanted.chunk_by(|a, b| a.range.end == b.range.start) {
            let (Some(first), Some(last)) = (run.first(), run.last()) else {
                continue;
            };
            let start = first.range.start;
            let bytes = Bytes::from(read(&self.file, start, last.range.end - start)?);
            for chunk in run {
                let place = |at: u64| usize::try_from(at - start).unwrap_or(usize::MAX);
                let part = bytes.slice(place(chunk.range.start)..place(chunk.range.end));
                let name = || chunk.column.column_path().string();
                compare(row_group, name, chunk.checksum, crc32c::crc32c(&part))?;
                read_chunks.push((chunk.column, part));
            }
        }
        Ok(read_chunks)
    }

    /// Calls `work` with the number of every row group, by as many threads, and `consume` with what
    /// comes of it, in order, by the calling one.
    ///
    /// # Errors
    /// The first of `consume`, after which nothing more is begun.
    pub fn for_each_row_group<T: Send, E>(
        &self,
        threads: NonZeroUsize,
        work: impl Fn(usize) -> T + Sync,
        consume: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut numbers = 0..self.row_groups();
        in_order(threads, 2, || Ok(numbers.next()), work, consume)
    }
}

fn compare(
    row_group: usize,
    column: impl Fn() -> String,
    stored: u32,
    computed: u32,
) -> Result<(), ArchiveFault> {
    if stored == computed {
        return Ok(());
    }
    Err(ArchiveFault::Checksum {
        row_group,
        column: column(),
        stored,
        computed,
    })
}

/// The pages that have some of these rows: they lie one after the other.
fn pages_with<'a>(rows: &Range<usize>, pages: &'a [PageLocation]) -> &'a [PageLocation] {
    let first_row = |page: &PageLocation| usize::try_from(page.first_row_index).unwrap_or(0);
    let start = pages.partition_point(|page| first_row(page) <= rows.start);
    let end = pages.partition_point(|page| first_row(page) < rows.end);
    let wanted = pages.get(start.saturating_sub(1)..end);
    wanted.filter(|_| !rows.is_empty()).unwrap_or_default()
}

/// Where these pages lie.
fn range_of(pages: &[PageLocation]) -> Option<Range<u64>> {
    let number = |number: i64| u64::try_from(number).unwrap_or(0);
    let (first, last) = (pages.first()?, pages.last()?);
    let end = number(last.offset).saturating_add(number(last.compressed_page_size.into()));
    Some(number(first.offset)..end)
}

/// What the footer says of a column chunk, and its bytes.
pub(crate) type ReadChunk<'a> = (&'a ColumnChunkMetaData, Bytes);

/// A column chunk: where it lies, and its checksum.
struct Chunk<'a> {
    /// Its number in the row group.
    number: usize,
    column: &'a ColumnChunkMetaData,
    range: Range<u64>,
    checksum: u32,
}

impl Chunk<'_> {
    /// Where its dictionary lies, if it has one.
    fn dictionary(&self) -> Option<Range<u64>> {
        let data = u64::try_from(self.column.data_page_offset()).ok()?;
        (self.range.start < data).then_some(self.range.start..data)
    }
}

/// Reads a part of a file that the footer says is there.
fn read(file: &impl ReadAt, offset: u64, length: u64) -> Result<Vec<u8>, ArchiveError> {
    // No part of a file is longer than the file, so what a footer says cannot ask for more memory.
    let mut bytes = vec![0; usize::try_from(length).map_err(|_| ArchiveFault::Truncated)?];
    file.read_exact_at(offset, &mut bytes)?;
    Ok(bytes)
}

/// Opens an archive in memory.
///
/// # Errors
/// As [`Archive::open`].
pub fn open_bytes(bytes: &[u8]) -> Result<Archive<&[u8]>, ArchiveError> {
    Archive::open(bytes)
}
