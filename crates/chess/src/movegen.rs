//! Legal moves, straight away: no move is made to see whether it was legal.
//!
//! One pass from the king finds what gives check and what is pinned. Then the number of checkers
//! splits the work: two, and only the king moves; one, and every other man must take the checker
//! or step between; none, and all squares are open. Pinned men stay on the line of their pin.
//!
//! The generator does not make moves. It tells a [`MoveVisitor`] the sets it has found, with role
//! and direction known to the compiler; counting is a population count, listing is a loop over
//! bits, perft plays on from there.

mod king;
mod legality;
mod list;
mod pawns;
mod pieces;
mod pins;
mod ways;

use crate::attacks::{self, Job, Sliders};
use crate::side::Side;
use crate::{Bitboard, CastlingSide, MoveList, Position, Role, Square};

pub(crate) use list::{Count, Fill, Mixed};
pub use pawns::PawnStep;
pub(crate) use pins::Pins;

/// Takes the legal moves of a position as sets.
///
/// Every legal move is told exactly once, by one of the five methods.
pub trait MoveVisitor {
    /// The squares to which the man on `from` (not a pawn) can go; castling is told apart.
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard);

    /// The squares that pawns reach by this step, without those on the last rank. Told once for each
    /// step, in the order of [`PawnStep::ALL`], unless only the king can move.
    fn pawns(&mut self, step: PawnStep, targets: Bitboard);

    /// The squares on the last rank that pawns reach by this step, four moves each.
    fn promotions(&mut self, step: PawnStep, targets: Bitboard);

    /// A pawn takes in passing.
    fn en_passant(&mut self, from: Square, to: Square);

    /// The king castles and lands on `to`.
    fn castle(&mut self, side: CastlingSide, from: Square, to: Square);

    /// All squares that a knight, bishop, rook or queen attacks, told before its moves: for visitors
    /// that want attacks too. Not told of pinned men, nor of any where only the king can move.
    #[inline(always)]
    fn reach(&mut self, _from: Square, _reach: Bitboard) {}

    /// All squares that the enemy attacks, if the visitor has worked them out: then the generator
    /// need not, unless the king is in check.
    #[inline(always)]
    fn attacked(&self) -> Option<Bitboard> {
        None
    }
}

/// The sets that every part of the generator needs, for the side `C` to move.
pub(crate) struct Scene<'a> {
    pub(crate) position: &'a Position,
    pub(crate) own: Bitboard,
    pub(crate) enemy: Bitboard,
    pub(crate) occupied: Bitboard,
    pub(crate) king: Square,
}

impl<'a> Scene<'a> {
    #[inline(always)]
    pub(crate) fn new<C: Side>(position: &'a Position) -> Scene<'a> {
        let board = &position.board;
        let own = board.by_color(C::COLOR);
        Scene {
            position,
            own,
            enemy: board.by_color(C::Other::COLOR),
            occupied: board.occupied(),
            king: (board.by_role(Role::King) & own).first_or_a1(),
        }
    }
}

/// Tells the visitor every legal move of the side `C`, which is to move.
#[inline(always)]
pub(crate) fn generate<C: Side, S: Sliders, V: MoveVisitor>(
    position: &Position,
    sliders: S,
    visitor: &mut V,
) {
    let scene = Scene::new::<C>(position);
    let pins = Pins::find::<C, S>(&scene, sliders);
    king::generate::<C, S, V>(&scene, &pins, sliders, visitor);
    if pins.checkers.is_many() {
        return;
    }
    // In check, the others may only take the checker or step between.
    let open = if pins.checkers.is_empty() {
        !scene.own
    } else {
        pins.check_line
    };
    pawns::generate::<C, S, V>(&scene, &pins, open, sliders, visitor);
    pieces::generate(&scene, &pins, open, sliders, visitor);
}

/// [`generate`] for whoever is to move.
#[inline(always)]
pub(crate) fn generate_for_turn<S: Sliders, V: MoveVisitor>(
    position: &Position,
    sliders: S,
    visitor: &mut V,
) {
    match position.turn {
        crate::Color::White => generate::<crate::side::White, S, V>(position, sliders, visitor),
        crate::Color::Black => generate::<crate::side::Black, S, V>(position, sliders, visitor),
    }
}

struct Visit<'a, V> {
    position: &'a Position,
    visitor: &'a mut V,
}

impl<V: MoveVisitor> Job for Visit<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) {
        generate_for_turn(self.position, sliders, self.visitor);
    }
}

