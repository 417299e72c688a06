//! The commands `check` and `fmt`, as people call them.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn scoresheet(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_scoresheet"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Whoever refuses the command line does not read.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn testdata(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/pgn");
    root.join(path).display().to_string()
}

const GOOD: &[u8] = b"1.e4 e5 {x} 2. Nf3 1-0\n";
const BAD: &[u8] = b"1. e4 *\n\n1. e5 *\n\n1. d4 *\n";

#[test]
fn check_counts_and_says_what_is_bad() {
    let output = scoresheet(&["check"], GOOD);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("games                       1"));

    let output = scoresheet(&["check", "-", "--json"], BAD);
    assert_eq!(output.status.code(), Some(3));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["games"], 3);
    assert_eq!(report["good"], 2);
    assert_eq!(report["bad"], 1);
    let first = &report["errors"]["illegal-move"]["first"][0];
    assert_eq!((&first["game"], &first["line"]), (&2.into(), &3.into()));
    assert!(output.stderr.is_empty());
}

#[test]
fn check_reads_many_files_and_names_them() {
    let good = testdata("good/export.pgn");
    let bad = testdata("bad/illegal-move.pgn");
    for threads in ["1", "2"] {
        let output = scoresheet(&["check", &good, &bad, "--threads", threads], b"");
        assert_eq!(output.status.code(), Some(3));
        assert!(text(&output.stdout).contains("illegal-move.pgn:3: game 1, line 3"));
    }
    let output = scoresheet(&["check", "/nowhere.pgn"], b"");
    assert_eq!(output.status.code(), Some(5));
    assert!(text(&output.stderr).starts_with("error: /nowhere.pgn: "));
}

#[test]
fn fmt_writes_the_export_format_or_another() {
    let output = scoresheet(&["fmt"], GOOD);
    assert_eq!(output.status.code(), Some(0));
    let written = text(&output.stdout);
    assert!(written.starts_with("[Event \"?\"]\n[Site \"?\"]\n"));
    assert!(written.ends_with("[Result \"1-0\"]\n\n1. e4 e5 {x} 2. Nf3 1-0\n\n"));

    let output = scoresheet(&["fmt", "--style", "lichess"], GOOD);
    assert_eq!(text(&output.stdout), "1. e4 e5 { x } 2. Nf3 1-0\n\n");

    let output = scoresheet(&["fmt", "--style", "compact"], BAD);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(text(&output.stdout), "1.e4 *\n1.d4 *\n");
    assert!(text(&output.stderr).contains("line 3"));

    let output = scoresheet(&["fmt", "--style", "compact", "--keep-bad"], BAD);
    assert_eq!(text(&output.stdout), "1.e4 *\n1. e5 *\n\n1.d4 *\n");

    let output = scoresheet(&["fmt", "--style", "baroque"], GOOD);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn fmt_detects_how_a_file_is_written() {
    let odd = b"[White \"Ann\"]\r\n\r\n1.e4 {x} 1...e5 2.Nf3 1-0\r\n\r\n";
    let output = scoresheet(&["fmt", "--style", "detect"], odd);
    assert_eq!(output.stdout, odd);
    let output = scoresheet(&["fmt"], odd);
    assert_ne!(output.stdout, odd);
}

#[test]
fn fmt_replaces_nothing_unasked_and_leaves_nothing_half_written() {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("out.pgn");
    let name = path.display().to_string();
    let write = |more: &[&str], input: &[u8]| {
        let arguments = [&["fmt", "--style", "compact", "-o", &name][..], more].concat();
        scoresheet(&arguments, input).status.code()
    };
    assert_eq!(write(&[], GOOD), Some(0));
    let first = std::fs::read(&path).unwrap();
    assert_eq!(text(&first), "1.e4 e5 {x} 2.Nf3 1-0\n");
    assert_eq!(write(&[], b"1. d4 *"), Some(2));
    assert_eq!(std::fs::read(&path).unwrap(), first);
    assert_eq!(write(&["--force"], b"1. d4 *"), Some(0));
    assert_eq!(std::fs::read(&path).unwrap(), b"1.d4 *\n");
    // An input that breaks off: the old file stays, and no other one.
    let cut = &zstd_like_cut();
    assert_eq!(write(&["--force"], cut), Some(4));
    assert_eq!(std::fs::read(&path).unwrap(), b"1.d4 *\n");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// A zstd frame that ends in its middle.
fn zstd_like_cut() -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
    frame.extend_from_slice(&[0x41, 0x00, 0x00]);
    frame.extend_from_slice(b"1. e4");
    frame
}
