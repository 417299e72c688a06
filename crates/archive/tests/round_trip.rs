//! PGN to BCGN and back: moves, results and tags stay; the number of threads does not matter.
#![allow(clippy::indexing_slicing, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use pgn::{Game, GameBuilder};
use scoresheet_archive::bcgn::{ConvertOptions, Format, Level, Report, export, import, recode};

/// Tags that need care, and games that cannot be held.
const ODD: &str = r#"[Event "a \"quoted\" name, and a back\\slash"]
[Site ""]
[Date "1999.13.99"]
[Round "05"]
[White "?"]
[Black "Jos\é"]
[Result "1/2"]
[WhiteElo "?"]
[BlackElo "02500"]
[ECO "B12/03"]
[Annotator "x"]

1. e4 (1. d4 {a comment} d5 (1... Nf6 $2)) e5! {another} 1/2-1/2

[Event "no date, twice the same tag"]
[White "A"]
[White "B"]
[Round "1"]
[Round "2"]
[ECO "A00"]

1. e4 *

[Event "contradicting results"]
[Result "1-0"]

1. e4 0-1

[Event "the counters of a FEN"]
[Date "0000.00.00"]
[SetUp "1"]
[FEN "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 12 34"]

34... O-O 35. O-O-O 1-0

[Event "the usual start as a FEN"]
[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]

1. d4 *

[Event "an en-passant square that nobody can use"]
[SetUp "1"]
[FEN "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1"]

1... d3 *

[Event "Chess960"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bqrbnkrn/pppppppp/8/8/8/8/PPPPPPPP/BQRBNKRN w GCgc - 0 1"]

1. e4 *

[Event "bad"]

1. e5 *

[Event "a null move"]

1. e4 -- *

[Event "good again"]
[Round "-"]

1. c4 c5 *
"#;

fn golden(name: &str) -> Option<Vec<u8>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let found = fs::read(root.join("../shared/golden/bcgn").join(name)).ok();
    if found.is_none() {
        println!("skipped: {name} is not here");
    }
    found
}

fn games(text: &[u8]) -> Vec<Game> {
    let mut reader = pgn::Reader::from_slice(text);
    let mut builder = GameBuilder::new();
    let mut games = Vec::new();
    while let Some(game) = reader.read_game(&mut builder).unwrap() {
        games.extend(game.ok());
    }
    games
}

fn options(threads: usize) -> ConvertOptions {
    ConvertOptions {
        threads: NonZeroUsize::new(threads).unwrap(),
        ..ConvertOptions::default()
    }
}

fn to_bcgn(text: &[u8], format: Format, threads: usize) -> (Vec<u8>, Report, Vec<String>) {
    let mut file = Vec::new();
    let mut problems = Vec::new();
    let report = import(text, &mut file, format, &options(threads), |problem, _| {
        problems.extend(problem.map(ToString::to_string));
    });
    (file, report.unwrap(), problems)
}

fn to_pgn(file: &[u8], threads: usize) -> (Vec<u8>, Report) {
    let mut text = Vec::new();
    let report = export(file, &mut text, &options(threads), |problem, _| {
        assert!(problem.is_none(), "{}", problem.unwrap());
    });
    (text, report.unwrap())
}

/// Every tag of the first is in the second as often, and what the second has more is of the roster.
fn compare_tags(before: &Game, after: &Game) {
    let count = |game: &Game| {
        let mut count = BTreeMap::new();
        for (name, value) in game.tags() {
            let tag = [name, b"=", value].map(String::from_utf8_lossy).concat();
            *count.entry(tag).or_insert(0) += 1;
        }
        count
    };
    let (before, mut after) = (count(before), count(after));
    for (tag, count) in before {
        assert_eq!(after.remove(&tag), Some(count), "{tag}");
    }
    let added = [
        "Event=?",
        "Site=?",
        "Date=????.??.??",
        "Round=?",
        "White=?",
        "Black=?",
        "SetUp=1",
    ];
    for tag in after.keys() {
        assert!(
            added.contains(&tag.as_str()) || tag.starts_with("Result="),
            "{tag}"
        );
    }
}

fn compare(before: &[Game], after: &[Game]) {
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(after) {
        assert_eq!(before.start(), after.start());
        assert_eq!(before.main_line().moves(), after.main_line().moves());
        assert_eq!(before.outcome().or(before.tag_outcome()), after.outcome());
        compare_tags(before, after);
    }
}

