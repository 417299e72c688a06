//! `index`: BCGN level 1.

use chess::attacks::{self, Sliders};
use chess::{Bitboard, CastlingSide, Color, Move, MoveKind, Position, Role, Square};

use crate::codec::refuse_chess960;
use crate::empty_board;
use crate::{BitReader, Bits, CodecError, CodecName, MoveCodec, MoveFault};

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

/// The roles in the order of the blocks.
const ROLES: [Role; 6] = [
    Role::King,
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// The place of the pawns in that order.
const PAWNS: usize = 1;

/// What there is to know about a block.
#[derive(Clone, Copy)]
struct Block {
    /// How many numbers each man has.
    size: u32,
    /// 65,536 divided by the size, rounded up: `n * r >> 16` is `n / size` for every number that
    /// can occur.
    reciprocal: u32,
    role: Role,
}

/// The blocks in their order; two more, so that an index of three bits needs no check.
static BLOCKS: [Block; 8] = {
    const SIZES: [u32; 8] = [8, 12, 8, 13, 14, 27, 1, 1];
    let mut blocks = [Block {
        size: 1,
        reciprocal: 0,
        role: Role::King,
    }; 8];
    let mut i = 0;
    while i < 6 {
        #[allow(clippy::indexing_slicing)]
        {
            blocks[i] = Block {
                size: SIZES[i],
                reciprocal: 65_536 / SIZES[i] + 1,
                role: ROLES[i],
            };
        }
        i += 1;
    }
    blocks
};

#[inline(always)]
fn block_at(index: usize) -> &'static Block {
    #[allow(clippy::indexing_slicing)] // Masked.
    &BLOCKS[index & 7]
}

/// Where the numbers of each role start, and where the last one ends: six lanes of ten bits for
/// P N B R Q and the end, the topmost bit of each lane free. The four bits above count the queens.
///
/// It changes only when a man is taken or promoted. So it is remembered from move to move, and
/// which man a number means is known before the board is: a replay waits for its board alone. In
/// one word, since an array would be stored and loaded again for every move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Starts(u64);

/// The lowest and the highest bit of each lane.
const LOW: u64 = 1 | 1 << 10 | 1 << 20 | 1 << 30 | 1 << 40 | 1 << 50;
const HIGH: u64 = LOW << 9;
/// The largest number in a lane. Sixteen men have at most 415.
const MAX: u32 = 511;

/// What a man of each role adds: its numbers to the starts of all roles behind its own.
static SHARES: [u64; 8] = {
    let mut shares = [0; 8];
    let mut block = 1;
    while block < 6 {
        #[allow(clippy::indexing_slicing)]
        {
            let lanes_behind = LOW >> (10 * block) << (10 * block);
            shares[ROLES[block] as usize] = BLOCKS[block].size as u64 * lanes_behind;
        }
        block += 1;
    }
    #[allow(clippy::indexing_slicing)]
    {
        shares[Role::Queen as usize] += 1 << 60;
    }
    shares
};

#[inline(always)]
fn share(role: Role) -> u64 {
    #[allow(clippy::indexing_slicing)] // Six roles.
    SHARES[role.index()]
}

impl Starts {
    fn of(position: &Position, color: Color) -> Starts {
        let board = position.board();
        let men = board.by_color(color);
        let shares = Role::ALL.map(|role| share(role) * (men & board.by_role(role)).len() as u64);
        Starts(shares.into_iter().fold(10 * LOW, u64::wrapping_add))
    }

    /// The bits of a number: two bytes for three queens or more.
    #[inline(always)]
    const fn width(self) -> u32 {
        if self.0 >> 60 > 2 { 16 } else { 8 }
    }

    /// The block of a number up to [`MAX`], 6 if it is past the last one: how many lanes are not
    /// larger. All six are compared at once; the role of the next man to move is what no branch predictor can know.
    #[inline(always)]
    const fn block(self, number: u32) -> usize {
        let not_larger = ((number as u64 * LOW) | HIGH).wrapping_sub(self.0) & HIGH;
        not_larger.count_ones() as usize
    }

    /// Where a block starts.
    #[inline(always)]
    const fn start(self, block: usize) -> u32 {
        let with_king = self.0 << 10 | 2;
        ((with_king >> ((10 * block) & 63)) & 0x3ff) as u32
    }
}

/// The numbers of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    white: Starts,
    black: Starts,
}

impl Numbers {
    #[inline(always)]
    fn of(self, color: Color) -> Starts {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    #[inline(always)]
    fn follow(&mut self, before: &Position, played: Move) {
        if played.is_capture() {
            self.forget_taken(before, played.to());
        }
        if let Some(role) = played.promotion() {
            let change = share(role).wrapping_sub(share(Role::Pawn));
            self.add(before.turn(), change);
        }
    }

    /// What was taken on a square leaves. En passant finds it empty, and has taken a pawn.
    #[inline(always)]
    fn forget_taken(&mut self, before: &Position, square: Square) {
        let taken = before.board().role_at(square).unwrap_or(Role::Pawn);
        self.add(!before.turn(), share(taken).wrapping_neg());
    }

    /// Adds to the numbers of a side.
    #[inline(always)]
    fn add(&mut self, color: Color, share: u64) {
        let starts = match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        };
        starts.0 = starts.0.wrapping_add(share);
    }
}

impl MoveCodec for MoveIndex {
    const NAME: CodecName = CodecName::Index;
    type Memory = Numbers;

