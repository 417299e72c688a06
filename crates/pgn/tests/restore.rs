//! What was read is written again byte for byte, if the style is known.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

mod support;

use std::io::Read;

use scoresheet_pgn::{Game, GameBuilder, Reader, Style, StyleSet, write_game};
use support::shared;

const GAMES: [&[u8]; 3] = [
    b"[White \"Ann \\\"A\\\"\"]\n[Result \"1-0\"]\n\n{ first } 1. e4 $1 { [%clk 0:01:00] } e5 2. Nf3 Nc6 \
      3. Bb5 (3. Bc4 Nf6 (3... Bc5)) 3... a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 1-0",
    b"[White \"B\"]\n\n1. f3 {a rather long comment that will not fit in what is left of the line} e5 \
      2. g4 Qh4# 0-1",
    b"[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 9\"]\n\n9... Kd8 10. e4 *",
];

/// Each style is found again from what it writes, or one that writes the same.
#[test]
fn a_style_is_detected_in_its_own_text() {
    for (name, style) in Style::NAMED {
        let mut text = Vec::new();
        for game in GAMES {
            write_game(&Game::parse(game).unwrap(), &style, &mut text);
        }
        let found = Style::detect(&text);
        let mut reader = Reader::from_slice(&text);
        let mut builder = GameBuilder::new();
        let mut again = Vec::new();
        while let Some(result) = reader.read_game(&mut builder).unwrap() {
            write_game(&result.unwrap(), &found, &mut again);
        }
        assert_eq!(
            String::from_utf8_lossy(&again),
            String::from_utf8_lossy(&text),
            "{name}"
        );
    }
}

/// The share of games that come back, in hundredths, from the first megabytes of a file.
fn share(name: &str) -> Option<f64> {
    let file = std::fs::File::open(shared(&format!("games/{name}.pgn.zst"))?).unwrap();
    let mut text = Vec::new();
    let decoder = zstd::Decoder::new(file).unwrap();
    decoder.take(2 << 20).read_to_end(&mut text).unwrap();
    let mut reader = Reader::from_slice(&text);
    let mut builder = GameBuilder::new();
    let mut styles = StyleSet::new(64);
    let (mut games, mut restored) = (0u32, 0u32);
    while let Some(result) = reader.read_game(&mut builder).unwrap() {
        let Ok(game) = result else { continue };
        games += 1;
        let raw = reader.last_game().bytes;
        restored += u32::from(styles.find(&game, raw).is_some());
    }
    Some(100.0 * f64::from(restored) / f64::from(games))
}

#[test]
fn most_real_games_come_back_byte_for_byte() {
    for (name, least) in [
        ("master", 99.0),
        ("lichess", 95.0),
        ("annotated-lichess-analysis", 95.0),
        ("chess960-lichess", 95.0),
        ("chess960-tcec", 95.0),
        ("from-position-lichess", 95.0),
        ("engine-tcec", 85.0),
        ("engine-cutechess", 80.0),
    ] {
        let Some(share) = share(name) else { continue };
        eprintln!("{name}: {share:.2} %");
        assert!(share >= least, "{name}: {share:.2} %");
    }
}
