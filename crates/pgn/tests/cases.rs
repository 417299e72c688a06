//! Every file of `testdata/pgn` gives what stands beside it.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

mod support;

use scoresheet_pgn::{Checker, GameBuilder, Reader, Style, write_game};
use support::{describe, testdata};

#[test]
fn every_case_gives_what_is_expected() {
    let mut count = 0;
    for folder in ["good", "odd", "bad"] {
        for (path, text) in testdata(folder) {
            let expected = std::fs::read_to_string(path.with_extension("expect")).unwrap();
            assert_eq!(describe(&text), expected, "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 80, "only {count} cases");
}

#[test]
fn bad_games_cost_their_neighbours_nothing() {
    let before = b"[Event \"Before\"]\n\n1. e4 e5 1-0\n\n";
    let after = b"\n[Event \"After\"]\n\n1. d4 d5 2. c4 0-1\n";
    for (path, text) in testdata("bad") {
        let mut all = before.to_vec();
        all.extend_from_slice(&text);
        all.extend_from_slice(after);
        let mut reader = Reader::from_slice(&all);
        let mut checker = Checker::new();
        let mut results = Vec::new();
        while let Some(result) = reader.read_game(&mut checker).unwrap() {
            results.push(result);
        }
        let name = path.display();
        assert_eq!(results.len() as u64, reader.games(), "{name}");
        let first = results.first().unwrap().as_ref().unwrap();
        assert_eq!(first.plies, 2, "{name}");
        let last = results.last().unwrap().as_ref().unwrap();
        assert_eq!(last.plies, 3, "{name}: the last game");
        let bad = results.iter().filter(|result| result.is_err()).count();
        assert!(bad >= 1, "{name}");
        let good = results.iter().filter(|result| result.is_ok()).count();
        assert_eq!(good, 2, "{name}");
    }
}

/// The export format says the same as what was read, and is its own export.
#[test]
fn what_is_written_reads_the_same() {
    for folder in ["good", "odd"] {
        for (path, text) in testdata(folder) {
            let mut reader = Reader::from_slice(&text);
            let mut builder = GameBuilder::new();
            while let Some(result) = reader.read_game(&mut builder).unwrap() {
                let Ok(game) = result else { continue };
                for (name, style) in Style::NAMED {
                    let mut once = Vec::new();
                    write_game(&game, &style, &mut once);
                    let again = scoresheet_pgn::Game::parse(&once)
                        .unwrap_or_else(|e| panic!("{} {name}: {e}", path.display()));
                    assert_eq!(again.main_line().moves(), game.main_line().moves());
                    assert_eq!(again.lines().len(), game.lines().len());
                    let mut twice = Vec::new();
                    write_game(&again, &style, &mut twice);
                    assert_eq!(
                        String::from_utf8_lossy(&once),
                        String::from_utf8_lossy(&twice),
                        "{} {name}",
                        path.display()
                    );
                }
            }
        }
    }
}

#[test]
fn export_lines_are_short_and_the_roster_is_complete() {
    for (path, text) in testdata("good") {
        let Ok(game) = scoresheet_pgn::Game::parse(&text) else {
            continue;
        };
        let mut written = Vec::new();
        write_game(&game, &Style::EXPORT, &mut written);
        let name = path.display();
        assert!(written.starts_with(b"[Event \""), "{name}");
        for line in written.split(|&byte| byte == b'\n') {
            assert!(line.len() < 80 || line.starts_with(b"["), "{name}");
        }
        for tag in ["Event", "Site", "Date", "Round", "White", "Black", "Result"] {
            let again = scoresheet_pgn::Game::parse(&written).unwrap();
            assert!(again.tag(tag.as_bytes()).is_some(), "{name}: {tag}");
        }
    }
}
