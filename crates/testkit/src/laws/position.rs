//! Laws of the board.

use chess::{Keyed, Move, MoveList};

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

/// The list by table, the list by bits and the groups hold the same moves, in every position.
///
/// # Panics
/// If they do not.
pub fn listings_agree(game: &Game) {
    let mut list = MoveList::new();
    game.walk(|position, _| {
        let mut by_table = position.legal_moves().to_vec();
        position.legal_moves_by_bits_into(&mut list);
        let mut by_bits = list.to_vec();
        by_table.sort_unstable();
        by_bits.sort_unstable();
        assert_eq!(by_table, by_bits, "{position:?}");
        assert_eq!(by_bits.len(), position.count_legal_moves(), "{position:?}");
        let mut in_groups = 0;
        position.visit_groups(|from, targets| {
            for to in targets {
                let here = by_bits
                    .iter()
                    .filter(|m| m.from() == from && m.to() == to)
                    .count();
                assert!(here > 0, "{from}{to} in {position:?}");
                in_groups += here;
            }
        });
        assert_eq!(in_groups, by_bits.len(), "{position:?}");
    });
}
