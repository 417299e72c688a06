//! What several threads read is what one reads.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

mod support;

use std::io::{self, Read};
use std::ops::ControlFlow;

use scoresheet_pgn::{Checked, Checker, GameError, Limits, Parallel, RawGame, Visitor};
use support::{shared, testdata};

/// Number, offset and length of a game, how many bytes are kept, at which line it begins if those
/// before it are counted, its plies and moves or what is wrong with it.
type Facts = (u64, u64, u64, usize, u64, Result<(u32, u32), GameError>);

/// Everything about every game.
fn read(text: impl Read + Send, threads: usize, limits: Limits) -> Vec<Facts> {
    let mut games = Vec::new();
    let parallel = Parallel { threads, limits };
    let mut line = 1;
    let each = |raw: RawGame<'_>, result: Result<Checked, GameError>| {
        let result = result.map(|game| (game.plies, game.moves));
        let kept = raw.bytes.len();
        games.push((raw.number, raw.offset, raw.length, kept, line, result));
        let seen = raw.bytes.iter().filter(|&&byte| byte == b'\n').count();
        line += seen as u64 + raw.unseen_lines;
        ControlFlow::Continue(())
    };
    parallel.read(text, Checker::new, each).unwrap();
    games
}

fn same_for_all(text: &[u8], limits: Limits) -> usize {
    let one = read(text, 1, limits);
    for threads in [2, 5] {
        let many = read(text, threads, limits);
        assert_eq!(many.len(), one.len(), "{threads} threads");
        for (many, one) in many.iter().zip(&one) {
            assert_eq!(many, one, "{threads} threads");
        }
    }
    one.len()
}

#[test]
fn threads_change_nothing() {
    let files = ["odd", "bad", "good"].into_iter().flat_map(testdata);
    let corpus: Vec<Vec<u8>> = files.map(|(_, text)| text).collect();
    let text = corpus.join(&b"\n\n"[..]).repeat(130);
    assert!(text.len() > 1 << 20);
    assert!(same_for_all(&text, Limits::default()) > 5_000);
}

#[test]
fn threads_change_nothing_where_borders_are_rare() {
    let limits = Limits::default();
    // No empty lines, no tags, comments before the first tag, only one game.
    same_for_all(&b"[Event \"x\"]\n1. e4 e5 1-0\n".repeat(60_000), limits);
    same_for_all(&b"1. e4 e5 1-0 1. d4 * ".repeat(70_000), limits);
    same_for_all(&b"1. e4 e5\n\n".repeat(130_000), limits);
    let preface = [
        &b"{ a }\n%\n\n".repeat(200_000)[..],
        b"[Event \"x\"]\n\n1. e4 *\n\n",
    ]
    .concat();
    same_for_all(&preface, limits);
    let twice = [
        &preface[..],
        &b"[Event \"x\"]\n\n1. e4 *\n\n".repeat(100_000),
    ]
    .concat();
    same_for_all(&twice, limits);
    same_for_all(b"", limits);
    same_for_all(b"1. e4", limits);
}

#[test]
fn threads_change_nothing_where_games_are_too_large() {
    let limits = Limits {
        game_bytes: 6 << 20,
        ..Limits::default()
    };
    let game = b"[Event \"x\"]\n\n1. e4 *\n\n";
    let bad = b"[Event \"y\"]\n\n1. e5 *\n\n";
    let large = |size: usize| {
        [
            b"[Event \"z\"]\n\n1. e4 {",
            &b"x\n".repeat(size / 2)[..],
            b"} *\n\n",
        ]
        .concat()
    };
    let text = [
        &game.repeat(1000)[..],
        &large(9 << 20),
        bad,
        game,
        &large(5 << 20),
        game,
        bad,
    ]
    .concat();
    assert_eq!(same_for_all(&text, limits), 1006);
    // The bad games: what the reader says of a place is what counting says.
    for (.., line, result) in read(&text[..], 2, limits) {
        if let Err(error) = result {
            let into_game = if error.cause.kind() == "too-large" {
                0
            } else {
                2
            };
            assert_eq!(error.line, line + into_game, "{error}");
        }
    }
}

#[test]
fn whoever_has_enough_may_leave() {
    let text = b"[Event \"x\"]\n\n1. e4 *\n\n".repeat(200_000);
    for threads in [1, 2] {
        let parallel = Parallel {
            threads,
            ..Parallel::new()
        };
        let mut games = 0;
        let each = |_: RawGame<'_>, _: Result<_, _>| {
            games += 1;
            if games == 10 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        parallel.read(&text[..], Checker::new, each).unwrap();
        assert_eq!(games, 10);
    }
}

#[test]
fn errors_of_the_stream_arrive() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("cable cut"))
        }
    }
    let text = b"[Event \"x\"]\n\n1. e4 *\n\n".repeat(100_000);
    for threads in [1, 2] {
        let parallel = Parallel {
            threads,
            ..Parallel::new()
        };
        let stream = (&text[..]).chain(Broken);
        let mut games = 0;
        let each = |_: RawGame<'_>, _: Result<_, _>| {
            games += 1;
            ControlFlow::Continue(())
        };
        let error = parallel.read(stream, Checker::new, each).unwrap_err();
        assert_eq!(error.to_string(), "cable cut");
        // What came before is not lost with it, but for what could not be cut.
        assert!(games > 99_000, "{games}");
    }
}

#[test]
fn a_real_file_is_the_same_on_any_number_of_threads() {
    let Some(path) = shared("games/engine-cutechess.pgn.zst") else {
        return;
    };
    let text = zstd::decode_all(std::fs::File::open(path).unwrap()).unwrap();
    same_for_all(&text, Limits::default());
}

/// Fails at the hundredth game it sees.
struct Fragile(u32);

impl Visitor for Fragile {
    type Output = ();

    fn end_game(&mut self, _: RawGame<'_>) {
        self.0 += 1;
        assert!(self.0 < 100, "a visitor's own fault");
    }
}

#[test]
#[should_panic(expected = "panicked")]
fn a_visitor_that_panics_leaves_nobody_waiting() {
    let text = b"[Event \"x\"]\n\n1. e4 *\n\n".repeat(1_000_000);
    let parallel = Parallel {
        threads: 2,
        ..Parallel::new()
    };
    let read = parallel.read(&text[..], || Fragile(0), |_, _| ControlFlow::Continue(()));
    read.unwrap();
}
