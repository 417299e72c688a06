//! Counting the paths of a given length: the classic proof and measure of a move generator.

use core::marker::PhantomData;

use crate::attacks::{self, Job, Sliders};
use crate::movegen::{self, MoveVisitor, PawnStep};
use crate::side::{Black, Side, White};
use crate::{AttackBoard, Bitboard, CastlingSide, Color, Move, MoveList, Position, Role, Square};

/// A board on which perft can be run. There are two: [`Position`] and
/// [`AttackBoard`].
pub trait Perft: Copy + Sized {
    /// See [`count`].
    fn count(&self, depth: u32) -> u64;
    /// See [`play_leaves`].
    fn play_leaves(&self, depth: u32) -> u64;
    /// All legal moves.
    fn legal_moves(&self) -> MoveList;
    /// Plays a legal move.
    fn play_unchecked(&mut self, m: Move);
}

/// The number of legal move sequences of this length. The last move of each is counted, not made.
///
/// ```
/// use scoresheet_chess::{perft, AttackBoard, Position};
/// assert_eq!(perft::count(&Position::START, 4), 197_281);
/// assert_eq!(perft::count(&AttackBoard::default(), 4), 197_281);
/// ```
#[must_use]
pub fn count<B: Perft>(board: &B, depth: u32) -> u64 {
    board.count(depth)
}

/// The same number, with every move made, the last ones too.
#[must_use]
pub fn play_leaves<B: Perft>(board: &B, depth: u32) -> u64 {
    board.play_leaves(depth)
}

/// The count below each legal move, in the order of the moves' coordinates.
#[must_use]
pub fn divide<B: Perft>(board: &B, depth: u32) -> Vec<(Move, u64)> {
    let mut moves = board.legal_moves().to_vec();
    moves.sort_by_key(|m| (m.butterfly_index(), m.flags()));
    let below = depth.saturating_sub(1);
    moves
        .into_iter()
        .map(|m| {
            let mut next = *board;
            next.play_unchecked(m);
            (m, next.count(below))
        })
        .collect()
}

/// What the walk needs to know of a board: it tells a visitor its moves as sets, and plays them with
/// colour and role known when the code is compiled.
///
/// Moves are played in place, on a copy that the walk has made: a large board that is returned by
/// value is copied once more on its way out.
pub(crate) trait Walkable: Copy {
    fn turn(&self) -> Color;
    fn by_color(&self, color: Color) -> Bitboard;
    fn generate<C: Side, S: Sliders, V: MoveVisitor>(&self, sliders: S, visitor: &mut V);
    fn play_piece<C: Side, S: Sliders>(&mut self, s: S, role: Role, from: Square, to: Square);
    fn play_push<C: Side, S: Sliders>(&mut self, s: S, from: Square, to: Square);
    fn play_double_push<C: Side, S: Sliders>(&mut self, s: S, from: Square, to: Square);
    fn play_pawn_capture<C: Side, S: Sliders>(&mut self, s: S, from: Square, to: Square);
    fn play_promotion<C: Side, S: Sliders>(&mut self, s: S, from: Square, to: Square, role: Role);
    fn play_en_passant<C: Side, S: Sliders>(&mut self, s: S, from: Square, to: Square);
    fn play_castling<C: Side, S: Sliders>(&mut self, s: S, side: CastlingSide);
}

macro_rules! walked {
    ($board:ty) => {
        impl Perft for $board {
            fn count(&self, depth: u32) -> u64 {
                start::<$board, true>(self, depth)
            }

            fn play_leaves(&self, depth: u32) -> u64 {
                start::<$board, false>(self, depth)
            }

            fn legal_moves(&self) -> MoveList {
                self.legal_moves()
            }

            fn play_unchecked(&mut self, m: Move) {
                self.play_unchecked(m);
            }
        }
    };
}

walked!(Position);
walked!(AttackBoard);

impl Walkable for Position {
    #[inline(always)]
    fn turn(&self) -> Color {
        self.turn()
    }

    #[inline(always)]
    fn by_color(&self, color: Color) -> Bitboard {
        self.board().by_color(color)
    }

    #[inline(always)]
    fn generate<C: Side, S: Sliders, V: MoveVisitor>(&self, sliders: S, visitor: &mut V) {
        movegen::generate::<C, S, V>(self, sliders, visitor);
    }

    #[inline(always)]
    fn play_piece<C: Side, S: Sliders>(&mut self, _: S, role: Role, from: Square, to: Square) {
        *self = self.after_piece::<C>(role, from, to);
    }

    #[inline(always)]
    fn play_push<C: Side, S: Sliders>(&mut self, _: S, from: Square, to: Square) {
        *self = self.after_push::<C>(from, to);
    }

    #[inline(always)]
    fn play_double_push<C: Side, S: Sliders>(&mut self, _: S, from: Square, to: Square) {
        *self = self.after_double_push::<C>(from, to);
    }

    #[inline(always)]
    fn play_pawn_capture<C: Side, S: Sliders>(&mut self, _: S, from: Square, to: Square) {
        *self = self.after_pawn_capture::<C>(from, to);
    }

    #[inline(always)]
    fn play_promotion<C: Side, S: Sliders>(&mut self, _: S, from: Square, to: Square, role: Role) {
        *self = self.after_promotion::<C>(from, to, role);
    }

    #[inline(always)]
    fn play_en_passant<C: Side, S: Sliders>(&mut self, _: S, from: Square, to: Square) {
        *self = self.after_en_passant::<C>(from, to);
    }

