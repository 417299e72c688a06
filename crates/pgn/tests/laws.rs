//! What is true of every text.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

mod support;

use std::io::{self, Read};
use std::time::Instant;

use scoresheet_pgn::{Checker, GameBuilder, Limits, Reader, Style, write_game};
use support::{borders, events, testdata};
use testkit::{Random, mutant};

fn corpus() -> Vec<Vec<u8>> {
    let folders = ["good", "odd", "bad"];
    let files = folders.into_iter().flat_map(testdata);
    files.map(|(_, text)| text).collect()
}

/// Gives at most so many bytes at a time.
struct Drip<'a>(&'a [u8], usize);

impl Read for Drip<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = self.1.min(buffer.len());
        self.0.read(&mut buffer[..most])
    }
}

/// Slice, stream, one byte at a time, small windows: the same events.
fn chunking(text: &[u8]) {
    let whole = events(Reader::from_slice(text));
    assert_eq!(events(Reader::new(text)), whole, "{}", text.escape_ascii());
    assert_eq!(events(Reader::new(Drip(text, 1))), whole);
    assert_eq!(events(Reader::new(Drip(text, 7))), whole);
}

/// Wherever a visitor stops, the game ends where it would have ended.
fn skip_equals_read(text: &[u8]) {
    let read = borders(text, None);
    for stop_after in [0, 1, 2, 3, 5, 8, 13, 21, 34] {
        let skipped = borders(text, Some(stop_after));
        assert_eq!(skipped, read, "after {stop_after}: {}", text.escape_ascii());
    }
}

/// Games add up to the whole text, and nobody panics.
fn any_bytes(text: &[u8]) {
    let mut reader = Reader::from_slice(text);
    let mut builder = GameBuilder::new();
    let (mut bytes, mut good, mut bad) = (0, 0, 0);
    while let Some(result) = reader.read_game(&mut builder).unwrap() {
        bytes += reader.last_game().bytes.len();
        match result {
            Ok(game) => {
                good += 1;
                let mut out = Vec::new();
                write_game(&game, &Style::EXPORT, &mut out);
            }
            Err(error) => {
                bad += 1;
                assert!(error.offset <= text.len() as u64);
                assert_eq!(error.game, good + bad);
                assert!(!error.to_string().is_empty());
            }
        }
    }
    assert_eq!(reader.games(), good + bad);
    let rest = text.len() - bytes;
    let is_white = |byte: &u8| byte.is_ascii_whitespace() || !byte.is_ascii_graphic();
    let tail = &text[text.len() - rest..];
    let is_escape = tail.trim_ascii().starts_with(b"%");
    assert!(
        is_escape || tail.iter().all(is_white),
        "{}",
        tail.escape_ascii()
    );
}

/// Every byte belongs to a game, even to one that is too large to be kept, or to the white space of
/// a text without games.
#[test]
fn games_tile_the_text() {
    let text = corpus().join(&b"\n\n"[..]);
    for game_bytes in [100, 1000, 1 << 20] {
        let limits = Limits {
            game_bytes,
            ..Limits::default()
        };
        let mut reader = Reader::new(Drip(&text, 50)).with_limits(limits);
        let mut next = 0;
        while reader.read_game(&mut Checker::new()).unwrap().is_some() {
            let game = reader.last_game();
            assert_eq!(game.offset, next);
            next += game.length;
            if !game.bytes.is_empty() {
                assert_eq!(game.bytes.len() as u64, game.length);
                let at = usize::try_from(game.offset).unwrap();
                assert!(text[at..].starts_with(game.bytes));
            }
        }
        assert_eq!(next, text.len() as u64);
    }
}

#[test]
fn buffering_does_not_matter() {
    for text in corpus() {
        chunking(&text);
    }
    let all = corpus().join(&b"\n\n"[..]);
    chunking(&all);
}

#[test]
fn skipping_ends_where_reading_ends() {
    for text in corpus() {
        skip_equals_read(&text);
    }
    skip_equals_read(&corpus().join(&b"\n\n"[..]));
}

/// Games with clocks and comments, each broken by a few bytes that might end it: most are skipped
/// by the short way, and it must see every byte that counts.
#[test]
fn skipping_sees_whatever_ends_a_game() {
    const SIGNS: [&str; 22] = [
        "1-0",
        "0-1",
        "1/2",
        "*",
        "\u{bd}",
        "{",
        "}",
        "(",
        ")",
        ";",
        "[",
        "[A",
        "[Event \"x\"]",
        "%",
        "\n",
        "\n\n",
        "\r\n\r\n",
        "\n\n1. ",
        "\n%",
        "\n\n[Event \"x\"]\n\n",
        "0-0",
        "-0.5",
    ];
    let mut random = Random::new(7);
    for number in 0..4_000 {
        let newline = ["\n", "\r\n"][number % 2];
        let mut text = String::new();
        for _ in 0..3 {
            // Only before `Event` does a comment end that nobody closed.
            let tag = ["Event", "White"][random.below(2)];
            text += &format!("[{tag} \"x\"]{newline}[Result \"*\"]{newline}{newline}");
            for ply in 0..random.below(40) {
                text += &format!("{}. e4 ", ply + 1);
                match random.below(12) {
                    0 => text += "{ [%clk 0:01:00] } ",
                    1 => text += "{ [%eval -0.31] [%clk 0:01:00] more and more words } ",
                    2 => text += newline,
                    3 if number % 4 < 2 => {
                        text += SIGNS[random.below(SIGNS.len())];
                        text += [" ", "", newline][random.below(3)];
                    }
                    _ => {}
                }
            }
            text += ["1-0", "*", "1/2-1/2", ""][random.below(4)];
            text += newline;
            text += newline;
        }
        skip_equals_read(text.as_bytes());
    }
}

