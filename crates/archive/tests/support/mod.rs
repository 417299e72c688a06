//! What several tests of the archive need.
#![allow(dead_code)]

use std::io::Read as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use scoresheet_archive::ArchiveError;
use scoresheet_archive::games::{self, PackOptions, Packed};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder or file beside the repository; says so if it is absent.
pub fn shared(path: &str) -> Option<PathBuf> {
    let path = root().join("../shared/data").join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is not here", path.display());
    None
}

/// Whether the long run was asked for.
pub fn is_full() -> bool {
    std::env::var_os("SCORESHEET_FULL").is_some_and(|value| value == "1")
}

/// All files below a folder.
pub fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The text of a file, unpacked.
pub fn read(path: &Path) -> Vec<u8> {
    let file = std::fs::File::open(path).unwrap();
    let mut text = Vec::new();
    pgn::Input::new(file)
        .unwrap()
        .read_to_end(&mut text)
        .unwrap();
    text
}

/// Small pieces, so that there are many row groups.
pub fn options(threads: usize, row_group_bytes: usize) -> PackOptions {
    PackOptions {
        threads: NonZeroUsize::new(threads).unwrap(),
        row_group_bytes,
        ..PackOptions::default()
    }
}

/// Packs texts, named `a`, `b` and so on.
pub fn pack(texts: &[&[u8]], options: &PackOptions) -> (Vec<u8>, Packed) {
    let named = texts.iter().zip('a'..);
    let inputs = named.map(|(text, name)| (name.to_string(), *text));
    games::pack(inputs, Vec::new(), options, |_, _| {}).unwrap()
}

/// The texts of an archive, one after the other.
pub fn unpack(archive: &[u8]) -> Result<Vec<u8>, ArchiveError> {
    let mut text = Vec::new();
    games::open_bytes(archive)?.unpack(&mut text, |_| {})?;
    Ok(text)
}

/// Packs a text and proves that it comes back.
pub fn there_and_back(name: &str, text: &[u8], options: &PackOptions) -> (Vec<u8>, Packed) {
    let (archive, packed) = pack(&[text], options);
    let back = unpack(&archive).unwrap();
    if back != text {
        let same = back.iter().zip(text).take_while(|(a, b)| a == b).count();
        panic!("{name}: differs at byte {same}");
    }
    assert_eq!(packed.text_bytes, u64::try_from(text.len()).unwrap());
    assert_eq!(packed.archive_bytes, u64::try_from(archive.len()).unwrap());
    (archive, packed)
}
