//! Damaged files: an error with its place, or another legal game of the same entry; never a panic,
//! never a hang.
#![allow(clippy::indexing_slicing, clippy::unwrap_used)]
#![allow(clippy::cast_possible_truncation)] // The files are small.

use std::io::Read;

use scoresheet_archive::bcgn::{Draft, Format, Level, Reader, Writer};
use scoresheet_archive::{ArchiveError, FormatFault};
use testkit::{Random, mutant};

const GAMES: [&[u8]; 4] = [
    b"[White \"Ann\"][Black \"Bob\"][Date \"2001.02.??\"][Round \"1\"][WhiteElo \"2535\"][ECO \"B12\"]
      1. e4 c6 2. d4 d5 3. e5 Bf5 1/2-1/2",
    b"[White \"C\"][Black \"D\"][Annotator \"E\"][Round \"3.1\"]
      [FEN \"r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1\"] 1. exd6 O-O-O 2. O-O 1-0",
    b"[White \"F\"][Black \"G\"] *",
    b"[White \"H\"][Black \"I\"][FEN \"4k3/pppppppp/8/8/8/8/QQQQQQQQ/3QK3 b - - 0 1\"] 1... e5 2. Qaa3 0-1",
];

fn small_file(format: Format) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), format).unwrap();
    for game in GAMES {
        let game = pgn::Game::parse(game).unwrap();
        writer
            .write(&Draft::from_pgn(&game).unwrap().draft)
            .unwrap();
    }
    assert_eq!(writer.games(), 4);
    writer.finish().unwrap()
}

/// Everything that can be read: how many games, and the first error. Each is read as PGN, and what is
/// read can be written again.
fn read_all(file: impl Read) -> (u64, Option<ArchiveError>) {
    let mut reader = match Reader::new(file) {
        Ok(reader) => reader,
        Err(error) => return (0, Some(error)),
    };
    let format = reader.format();
    let mut first_error = None;
    let mut good = 0;
    loop {
        match reader.next_entry() {
            Ok(None) => return (good, first_error),
            Ok(Some(entry)) => match (entry.header(), entry.moves()) {
                (Ok(header), Ok(moves)) => {
                    good += 1;
                    assert_eq!(moves.len(), usize::from(header.plies));
                    let draft = Draft {
                        info: header.info,
                        result: header.result,
                        start: header.start,
                        tags: header.tags.collect(),
                        moves,
                    };
                    let mut again = Vec::new();
                    format.encode(&draft, &mut again).unwrap();
                    assert_eq!(
                        again.len(),
                        entry.bytes().len() - empty_tags(&header, &entry)
                    );
                    entry.to_pgn().unwrap();
                }
                (_, Err(error)) | (Err(error), _) => {
                    let ArchiveError::Format { offset, .. } = error else {
                        panic!("{error}");
                    };
                    let range = entry.offset()..=entry.offset() + entry.bytes().len() as u64;
                    assert!(range.contains(&offset));
                    assert!(entry.to_pgn().is_err());
                    first_error.get_or_insert(error);
                }
            },
            Err(error) => {
                first_error.get_or_insert(error);
                // It stays an error.
                assert!(reader.next_entry().is_err());
                return (good, first_error);
            }
        }
    }
}

/// A flag for tags and none of them is legal, and one byte longer than we write it.
fn empty_tags(
    header: &scoresheet_archive::bcgn::Header<'_>,
    entry: &scoresheet_archive::bcgn::Entry<'_>,
) -> usize {
    let has_flag = !entry.format().is_headerless && entry.bytes()[18] & 1 != 0;
    usize::from(has_flag && header.tags.count() == 0)
}