/// All texts of a few pieces, of which each means something to somebody: reading and skipping come to an end, and
/// to the same.
#[test]
fn short_texts_end() {
    const PIECES: [&[u8]; 22] = [
        b"(", b")", b"1-0", b"*", b"\xbd", b"\xc2", b"\xa0", b"'", b"{", b"}", b";", b"\n", b"%",
        b"[", b"]", b"e4", b"$1", b"1.", b" ", b"-", b"\"", b"\x00",
    ];
    // Each place may be empty, so that there are shorter ones.
    let choices = PIECES.len() + 1;
    let places = if std::env::var_os("SCORESHEET_FULL").is_some() {
        5
    } else {
        4
    };
    for number in 0..choices.pow(places) {
        let piece = |place| PIECES.get(number / choices.pow(place) % choices);
        let text: Vec<u8> = (0..places)
            .filter_map(piece)
            .copied()
            .flatten()
            .copied()
            .collect();
        let read = borders(&text, None);
        for stop_after in [0, 1, 2] {
            let skipped = borders(&text, Some(stop_after));
            assert_eq!(skipped, read, "after {stop_after}: {}", text.escape_ascii());
        }
    }
}

#[test]
fn mutants_never_panic() {
    let corpus = corpus();
    let mut random = Random::new(41);
    for number in 0..20_000 {
        let text = &corpus[random.below(corpus.len())];
        let text = mutant(text, &mut random);
        any_bytes(&text);
        if number % 10 == 0 {
            chunking(&text);
            skip_equals_read(&text);
            // With a game after it: only then may skipping take its short way.
            let next = &corpus[random.below(corpus.len())];
            skip_equals_read(&[&text, &b"\n\n"[..], next].concat());
        }
    }
}

#[test]
fn compressed_text_is_the_same_text() {
    let text = corpus().join(&b"\n\n"[..]);
    let whole = events(Reader::from_slice(&text));
    let packed = zstd::encode_all(&text[..], 3).unwrap();
    let stream = zstd::Decoder::new(&packed[..]).unwrap();
    assert_eq!(events(Reader::new(stream)), whole);
}

#[test]
fn a_pipe_is_like_a_file() {
    let text = corpus().join(&b"\n\n"[..]);
    let whole = events(Reader::from_slice(&text));
    let (reader, mut writer) = io::pipe().unwrap();
    let written = std::thread::spawn(move || {
        use std::io::Write;
        for piece in text.chunks(100) {
            writer.write_all(piece).unwrap();
        }
    });
    assert_eq!(events(Reader::new(reader)), whole);
    written.join().unwrap();
}

const NOISE: f64 = 0.02;

/// Doubles a hostile text and wants the time to double, not more.
///
/// The least of several times counts: a busy machine only ever adds. What is quadratic is
/// hundreds of times too slow at these sizes, so the bound can be generous.
///
/// A search for a byte takes 1 MiB in less than the time in which the system gives out the pages for
/// them, so a few milliseconds are granted; what is quadratic takes many seconds.
fn doubling(name: &str, make: impl Fn(usize) -> Vec<u8>) {
    let time = |text: &[u8]| {
        let run = || {
            let start = Instant::now();
            // In small pieces: the window then grows as often as it can.
            let mut reader = Reader::new(Drip(text, 16 << 10));
            while reader.read_game(&mut Checker::new()).unwrap().is_some() {}
            // Skipping has its own short cuts, and memory its own window.
            let mut reader = Reader::from_slice(text);
            while reader.skip_game().unwrap() {}
            start.elapsed()
        };
        (0..2).map(|_| run()).min().unwrap().as_secs_f64()
    };
    // Large enough to be timed on a busy machine, small enough for a test.
    let mut ratios = Vec::new();
    for _ in 0..6 {
        let (small, large) = (time(&make(1 << 18)), time(&make(1 << 20)));
        ratios.push(large / small);
        if large < small * 2.5 * 2.5 + NOISE {
            return;
        }
    }
    panic!("{name}: four times the text took {ratios:?} times the time");
}

