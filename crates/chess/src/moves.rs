//! The 16-bit move that the whole library speaks.

use core::fmt;
use core::num::NonZeroU16;

use crate::{CastlingSide, Role, Square};

/// What kind of move it is: the four flag bits of the word.
///
/// | value | kind | value | kind |
/// |---|---|---|---|
/// | 0 | quiet | 8–11 | promotion to N, B, R, Q |
/// | 1 | double pawn push | 12–15 | the same with a capture |
/// | 2, 3 | castling king side, queen side | 4 | capture |
/// | 5 | en passant | 6, 7 | unused |
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum MoveKind {
    Quiet = 0,
    DoublePush = 1,
    CastleKingSide = 2,
    CastleQueenSide = 3,
    Capture = 4,
    EnPassant = 5,
    PromoteKnight = 8,
    PromoteBishop = 9,
    PromoteRook = 10,
    PromoteQueen = 11,
    CapturePromoteKnight = 12,
    CapturePromoteBishop = 13,
    CapturePromoteRook = 14,
    CapturePromoteQueen = 15,
}

impl MoveKind {
    /// The kind with these flag bits; 6 and 7 are no kind.
    #[must_use]
    #[inline]
    pub const fn from_flags(flags: u8) -> Option<MoveKind> {
        Some(match flags {
            0 => MoveKind::Quiet,
            1 => MoveKind::DoublePush,
            2 => MoveKind::CastleKingSide,
            3 => MoveKind::CastleQueenSide,
            4 => MoveKind::Capture,
            5 => MoveKind::EnPassant,
            8 => MoveKind::PromoteKnight,
            9 => MoveKind::PromoteBishop,
            10 => MoveKind::PromoteRook,
            11 => MoveKind::PromoteQueen,
            12 => MoveKind::CapturePromoteKnight,
            13 => MoveKind::CapturePromoteBishop,
            14 => MoveKind::CapturePromoteRook,
            15 => MoveKind::CapturePromoteQueen,
            _ => return None,
        })
    }

    /// The kind of a promotion to `role`; `None` for a pawn or a king.
    #[must_use]
    #[inline]
    pub const fn promotion(role: Role, is_capture: bool) -> Option<MoveKind> {
        let base = if is_capture { 12 } else { 8 };
        match role {
            Role::Pawn | Role::King => None,
            _ => MoveKind::from_flags(base + role as u8 - 1),
        }
    }

    /// The kind of castling to this side.
    #[must_use]
    #[inline]
    pub const fn castle(side: CastlingSide) -> MoveKind {
        match side {
            CastlingSide::KingSide => MoveKind::CastleKingSide,
            CastlingSide::QueenSide => MoveKind::CastleQueenSide,
        }
    }
}

/// A move as a 16-bit word: `flags:4 | from:6 | to:6`.
///
/// Castling goes from the king's square to the square where the king lands, in Chess960 too; the
/// flags tell it from a king's step. A move says nothing about the position it belongs to: that
/// it is legal is for [`Position`](crate::Position) to say.
///
/// ```
/// use scoresheet_chess::{Move, MoveKind, Square};
/// let e4 = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
/// assert_eq!(e4.word(), 1 << 12 | 12 << 6 | 28);
/// assert_eq!(e4.to_string(), "e2e4");
/// assert_eq!(Move::from_word(e4.word()), Some(e4));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

// A quiet move from a1 to a1 does not exist, so the word 0 is free for `None`.
const _: () = assert!(size_of::<Option<Move>>() == 2);

impl Move {
    /// The word of a1–b1, which stands in where a word would be 0 and cannot be.
    const A1B1: Move = match NonZeroU16::new(1) {
        Some(word) => Move(word),
        None => panic!("1 is not 0"),
    };

