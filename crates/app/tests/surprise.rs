//! `scoresheet surprise`, and `encode --codec modelled`, run as a user runs them.

use std::process::{Command, Output};

use serde_json::Value;

const CLASSICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/classics.pgn");

fn scoresheet(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_scoresheet"))
        .args(args)
        .output()
        .expect("the program starts")
}

fn text(args: &[&str]) -> String {
    let output = scoresheet(args);
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn every_move_has_a_line() {
    let shown = text(&["surprise", CLASSICS]);
    let document: Value =
        serde_json::from_str(&text(&["surprise", CLASSICS, "--json"])).expect("JSON");
    let moves = document["moves"].as_array().expect("moves");
    assert_eq!(shown.lines().count(), moves.len() + 2);
    assert!(shown.contains(" bits a move"));
    let bits: f64 = moves.iter().filter_map(|m| m["bits"].as_f64()).sum();
    let told = document["bits"].as_f64().expect("a sum");
    assert!((bits - told).abs() < 1e-6);
    let bytes = document["bytes"].as_f64().expect("a size");
    assert!(bytes * 8.0 < bits + 8.0);
}

#[test]
fn the_drawing_has_a_bar_for_each_ply() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out.svg");
    let out = path.to_str().expect("a name");
    let file = folder.path().join("odd.pgn");
    std::fs::write(
        &file,
        "[White \"A<b>&\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n",
    )
    .expect("written");
    let game = file.to_str().expect("a name");
    text(&["surprise", game, "--svg", out]);
    let svg = std::fs::read_to_string(&path).expect("it is there");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<title>").count(), 5);
    assert!(svg.contains("A&lt;b&gt;&amp;") && !svg.contains("<b>"));
    // It is not replaced unasked.
    assert!(
        !scoresheet(&["surprise", game, "--svg", out])
            .status
            .success()
    );
    text(&["surprise", game, "--svg", out, "--force"]);
}

#[test]
fn a_game_that_is_not_there() {
    let output = scoresheet(&["surprise", CLASSICS, "--game", "9999"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn encoding_shows_probabilities() {
    let shown = text(&["encode", "--codec", "modelled", "1. e4 e5 2. Nf3"]);
    assert!(
        shown.contains("probability") && shown.contains("2. Nf3"),
        "{shown}"
    );
    let all = text(&["encode", "--json", "1. e4 e5 2. Nf3"]);
    let document: Value = serde_json::from_str(&all).expect("JSON");
    let modelled = &document["codecs"]["modelled"];
    assert_eq!(modelled["moves"].as_array().map(Vec::len), Some(3));
    let data = modelled["data"].as_str().expect("bytes");
    let back = text(&["decode", "--codec", "modelled", "--plies", "3", data]);
    assert!(back.contains("Nf3"), "{back}");
}
