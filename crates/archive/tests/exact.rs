//! What is packed comes back byte for byte, whatever it is; and the archive is the same for any
//! number of threads.
#![allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

mod support;

use std::io::{self, Read};
use std::path::Path;

use pgn::{Checker, Reader};
use scoresheet_archive::ArchiveError;
use scoresheet_archive::games::{self, Lossy, PackOptions, open_bytes};
use support::{is_full, options, pack, read, shared, there_and_back, unpack, walk};
use testkit::{Random, mutant};

/// A collection with a bit of everything.
const ODD: &str = "% a line for programs\r\n\
    [Event \"x\"]\n[White \"J\u{f6}rg \\\"J\\\" M\"]\n[Date \"2001.2.3\"]\n[WhiteElo \"02500\"]\n[White \"twice\"]\n\n\
    1. e4 {first [%clk 1:02:03]} e5 $1 $14 2. Nf3!? (2. f4 exf4 (2... d5 3. exd5 ; to the end\n e4) 3. Nf3 {a\nb} *) \
    2... Nc6 3.Bb5 a6 1-0\n\n\n\
    [Event \"bad\"]\n\n1. e4 e5 2. Ke3 *\n\n\
    1. d4 d5\n\n[Event \"no moves\"]\n[Result \"1/2-1/2\"]\n\n1/2-1/2\n\n\
    [Event \"null\"]\n\n1. e4 -- 2. d4 *\n\n\
    [Event \"960\"]\n[FEN \"bqrbnkrn/pppppppp/8/8/8/8/PPPPPPPP/BQRBNKRN w GCgc - 0 1\"]\n\n1. Nf3 Nf6 2. O-O-O *\n\n\
    text that nobody has written as a game {unclosed";

#[test]
fn a_bit_of_everything_comes_back_in_every_codec() {
    for codec in [
        codec::CodecName::Word,
        codec::CodecName::Index,
        codec::CodecName::Packed,
        codec::CodecName::Modelled,
        codec::CodecName::ModelledMax,
    ] {
        for is_checked in [true, false] {
            let options = PackOptions {
                codec,
                is_checked,
                ..options(1, 1 << 20)
            };
            for text in [
                ODD.to_owned(),
                ODD.replace('\n', "\r\n"),
                ODD.replace("\u{f6}", ""),
            ] {
                let (archive, _) = there_and_back("odd", text.as_bytes(), &options);
                assert_eq!(open_bytes(&archive).unwrap().codec(), codec);
            }
        }
    }
}

#[test]
fn bytes_that_are_no_text_come_back() {
    let latin1: Vec<u8> = ODD
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    there_and_back("Latin-1", &latin1, &options(1, 1 << 20));
    let all: Vec<u8> = (0..=255).collect();
    there_and_back("all bytes", &all, &options(1, 1 << 20));
    there_and_back(
        "all bytes in a comment",
        &[b"1. e4 {", &all[..], b"} *"].concat(),
        &options(1, 1 << 20),
    );
    there_and_back("nothing", b"", &options(1, 1 << 20));
    there_and_back("an empty line", b"\n", &options(1, 1 << 20));
    there_and_back("no line end", b"1. e4", &options(1, 1 << 20));
}

/// Games counted by the reader of PGN, good and bad.
fn games_in(text: &[u8]) -> (u64, u64) {
    let mut reader = Reader::from_slice(text);
    let (mut games, mut bad) = (0, 0);
    while let Some(game) = reader.read_game(&mut Checker::new()).unwrap() {
        games += 1;
        bad += u64::from(game.is_err());
    }
    (games, bad)
}

#[test]
fn real_collections_come_back() {
    let Some(folder) = shared("games") else {
        return;
    };
    for path in walk(&folder) {
        let size = path.metadata().unwrap().len();
        if size > 600_000 && !is_full() {
            continue;
        }
        let text = read(&path);
        let name = path.display().to_string();
        let (archive, packed) = there_and_back(&name, &text, &options(2, 1 << 20));
        assert_eq!((packed.games, packed.bad_games), games_in(&text), "{name}");
        assert_eq!(open_bytes(&archive).unwrap().games(), packed.games);
    }
}

