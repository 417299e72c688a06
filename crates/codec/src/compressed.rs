//! `compressed`: BCGN level 0.

use chess::attacks::Sliders;
use chess::{Bitboard, CastlingSide, Color, Move, MoveKind, Position, Role, Square};

use crate::codec::refuse_chess960;
use crate::move_index::step;
use crate::{BitReader, Bits, CodecError, CodecName, Gate, MoveCodec, MoveFault};

/// 16 bits, `type:2 | from:6 | to:6 | promotion:2`: BCGN level 0.
///
/// Types: 0 normal, 1 promotion (N 0, B 1, R 2, Q 3), 2 castling (`to` is the rook's square), 3 en
/// passant. The word 0 is a null move, which no game has. Bits that a type does not use are 0, and
/// a word where they are not is refused.
///
/// ```
/// use chess::{Move, MoveKind, Position, Square};
/// use scoresheet_codec::CodecName;
/// let e4 = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
/// let mut bytes = Vec::new();
/// CodecName::Compressed.encode(&Position::START, [e4], &mut bytes).unwrap();
/// assert_eq!(bytes, [0x0c, 0x70]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compressed;

const NORMAL: u32 = 0;
const PROMOTION: u32 = 1;
const CASTLING: u32 = 2;
const EN_PASSANT: u32 = 3;

impl MoveCodec for Compressed {
    const NAME: CodecName = CodecName::Compressed;
    type Memory = ();

    fn begin(self, start: &Position) -> Result<(), CodecError> {
        refuse_chess960(Self::NAME, start)
    }

    #[inline(always)]
    fn encode<S: Sliders>(self, _: S, (): (), _: &Position, m: Move) -> Result<Bits, MoveFault> {
        let to = m.to() as u32;
        let (kind, to, promotion) = match m.flags() {
            0 | 1 | 4 => (NORMAL, to, 0),
            5 => (EN_PASSANT, to, 0),
            // The rook of a standard game stands in the corner of the king's rank.
            2 => (CASTLING, m.from() as u32 | 7, 0),
            3 => (CASTLING, m.from() as u32 & 56, 0),
            flags => (PROMOTION, to, u32::from(flags & 3)),
        };
        let word = kind << 14 | (m.from() as u32) << 8 | to << 2 | promotion;
        Ok(Bits::new(word, 16))
    }

    #[inline(always)]
    fn decode<S: Sliders>(
        self,
        _: S,
        (): (),
        position: &Position,
        bits: &mut BitReader<'_>,
    ) -> Result<Move, MoveFault> {
        let found = bits.take_two_bytes()?;
        if found & !NORMAL_BITS != 0 {
            return decode_special(position.board().occupied(), position.turn(), found);
        }
        let (from, to) = squares(found);
        if from == to {
            return Err(MoveFault::NoMove { found });
        }
        Ok(normal(position, from, to))
    }

    #[inline(always)]
    fn decode_and_play<S: Sliders>(
        self,
        sliders: S,
        (): &mut (),
        position: &mut Position,
        bits: &mut BitReader<'_>,
        gate: &mut impl Gate,
    ) -> Result<(), MoveFault> {
        let found = bits.take_two_bytes()?;
        if found & !NORMAL_BITS != 0 {
            let m = decode_special(position.board().occupied(), position.turn(), found)?;
            gate.admit::<Self, S>(sliders, position, m)?;
            position.play_unchecked(m);
            return Ok(());
        }
        let (from, to) = squares(found);
        if from == to {
            return Err(MoveFault::NoMove { found });
        }
        // Where nobody looks at the move, nothing is left of it but its squares.
        gate.admit::<Self, S>(sliders, position, normal(position, from, to))?;
        position.play_step_unchecked(from, to);
        Ok(())
    }
}

/// Normal moves have neither a type nor a promotion; most words are normal moves.
const NORMAL_BITS: u32 = 0x3ffc;

#[inline(always)]
fn squares(found: u32) -> (Square, Square) {
    let square = |shift: u32| Square::from_low_bits((found >> shift & 63) as u8);
    (square(8), square(2))
}

/// The flags without a branch: whether a move takes, nobody can foresee.
#[inline(always)]
fn normal(position: &Position, from: Square, to: Square) -> Move {
    let takes = position.board().occupied().contains(to);
    step(from, to, takes, position.is_double_push(from, to))
}

/// The position does not come by reference: that would keep it in memory, see `game.rs`.
#[cold]
fn decode_special(occupied: Bitboard, color: Color, found: u32) -> Result<Move, MoveFault> {
    let (from, to) = squares(found);
    let promotion = (found & 3) as usize;
    let kind = found >> 14;
    if kind != PROMOTION && promotion != 0 {
        return Err(MoveFault::UnusedBits { found });
    }
    let kind = match kind {
        PROMOTION => {
            let is_capture = occupied.contains(to);
            let role = Role::PROMOTIONS.get(promotion);
            role.and_then(|&role| MoveKind::promotion(role, is_capture))
        }
        CASTLING => {
            let (short, long) = corners(color);
            let side = if to == short {
                CastlingSide::KingSide
            } else if to == long {
                CastlingSide::QueenSide
            } else {
                return Err(MoveFault::NoMove { found });
            };
            return Ok(Move::new(from, side.king_to(color), MoveKind::castle(side)));
        }
        _ => Some(MoveKind::EnPassant),
    };
    match kind {
        Some(kind) if from != to => Ok(Move::new(from, to, kind)),
        _ => Err(MoveFault::NoMove { found }),
    }
}

/// Where the rooks of a standard game castle from: king side, queen side.
pub(crate) const fn corners(color: Color) -> (Square, Square) {
    match color {
        Color::White => (Square::H1, Square::A1),
        Color::Black => (Square::H8, Square::A8),
    }
}

/// The corners from which a side may still castle, in a position that is not Chess960.
#[inline(always)]
pub(crate) fn castling_corners(position: &Position) -> Bitboard {
    let home = match position.turn() {
        Color::White => 0x81,
        Color::Black => 0x81 << 56,
    };
    position.castling_rooks() & Bitboard::from_bits(home)
}
