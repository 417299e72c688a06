//! `index`: BCGN level 1.

mod table;

use chess::attacks::Sliders;
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

/// The men of the side to move by role, in the order of the blocks.
struct Blocks {
    sets: [Bitboard; 6],
    /// Where the block of each role starts, and where the last one ends.
    starts: [u32; 7],
}

/// The roles in the order of the blocks.
const ROLES: [Role; 6] = [
    Role::King,
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// How many numbers each man has, in the order of the blocks.
const SIZES: [u32; 8] = [8, 12, 8, 13, 14, 27, 1, 1];

/// 65,536 divided by the sizes, rounded up: `n * R >> 16` is `n / size` for every number that can
/// occur.
const RECIPROCALS: [u32; 8] = {
    let mut table = [0; 8];
    let mut i = 0;
    while i < 8 {
        table[i] = 65_536 / SIZES[i] + 1;
        i += 1;
    }
    table
};

impl Blocks {
    #[inline(always)]
    fn of(position: &Position) -> Blocks {
        let board = position.board();
        let own = board.by_color(position.turn());
        let sets = ROLES.map(|role| own & board.by_role(role));
        let [_, pawns, knights, bishops, rooks, queens] = sets.map(|set| set.len() as u32);
        let knights_at = 10 + 12 * pawns;
        let bishops_at = knights_at + 8 * knights;
        let rooks_at = bishops_at + 13 * bishops;
        let queens_at = rooks_at + 14 * rooks;
        let end = queens_at + 27 * queens;
        Blocks {
            sets,
            starts: [2, 10, knights_at, bishops_at, rooks_at, queens_at, end],
        }
    }

    /// The bits of a number.
    #[inline(always)]
    fn width(&self) -> u32 {
        let [.., queens] = self.sets;
        if queens.len() > 2 { 16 } else { 8 }
    }
}

impl MoveCodec for MoveIndex {
    const NAME: CodecName = CodecName::Index;
    type Memory = ();

    fn begin(self, start: &Position) -> Result<(), CodecError> {
        refuse_chess960(Self::NAME, start)
    }

    #[inline(always)]
    fn encode<S: Sliders>(
        self,
        _: S,
        (): (),
        position: &Position,
        m: Move,
    ) -> Result<Bits, MoveFault> {
        let blocks = Blocks::of(position);
        let width = blocks.width() as u8;
        if m.flags() & 0b1110 == 2 {
            return Ok(Bits::new(u32::from(m.flags() & 1), width));
        }
        let role = position.board().role_at(m.from());
        let role = role.ok_or(MoveFault::NoPiece {
            found: m.from() as u32,
        })?;
        let block = (role.index() + 1) % 6;
        let destination = if role == Role::Pawn {
            pawn_destination(m)
        } else {
            empty_board::reach(role, m.from()).rank_of(m.to()) as u32
        };
        let before = table::at(&blocks.sets, block).rank_of(m.from()) as u32;
        let start = table::at(&blocks.starts, block);
        let index = start + before * table::at(&SIZES, block) + destination;
        Ok(Bits::new(index, width))
    }

    #[inline(always)]
    fn decode<S: Sliders>(
        self,
        sliders: S,
        (): (),
        position: &Position,
        bits: &mut BitReader<'_>,
    ) -> Result<Move, MoveFault> {
        let blocks = Blocks::of(position);
        let found = bits.take(blocks.width())?;
        if found < 2 {
            return Ok(castling(position, found));
        }
        // Counting the blocks that end before the number instead of searching for its block: the
        // role of the next man to move is what no branch predictor can know.
        let [
            _,
            pawns_at,
            knights_at,
            bishops_at,
            rooks_at,
            queens_at,
            end,
        ] = blocks.starts;
        if found >= end {
            return Err(MoveFault::NoMove { found });
        }
        let block = [pawns_at, knights_at, bishops_at, rooks_at, queens_at]
            .map(|start| usize::from(found >= start))
            .iter()
            .sum();
        let local = found - table::at(&blocks.starts, block);
        let before = local.wrapping_mul(table::at(&RECIPROCALS, block)) >> 16;
        let destination = local - before * table::at(&SIZES, block);
        let from = sliders.nth(table::at(&blocks.sets, block), before);
        let from = from.ok_or(MoveFault::NoPiece { found })?;
        let entry = table::entry(block, position.turn(), from, destination);
        let m = table::complete(entry, position.board().occupied());
        m.ok_or(MoveFault::NoSquare { found: destination })
    }
}

/// The king's own square is the one where it stands, wherever that is.
#[inline]
fn castling(position: &Position, index: u32) -> Move {
    let color = position.turn();
    let side = match index {
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

/// Where a pawn of `color` gets by this number, if anywhere, and by which kind of move: what
/// [`pawn_destination`] takes apart.
const fn pawn_move(color: Color, from: Square, number: u32) -> Option<(Square, u8)> {
    let rank = from.rank().seen_by(color) as u8;
    let (step, promotion) = match rank {
        0 | 7 => return None,
        6 => (number >> 2, Some(number & 3)),
        _ => (number, None),
    };
    // As White sees it: 7 is up and left, 9 up and right. Black's board is turned round.
    let (files, ranks) = match step {
        0 => (-1, 1),
        1 => (0, 1),
        2 => (1, 1),
        9 if rank == 1 => (0, 2),
        _ => return None,
    };
    let to = match color {
        Color::White => from.offset(files, ranks),
        Color::Black => from.offset(-files, -ranks),
    };
    let kind = match (promotion, files, ranks) {
        (Some(promotion), _, _) => MoveKind::PromoteKnight as u8 + promotion as u8,
        (None, 0, 1) => MoveKind::Quiet as u8,
        (None, 0, _) => MoveKind::DoublePush as u8,
        (None, _, _) => MoveKind::EnPassant as u8,
    };
    match to {
        Some(to) => Some((to, kind)),
        None => None,
    }
}
