//! `list`: the number of a move in the list of legal moves.

use chess::attacks::Sliders;
use chess::{
    Bitboard, CastlingSide, Color, Move, MoveKind, MoveVisitor, PawnStep, Position, Role, Square,
};

use crate::counts::{len_of, rank_in};
use crate::{BitReader, Bits, CodecError, CodecName, Doubt, MoveCodec, MoveFault};

/// One byte: the number of the move among the legal ones, in this order, which is part of the
/// format and never changes:
///
/// 1. all moves but castling, in ascending order of the first square, then the second (a1, b1, …
///    h8), then the promotion (N, B, R, Q);
/// 2. castling king side, then queen side.
///
/// No position that can arise in a game has more than 218 moves, and with fifteen queens set up on
/// purpose a search found 240. Should there be one with more than 256, every move of it is refused
/// with [`MoveFault::TooManyMoves`]; none is given the number of another.
///
/// The order is that of the format, not of the generator: the generator's sets are counted, never
/// listed or sorted.
///
/// ```
/// use chess::Position;
/// use scoresheet_codec::{CodecName, Plies};
/// // a2-a3, a2-a4, b2-b3 … after the four moves of the knights.
/// let moves = CodecName::List.decode(&Position::START, Plies::ToEnd, &[4]).unwrap();
/// assert_eq!(moves[0].to_string(), "a2a3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ListIndex;

const MAX: u32 = 256;

impl MoveCodec for ListIndex {
    const NAME: CodecName = CodecName::List;
    const DOUBT: Doubt = Doubt::Nothing;
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
        let legal = Legal::of(position)?;
        let index = match m.castling_side() {
            Some(side) => {
                legal.steps + u32::from(side == CastlingSide::QueenSide && legal.castles[0])
            }
            None => legal.number(m),
        };
        Ok(Bits::new(index, 8))
    }

    #[inline]
    fn decode<S: Sliders>(
        self,
        _: S,
        (): (),
        position: &Position,
        bits: &mut BitReader<'_>,
    ) -> Result<Move, MoveFault> {
        let legal = Legal::of(position)?;
        let found = bits.take(8)?;
        let m = if found < legal.steps {
            legal.step(position, found)
        } else {
            legal.castling(position, found - legal.steps)
        };
        m.ok_or(MoveFault::NoMove { found })
    }
}

/// The legal moves as sets, by the square they start from.
struct Legal {
    turn: Color,
    targets: [Bitboard; 64],
    movable: Bitboard,
    /// Pawns whose moves count four times.
    promoting: Bitboard,
    /// The number of moves that are not castling.
    steps: u32,
    castles: [bool; 2],
}

impl Legal {
    #[inline]
    fn of(position: &Position) -> Result<Legal, MoveFault> {
        let mut legal = Legal {
            turn: position.turn(),
            targets: [Bitboard::EMPTY; 64],
            movable: Bitboard::EMPTY,
            promoting: Bitboard::EMPTY,
            steps: 0,
            castles: [false; 2],
        };
        position.visit_moves(&mut legal);
        legal.refuse_too_many()
    }

    #[inline]
    fn refuse_too_many(self) -> Result<Legal, MoveFault> {
        let found = self.steps + self.castles.into_iter().map(u32::from).sum::<u32>();
        if found > MAX {
            return Err(MoveFault::TooManyMoves { found, max: MAX });
        }
        Ok(self)
    }

    #[inline(always)]
    fn add(&mut self, from: Square, targets: Bitboard) {
        // An index by square needs no check, and the lint cannot know.
        #[allow(clippy::indexing_slicing)]
        {
            self.targets[from.index()] |= targets;
        }
        self.movable.insert(from);
    }

    #[inline(always)]
    fn targets(&self, from: Square) -> Bitboard {
        #[allow(clippy::indexing_slicing)]
        self.targets[from.index()]
    }

    #[inline(always)]
    fn weight(&self, from: Square) -> u32 {
        if self.promoting.contains(from) { 4 } else { 1 }
    }

