//! Every move of the golden files, in all three levels of BCGN.
#![allow(clippy::unwrap_used)] // What fails here fails the test.

mod support;

use std::fs;
use std::path::Path;

use chess::attacks::TwoStage;
use chess::{Position, Square};
use scoresheet_codec::{Compressed, GameDecoder, Legality, MoveCodec, MoveIndex, Packed, Plies};
use support::{root, shared, uci};

/// A game as the rows tell it: the start, and the bits of each level as digits.
#[derive(Default)]
struct Levels {
    plies: usize,
    digits: [String; 3],
}

/// Checks the rows of one file and returns how many there are.
fn check(path: &Path) -> usize {
    let text = fs::read_to_string(path).unwrap();
    let mut rows = 0;
    let mut game = None;
    let mut start = Position::START;
    let mut levels = Levels::default();
    let mut position = Position::START;
    let mut packed = Packed.begin(&position).unwrap();
    let mut index = MoveIndex.begin(&position).unwrap();
    for row in text.lines().filter(|row| !row.starts_with('#')) {
        let [number, ply, fen, name, c0, c1, c1_bytes, c2] =
            row.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let fen = fen.strip_suffix("0 0").unwrap().to_owned() + "0 1";
        if game != Some(number) {
            assert_eq!(ply, "0", "{row}");
            read_back(&start, &levels);
            game = Some(number);
            position = fen.parse().unwrap();
            start = position;
            packed = Packed.begin(&position).unwrap();
            index = MoveIndex.begin(&position).unwrap();
            levels = Levels::default();
        }
        // The square in the file is the one that the original program has set.
        let set: Option<Square> = fen.split(' ').nth(3).unwrap().parse().ok();
        assert_eq!(packed.ep_square(), set, "{row}");
        let m = uci(&position, name);

        let bits = Compressed.encode(TwoStage, (), &position, m).unwrap();
        assert_eq!(format!("{:04x}", bits.value()), c0, "{row}");
        levels.digits[0] += &bits.to_string();
        let bits = MoveIndex.encode(TwoStage, index, &position, m).unwrap();
        assert_eq!(bits.value().to_string(), c1, "{row}");
        assert_eq!((bits.len() / 8).to_string(), c1_bytes, "{row}");
        levels.digits[1] += &bits.to_string();
        let [piece, to] = Packed.fields(packed, &position, m).unwrap();
        assert_eq!(format!("{piece}|{to}"), c2, "{row}");
        levels.digits[2] += &piece.then(to).to_string();

        index = MoveIndex.follow(TwoStage, index, &position, m);
        packed = Packed.follow(TwoStage, packed, &position, m);
        position.play(m).unwrap();
        levels.plies += 1;
        rows += 1;
    }
    read_back(&start, &levels);
    rows
}

/// The digits, as bytes, give the game again.
fn read_back(start: &Position, levels: &Levels) {
    fn plies<C: MoveCodec>(codec: C, start: &Position, plies: usize, digits: &str) -> usize {
        let bytes: Vec<u8> = digits
            .as_bytes()
            .chunks(8)
            .map(|byte| byte.iter().fold(0, |n, &d| n << 1 | (d - b'0')) << (8 - byte.len()))
            .collect();
        let mut game = GameDecoder::new(
            codec,
            start,
            Plies::Exactly(plies),
            Legality::Checked,
            &bytes,
        )
        .unwrap();
        while game.next_move().unwrap().is_some() {}
        game.plies()
    }
    let [c0, c1, c2] = &levels.digits;
    assert_eq!(plies(Compressed, start, levels.plies, c0), levels.plies);
    assert_eq!(plies(MoveIndex, start, levels.plies, c1), levels.plies);
    assert_eq!(plies(Packed, start, levels.plies, c2), levels.plies);
}

#[test]
fn the_games_made_for_the_corners() {
    let path = root().join("testdata/golden/bcgn/synthetic_edge.moves.tsv");
    assert_eq!(check(&path), 46);
}

#[test]
fn the_golden_files_of_others() {
    let Some(folder) = shared("golden/bcgn") else {
        return;
    };
    let mut rows = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.to_string_lossy().ends_with(".moves.tsv") {
            rows += check(&path);
        }
    }
    eprintln!("{rows} rows");
    assert!(rows > 2_500);
}
