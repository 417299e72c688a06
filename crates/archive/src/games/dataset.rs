//! Several archives as one.

use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::reader::Archive;
use crate::ArchiveError;

/// Several archives as one: their games are counted through, in order.
///
/// A directory stands for the archives in it, in the order of their names. See
/// [`is_archive_name`](Dataset::is_archive_name).
#[derive(Debug)]
pub struct Dataset {
    parts: Vec<Part>,
}

/// An archive of a [`Dataset`].
#[derive(Debug)]
pub struct Part {
    /// Where it is.
    pub path: PathBuf,
    /// The archive.
    pub archive: Archive<File>,
    /// How many rows of other archives come before it.
    pub first_row: u64,
}

impl Dataset {
    /// Opens archives and directories of archives.
    ///
    /// # Errors
    /// The first that cannot be opened, and why.
    pub fn open<P: AsRef<Path>>(paths: &[P]) -> Result<Dataset, (PathBuf, ArchiveError)> {
        let mut parts: Vec<Part> = Vec::new();
        let mut first_row = 0;
        for path in paths {
            let path = path.as_ref();
            let files = files(path).map_err(|error| (path.to_owned(), error.into()))?;
            for path in files {
                let opened = File::open(&path).map_err(ArchiveError::from);
                let opened = opened.and_then(Archive::open);
                let archive = opened.map_err(|error| (path.clone(), error))?;
                let rows = archive.rows();
                parts.push(Part {
                    path,
                    archive,
                    first_row,
                });
                first_row += rows;
            }
        }
        Ok(Dataset { parts })
    }

    /// The archives.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// How many rows there are: the games, and text that is none.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.parts.last().map_or(0, Part::end)
    }

    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.parts.iter().map(|part| part.archive.games()).sum()
    }

    /// Where rows are that are counted through all archives from 0: in which archive, row group and
    /// place in it. Rows that are not there are left out.
    pub fn places(&self, rows: Range<u64>) -> impl Iterator<Item = (&Part, usize, Range<usize>)> {
        let rows = rows.start..rows.end.min(self.rows());
        let first = self.parts.partition_point(|part| part.end() <= rows.start);
        let parts = self.parts.get(first..).unwrap_or_default().iter();
        let parts = parts.take_while(move |part| part.first_row < rows.end);
        parts.flat_map(move |part| {
            let start = rows.start.saturating_sub(part.first_row);
            let end = rows.end - part.first_row;
            let first = part
                .archive
                .find_row(start)
                .map_or(usize::MAX, |(group, _)| group);
            let groups = first..part.archive.row_groups();
            let groups = groups.take_while(move |&group| part.archive.rows_before(group) < end);
            groups.map(move |group| {
                let before = part.archive.rows_before(group);
                let place = |row: u64| usize::try_from(row).unwrap_or(usize::MAX);
                let last = (end - before).min(part.archive.rows_in(group));
                (
                    part,
                    group,
                    place(start.saturating_sub(before))..place(last),
                )
            })
        })
    }

    /// Whether a file in a directory is taken for an archive: its name ends in `.scoresheet` or
    /// `.parquet` and does not begin with a dot.
    #[must_use]
    pub fn is_archive_name(path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        !name.starts_with('.') && matches!(&*ending, "scoresheet" | "parquet")
    }
}

impl Part {
    fn end(&self) -> u64 {
        self.first_row + self.archive.rows()
    }
}

fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        if Dataset::is_archive_name(&path) && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        let message = "there are no archives (.scoresheet, .parquet) in this directory";
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    }
    Ok(files)
}
