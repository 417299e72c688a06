//! Visitors that count, list and group the moves.

use core::marker::PhantomData;

use super::{MoveVisitor, PawnStep};
use crate::attacks::{self, Job, Sliders};
use crate::move_list::Writer;
use crate::perft::Walkable;
use crate::side::{Black, Side, White};
use crate::{Bitboard, CastlingSide, Color, Move, MoveKind, MoveList, Role, Square};

/// How many moves there are.
#[derive(Default)]
pub(crate) struct Count {
    pub(crate) moves: usize,
}

impl MoveVisitor for Count {
    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, targets: Bitboard) {
        self.moves += targets.len();
    }

    #[inline(always)]
    fn pawns(&mut self, _: PawnStep, targets: Bitboard) {
        self.moves += targets.len();
    }

    #[inline(always)]
    fn promotions(&mut self, _: PawnStep, targets: Bitboard) {
        self.moves += 4 * targets.len();
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.moves += 1;
    }

    #[inline(always)]
    fn castle(&mut self, _: CastlingSide, _: Square, _: Square) {
        self.moves += 1;
    }
}

/// The targets of all pawns, by step.
type PawnTargets = [Bitboard; 4];

/// How sets of targets become moves in a list.
pub(crate) trait Listing {
    fn piece<S: Sliders>(
        moves: &mut Writer<'_>,
        sliders: S,
        role: Role,
        from: Square,
        targets: Bitboard,
        enemy: Bitboard,
    );
    fn pawns<C: Side>(moves: &mut Writer<'_>, targets: &PawnTargets);
}

/// Bit by bit.
pub(crate) struct ByBits;

impl Listing for ByBits {
    #[inline(always)]
    fn piece<S: Sliders>(
        moves: &mut Writer<'_>,
        _: S,
        _: Role,
        from: Square,
        targets: Bitboard,
        enemy: Bitboard,
    ) {
        let base = (from as u16) << 6;
        moves.push_each(targets, |to| {
            // The capture flag without a branch: bit 14 is set if an enemy stands on the square.
            let capture = (enemy.bits() >> to as u8 & 1) as u16;
            Move::from_nonzero(base | capture << 14 | to as u16)
        });
    }

    #[inline(always)]
    fn pawns<C: Side>(moves: &mut Writer<'_>, targets: &PawnTargets) {
        for step in PawnStep::ALL {
            let kind = match step {
                PawnStep::Push => MoveKind::Quiet,
                PawnStep::DoublePush => MoveKind::DoublePush,
                PawnStep::CaptureWest | PawnStep::CaptureEast => MoveKind::Capture,
            };
            moves.push_each(targets[step as usize], |to| {
                Move::new(step.origin(C::COLOR, to), to, kind)
            });
        }
    }
}

/// Stage three: ready rows.
pub(crate) struct ByTable;

impl Listing for ByTable {
    #[inline(always)]
    fn piece<S: Sliders>(
        moves: &mut Writer<'_>,
        sliders: S,
        role: Role,
        from: Square,
        targets: Bitboard,
        enemy: Bitboard,
    ) {
        let take = |row: &[Move; 8], count| moves.push_row(row, count);
        sliders.rows(role, from, targets, enemy, take);
    }

    /// The sets by step become sets by pawn: each step is turned back to where it came from.
    #[inline(always)]
    fn pawns<C: Side>(moves: &mut Writer<'_>, targets: &PawnTargets) {
        let delta = |step: PawnStep| step.origin(C::COLOR, Square::D4) as i8 - Square::D4 as i8;
        let origins = PawnStep::ALL
            .into_iter()
            .fold(Bitboard::EMPTY, |set, step| {
                set | targets[step as usize].shifted(delta(step))
            });
        for from in origins {
            let own = PawnStep::ALL
                .into_iter()
                .fold(Bitboard::EMPTY, |set, step| {
                    set | (targets[step as usize] & Bitboard::from(from).shifted(-delta(step)))
                });
            attacks::pawn_row(C::COLOR, from, own, |row, count| moves.push_row(row, count));
        }
    }
}

/// The fastest of both: pieces by table, pawns, which come as four sets and not one by one, by bits.
pub(crate) struct Mixed;

impl Listing for Mixed {
    #[inline(always)]
    fn piece<S: Sliders>(
        moves: &mut Writer<'_>,
        sliders: S,
        role: Role,
        from: Square,
        targets: Bitboard,
        enemy: Bitboard,
    ) {
        ByTable::piece(moves, sliders, role, from, targets, enemy);
    }

