//! `packed`: BCGN level 2.

mod en_passant;

use chess::attacks::Sliders;
use chess::{Bitboard, CastlingSide, Color, Move, MoveKind, Position, Role, Square};

use crate::codec::refuse_chess960;
use crate::compressed::castling_corners;
use crate::counts::{len_of, rank_in};
use crate::move_index::{is_last_step, step};
use crate::{BitReader, Bits, CodecError, CodecName, Doubt, Gate, MoveCodec, MoveFault, width_of};

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
    pub fn fields(
        self,
        memory: PackedMemory,
        position: &Position,
        m: Move,
    ) -> Result<[Bits; 2], MoveFault> {
        let (from, to) = (m.from(), m.to());
        let (board, turn) = (position.board(), position.turn());
        let own = board.by_color(turn);
        if !own.contains(from) {
            return Err(MoveFault::NoPiece { found: from as u32 });
        }
        let piece = Bits::new(rank_in(own, from), memory.width(turn));
        let targets = position.targets(from, memory.ep);
        let mut count = len_of(targets);
        let mut number = rank_in(targets, to);
        let rights = rights_of(position, from);
        if let Some(side) = m.castling_side() {
            number = count + u32::from(side == CastlingSide::KingSide && rights.is_many());
        }
        count += len_of(rights);
        if m.flags() & 8 != 0 {
            number = number << 2 | u32::from(m.flags() & 3);
            count <<= 2;
        }
        Ok([piece, Bits::new(number, width_of(count))])
    }
}

/// What [`Packed`] remembers of a game: the en-passant square as BCGN sees it, and how many men
/// each side has. The latter could be counted; but known beforehand, it lets a reader take the bits
/// of a piece before the board is ready.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedMemory {
    /// The square, if there is one.
    ep: Bitboard,
    /// How many men White has beside one: as many bits as this number has tell them apart.
    white: u32,
    /// The same of Black.
    black: u32,
}

impl PackedMemory {
    /// The en-passant square as BCGN sees it.
    #[must_use]
    pub const fn ep_square(self) -> Option<Square> {
        self.ep.first()
    }

    /// If something was taken by a side, the other has a man less.
    #[inline(always)]
    fn forget(&mut self, turn: Color, takes: bool) {
        let others = match turn {
            Color::White => &mut self.black,
            Color::Black => &mut self.white,
        };
        *others = others.wrapping_sub(u32::from(takes));
    }

    /// Plays a castling, a promotion or a capture en passant.
    #[inline(always)]
    fn play_rare<S: Sliders>(
        &mut self,
        sliders: S,
        position: &mut Position,
        m: Move,
        gate: &mut impl Gate,
    ) -> Result<(), MoveFault> {
        gate.admit::<Packed, S>(sliders, position, m)?;
        self.forget(position.turn(), m.is_capture());
        position.play_unchecked(m);
        Ok(())
    }

    /// The bits that tell the men of a side apart.
    #[inline(always)]
    fn width(self, color: Color) -> u32 {
        let others = match color {
            Color::White => self.white,
            Color::Black => self.black,
        };
        u32::BITS - others.leading_zeros()
    }
}

impl MoveCodec for Packed {
    const NAME: CodecName = CodecName::Packed;
    const DOUBT: Doubt = Doubt::King;
    type Memory = PackedMemory;

    #[inline]
    fn begin(self, start: &Position) -> Result<PackedMemory, CodecError> {
        refuse_chess960(Self::NAME, start)?;
        let others = |color| len_of(start.board().by_color(color)).saturating_sub(1);
        Ok(PackedMemory {
            ep: set_of(en_passant::in_set_up_position(start)),
            white: others(Color::White),
            black: others(Color::Black),
        })
    }

    #[inline(always)]
    fn encode<S: Sliders>(
        self,
        _: S,
        memory: PackedMemory,
        position: &Position,
        m: Move,
    ) -> Result<Bits, MoveFault> {
        let [piece, destination] = self.fields(memory, position, m)?;
        Ok(piece.then(destination))
    }

    #[inline(always)]
    fn decode<S: Sliders>(
        self,
        sliders: S,
        memory: PackedMemory,
        position: &Position,
        bits: &mut BitReader<'_>,
    ) -> Result<Move, MoveFault> {
        let (mut memory, mut position) = (memory, *position);
        let mut found = None;
        self.decode_and_play(sliders, &mut memory, &mut position, bits, &mut found)?;
        found.ok_or(MoveFault::NoMove { found: 0 })
    }

