//! The command `cat`, as people call it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // In a test a panic is the message.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn scoresheet(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_scoresheet"))
        .args(arguments)
        .output()
        .unwrap()
}

/// Twelve games, of which the texts are known.
fn games() -> Vec<String> {
    let players = ["Ann", "Bob", "Carlsen, Magnus", "Dée, Éric"];
    let results = ["1-0", "0-1", "1/2-1/2", "*"];
    (0..12)
        .map(|i| {
            let (white, black) = (players[i % 4], players[(i + 1) % 4]);
            let result = results[i % 4];
            format!(
                "[Event \"E{i}\"]\n[Site \"https://lichess.org/game{i:04}\"]\n\
                 [Date \"{}.01.02\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
                 [Result \"{result}\"]\n[WhiteElo \"{}\"]\n[BlackElo \"{}\"]\n[ECO \"B9{}\"]\n\n\
                 1. e4 {{ [%eval 0.25] [%clk 0:01:{i:02}] }} 1... c5 {result}\n\n",
                1990 + i,
                2000 + 100 * i,
                2050 + 100 * i,
                i % 10,
            )
        })
        .collect()
}

struct Archive {
    _directory: tempfile::TempDir,
    path: PathBuf,
}

impl Archive {
    fn new(text: &str) -> Archive {
        let directory = tempfile::tempdir().unwrap();
        let pgn = directory.path().join("games.pgn");
        fs::write(&pgn, text).unwrap();
        let path = directory.path().join("games.scoresheet");
        let output = scoresheet(&["pack", pgn.to_str().unwrap(), "-o", path.to_str().unwrap()]);
        assert!(path.exists(), "{output:?}");
        Archive {
            _directory: directory,
            path,
        }
    }

    fn cat(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let arguments = [&["cat", self.path.to_str().unwrap()], arguments].concat();
        let output = scoresheet(&arguments);
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
        )
    }
}

#[test]
fn games_come_by_number_as_they_were() {
    let games = games();
    let archive = Archive::new(&games.concat());
    assert_eq!(archive.cat(&[]), (Some(0), games.concat()));
    assert_eq!(archive.cat(&["7"]), (Some(0), games[6].clone()));
    assert_eq!(archive.cat(&["-n", "12"]), (Some(0), games[11].clone()));
    let asked = [&games[4..5], &games[0..2], &games[10..]].concat().concat();
    assert_eq!(archive.cat(&["5,1-2,11-"]), (Some(0), asked));
    assert_eq!(archive.cat(&["13"]), (Some(1), String::new()));
    assert_eq!(
        archive.cat(&["--limit", "2"]),
        (Some(0), games[..2].concat())
    );
    assert_eq!(archive.cat(&["--count"]), (Some(0), "12\n".to_owned()));
    assert_eq!(
        archive.cat(&["3-5", "--count"]),
        (Some(0), "3\n".to_owned())
    );
    assert_eq!(archive.cat(&["--number", "0"]).0, Some(2));
    assert_eq!(scoresheet(&["cat", "7"]).status.code(), Some(2));
}

#[test]
fn games_come_by_what_they_are() {
    let games = games();
    let archive = Archive::new(&games.concat());
    let cases: [(&[&str], Vec<usize>); 16] = [
        (&["--white", "ann"], vec![0, 4, 8]),
        (&["--black", "ann"], vec![3, 7, 11]),
        (&["--player", "Magnus carlsen"], vec![1, 2, 5, 6, 9, 10]),
        (&["--player", "éric", "--white", "carlsen"], vec![2, 6, 10]),
        (&["--player", "=Ann"], vec![0, 3, 4, 7, 8, 11]),
        (&["--player", "=ann"], vec![]),
        (&["--elo", "2700-"], vec![7, 8, 9, 10, 11]),
        (&["--elo", "-2150"], vec![0, 1]),
        (&["--white-elo", "2300", "--black-elo", "2350"], vec![3]),
        (&["--date", "1990-1992"], vec![0, 1, 2]),
        (&["--date", "2001.01.02-"], vec![11]),
        (&["--date", "1890"], vec![]),
        (&["--result", "draw"], vec![2, 6, 10]),
        (&["--result", "1-0", "--eco", "B90-B93"], vec![0]),
        (&["--eco", "A"], vec![]),
        (&["--id", "game0007"], vec![7]),
    ];
    for (arguments, numbers) in cases {
        let expected: String = numbers.iter().map(|&i| games[i].as_str()).collect();
        let code = if numbers.is_empty() { 1 } else { 0 };
        assert_eq!(
            archive.cat(arguments),
            (Some(code), expected),
            "{arguments:?}"
        );
        let counting = [arguments, &["--count"]].concat();
        let count = format!("{}\n", numbers.len());
        assert_eq!(archive.cat(&counting), (Some(code), count), "{arguments:?}");
    }
    assert_eq!(archive.cat(&["2-6", "--white", "ann"]).1, games[4]);
    for bad in [
        ["--elo", "high"],
        ["--date", "yesterday"],
        ["--eco", "Z"],
        ["--result", "2-0"],
        ["--player", ","],
    ] {
        assert_eq!(archive.cat(&bad).0, Some(2), "{bad:?}");
    }
}

