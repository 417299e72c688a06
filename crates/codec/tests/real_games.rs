//! Games that people and engines have played, read by somebody else's reader.
#![allow(clippy::unwrap_used)] // What fails here fails the test.

mod support;

use std::fs::File;
use std::ops::ControlFlow;

use chess::{Move, Position};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use scoresheet_codec::{CodecError, CodecName, Legality, Plies};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position as _};

struct Collector;

/// The FEN of the start, and the moves in UCI, castling as king takes rook.
struct Played {
    fen: Option<String>,
    moves: Vec<String>,
}

impl Visitor for Collector {
    type Tags = Option<String>;
    type Movetext = (Chess, Played);
    type Output = Option<Played>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Option<String>> {
        ControlFlow::Continue(None)
    }

    fn tag(
        &mut self,
        fen: &mut Option<String>,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        if name == b"FEN" {
            *fen = Some(value.decode_utf8_lossy().into_owned());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, fen: Option<String>) -> ControlFlow<Self::Output, Self::Movetext> {
        let start = match &fen {
            None => Some(Chess::default()),
            Some(fen) => fen
                .parse::<Fen>()
                .ok()
                .and_then(|fen| fen.into_position(CastlingMode::Chess960).ok()),
        };
        match start {
            Some(start) => ControlFlow::Continue((
                start,
                Played {
                    fen,
                    moves: Vec::new(),
                },
            )),
            None => ControlFlow::Break(None),
        }
    }

    fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(
        &mut self,
        (position, played): &mut Self::Movetext,
        san: SanPlus,
    ) -> ControlFlow<Self::Output> {
        let Ok(m) = san.san.to_move(position) else {
            return ControlFlow::Break(None);
        };
        played.moves.push(UciMove::from_chess960(m).to_string());
        position.play_unchecked(m);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (_, played): Self::Movetext) -> Self::Output {
        Some(played)
    }
}

/// The first games of a file, with their moves in our words.
fn games(file: &str, count: usize) -> Option<Vec<(Position, Vec<Move>)>> {
    let path = support::shared("data/games")?.join(file);
    let mut reader = Reader::new(zstd::Decoder::new(File::open(path).unwrap()).unwrap());
    let mut games = Vec::new();
    while games.len() < count {
        let Some(played) = reader.read_game(&mut Collector).unwrap() else {
            break;
        };
        let Some(played) = played else { continue };
        let start = played
            .fen
            .map_or(Position::START, |fen| support::position(&fen));
        let mut position = start;
        let moves = played.moves.iter().map(|name| {
            let m = support::uci(&position, name);
            position.play(m).expect("both libraries agree");
            m
        });
        games.push((start, moves.collect()));
    }
    Some(games)
}

/// Encodes and decodes all games by all encodings; the bits a move of each.
fn check(file: &str, count: usize) -> Option<Vec<(CodecName, f64)>> {
    let games = games(file, count)?;
    let plies: usize = games.iter().map(|game| game.1.len()).sum();
    assert!(plies > 1_000, "{file}: {plies} plies");
    let rates = CodecName::ALL.map(|codec| {
        let (mut bits, mut told) = (0, 0);
        let mut bytes = Vec::new();
        for (start, moves) in &games {
            bytes.clear();
            match codec.encode(start, moves.iter().copied(), &mut bytes) {
                Ok(used) => bits += used,
                Err(CodecError::Chess960 { .. }) => {
                    assert!(start.needs_chess960() && !codec.has_chess960());
                    continue;
                }
                Err(error) => panic!("{file}: {error}"),
            }
            told += moves.len();
            let plies = Plies::Exactly(moves.len());
            assert_eq!(codec.decode(start, plies, &bytes).as_ref(), Ok(moves));
            let mut seen = 0;
            let (end, _) = codec
                .replay(start, plies, Legality::Trusted, &bytes, |_, m| {
                    assert_eq!(m, moves[seen]);
                    seen += 1;
                    ControlFlow::Continue(())
                })
                .unwrap();
            let mut expected = *start;
            for &m in moves {
                expected.play_unchecked(m);
            }
            assert_eq!(end, expected);
        }
        (codec, bits as f64 / told.max(1) as f64)
    });
    eprintln!(
        "{file}: {} games, {plies} plies, bits a move {rates:?}",
        games.len()
    );
    Some(rates.to_vec())
}

#[test]
fn master_games() {
    let Some(rates) = check("master.pgn.zst", 1_500) else {
        return;
    };
    let rate = |name| rates.iter().find(|rate| rate.0 == name).unwrap().1;
    assert!((rate(CodecName::Index) - 8.0).abs() < 0.001);
    assert!(rate(CodecName::Packed) <= 6.1);
    assert!(rate(CodecName::Direction) < 10.02);
    assert!(rate(CodecName::Modelled) <= 2.70);
    assert!(rate(CodecName::ModelledMax) < rate(CodecName::Modelled));
}

#[test]
fn lichess_games() {
    let Some(rates) = check("lichess.pgn.zst", 1_000) else {
        return;
    };
    let rate = |name| rates.iter().find(|rate| rate.0 == name).unwrap().1;
    assert!(rate(CodecName::Modelled) <= 2.85);
    assert!(rate(CodecName::ModelledMax) < rate(CodecName::Modelled));
}

#[test]
fn games_from_set_up_positions() {
    check("from-position-lichess.pgn.zst", 500);
}

#[test]
fn chess960_games() {
    check("chess960-lichess.pgn.zst", 300);
    check("chess960-tcec.pgn.zst", 150);
}
