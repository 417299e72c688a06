//! Every perft file on both boards, and on a slow generator that shares nothing with them.
//!
//! The normal run caps the nodes of a position; `SCORESHEET_FULL=1` checks every line to its end
//! (hours in the test profile: use `--release`).

#[path = "perft/slow.rs"]
mod slow;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

use scoresheet_chess::{AttackBoard, Position, perft};
use slow::Slow;

/// A position with its counts, and where it is written.
struct Case {
    place: String,
    position: Position,
    counts: Vec<(u32, u64)>,
}

/// How far a normal run goes in a position. Depths 1 and 2 are always counted.
#[derive(Clone, Copy)]
struct Caps {
    /// Nodes counted on both boards.
    nodes: u64,
    /// Nodes of which every one is made on both boards. In a test build the attack board
    /// recomputes itself after every move, so this is the slow part.
    leaves: u64,
    /// Nodes counted by the slow generator.
    slow: u64,
}

const OWN: Caps = Caps {
    nodes: 1_000_000,
    leaves: 10_000,
    slow: 5_000,
};
/// There are thousands of these.
const SHARED: Caps = Caps {
    nodes: 20_000,
    leaves: 200,
    slow: 200,
};

fn is_full() -> bool {
    env::var_os("SCORESHEET_FULL").is_some_and(|value| value == "1")
}

/// Reads `epd FEN` / `perft DEPTH NODES` records, and lines of `FEN ;D1 NODES ;D2 NODES`.
fn read(path: &Path) -> Vec<Case> {
    let text = fs::read_to_string(path).expect("test data is text");
    let mut cases: Vec<Case> = Vec::new();
    let lines = text.lines().enumerate();
    for (number, line) in lines.filter(|(_, line)| !line.starts_with('#')) {
        let place = format!("{}:{}", path.display(), number + 1);
        let mut start = |fen: &str| {
            let position = fen.trim().parse();
            cases.push(Case {
                position: position.unwrap_or_else(|e| panic!("{place}: {e}")),
                place: place.clone(),
                counts: Vec::new(),
            });
        };
        let mut counts = String::new();
        if let Some(fen) = line.strip_prefix("epd ") {
            start(fen);
        } else if let Some(count) = line.strip_prefix("perft ") {
            counts = count.to_owned();
        } else if let Some((fen, rest)) = line.split_once(';') {
            start(fen);
            counts = rest.replace([';', 'D'], " ");
        }
        let numbers: Vec<u64> = counts
            .split_whitespace()
            .map(|number| number.parse().unwrap_or_else(|e| panic!("{place}: {e}")))
            .collect();
        assert_eq!(numbers.len() % 2, 0, "{place}");
        for pair in numbers.chunks(2) {
            let case = cases.last_mut().expect("a position comes first");
            let depth = u32::try_from(pair[0]).expect("a depth is small");
            case.counts.push((depth, pair[1]));
        }
    }
    cases
}

fn check(case: &Case, caps: Caps) {
    let Case {
        place, position, ..
    } = case;
    let board = AttackBoard::from(position);
    let slow = Slow::from(position);
    assert_eq!(board.to_position(), *position, "{place}");
    for &(depth, nodes) in &case.counts {
        let goes =
            |cap: u64, depth_at_least: u32| is_full() || nodes <= cap || depth <= depth_at_least;
        if goes(caps.nodes, 2) {
            assert_eq!(perft::count(position, depth), nodes, "{place}, bitboards");
            assert_eq!(perft::count(&board, depth), nodes, "{place}, attack table");
        }
        if goes(caps.leaves, 1) {
            let leaves = perft::play_leaves(position, depth);
            assert_eq!(leaves, nodes, "{place}, bitboards, every leaf made");
            let leaves = perft::play_leaves(&board, depth);
            assert_eq!(leaves, nodes, "{place}, attack table, every leaf made");
        }
        if (nodes <= caps.slow) || depth == 1 {
            assert_eq!(slow.perft(depth), nodes, "{place}, slow generator");
        }
    }
}

/// Checks all cases, on two threads. Returns how many there were.
fn check_all(files: &[PathBuf], caps: Caps) -> usize {
    let cases: Vec<Case> = files.iter().flat_map(|path| read(path)).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    assert!(case.counts.len() >= 2, "{}: too few counts", case.place);
                    check(case, caps);
                }
            });
        }
    });
    cases.len()
}

/// The perft files of a folder; none if there is no such folder.
fn files(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let Ok(entries) = fs::read_dir(root.join(folder)) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("readable folder").path())
        .filter(|path| path.extension().is_some_and(|e| e == "perft" || e == "epd"))
        .collect();
    files.sort();
    files
}

#[test]
fn every_file_of_ours() {
    let files = files("testdata/perft");
    assert_eq!(files.len(), 4);
    assert!(check_all(&files, OWN) > 400);
}

#[test]
fn every_shared_file() {
    let files = files("../shared/data/perft");
    if files.is_empty() {
        println!("skipped: ../shared/data/perft is not there");
        return;
    }
    assert!(check_all(&files, SHARED) > 8_000);
}

/// The two known positions with most moves, all queens but the first.
#[test]
fn no_position_has_more_moves() {
    for fen in [
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
    ] {
        let position: Position = fen.parse().unwrap();
        let board = AttackBoard::from(&position);
        assert_eq!(position.legal_moves().len(), 218);
        assert_eq!(position.count_legal_moves(), 218);
        assert_eq!(board.legal_moves().len(), 218);
        assert_eq!(board.count_legal_moves(), 218);
        assert_eq!(Slow::from(&position).perft(1), 218);
    }
}

#[test]
fn divide_adds_up_on_both_boards() {
    let position: Position = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"
        .parse()
        .unwrap();
    let divided = perft::divide(&position, 3);
    assert_eq!(divided.len(), 48);
    assert_eq!(divided.iter().map(|(_, nodes)| nodes).sum::<u64>(), 97_862);
    assert_eq!(perft::divide(&AttackBoard::from(&position), 3), divided);
    assert_eq!(perft::count(&position, 0), 1);
    assert_eq!(perft::play_leaves(&AttackBoard::from(&position), 0), 1);
}
