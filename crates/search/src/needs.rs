//! What must be true of a game that can still match, so that others need not be read.

use chess::{Bitboard, Color, Position, Role};

/// Facts that only ever change one way: pawns do not return, men are only taken, rights are lost.
/// So once they say no, it stays no.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Needs {
    sides: [SideNeeds; 2],
    /// Rooks that must still have the right to castle.
    pub(crate) castling: Bitboard,
    /// Squares of the first two ranks of each side that their first men must have left.
    pub(crate) left_homes: Bitboard,
}

/// What is needed of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SideNeeds {
    /// Pawns that must not have moved.
    pub(crate) home_pawns: Bitboard,
    pub(crate) least_pawns: usize,
    pub(crate) least_men: usize,
    /// By the end of the game there must be no more than this.
    pub(crate) most_pawns: usize,
    pub(crate) most_men: usize,
}

impl Needs {
    /// Every game has this.
    pub(crate) const NOTHING: Needs = Needs {
        sides: [SideNeeds {
            home_pawns: Bitboard::EMPTY,
            least_pawns: 0,
            least_men: 0,
            most_pawns: 64,
            most_men: 64,
        }; 2],
        castling: Bitboard::EMPTY,
        left_homes: Bitboard::EMPTY,
    };

    pub(crate) fn side_mut(&mut self, color: Color) -> &mut SideNeeds {
        let [white, black] = &mut self.sides;
        match color {
            Color::White => white,
            Color::Black => black,
        }
    }

    /// Whether games are likely to come to an end of what is needed, so that it pays to ask.
    pub(crate) fn are_many(&self) -> bool {
        let side = |needs: &SideNeeds| {
            !needs.home_pawns.is_empty() || needs.least_pawns > 2 || needs.least_men > 4
        };
        !self.castling.is_empty() || self.sides.iter().any(side)
    }

    /// What is needed if both are asked for, now or later.
    pub(crate) fn and(self, other: Needs) -> Needs {
        let [a, b] = [self, other];
        a.zip(b, |a, b| SideNeeds {
            home_pawns: a.home_pawns | b.home_pawns,
            least_pawns: a.least_pawns.max(b.least_pawns),
            least_men: a.least_men.max(b.least_men),
            most_pawns: a.most_pawns.min(b.most_pawns),
            most_men: a.most_men.min(b.most_men),
        })
        .with(a.castling | b.castling, a.left_homes | b.left_homes)
    }

    /// What is needed if one of both is enough.
    pub(crate) fn or(self, other: Needs) -> Needs {
        let [a, b] = [self, other];
        a.zip(b, |a, b| SideNeeds {
            home_pawns: a.home_pawns & b.home_pawns,
            least_pawns: a.least_pawns.min(b.least_pawns),
            least_men: a.least_men.min(b.least_men),
            most_pawns: a.most_pawns.max(b.most_pawns),
            most_men: a.most_men.max(b.most_men),
        })
        .with(a.castling & b.castling, a.left_homes & b.left_homes)
    }

    /// What is needed if any of these is enough; nothing if there are none.
    pub(crate) fn any(all: impl Iterator<Item = Needs>) -> Needs {
        all.reduce(Needs::or).unwrap_or(Needs::NOTHING)
    }

    fn zip(self, other: Needs, join: fn(SideNeeds, SideNeeds) -> SideNeeds) -> Needs {
        let ([a, b], [c, d]) = (self.sides, other.sides);
        Needs {
            sides: [join(a, c), join(b, d)],
            ..self
        }
    }

    fn with(self, castling: Bitboard, left_homes: Bitboard) -> Needs {
        Needs {
            castling,
            left_homes,
            ..self
        }
    }

    /// Whether the game can still come to what is asked for.
    #[inline]
    pub(crate) fn can_come(&self, position: &Position) -> bool {
        let board = position.board();
        let pawns = board.by_role(Role::Pawn);
        let black = board.by_color(Color::Black);
        let [white_needs, black_needs] = &self.sides;
        // Most of the time a pawn has left home: that is looked at first, and for both at once.
        let homes =
            (white_needs.home_pawns - (pawns - black)) | (black_needs.home_pawns - (pawns & black));
        homes.is_empty()
            && self.castling.is_subset_of(position.castling_rooks())
            && (pawns & black).len() >= black_needs.least_pawns
            && (pawns - black).len() >= white_needs.least_pawns
            && black.len() >= black_needs.least_men
            && (board.occupied() - black).len() >= white_needs.least_men
    }

    /// Whether a game can have come to it that ends with so many men, having left these squares.
    /// `left_homes` is `None` if it did not start from the usual position.
    pub(crate) fn can_have_come(&self, end: &[SideEnd; 2], left_homes: Option<Bitboard>) -> bool {
        let fits = |needs: &SideNeeds, end: &SideEnd| {
            end.pawns <= needs.most_pawns && end.men <= needs.most_men
        };
        let [white, black] = &self.sides;
        let [white_end, black_end] = end;
        fits(white, white_end)
            && fits(black, black_end)
            && left_homes.is_none_or(|left| self.left_homes.is_subset_of(left))
    }
}

/// What a side has at the end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SideEnd {
    pub(crate) pawns: usize,
    pub(crate) men: usize,
}

impl SideEnd {
    /// That of both sides, from a position.
    #[cfg(test)]
    pub(crate) fn of(position: &Position) -> [SideEnd; 2] {
        Color::ALL.map(|color| SideEnd {
            pawns: position
                .board()
                .by_piece(chess::Piece::new(color, Role::Pawn))
                .len(),
            men: position.board().by_color(color).len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use testkit::{GameKind, Random, random_game};

    use super::*;
    use crate::Pattern;

    /// What the archive keeps of a game: squares of ranks 1, 2, 7 and 8 that moves touched.
    fn left_homes(game: &testkit::Game) -> Bitboard {
        let mut left = Bitboard::EMPTY;
        game.walk(|position, m| {
            left |= Bitboard::from(m.from()) | Bitboard::from(m.to());
            if let Some(side) = m.castling_side() {
                let rook = position.castling_rook(position.turn(), side);
                left |= rook.map_or(Bitboard::EMPTY, Bitboard::from);
            }
        });
        left
    }

    #[test]
    fn a_game_is_never_ruled_out_by_a_position_it_has() {
        let mut ruled_out = 0;
        for seed in 0..300 {
            let game = random_game(GameKind::Standard, seed, 120);
            let other = random_game(GameKind::Standard, seed + 1000, 120);
            let end = SideEnd::of(&game.end());
            let left = left_homes(&game);
            let at = Random::new(seed).below(game.moves.len());
            let mut ply = 0;
            game.walk(|position, _| {
                let needs = Pattern::exact(position).needs();
                assert!(needs.can_have_come(&end, Some(left)), "{position}");
                assert!(needs.can_come(position));
                if ply == at {
                    let mut earlier = game.start;
                    for m in game.moves.iter().take(at) {
                        assert!(needs.can_come(&earlier), "{earlier} to {position}");
                        earlier.play_unchecked(*m);
                    }
                }
                ply += 1;
            });
            let needs = Pattern::exact(&other.end()).needs();
            ruled_out += usize::from(!needs.can_have_come(&end, Some(left)));
        }
        assert!(ruled_out > 200, "{ruled_out}");
    }
}
