//! `index`: BCGN level 1.

mod numbers;
mod steps;

use chess::attacks::Sliders;
use chess::{Move, Position, Role, Square};

use self::numbers::{Block, MAX, PAWNS, ROLES, block_at};
use self::steps::{
    castling, destination, is_pawn_step, pawn_destination, pawn_kind, pawn_target, promotion,
};
use crate::codec::refuse_chess960;
use crate::counts::rank_in;
use crate::{BitReader, Bits, CodecError, CodecName, MoveCodec, MoveFault, empty_board};

pub use self::numbers::Numbers;
pub(crate) use self::steps::{is_last_step, step};

/// One byte, or two for a side with more than two queens: BCGN level 1.
///
/// Each man of the side to move has a block of numbers, as many as it has moves on an empty board:
///
/// | numbers | what |
/// |---|---|
/// | 0, 1 | castling king side, queen side |
/// | 2 … 9 | the king: 2 + the rank of the destination among its squares on an empty board |
/// | 12 for each pawn | 0 and 2 captures, 1 push, 9 double push; a promotion is `4 * that + {N 0, B 1, R 2, Q 3}` |
/// | 8, 13, 14, 27 for each knight, bishop, rook, queen | the rank of the destination among the squares on an empty board |
///
/// Blocks of one role follow each other in ascending order of squares. Two queens and thirteen
/// rooks make 246 numbers, so one byte does for sixteen men with two queens or fewer; otherwise the
/// number takes two bytes, big-endian.
///
/// ```
/// use chess::{Move, MoveKind, Position, Square};
/// use scoresheet_codec::CodecName;
/// let nf3 = Move::new(Square::G1, Square::F3, MoveKind::Quiet);
/// let mut bytes = Vec::new();
/// CodecName::Index.encode(&Position::START, [nf3], &mut bytes).unwrap();
/// assert_eq!(bytes, [10 + 8 * 12 + 8 + 1]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveIndex;

impl MoveCodec for MoveIndex {
    const NAME: CodecName = CodecName::Index;
    type Memory = Numbers;

    #[inline]
    fn begin(self, start: &Position) -> Result<Numbers, CodecError> {
        refuse_chess960(Self::NAME, start)?;
        Ok(Numbers::at_start(start))
    }

    #[inline(always)]
    fn encode<S: Sliders>(
        self,
        _: S,
        numbers: Numbers,
        position: &Position,
        m: Move,
    ) -> Result<Bits, MoveFault> {
        let starts = numbers.of(position.turn());
        let width = starts.width();
        if m.castling_side().is_some() {
            return Ok(Bits::new(u32::from(m.flags() & 1), width));
        }
        let board = position.board();
        let role = board.role_at(m.from());
        let role = role.ok_or(MoveFault::NoPiece {
            found: m.from() as u32,
        })?;
        let block = (role.index() + 1) % 6;
        // Both, and then one of them: a branch on the role would be wrong every other time.
        let by_rank = rank_in(empty_board::reach(role, m.from()), m.to());
        let is_pawn = u32::from(role == Role::Pawn).wrapping_neg();
        let destination = by_rank & !is_pawn | pawn_destination(m) & is_pawn;
        let men = board.by_any_role(role) & board.by_color(position.turn());
        let before = rank_in(men, m.from());
        let index = starts.start(block) + before * block_at(block).size + destination;
        Ok(Bits::new(index, width))
    }

    #[inline(always)]
    fn decode<S: Sliders>(
        self,
        sliders: S,
        numbers: Numbers,
        position: &Position,
        bits: &mut BitReader<'_>,
    ) -> Result<Move, MoveFault> {
        read(sliders, numbers, bits, Tell { position })
    }

    #[inline(always)]
    fn decode_and_play<S: Sliders>(
        self,
        sliders: S,
        numbers: &mut Numbers,
        position: &mut Position,
        bits: &mut BitReader<'_>,
    ) -> Result<Move, MoveFault> {
        read(sliders, *numbers, bits, Play { position, numbers })
    }

    #[inline(always)]
    fn follow<S: Sliders>(
        self,
        _: S,
        mut numbers: Numbers,
        before: &Position,
        played: Move,
    ) -> Numbers {
        numbers.follow(before, played);
        numbers
    }
}

