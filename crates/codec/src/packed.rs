//! `packed`: BCGN level 2.

mod en_passant;

use chess::attacks::{self, Sliders};
use chess::{Bitboard, CastlingSide, Color, Move, MoveKind, Position, Role, Square};

use crate::codec::refuse_chess960;
use crate::compressed::castling_corners;
use crate::counts::{len_of, rank_in};
use crate::empty_board;
use crate::move_index::{is_last_step, step};
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
        let width = memory.width(position.turn());
        let piece = Bits::new(rank_in(own, from), width);
        let occupied = board.occupied();
        let targets = if role == Role::Pawn {
            pawn_targets(memory.ep_square, position.turn(), from, occupied, own)
        } else {
            piece_targets(sliders, role, from, occupied) - own
        };
        let mut count = len_of(targets);
        let mut number = rank_in(targets, to);
        if role == Role::King {
            let rights = castling_corners(position);
            if let Some(side) = m.castling_side() {
                number = count + u32::from(side == CastlingSide::KingSide && rights.is_many());
            }
            count += len_of(rights);
        }
        if role == Role::Pawn && is_last_step(position.turn(), from) {
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
    ep_square: Option<Square>,
    white: Men,
    black: Men,
}

/// How many men a side has, and how many bits tell them apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Men {
    count: u8,
    width: u8,
}

impl Men {
    fn of(position: &Position, color: Color) -> Men {
        let count = (len_of(position.board().by_color(color)) & 63) as u8;
        Men {
            count,
            width: width_for(count),
        }
    }

    /// One less, if one was taken. The count waits for the board, and the width must not: it
    /// changes four times in a game at most, and a branch foresees that it does not.
    #[inline(always)]
    fn forget(&mut self, takes: bool) {
        self.count = self.count.wrapping_sub(u8::from(takes));
        if width_of(u32::from(self.count)) != u32::from(self.width) {
            self.width = width_for(self.count);
        }
    }
}

/// Apart, so that the compiler leaves the branch to it a branch.
#[cold]
#[inline(never)]
fn width_for(count: u8) -> u8 {
    (width_of(u32::from(count)) & 63) as u8
}

impl PackedMemory {
    /// The en-passant square as BCGN sees it.
    #[must_use]
    pub const fn ep_square(self) -> Option<Square> {
        self.ep_square
    }

    /// If something was taken by a side, the other has a man less.
    #[inline(always)]
    fn forget(&mut self, turn: Color, takes: bool) {
        match turn {
            Color::White => self.black.forget(takes),
            Color::Black => self.white.forget(takes),
        }
    }

    /// The bits that tell the men of a side apart.
    #[inline(always)]
    fn width(self, color: Color) -> u32 {
        u32::from(match color {
            Color::White => self.white.width,
            Color::Black => self.black.width,
        })
    }
}

impl MoveCodec for Packed {
    const NAME: CodecName = CodecName::Packed;
    type Memory = PackedMemory;

    #[inline]
    fn begin(self, start: &Position) -> Result<PackedMemory, CodecError> {
        refuse_chess960(Self::NAME, start)?;
        Ok(PackedMemory {
            ep_square: en_passant::in_set_up_position(start),
            white: Men::of(start, Color::White),
            black: Men::of(start, Color::Black),
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
        let (mut memory, mut position) = (memory, *position);
        self.decode_and_play(sliders, &mut memory, &mut position, bits)
    }

    #[inline(always)]
    fn decode_and_play<S: Sliders>(
        self,
        sliders: S,
        memory: &mut PackedMemory,
        position: &mut Position,
        bits: &mut BitReader<'_>,
    ) -> Result<Move, MoveFault> {
        bits.prepare();
        let turn = position.turn();
        let found = bits.take(memory.width(turn))?;
        let board = position.board();
        let (occupied, own) = (board.occupied(), board.by_color(turn));
        let from = sliders.nth(own, found);
        let from = from.ok_or(MoveFault::NoPiece { found })?;
        let ep_square = memory.ep_square.take();
        if board.by_role(Role::Pawn).contains(from) {
            let targets = pawn_targets(ep_square, turn, from, occupied, own);
            if is_last_step(turn, from) {
                let (m, rest) = promotion(*bits, occupied, from, targets)?;
                *bits = rest;
                memory.forget(turn, m.is_capture());
                position.play_unchecked(m);
                return Ok(m);
            }
            let found = bits.take(width_of(len_of(targets)))?;
            let to = sliders.nth(targets, found);
            let to = to.ok_or(MoveFault::NoSquare { found })?;
            let kind = pawn_kind(occupied, from, to);
            memory.forget(turn, from.file() != to.file());
            if kind == MoveKind::DoublePush {
                memory.ep_square = en_passant::after_double_push(sliders, position, to);
            }
            position.play_pawn_unchecked(from, to);
            return Ok(Move::new(from, to, kind));
        }
        let role = board.role_at(from).ok_or(MoveFault::NoPiece { found })?;
        let targets = piece_targets(sliders, role, from, occupied) - own;
        let count = len_of(targets);
        let rights = if role == Role::King {
            castling_corners(position)
        } else {
            Bitboard::EMPTY
        };
        let found = bits.take(width_of(count + len_of(rights)))?;
        let Some(to) = sliders.nth(targets, found) else {
            let m = castling(turn, from, rights, found, count)?;
            position.play_unchecked(m);
            return Ok(m);
        };
        memory.forget(turn, occupied.contains(to));
        position.play_piece_unchecked(role, from, to);
        Ok(step(occupied, from, to))
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
        memory.forget(before.turn(), played.is_capture());
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
    let found = bits.take(width_of(4 * len_of(targets)))?;
    let no_square = MoveFault::NoSquare { found };
    let to = targets.nth(found as usize >> 2).ok_or(no_square)?;
    let role = Role::PROMOTIONS.get((found & 3) as usize);
    let kind = role.and_then(|&role| MoveKind::promotion(role, occupied.contains(to)));
    Ok((Move::new(from, to, kind.ok_or(no_square)?), bits))
}

/// The number of a king past its `count` squares. Castling queen side comes first, where both rights
/// are held.
#[cold]
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

/// The squares that are counted for a pawn.
#[inline(always)]
fn pawn_targets(
    ep_square: Option<Square>,
    turn: Color,
    from: Square,
    occupied: Bitboard,
    own: Bitboard,
) -> Bitboard {
    let ep = ep_square.map_or(Bitboard::EMPTY, Bitboard::from);
    let captures = attacks::pawn(turn, from) & ((occupied - own) | ep);
    pushes(turn, from, occupied) | captures
}

/// The kind of a pawn's step that is no promotion.
#[inline(always)]
fn pawn_kind(occupied: Bitboard, from: Square, to: Square) -> MoveKind {
    let apart = from as u8 ^ to as u8;
    if occupied.contains(to) {
        MoveKind::Capture
    } else if apart == 16 {
        MoveKind::DoublePush
    } else if apart & 7 == 0 {
        MoveKind::Quiet
    } else {
        MoveKind::EnPassant
    }
}

/// The squares that are counted for another piece, those of the own men included.
///
/// Which slider it is, is as good as random: all look along the lines of a queen, and what a rook
/// or a bishop cannot reach is masked.
#[inline(always)]
fn piece_targets<S: Sliders>(sliders: S, role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    let reach = empty_board::reach(role, from);
    if matches!(role, Role::Bishop | Role::Rook | Role::Queen) {
        reach & sliders.queen(from, occupied)
    } else {
        reach
    }
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
