//! A position that carries its key.

use core::ops::Deref;

use crate::board::code_of;
use crate::{Bitboard, Color, IllegalMove, Move, Piece, Position, Role, Square, zobrist};

/// A [`Position`] with its Zobrist key, which follows every move.
///
/// ```
/// use scoresheet_chess::{Keyed, Position};
/// let mut game = Keyed::new(Position::START);
/// let e4 = game.parse_san(b"e4").unwrap();
/// game.play_unchecked(e4);
/// assert_eq!(game.key(), 0x823c_9b50_fd11_4196);
/// assert_eq!(game.key(), game.position().key());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Keyed {
    position: Position,
    key: u64,
}

impl Keyed {
    /// Computes the key of a position.
    #[must_use]
    pub fn new(position: Position) -> Keyed {
        Keyed {
            position,
            key: position.key(),
        }
    }

    /// The position.
    #[must_use]
    #[inline]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The key; the same as [`Position::key`].
    #[must_use]
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// [`IllegalMove`] if it is not legal; nothing has changed then.
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        if !self.position.is_legal(m) {
            return Err(IllegalMove { found: m });
        }
        self.play_unchecked(m);
        Ok(())
    }

    /// Plays a move that is known to be legal; see [`Position::play_unchecked`].
    #[inline]
    pub fn play_unchecked(&mut self, m: Move) {
        let before = &self.position;
        let (from, to) = (m.from(), m.to());
        let moved = before.board.code_at(from);
        let taken = before.board.code_at(to);
        let mut change = zobrist::turn()
            ^ zobrist::man(moved, from)
            ^ zobrist::man(moved, to)
            ^ zobrist::man(taken, to)
            ^ zobrist::ep(before.ep_square);
        if !matches!(m.flags(), 0 | 1 | 4) {
            change ^= special_change(before, m);
        }
        // Rights change when a king moves, or something leaves or reaches a rook's square: seldom.
        let is_king = moved | 1 == code_of(Piece::new(Color::Black, Role::King));
        let squares = Bitboard::from(from) | to.into();
        let may_lose_rights = before.castling.any() & is_king | before.castling.intersects(squares);
        if may_lose_rights {
            change ^= zobrist::castling(before);
        }
        self.position.play_unchecked(m);
        if may_lose_rights {
            change ^= zobrist::castling(&self.position);
        }
        self.key ^= change ^ zobrist::ep(self.position.ep_square);
    }
}

/// What castling, en passant and promotion add to the change of a man going from square to square.
fn special_change(before: &Position, m: Move) -> u64 {
    let color = before.turn;
    let pawn = |color| code_of(Piece::new(color, Role::Pawn));
    if let Some(side) = m.castling_side() {
        // The man that "stood" where the king lands is the king itself or the castling rook; it
        // was not taken.
        let rook_code = code_of(Piece::new(color, Role::Rook));
        let rook = before.castling_rook_to(color, side).unwrap_or(m.to());
        return zobrist::man(before.board.code_at(m.to()), m.to())
            ^ zobrist::man(rook_code, rook)
            ^ zobrist::man(rook_code, side.rook_to(color));
    }
    match m.promotion() {
        Some(role) => {
            let promoted = code_of(Piece::new(color, role));
            zobrist::man(pawn(color), m.to()) ^ zobrist::man(promoted, m.to())
        }
        None => {
            let taken = Square::from_low_bits(m.to() as u8 ^ 8);
            let enemy: Color = !color;
            zobrist::man(pawn(enemy), taken)
        }
    }
}

impl Deref for Keyed {
    type Target = Position;

    #[inline]
    fn deref(&self) -> &Position {
        &self.position
    }
}
