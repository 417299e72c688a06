//! Other people's files, and another reader's opinion of them.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

mod support;

use std::ops::ControlFlow;
use std::path::Path;

use pgn_reader::{RawTag, SanPlus, Skip};
use scoresheet_pgn::{Checker, Outcome, Reader};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use support::{shared, walk};

/// Every game is good, or bad with a cause; nothing hangs, nothing panics.
#[test]
fn odd_files_are_read_or_reported() {
    let Some(folder) = shared("pgn-odd") else {
        return;
    };
    let (mut files, mut good, mut bad) = (0, 0, 0);
    for path in walk(&folder) {
        let text = std::fs::read(&path).unwrap();
        let mut reader = Reader::from_slice(&text);
        let mut checker = Checker::new();
        let mut bytes = 0;
        while let Some(result) = reader.read_game(&mut checker).unwrap() {
            bytes += reader.last_game().bytes.len();
            match result {
                Ok(_) => good += 1,
                Err(error) => {
                    assert!(!error.cause.kind().is_empty());
                    bad += 1;
                }
            }
        }
        // What is left is white space.
        let rest = &text[bytes..];
        assert!(rest.trim_ascii().is_empty(), "{}", path.display());
        files += 1;
    }
    eprintln!("{files} odd files: {good} games good, {bad} reported");
    assert!(files > 200 && good > 10 * bad);
}

#[derive(Debug, PartialEq, Eq)]
struct Facts {
    plies: u32,
    end: String,
    outcome: Option<Outcome>,
}

struct Rival;

impl pgn_reader::Visitor for Rival {
    type Tags = Option<Chess>;
    type Movetext = (Chess, Facts);
    type Output = Option<Facts>;

    fn begin_tags(&mut self) -> ControlFlow<Option<Facts>, Option<Chess>> {
        ControlFlow::Continue(None)
    }

    fn tag(
        &mut self,
        start: &mut Option<Chess>,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Option<Facts>> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).unwrap();
            *start = Some(fen.into_position(CastlingMode::Chess960).unwrap());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(
        &mut self,
        start: Option<Chess>,
    ) -> ControlFlow<Option<Facts>, (Chess, Facts)> {
        let facts = Facts {
            plies: 0,
            end: String::new(),
            outcome: None,
        };
        ControlFlow::Continue((start.unwrap_or_default(), facts))
    }

    fn begin_variation(&mut self, _: &mut (Chess, Facts)) -> ControlFlow<Option<Facts>, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(
        &mut self,
        (position, facts): &mut (Chess, Facts),
        san: SanPlus,
    ) -> ControlFlow<Option<Facts>> {
        let Ok(m) = san.san.to_move(position) else {
            return ControlFlow::Break(None);
        };
        position.play_unchecked(m);
        facts.plies += 1;
        ControlFlow::Continue(())
    }

    fn outcome(
        &mut self,
        (_, facts): &mut (Chess, Facts),
        outcome: pgn_reader::Outcome,
    ) -> ControlFlow<Option<Facts>> {
        facts.outcome = Outcome::parse(outcome.to_string().as_bytes());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (position, mut facts): (Chess, Facts)) -> Option<Facts> {
        let fen = Fen::from_position(&position, EnPassantMode::PseudoLegal);
        // Castling is written in two ways for Chess960; the rest is compared.
        facts.end = without_castling(&fen.to_string());
        Some(facts)
    }
}

fn without_castling(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    [fields[0], fields[1], fields[3], fields[4], fields[5]].join(" ")
}

fn compare(path: &Path, most: usize) -> usize {
    let file = std::fs::File::open(path).unwrap();
    let text = zstd::decode_all(file).unwrap();
    let mut ours = Reader::from_slice(&text);
    let mut theirs = pgn_reader::Reader::new(&text[..]);
    let mut checker = Checker::new();
    let mut games = 0;
    while games < most {
        let rival = theirs.read_game(&mut Rival).unwrap();
        let own = ours.read_game(&mut checker).unwrap();
        let name = path.display();
        match (own, rival) {
            (None, None) => break,
            (Some(Ok(own)), Some(Some(rival))) => {
                let own = Facts {
                    plies: own.plies,
                    end: without_castling(&own.end.to_string()),
                    outcome: own.outcome,
                };
                assert_eq!(own, rival, "{name}, game {games}");
            }
            (Some(Err(_)), Some(None)) => {}
            (own, rival) => panic!("{name}, game {games}: ours {own:?}, theirs {rival:?}"),
        }
        games += 1;
    }
    games
}

/// Same games, same moves, same final positions, same results.
#[test]
fn pgn_reader_and_shakmaty_agree_on_real_files() {
    let Some(folder) = shared("games") else {
        return;
    };
    let is_full = std::env::var_os("SCORESHEET_FULL").is_some();
    let most = if is_full { usize::MAX } else { 1500 };
    for path in walk(&folder) {
        if path.extension().is_some_and(|e| e == "zst") {
            let games = compare(&path, most);
            assert!(games > 50, "{}", path.display());
        }
    }
}