    #[inline]
    fn begin(self, start: &Position) -> Result<Numbers, CodecError> {
        refuse_chess960(Self::NAME, start)?;
        Ok(Numbers {
            white: Starts::of(start, Color::White),
            black: Starts::of(start, Color::Black),
        })
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
        let width = starts.width() as u8;
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
        let by_rank = empty_board::reach(role, m.from()).rank_of(m.to()) as u32;
        let is_pawn = u32::from(role == Role::Pawn).wrapping_neg();
        let destination = by_rank & !is_pawn | pawn_destination(m) & is_pawn;
        let men = board.by_any_role(role) & board.by_color(position.turn());
        let before = men.rank_of(m.from()) as u32;
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

/// The king's own square is the one where it stands, wherever that is.
#[inline(always)]
fn castling(position: &Position, number: u32) -> Move {
    let color = position.turn();
    let side = match number {
        0 => CastlingSide::KingSide,
        _ => CastlingSide::QueenSide,
    };
    let king = position.king_of(color);
    Move::new(king, side.king_to(color), MoveKind::castle(side))
}

/// Distance and promotion of a pawn's move. White's captures to the left are 7 squares up.
#[inline(always)]
fn pawn_destination(m: Move) -> u32 {
    let distance = (m.from() as u32).abs_diff(m.to() as u32);
    let step = distance.saturating_sub(7);
    match m.flags() {
        flags @ 8.. => step << 2 | u32::from(flags & 3),
        _ => step,
    }
}

/// Whether a pawn that is not promoted makes a step of this number, and arrives at `to` by it.
#[inline(always)]
fn is_pawn_step(turn: Color, from: Square, to: Square, number: u32) -> bool {
    let is_first_step = from as u8 / 8 == if turn == Color::White { 1 } else { 6 };
    let is_diagonal = number & !2 == 0;
    (is_diagonal & attacks::pawn(turn, from).contains(to))
        | (is_first_step & (number == 9))
        | (number == 1)
}

/// The kind of such a step.
#[inline(always)]
fn pawn_kind(occupied: Bitboard, to: Square, number: u32) -> MoveKind {
    match number {
        1 => MoveKind::Quiet,
        9 => MoveKind::DoublePush,
        _ if occupied.contains(to) => MoveKind::Capture,
        _ => MoveKind::EnPassant,
    }
}

/// Whether the next step of this pawn is onto the last rank.
#[inline(always)]
pub(crate) fn is_last_step(turn: Color, from: Square) -> bool {
    from as u8 / 8 == if turn == Color::White { 6 } else { 1 }
}

/// The square a pawn reaches by 0, 1, 2 or 9, which are 7, 8, 9 and 16 squares up.
#[inline(always)]
const fn pawn_target(turn: Color, from: Square, step: u32) -> Square {
    let squares = (7 + (step & 15)) as u8;
    Square::from_low_bits(match turn {
        Color::White => (from as u8).wrapping_add(squares),
        Color::Black => (from as u8).wrapping_sub(squares),
    })
}

/// The same on the last but one rank. It takes no reference to the position: that would keep it in
/// memory, see `game.rs`.
#[cold]
fn promotion(turn: Color, occupied: Bitboard, from: Square, number: u32) -> Option<Move> {
    let to = pawn_target(turn, from, number >> 2);
    let takes = occupied.contains(to);
    let is_sound = match number >> 2 {
        0 | 2 => attacks::pawn(turn, from).contains(to),
        1 => true,
        _ => false,
    };
    let role = Role::PROMOTIONS.get((number & 3) as usize)?;
    let kind = MoveKind::promotion(*role, takes)?;
    is_sound.then(|| Move::new(from, to, kind))
}

/// What a piece other than a pawn reaches on an empty board by its numbers; its own square for the
/// numbers it does not have. 12 KiB, of which games use a part.
#[allow(clippy::indexing_slicing)] // The compiler would stop at an index out of bounds.
static DESTINATIONS: [[[u8; 32]; 64]; 6] = {
    let mut table = [[[0; 32]; 64]; 6];
    let mut role = 0;
    while role < 6 {
        let mut from = 0;
        while from < 64 {
            let mut reach = empty_board::walk(Role::ALL[role], Square::ALL[from]);
            let mut number = 0;
            while number < 32 {
                #[allow(clippy::indexing_slicing)]
                {
                    table[role][from][number] = match reach.pop_first() {
                        Some(to) => to as u8,
                        None => Square::ALL[from] as u8,
                    };
                }
                number += 1;
            }
            from += 1;
        }
        role += 1;
    }
    table
};

#[inline(always)]
fn destination(role: Role, from: Square, number: u32) -> Square {
    #[allow(clippy::indexing_slicing)] // Six roles, 64 squares, five bits.
    Square::from_low_bits(DESTINATIONS[role.index()][from.index()][number as usize & 31])
}

/// A piece goes to another square, and takes what stands there.
#[inline(always)]
pub(crate) fn step(occupied: Bitboard, from: Square, to: Square) -> Move {
    let kind = if occupied.contains(to) {
        MoveKind::Capture
    } else {
        MoveKind::Quiet
    };
    Move::new(from, to, kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reciprocals_divide() {
        for block in &BLOCKS[..6] {
            for number in 0..64 * block.size {
                let divided = (number * block.reciprocal) >> 16;
                assert_eq!(divided, number / block.size, "{number} / {}", block.size);
            }
        }
    }
}