    /// The move with these parts. A quiet move must leave its square: a1a1 becomes a1b1.
    #[must_use]
    #[inline(always)]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        Move::from_nonzero((kind as u16) << 12 | (from as u16) << 6 | to as u16)
    }

    /// A word that is known not to be 0. The test compiles to a conditional move.
    #[inline(always)]
    pub(crate) const fn from_nonzero(word: u16) -> Move {
        match NonZeroU16::new(word) {
            Some(word) => Move(word),
            None => Move::A1B1,
        }
    }

    /// The move of a word, unless the word is no move: unused flags, or a square to itself where
    /// the move is not castling.
    #[must_use]
    pub const fn from_word(word: u16) -> Option<Move> {
        let Some(nonzero) = NonZeroU16::new(word) else {
            return None;
        };
        let castles = matches!(word >> 12, 2 | 3);
        if matches!(word >> 12, 6 | 7) || (word >> 6 & 63 == word & 63 && !castles) {
            return None;
        }
        Some(Move(nonzero))
    }

    /// The move of a word that is known to be one; `None` for 0.
    ///
    /// Nothing else is checked. A word that is no move gives a move that means nothing and is legal
    /// nowhere, but neither a panic nor undefined behaviour.
    #[must_use]
    #[inline(always)]
    pub const fn from_word_unchecked(word: u16) -> Option<Move> {
        match NonZeroU16::new(word) {
            Some(word) => Some(Move(word)),
            None => None,
        }
    }

    /// The 16 bits.
    #[must_use]
    #[inline(always)]
    pub const fn word(self) -> u16 {
        self.0.get()
    }

    /// The square the piece leaves.
    #[must_use]
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_low_bits((self.word() >> 6 & 63) as u8)
    }

    /// The square the piece reaches.
    #[must_use]
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_low_bits((self.word() & 63) as u8)
    }

    /// The four flag bits.
    #[must_use]
    #[inline(always)]
    pub const fn flags(self) -> u8 {
        (self.word() >> 12) as u8
    }

    /// The kind of move.
    #[must_use]
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match MoveKind::from_flags(self.flags()) {
            Some(kind) => kind,
            None => MoveKind::Quiet, // No constructor lets flags 6 and 7 in.
        }
    }

    /// From and to without the flags: an index into a table of 4,096 entries.
    #[must_use]
    #[inline]
    pub const fn butterfly_index(self) -> usize {
        (self.word() & 0xfff) as usize
    }

    /// Whether a man is taken, en passant included.
    #[must_use]
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.flags() & 4 != 0
    }

    /// What the pawn becomes, if the move is a promotion.
    #[must_use]
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        if self.flags() & 8 == 0 {
            None
        } else {
            Some(Role::PROMOTIONS[(self.flags() & 3) as usize])
        }
    }

    /// The side to which the king castles, if the move is castling.
    #[must_use]
    #[inline]
    pub const fn castling_side(self) -> Option<CastlingSide> {
        match self.flags() {
            2 => Some(CastlingSide::KingSide),
            3 => Some(CastlingSide::QueenSide),
            _ => None,
        }
    }
}

/// The coordinates, with the promotion's letter: `e2e4`, `e7e8q`, and `e1g1` for castling.
/// Chess960 castling needs the position: see [`Position::uci`](crate::Position::uci).
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(role) => write!(f, "{}", role.lower_char()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}({:?})", self.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_taken_apart_and_put_together() {
        let mut accepted = 0;
        for word in 0..=u16::MAX {
            let Some(m) = Move::from_word(word) else {
                continue;
            };
            accepted += 1;
            assert_eq!(Move::new(m.from(), m.to(), m.kind()), m);
            assert_eq!(m.word(), word);
        }
        // 12 kinds without the 64 standing still, 2 castlings with them.
        assert_eq!(accepted, 12 * (4096 - 64) + 2 * 4096);
    }

    #[test]
    fn promotions_name_their_role() {
        for (i, role) in Role::PROMOTIONS.into_iter().enumerate() {
            let quiet = MoveKind::promotion(role, false).unwrap();
            let capture = MoveKind::promotion(role, true).unwrap();
            assert_eq!((quiet as usize, capture as usize), (8 + i, 12 + i));
            let m = Move::new(Square::A7, Square::B8, capture);
            assert_eq!((m.promotion(), m.is_capture()), (Some(role), true));
        }
        assert_eq!(MoveKind::promotion(Role::King, false), None);
    }
}
