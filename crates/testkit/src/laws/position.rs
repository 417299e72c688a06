//! Laws of the board.

use chess::{Keyed, Move, MoveList, Position};

use crate::Game;

/// The key that follows the moves is the key from scratch, after every move.
///
/// # Panics
/// If it is not.
pub fn incremental_key(game: &Game) {
    let mut keyed = Keyed::new(game.start);
    for &m in &game.moves {
        keyed.play_unchecked(m);
        assert_eq!(
            keyed.key(),
            keyed.position().key(),
            "after {m:?}: {:?}",
            keyed.position()
        );
    }
}

/// `is_legal` says yes to exactly the moves of the list, for all 65,536 words.
///
/// # Panics
/// If it does not.
pub fn legality_agrees_with_list(game: &Game) {
    let end = game.end();
    let list = end.legal_moves();
    assert_eq!(list.len(), end.count_legal_moves());
    for m in (0..=u16::MAX).filter_map(Move::from_word) {
        assert_eq!(end.is_legal(m), list.contains(&m), "{m:?} in {end:?}");
    }
}

/// The lists made by table and by bits and the groups hold the same moves, in every position.
///
/// # Panics
/// If they do not.
pub fn listings_agree(game: &Game) {
    let mut list = MoveList::new();
    game.walk(|position, _| {
        let mut moves = position.legal_moves().to_vec();
        moves.sort_unstable();
        for fill in [
            Position::legal_moves_by_bits_into,
            Position::legal_moves_by_table_into,
        ] {
            fill(position, &mut list);
            let mut others = list.to_vec();
            others.sort_unstable();
            assert_eq!(others, moves, "{position:?}");
        }
        assert_eq!(moves.len(), position.count_legal_moves(), "{position:?}");
        let mut in_groups = 0;
        position.visit_groups(|from, targets| {
            for to in targets {
                let here = moves
                    .iter()
                    .filter(|m| m.from() == from && m.to() == to)
                    .count();
                assert!(here > 0, "{from}{to} in {position:?}");
                in_groups += here;
            }
        });
        assert_eq!(in_groups, moves.len(), "{position:?}");
    });
}
