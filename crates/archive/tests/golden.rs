//! Files of the program that BCGN comes from: read to the same games, written to the same bytes.
#![allow(clippy::indexing_slicing, clippy::unwrap_used)]

use std::fs;
use std::path::PathBuf;

use pgn::GameBuilder;
use scoresheet_archive::bcgn::{Draft, Entry, Format, Reader};
use scoresheet_archive::{Limit, Refusal};

/// A file made by the original, ours or beside the repository. `None`, and a word about it, if it is
/// not here.
fn golden(name: &str) -> Option<Vec<u8>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let places = ["testdata/golden/bcgn", "../shared/golden/bcgn"];
    let found = places
        .iter()
        .find_map(|place| fs::read(root.join(place).join(name)).ok());
    if found.is_none() {
        println!("skipped: {name} is not here");
    }
    found
}

fn games(text: &[u8]) -> Vec<pgn::Game> {
    let mut reader = pgn::Reader::from_slice(text);
    let mut builder = GameBuilder::new();
    let mut games = Vec::new();
    while let Some(game) = reader.read_game(&mut builder).unwrap() {
        games.push(game.unwrap());
    }
    games
}

/// `c0` to `c2` with headers, `c0h` to `c2h` without.
fn file_name(name: &str, format: Format) -> String {
    let h = if format.is_headerless { "h" } else { "" };
    format!("{name}.c{}{h}.bcgn", format.level.number())
}

fn entries(file: &[u8], mut check: impl FnMut(usize, Entry<'_>)) -> usize {
    let mut reader = Reader::new(file).unwrap();
    let mut count = 0;
    while let Some(entry) = reader.next_entry().unwrap() {
        check(count, entry);
        count += 1;
    }
    count
}

/// Round and ECO have the original's quirks.
fn masked(entry: &[u8], format: Format) -> Vec<u8> {
    let mut entry = entry.to_vec();
    if !format.is_headerless {
        entry[14..18].fill(0);
    }
    entry
}

/// What the original does with a game: names cut, tags left out unless it was asked for them.
fn as_the_original<'a>(game: &'a pgn::Game, keeps_tags: bool) -> Draft<'a> {
    let mut draft = Draft::from_pgn(game).unwrap().draft;
    draft.info.event = &draft.info.event[..draft.info.event.len().min(255)];
    draft
        .tags
        .retain(|(name, _)| keeps_tags && !matches!(*name, b"Round" | b"ECO" | b"FEN"));
    draft
}

fn compare(name: &str, golden_name: &str, format: Format, keeps_tags: bool) {
    let (Some(text), Some(file)) = (golden(&format!("{name}.pgn")), golden(golden_name)) else {
        return;
    };
    let games = games(&text);
    assert_eq!(file[..32], format.to_bytes());
    let count = entries(&file, |i, entry| {
        let mut ours = Vec::new();
        let draft = as_the_original(&games[i], keeps_tags);
        format.encode(&draft, &mut ours).unwrap();
        let (ours, theirs) = (masked(&ours, format), masked(entry.bytes(), format));
        assert_eq!(ours, theirs, "{golden_name}, game {i}");
    });
    assert_eq!(count, games.len(), "{golden_name}");
}

#[test]
fn our_bytes_are_the_original_s_in_all_six_forms() {
    for name in ["synthetic_edge", "permove20", "lichess"] {
        for format in Format::all() {
            compare(name, &file_name(name, format), format, false);
        }
    }
}

#[test]
fn extra_tags_are_the_original_s() {
    let format = Format::new(scoresheet_archive::bcgn::Level::Index);
    compare("permove20", "permove20_tags.c1.bcgn", format, true);
}

/// A line of `NAME.uci.txt`: where it starts, the moves, the result, where it ends. The original has
/// no counters.
fn told(entry: &Entry<'_>) -> String {
    let header = entry.header().unwrap();
    let fen = |position: &chess::Position| {
        let text = position.to_string();
        let fields: Vec<&str> = text.split(' ').take(3).collect();
        fields.join(" ")
    };
    let moves: Vec<String> = entry
        .moves()
        .unwrap()
        .iter()
        .map(|m| m.to_string())
        .collect();
    let end = entry
        .replay(&header, |_, _| std::ops::ControlFlow::Continue(()))
        .unwrap();
    let start = header
        .start
        .map_or("startpos".to_owned(), |p| format!("fen {}", fen(&p)));
    format!(
        "{start} moves {} ; {} ; end {}",
        moves.join(" "),
        header.result,
        fen(&end)
    )
}

/// A line of the original without en-passant squares and counters.
fn without_counters(line: &str) -> String {
    let [start, result, end] = line.splitn(3, " ; ").collect::<Vec<_>>()[..] else {
        return line.to_owned();
    };
    let (start, moves) = start.split_once("moves").unwrap();
    let first =
        |text: &str, count| -> String { text.split(' ').take(count).collect::<Vec<_>>().join(" ") };
    let start = if start.starts_with("fen") {
        first(start, 4)
    } else {
        start.trim().to_owned()
    };
    format!(
        "{start} moves {} ; {result} ; {}",
        moves.trim(),
        first(end, 4)
    )
}

#[test]
fn the_original_s_files_are_read_to_its_moves_in_all_six_forms() {
    for name in ["synthetic_edge", "permove20", "lichess"] {
        let Some(lines) = golden(&format!("{name}.uci.txt")) else {
            continue;
        };
        let lines = String::from_utf8(lines).unwrap();
        let lines: Vec<&str> = lines.lines().collect();
        for format in Format::all() {
            let file = golden(&file_name(name, format)).unwrap();
            let count = entries(&file, |i, entry| {
                assert_eq!(
                    told(&entry),
                    without_counters(lines[i]),
                    "{name} {format:?} game {i}"
                );
            });
            assert_eq!(count, lines.len());
        }
    }
}

#[test]
fn the_original_s_headers_say_what_the_tags_say() {
    for name in ["synthetic_edge", "permove20", "lichess"] {
        let (Some(text), Some(file)) = (
            golden(&format!("{name}.pgn")),
            golden(&format!("{name}.c2.bcgn")),
        ) else {
            continue;
        };
        let games = games(&text);
        entries(&file, |i, entry| {
            let restored = entry.to_pgn().unwrap().game;
            for tag in [
                "White", "Black", "Site", "Date", "Result", "WhiteElo", "BlackElo",
            ] {
                // An unknown Elo of 0 is no tag.
                let expected = games[i].tag(tag.as_bytes()).filter(|text| *text != b"0");
                assert_eq!(restored.tag(tag.as_bytes()), expected, "{name} game {i}");
            }
            let event = games[i].tag(b"Event").unwrap();
            assert_eq!(
                restored.tag(b"Event").unwrap(),
                &event[..event.len().min(255)]
            );
            assert_eq!(restored.main_line().moves(), games[i].main_line().moves());
        });
    }
}

#[test]
fn the_name_that_the_original_cuts_is_refused() {
    let games = games(&golden("synthetic_edge.pgn").unwrap());
    let draft = Draft::from_pgn(games.last().unwrap()).unwrap().draft;
    let mut out = b"before".to_vec();
    for format in Format::all().into_iter().filter(|f| !f.is_headerless) {
        let refusal = format.encode(&draft, &mut out).unwrap_err();
        let limit = Limit {
            what: "Event bytes",
            found: 265,
            max: 255,
        };
        assert_eq!(refusal, Refusal::Limit(limit));
        assert_eq!(
            refusal.to_string(),
            "too large for BCGN: Event bytes: 265, and the limit is 255"
        );
        assert_eq!(out, b"before");
    }
}
