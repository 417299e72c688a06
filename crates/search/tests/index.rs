//! An index answers as a look at all games does; a damaged one gives an error or the true answer, and
//! never a panic.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::num::NonZeroUsize;

use archive::games::{Archive, PackOptions, pack};
use chess::Position;
use scoresheet_search::{Explorer, Index, IndexBuilder, IndexOptions};
use testkit::{GameKind, Random, mutant, random_game};

/// An archive of random games, of which some are the same.
fn archive(games: u64, different: u64, plies: usize) -> Archive<Vec<u8>> {
    let mut text = String::new();
    for number in 0..games {
        let result = ["1-0", "0-1", "1/2-1/2", "*"][usize::try_from(number % 4).unwrap()];
        let elo = 2000 + number % 700;
        write!(
            text,
            "[WhiteElo \"{elo}\"]\n[BlackElo \"2100\"]\n[Date \"2001.01.{:02}\"]\n",
            number % 31 + 1
        )
        .unwrap();
        write!(text, "[Result \"{result}\"]\n\n").unwrap();
        random_game(GameKind::Standard, number % different, plies).walk(|before, m| {
            write!(text, "{} ", before.san(m)).unwrap();
        });
        writeln!(text, "{result}\n").unwrap();
    }
    let inputs = [("games.pgn".to_owned(), text.as_bytes())];
    let (archive, _) = pack(inputs, Vec::new(), &PackOptions::default(), |_, _| {}).unwrap();
    Archive::open(archive).unwrap()
}

fn index(archive: &Archive<Vec<u8>>, games: u64) -> Vec<u8> {
    let options = IndexOptions {
        plies: None,
        threads: NonZeroUsize::MIN,
        memory: 1 << 20,
        directory: std::env::temp_dir(),
    };
    let built = IndexBuilder::new(options).build(archive, Vec::new(), |_| {});
    let (index, indexed) = built.unwrap();
    assert_eq!(indexed.games, games);
    index
}

fn write(file: &mut File, bytes: &[u8]) {
    file.set_len(0).unwrap();
    file.seek(SeekFrom::Start(0)).unwrap();
    file.write_all(bytes).unwrap();
}

/// Many pages, rows with one game and with many, positions of few games and of all.
#[test]
fn it_answers_as_a_look_at_all_games() {
    let (games, different) = (2_000, 700);
    let archive = archive(games, different, 50);
    let mut file = tempfile::tempfile().unwrap();
    write(&mut file, &index(&archive, games));
    let index = Index::open(file, &archive.id()).unwrap();
    assert!(index.pairs() > 20_000, "{}", index.pairs());
    let mut random = Random::new(3);
    for round in 0..60 {
        let plies = [0, 1, 2, 3, 5, 10, 30, 50][round % 8];
        let seed = random.below(usize::try_from(different).unwrap()) as u64;
        let position = random_game(GameKind::Standard, seed, plies).end();
        let found = index.ask(&position).unwrap();
        let expected = Explorer::new(&position).ask(&archive).unwrap();
        assert!(found.total.games > 0);
        assert_eq!(found.total, expected.total, "{position:?}");
        let played = |answer: &scoresheet_search::Answer| {
            let mut moves: Vec<_> = answer.moves.clone();
            moves.retain(|m| m.played.games + m.transposed > 0);
            moves
        };
        assert_eq!(played(&found), played(&expected), "{position:?}");
    }
}

#[test]
fn no_damage_gives_a_false_answer() {
    const GAMES: u64 = 150;
    let archive = archive(GAMES, 50, 40);
    let whole = index(&archive, GAMES);
    let mut file = tempfile::tempfile().unwrap();
    let mut ask = |bytes: &[u8]| {
        write(&mut file, bytes);
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
    let mut damaged = whole.clone();
    if let Some(byte) = damaged.get_mut(100) {
        *byte ^= 1;
    }
    let error = ask(&damaged).unwrap_err().to_string();
    assert!(error.contains("damaged at byte 0 "), "{error}");
    // Blocks that no question reads are the exception in a file so small.
    assert!(refused > 2_000, "{refused}");
}
