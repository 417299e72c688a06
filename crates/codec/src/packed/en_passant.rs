//! When BCGN sets the en-passant square.
//!
//! The original program sets it after a double push if an enemy pawn attacks it and taking would
//! not lay the taker's king open to a slider. But it looks at the board *before* the push, and
//! where it means to lift the taken pawn off its square it puts one there, for the square is still
//! empty; the square the pawn comes from stays occupied. So a pin along the rank and a check
//! discovered through the pawn's first square go unnoticed. For a position that was set up the same
//! test runs on the board as it is, and is right.
//!
//! What is set decides how many squares a pawn has, and so how many bits its moves take: whoever
//! reads files of others must follow. `Position` has the rule of chess and is not touched.

use chess::attacks::{self, Sliders, TwoStage};
use chess::{Bitboard, Board, Color, Position, Role, Square};

/// The square at the start of a game.
pub(super) fn in_set_up_position(position: &Position) -> Option<Square> {
    let square = position.ep_square()?;
    let board = position.board();
    let turn = position.turn();
    let own_pawns = board.by_color(turn) & board.by_role(Role::Pawn);
    let takers = attacks::pawn(!turn, square) & own_pawns;
    let occupied = board.occupied() ^ pushed_pawn(square).into();
    find_safe_taker(TwoStage, *board, turn, takers, square, occupied)
}

/// The square after a double push from `from` to `to`, which has not been played yet. The mistake is
/// in the `^`: there is no pawn on `to` that could be lifted off.
#[inline(always)]
pub(super) fn after_double_push<S: Sliders>(
    sliders: S,
    before: &Position,
    to: Square,
) -> Option<Square> {
    let square = pushed_pawn(to);
    let board = before.board();
    let turn = before.turn();
    let enemy_pawns = board.by_color(!turn) & board.by_role(Role::Pawn);
    let takers = attacks::pawn(turn, square) & enemy_pawns;
    if takers.is_empty() {
        return None;
    }
    let occupied = board.occupied() ^ to.into();
    find_safe_taker(sliders, *board, !turn, takers, square, occupied)
}

/// Whether some pawn can take on the square with no slider attacking its king afterwards, the
/// sliders seen through `occupied` with the taker moved. The board comes by value: see `game.rs`.
#[cold]
fn find_safe_taker<S: Sliders>(
    sliders: S,
    board: Board,
    color: Color,
    takers: Bitboard,
    square: Square,
    occupied: Bitboard,
) -> Option<Square> {
    let enemy = board.by_color(!color);
    let king = board.king_of(color)?;
    takers
        .into_iter()
        .any(|taker| {
            let after = (occupied ^ taker.into()) | square.into();
            let rooks = sliders.rook(king, after) & board.orthogonal_sliders();
            let bishops = sliders.bishop(king, after) & board.diagonal_sliders();
            !(rooks | bishops).intersects(enemy)
        })
        .then_some(square)
}

/// Where the pawn stands that has just passed over the square, or the other way round.
#[inline(always)]
fn pushed_pawn(square: Square) -> Square {
    Square::from_low_bits(square as u8 ^ 8)
}
