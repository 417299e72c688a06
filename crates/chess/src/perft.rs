//! Counting the paths of a given length: the classic proof and measure of a move generator.

use core::marker::PhantomData;

use crate::attacks::{self, Job, Sliders};
use crate::movegen::{self, MoveVisitor, PawnStep};
use crate::side::{Black, Side, White};
use crate::{Bitboard, CastlingSide, Color, Move, Position, Role, Square};

/// The number of legal move sequences of this length. The last move of each is counted, not made.
///
/// ```
/// use scoresheet_chess::{perft, Position};
/// assert_eq!(perft::count(&Position::START, 4), 197_281);
/// ```
#[must_use]
pub fn count(position: &Position, depth: u32) -> u64 {
    start::<true>(position, depth)
}

/// The same number, with every move made, the last ones too.
#[must_use]
pub fn play_leaves(position: &Position, depth: u32) -> u64 {
    start::<false>(position, depth)
}

/// The count below each legal move, in the order of the moves' coordinates.
#[must_use]
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_by_key(|m| (m.butterfly_index(), m.flags()));
    let below = depth.saturating_sub(1);
    moves
        .into_iter()
        .map(|m| {
            let mut next = *position;
            next.play_unchecked(m);
            (m, count(&next, below))
        })
        .collect()
}

fn start<const BULK: bool>(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    match position.turn() {
        Color::White => attacks::dispatch(Walk::<White, BULK>::new(position, depth)),
        Color::Black => attacks::dispatch(Walk::<Black, BULK>::new(position, depth)),
    }
}

/// One node of the tree, the side to move known to the compiler.
struct Walk<'a, C, const BULK: bool> {
    position: &'a Position,
    depth: u32,
    side: PhantomData<C>,
}

impl<'a, C, const BULK: bool> Walk<'a, C, BULK> {
    #[inline(always)]
    fn new(position: &'a Position, depth: u32) -> Self {
        Walk {
            position,
            depth,
            side: PhantomData,
        }
    }
}

impl<C: Side, const BULK: bool> Job for Walk<'_, C, BULK> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> u64 {
        if self.depth == 1 {
            let mut leaves = Leaves::<C, BULK> {
                position: self.position,
                nodes: 0,
                side: PhantomData,
            };
            movegen::generate::<C, S, _>(self.position, sliders, &mut leaves);
            return leaves.nodes;
        }
        let mut branch = Branch::<C, S, BULK> {
            walk: self,
            sliders,
            nodes: 0,
        };
        movegen::generate::<C, S, _>(branch.walk.position, sliders, &mut branch);
        branch.nodes
    }
}

/// Something that is done with each position after a legal move.
trait Children<C: Side> {
    fn position(&self) -> &Position;
    fn child(&mut self, next: &Position);

    #[inline(always)]
    fn children(&mut self, targets: Bitboard, mut play: impl FnMut(&Position, Square) -> Position) {
        for to in targets {
            let next = play(self.position(), to);
            self.child(&next);
        }
    }

    #[inline(always)]
    fn piece_children(&mut self, role: Role, from: Square, targets: Bitboard) {
        self.children(targets, |position, to| {
            position.after_piece::<C>(role, from, to)
        });
    }

    #[inline(always)]
    fn pawn_children(&mut self, step: PawnStep, targets: Bitboard) {
        self.children(targets, |position, to| {
            let from = step.origin(C::COLOR, to);
            match step {
                PawnStep::Push => position.after_push::<C>(from, to),
                PawnStep::DoublePush => position.after_double_push::<C>(from, to),
                _ => position.after_pawn_capture::<C>(from, to),
            }
        });
    }

    #[inline(always)]
    fn promotion_children(&mut self, step: PawnStep, targets: Bitboard) {
        for role in Role::PROMOTIONS {
            self.children(targets, |position, to| {
                position.after_promotion::<C>(step.origin(C::COLOR, to), to, role)
            });
        }
    }
}

/// A node above the leaves: each child is walked.
struct Branch<'a, C, S, const BULK: bool> {
    walk: Walk<'a, C, BULK>,
    sliders: S,
    nodes: u64,
}

impl<C: Side, S: Sliders, const BULK: bool> Children<C> for Branch<'_, C, S, BULK> {
    #[inline(always)]
    fn position(&self) -> &Position {
        self.walk.position
    }

    #[inline(always)]
    fn child(&mut self, next: &Position) {
        let below = Walk::<C::Other, BULK>::new(next, self.walk.depth - 1);
        self.nodes += self.sliders.run(below);
    }
}

/// The last node: its moves are counted, or made and shown to the optimiser as if somebody looked
/// at them, so that it cannot leave out the work.
struct Leaves<'a, C, const BULK: bool> {
    position: &'a Position,
    nodes: u64,
    side: PhantomData<C>,
}

impl<C: Side, const BULK: bool> Children<C> for Leaves<'_, C, BULK> {
    #[inline(always)]
    fn position(&self) -> &Position {
        self.position
    }

    #[inline(always)]
    fn child(&mut self, next: &Position) {
        core::hint::black_box(next);
        self.nodes += 1;
    }
}

impl<C: Side, S: Sliders, const BULK: bool> MoveVisitor for Branch<'_, C, S, BULK> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        self.piece_children(role, from, targets);
    }

    #[inline(always)]
    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        self.pawn_children(step, targets);
    }

    #[inline(always)]
    fn promotions(&mut self, step: PawnStep, targets: Bitboard) {
        self.promotion_children(step, targets);
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        let next = self.position().after_en_passant::<C>(from, to);
        self.child(&next);
    }

    #[inline(always)]
    fn castle(&mut self, side: CastlingSide, from: Square, _: Square) {
        let next = self.position().after_castling::<C>(side, from);
        self.child(&next);
    }
}

impl<C: Side, const BULK: bool> MoveVisitor for Leaves<'_, C, BULK> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        if BULK {
            self.nodes += targets.len() as u64;
        } else {
            self.piece_children(role, from, targets);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        if BULK {
            self.nodes += targets.len() as u64;
        } else {
            self.pawn_children(step, targets);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, step: PawnStep, targets: Bitboard) {
        if BULK {
            self.nodes += 4 * targets.len() as u64;
        } else {
            self.promotion_children(step, targets);
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        if BULK {
            self.nodes += 1;
        } else {
            let next = self.position.after_en_passant::<C>(from, to);
            self.child(&next);
        }
    }

    #[inline(always)]
    fn castle(&mut self, side: CastlingSide, from: Square, _: Square) {
        if BULK {
            self.nodes += 1;
        } else {
            let next = self.position.after_castling::<C>(side, from);
            self.child(&next);
        }
    }
}