#[test]
fn a_part_of_the_large_collections_comes_back() {
    for name in ["games/master.pgn.zst", "games/lichess.pgn.zst"] {
        let Some(path) = shared(name) else { return };
        let mut text = Vec::new();
        let file = std::fs::File::open(path).unwrap();
        let input = pgn::Input::new(file).unwrap();
        // The last game is cut, and kept as it is.
        input.take(600_000).read_to_end(&mut text).unwrap();
        let (archive, _) = there_and_back(name, &text, &options(1, 128 << 10));
        assert!(archive.len() * 2 < text.len());
    }
}

#[test]
fn odd_files_come_back() {
    let Some(folder) = shared("pgn-odd") else {
        return;
    };
    let files = walk(&folder);
    assert!(files.len() > 200);
    for path in &files {
        let text = std::fs::read(path).unwrap();
        there_and_back(&path.display().to_string(), &text, &options(1, 64 << 10));
    }
    let texts: Vec<Vec<u8>> = files
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect();
    let texts: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
    let (archive, packed) = pack(&texts, &options(2, 64 << 10));
    assert!(unpack(&archive).unwrap() == texts.concat());
    let games: u64 = texts.iter().map(|text| games_in(text).0).sum();
    assert_eq!(packed.games, games);
}

#[test]
fn mutants_come_back() {
    let count = if is_full() { 2_000 } else { 200 };
    let mut seeds = vec![ODD.as_bytes().to_vec()];
    for folder in ["good", "odd", "bad"] {
        let files = walk(&support::root().join("testdata/pgn").join(folder));
        seeds.extend(files.iter().map(|path| std::fs::read(path).unwrap()));
    }
    seeds.retain(|seed| seed.len() < 20_000);
    let mut random = Random::new(7);
    for number in 0..count {
        let seed = &seeds[random.below(seeds.len())];
        let text = mutant(seed, &mut random);
        there_and_back(&format!("mutant {number}"), &text, &options(1, 1 << 20));
    }
}

fn collection() -> Vec<u8> {
    let mut text = Vec::new();
    for number in 0..400 {
        text.extend_from_slice(
            format!(
                "[Event \"Cup {}\"]\n[White \"Ann\"]\n[Round \"{number}\"]\n\n",
                number % 7
            )
            .as_bytes(),
        );
        let lines = [
            "1. e4 e5 2. Nf3 1-0",
            "1. d4 {x} d5 *",
            "1. e4 c5 2. Ke3",
            "1.c4 e5 0-1",
        ];
        text.extend_from_slice(lines[number % 4].as_bytes());
        text.extend_from_slice(b"\n\n");
    }
    text
}

#[test]
fn the_archive_does_not_depend_on_the_number_of_threads() {
    let text = collection();
    let texts = [&text[..], b"", ODD.as_bytes(), &text[..500]];
    let (one, packed) = pack(&texts, &options(1, 1 << 10));
    assert!(open_bytes(&one).unwrap().row_groups() > 10);
    for threads in [2, 3, 8] {
        let (many, same) = pack(&texts, &options(threads, 1 << 10));
        assert!(one == many, "{threads} threads");
        assert_eq!(packed, same);
    }
    assert!(unpack(&one).unwrap() == texts.concat());
}

/// Columns are shared out by their bytes: nearly all of them may be in one, the last.
#[test]
fn text_that_is_no_game_is_packed_by_any_number_of_threads() {
    let mut random = Random::new(5);
    let garbage: Vec<u8> = (0..1 << 20)
        .map(|_| b"abcdefgh {}()\n"[random.below(14)])
        .collect();
    let bad = "[White \"Ann\"]\n\n1. e4 e5 2. Ke3 {and so on} *\n\n".repeat(9000);
    for text in [&garbage[..], bad.as_bytes(), b""] {
        let (one, packed) = pack(&[text], &options(1, 16 << 20));
        for threads in [2, 3, 8] {
            let (many, same) = pack(&[text], &options(threads, 16 << 20));
            assert!(one == many && packed == same, "{threads} threads");
        }
        assert!(unpack(&one).unwrap() == text);
    }
}

