//! `index`: BCGN level 1.

mod numbers;
mod steps;

use chess::attacks::Sliders;
use chess::{Move, MoveKind, Position, ReadMove, Role, Square, Step};

use self::numbers::{CASTLINGS, MAX, ROLES};
use self::steps::{Meaning, pawn_destination, pawn_distance, rare_move};
use crate::codec::refuse_chess960;
use crate::counts::rank_in;
use crate::{BitReader, Bits, CodecError, CodecName, Gate, MoveCodec, MoveFault, empty_board};

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

impl MoveIndex {
    /// The bits of a move as it was read, before which the numbers are those told: [`MoveCodec::encode`] and
    /// [`MoveCodec::follow`] for those who have just found it on the board.
    #[must_use]
    #[inline(always)]
    pub fn encode_read(self, numbers: &mut Numbers, before: &Position, read: ReadMove) -> Bits {
        let ReadMove::Step(step, men) = read else {
            return encode_other(numbers, before, read.to_move());
        };
        // Pawns are told where the compiler knows them to be pawns, so this is no branch.
        let destination = match step.role {
            Role::Pawn => pawn_distance(step.from, step.to),
            role => piece_destination(role, step.from, step.to),
        };
        let starts = numbers.of(before.turn());
        let bits = starts.bits(step.role, rank_in(men, step.from), destination);
        if step.takes {
            numbers.forget_taken(before, step.to);
        }
        bits
    }
}

/// Castling, a promotion, or en passant: one move in forty.
#[cold]
#[inline(never)]
fn encode_other(numbers: &mut Numbers, before: &Position, m: Move) -> Bits {
    let role = before.board().role_at(m.from()).unwrap_or(Role::Pawn);
    let bits = encode_man(*numbers, before, role, m);
    numbers.follow(before, m);
    bits
}

/// The rank of a square among those that a piece has on an empty board, behind castling for the king.
#[inline(always)]
fn piece_destination(role: Role, from: Square, to: Square) -> u32 {
    rank_in(empty_board::reach(role, from), to) + CASTLINGS * u32::from(role == Role::King)
}

/// The bits of a legal move of a man that is known to be of this role.
#[inline(always)]
fn encode_man(numbers: Numbers, position: &Position, role: Role, m: Move) -> Bits {
    let starts = numbers.of(position.turn());
    if m.castling_side().is_some() {
        return Bits::new(u32::from(m.flags() & 1), starts.width());
    }
    // Both, and then one of them: a branch on the role would be wrong every other time.
    let is_pawn = u32::from(role == Role::Pawn).wrapping_neg();
    let destination =
        piece_destination(role, m.from(), m.to()) & !is_pawn | pawn_destination(m) & is_pawn;
    let board = position.board();
    let men = board.by_any_role(role) & board.by_color(position.turn());
    starts.bits(role, rank_in(men, m.from()), destination)
}

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
        let role = position.board().role_at(m.from());
        let role = role.ok_or(MoveFault::NoPiece {
            found: m.from() as u32,
        })?;
        Ok(encode_man(numbers, position, role, m))
    }

    #[inline(always)]
    fn decode<S: Sliders>(
        self,
        sliders: S,
        numbers: Numbers,
        position: &Position,
        bits: &mut BitReader<'_>,
    ) -> Result<Move, MoveFault> {
        let (mut numbers, mut position) = (numbers, *position);
        let mut found = None;
        self.decode_and_play(sliders, &mut numbers, &mut position, bits, &mut found)?;
        found.ok_or(MoveFault::NoMove { found: 0 })
    }

    /// What moves is known before the board is, so the branches on a double push and on castling are
    /// decided early. On captures there is one for the numbers' sake: they change only then, and the
    /// next man is found without waiting for them. Otherwise only what is rare is a branch.
    #[inline(always)]
    fn decode_and_play<S: Sliders>(
        self,
        sliders: S,
        numbers: &mut Numbers,
        position: &mut Position,
        bits: &mut BitReader<'_>,
        gate: &mut impl Gate,
    ) -> Result<(), MoveFault> {
        let turn = position.turn();
        let starts = numbers.of(turn);
        let mut found = bits.take_byte()?;
        if starts.width() == 16 {
            found = found << 8 | bits.take_byte()?;
            if found > MAX {
                return Err(MoveFault::NoMove { found });
            }
        }
        let block = starts.block(found);
        let Some(&role) = ROLES.get(block) else {
            return Err(MoveFault::NoMove { found });
        };
        let local = found.wrapping_sub(starts.start(block));
        let meaning = Meaning::of(turn, block, local);

        // From here on the board matters.
        let board = position.board();
        let occupied = board.occupied();
        let men = board.by_any_role(role) & board.by_color(turn);
        let from = sliders.nth(men, meaning.man());
        let from = from.ok_or(MoveFault::NoPiece { found })?;
        let to = meaning.to(from);
        if from == to {
            let number = meaning.number();
            let m = rare_move(turn, occupied, role, from, found, number);
            let m = m.ok_or(MoveFault::NoSquare { found: number })?;
            return play_rare(sliders, numbers, position, m, gate);
        }
        if meaning.is_double_push() {
            let step = Step {
                role: Role::Pawn,
                from,
                to,
                takes: false,
            };
            gate.admit_step::<Self, S>(sliders, position, step)?;
            position.play_double_push_unchecked(from, to);
            return Ok(());
        }
        let takes = occupied.contains(to);
        if !takes && meaning.is_diagonal() {
            let m = Move::new(from, to, MoveKind::EnPassant);
            return play_rare(sliders, numbers, position, m, gate);
        }
        let step = Step {
            role,
            from,
            to,
            takes,
        };
        gate.admit_step::<Self, S>(sliders, position, step)?;
        if takes {
            numbers.forget_taken(position, to);
            position.play_role_unchecked(role, from, to, true);
        } else {
            position.play_role_unchecked(role, from, to, false);
        }
        Ok(())
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

/// Plays a castling, a promotion or a capture en passant.
#[inline(always)]
fn play_rare<S: Sliders>(
    sliders: S,
    numbers: &mut Numbers,
    position: &mut Position,
    m: Move,
    gate: &mut impl Gate,
) -> Result<(), MoveFault> {
    gate.admit::<MoveIndex, S>(sliders, position, m)?;
    numbers.follow(position, m);
    position.play_unchecked(m);
    Ok(())
}