    #[inline(always)]
    fn pawns<C: Side>(moves: &mut Writer<'_>, targets: &PawnTargets) {
        ByBits::pawns::<C>(moves, targets);
    }
}

/// Fills a list with the legal moves of either board.
pub(crate) struct Fill<'a, B, L> {
    board: &'a B,
    moves: &'a mut MoveList,
    listing: PhantomData<L>,
}

impl<'a, B: Walkable, L: Listing> Fill<'a, B, L> {
    #[inline(always)]
    pub(crate) fn new(board: &'a B, moves: &'a mut MoveList) -> Fill<'a, B, L> {
        Fill {
            board,
            moves,
            listing: PhantomData,
        }
    }

    #[inline(always)]
    fn fill<C: Side, S: Sliders>(self, sliders: S) {
        let mut lister = Lister::<C, S, L> {
            sliders,
            moves: self.moves.writer(),
            enemy: self.board.by_color(C::Other::COLOR),
            pawns: [Bitboard::EMPTY; 4],
            kind: PhantomData,
        };
        self.board.generate::<C, S, _>(sliders, &mut lister);
        let len = lister.moves.len();
        self.moves.set_len(len);
    }
}

impl<B: Walkable, L: Listing> Job for Fill<'_, B, L> {
    type Output = ();

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) {
        match self.board.turn() {
            Color::White => self.fill::<White, S>(sliders),
            Color::Black => self.fill::<Black, S>(sliders),
        }
    }
}

/// The visitor behind [`Fill`], the side to move known to the compiler.
struct Lister<'a, C, S, L> {
    sliders: S,
    moves: Writer<'a>,
    enemy: Bitboard,
    pawns: PawnTargets,
    kind: PhantomData<(C, L)>,
}

impl<C: Side, S: Sliders, L: Listing> MoveVisitor for Lister<'_, C, S, L> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        L::piece(
            &mut self.moves,
            self.sliders,
            role,
            from,
            targets,
            self.enemy,
        );
    }

    #[inline(always)]
    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        self.pawns[step as usize] = targets;
        if step == PawnStep::CaptureEast {
            L::pawns::<C>(&mut self.moves, &self.pawns);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, step: PawnStep, targets: Bitboard) {
        for to in targets {
            let from = step.origin(C::COLOR, to);
            for role in Role::PROMOTIONS {
                if let Some(kind) = MoveKind::promotion(role, step.is_capture()) {
                    self.moves.push(Move::new(from, to, kind));
                }
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.moves.push(Move::new(from, to, MoveKind::EnPassant));
    }

    #[inline(always)]
    fn castle(&mut self, side: CastlingSide, from: Square, to: Square) {
        self.moves.push(Move::new(from, to, MoveKind::castle(side)));
    }
}

/// The targets of every man, pawns and castling included.
pub(super) struct Groups {
    turn: Color,
    targets: [Bitboard; 64],
    movable: Bitboard,
}

impl Groups {
    pub(super) fn new(turn: Color) -> Groups {
        Groups {
            turn,
            targets: [Bitboard::EMPTY; 64],
            movable: Bitboard::EMPTY,
        }
    }

    fn add(&mut self, from: Square, targets: Bitboard) {
        if targets.any() {
            self.targets[from.index()] |= targets;
            self.movable.insert(from);
        }
    }

    pub(super) fn tell(&self, group: &mut impl FnMut(Square, Bitboard)) {
        for from in self.movable {
            group(from, self.targets[from.index()]);
        }
    }
}

impl MoveVisitor for Groups {
    fn piece(&mut self, _: Role, from: Square, targets: Bitboard) {
        self.add(from, targets);
    }

    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        for to in targets {
            self.add(step.origin(self.turn, to), to.into());
        }
    }

    fn promotions(&mut self, step: PawnStep, targets: Bitboard) {
        self.pawns(step, targets);
    }

    fn en_passant(&mut self, from: Square, to: Square) {
        self.add(from, to.into());
    }

    fn castle(&mut self, _: CastlingSide, from: Square, to: Square) {
        self.add(from, to.into());
    }
}
