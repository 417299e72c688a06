//! `scoresheet show` and `perft --board`, run as a user runs them.

use std::process::{Command, Output};

fn scoresheet(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_scoresheet"))
        .args(args)
        .output()
        .expect("the program starts")
}

fn text(args: &[&str]) -> String {
    let output = scoresheet(args);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_start_position_is_drawn() {
    let expected = "\
8  r n b q k b n r
7  p p p p p p p p
6  . . . . . . . .
5  . . . . . . . .
4  . . . . . . . .
3  . . . . . . . .
2  P P P P P P P P
1  R N B Q K B N R
   a b c d e f g h

White to move
FEN    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
key    463b96181691fc9c
moves  20
";
    assert_eq!(text(&["show"]), expected);
}

#[test]
fn the_map_counts_attackers_and_marks_what_hangs() {
    // The bishop on e4 is attacked by a pawn and protected by nobody; the knight on c6 is safe.
    let fen = "4k3/8/2n5/3p4/4B3/8/8/3RK3 b - - 0 1";
    let expected = "\
8  .      . 0/1  .      . 0/2  k      . 0/1  .      .
7  . 0/1  .      .      . 0/1  . 0/2  . 0/1  .      . 1/0
6  .      .      n      .      .      .      . 1/0  .
5  . 0/1  .      .      p!2/0  . 0/1  . 1/0  .      .
4  .      . 0/1  . 0/1  . 1/1  B!0/1  .      .      .
3  .      .      .      . 2/0  .      . 1/0  .      .
2  .      .      . 1/0  . 2/0  . 1/0  . 1/0  . 1/0  .
1  . 1/0  . 2/0  . 1/0  R 1/0  K 1/0  . 1/0  .      . 1/0
   a      b      c      d      e      f      g      h

Black to move
FEN    4k3/8/2n5/3p4/4B3/8/8/3RK3 b - - 0 1
key    775e3531ee418d21
moves  15
white! Be4 3.30
black! Pd5 1.00
";
    let shown = text(&["show", "--attacks", "--fen", fen]);
    assert!(!shown.contains('\x1b'), "no colours in a pipe");
    assert_eq!(shown, expected);
}

#[test]
fn json_says_the_same() {
    let fen = "4k3/8/2n5/3p4/4B3/8/8/3RK3 b - - 0 1";
    let shown = text(&["show", "--attacks", "--json", "--fen", fen]);
    let document: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
    assert_eq!(document["fen"], fen);
    assert_eq!(document["turn"], "black");
    assert_eq!(document["check"], false);
    let e4 = serde_json::json!({"piece": "B", "white": 0, "black": 1, "loss": 330});
    assert_eq!(document["squares"]["e4"], e4);
    let plain = text(&["show", "--json"]);
    assert!(!plain.contains("squares"));
}

#[test]
fn the_end_of_a_game_is_told() {
    let mate = text(&["show", "--fen", "R5k1/5ppp/8/8/8/8/8/4K3 b - -"]);
    assert!(mate.contains("Black to move, checkmate"), "{mate}");
    let stalemate = text(&["show", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - -"]);
    assert!(
        stalemate.contains("Black to move, stalemate"),
        "{stalemate}"
    );
    let check = text(&["show", "--fen", "4k3/8/8/8/8/8/8/4RK2 b - -"]);
    assert!(check.contains("Black to move, in check"), "{check}");
}

#[test]
fn a_bad_fen_is_a_usage_error() {
    for fen in ["no fen", "8/8/8/8/8/8/8/8 w - - 0 1"] {
        let output = scoresheet(&["show", "--fen", fen]);
        assert_eq!(output.status.code(), Some(2), "{fen}");
        assert!(output.stdout.is_empty());
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn perft_is_the_same_on_both_boards() {
    let count = |more: &[&str]| {
        let args = [&["perft", "--depth", "3", "--divide", "--json"], more].concat();
        let document: serde_json::Value = serde_json::from_str(&text(&args)).expect("JSON");
        (document["nodes"].clone(), document["divide"].clone())
    };
    let bitboard = count(&[]);
    assert_eq!(bitboard.0, 8902);
    assert_eq!(count(&["--board", "attack"]), bitboard);
    assert_eq!(
        count(&["--board", "attack", "--leaves", "--threads", "2"]),
        bitboard
    );
}