/// Where the lengths still lead from entry to entry, the games beside the damaged one are what they
/// were, header and moves.
fn neighbours_are_unchanged(file: &[u8], flipped: &[u8], byte: usize) {
    let mut before = Reader::new(file).unwrap();
    let Ok(mut after) = Reader::new(flipped) else {
        return;
    };
    if before.format() != after.format() {
        return;
    }
    while let Some(expected) = before.next_entry().unwrap() {
        let at = expected.offset() as usize;
        let is_length = byte == at || byte == at + 1;
        let Ok(Some(found)) = after.next_entry() else {
            assert!(is_length, "byte {byte} costs the game at {at}");
            return;
        };
        if is_length {
            return;
        }
        if (at..at + expected.bytes().len()).contains(&byte) {
            continue;
        }
        assert_eq!(found.offset(), expected.offset());
        assert_eq!(
            found.to_pgn().unwrap(),
            expected.to_pgn().unwrap(),
            "byte {byte} changes the game at {at}"
        );
    }
}

#[test]
fn every_flipped_bit_is_an_error_or_another_game_of_that_entry() {
    for format in Format::all() {
        let file = small_file(format);
        assert!(matches!(read_all(&file[..]), (4, None)));
        for bit in 0..file.len() * 8 {
            let mut flipped = file.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let (good, error) = read_all(&flipped[..]);
            neighbours_are_unchanged(&file, &flipped, bit / 8);
            if bit < 32 * 8 {
                // The level and the flag of a file may be read as another level or form.
                let is_choice = bit / 8 == 5 || bit == 7 * 8 + 7;
                assert!(is_choice || error.is_some(), "bit {bit} of {format:?}");
            } else {
                assert!(
                    error.is_some() || good == 4,
                    "bit {bit} of {format:?}: {good}"
                );
            }
        }
    }
}

#[test]
fn every_cut_is_known_as_a_cut() {
    for format in Format::all() {
        let file = small_file(format);
        let mut ends = vec![32];
        let mut reader = Reader::new(&file[..]).unwrap();
        while let Some(entry) = reader.next_entry().unwrap() {
            ends.push(entry.offset() as usize + entry.bytes().len());
        }
        for cut in 0..file.len() {
            let (good, error) = read_all(&file[..cut]);
            let whole = ends
                .iter()
                .filter(|end| **end <= cut)
                .count()
                .saturating_sub(1);
            assert_eq!(good, whole as u64);
            if ends.contains(&cut) {
                // A file without its last games is a file: BCGN has no count.
                assert!(error.is_none());
                continue;
            }
            let Some(ArchiveError::Format {
                offset,
                fault: FormatFault::Truncated { .. },
            }) = error
            else {
                panic!("cut at {cut}: {error:?}");
            };
            assert!(offset <= cut as u64);
        }
    }
}

/// Gives a byte at a time.
struct Drip<'a>(&'a [u8]);

impl Read for Drip<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let count = out.len().min(1);
        self.0.read(&mut out[..count])
    }
}

#[test]
fn mutants_never_panic_and_buffering_does_not_matter() {
    for format in Format::all() {
        let file = small_file(format);
        for seed in 0..4_000 {
            let bytes = mutant(&file, &mut Random::new(seed));
            let (good, error) = read_all(&bytes[..]);
            let (dripped, same) = read_all(Drip(&bytes));
            let text = |error: Option<ArchiveError>| error.map(|e| e.to_string());
            assert_eq!((good, text(error)), (dripped, text(same)), "seed {seed}");
        }
    }
}

