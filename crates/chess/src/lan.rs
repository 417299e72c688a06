//! Long algebraic notation: `Ng1-f3`, `e4xd5`, `O-O`, `e7-e8=Q+`.

use crate::san::{castling_text, push_promotion, role_letter};
use crate::short_text::{ShortText, short_text};
use crate::{Move, Position, Role};

/// A move in long algebraic notation, without allocation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lan(ShortText<{ Lan::MAX_LEN + 1 }>);

impl Lan {
    /// The longest is `e7xd8=Q#`.
    pub const MAX_LEN: usize = 8;
}

short_text!(Lan);

impl Position {
    /// Writes a legal move in long algebraic notation. [`Position::parse_san`] reads it back. For a
    /// move that is not legal here the text means nothing.
    ///
    /// ```
    /// # use scoresheet_chess::Position;
    /// let m = Position::START.parse_san(b"Nf3").unwrap();
    /// assert_eq!(Position::START.lan(m).as_str(), "Ng1-f3");
    /// ```
    #[must_use]
    pub fn lan(&self, m: Move) -> Lan {
        let mut text = ShortText::new();
        if let Some(side) = m.castling_side() {
            text.push_str(castling_text(side));
        } else {
            match self.board.role_at(m.from()) {
                None | Some(Role::Pawn) => {}
                Some(role) => text.push(role_letter(role)),
            }
            text.push_square(m.from());
            text.push(if m.is_capture() { b'x' } else { b'-' });
            text.push_square(m.to());
            push_promotion(&mut text, m);
        }
        let mut next = *self;
        next.play_unchecked(m);
        if let Some(sign) = next.check_sign() {
            text.push(sign);
        }
        Lan(text)
    }
}