    /// Only what is rare is a branch: promotion, a king that may castle, en passant, and a double push.
    /// What kind of man moves and whether it takes is not asked.
    #[inline(always)]
    fn decode_and_play<S: Sliders>(
        self,
        sliders: S,
        memory: &mut PackedMemory,
        position: &mut Position,
        bits: &mut BitReader<'_>,
        gate: &mut impl Gate,
    ) -> Result<(), MoveFault> {
        let turn = position.turn();
        // No move takes more than 12 bits.
        bits.prepare(turn == Color::White);
        let found = bits.take(memory.width(turn))?;
        let board = position.board();
        let occupied = board.occupied();
        let from = sliders.nth(board.by_color(turn), found);
        let from = from.ok_or(MoveFault::NoPiece { found })?;
        let ep = memory.ep;
        memory.ep = Bitboard::EMPTY;
        let targets = position.targets(from, ep);
        if is_last_step(position, from) || rights_of(position, from).any() {
            let rights = rights_of(position, from);
            let (m, rest) = rare_move(*bits, turn, occupied, from, targets, rights)?;
            *bits = rest;
            return memory.play_rare(sliders, position, m, gate);
        }
        let found = bits.take(width_of(len_of(targets)))?;
        let to = sliders.nth(targets, found);
        let to = to.ok_or(MoveFault::NoSquare { found })?;
        // In this order: there hardly ever is such a square.
        if ep.contains(to) && is_capture_of_pawn(position, from, to) {
            let m = Move::new(from, to, MoveKind::EnPassant);
            return memory.play_rare(sliders, position, m, gate);
        }
        let takes = occupied.contains(to);
        let is_double = position.is_double_push(from, to);
        let m = step(from, to, takes, is_double);
        gate.admit::<Packed, S>(sliders, position, m)?;
        memory.forget(turn, takes);
        if is_double {
            memory.ep = set_of(en_passant::after_double_push(sliders, position, to));
        }
        position.play_step_unchecked(from, to);
        Ok(())
    }

    #[inline(always)]
    fn follow<S: Sliders>(
        self,
        sliders: S,
        mut memory: PackedMemory,
        before: &Position,
        played: Move,
    ) -> PackedMemory {
        memory.ep = Bitboard::EMPTY;
        if played.flags() == MoveKind::DoublePush as u8 {
            memory.ep = set_of(en_passant::after_double_push(sliders, before, played.to()));
        }
        memory.forget(before.turn(), played.is_capture());
        memory
    }
}

/// A man whose numbers are more than its squares: a pawn on its last but one rank, where each square
/// counts four times, or a king with rights to castle. Reader and board come by value, see `game.rs`.
#[cold]
fn rare_move(
    mut bits: BitReader<'_>,
    turn: Color,
    occupied: Bitboard,
    from: Square,
    targets: Bitboard,
    rights: Bitboard,
) -> Result<(Move, BitReader<'_>), MoveFault> {
    let count = len_of(targets);
    if rights.is_empty() {
        let found = bits.take(width_of(4 * count))?;
        let no_square = MoveFault::NoSquare { found };
        let to = targets.nth(found as usize >> 2).ok_or(no_square)?;
        let role = Role::PROMOTIONS.get((found & 3) as usize);
        let kind = role.and_then(|&role| MoveKind::promotion(role, occupied.contains(to)));
        return Ok((Move::new(from, to, kind.ok_or(no_square)?), bits));
    }
    let found = bits.take(width_of(count + len_of(rights)))?;
    let m = match targets.nth(found as usize) {
        Some(to) => step(from, to, occupied.contains(to), false),
        None => castling(turn, from, rights, found, count)?,
    };
    Ok((m, bits))
}

/// The number of a king past its `count` squares. Castling queen side comes first, where both rights
/// are held.
fn castling(
    color: Color,
    from: Square,
    rights: Bitboard,
    found: u32,
    count: u32,
) -> Result<Move, MoveFault> {
    let has_queen_side = rights.bits() & 1 << (56 * color as u8) != 0;
    let has_king_side = rights.bits() & 0x80 << (56 * color as u8) != 0;
    let side = match (found.wrapping_sub(count), has_queen_side, has_king_side) {
        (0, true, _) => CastlingSide::QueenSide,
        (0, false, true) | (1, true, true) => CastlingSide::KingSide,
        _ => return Err(MoveFault::NoSquare { found }),
    };
    Ok(Move::new(from, side.king_to(color), MoveKind::castle(side)))
}

/// The rights that count among the squares of the man on `from`: none, if it is not the king. That
/// a side has rights at all changes once in a game, which is easily foreseen.
#[inline(always)]
fn rights_of(position: &Position, from: Square) -> Bitboard {
    let rights = castling_corners(position);
    if rights.is_empty() {
        return Bitboard::EMPTY;
    }
    let is_king = position.board().by_role(Role::King).contains(from);
    rights & Bitboard::from_bits(u64::from(is_king).wrapping_neg())
}

/// Whether a pawn leaves its file.
#[inline(always)]
fn is_capture_of_pawn(position: &Position, from: Square, to: Square) -> bool {
    position.board().by_role(Role::Pawn).contains(from) && from.file() != to.file()
}

/// None or one.
#[inline(always)]
fn set_of(square: Option<Square>) -> Bitboard {
    square.map_or(Bitboard::EMPTY, Bitboard::from)
}
