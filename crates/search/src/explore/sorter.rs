//! Sorting more than fits into memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};

use super::entry::Entry;

/// Takes sorted runs and gives all their entries in order. Runs stay in memory as long as they fit,
/// then go to files that have no name: whatever happens, nothing is left behind.
pub(crate) struct Sorter {
    in_memory: Vec<Vec<Entry>>,
    held: usize,
    most_held: usize,
    files: Vec<File>,
    /// Where files are made.
    directory: std::path::PathBuf,
}

impl Sorter {
    pub(crate) fn new(most_held: usize, directory: &std::path::Path) -> Sorter {
        Sorter {
            in_memory: Vec::new(),
            held: 0,
            most_held,
            files: Vec::new(),
            directory: directory.to_owned(),
        }
    }

    /// Takes a sorted run.
    pub(crate) fn push(&mut self, run: Vec<Entry>) -> io::Result<()> {
        self.held += run.len();
        self.in_memory.push(run);
        if self.held > self.most_held {
            self.spill()?;
        }
        Ok(())
    }

    /// Writes what is in memory to a file.
    fn spill(&mut self) -> io::Result<()> {
        let mut file = tempfile::tempfile_in(&self.directory)?;
        let mut out = BufWriter::with_capacity(1 << 18, &mut file);
        let runs = std::mem::take(&mut self.in_memory);
        self.held = 0;
        let sources = runs.into_iter().map(|run| Source::Memory(run.into_iter()));
        for entry in Merge::new(sources.collect())? {
            out.write_all(&entry?.to_bytes())?;
        }
        out.flush()?;
        drop(out);
        file.rewind()?;
        self.files.push(file);
        Ok(())
    }

    /// All entries in order.
    pub(crate) fn finish(self) -> io::Result<Merge> {
        // With thousands of files each gets a small buffer; together they stay within a few dozen MB.
        let size = (32 << 20) / self.files.len().max(1);
        let size = size.clamp(1 << 12, 1 << 20);
        let mut sources = Vec::new();
        for run in self.in_memory {
            sources.push(Source::Memory(run.into_iter()));
        }
        for file in self.files {
            sources.push(Source::File(BufReader::with_capacity(size, file)));
        }
        Merge::new(sources)
    }
}

enum Source {
    Memory(std::vec::IntoIter<Entry>),
    File(BufReader<File>),
}

impl Source {
    #[inline]
    fn next(&mut self) -> io::Result<Option<Entry>> {
        match self {
            Source::Memory(run) => Ok(run.next()),
            Source::File(file) => {
                let mut bytes = [0; 16];
                match file.read_exact(&mut bytes) {
                    Ok(()) => Ok(Some(Entry::from_bytes(bytes))),
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
                    Err(error) => Err(error),
                }
            }
        }
    }
}

/// Several sorted sources as one.
pub(crate) struct Merge {
    sources: Vec<Source>,
    heap: BinaryHeap<Reverse<(Entry, usize)>>,
}

impl Merge {
    fn new(mut sources: Vec<Source>) -> io::Result<Merge> {
        let mut heap = BinaryHeap::with_capacity(sources.len());
        for (i, source) in sources.iter_mut().enumerate() {
            if let Some(entry) = source.next()? {
                heap.push(Reverse((entry, i)));
            }
        }
        Ok(Merge { sources, heap })
    }
}

impl Iterator for Merge {
    type Item = io::Result<Entry>;

    #[inline]
    fn next(&mut self) -> Option<io::Result<Entry>> {
        let mut top = self.heap.peek_mut()?;
        let Reverse((entry, i)) = *top;
        match self.sources.get_mut(i).map(Source::next) {
            Some(Ok(Some(next))) => *top = Reverse((next, i)),
            Some(Err(error)) => return Some(Err(error)),
            _ => {
                std::collections::binary_heap::PeekMut::pop(top);
            }
        }
        Some(Ok(entry))
    }
}

#[cfg(test)]
mod tests {
    use testkit::Random;

    use super::*;

    #[test]
    fn spilled_or_not_the_order_is_the_same() {
        let mut random = Random::new(1);
        let mut all = Vec::new();
        let mut runs = Vec::new();
        for _ in 0..50 {
            let mut run: Vec<Entry> = (0..random.below(300))
                .map(|_| Entry::new(random.next() % 97, None, random.next() % 1000))
                .collect();
            run.sort_unstable();
            all.extend(&run);
            runs.push(run);
        }
        all.sort_unstable();
        for most_held in [0, 100, 1000, usize::MAX] {
            let mut sorter = Sorter::new(most_held, &std::env::temp_dir());
            for run in &runs {
                sorter.push(run.clone()).expect("room");
            }
            let sorted: Result<Vec<Entry>, _> = sorter.finish().expect("files").collect();
            assert_eq!(sorted.expect("files"), all);
        }
    }
}
