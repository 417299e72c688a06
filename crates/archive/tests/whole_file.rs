//! Output files appear whole or not at all, whatever fails and whenever.
#![allow(clippy::indexing_slicing, clippy::unwrap_used)]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use scoresheet_archive::{Storage, WholeFile};

/// Names and contents: as a program sees them, and as they would be after a loss of power.
#[derive(Default)]
struct State {
    names: BTreeMap<PathBuf, usize>,
    lasting_names: BTreeMap<PathBuf, usize>,
    contents: Vec<Vec<u8>>,
    lasting_contents: Vec<Vec<u8>>,
    operations: usize,
    fail_at: usize,
    /// A byte of each file that is stored wrong.
    spoiled: Option<usize>,
    /// A byte after so many that nobody has written.
    added: Option<usize>,
}

/// A storage in memory whose n-th operation fails.
#[derive(Clone, Default)]
struct Faulty(Rc<RefCell<State>>);

struct FaultyFile {
    storage: Faulty,
    number: usize,
}

impl Faulty {
    fn step(&self) -> io::Result<()> {
        let mut state = self.0.borrow_mut();
        state.operations += 1;
        if state.operations == state.fail_at {
            return Err(io::Error::other("told to fail"));
        }
        Ok(())
    }

    fn content(&self, path: &str) -> Option<Vec<u8>> {
        let state = self.0.borrow();
        state
            .names
            .get(Path::new(path))
            .map(|n| state.contents[*n].clone())
    }

    /// After a loss of power.
    fn lasting_content(&self, path: &str) -> Option<Vec<u8>> {
        let state = self.0.borrow();
        state
            .lasting_names
            .get(Path::new(path))
            .map(|n| state.lasting_contents[*n].clone())
    }

    fn put(&self, path: &str, content: &[u8]) {
        let mut state = self.0.borrow_mut();
        let number = state.contents.len();
        state.contents.push(content.to_vec());
        state.lasting_contents.push(content.to_vec());
        state.names.insert(path.into(), number);
        state.lasting_names.insert(path.into(), number);
    }
}

impl Write for FaultyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.storage.step();
        let mut state = self.storage.0.borrow_mut();
        // A failing write is torn.
        let count = if done.is_ok() {
            bytes.len()
        } else {
            bytes.len() / 2
        };
        state.contents[self.number].extend(&bytes[..count]);
        let length = state.contents[self.number].len();
        let spoiled = state.spoiled.take_if(|at| *at < length);
        if let Some(at) = spoiled {
            state.contents[self.number][at] ^= 4;
        }
        if state.added.take_if(|at| *at <= length).is_some() {
            state.contents[self.number].push(b'n');
        }
        done.map(|()| count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads what is there by now, a few bytes at a time.
struct FaultyReader {
    storage: Faulty,
    number: usize,
    at: usize,
}

impl Read for FaultyReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.storage.step()?;
        let state = self.storage.0.borrow();
        let left = &state.contents[self.number][self.at..];
        let count = left.len().min(buffer.len()).min(70_000);
        buffer[..count].copy_from_slice(&left[..count]);
        self.at += count;
        Ok(count)
    }
}

impl Storage for Faulty {
    type File = FaultyFile;
    type Reader = FaultyReader;

    fn open(&self, path: &Path) -> io::Result<FaultyReader> {
        self.step()?;
        Ok(FaultyReader {
            storage: self.clone(),
            number: self.0.borrow().names[path],
            at: 0,
        })
    }

