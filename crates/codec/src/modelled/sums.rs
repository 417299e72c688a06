//! The rows of all men on the board, summed: kept up to date move by move, once for each side.

use chess::{Color, Move, Piece, Position, Role, Square};

use super::features::seen_by;
use super::layout::{COLUMNS, column};
use super::model::{Model, Row};

/// For each colour the sum of the rows of all men as that colour sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sums {
    sides: [[i16; COLUMNS]; 2],
}

/// The row of a man on a square, as a side sees them.
#[inline(always)]
fn row_of(model: &Model, side: Color, piece: Piece, square: Square) -> Row<'_> {
    let enemy = if piece.color == side { 0 } else { COLUMNS };
    model.place(enemy + column(piece.role, seen_by(side, square)))
}

impl Sums {
    /// From scratch.
    pub(super) fn of(model: &Model, position: &Position) -> Sums {
        let mut sums = Sums {
            sides: [[0; COLUMNS]; 2],
        };
        for (square, piece) in position.board().pieces() {
            sums.put(model, piece, square);
        }
        sums
    }

    #[inline(always)]
    pub(super) fn side(&self, color: Color) -> &[i16; COLUMNS] {
        match color {
            Color::White => &self.sides[0],
            Color::Black => &self.sides[1],
        }
    }

    fn put(&mut self, model: &Model, piece: Piece, square: Square) {
        for (side, sums) in Color::ALL.into_iter().zip(&mut self.sides) {
            let row = row_of(model, side, piece, square);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = sum.wrapping_add(row.at(i));
            }
        }
    }

    fn take(&mut self, model: &Model, piece: Piece, square: Square) {
        for (side, sums) in Color::ALL.into_iter().zip(&mut self.sides) {
            let row = row_of(model, side, piece, square);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = sum.wrapping_sub(row.at(i));
            }
        }
    }

    /// Follows a legal move from the position before it.
    #[inline(always)]
    pub(super) fn play(&mut self, model: &Model, before: &Position, m: Move) {
        let us = before.turn();
        let board = before.board();
        let (from, to) = (m.from(), m.to());
        let Some(role) = board.role_at(from) else {
            return;
        };
        let man = Piece::new(us, role);
        let becomes = Piece::new(us, m.promotion().unwrap_or(role));
        if let Some(side) = m.castling_side() {
            self.take(model, man, from);
            self.put(model, man, to);
            if let Some(rook) = before.castling_rook(us, side) {
                let man = Piece::new(us, Role::Rook);
                self.take(model, man, rook);
                self.put(model, man, side.rook_to(us));
            }
            return;
        }
        if m.is_capture() {
            let at = match board.role_at(to) {
                Some(_) => to,
                None => Square::from_low_bits(to as u8 ^ 8), // En passant.
            };
            let taken = Piece::new(!us, board.role_at(at).unwrap_or(Role::Pawn));
            for (side, sums) in Color::ALL.into_iter().zip(&mut self.sides) {
                let gone = row_of(model, side, man, from);
                let come = row_of(model, side, becomes, to);
                let taken = row_of(model, side, taken, at);
                for (i, sum) in sums.iter_mut().enumerate() {
                    let change = come.at(i).wrapping_sub(gone.at(i));
                    *sum = sum.wrapping_add(change).wrapping_sub(taken.at(i));
                }
            }
            return;
        }
        for (side, sums) in Color::ALL.into_iter().zip(&mut self.sides) {
            let gone = row_of(model, side, man, from);
            let come = row_of(model, side, becomes, to);
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = sum.wrapping_add(come.at(i).wrapping_sub(gone.at(i)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::built_in;
    use super::*;
    use testkit::{GameKind, random_game};

    #[test]
    fn following_moves_is_as_good_as_from_scratch() {
        let model = built_in();
        for kind in GameKind::ALL {
            for seed in 0..12 {
                let game = random_game(kind, seed, 150);
                let mut sums = Sums::of(model, &game.start);
                game.walk(|position, m| {
                    assert_eq!(sums, Sums::of(model, position), "{position}");
                    sums.play(model, position, m);
                });
                assert_eq!(sums, Sums::of(model, &game.end()));
            }
        }
    }
}
