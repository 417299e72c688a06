//! The same answers as shakmaty, on random positions of all kinds.

use scoresheet_chess::{Color, Position, ShredderFen};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Position as _, PositionError};
use testkit::{GameKind, random_game};

/// The same position there, unless it will not have it whatever we ask. What one cannot get by
/// playing (nine queens and eight pawns, two pawns giving check) is taken all the same.
fn theirs(position: &Position) -> Option<Chess> {
    let fen = ShredderFen(position.to_setup()).to_string();
    let fen: Fen = fen.parse().expect("our FEN is a FEN");
    fen.into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

fn compare(position: &Position) -> bool {
    let Some(theirs) = theirs(position) else {
        return false;
    };
    let name = |position: &Position, m| {
        let (uci, san) = (position.uci_chess960(m), position.san(m));
        format!("{uci} {san}")
    };
    let mut ours: Vec<String> = position
        .legal_moves()
        .into_iter()
        .map(|m| name(position, m))
        .collect();
    let mut expected: Vec<String> = theirs
        .legal_moves()
        .into_iter()
        .map(|m| {
            let san = SanPlus::from_move(theirs.clone(), m);
            format!("{} {san}", m.to_uci(CastlingMode::Chess960))
        })
        .collect();
    ours.sort_unstable();
    expected.sort_unstable();
    assert_eq!(ours, expected, "{position}");
    assert_eq!(position.is_check(), theirs.is_check(), "{position}");
    assert_eq!(position.is_checkmate(), theirs.is_checkmate(), "{position}");
    assert_eq!(position.is_stalemate(), theirs.is_stalemate(), "{position}");
    for (color, their_color) in [
        (Color::White, shakmaty::Color::White),
        (Color::Black, shakmaty::Color::Black),
    ] {
        assert_eq!(
            position.has_insufficient_material(color),
            theirs.has_insufficient_material(their_color),
            "{color}: {position}"
        );
    }
    true
}

/// 25,000 positions of each kind of game.
#[test]
fn moves_names_and_outcomes_are_the_same() {
    for kind in GameKind::ALL {
        let (mut compared, mut refused) = (0, 0);
        for seed in 1000.. {
            let game = random_game(kind, seed, 100);
            let mut count = |position: &Position| {
                if compare(position) {
                    compared += 1;
                } else {
                    refused += 1;
                }
            };
            game.walk(|position, _| count(position));
            count(&game.end());
            if compared + refused >= 25_000 {
                break;
            }
        }
        println!("{kind:?}: {compared} compared, {refused} refused");
        assert!(compared > 20 * refused, "{kind:?}: {compared}, {refused}");
    }
}
