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
use chess::{Bitboard, Color, Position, Role, Square};

/// The square at the start of a game.
pub(super) fn in_set_up_position(position: &Position) -> Option<Square> {
    let square = position.ep_square()?;
    let occupied = position.board().occupied() ^ pushed_pawn(square).into();
    find_safe_taker(TwoStage, position, square, occupied)
}

/// The square after a double push, from the position after it. Before the push the pawn's first
/// square was occupied and its last one counted as such, so both are occupied here.
#[cold]
pub(super) fn after_double_push<S: Sliders>(
    sliders: S,
    after: &Position,
    square: Square,
) -> Option<Square> {
    let origin = match after.turn() {
        Color::Black => square as u8 % 8 + 8,
        Color::White => square as u8 % 8 + 48,
    };
    let occupied = after.board().occupied() | Square::from_low_bits(origin).into();
    find_safe_taker(sliders, after, square, occupied)
}

/// Whether some pawn can take on the square with no slider attacking its king afterwards, the
/// sliders seen through `occupied` with the taker moved.
fn find_safe_taker<S: Sliders>(
    sliders: S,
    position: &Position,
    square: Square,
    occupied: Bitboard,
) -> Option<Square> {
    let board = position.board();
    let color = position.turn();
    let enemy = board.by_color(!color);
    let king = position.king_of(color);
    let takers = attacks::pawn(!color, square) & board.by_color(color) & board.by_role(Role::Pawn);
    takers
        .into_iter()
        .any(|taker| {
            let after = (occupied - taker.into()) | square.into();
            let rooks = sliders.rook(king, after) & board.orthogonal_sliders();
            let bishops = sliders.bishop(king, after) & board.diagonal_sliders();
            !(rooks | bishops).intersects(enemy)
        })
        .then_some(square)
}

/// Where the pawn stands that has just passed over the square.
fn pushed_pawn(square: Square) -> Square {
    Square::from_low_bits(square as u8 ^ 8)
}