#[test]
fn time_grows_with_size_and_no_faster() {
    doubling("(", |n| b"(".repeat(n));
    doubling("1. e4 (", |n| [b"1. e4 ".to_vec(), b"(".repeat(n)].concat());
    doubling("unclosed {", |n| {
        [b"1. e4 {".to_vec(), b"x".repeat(n)].concat()
    });
    doubling("{ and lines", |n| {
        [b"1. e4 {".to_vec(), b"\n\n[".repeat(n / 3)].concat()
    });
    doubling("many {", |n| b"{".repeat(n));
    doubling("one token", |n| b"x".repeat(n));
    doubling("dashes", |n| b"-".repeat(n));
    doubling("tags", |n| b"[a \"b\"]\n".repeat(n / 8));
    doubling("tags on a line", |n| b"[a \"b\"]".repeat(n / 7));
    doubling("quotes", |n| {
        [b"[a \"".to_vec(), b"\" ".repeat(n / 2)].concat()
    });
    doubling("backslashes", |n| {
        [b"[a \"".to_vec(), b"\\".repeat(n)].concat()
    });
    doubling("brackets", |n| b"[".repeat(n));
    doubling("blanks", |n| [b"1. e4 [".to_vec(), b" ".repeat(n)].concat());
    doubling("%", |n| b"%\n".repeat(n / 2));
    doubling(";", |n| b"1. e4 ;\n".repeat(n / 8));
    doubling("% in line", |n| {
        [b"1. e4 ".to_vec(), b"%".repeat(n)].concat()
    });
    doubling("empty lines", |n| {
        [b"1. e4".to_vec(), b"\n".repeat(n)].concat()
    });
    doubling("restarts", |n| b"1.\n\n".repeat(n / 4));
    doubling("results", |n| b"1-0 ".repeat(n / 4));
    doubling("short games", |n| b"e4 * ".repeat(n / 5));
    doubling("stars", |n| b"*".repeat(n));
    doubling("digits", |n| b"1".repeat(n));
    doubling("dollars", |n| {
        [b"1. e4 ".to_vec(), b"$1".repeat(n / 2)].concat()
    });
    doubling("marks", |n| [b"1. e4 ".to_vec(), b"!".repeat(n)].concat());
    doubling("high bytes", |n| b"\xe2".repeat(n));
    doubling("letters apart", |n| b"e ".repeat(n / 2));
    doubling("variations", |n| {
        [b"1. e4 ".to_vec(), b"(1. d4)".repeat(n / 7)].concat()
    });
}

#[test]
fn a_game_over_the_limit_is_reported_and_passed_over() {
    let limits = Limits {
        game_bytes: 1000,
        ..Limits::default()
    };
    let small = "[Event \"x\"]\n\n1. e4 *\n\n";
    for middle in [
        format!("1. e4 {{{}}} e5 *\n\n", "x".repeat(200_000)),
        format!("[Event \"x\"]\n\n1. e4 {{{} *\n\n", "x".repeat(200_000)),
        format!("1. e4 {} *\n\n", "x".repeat(200_000)),
        format!("1. e4 ;{}\n*\n\n", "x".repeat(200_000)),
        format!("[A \"b\"]\n%{}\n1. e4 *\n\n", "x".repeat(200_000)),
        format!("[A \"{}\n1. e4 *\n\n", "x".repeat(200_000)),
        format!("1. {} *\n\n", "e4 ".repeat(50_000)),
        format!("1. e4 {} *\n\n", "(1. d4) ".repeat(10_000)),
        format!("1. e4 ( {} ) *\n\n", "(1. d4) {1-0} ".repeat(10_000)),
        format!("1. e4 [{} *\n\n", " ".repeat(100_000)),
        format!("1. e4 1-0 {} \n\n", "$11111111111111".repeat(10_000)),
        format!("1. e4 1-0 {} \n\n", "{1-0} ; \n%\n".repeat(10_000)),
    ] {
        let text = format!("{small}{middle}{small}");
        let read = |one_byte: bool| {
            let step = if one_byte { 1000 } else { usize::MAX };
            let mut reader = Reader::new(Drip(text.as_bytes(), step)).with_limits(limits);
            let mut kinds = Vec::new();
            while let Some(result) = reader.read_game(&mut Checker::new()).unwrap() {
                kinds.push(match result {
                    Ok(game) => format!("good {}", game.plies),
                    Err(error) => error.to_string(),
                });
            }
            kinds
        };
        let kinds = read(false);
        assert_eq!(kinds, read(true));
        let mut slice = Reader::from_slice(text.as_bytes()).with_limits(limits);
        let mut same = Vec::new();
        while let Some(result) = slice.read_game(&mut Checker::new()).unwrap() {
            same.push(match result {
                Ok(game) => format!("good {}", game.plies),
                Err(error) => error.to_string(),
            });
        }
        let head = &middle[..20];
        assert_eq!(kinds, same, "{head}");
        assert_eq!(kinds.first().unwrap(), "good 1", "{head}");
        assert_eq!(kinds.last().unwrap(), "good 1", "{head}");
        assert!(
            kinds[1].contains("larger than 1000 bytes"),
            "{head}: {kinds:?}"
        );
        assert_eq!(kinds.len(), 3, "{head}: {kinds:?}");
    }
}

#[test]
fn streams_report_their_own_errors() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("cable cut"))
        }
    }
    let stream = (&b"1. e4 e5 "[..]).chain(Broken);
    let mut reader = Reader::new(stream);
    let error = reader.read_game(&mut Checker::new()).unwrap_err();
    assert_eq!(error.to_string(), "cable cut");
}