fn first_fault(file: &[u8]) -> (u64, String) {
    match read_all(file).1 {
        Some(ArchiveError::Format { offset, fault }) => (offset, fault.to_string()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn faults_of_the_head_have_their_offset() {
    let good = small_file(Format::new(Level::Packed));
    for (at, byte, text) in [
        (0, b'b', "no BCGN file, it begins with \"bCGN\""),
        (4, 1, "BCGN version 1, only version 0 is known"),
        (5, 3, "level 3, there are 0, 1 and 2"),
        (6, 1, "auxiliary compression 1, only 0 (none) is known"),
        (7, 0x81, "flags 0x81, only 0x80 are known"),
        (8, 1, "a reserved byte is 0x01 and must be 0"),
        (31, 255, "a reserved byte is 0xff and must be 0"),
    ] {
        let mut file = good.clone();
        file[at] = byte;
        assert_eq!(first_fault(&file), (at as u64, text.to_owned()));
    }
    let (offset, text) = first_fault(b"");
    assert_eq!(
        (offset, text.as_str()),
        (0, "the file ends, 4 bytes are needed and 0 are left")
    );
    assert_eq!(first_fault(b"[Event \"PGN\"]\n").0, 0);
}

#[test]
fn zero_short_and_lying_entries_have_their_offset() {
    let head = Format::new(Level::Index).to_bytes();
    let game = &small_file(Format::new(Level::Index))[32..];
    let length = usize::from(u16::from_be_bytes([game[0], game[1]]));
    let game = &game[..length];
    let file = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut entry = game.to_vec();
        change(&mut entry);
        [&head[..], game, &entry].concat()
    };
    let at = 32 + length as u64;
    let fault = |change: &dyn Fn(&mut Vec<u8>)| first_fault(&file(change));
    let least = "bytes long, 23 is the least";
    assert_eq!(
        fault(&|e| e[..2].fill(0)),
        (at, format!("the game says it is 0 {least}"))
    );
    assert_eq!(
        fault(&|e| e[1] = 22),
        (at, format!("the game says it is 22 {least}"))
    );
    assert_eq!(fault(&|e| e[0] = 1).0, at);
    assert!(fault(&|e| e[0] = 1).1.starts_with("the file ends, "));
    let header = usize::from(u16::from_be_bytes([game[2], game[3]]));
    let says = "the game's header says it is";
    assert_eq!(
        fault(&|e| e[3] = length as u8 + 1),
        (
            at + 2,
            format!("{says} {} bytes long, in a game of {length}", length + 1)
        )
    );
    assert_eq!(
        fault(&|e| e[3] += 1),
        (
            at + 2,
            format!("{says} {} bytes long, its fields take {header}", header + 1)
        )
    );
    assert_eq!(
        fault(&|e| e[3] -= 1),
        (
            at + 2,
            format!("{says} {} bytes long, its fields take {header}", header - 1)
        )
    );
    assert_eq!(
        fault(&|e| e[18] = 4),
        (at + 18, "flags 0x04, only 0x03 are known".to_owned())
    );
    // One ply more than there are moves, and one less.
    assert_eq!(fault(&|e| e[5] += 4).0, at + header as u64);
    assert_eq!(fault(&|e| e[5] -= 4).0, at + header as u64);
}

#[test]
fn faults_of_a_start_position_are_named() {
    let start = |bytes: [u8; 24]| {
        let head = Format::new(Level::Packed).headerless().to_bytes();
        first_fault(&[&head[..], &[0, 29, 0, 0, 2], &bytes].concat())
    };
    let men = |occupied: u64, codes: &[u8]| {
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(&occupied.to_be_bytes());
        for (i, code) in codes.iter().enumerate() {
            bytes[8 + i / 2] |= code << (4 * (i % 2));
        }
        bytes
    };
    let kings = 1 << 4 | 1 << 60;
    for (bytes, text) in [
        (
            men(0x1_ffff_ffff, &[]),
            "a start position with 33 men, 32 is the most",
        ),
        (
            men(kings, &[10, 11, 1]),
            "a start position with bits set after its last man",
        ),
        (
            men(kings | 2, &[13, 10, 11]),
            "a start position with a castling right of the rook on b1, no corner",
        ),
        (
            men(kings | 1, &[14, 10, 11]),
            "a start position with a castling right of the rook on a1, no corner",
        ),
        (
            men(1 << 5 | 1 << 60 | 1, &[13, 10, 11]),
            "the start position: BCGN holds no Chess960: the castling king on f1 is not on the e-file",
        ),
        (
            men(kings | 1 << 20, &[10, 12, 11]),
            "a start position with a pawn just pushed to e3, which cannot be",
        ),
        (
            men(kings | 1 << 28, &[10, 12, 15]),
            "a start position with a pawn just pushed to e4, which cannot be",
        ),
        (
            men(kings, &[10, 10]),
            "the start position: not a playable position: a side has no king; a side has more than one king",
        ),
    ] {
        assert_eq!(start(bytes), (37, text.to_owned()));
    }
}