/// Reads a number and hands on what it means. The three ways it can go do not meet before the move
/// is played: the compiler knows the kind of mover on each.
#[inline(always)]
fn read<S: Sliders>(
    sliders: S,
    numbers: Numbers,
    bits: &mut BitReader<'_>,
    reading: impl Reading,
) -> Result<Move, MoveFault> {
    let position = reading.position();
    let turn = position.turn();
    let starts = numbers.of(turn);
    let mut found = bits.take_byte()?;
    if starts.width() == 16 {
        found = found << 8 | bits.take_byte()?;
        if found > MAX {
            return Err(MoveFault::NoMove { found });
        }
    }
    if found < 2 {
        return Ok(reading.castling(found));
    }
    let block = starts.block(found);
    if block >= ROLES.len() {
        return Err(MoveFault::NoMove { found });
    }
    let local = found.wrapping_sub(starts.start(block));
    let Block {
        size,
        reciprocal,
        role,
    } = *block_at(block);
    let before = local.wrapping_mul(reciprocal) >> 16;
    let number = local.wrapping_sub(before * size);

    // From here on the board matters.
    let board = position.board();
    let men = board.by_any_role(role) & board.by_color(turn);
    let from = sliders.nth(men, before);
    let from = from.ok_or(MoveFault::NoPiece { found })?;
    let m = if block == PAWNS {
        reading.pawn(from, number)
    } else {
        reading.piece(role, from, destination(role, from, number))
    };
    m.ok_or(MoveFault::NoSquare { found: number })
}

/// What is done with what was read.
trait Reading {
    fn position(&self) -> &Position;
    fn castling(self, number: u32) -> Move;
    fn pawn(self, from: Square, number: u32) -> Option<Move>;
    fn piece(self, role: Role, from: Square, to: Square) -> Option<Move>;
}

/// It is told.
struct Tell<'a> {
    position: &'a Position,
}

impl Reading for Tell<'_> {
    #[inline(always)]
    fn position(&self) -> &Position {
        self.position
    }

    #[inline(always)]
    fn castling(self, number: u32) -> Move {
        castling(self.position, number)
    }

    #[inline(always)]
    fn pawn(self, from: Square, number: u32) -> Option<Move> {
        let turn = self.position.turn();
        let occupied = self.position.board().occupied();
        if is_last_step(turn, from) {
            return promotion(turn, occupied, from, number);
        }
        let to = pawn_target(turn, from, number);
        is_pawn_step(turn, from, to, number)
            .then(|| Move::new(from, to, pawn_kind(occupied, to, number)))
    }

    #[inline(always)]
    fn piece(self, _: Role, from: Square, to: Square) -> Option<Move> {
        (from != to).then(|| step(self.position.board().occupied(), from, to))
    }
}

/// It is played.
struct Play<'a> {
    position: &'a mut Position,
    numbers: &'a mut Numbers,
}

impl Reading for Play<'_> {
    #[inline(always)]
    fn position(&self) -> &Position {
        self.position
    }

    #[inline(always)]
    fn castling(self, number: u32) -> Move {
        let m = castling(self.position, number);
        self.position.play_unchecked(m);
        m
    }

    #[inline(always)]
    fn pawn(self, from: Square, number: u32) -> Option<Move> {
        let turn = self.position.turn();
        let occupied = self.position.board().occupied();
        if is_last_step(turn, from) {
            let m = promotion(turn, occupied, from, number)?;
            self.numbers.follow(self.position, m);
            self.position.play_unchecked(m);
            return Some(m);
        }
        let to = pawn_target(turn, from, number);
        if !is_pawn_step(turn, from, to, number) {
            return None;
        }
        if number & !2 == 0 {
            self.numbers.forget_taken(self.position, to);
        }
        self.position.play_pawn_unchecked(from, to);
        Some(Move::new(from, to, pawn_kind(occupied, to, number)))
    }

    #[inline(always)]
    fn piece(self, role: Role, from: Square, to: Square) -> Option<Move> {
        let occupied = self.position.board().occupied();
        if from == to {
            return None;
        }
        if occupied.contains(to) {
            self.numbers.forget_taken(self.position, to);
        }
        self.position.play_piece_unchecked(role, from, to);
        Some(step(occupied, from, to))
    }
}