#[test]
fn odd_games_come_back_or_are_reported() {
    for level in Level::ALL {
        let (file, report, problems) = to_bcgn(ODD.as_bytes(), Format::new(level), 1);
        assert_eq!((report.games_read, report.games_written), (10, 7));
        let left_out: Vec<_> = report
            .games_left_out
            .iter()
            .map(|(k, n)| (*k, *n))
            .collect();
        assert_eq!(
            left_out,
            [("chess960", 1), ("illegal-move", 1), ("null move", 1)]
        );
        let dropped: Vec<_> = report.dropped.iter().map(|(k, n)| (*k, *n)).collect();
        assert_eq!(dropped, [("NAGs", 2), ("comments", 2), ("variations", 2)]);
        assert_eq!(report.bytes_written, file.len() as u64);
        assert_eq!(problems.len(), 6);
        assert_eq!(
            problems[0],
            "game 1, line 1, byte 0: no place for 2 comments"
        );
        assert!(
            problems[3].starts_with("game 7, line 47, byte "),
            "{}",
            problems[3]
        );
        assert!(
            problems[3].contains("Chess960: the castling rook on c1"),
            "{}",
            problems[3]
        );
        assert!(
            problems[5].ends_with("BCGN holds no null move: ply 2"),
            "{}",
            problems[5]
        );

        let (text, back) = to_pgn(&file, 1);
        assert_eq!((back.games_read, back.games_written), (7, 7));
        let mut before = games(ODD.as_bytes());
        before.retain(|game| !matches!(game.tag(b"Event"), Some(b"Chess960" | b"a null move")));
        compare(&before, &games(&text));
        // What has been through once stays as it is.
        let (again, _, _) = to_bcgn(&text, Format::new(level), 2);
        assert_eq!(to_pgn(&again, 2).0, text);
    }
}

#[test]
fn headerless_files_keep_moves_and_results() {
    for level in Level::ALL {
        let (file, report, _) = to_bcgn(ODD.as_bytes(), Format::new(level).headerless(), 1);
        assert_eq!(report.games_written, 7);
        let (text, _) = to_pgn(&file, 1);
        let before = games(ODD.as_bytes());
        let after = games(&text);
        assert_eq!(after.len(), 7);
        let (first, whole) = (after[0].main_line(), before[0].main_line());
        assert_eq!(first.moves(), whole.moves());
        assert_eq!(after[2].outcome(), Some(pgn::Outcome::BlackWins));
        assert_eq!(after[0].tag(b"White"), Some(&b"?"[..]));
    }
}

