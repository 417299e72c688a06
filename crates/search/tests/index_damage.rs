//! An index that is damaged gives an error or the true answer, and never a panic.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::fmt::Write as _;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::num::NonZeroUsize;

use archive::games::{Archive, PackOptions, pack};
use chess::Position;
use scoresheet_search::{Index, IndexBuilder, IndexOptions};
use testkit::{GameKind, Random, mutant, random_game};

const GAMES: u64 = 150;

fn games() -> String {
    let mut text = String::new();
    for seed in 0..GAMES {
        write!(text, "[White \"{seed}\"]\n[WhiteElo \"2{seed:03}\"]\n\n").unwrap();
        random_game(GameKind::Standard, seed % 50, 40).walk(|before, m| {
            write!(text, "{} ", before.san(m)).unwrap();
        });
        text.push_str("1-0\n\n");
    }
    text
}

#[test]
fn no_damage_gives_a_false_answer() {
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
    assert_eq!(indexed.games, GAMES);
    let mut file = tempfile::tempfile().unwrap();
    let mut ask = |bytes: &[u8]| {
        file.set_len(0).unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.write_all(bytes).unwrap();
        let file = file.try_clone().unwrap();
        Index::open(file, &archive.id()).and_then(|index| index.ask(&Position::START))
    };
    let answer = ask(&whole).unwrap();
    assert_eq!(answer.total.games, GAMES);
    let mut refused = 0;
    let mut check = |bytes: &[u8], what: &str| match ask(bytes) {
        Ok(found) => assert_eq!(found, answer, "{what}"),
        Err(_) => refused += 1,
    };
    for at in (0..whole.len()).step_by(5) {
        let mut bytes = whole.clone();
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << (at % 8);
        }
        check(&bytes, &format!("byte {at}"));
    }
    let mut random = Random::new(9);
    for round in 0..2_000 {
        check(&mutant(&whole, &mut random), &format!("mutant {round}"));
    }
    // Blocks that no question reads are the exception in a file so small.
    assert!(refused > 2_000, "{refused}");
}