    #[inline(always)]
    fn play_castling<C: Side, S: Sliders>(&mut self, _: S, side: CastlingSide) {
        *self = self.after_castling::<C>(side, self.king_of(C::COLOR));
    }
}

fn start<B: Walkable, const BULK: bool>(board: &B, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    match board.turn() {
        Color::White => attacks::dispatch(Walk::<B, White, BULK>::new(board, depth)),
        Color::Black => attacks::dispatch(Walk::<B, Black, BULK>::new(board, depth)),
    }
}

/// One node of the tree, the side to move known to the compiler.
struct Walk<'a, B, C, const BULK: bool> {
    board: &'a B,
    depth: u32,
    side: PhantomData<C>,
}

impl<'a, B, C, const BULK: bool> Walk<'a, B, C, BULK> {
    #[inline(always)]
    fn new(board: &'a B, depth: u32) -> Self {
        Walk {
            board,
            depth,
            side: PhantomData,
        }
    }
}

impl<B: Walkable, C: Side, const BULK: bool> Job for Walk<'_, B, C, BULK> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> u64 {
        if self.depth == 1 {
            let mut leaves = Leaves::<B, C, S, BULK> {
                board: self.board,
                sliders,
                nodes: 0,
                side: PhantomData,
            };
            self.board.generate::<C, S, _>(sliders, &mut leaves);
            return leaves.nodes;
        }
        let board = self.board;
        let mut branch = Branch::<B, C, S, BULK> {
            walk: self,
            sliders,
            nodes: 0,
        };
        board.generate::<C, S, _>(sliders, &mut branch);
        branch.nodes
    }
}

/// Something that is done with each position after a legal move.
trait Children<B: Walkable, C: Side, S: Sliders> {
    fn copy(&self) -> (B, S);
    fn child(&mut self, next: &B);

    // Loops and no closures: a closure is a function of its own to the compiler, and if it is not
    // inlined it is compiled without the CPU features of the job.

    #[inline(always)]
    fn piece_children(&mut self, role: Role, from: Square, targets: Bitboard) {
        for to in targets {
            let (mut next, sliders) = self.copy();
            next.play_piece::<C, S>(sliders, role, from, to);
            self.child(&next);
        }
    }

    #[inline(always)]
    fn pawn_children(&mut self, step: PawnStep, targets: Bitboard) {
        for to in targets {
            let (mut next, sliders) = self.copy();
            let from = step.origin(C::COLOR, to);
            match step {
                PawnStep::Push => next.play_push::<C, S>(sliders, from, to),
                PawnStep::DoublePush => next.play_double_push::<C, S>(sliders, from, to),
                _ => next.play_pawn_capture::<C, S>(sliders, from, to),
            }
            self.child(&next);
        }
    }

    #[inline(always)]
    fn promotion_children(&mut self, step: PawnStep, targets: Bitboard) {
        for role in Role::PROMOTIONS {
            for to in targets {
                let (mut next, sliders) = self.copy();
                let from = step.origin(C::COLOR, to);
                next.play_promotion::<C, S>(sliders, from, to, role);
                self.child(&next);
            }
        }
    }

    #[inline(always)]
    fn en_passant_child(&mut self, from: Square, to: Square) {
        let (mut next, sliders) = self.copy();
        next.play_en_passant::<C, S>(sliders, from, to);
        self.child(&next);
    }

    #[inline(always)]
    fn castling_child(&mut self, side: CastlingSide) {
        let (mut next, sliders) = self.copy();
        next.play_castling::<C, S>(sliders, side);
        self.child(&next);
    }
}

/// A node above the leaves: each child is walked.
struct Branch<'a, B, C, S, const BULK: bool> {
    walk: Walk<'a, B, C, BULK>,
    sliders: S,
    nodes: u64,
}

impl<B: Walkable, C: Side, S: Sliders, const BULK: bool> Children<B, C, S>
    for Branch<'_, B, C, S, BULK>
{
    #[inline(always)]
    fn copy(&self) -> (B, S) {
        (*self.walk.board, self.sliders)
    }

    #[inline(always)]
    fn child(&mut self, next: &B) {
        let below = Walk::<B, C::Other, BULK>::new(next, self.walk.depth - 1);
        self.nodes += self.sliders.run(below);
    }
}

/// The last node: its moves are counted, or made and shown to the optimiser as if somebody looked
/// at them, so that it cannot leave out the work.
struct Leaves<'a, B, C, S, const BULK: bool> {
    board: &'a B,
    sliders: S,
    nodes: u64,
    side: PhantomData<C>,
}

impl<B: Walkable, C: Side, S: Sliders, const BULK: bool> Children<B, C, S>
    for Leaves<'_, B, C, S, BULK>
{
    #[inline(always)]
    fn copy(&self) -> (B, S) {
        (*self.board, self.sliders)
    }

    #[inline(always)]
    fn child(&mut self, next: &B) {
        core::hint::black_box(next);
        self.nodes += 1;
    }
}

impl<B: Walkable, C: Side, S: Sliders, const BULK: bool> MoveVisitor for Branch<'_, B, C, S, BULK> {
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
        self.en_passant_child(from, to);
    }

    #[inline(always)]
    fn castle(&mut self, side: CastlingSide, _: Square, _: Square) {
        self.castling_child(side);
    }
}

impl<B: Walkable, C: Side, S: Sliders, const BULK: bool> MoveVisitor for Leaves<'_, B, C, S, BULK> {
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
            self.en_passant_child(from, to);
        }
    }

    #[inline(always)]
    fn castle(&mut self, side: CastlingSide, _: Square, _: Square) {
        if BULK {
            self.nodes += 1;
        } else {
            self.castling_child(side);
        }
    }
}
