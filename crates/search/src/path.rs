//! The way of one man over several squares.

use chess::{Bitboard, Color, Move, Position, Role, Square};

use crate::QueryError;
use crate::pattern::mirror;

/// A manoeuvre: one man goes from square to square, with other moves between if need be.
///
/// `Nb1-d2-f1-g3` is the way of a knight. A man that goes elsewhere from one of the squares, or is
/// taken there, has left the way.
///
/// ```
/// use scoresheet_search::Path;
/// assert!(Path::parse("Nb1-d2-f1-g3").is_ok());
/// assert!(Path::parse("Nb1").is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    role: Role,
    squares: Vec<Square>,
    color: Option<Color>,
}

/// How many squares a way may have.
const LONGEST: usize = 63;

impl Path {
    /// Reads a way.
    ///
    /// # Errors
    /// [`QueryError`] with the place in the text.
    pub fn parse(text: &str) -> Result<Path, QueryError> {
        let fail = |at, expected: &str| QueryError::new("path", text, at, expected);
        let first = text.chars().next();
        let (role, skipped) = match first.map(|c| (c, Role::from_char(c))) {
            Some((c, Some(role))) if c.is_ascii_uppercase() => (role, 1),
            _ => (Role::Pawn, 0),
        };
        let mut at = skipped;
        let mut squares = Vec::new();
        for name in text.get(skipped..).unwrap_or_default().split('-') {
            let square = name.parse();
            squares.push(square.map_err(|_| fail(at, "a square, as in Nb1-d2-f1"))?);
            at += name.chars().count() + 1;
        }
        if squares.len() < 2 {
            return Err(fail(text.chars().count(), "a second square, as in Nb1-d2"));
        }
        if squares.len() > LONGEST {
            return Err(fail(0, format!("no more than {LONGEST} squares").as_str()));
        }
        Ok(Path {
            role,
            squares,
            color: None,
        })
    }

    pub(crate) fn mirrored(&self) -> Path {
        Path {
            squares: self.squares.iter().copied().map(mirror).collect(),
            ..self.clone()
        }
    }

    pub(crate) fn flipped(&self) -> Path {
        Path {
            squares: self
                .squares
                .iter()
                .map(|square| square.flip_ranks())
                .collect(),
            color: self.color.map(|color| !color),
            ..self.clone()
        }
    }

    /// Follows a move. Bit i of `walkers` is a man that has come to square i of the way; men of
    /// White are in the first set. Whether one has arrived.
    #[inline]
    pub(crate) fn follow(&self, walkers: &mut [u64; 2], position: &Position, m: Move) -> bool {
        let turn = position.turn();
        let [white, black] = walkers;
        let (own, other) = match turn {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        let (from, to) = (Bitboard::from(m.from()), Bitboard::from(m.to()));
        // Whoever stood where the move goes has been taken. In passing, too: a pawn on a way.
        let taken = if m.kind() == chess::MoveKind::EnPassant {
            Bitboard::from(Square::from_low_bits(m.to() as u8 ^ 8))
        } else {
            to
        };
        let mut bits = *other;
        while bits != 0 {
            let i = bits.trailing_zeros();
            bits &= bits - 1;
            if self.square(i).intersects(taken) {
                *other &= !(1 << i);
            }
        }
        if self.color.is_some_and(|color| color != turn) {
            return false;
        }
        let is_role =
            position.board().role_at(m.from()) == Some(self.role) && m.castling_side().is_none();
        let before = *own;
        let mut arrived = false;
        for i in 0..u32::try_from(self.squares.len())
            .unwrap_or(0)
            .saturating_sub(1)
        {
            if !self.square(i).intersects(from) {
                continue;
            }
            let walks = is_role && (i == 0 || before >> i & 1 != 0);
            *own &= !(1 << i);
            if walks && self.square(i + 1).intersects(to) {
                if i as usize + 2 == self.squares.len() {
                    arrived = true;
                } else {
                    *own |= 1 << (i + 1);
                }
            }
        }
        arrived
    }

    #[inline]
    fn square(&self, i: u32) -> Bitboard {
        let square = self.squares.get(i as usize);
        square.map_or(Bitboard::EMPTY, |&square| square.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrives(path: &str, moves: &str) -> bool {
        let path = Path::parse(path).expect("a path");
        let mut position = Position::START;
        let mut walkers = [0; 2];
        for san in moves.split(' ') {
            let m = position.parse_san(san.as_bytes()).expect(san);
            if path.follow(&mut walkers, &position, m) {
                return true;
            }
            position.play_unchecked(m);
        }
        false
    }

    #[test]
    fn one_man_goes_the_whole_way() {
        let moves = "d4 d5 Nd2 Nf6 Ngf3 e6 e3 Be7 Bd3 O-O O-O c5 Re1 Nc6 Nf1 b6 Ng3";
        assert!(arrives("Nb1-d2-f1-g3", moves));
        assert!(arrives("Nd2-f1", moves));
        assert!(arrives("Ng8-f6", moves));
        assert!(!arrives("Nb1-d2-f1-h2", moves));
        assert!(!arrives("Ng1-f3-d2", moves));
        assert!(arrives("d2-d4", moves));
    }

    #[test]
    fn who_strays_or_is_taken_does_not_arrive() {
        // The knight of b1 goes on to b3; it is the other one that comes to f1.
        let strays = "d4 d5 Nd2 e6 Nb3 a6 Nf3 a5 Nfd2 a4 Nb1";
        assert!(!arrives("Nb1-d2-b1", strays));
        let taken = "Nc3 d5 e4 d4 a3 dxc3 bxc3 e5 Nf3 Nc6 Ng1";
        assert!(!arrives("Nb1-c3-b1", taken));
    }
}
