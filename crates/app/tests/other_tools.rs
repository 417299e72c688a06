//! Other Parquet tools read archives: pyarrow and DuckDB see the tags and counts that we see.
//!
//! Needs a Python with `pyarrow` and `duckdb`: that of the environment variable
//! `SCORESHEET_PYTHON`, which `.ci/run` sets, or `python3`. Without them nothing is tested, and the
//! test says so.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // In a test a panic is the message.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn python() -> Option<PathBuf> {
    let named = std::env::var_os("SCORESHEET_PYTHON").map(PathBuf::from);
    let python = named.unwrap_or_else(|| PathBuf::from("python3"));
    let found = Command::new(&python)
        .args(["-c", "import pyarrow.parquet, duckdb"])
        .output();
    found
        .is_ok_and(|output| output.status.success())
        .then_some(python)
}

fn json(command: &mut Command) -> Value {
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{error}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn pyarrow_and_duckdb_see_the_same_games() {
    let Some(python) = python() else {
        println!("skipped: there is no Python with pyarrow and duckdb");
        return;
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let directory = tempfile::tempdir().unwrap();
    let archive = directory.path().join("classics.scoresheet");
    let pgn = root.join("../../examples/classics.pgn");
    let scoresheet = || Command::new(env!("CARGO_BIN_EXE_scoresheet"));
    let mut pack = scoresheet();
    let packed = pack.arg("pack").arg(&pgn).arg("-o").arg(&archive).output();
    assert!(archive.exists(), "{packed:?}");

    let seen = json(
        Command::new(python)
            .arg(root.join("tests/other_tools.py"))
            .arg(&archive),
    );
    let info = json(scoresheet().args(["info", "--json"]).arg(&archive));
    let (pyarrow, duckdb) = (&seen["pyarrow"], &seen["duckdb"]);
    assert_eq!(pyarrow["rows"], info["games"]);
    assert_eq!(pyarrow["plies"], info["plies"]);
    assert_eq!(pyarrow["codec"], info["codec"]);
    assert_eq!(pyarrow["version"], "2");
    assert_eq!(duckdb["games"], info["games"]);
    assert_eq!(duckdb["plies"], info["plies"]);
    assert_eq!(duckdb["white_wins"], info["results"]["1-0"]);
    assert_eq!(duckdb["tags"], pyarrow["tags"]);
    let columns = info["columns"].as_object().unwrap();
    for column in pyarrow["columns"].as_array().unwrap() {
        assert!(columns.contains_key(column.as_str().unwrap()), "{column}");
    }

    let games = scoresheet().args(["cat", "--json"]).arg(&archive).output();
    let games = String::from_utf8(games.unwrap().stdout).unwrap();
    for (i, game) in games.lines().enumerate() {
        let game: Value = serde_json::from_str(game).unwrap();
        for (column, tag) in [("white", "White"), ("black", "Black"), ("result", "Result")] {
            assert_eq!(pyarrow["tags"][column][i], game["tags"][tag]);
        }
    }
}
