//! `scoresheet encode` and `decode`, run as a user runs them.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const CODECS: [&str; 10] = [
    "word",
    "extended",
    "direction",
    "list",
    "enumeration",
    "modelled",
    "modelled-max",
    "index",
    "packed",
    "compressed",
];
const SPANISH: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O";
const CHESS960: &str = "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w FDfd - 0 1";

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

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&text(&[args, &["--json"]].concat())).expect("JSON")
}

/// The exit code and what was said.
fn refusal(args: &[&str]) -> (Option<i32>, String) {
    let output = scoresheet(args);
    let said = String::from_utf8(output.stderr).expect("text");
    (output.status.code(), said)
}

fn piped(args: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_scoresheet"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{args:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_examples_of_the_page() {
    let e4 = json(&["encode", "--codec", "packed", "1. e4"]);
    let packed = &e4["codecs"]["packed"];
    assert_eq!(packed["moves"][0]["bits"], "11001");
    assert_eq!(packed["data"], "0xc8");
    assert_eq!(e4["moves"][0]["enumeration"], 260);

    let nf3 = json(&["encode", "--codec", "index", "Ng1f3"]);
    assert_eq!(nf3["codecs"]["index"]["moves"][0]["value"], 115);

    let castling = json(&["encode", SPANISH]);
    let fields = &castling["codecs"]["packed"]["moves"][6]["fields"];
    assert_eq!(*fields, serde_json::json!(["0100", "11"]));
    assert_eq!(castling["codecs"]["compressed"]["moves"][6]["hex"], "841c");
}

#[test]
fn one_encoding_is_one_table() {
    let expected = "\
packed: piece | destination

move     bits    hex  decimal      id  used  total
1. e4    1100|1   19       25     260     5      5
1... e5  0100|0   08        8  22,938     5     10

codec   bits  bytes  bits/move  data
packed    10      2       5.00  0xca00
";
    let args = ["encode", "--codec", "packed", "e4", "e5"];
    assert_eq!(text(&args), expected);
    let args = ["encode", "--codec", "packed", "-"];
    assert_eq!(piped(&args, "1. e4 $1 e5 *\n"), expected);
}

#[test]
fn all_encodings_are_side_by_side_within_100_columns() {
    let shown = text(&["encode", "e4"]);
    for codec in CODECS {
        let lines = shown
            .lines()
            .filter(|line| line.split_whitespace().next() == Some(codec));
        assert_eq!(lines.count(), 2, "{codec}:\n{shown}");
    }
    assert!(
        shown.lines().all(|line| line.chars().count() <= 100),
        "{shown}"
    );
    assert!(
        shown.contains("1. e4   e2e4, enumeration id 260"),
        "{shown}"
    );
}

#[test]
fn decode_takes_what_encode_gives() {
    let promotion = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    for (fen, moves, codecs) in [
        (None, SPANISH, &CODECS[..]),
        (Some(promotion), "a8=N Kg7 Nb6", &CODECS),
        (Some(CHESS960), "g3 g6 Nf3 Nf6 O-O O-O", &CODECS[..7]),
    ] {
        let start: Vec<&str> = fen.map_or_else(Vec::new, |fen| vec!["--fen", fen]);
        let document = json(&[&["encode", moves], &start[..]].concat());
        let plies = document["plies"].to_string();
        for codec in codecs {
            let data = document["codecs"][codec]["data"].as_str().expect("bytes");
            let args = ["decode", "--codec", codec, "--plies", &plies, data];
            let back = json(&[&args, &start[..]].concat());
            assert_eq!(back["end"], document["end"], "{codec}");
            assert_eq!(back["plies"], document["plies"], "{codec}");
            for (i, m) in document["moves"]
                .as_array()
                .expect("a list")
                .iter()
                .enumerate()
            {
                assert_eq!(back["moves"][i]["san"], m["san"], "{codec}");
                let bits = &document["codecs"][codec]["moves"][i];
                // Its moves have no bits of their own, and a reader is told no probabilities.
                if codec.starts_with("modelled") {
                    continue;
                }
                assert_eq!(back["moves"][i]["encoded"], *bits, "{codec}");
            }
        }
    }
}

#[test]
fn decode_takes_hex_bits_and_standard_input() {
    let expected = "\
move     uci   bits    used  total
1. e4    e2e4  1100|1     5      5
1... e5  e7e5  0100|0     5     10

plies    2
bits     10
padding  6
FEN      rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
";
    let decode = ["decode", "--codec", "packed"];
    for data in [
        &["ca00"][..],
        &["0xca00"],
        &["CA", "00"],
        &["0b1100101000"],
        &["0b", "1100|1", "0100|0"],
    ] {
        assert_eq!(text(&[&decode, data].concat()), expected, "{data:?}");
    }
    assert_eq!(piped(&[&decode[..], &["-"]].concat(), "ca 00\n"), expected);
}

#[test]
fn bcgn_refuses_chess960_and_the_others_do_not() {
    let document = json(&["encode", "--fen", CHESS960, "g3"]);
    for codec in ["index", "packed", "compressed"] {
        let error = document["codecs"][codec]["error"].as_str().expect("told");
        assert!(error.contains("Chess960"), "{error}");
        let args = ["encode", "--codec", codec, "--fen", CHESS960, "g3"];
        let (code, said) = refusal(&args);
        assert_eq!(code, Some(2));
        assert!(said.contains(codec) && said.contains("Chess960"), "{said}");
    }
    assert_eq!(document["codecs"]["word"]["bits"], 16);
    let shown = text(&["encode", "--fen", CHESS960, "g3"]);
    assert!(
        shown.contains("packed cannot tell castling in Chess960"),
        "{shown}"
    );
}

#[test]
fn what_is_bad_is_told_with_its_place() {
    for (args, code, parts) in [
        (&["encode", "e4 e5 Nf6"][..], 3, &["ply 3", "Nf6"][..]),
        (&["encode", "--codec", "zip", "e4"], 2, &["zip", "packed"]),
        (&["encode"], 2, &["MOVES"]),
        (&["encode", "e4", "-"], 2, &["standard input"]),
        (&["encode", "--fen", "no", "e4"], 2, &["--fen"]),
        (&["decode", "c8"], 2, &["--codec"]),
        (
            &["decode", "--codec", "packed", "cg"],
            3,
            &["byte 1", "'g'"],
        ),
        (&["decode", "--codec", "packed", "c"], 3, &["1 hex digits"]),
        (
            &["decode", "--codec", "word", "131cff"],
            3,
            &["ply 2", "end"],
        ),
        (
            &["decode", "--codec", "index", "43ff"],
            3,
            &["ply 2", "255"],
        ),
        (
            &["decode", "--codec", "index", "--plies", "1", "4343"],
            3,
            &["8 bits", "1 plies"],
        ),
        (
            &["decode", "--codec", "index", "--plies", "2", "43"],
            3,
            &["ply 2", "end"],
        ),
        (
            &["decode", "--codec", "index", "--plies", "99", "43"],
            3,
            &["99 plies"],
        ),
    ] {
        let (found, said) = refusal(args);
        assert_eq!(found, Some(code), "{args:?}: {said}");
        for part in parts {
            assert!(said.contains(part), "{args:?}: {said}");
        }
    }
}

#[test]
fn the_moves_before_a_bad_one_are_printed() {
    let output = scoresheet(&["decode", "--codec", "index", "43ff"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("1. e4"));
    let output = scoresheet(&["decode", "--codec", "index", "43ff", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (&document["plies"], &document["end"]),
        (&1.into(), &Value::Null)
    );
    assert!(document["error"].as_str().expect("told").contains("ply 2"));
}
