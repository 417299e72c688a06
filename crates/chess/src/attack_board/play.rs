//! Playing moves.

use super::{AttackBoard, KINGS, PieceIndex, PieceMask, mask_of};
use crate::attacks::{self, Job, Sliders};
use crate::movegen::MoveVisitor;
use crate::perft::Walkable;
use crate::side::{Black, Side, White};
use crate::{Bitboard, CastlingSide, Color, Move, Role, Square};

impl AttackBoard {
    /// Plays a move that is known to be legal.
    ///
    /// Its legality is not checked. An illegal move gives a board that means nothing, but neither a panic
    /// nor undefined behaviour now or later.
    #[inline]
    pub fn play_unchecked(&mut self, m: Move) {
        attacks::dispatch(Play { board: self, m });
    }

    /// The rook with which `color` may still castle to `side`, whether it is possible now or not.
    #[must_use]
    #[inline(always)]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let rooks = self.castling & Bitboard(0xff << (56 * color as u8));
        let king = self.king_of(color);
        match side {
            CastlingSide::KingSide => rooks.last().filter(|&rook| rook > king),
            CastlingSide::QueenSide => rooks.first().filter(|&rook| rook < king),
        }
    }

    #[inline(always)]
    fn end_turn<C: Side>(&mut self) {
        self.turn = C::Other::COLOR;
        self.ep_square = None;
        self.fullmoves = self.fullmoves.saturating_add(C::COLOR as u16);
    }

    #[inline(always)]
    fn play_any<C: Side, S: Sliders>(&mut self, sliders: S, m: Move) {
        let (from, to) = (m.from(), m.to());
        let Some(index) = self.index_at(from).filter(|man| man.color() == C::COLOR) else {
            return self.end_turn::<C>();
        };
        if let Some(side) = m.castling_side() {
            if self.has_room_to_castle::<C>(side, index) {
                self.play_castling::<C, S>(sliders, side);
            } else {
                self.end_turn::<C>();
            }
            return;
        }
        if self.by_color(C::COLOR).contains(to) {
            return self.end_turn::<C>();
        }
        let is_quiet = !self.by_color(C::Other::COLOR).contains(to);
        match (self.man(index).role, m.flags()) {
            (Role::Pawn, 0) if is_quiet => self.play_push::<C, S>(sliders, from, to),
            (Role::Pawn, 1) if is_quiet => self.play_double_push::<C, S>(sliders, from, to),
            (Role::Pawn, 5) if is_quiet => self.play_en_passant::<C, S>(sliders, from, to),
            (Role::Pawn, flags @ 8..) => {
                let role = Role::PROMOTIONS[usize::from(flags & 3)];
                self.play_promotion::<C, S>(sliders, from, to, role);
            }
            (Role::Pawn, _) => self.play_pawn_capture::<C, S>(sliders, from, to),
            (Role::Knight, _) => self.play_piece::<C, S>(sliders, Role::Knight, from, to),
            (Role::Bishop, _) => self.play_piece::<C, S>(sliders, Role::Bishop, from, to),
            (Role::Rook, _) => self.play_piece::<C, S>(sliders, Role::Rook, from, to),
            (Role::Queen, _) => self.play_piece::<C, S>(sliders, Role::Queen, from, to),
            (Role::King, _) => self.play_piece::<C, S>(sliders, Role::King, from, to),
        }
    }

    /// Whether king and rook find their squares free; in a legal move they do.
    #[inline(always)]
    fn has_room_to_castle<C: Side>(&self, side: CastlingSide, man: PieceIndex) -> bool {
        let landing = Bitboard::from(side.king_to(C::COLOR)) | side.rook_to(C::COLOR).into();
        self.castling_rook(C::COLOR, side).is_some_and(|rook| {
            let both = Bitboard::from(rook) | self.king_of(C::COLOR).into();
            man == KINGS[C::COLOR.index()] && !(landing - both).intersects(self.occupied())
        })
    }
}

struct Play<'a> {
    board: &'a mut AttackBoard,
    m: Move,
}

impl Job for Play<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) {
        match self.board.turn {
            Color::White => self.board.play_any::<White, S>(sliders, self.m),
            Color::Black => self.board.play_any::<Black, S>(sliders, self.m),
        }
    }
}

impl Walkable for AttackBoard {
    #[inline(always)]
    fn turn(&self) -> Color {
        self.turn
    }

