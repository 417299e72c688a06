//! Laws of the board.

use chess::{Keyed, Move};

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
