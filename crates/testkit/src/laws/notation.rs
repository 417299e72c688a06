//! Laws of FEN, SAN, LAN and UCI.

use std::collections::HashSet;

use chess::{Epd, Move, MoveKind, Position, San, Setup, ShredderFen, Step};

use crate::Game;

/// Every position of the game is read back from its FEN, with either kind of castling letters.
///
/// # Panics
/// If one is not.
pub fn fen_round_trip(game: &Game) {
    let check = |position: &Position| {
        let fen = position.to_string();
        assert_eq!(fen.parse(), Ok(*position), "{fen}");
        let shredder = ShredderFen(position.to_setup()).to_string();
        assert_eq!(shredder.parse(), Ok(*position), "{shredder}");
        assert_eq!(fen.parse::<Setup>(), Ok(position.to_setup()), "{fen}");
    };
    game.walk(|position, _| check(position));
    check(&game.end());
}

/// Every legal move of every position has a name of its own, short and long, and is read back from
/// both, by the short way and by the long one. It has a sign if it gives check, and is a step if it
/// says so; whether there is an answer is no matter of opinion.
///
/// # Panics
/// If one is not.
pub fn san_round_trip(game: &Game) {
    game.walk(|position, _| {
        let mut names: HashSet<San> = HashSet::new();
        for m in position.legal_moves() {
            let (san, lan) = (position.san(m), position.lan(m));
            assert!(names.insert(san), "two moves are {san} in {position}");
            assert_eq!(position.parse_san(san.as_bytes()), Ok(m), "{position}");
            assert_eq!(position.parse_san(lan.as_bytes()), Ok(m), "{position}");
            assert_eq!(
                position.parse_san_the_long_way(san.as_bytes()),
                Ok(m),
                "{san} in {position}"
            );
            let mut after = *position;
            after.play_unchecked(m);
            let gives_check = position.gives_check(m);
            assert_eq!(gives_check, after.is_check(), "{san} in {position}");
            assert_eq!(gives_check, san.as_str().ends_with(['+', '#']), "{san}");
            let has_moves = after.count_legal_moves() > 0;
            assert_eq!(after.has_legal_moves(), has_moves, "{after}");
            let step = Step::of(position, m);
            assert!(step.is_none_or(|step| step.to_move() == m), "{san}");
            let is_special = san.as_str().contains(['O', '=']) || m.kind() == MoveKind::EnPassant;
            assert_eq!(step.is_none(), is_special, "{san} in {position}");
        }
    });
}

/// Every legal move is read back from UCI notation, in both spellings of castling.
///
/// # Panics
/// If one is not.
pub fn uci_round_trip(game: &Game) {
    game.walk(|position, _| {
        for m in position.legal_moves() {
            let (uci, chess960) = (position.uci(m), position.uci_chess960(m));
            assert_eq!(position.parse_uci(uci.as_bytes()), Ok(m), "{position}");
            assert_eq!(position.parse_uci(chess960.as_bytes()), Ok(m), "{position}");
        }
    });
}

/// The short way of reading SAN accepts nothing that the long way reads otherwise: both give the
/// same answer, errors included.
///
/// # Panics
/// If they do not.
pub fn short_cut_agrees(position: &Position, text: &[u8]) {
    assert_eq!(
        position.parse_san(text),
        position.parse_san_the_long_way(text),
        "{:?} in {position}",
        text.escape_ascii().to_string()
    );
}

/// Any bytes are a legal move in SAN or an error. A move that was accepted is accepted again under
/// its canonical name, and errors can be printed.
///
/// # Panics
/// If not.
pub fn san_bytes(position: &Position, text: &[u8]) {
    short_cut_agrees(position, text);
    match position.parse_san(text) {
        Ok(m) => is_a_move(position, m),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Any bytes are a legal move in UCI notation or an error.
///
/// # Panics
/// If not.
pub fn uci_bytes(position: &Position, text: &[u8]) {
    match position.parse_uci(text) {
        Ok(m) => is_a_move(position, m),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn is_a_move(position: &Position, m: Move) {
    assert!(position.is_legal(m), "{m:?} in {position}");
    assert_eq!(position.parse_san(position.san(m).as_bytes()), Ok(m));
}

/// Any text is a position or an error; a position is read back from the FEN it writes.
///
/// # Panics
/// If not.
pub fn fen_bytes(text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    match text.parse::<Position>() {
        Ok(position) => {
            assert_eq!(position.to_string().parse(), Ok(position));
            assert_eq!(position.legal_moves().len(), position.count_legal_moves());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Any text is an EPD or an error; an EPD is read back from what it writes.
///
/// # Panics
/// If not.
pub fn epd_bytes(text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    match text.parse::<Epd>() {
        Ok(epd) => assert_eq!(epd.to_string().parse(), Ok(epd), "{text}"),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