#[test]
fn inputs_are_named_and_counted() {
    let texts: [&[u8]; 4] = [b"1. e4 *\n\n1. d4 *\n", b"", b"no game", b"1. c4 *\n"];
    for row_group_bytes in [1 << 10, 1 << 20] {
        let (archive, packed) = pack(&texts, &options(1, row_group_bytes));
        assert_eq!(packed.games, 4);
        let archive = open_bytes(&archive).unwrap();
        let inputs = archive.inputs().iter();
        let inputs: Vec<_> = inputs.map(|input| (&*input.name, input.rows)).collect();
        assert_eq!(inputs, [("a", 2), ("b", 0), ("c", 1), ("d", 1)]);
    }
}

#[test]
fn inputs_are_opened_one_after_the_other() {
    struct Counted<'a>(&'a std::cell::Cell<usize>, &'a [u8]);
    impl Read for Counted<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1.read(buffer)
        }
    }
    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() - 1);
        }
    }
    let open = std::cell::Cell::new(0);
    let inputs = (0..50).map(|number| {
        open.set(open.get() + 1);
        assert!(open.get() <= 2, "two inputs are open");
        (number.to_string(), Counted(&open, b"1. e4 *\n"))
    });
    let (_, packed) = games::pack(inputs, Vec::new(), &options(2, 1 << 10), |_, _| {}).unwrap();
    assert_eq!(packed.games, 50);
}

#[test]
fn an_error_of_an_input_is_handed_on() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("told to fail"))
        }
    }
    let text: Box<dyn Read> = Box::new(&b"1. e4 *\n"[..]);
    let inputs = [("a".to_owned(), text), ("b".to_owned(), Box::new(Broken))];
    let error = games::pack(inputs, Vec::new(), &options(2, 1 << 10), |_, _| {}).unwrap_err();
    assert!(matches!(error, ArchiveError::Io(_)), "{error}");
}

/// Fails at the n-th write, or takes no more bytes.
struct Failing {
    left: usize,
    is_full: bool,
}

impl io::Write for Failing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left == 0 {
            return if self.is_full {
                Ok(0)
            } else {
                Err(io::ErrorKind::StorageFull.into())
            };
        }
        self.left -= 1;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_writer_that_fails_at_any_write_is_an_error() {
    let text = collection();
    for is_full in [false, true] {
        for threads in [1, 2] {
            let mut left = 0;
            loop {
                let inputs = [("a".to_owned(), &text[..2_000])];
                let out = Failing { left, is_full };
                match games::pack(inputs, out, &options(threads, 1 << 10), |_, _| {}) {
                    Err(ArchiveError::Io(_)) => left += 1,
                    Err(error) => panic!("{error}"),
                    Ok(_) => break,
                }
            }
            assert!(left > 20, "{left} writes");
        }
    }
}

#[test]
fn a_writer_that_fails_while_unpacking_is_an_error() {
    let text = collection();
    let (archive, _) = pack(&[&text], &options(1, 1 << 10));
    let mut left = 0;
    loop {
        let mut out = Failing {
            left,
            is_full: false,
        };
        match open_bytes(&archive).unwrap().unpack(&mut out, |_| {}) {
            Err(ArchiveError::Io(_)) => left += 1,
            Err(error) => panic!("{error}"),
            Ok(()) => break,
        }
    }
    assert!(left > 5);
}

