//! `packed`: BCGN level 2.

mod en_passant;

use chess::attacks::{self, Sliders};
use chess::{Bitboard, CastlingSide, Color, Move, MoveKind, Position, Role, Square};

use crate::codec::refuse_chess960;
use crate::compressed::castling_corners;
use crate::empty_board;
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
        memory: PackedMemory,
        position: &Position,
        m: Move,
    ) -> Result<[Bits; 2], MoveFault> {
        let (from, to) = (m.from(), m.to());
        let board = position.board();
        let own = board.by_color(position.turn());
        let role = board.role_at(from).filter(|_| own.contains(from));
        let role = role.ok_or(MoveFault::NoPiece { found: from as u32 })?;
        let width = width_of(memory.men(position.turn()));
        let piece = Bits::new(own.rank_of(from) as u32, width as u8);
        let targets = targets(sliders, memory.ep_square, position, role, from);
        let mut count = targets.len() as u32;
        let mut number = targets.rank_of(to) as u32;
        if role == Role::King {
            let rights = castling_corners(position);
            if let Some(side) = m.castling_side() {
                number = count + u32::from(side == CastlingSide::KingSide && rights.is_many());
            }
            count += rights.len() as u32;
        }
        if role == Role::Pawn && is_last_step(position.turn(), from) {
            number = number << 2 | u32::from(m.flags() & 3);
            count <<= 2;
        }
        Ok([piece, Bits::new(number, width_of(count) as u8)])
    }
}

/// What [`Packed`] remembers of a game: the en-passant square as BCGN sees it, and how many men
/// each side has. The latter could be counted; but it changes only by a capture, and known
/// beforehand it lets a reader take the bits of a piece before the board is ready.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedMemory {
    ep_square: Option<Square>,
    white: u8,
    black: u8,
}

impl PackedMemory {
    /// The en-passant square as BCGN sees it.
    #[must_use]
    pub const fn ep_square(self) -> Option<Square> {
        self.ep_square
    }

    #[inline(always)]
    fn men(self, color: Color) -> u32 {
        u32::from(match color {
            Color::White => self.white,
            Color::Black => self.black,
        })
    }
}

impl MoveCodec for Packed {
    const NAME: CodecName = CodecName::Packed;
    type Memory = PackedMemory;

    #[inline]
    fn begin(self, start: &Position) -> Result<PackedMemory, CodecError> {
        refuse_chess960(Self::NAME, start)?;
        let count = |color| (start.board().by_color(color).len() & 63) as u8;
        Ok(PackedMemory {
            ep_square: en_passant::in_set_up_position(start),
            white: count(Color::White),
            black: count(Color::Black),
        })
    }

    #[inline(always)]
    fn encode<S: Sliders>(
        self,
        sliders: S,
        memory: PackedMemory,
        position: &Position,
        m: Move,
    ) -> Result<Bits, MoveFault> {
        let [piece, destination] = self.fields(sliders, memory, position, m)?;
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
        let turn = position.turn();
        let found = bits.take(width_of(memory.men(turn)))?;
        let board = position.board();
        let own = board.by_color(turn);
        let from = sliders.nth(own, found);
        let from = from.ok_or(MoveFault::NoPiece { found })?;
        let role = board.role_at(from).ok_or(MoveFault::NoPiece { found })?;
        let targets = targets(sliders, memory.ep_square, position, role, from);
        let count = targets.len() as u32;
        let is_pawn = role == Role::Pawn;
        if is_pawn && is_last_step(turn, from) {
            return promotion(*bits, board.occupied(), from, targets).map(|(m, rest)| {
                *bits = rest;
                m
            });
        }
        let rights = if role == Role::King {
            castling_corners(position)
        } else {
            Bitboard::EMPTY
        };
        let found = bits.take(width_of(count + rights.len() as u32))?;
        let Some(to) = sliders.nth(targets, found) else {
            return castling(turn, from, rights, found.wrapping_sub(count));
        };
        // Flags by arithmetic. A pawn goes two ranks, or to another file and takes in passing if
        // there is nothing to take.
        let takes = board.occupied().contains(to);
        let apart = from as u8 ^ to as u8;
        let is_double = is_pawn & (apart == 16);
        let is_en_passant = is_pawn & (apart & 7 != 0) & !takes;
        let flags = u16::from(takes) << 2 | u16::from(is_double) | u16::from(is_en_passant) * 5;
        let word = flags << 12 | (from as u16) << 6 | to as u16;
        Move::from_word_unchecked(word).ok_or(MoveFault::NoSquare { found })
    }

    #[inline(always)]
    fn follow<S: Sliders>(
        self,
        sliders: S,
        mut memory: PackedMemory,
        before: &Position,
        played: Move,
    ) -> PackedMemory {
        memory.ep_square = None;
        if played.flags() == MoveKind::DoublePush as u8 {
            memory.ep_square = en_passant::after_double_push(sliders, before, played.to());
        }
        if played.is_capture() {
            match before.turn() {
                Color::White => memory.black = memory.black.wrapping_sub(1),
                Color::Black => memory.white = memory.white.wrapping_sub(1),
            }
        }
        memory
    }
}

/// A pawn on its last but one rank: each square counts four times. Reader and board come by value,
/// see `game.rs`.
#[cold]
fn promotion(
    mut bits: BitReader<'_>,
    occupied: Bitboard,
    from: Square,
    targets: Bitboard,
) -> Result<(Move, BitReader<'_>), MoveFault> {
    let found = bits.take(width_of(4 * targets.len() as u32))?;
    let no_square = MoveFault::NoSquare { found };
    let to = targets.nth(found as usize >> 2).ok_or(no_square)?;
    let role = Role::PROMOTIONS.get((found & 3) as usize);
    let kind = role.and_then(|&role| MoveKind::promotion(role, occupied.contains(to)));
    Ok((Move::new(from, to, kind.ok_or(no_square)?), bits))
}

/// Castling queen side comes first, where both rights are held.
#[cold]
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
///
/// The role of the mover is as good as random, so the way branches once only, where the sliders'
/// look-ups are worth it; all else is worked out for everybody and masked.
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
    let own = board.by_color(color);
    let ep = ep_square.map_or(Bitboard::EMPTY, Bitboard::from);
    let captures = attacks::pawn(color, from) & ((occupied - own) | ep);
    let mut pawn = pushes(color, from, occupied) | captures;
    let mut reach = empty_board::reach(role, from);
    if matches!(role, Role::Bishop | Role::Rook | Role::Queen) {
        reach &= sliders.queen(from, occupied);
    }
    if role != Role::Pawn {
        pawn = Bitboard::EMPTY;
    }
    (reach - own) | pawn
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
