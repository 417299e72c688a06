//! Archives of every version of the format stay readable: they give back the same bytes for ever.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;

use scoresheet_archive::games::{Archive, Verified};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/golden/archive")
}

#[test]
fn golden_archives_give_back_their_texts() {
    let mut found = 0;
    let mut versions = Vec::new();
    for version in fs::read_dir(folder()).unwrap() {
        let version = version.unwrap().path();
        if !version.is_dir() {
            continue;
        }
        versions.push(version.file_name().unwrap().to_str().unwrap().to_owned());
        for file in fs::read_dir(&version).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|ending| ending != "scoresheet") {
                continue;
            }
            let text = fs::read(path.with_extension("pgn")).unwrap();
            let archive = Archive::open(fs::read(&path).unwrap()).unwrap();
            let mut restored = Vec::new();
            archive.unpack(&mut restored, |_| {}).unwrap();
            assert!(restored == text, "{} gives another text", path.display());
            let mut sums = Verified::default();
            for number in 0..archive.row_groups() {
                let verified = archive.verify(number).unwrap();
                assert_eq!(verified.faults, [], "{}", path.display());
                sums.games += verified.games;
                sums.plies += verified.plies;
                sums.text_bytes += verified.text_bytes;
            }
            assert_eq!(archive.verify_sums(&sums), None);
            found += 1;
        }
    }
    versions.sort();
    assert_eq!(versions, ["1", "2"]);
    assert_eq!(found, 4);
}