#[test]
fn what_is_left_out_is_said() {
    let text = "[Event \"x\"]\n[White \"Ann\"]\n\n1.e4! {best [%clk 0:01:00]} (1. d4 {x} d5) e5 $1 1-0\n\n\
                [Event \"bad\"]\n\n1. e5 {kept} *\n\n";
    for (lossy, moves) in [
        (Lossy::NoComments, "1. e4! (1. d4 d5) 1... e5 $1 1-0"),
        (Lossy::MovesOnly, "1. e4 e5 1-0"),
    ] {
        let options = PackOptions {
            lossy: Some(lossy),
            ..options(1, 1 << 20)
        };
        let (archive, packed) = pack(&[text.as_bytes()], &options);
        let back = String::from_utf8(unpack(&archive).unwrap()).unwrap();
        let bad = "[Event \"bad\"]\n\n1. e5 {kept} *\n\n";
        let good = format!("[Event \"x\"]\n[White \"Ann\"]\n\n{moves}\n\n");
        assert_eq!(back, good + bad);
        let archive = open_bytes(&archive).unwrap();
        assert_eq!(archive.lossy(), Some(lossy));
        assert_eq!(archive.text_bytes(), u64::try_from(back.len()).unwrap());
        assert_eq!(packed.text_bytes, u64::try_from(text.len()).unwrap());
    }
}

#[test]
fn little_memory_makes_small_row_groups_and_the_same_text() {
    let text = collection();
    let whole = PackOptions::default();
    let small = PackOptions {
        memory: 64 << 10,
        ..whole
    };
    let (one, _) = pack(&[&text], &whole);
    let (many, _) = pack(&[&text], &small);
    assert_eq!(open_bytes(&one).unwrap().row_groups(), 1);
    assert!(open_bytes(&many).unwrap().row_groups() > 3);
    assert!(unpack(&one).unwrap() == unpack(&many).unwrap());
}

#[test]
fn merged_archives_are_the_games_of_all() {
    let text = collection();
    let other: Vec<u8> = text
        .iter()
        .map(|&b| if b == b'7' { b'8' } else { b })
        .collect();
    let (a, _) = pack(&[&text, b"1. d4 *\n"], &options(1, 4 << 10));
    let (b, _) = pack(&[&other], &options(1, 1 << 20));
    let archives = [open_bytes(&a).unwrap(), open_bytes(&b).unwrap()];
    let (merged, length) = games::merge(&archives.each_ref(), Vec::new()).unwrap();
    assert_eq!(length, u64::try_from(merged.len()).unwrap());
    assert!(unpack(&merged).unwrap() == [&text, &b"1. d4 *\n"[..], &other].concat());
    let merged = open_bytes(&merged).unwrap();
    assert_eq!(merged.games(), archives[0].games() + archives[1].games());
    assert_eq!(merged.plies(), archives[0].plies() + archives[1].plies());
    assert_eq!(merged.inputs().len(), 3);
    assert_eq!(
        merged.row_groups(),
        archives[0].row_groups() + archives[1].row_groups()
    );
    // One game by its pages: the page index was moved along.
    let last = merged.row_groups() - 1;
    let one = merged.row_range(last, 5..6, games::Columns::ALL).unwrap();
    assert_eq!(one.len(), 1);
}

#[test]
fn unlike_archives_are_not_merged() {
    let text = b"[Event \"x\"]\n\n1. e4 *\n";
    // As the golden archive has it.
    let packed = PackOptions {
        codec: codec::CodecName::Packed,
        ..options(1, 1 << 20)
    };
    let (a, _) = pack(&[text], &packed);
    let word = PackOptions {
        codec: codec::CodecName::Word,
        ..packed
    };
    let lossy = PackOptions {
        lossy: Some(Lossy::MovesOnly),
        ..packed
    };
    let (b, _) = pack(&[text], &word);
    let (c, _) = pack(&[text], &lossy);
    // It has columns for the tags of its games only.
    let golden = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../testdata/golden/archive/1"
    );
    let d = std::fs::read(Path::new(golden).join("classics.scoresheet")).unwrap();
    for (other, cause) in [(&b, "codec"), (&c, "left out"), (&d, "columns")] {
        let archives = [open_bytes(&a).unwrap(), open_bytes(other).unwrap()];
        let error = games::merge(&archives.each_ref(), Vec::new()).unwrap_err();
        assert!(error.to_string().contains(cause), "{error}");
    }
    assert!(games::merge::<&[u8], _>(&[], Vec::new()).is_err());
}
