//! `packed`: BCGN level 2.

mod en_passant;

use chess::attacks::{self, Sliders};
use chess::{Bitboard, CastlingSide, Color, Move, MoveKind, Position, Role, Square};

use crate::codec::refuse_chess960;
use crate::compressed::castling_corners;
use crate::{BitReader, Bits, CodecError, CodecName, MoveCodec, MoveFault, width_of};

/// A number for the piece and a number for its destination, each in as few bits as tell the
/// possibilities apart: BCGN level 2. About six bits a move in master games.
///
/// | field | number | out of |
/// |---|---|---|
/// | piece | its rank among the own men, in ascending order of squares | the own men |
/// | destination | its rank among the squares the piece can reach | those squares |
///
/// - Knight, bishop, rook, queen: what they attack, without the own men. Pins and checks do not
///   matter.
/// - King: its neighbours without the own men; then castling queen side and king side, each if the
///   *right* is held, whether it can be used now or not.
/// - Pawn: pushes onto empty squares, captures of enemy men, and the en-passant square. On its last
///   but one rank each square counts four times, for N, B, R, Q.
///
/// Whether the en-passant square counts is decided by BCGN's own rule, which is not quite that of
/// chess; [`Packed`] keeps it as its [`Memory`](MoveCodec::Memory).
///
/// ```
/// use chess::{Move, MoveKind, Position, Square};
/// use scoresheet_codec::CodecName;
/// let e4 = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
/// let mut bytes = Vec::new();
/// CodecName::Packed.encode(&Position::START, [e4], &mut bytes).unwrap();
/// assert_eq!(bytes, [0b1100_1_000]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Packed;

impl Packed {
    /// The two fields of a move: the piece, the destination.
    ///
    /// # Errors
    /// [`MoveFault::NoPiece`] if no own man stands on the move's first square.
    #[inline(always)]
    pub fn fields<S: Sliders>(
        self,
        sliders: S,
        ep_square: Option<Square>,
        position: &Position,
        m: Move,
    ) -> Result<[Bits; 2], MoveFault> {
        let (from, to) = (m.from(), m.to());
        let board = position.board();
        let own = board.by_color(position.turn());
        let role = board.role_at(from).filter(|_| own.contains(from));
        let role = role.ok_or(MoveFault::NoPiece { found: from as u32 })?;
        let piece = Bits::new(own.rank_of(from) as u32, width_of(own.len() as u32) as u8);
        let targets = targets(sliders, ep_square, position, role, from);
        let mut count = targets.len() as u32;
        let mut number = targets.rank_of(to) as u32;
        match role {
            Role::Pawn if is_last_step(position.turn(), from) => {
                number = number << 2 | u32::from(m.flags() & 3);
                count <<= 2;
            }
            Role::King => {
                let rights = castling_corners(position);
                if let Some(side) = m.castling_side() {
                    number = count + u32::from(side == CastlingSide::KingSide && rights.is_many());
                }
                count += rights.len() as u32;
            }
            _ => {}
        }
        Ok([piece, Bits::new(number, width_of(count) as u8)])
    }
}

impl MoveCodec for Packed {
    const NAME: CodecName = CodecName::Packed;
    /// The en-passant square as BCGN sees it.
    type Memory = Option<Square>;

    fn begin(self, start: &Position) -> Result<Option<Square>, CodecError> {
        refuse_chess960(Self::NAME, start)?;
        Ok(en_passant::in_set_up_position(start))
    }

    #[inline(always)]
    fn encode<S: Sliders>(
        self,
        sliders: S,
        ep_square: Option<Square>,
        position: &Position,
        m: Move,
    ) -> Result<Bits, MoveFault> {
        let [piece, destination] = self.fields(sliders, ep_square, position, m)?;
        Ok(piece.then(destination))
    }

    #[inline(always)]
    fn decode<S: Sliders>(
        self,
        sliders: S,
        ep_square: Option<Square>,
        position: &Position,
        bits: &mut BitReader<'_>,
    ) -> Result<Move, MoveFault> {
        let board = position.board();
        let own = board.by_color(position.turn());
        let found = bits.take(width_of(own.len() as u32))?;
        let from = sliders.nth(own, found);
        let from = from.ok_or(MoveFault::NoPiece { found })?;
        // The set was not empty, so there is a man; the role is there to be matched.
        let role = board.role_at(from).ok_or(MoveFault::NoPiece { found })?;
        let targets = targets(sliders, ep_square, position, role, from);
        let count = targets.len() as u32;
        match role {
            Role::Pawn => decode_pawn(sliders, position, from, targets, bits),
            Role::King => {
                let rights = castling_corners(position);
                let found = bits.take(width_of(count + rights.len() as u32))?;
                if found >= count {
                    return castling(position.turn(), from, rights, found - count);
                }
                let to = sliders.nth(targets, found);
                let to = to.ok_or(MoveFault::NoSquare { found })?;
                Ok(step(board.occupied(), from, to))
            }
            _ => {
                let found = bits.take(width_of(count))?;
                let to = sliders.nth(targets, found);
                let to = to.ok_or(MoveFault::NoSquare { found })?;
                Ok(step(board.occupied(), from, to))
            }
        }
    }