impl Position {
    /// Tells a visitor all legal moves as sets, without building one.
    #[inline]
    pub fn visit_moves<V: MoveVisitor>(&self, visitor: &mut V) {
        attacks::dispatch(Visit {
            position: self,
            visitor,
        });
    }

    /// [`Position::visit_moves`] with a look-up of sliders from outside: for a loop that runs inside
    /// [`attacks::dispatch`] already.
    #[inline(always)]
    pub fn visit_moves_with<S: Sliders, V: MoveVisitor>(&self, sliders: S, visitor: &mut V) {
        generate_for_turn(self, sliders, visitor);
    }

    /// Calls `group` for each man that can move, with the squares where it can go. A castling king
    /// goes to where it lands; a promotion counts as one square.
    ///
    /// ```
    /// # use scoresheet_chess::Position;
    /// let mut squares = 0;
    /// Position::START.visit_groups(|_from, targets| squares += targets.len());
    /// assert_eq!(squares, 20);
    /// ```
    pub fn visit_groups(&self, mut group: impl FnMut(Square, Bitboard)) {
        let mut groups = list::Groups::new(self.turn);
        self.visit_moves(&mut groups);
        groups.tell(&mut group);
    }

    /// All legal moves, in the order in which they are found.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.legal_moves_into(&mut list);
        list
    }

    /// Fills a list with the legal moves; what was in it is forgotten.
    ///
    /// Pieces are listed by stage three, pawns bit by bit: that is the fastest. The next two do it
    /// the one way or the other throughout; same moves, another order.
    #[inline]
    pub fn legal_moves_into(&self, list: &mut MoveList) {
        attacks::dispatch(Fill::<_, Mixed>::new(self, list));
    }

    /// [`Position::legal_moves_into`] without stage three: every set of targets is taken apart bit
    /// by bit.
    #[inline]
    pub fn legal_moves_by_bits_into(&self, list: &mut MoveList) {
        attacks::dispatch(Fill::<_, list::ByBits>::new(self, list));
    }

    /// [`Position::legal_moves_into`] by stage three alone: the moves of every man, pawns too, are
    /// ready rows of a table.
    #[inline]
    pub fn legal_moves_by_table_into(&self, list: &mut MoveList) {
        attacks::dispatch(Fill::<_, list::ByTable>::new(self, list));
    }

    /// How many legal moves there are.
    #[must_use]
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        let mut count = Count::default();
        self.visit_moves(&mut count);
        count.moves
    }

    /// Whether there is a legal move at all.
    ///
    /// ```
    /// # use scoresheet_chess::Position;
    /// let mate: Position = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap();
    /// assert!(mate.is_check() && !mate.has_legal_moves());
    /// ```
    #[must_use]
    pub fn has_legal_moves(&self) -> bool {
        // Most kings can step aside, even in check, and that is soon seen.
        let king = self.king_of(self.turn);
        let steps = attacks::king(king) - self.board.by_color(self.turn);
        let is_safe = |to| self.is_safe(Role::King, king, to);
        if steps.into_iter().any(is_safe) {
            return true;
        }
        let checkers = self.checkers();
        match checkers.first() {
            None => self.count_legal_moves() > 0,
            Some(checker) => !checkers.is_many() && self.can_stop(king, checker),
        }
    }

    /// Whether a man other than the king can take the only one that gives check, or step between.
    fn can_stop(&self, king: Square, checker: Square) -> bool {
        let mut squares = attacks::between(king, checker) | checker.into();
        // A pawn that is taken in passing does not stand where it is taken.
        squares |= self.ep_square.map_or(Bitboard::EMPTY, Bitboard::from);
        let (own, occupied) = (self.board.by_color(self.turn), self.board.occupied());
        let can_reach = |to: Square| {
            let pieces = (self.board.by_role(Role::Knight) & attacks::knight(to))
                | (self.board.orthogonal_sliders() & attacks::rook_rays(to))
                | (self.board.diagonal_sliders() & attacks::bishop_rays(to));
            // What a piece is does not matter any more, if it is no king.
            let is_free = |from| !attacks::between(from, to).intersects(occupied);
            let is_safe = |from| is_free(from) && self.is_safe(Role::Queen, from, to);
            let pawns = self.pawn_origins(own & self.board.by_role(Role::Pawn), to);
            (own & pieces).into_iter().any(is_safe)
                || pawns
                    .into_iter()
                    .any(|from| self.is_safe(Role::Pawn, from, to))
        };
        squares.into_iter().any(can_reach)
    }
}
