//! The commands `info` and `verify`, and `cat` of damaged archives, as people call them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // In a test a panic is the message.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use archive::games::{Archive, Lossy, PackOptions, pack};
use serde_json::Value;

fn scoresheet(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_scoresheet"))
        .args(arguments)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn game(i: usize) -> String {
    format!(
        "[Event \"E\"]\n[Date \"{}.05.??\"]\n[White \"W{i}\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\
         [WhiteElo \"{}\"]\n[BlackElo \"2410\"]\n\n1. e4 c5 2. Nf3 1-0\n\n",
        1990 + i,
        2300 + 10 * i
    )
}

/// An archive of three row groups, and one bad game.
fn write_archive(path: &Path) -> Vec<u8> {
    let mut games: Vec<String> = (0..16).map(game).collect();
    games.push("[Event \"bad\"]\n[Result \"*\"]\n\n1. e5 *\n\n".to_owned());
    let input: Box<dyn std::io::Read + Send> = Box::new(std::io::Cursor::new(games.concat()));
    let options = PackOptions {
        row_group_bytes: 1 << 10,
        ..PackOptions::default()
    };
    let inputs = vec![("games.pgn".to_owned(), input)];
    let (file, _) = pack(inputs, Vec::new(), &options, |_, _| {}).unwrap();
    assert_eq!(Archive::open(file.clone()).unwrap().row_groups(), 3);
    fs::write(path, &file).unwrap();
    file
}

#[test]
fn info_tells_what_is_in_an_archive() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("games.scoresheet");
    let file = write_archive(&path);
    let name = path.to_str().unwrap();
    let output = scoresheet(&["info", name, "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let info: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(info["games"], 17);
    assert_eq!(info["bad_games"], 1);
    assert_eq!(info["plies"], 48);
    assert_eq!(info["bytes"], file.len());
    assert_eq!(info["codec"], "index");
    assert_eq!(info["row_groups"], 3);
    assert_eq!(info["first_date"], "1990.05.??");
    assert_eq!(info["last_date"], "2005.05.??");
    assert_eq!(info["results"]["1-0"], 16);
    assert_eq!(info["results"]["*"], 1);
    assert_eq!(info["tags"]["WhiteElo"], 16);
    assert_eq!(info["tags"]["Event"], 17);
    assert_eq!(info["ratings"]["2300"], 10);
    assert_eq!(info["ratings"]["2400"], 22);
    assert_eq!(info["inputs"][0]["name"], "games.pgn");
    let opening = &info["openings"][0];
    assert_eq!(
        (&opening["eco"], &opening["games"]),
        (&"B27".into(), &16.into())
    );
    let bits = info["columns"]["moves"].as_f64().unwrap() * 8.0 / 48.0;
    assert!((info["bits_per_move"].as_f64().unwrap() - bits).abs() < 1e-9);

    let shown = text(&scoresheet(&["info", name]).stdout);
    for line in [
        "games                        17",
        "codec                     index",
        " 2300-2399            10 ██████████████████▏",
        " 2400-2499            22 ████████████████████████████████████████",
        "games.pgn                                            17",
    ] {
        assert!(shown.lines().any(|found| found == line), "{line}\n{shown}");
    }
    assert!(shown.contains("B27 Sicilian"), "{shown}");
    let output = scoresheet(&["info", name, "--json", "--no-openings"]);
    let info: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(info["openings"].is_null());
    // A directory is told as one.
    fs::copy(&path, directory.path().join("more.scoresheet")).unwrap();
    let output = scoresheet(&["info", directory.path().to_str().unwrap(), "--json"]);
    let info: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&info["games"], &info["archives"]), (&34.into(), &2.into()));
}

#[test]
fn info_tells_what_was_left_out() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("games.scoresheet");
    for (lossy, told) in [
        (None, serde_json::json!([])),
        (Some(Lossy::MovesOnly), serde_json::json!(["moves-only"])),
    ] {
        let options = PackOptions {
            lossy,
            ..PackOptions::default()
        };
        let text = b"1. e4 {a word} e5 *\n\n".as_slice();
        let inputs = [("games.pgn".to_owned(), text)];
        let (file, _) = pack(inputs, Vec::new(), &options, |_, _| {}).unwrap();
        fs::write(&path, &file).unwrap();
        let name = path.to_str().unwrap();
        let output = scoresheet(&["info", name, "--json"]);
        let info: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(info["lossy"], told);
        let shown = text_of(&["info", name]);
        assert_eq!(shown.contains("packed with"), lossy.is_some());
        assert_eq!(scoresheet(&["verify", name]).status.code(), Some(0));
    }
}

fn text_of(arguments: &[&str]) -> String {
    text(&scoresheet(arguments).stdout)
}

#[test]
fn info_tells_the_rest_if_moves_are_damaged() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("games.scoresheet");
    let file = write_archive(&path);
    let name = path.to_str().unwrap();
    // Somewhere in the first row group are its moves; damaged tags leave nothing to be told.
    let told = (4..file.len() / 3).step_by(16).find_map(|at| {
        let mut damaged = file.clone();
        damaged[at] ^= 1;
        fs::write(&path, &damaged).unwrap();
        let output = scoresheet(&["info", name, "--json"]);
        (!output.stdout.is_empty() && output.status.code() == Some(4)).then_some(output)
    });
    let output = told.expect("damaged moves");
    let info: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(info["games"], 17);
    assert!(info["openings"].is_null());
    let said = text(&output.stderr);
    assert!(said.contains("row group 0, column "), "{said}");
}

#[test]
fn verify_names_what_is_damaged() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("games.scoresheet");
    let mut file = write_archive(&path);
    let name = path.to_str().unwrap();
    let output = scoresheet(&["verify", name]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).ends_with("17 games are as they were packed\n"));

    // The first column of the first row group.
    file[10] ^= 1;
    fs::write(&path, &file).unwrap();
    let output = scoresheet(&["verify", name]);
    assert_eq!(output.status.code(), Some(4));
    let said = text(&output.stderr);
    assert!(said.contains("row group 0, column event"), "{said}");
    assert!(said.contains("(games 1 to "), "{said}");
    let output = scoresheet(&["verify", name, "--json"]);
    assert_eq!(output.status.code(), Some(4));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["ok"], false);
    let fault = &report["archives"][0]["faults"][0];
    assert_eq!(
        (&fault["row_group"], &fault["column"]),
        (&0.into(), &"event".into())
    );
    assert_eq!(fault["first_game"], 1);
    let readable = report["archives"][0]["games"].as_u64().unwrap();
    assert_eq!(fault["last_game"].as_u64().unwrap(), 17 - readable);

    // The rest can be read, and is.
    let output = scoresheet(&["cat", name]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(4), 0));
    let output = scoresheet(&["cat", name, "--skip-damaged"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(text(&output.stderr).starts_with("skipped: "));
    let found = text(&output.stdout).matches("[Event ").count();
    assert_eq!(found as u64, readable);
    let last = scoresheet(&["cat", name, "16"]);
    assert_eq!(
        (last.status.code(), text(&last.stdout)),
        (Some(0), game(15))
    );

    // Cut, empty, no archive.
    for (bytes, code) in [(&file[..file.len() / 2], 4), (b"", 3), (b"no archive", 3)] {
        fs::write(&path, bytes).unwrap();
        let output = scoresheet(&["verify", name]);
        assert_eq!(output.status.code(), Some(code));
        assert_eq!(text(&output.stderr).lines().count(), 1);
    }
    assert_eq!(scoresheet(&["verify", "/nowhere"]).status.code(), Some(5));
}