    #[inline(always)]
    fn by_color(&self, color: Color) -> Bitboard {
        self.by_color(color)
    }

    #[inline(always)]
    fn generate<C: Side, S: Sliders, V: MoveVisitor>(&self, sliders: S, visitor: &mut V) {
        super::generate::generate::<C, S, V>(self, sliders, visitor);
    }

    /// A man other than a pawn moves, and takes what stands in its way.
    #[inline(always)]
    fn play_piece<C: Side, S: Sliders>(
        &mut self,
        sliders: S,
        role: Role,
        from: Square,
        to: Square,
    ) {
        let taken = mask_of(self.squares[to.index()]);
        let home = if role == Role::King {
            C::BACK_RANK
        } else {
            Bitboard::EMPTY
        };
        self.end_turn::<C>();
        self.castling = self.castling - (home | from.into() | to.into());
        self.halfmoves = if taken.any() {
            0
        } else {
            self.halfmoves.saturating_add(1)
        };
        self.move_man::<C, S>(sliders, role, from, to, taken);
    }

    /// A pawn steps forward.
    #[inline(always)]
    fn play_push<C: Side, S: Sliders>(&mut self, sliders: S, from: Square, to: Square) {
        self.end_turn::<C>();
        self.halfmoves = 0;
        self.move_man::<C, S>(sliders, Role::Pawn, from, to, PieceMask::EMPTY);
    }

    /// A pawn makes its double step. Whether the square it passed is worth remembering, the table
    /// says: an enemy pawn attacks it.
    #[inline(always)]
    fn play_double_push<C: Side, S: Sliders>(&mut self, sliders: S, from: Square, to: Square) {
        self.play_push::<C, S>(sliders, from, to);
        let passed = Square::from_low_bits(to as u8 ^ 8);
        let pawns = self.by_role(Role::Pawn) & PieceMask::of(C::Other::COLOR);
        self.ep_square = self.attacks.at(passed).intersects(pawns).then_some(passed);
    }

    /// A pawn takes, and stays a pawn.
    #[inline(always)]
    fn play_pawn_capture<C: Side, S: Sliders>(&mut self, sliders: S, from: Square, to: Square) {
        let taken = mask_of(self.squares[to.index()]);
        self.end_turn::<C>();
        self.halfmoves = 0;
        self.move_man::<C, S>(sliders, Role::Pawn, from, to, taken);
    }

    /// A pawn reaches the last rank, with or without a capture.
    #[inline(always)]
    fn play_promotion<C: Side, S: Sliders>(
        &mut self,
        sliders: S,
        from: Square,
        to: Square,
        role: Role,
    ) {
        let taken = mask_of(self.squares[to.index()]);
        self.end_turn::<C>();
        self.halfmoves = 0;
        self.castling = self.castling - to.into();
        if let Some(pawn) = self.index_at(from) {
            self.promote(pawn, role);
        }
        self.move_man::<C, S>(sliders, role, from, to, taken);
    }

    /// A pawn takes in passing: the one capture where a square is left that nobody arrives on.
    #[inline(always)]
    fn play_en_passant<C: Side, S: Sliders>(&mut self, sliders: S, from: Square, to: Square) {
        let taken = self.index_at(Square::from_low_bits(to as u8 ^ 8));
        if let Some(taken) = taken.filter(|taken| taken.color() != C::COLOR) {
            self.remove(taken);
        }
        self.play_push::<C, S>(sliders, from, to);
    }

    /// King and rook castle. Both are lifted first: in Chess960 either may land where the other
    /// stood.
    #[inline(always)]
    fn play_castling<C: Side, S: Sliders>(&mut self, sliders: S, side: CastlingSide) {
        let king = KINGS[C::COLOR.index()];
        let (king_to, rook_to) = (side.king_to(C::COLOR), side.rook_to(C::COLOR));
        let rook = self.castling_rook(C::COLOR, side);
        if let Some(rook) = rook.and_then(|square| self.index_at(square)) {
            self.remove(rook);
            self.remove(king);
            self.add(sliders, king, Role::King, king_to);
            self.add(sliders, rook, Role::Rook, rook_to);
        }
        self.end_turn::<C>();
        self.halfmoves = self.halfmoves.saturating_add(1);
        self.castling = self.castling - C::BACK_RANK;
    }
}