    #[inline(always)]
    fn follow<S: Sliders>(self, sliders: S, _: Option<Square>, after: &Position) -> Option<Square> {
        // `Position` sets the square after a double push beside an enemy pawn, which is rare.
        let square = after.ep_square()?;
        en_passant::after_double_push(sliders, after, square)
    }
}

/// A piece other than a pawn goes to a square, and takes what stands there.
#[inline(always)]
fn step(occupied: Bitboard, from: Square, to: Square) -> Move {
    let kind = if occupied.contains(to) {
        MoveKind::Capture
    } else {
        MoveKind::Quiet
    };
    Move::new(from, to, kind)
}

#[inline(always)]
fn decode_pawn<S: Sliders>(
    sliders: S,
    position: &Position,
    from: Square,
    targets: Bitboard,
    bits: &mut BitReader<'_>,
) -> Result<Move, MoveFault> {
    let count = targets.len() as u32;
    let occupied = position.board().occupied();
    if is_last_step(position.turn(), from) {
        let found = bits.take(width_of(4 * count))?;
        let to = sliders.nth(targets, found >> 2);
        let to = to.ok_or(MoveFault::NoSquare { found })?;
        let role = Role::PROMOTIONS.get((found & 3) as usize);
        let kind = role.and_then(|&role| MoveKind::promotion(role, occupied.contains(to)));
        let kind = kind.ok_or(MoveFault::NoSquare { found })?;
        return Ok(Move::new(from, to, kind));
    }
    let found = bits.take(width_of(count))?;
    let to = sliders.nth(targets, found);
    let to = to.ok_or(MoveFault::NoSquare { found })?;
    let kind = if occupied.contains(to) {
        MoveKind::Capture
    } else {
        match (from as u8).abs_diff(to as u8) {
            8 => MoveKind::Quiet,
            16 => MoveKind::DoublePush,
            _ => MoveKind::EnPassant,
        }
    };
    Ok(Move::new(from, to, kind))
}

/// Castling queen side comes first, where both rights are held.
#[inline]
fn castling(color: Color, from: Square, rights: Bitboard, number: u32) -> Result<Move, MoveFault> {
    // The a-file's corners are the even squares.
    let has_queen_side = rights.bits() & 1 << (56 * color as u8) != 0;
    let side = match (number, has_queen_side) {
        (0, true) => CastlingSide::QueenSide,
        (0, false) | (1, true) => CastlingSide::KingSide,
        _ => return Err(MoveFault::NoSquare { found: number }),
    };
    if number as usize >= rights.len() {
        return Err(MoveFault::NoSquare { found: number });
    }
    Ok(Move::new(from, side.king_to(color), MoveKind::castle(side)))
}

/// Whether the next step of this pawn is onto the last rank.
#[inline(always)]
fn is_last_step(color: Color, from: Square) -> bool {
    from as u8 / 8 == if color == Color::White { 6 } else { 1 }
}

/// The squares that are counted for a man, castling and promotion left aside.
#[inline(always)]
fn targets<S: Sliders>(
    sliders: S,
    ep_square: Option<Square>,
    position: &Position,
    role: Role,
    from: Square,
) -> Bitboard {
    let board = position.board();
    let color = position.turn();
    let occupied = board.occupied();
    let attacked = match role {
        Role::Pawn => {
            let ep = ep_square.map_or(Bitboard::EMPTY, Bitboard::from);
            let enemy = board.by_color(!color) | ep;
            return pushes(color, from, occupied) | (attacks::pawn(color, from) & enemy);
        }
        Role::Knight => attacks::knight(from),
        Role::Bishop => sliders.bishop(from, occupied),
        Role::Rook => sliders.rook(from, occupied),
        Role::Queen => sliders.queen(from, occupied),
        Role::King => attacks::king(from),
    };
    attacked - board.by_color(color)
}

/// The one or two squares before a pawn, as far as they are empty.
#[inline(always)]
fn pushes(color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    let from = Bitboard::from(from).bits();
    let empty = !occupied.bits();
    Bitboard::from_bits(match color {
        Color::White => {
            let one = from << 8 & empty;
            one | (one & 0xff_0000) << 8 & empty
        }
        Color::Black => {
            let one = from >> 8 & empty;
            one | (one & 0xff00_0000_0000) >> 8 & empty
        }
    })
}
