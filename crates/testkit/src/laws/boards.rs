//! The two boards are one game.

use chess::{AttackBoard, Bitboard, Color, Move, Position, Square};

use crate::Game;

/// [`AttackBoard`] and [`Position`], made from the same start and played on side by side, agree on
/// everything both can be asked: FEN, key, legal moves, checkers, and who attacks each square.
///
/// # Panics
/// If they do not.
pub fn boards_agree(game: &Game) {
    let mut position = game.start;
    let mut board = AttackBoard::from(&position);
    compare(&position, &board);
    for &m in &game.moves {
        position.play_unchecked(m);
        board.play_unchecked(m);
        compare(&position, &board);
    }
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort_unstable();
    moves
}

fn compare(position: &Position, board: &AttackBoard) {
    assert_eq!(board.to_position(), *position);
    assert_eq!(board.to_string(), position.to_string());
    assert_eq!(board.key(), position.key(), "{position}");
    assert_eq!(
        sorted(board.legal_moves()),
        sorted(position.legal_moves()),
        "{position}"
    );
    assert_eq!(board.count_legal_moves(), position.count_legal_moves());
    assert_eq!(board.is_check(), position.is_check(), "{position}");
    let checkers = board.squares_of(board.checkers());
    assert_eq!(checkers, position.checkers(), "{position}");
    for square in Square::ALL {
        let man = position.board().piece_at(square);
        assert_eq!(board.piece_at(square), man, "{square} in {position}");
        for color in Color::ALL {
            let attackers = board.attackers(square, color);
            let squares = position.attackers_to(square, color);
            assert_eq!(board.squares_of(attackers), squares, "{square}: {position}");
            let by_value = attackers_by_value(board, square, color);
            assert_eq!(by_value, squares, "{square} in {position}");
        }
        if let Some(man) = man {
            let defenders = position.attackers_to(square, man.color).len();
            let attackers = position.attackers_to(square, !man.color).len();
            assert_eq!(board.defender_count(square), defenders);
            assert_eq!(board.attacker_count(square), attackers);
            assert_eq!(board.is_defended(square), defenders > 0);
        }
    }
}

/// The squares of the attackers, on the way checked to come in the order of their values.
fn attackers_by_value(board: &AttackBoard, square: Square, color: Color) -> Bitboard {
    let men: Vec<_> = board
        .attackers_by_value(square, color)
        .map(|index| board.piece(index).expect("an attacker is on the board"))
        .collect();
    assert!(men.is_sorted_by_key(|(_, piece)| piece.role));
    assert!(men.iter().all(|(_, piece)| piece.color == color));
    let least = board.least_valuable_attacker(square, color);
    let least = least.and_then(|index| board.piece(index));
    assert_eq!(least, men.first().copied());
    men.into_iter().map(|(square, _)| square).collect()
}
