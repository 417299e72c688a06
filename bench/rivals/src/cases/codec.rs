//! Case `codec`: games in each encoding of a move, in memory, decoded and played, one thread; beside
//! cozy-chess playing the same games from an array of words. One line of the table an encoding, with
//! the bits a move takes in its name.
//!
//! `ours` checks every move, which is what users get; `ours trusted` is for bytes whose checksum is
//! known. `encode` plays the game as well, and checks; `encode trusted` is for moves that a parser
//! has just found.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::rc::Rc;

use scoresheet_chess::{Move, Position};
use scoresheet_codec::{CodecName, Legality, Plies};

use super::play;
use crate::arena::{Entry, Work};
use crate::games::Games;
use crate::libraries::{CozyChess, Ours};
use crate::library::Library;
use crate::standard::STANDARD;

/// The four that the archive and BCGN are made of first.
const NAMES: [CodecName; 8] = [
    CodecName::Word,
    CodecName::Compressed,
    CodecName::Index,
    CodecName::Packed,
    CodecName::Direction,
    CodecName::Extended,
    CodecName::Enumeration,
    CodecName::List,
];

/// A game as the codecs take it and as they give it.
struct Game {
    moves: Vec<Move>,
    bytes: Vec<u8>,
}

/// One line of the table an encoding.
pub fn works(games: &Games) -> Vec<Work> {
    NAMES.map(|name| work(games, name)).into()
}

fn work(games: &Games, name: CodecName) -> Work {
    let (encoded, bits) = games_in(games, name);
    let encoded = Rc::new(encoded);
    let decoder = |title, legality| {
        let games = Rc::clone(&encoded);
        Entry::new(title, move || decode(&games, name, legality))
    };
    let encoder = |title, legality| {
        let games = Rc::clone(&encoded);
        let answer = decode(&games, name, Legality::Checked);
        Entry::new(title, move || {
            encode(&games, name, legality);
            answer
        })
    };
    let plies = games.plies();
    #[allow(clippy::cast_precision_loss)]
    let bits_a_move = bits as f64 / plies as f64;
    Work {
        name: format!("{name} {bits_a_move:.2}"),
        units: plies as u64 * u64::from(play::TIMES),
        answer: None,
        entries: vec![
            play::entry::<CozyChess>(games),
            decoder("ours", Legality::Checked),
            decoder("ours trusted", Legality::Trusted),
            encoder("encode", Legality::Checked),
            encoder("encode trusted", Legality::Trusted),
        ],
    }
}

/// The games in an encoding, and the bits they take together.
fn games_in(games: &Games, name: CodecName) -> (Vec<Game>, usize) {
    let start = Ours::from_fen(STANDARD[0].fen);
    let mut bits = 0;
    let encoded = games.games.iter().map(|game| {
        let words = play::words::<Ours>(game, &start);
        let moves = words
            .into_iter()
            .map(|word| Move::from_word(word).expect("it is a move"));
        let moves: Vec<Move> = moves.collect();
        let mut bytes = Vec::new();
        bits += name
            .encode(&Position::START, moves.iter().copied(), &mut bytes)
            .expect("its moves are legal");
        Game { moves, bytes }
    });
    (encoded.collect(), bits)
}

/// A digest of the final positions, as all others give it.
fn decode(games: &[Game], name: CodecName, legality: Legality) -> u64 {
    let mut digest = 0u64;
    for _ in 0..play::TIMES {
        for game in games {
            let plies = Plies::Exactly(game.moves.len());
            let end = name.replay(&Position::START, plies, legality, &game.bytes, |_, _| {
                ControlFlow::Continue(())
            });
            let (end, _) = end.expect("just encoded");
            digest = digest.rotate_left(1) ^ Ours::digest(black_box(&end));
        }
    }
    digest
}

/// The answer of an encoder is its bytes.
fn encode(games: &[Game], name: CodecName, legality: Legality) {
    let mut bytes = Vec::new();
    for _ in 0..play::TIMES {
        for game in games {
            bytes.clear();
            let moves = game.moves.iter().copied();
            let bits = name.encode_with(&Position::START, moves, legality, &mut bytes);
            assert!(
                bits.is_ok() && bytes == game.bytes,
                "{name} gives other bytes"
            );
        }
    }
}