#[test]
fn real_games_come_back_with_all_their_tags() {
    for name in ["permove20.pgn", "lichess.pgn"] {
        let Some(text) = golden(name) else { continue };
        let before = games(&text);
        for level in Level::ALL {
            let (file, report, _) = to_bcgn(&text, Format::new(level), 2);
            assert_eq!(report.games_written, before.len() as u64);
            let (back, _) = to_pgn(&file, 2);
            compare(&before, &games(&back));
        }
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let mut text = Vec::new();
    for _ in 0..1_200 {
        text.extend(ODD.as_bytes());
        text.push(b'\n');
    }
    assert!(text.len() > 1 << 20, "more than one batch");
    for format in [
        Format::new(Level::Packed),
        Format::new(Level::Index).headerless(),
    ] {
        let one = to_bcgn(&text, format, 1);
        assert_eq!(one.1.games_read, 12_000);
        let back = to_pgn(&one.0, 1);
        for threads in [2, 3, 8] {
            assert_eq!(to_bcgn(&text, format, threads), one);
            assert_eq!(to_pgn(&one.0, threads), back);
        }
        // Problems are numbered and placed as if nobody had cut the text.
        let last = one.2.last().unwrap();
        let lines = text.iter().filter(|byte| **byte == b'\n').count();
        assert!(
            last.starts_with(&format!("game 11999, line {}, ", lines - 8)),
            "{last} {lines}"
        );
    }
}

#[test]
fn a_game_that_is_too_large_is_reported_in_its_place() {
    let mut text = b"1. e4 *\n\n1. d4 {".to_vec();
    text.extend(b"seven x\n".repeat(17 << 17));
    text.extend(b"} d5 *\n\n1. c4 *\n\n1. Nf9 *\n\n1. -- *\n");
    let lines = 17 << 17;
    for threads in [1, 2] {
        let (_, report, problems) = to_bcgn(&text, Format::new(Level::Packed), threads);
        assert_eq!((report.games_read, report.games_written), (5, 2));
        assert!(problems[0].starts_with("game 2, line 3, "), "{problems:?}");
        assert!(
            problems[0].ends_with("the game is larger than 16777216 bytes"),
            "{problems:?}"
        );
        // The text is good and BCGN has no place for it: the converter counts the lines itself.
        for (problem, (game, line)) in problems[1..].iter().zip([(4, 7), (5, 9)]) {
            let place = format!("game {game}, line {}, ", lines + line);
            assert!(problem.starts_with(&place), "{problem}: {place}");
        }
        assert_eq!(problems.len(), 3);
    }
}

#[test]
fn strict_stops_at_the_first_loss() {
    let strict = ConvertOptions {
        is_strict: true,
        ..options(2)
    };
    let mut file = Vec::new();
    let done = import(
        ODD.as_bytes(),
        &mut file,
        Format::new(Level::Index),
        &strict,
        |_, _| {},
    );
    assert_eq!(
        done.unwrap_err().to_string(),
        "game 1, line 1, byte 0: no place for 2 comments"
    );
}

#[test]
fn damaged_games_are_left_out_and_a_cut_is_told() {
    let (file, _, _) = to_bcgn(ODD.as_bytes(), Format::new(Level::Packed), 1);
    let cut = &file[..file.len() - 1];
    for threads in [1, 2] {
        let mut problems = Vec::new();
        let report = export(cut, Vec::new(), &options(threads), |problem, _| {
            problems.extend(problem.map(ToString::to_string));
        });
        let report = report.unwrap();
        assert_eq!(
            (report.games_read, report.games_written, report.is_cut_short),
            (7, 6, true)
        );
        assert_eq!(problems.len(), 1);
        assert!(problems[0].contains("the file ends"), "{problems:?}");
    }
}

/// From any form to any other, the file is the one that PGN would have given.
#[test]
fn a_file_in_another_form_is_what_pgn_gives() {
    let options = ConvertOptions::default();
    let imported = |text: &[u8], format| {
        let mut file = Vec::new();
        import(text, &mut file, format, &options, |_, _| {}).unwrap();
        file
    };
    for from in Format::all() {
        let file = imported(ODD.as_bytes(), from);
        let mut text = Vec::new();
        let games = export(&file[..], &mut text, &options, |_, _| {}).unwrap();
        for to in Format::all() {
            let mut found = Vec::new();
            let report = recode(&file[..], &mut found, to, &options, |_, _| {}).unwrap();
            assert_eq!(report.games_written, games.games_written);
            assert_eq!(report.bytes_written, found.len() as u64);
            assert!(report.games_left_out.is_empty() && report.dropped.is_empty());
            let expected = if from.is_headerless {
                imported(&text, to)
            } else {
                imported(ODD.as_bytes(), to)
            };
            assert!(found == expected, "{from:?} to {to:?}");
        }
    }
}

#[test]
fn recoding_tells_of_damage_and_of_tags() {
    let from = Format::new(Level::Index).headerless();
    let mut file = from.to_bytes().to_vec();
    file.extend([0, 6, 0, 4, 0, 67]);
    file.extend([0, 6, 0, 4, 0, 255]);
    let mut out = Vec::new();
    let mut problems = Vec::new();
    let report = recode(
        &file[..],
        &mut out,
        Format::new(Level::Compressed),
        &ConvertOptions::default(),
        |problem, _| problems.extend(problem.map(ToString::to_string)),
    )
    .unwrap();
    assert_eq!((report.games_read, report.games_written), (2, 1));
    assert_eq!(report.games_left_out, BTreeMap::from([("damaged", 1)]));
    assert!(problems[0].starts_with("game 2, byte 43: "), "{problems:?}");

    let mut with_tags = Vec::new();
    let to = Format::new(Level::Packed);
    let options = ConvertOptions::default();
    import(ODD.as_bytes(), &mut with_tags, to, &options, |_, _| {}).unwrap();
    let options = ConvertOptions {
        has_extra_tags: false,
        ..options
    };
    let mut without = Vec::new();
    let report = recode(&with_tags[..], &mut without, to, &options, |_, _| {}).unwrap();
    assert!(report.dropped["tags"] > 0 && without.len() < with_tags.len());
}

/// 16,000 moves and headers of 40,000 bytes fit a game at level 1, and not at level 0.
#[test]
fn a_game_that_another_level_cannot_hold_is_refused() {
    let mut moves = String::new();
    for _ in 0..4_000 {
        moves += "Nf3 Nf6 Ng1 Ng8 ";
    }
    let mut text = String::from("[Event \"x\"]\n");
    for number in 0..160 {
        text += &format!("[Tag{number} \"{}\"]\n", "v".repeat(240));
    }
    text += &format!("\n{moves}*\n\n1. e4 *\n");
    let options = ConvertOptions::default();
    let mut file = Vec::new();
    let format = Format::new(Level::Index);
    let report = import(text.as_bytes(), &mut file, format, &options, |_, _| {}).unwrap();
    assert_eq!(report.games_written, 2);
    let mut out = Vec::new();
    let to = Format::new(Level::Compressed);
    let report = recode(&file[..], &mut out, to, &options, |_, _| {}).unwrap();
    assert_eq!((report.games_read, report.games_written), (2, 1));
    assert_eq!(report.left_out(), 1);
}