#[test]
fn json_and_fen_tell_the_game() {
    let archive = Archive::new(&games().concat());
    let (code, line) = archive.cat(&["3", "--format", "json"]);
    assert_eq!((code, line.lines().count()), (Some(0), 1));
    let game: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(game["number"], 3);
    assert_eq!(game["tags"]["White"], "Carlsen, Magnus");
    assert_eq!(game["moves"], serde_json::json!(["e4", "c5"]));
    assert_eq!(game["clocks"], serde_json::json!([62]));
    assert_eq!(game["evals"], serde_json::json!([25]));
    assert_eq!(game["result"], "1/2-1/2");
    assert_eq!(game["plies"], 2);
    let (_, line) = archive.cat(&["3", "--json", "--moves", "uci"]);
    assert!(line.contains(r#""moves":["e2e4","c7c5"]"#), "{line}");
    let (_, fens) = archive.cat(&["3", "--fen"]);
    let fens: Vec<&str> = fens.lines().collect();
    assert_eq!(fens.len(), 3);
    assert_eq!(
        fens[0],
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
    assert!(fens[2].starts_with("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"));
}

#[test]
fn bad_games_are_shown_as_they_were() {
    let bad = "[White \"Ann\"]\n\n1. e5 *\n\n";
    let archive = Archive::new(&format!("1. d4 *\n\n{bad}1. e4 *"));
    assert_eq!(archive.cat(&["2"]).1, bad);
    let (code, line) = archive.cat(&["2", "--json"]);
    let game: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(code, Some(0));
    assert!(game["error"].as_str().unwrap().contains("illegal"));
    assert_eq!(archive.cat(&["2", "--fen"]), (Some(1), String::new()));
    // The last game has no line end; a game after it gets one.
    assert_eq!(archive.cat(&["3,1"]).1, "1. e4 *\n\n1. d4 *\n\n");
}

#[test]
fn several_archives_are_counted_through() {
    let games = games();
    let first = Archive::new(&games[..5].concat());
    let second = Archive::new(&games[5..].concat());
    let directory = tempfile::tempdir().unwrap();
    fs::copy(&first.path, directory.path().join("a.scoresheet")).unwrap();
    fs::copy(&second.path, directory.path().join("b.scoresheet")).unwrap();
    fs::write(directory.path().join("notes.txt"), "no archive").unwrap();
    let cat = |arguments: &[&str]| {
        let output = scoresheet(&[&["cat"], arguments].concat());
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    let (a, b) = (path(&first.path), path(&second.path));
    let both = path(directory.path());
    assert_eq!(cat(&[&a, &b]), (Some(0), games.concat()));
    assert_eq!(cat(&[&both]), (Some(0), games.concat()));
    assert_eq!(cat(&[&both, "5-6"]).1, games[4..6].concat());
    assert_eq!(
        cat(&[&both, "--white", "ann"]).1,
        [&games[0][..], &games[4], &games[8]].concat()
    );
    let (_, line) = cat(&[&both, "6", "--json"]);
    let game: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(game["number"], 6);
    assert!(game["file"].as_str().unwrap().ends_with("b.scoresheet"));
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(cat(&[&path(empty.path())]).0, Some(5));
    assert_eq!(cat(&["/nowhere.scoresheet"]).0, Some(5));
    // What is neither numbers nor a file is a mistake in usage, and finding nothing is told.
    for (arguments, code, word) in [
        (["10-5"].as_slice(), 2, "numbers of games"),
        (&["0"], 2, "numbers of games"),
        (&["999"], 1, "none of"),
        (&["--player", "nobody"], 1, "none of"),
    ] {
        let output = scoresheet(&[&["cat", both.as_str()], arguments].concat());
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{told}");
        assert!(told.contains(word) && told.lines().count() == 1, "{told}");
    }
}

#[test]
fn what_is_no_archive_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("x.scoresheet");
    for (bytes, code) in [(&b""[..], 3), (b"PAR1", 4), (b"1. e4 *", 3)] {
        fs::write(&path, bytes).unwrap();
        let output = scoresheet(&["cat", path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(code), "{bytes:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1);
    }
}