    fn create_new(&self, path: &Path) -> io::Result<FaultyFile> {
        self.step()?;
        if self.exists(path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let mut state = self.0.borrow_mut();
        let number = state.contents.len();
        state.contents.push(Vec::new());
        state.lasting_contents.push(Vec::new());
        state.names.insert(path.into(), number);
        Ok(FaultyFile {
            storage: self.clone(),
            number,
        })
    }

    fn exists(&self, path: &Path) -> bool {
        self.0.borrow().names.contains_key(path)
    }

    fn sync(&self, file: &FaultyFile) -> io::Result<()> {
        self.step()?;
        let mut state = self.0.borrow_mut();
        state.lasting_contents[file.number] = state.contents[file.number].clone();
        Ok(())
    }

    fn replace(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        let mut state = self.0.borrow_mut();
        let number = state.names.remove(from).unwrap();
        state.names.insert(to.into(), number);
        Ok(())
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        if self.exists(to) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.replace(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.0.borrow_mut().names.remove(path);
        Ok(())
    }

    fn sync_directory(&self, _: &Path) -> io::Result<()> {
        self.step()?;
        let mut state = self.0.borrow_mut();
        state.lasting_names = state.names.clone();
        Ok(())
    }
}

fn write_file(storage: &Faulty, may_replace: bool) -> io::Result<()> {
    let mut file = WholeFile::create(storage.clone(), Path::new("dir/out"), may_replace)?;
    for _ in 0..3 {
        file.write_all(&[b'n'; 200_000])?;
    }
    file.commit()
}

#[test]
fn an_error_at_any_operation_leaves_the_old_file_or_the_new_one() {
    let new = vec![b'n'; 600_000];
    for old in [None, Some(&b"old"[..])] {
        let mut n = 0;
        loop {
            n += 1;
            let storage = Faulty::default();
            if let Some(old) = old {
                storage.put("dir/out", old);
            }
            storage.0.borrow_mut().fail_at = n;
            let done = write_file(&storage, old.is_some());
            let found = storage.content("dir/out");
            let lasting = storage.lasting_content("dir/out");
            let old = old.map(<[u8]>::to_vec);
            assert!(
                found == old || found.as_ref() == Some(&new),
                "operation {n}"
            );
            assert!(
                lasting == old || lasting.as_ref() == Some(&new),
                "operation {n}"
            );
            assert!(
                storage.0.borrow().names.len() <= 1,
                "operation {n} leaves something behind"
            );
            if done.is_ok() {
                assert_eq!((found, lasting), (Some(new.clone()), Some(new.clone())));
                break;
            }
        }
        assert!(n > 5, "create, writes, sync, rename, sync of the directory");
    }
}

#[test]
fn a_loss_of_power_after_any_operation_leaves_the_old_file_or_the_new_one() {
    // What lasts is checked after each error above; here nothing is renamed before it is synced.
    let storage = Faulty::default();
    storage.put("dir/out", b"old");
    let mut file = WholeFile::create(storage.clone(), Path::new("dir/out"), true).unwrap();
    file.write_all(&[b'n'; 300_000]).unwrap();
    assert_eq!(storage.lasting_content("dir/out").unwrap(), b"old");
    drop(file);
    assert_eq!(storage.content("dir/out").unwrap(), b"old");
    assert_eq!(storage.0.borrow().names.len(), 1);
}

#[test]
fn an_existing_file_is_refused_at_once_and_at_the_end() {
    let storage = Faulty::default();
    storage.put("dir/out", b"old");
    let kind = |done: io::Result<()>| done.unwrap_err().kind();
    assert_eq!(
        kind(write_file(&storage, false)),
        io::ErrorKind::AlreadyExists
    );
    // Somebody else is faster.
    let storage = Faulty::default();
    let file = WholeFile::create(storage.clone(), Path::new("dir/out"), false).unwrap();
    storage.put("dir/out", b"theirs");
    assert_eq!(kind(file.commit()), io::ErrorKind::AlreadyExists);
    assert_eq!(storage.content("dir/out").unwrap(), b"theirs");
    assert_eq!(storage.0.borrow().names.len(), 1);
}

#[test]
fn what_reads_back_otherwise_is_an_error_and_no_file() {
    let spoiled = [0, 1, 262_143, 262_144, 299_999, 599_999].map(|at| (Some(at), None));
    let added = [0, 262_144, 600_000].map(|at| (None, Some(at)));
    for (spoiled, added) in spoiled.into_iter().chain(added) {
        let storage = Faulty::default();
        storage.put("dir/out", b"old");
        storage.0.borrow_mut().spoiled = spoiled;
        storage.0.borrow_mut().added = added;
        let error = write_file(&storage, true).unwrap_err();
        assert_eq!(
            error.kind(),
            io::ErrorKind::InvalidData,
            "{spoiled:?} {added:?}: {error}"
        );
        if let Some(at) = spoiled {
            assert!(
                error.to_string().contains(&format!("byte {at} ")),
                "{error}"
            );
        }
        assert_eq!(storage.content("dir/out").unwrap(), b"old");
        assert_eq!(storage.0.borrow().names.len(), 1);
    }
}
