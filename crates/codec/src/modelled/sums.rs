//! The rows of all men on the board, summed: kept up to date move by move, once for each side.

use chess::attacks::Sliders;
use chess::{Color, Move, Piece, Position, Role, Square};

use super::features::seen_by;
use super::layout::{COLUMNS, column};
use super::model::Model;

/// For each colour the sum of the rows of all men as that colour sees them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sums {
    sides: [[i16; COLUMNS]; 2],
}

/// The number of the row of a man on a square, as a side sees them.
#[inline(always)]
fn row_of(side: Color, piece: Piece, square: Square) -> usize {
    let enemy = if piece.color == side { 0 } else { COLUMNS };
    enemy + column(piece.role, seen_by(side, square))
}

/// What a move changes: the numbers of the rows that come and go, for White and for Black. It is known
/// when the move is, and asked for only with the next odds: the rows are fetched in between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Change {
    man: [Moved; 2],
    also: Also,
}

/// A man that is gone from one place and has come to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Moved {
    gone: usize,
    come: usize,
}

/// What else a move does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Also {
    Nothing,
    Taken([usize; 2]),
    Castled([Moved; 2]),
}

impl Change {
    /// Of a legal move, from the position before it.
    #[inline(always)]
    pub(super) fn new(before: &Position, m: Move) -> Change {
        let us = before.turn();
        let board = before.board();
        let (from, to) = (m.from(), m.to());
        let role = board.role_at(from).unwrap_or(Role::Pawn);
        let moved = |man: Piece, from: Square, becomes: Piece, to: Square| {
            Color::ALL.map(|side| Moved {
                gone: row_of(side, man, from),
                come: row_of(side, becomes, to),
            })
        };
        let becomes = Piece::new(us, m.promotion().unwrap_or(role));
        let rook = m
            .castling_side()
            .and_then(|side| Some((before.castling_rook(us, side)?, side.rook_to(us))));
        let also = if let Some((from, to)) = rook {
            let rook = Piece::new(us, Role::Rook);
            Also::Castled(moved(rook, from, rook, to))
        } else if m.is_capture() {
            let at = match board.role_at(to) {
                Some(_) => to,
                None => Square::from_low_bits(to as u8 ^ 8), // En passant.
            };
            let taken = Piece::new(!us, board.role_at(at).unwrap_or(Role::Pawn));
            Also::Taken(Color::ALL.map(|side| row_of(side, taken, at)))
        } else {
            Also::Nothing
        };
        Change {
            man: moved(Piece::new(us, role), from, becomes, to),
            also,
        }
    }

    /// Asks for the rows of the man. Those of the others would cost a branch that nobody foresees.
    #[inline(always)]
    pub(super) fn soon<S: Sliders>(&self, model: &Model, sliders: S) {
        for Moved { gone, come } in self.man {
            model.place(gone).soon(sliders);
            model.place(come).soon(sliders);
        }
    }
}

impl Sums {
    /// From scratch.
    pub(super) fn of(model: &Model, position: &Position) -> Sums {
        let mut sums = Sums {
            sides: [[0; COLUMNS]; 2],
        };
        for (square, piece) in position.board().pieces() {
            for (side, sums) in Color::ALL.into_iter().zip(&mut sums.sides) {
                let row = model.place(row_of(side, piece, square));
                for (i, sum) in sums.iter_mut().enumerate() {
                    *sum = sum.wrapping_add(row.at(i));
                }
            }
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

    /// Follows a move.
    #[inline(always)]
    pub(super) fn follow(&mut self, model: &Model, change: &Change) {
        let row = |row| model.place(row);
        let sides = self.sides.iter_mut().zip(change.man);
        match change.also {
            Also::Nothing => {
                for (sums, man) in sides {
                    let (gone, come) = (row(man.gone), row(man.come));
                    for (i, sum) in sums.iter_mut().enumerate() {
                        *sum = sum.wrapping_add(come.at(i).wrapping_sub(gone.at(i)));
                    }
                }
            }
            Also::Taken(taken) => {
                for ((sums, man), taken) in sides.zip(taken) {
                    let (gone, come, taken) = (row(man.gone), row(man.come), row(taken));
                    for (i, sum) in sums.iter_mut().enumerate() {
                        let change = come.at(i).wrapping_sub(gone.at(i));
                        *sum = sum.wrapping_add(change).wrapping_sub(taken.at(i));
                    }
                }
            }
            Also::Castled(rooks) => {
                for ((sums, man), rook) in sides.zip(rooks) {
                    let king = (row(man.gone), row(man.come));
                    let rook = (row(rook.gone), row(rook.come));
                    for (i, sum) in sums.iter_mut().enumerate() {
                        let king = king.1.at(i).wrapping_sub(king.0.at(i));
                        let rook = rook.1.at(i).wrapping_sub(rook.0.at(i));
                        *sum = sum.wrapping_add(king).wrapping_add(rook);
                    }
                }
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
                    sums.follow(model, &Change::new(position, m));
                });
                assert_eq!(sums, Sums::of(model, &game.end()));
            }
        }
    }
}
