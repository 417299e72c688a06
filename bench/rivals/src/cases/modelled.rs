//! Case `modelled`: games by probability beside the level High of aix-chess-compression, which orders
//! the moves by rules and writes their ranks in a fixed Huffman code. Both give every move and the
//! position before it; games start from their own bytes. Three quarters as many bits, so the sizes
//! are printed too.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

use aix_chess_compression::{CompressionLevel, Decode, Decoder, Encode, EncodedGame, Encoder};
use scoresheet_chess::{Move, Position};
use scoresheet_codec::{CodecName, Legality, Plies};

use super::play;
use crate::arena::{Entry, Work};
use crate::games::Games;
use crate::libraries::Ours;
use crate::library::Library;
use crate::standard::STANDARD;

/// Who has ratio 1.
pub const BASELINE: &str = "aix high";

/// Decoding, then encoding.
pub fn works(games: &Games) -> Vec<Work> {
    start_up();
    vec![decoding(games), encoding(games)]
}

/// How long the first game takes, which makes the tables ready: at most 5 ms is wanted. It is measured
/// once, since a process has one first time; `--only modelled` makes sure that no other case was it.
fn start_up() {
    for codec in ours() {
        let [first, again] = [(); 2].map(|()| {
            let begin = Instant::now();
            black_box(encoded(codec, &[]));
            begin.elapsed().as_secs_f64() * 1e3
        });
        println!("{codec}: tables ready after {first:.3} ms (of 5), then {again:.3} ms a game");
    }
}

/// What both must agree on: moves and captures.
fn tally(is_capture: bool) -> u64 {
    1 + (u64::from(is_capture) << 32)
}

fn decoding(games: &Games) -> Work {
    let theirs: Vec<Vec<u8>> = games.games.iter().map(|game| aix(&game.moves)).collect();
    let lens: Vec<usize> = games.games.iter().map(|game| game.moves.len()).collect();
    let mut entries = vec![Entry::new(BASELINE, {
        let bytes = theirs.clone();
        move || {
            let mut sum = 0;
            for bytes in &bytes {
                let game = EncodedGame::from_bytes(bytes).expect("just encoded");
                let mut decoder = Decoder::new(&game);
                while let Some(next) = decoder.next_move_and_position() {
                    let (m, position) = next.expect("just encoded");
                    black_box(position);
                    sum += tally(m.is_capture());
                }
            }
            sum
        }
    })];
    let mut sizes = vec![(
        BASELINE.to_owned(),
        theirs.iter().map(Vec::len).sum::<usize>(),
    )];
    for codec in ours() {
        let bytes: Vec<Vec<u8>> = words(games)
            .into_iter()
            .map(|moves| encoded(codec, &moves))
            .collect();
        sizes.push((codec.to_string(), bytes.iter().map(Vec::len).sum()));
        let lens = lens.clone();
        entries.push(Entry::new(codec.as_str(), move || {
            let mut sum = 0;
            for (bytes, &len) in bytes.iter().zip(&lens) {
                let (start, plies) = (Position::START, Plies::Exactly(len));
                codec
                    .replay(&start, plies, Legality::Trusted, bytes, |position, m| {
                        black_box(position);
                        sum += tally(m.is_capture());
                        ControlFlow::Continue(())
                    })
                    .expect("just encoded");
            }
            sum
        }));
    }
    let plies = games.plies();
    for (name, bytes) in sizes {
        println!(
            "{name}: {:.4} bits a move in whole bytes",
            8.0 * bytes as f64 / plies as f64
        );
    }
    Work {
        name: "decode".into(),
        units: plies as u64,
        answer: None,
        entries,
    }
}

fn encoding(games: &Games) -> Work {
    let mut entries = vec![Entry::new(BASELINE, {
        let moves: Vec<_> = games.games.iter().map(|game| game.moves.clone()).collect();
        move || {
            for moves in &moves {
                black_box(aix(moves));
            }
            0
        }
    })];
    for codec in ours() {
        let games = words(games);
        entries.push(Entry::new(codec.as_str(), move || {
            for moves in &games {
                black_box(encoded(codec, moves));
            }
            0
        }));
    }
    Work {
        name: "encode".into(),
        units: games.plies() as u64,
        answer: Some(0),
        entries,
    }
}

fn ours() -> Vec<CodecName> {
    vec![CodecName::Modelled, CodecName::ModelledMax]
}

fn words(games: &Games) -> Vec<Vec<Move>> {
    let start = Ours::from_fen(STANDARD[0].fen);
    let words = games
        .games
        .iter()
        .map(|game| play::words::<Ours>(game, &start));
    words
        .map(|words| words.into_iter().filter_map(Move::from_word).collect())
        .collect()
}

fn encoded(codec: CodecName, moves: &[Move]) -> Vec<u8> {
    let mut bytes = Vec::new();
    codec
        .encode(&Position::START, moves.iter().copied(), &mut bytes)
        .expect("real games are legal");
    bytes
}

fn aix(moves: &[shakmaty::Move]) -> Vec<u8> {
    let mut encoder = Encoder::new(CompressionLevel::High);
    for &m in moves {
        encoder.encode_move(m).expect("real games are legal");
    }
    encoder.finish().into_bytes()
}
