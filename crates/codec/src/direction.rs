//! `direction`: where a piece arrives, and from which side.

use chess::attacks::Sliders;
use chess::{Bitboard, CastlingSide, Move, MoveKind, Position, Role, Square};

use crate::{BitReader, Bits, CodecError, CodecName, MoveCodec, MoveFault};

/// 10 bits, `direction:4 | to:6`, and 2 more for a promotion (N 0, B 1, R 2, Q 3).
///
/// Directions 0–7 are those of the compass, clockwise from the north (towards rank 8): N, NE, E,
/// SE, S, SW, W, NW. Directions 8–15 are the knight's jumps, clockwise too: NNE, ENE, ESE, SSE,
/// SSW, WSW, WNW, NNW.
///
/// The square a move comes from is not told: looking back from its destination against the
/// direction, the mover is the first man one sees, since nothing stands between. (For a jump it is
/// the knight on the one square there is.) That covers every move:
///
/// - **Double push:** direction N or S; one looks back over the empty square to the pawn.
/// - **En passant:** the pawn's diagonal direction to the square behind the taken pawn; a pawn that
///   moves diagonally to an empty square can do nothing else.
/// - **Promotion:** a pawn that arrives on the first or the eighth rank is followed by two bits.
/// - **Castling:** direction E or W to the square of the *rook*. No other move ends on an own man.
///   Between the king and its rook nothing stands when they castle, in Chess960 neither, so the
///   first man one sees is the king; and where king and rook land is known.
///
/// ```
/// use chess::{Move, MoveKind, Position, Square};
/// use scoresheet_codec::CodecName;
/// let nf3 = Move::new(Square::G1, Square::F3, MoveKind::Quiet);
/// let mut bytes = Vec::new();
/// CodecName::Direction.encode(&Position::START, [nf3], &mut bytes).unwrap();
/// // Direction 15, one file to the left and two ranks up; f3 is square 21; six bits of padding.
/// assert_eq!(bytes, [0b1111_0101, 0b01_000000]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Direction;

/// Files to the right and ranks up, by direction.
const STEPS: [(i8, i8); 16] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// What one sees looking back from a square on an empty board, against the direction.
static BACK: [[Bitboard; 64]; 16] = {
    let mut table = [[Bitboard::EMPTY; 64]; 16];
    let mut direction = 0;
    while direction < 16 {
        #[allow(clippy::indexing_slicing)]
        let (files, ranks) = STEPS[direction];
        let mut to = 0;
        while to < 64 {
            #[allow(clippy::indexing_slicing)]
            let mut at = Square::ALL[to].offset(-files, -ranks);
            while let Some(square) = at {
                #[allow(clippy::indexing_slicing)]
                table[direction][to].insert(square);
                at = if direction < 8 {
                    square.offset(-files, -ranks)
                } else {
                    None
                };
            }
            to += 1;
        }
        direction += 1;
    }
    table
};

/// Where a move of this direction to this square comes from: the first man against the direction.
#[inline]
fn origin(direction: u32, to: Square, occupied: Bitboard) -> Option<Square> {
    // Four bits and a square: the lint cannot know that both fit.
    #[allow(clippy::indexing_slicing)]
    let seen = BACK[(direction & 15) as usize][to.index()] & occupied;
    let (files, ranks) = *STEPS.get(direction as usize)?;
    // Against a direction that goes up in squares, the nearest man is the last in ascending order.
    if ranks > 0 || (ranks == 0 && files > 0) {
        seen.last()
    } else {
        seen.first()
    }
}

/// The direction from one square to another; `None` if no piece goes that way.
#[inline]
fn direction_of(from: Square, to: Square) -> Option<u32> {
    (0u32..)
        .zip(&BACK)
        .find_map(|(direction, row)| row.get(to.index())?.contains(from).then_some(direction))
}

fn is_last_rank(square: Square) -> bool {
    Bitboard::BACK_RANKS.contains(square)
}

impl MoveCodec for Direction {
    const NAME: CodecName = CodecName::Direction;
    type Memory = ();

    fn begin(self, _: &Position) -> Result<(), CodecError> {
        Ok(())
    }

    #[inline]
    fn encode<S: Sliders>(
        self,
        _: S,
        (): (),
        position: &Position,
        m: Move,
    ) -> Result<Bits, MoveFault> {
        let to = match m.castling_side() {
            Some(side) => position.castling_rook(position.turn(), side),
            None => Some(m.to()),
        };
        let illegal = MoveFault::Illegal { found: m };
        let to = to.ok_or(illegal)?;
        let direction = direction_of(m.from(), to).ok_or(illegal)?;
        let bits = Bits::new(direction << 6 | to as u32, 10);
        Ok(match m.promotion() {
            Some(_) => bits.then(Bits::new(u32::from(m.flags() & 3), 2)),
            None => bits,
        })
    }

    #[inline]
    fn decode<S: Sliders>(
        self,
        _: S,
        (): (),
        position: &Position,
        bits: &mut BitReader<'_>,
    ) -> Result<Move, MoveFault> {
        let found = bits.take(10)?;
        let (direction, to) = (found >> 6, Square::from_low_bits((found & 63) as u8));
        let board = position.board();
        let own = board.by_color(position.turn());
        let from = origin(direction, to, board.occupied()).filter(|&from| own.contains(from));
        let from = from.ok_or(MoveFault::NoPiece { found })?;
        let role = board.role_at(from).ok_or(MoveFault::NoPiece { found })?;
        // A knight comes by a jump and all others do not: it must not be told in two ways.
        if (role == Role::Knight) != (direction >= 8) {
            return Err(MoveFault::NoPiece { found });
        }
        if own.contains(to) {
            return castling(position, from, to).ok_or(MoveFault::NoMove { found });
        }
        let is_capture = board.occupied().contains(to);
        let kind = if role == Role::Pawn && is_last_rank(to) {
            let promotion = bits.take(2)?;
            let role = Role::PROMOTIONS.get(promotion as usize);
            role.and_then(|&role| MoveKind::promotion(role, is_capture))
                .ok_or(MoveFault::NoMove { found })?
        } else if is_capture {
            MoveKind::Capture
        } else if role != Role::Pawn {
            MoveKind::Quiet
        } else {
            match (from as u8).abs_diff(to as u8) {
                16 => MoveKind::DoublePush,
                7 | 9 => MoveKind::EnPassant,
                _ => MoveKind::Quiet,
            }
        };
        Ok(Move::new(from, to, kind))
    }
}

/// Castling with the rook on this square, if king and rook are what they must be.
fn castling(position: &Position, king: Square, rook: Square) -> Option<Move> {
    let color = position.turn();
    let side = CastlingSide::ALL
        .into_iter()
        .find(|&side| position.castling_rook(color, side) == Some(rook))?;
    (position.king_of(color) == king)
        .then(|| Move::new(king, side.king_to(color), MoveKind::castle(side)))
}
