//! An index that is damaged gives an answer or an error, and never a panic.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::fmt::Write as _;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::num::NonZeroUsize;

use archive::games::{Archive, PackOptions, pack};
use chess::Position;
use scoresheet_search::{Index, IndexBuilder, IndexOptions};
use testkit::{GameKind, Random, mutant, random_game};

fn games() -> String {
    let mut text = String::new();
    for seed in 0..40 {
        write!(text, "[White \"{seed}\"]\n[WhiteElo \"2{seed:03}\"]\n\n").unwrap();
        random_game(GameKind::Standard, seed % 7, 20).walk(|before, m| {
            write!(text, "{} ", before.san(m)).unwrap();
        });
        text.push_str("1-0\n\n");
    }
    text
}

#[test]
fn no_bytes_make_it_panic() {
    let text = games();
    let inputs = [("games.pgn".to_owned(), text.as_bytes())];
    let (archive, _) = pack(inputs, Vec::new(), &PackOptions::default(), |_, _| {}).unwrap();
    let archive = Archive::open(archive).unwrap();
    let options = IndexOptions {
        plies: None,
        threads: NonZeroUsize::MIN,
        memory: 1 << 20,
        directory: std::env::temp_dir(),
    };
    let built = IndexBuilder::new(options).build(&archive, Vec::new(), |_| {});
    let (whole, indexed) = built.unwrap();
    assert_eq!(indexed.games, 40);
    let ask = |bytes: &[u8]| {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        Index::open(file, &archive.id()).and_then(|index| index.ask(&Position::START))
    };
    let answer = ask(&whole).unwrap();
    assert_eq!(answer.total.games, 40);
    let mut random = Random::new(9);
    let mut refused = 0;
    for round in 0..2_000 {
        let bytes = match round % 2 {
            0 => mutant(&whole, &mut random),
            _ => {
                let mut bytes = whole.clone();
                let at = random.below(bytes.len());
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
                bytes
            }
        };
        refused += usize::from(ask(&bytes).is_err());
    }
    assert!(refused > 500, "{refused}");
}