    /// The number of a move that is not castling.
    #[inline]
    fn number(&self, m: Move) -> u32 {
        let before: u32 = (self.movable & Bitboard::before(m.from()))
            .into_iter()
            .map(|from| len_of(self.targets(from)) * self.weight(from))
            .sum();
        let targets = rank_in(self.targets(m.from()), m.to());
        let promotion = m.promotion().map_or(0, |_| u32::from(m.flags() & 3));
        before + targets * self.weight(m.from()) + promotion
    }

    /// The move of a number, if it is not castling.
    #[inline]
    fn step(&self, position: &Position, number: u32) -> Option<Move> {
        let mut left = number;
        for from in self.movable {
            let weight = self.weight(from);
            let count = len_of(self.targets(from)) * weight;
            if left < count {
                let to = self.targets(from).nth((left / weight) as usize)?;
                return Some(Move::new(
                    from,
                    to,
                    self.kind(position, from, to, left % weight)?,
                ));
            }
            left -= count;
        }
        None
    }

    /// The kind of a legal move.
    #[inline]
    fn kind(
        &self,
        position: &Position,
        from: Square,
        to: Square,
        promotion: u32,
    ) -> Option<MoveKind> {
        let board = position.board();
        let is_capture = board.occupied().contains(to);
        if self.promoting.contains(from) {
            let role = Role::PROMOTIONS.get(promotion as usize)?;
            return MoveKind::promotion(*role, is_capture);
        }
        let is_pawn = board.by_role(Role::Pawn).contains(from);
        Some(match (is_capture, (from as u8).abs_diff(to as u8)) {
            (true, _) => MoveKind::Capture,
            (false, 16) if is_pawn => MoveKind::DoublePush,
            (false, 7 | 9) if is_pawn => MoveKind::EnPassant,
            (false, _) => MoveKind::Quiet,
        })
    }

    fn castling(&self, position: &Position, number: u32) -> Option<Move> {
        let [king_side, queen_side] = self.castles;
        let side = match (number, king_side, queen_side) {
            (0, true, _) => CastlingSide::KingSide,
            (0, false, true) | (1, true, true) => CastlingSide::QueenSide,
            _ => return None,
        };
        let king = position.king_of(self.turn);
        Some(Move::new(
            king,
            side.king_to(self.turn),
            MoveKind::castle(side),
        ))
    }
}

impl MoveVisitor for Legal {
    #[inline(always)]
    fn piece(&mut self, _: Role, from: Square, targets: Bitboard) {
        self.steps += len_of(targets);
        self.add(from, targets);
    }

    #[inline(always)]
    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        self.steps += len_of(targets);
        for to in targets {
            self.add(step.origin(self.turn, to), to.into());
        }
    }

    #[inline(always)]
    fn promotions(&mut self, step: PawnStep, targets: Bitboard) {
        self.steps += 4 * len_of(targets);
        for to in targets {
            let from = step.origin(self.turn, to);
            self.add(from, to.into());
            self.promoting.insert(from);
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.steps += 1;
        self.add(from, to.into());
    }

    #[inline(always)]
    fn castle(&mut self, side: CastlingSide, _: Square, _: Square) {
        match side {
            CastlingSide::KingSide => self.castles[0] = true,
            CastlingSide::QueenSide => self.castles[1] = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// There seems to be no such position among those that can be set up, so it is made up.
    #[test]
    fn more_than_a_byte_can_number_is_refused() {
        let crowd = |steps, castles| Legal {
            turn: Color::White,
            targets: [Bitboard::EMPTY; 64],
            movable: Bitboard::EMPTY,
            promoting: Bitboard::EMPTY,
            steps,
            castles,
        };
        assert!(crowd(256, [false; 2]).refuse_too_many().is_ok());
        for (steps, castles) in [(257, [false; 2]), (255, [true; 2])] {
            let fault = crowd(steps, castles).refuse_too_many().err();
            assert_eq!(
                fault,
                Some(MoveFault::TooManyMoves {
                    found: 257,
                    max: 256
                })
            );
        }
    }
}
