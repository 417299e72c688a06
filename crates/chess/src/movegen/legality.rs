//! One move at a time: is it legal, and which men of a role can reach a square.

use super::king;
use super::pawns::en_passant_is_legal;
use super::{PawnStep, Pins, Scene, ways};
use crate::attacks::{self, Sliders, TwoStage};
use crate::board::{STEP, code_of};
use crate::side::Side;
use crate::{Bitboard, CastlingSide, Color, Move, MoveKind, Piece, Position, Rank, Role, Square};

impl Position {
    /// Whether the move is legal here: the very word, flags included, that
    /// [`Position::legal_moves`] would list.
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        self.is_legal_with(TwoStage, m)
    }

    /// [`Position::is_legal`] for a loop over many moves, inside a
    /// [`Job`](crate::attacks::Job).
    ///
    /// There is one branch, on castling: moves are legal as a rule, so nobody waits for the answer,
    /// and what it costs is the instructions and the branches that go wrong. Asking what kind of
    /// man moves, and whether anything is in line with the king, would be two of those.
    #[must_use]
    #[inline(always)]
    pub fn is_legal_with<S: Sliders>(&self, sliders: S, m: Move) -> bool {
        if m.castling_side().is_some() {
            return self.is_legal_castling(m);
        }
        let (from, to) = (m.from(), m.to());
        let board = &self.board;
        let (own, enemy) = (board.by_color(self.turn), board.by_color(!self.turn));
        let mover = board.code_at(from) >> STEP;
        let is_pawn = mover == code_of(Piece::new(Color::White, Role::Pawn)) >> STEP;
        let apart = from as u8 ^ to as u8;
        let takes_in_passing = is_pawn & (self.ep_square == Some(to)) & (apart & 7 != 0);
        let takes = enemy.contains(to) | takes_in_passing;

        let way = ways::of(self.turn, mover, is_pawn & takes, from);
        let is_way = own.contains(from)
            & way.contains(to)
            & !own.contains(to)
            & !attacks::between(from, to).intersects(board.occupied());

        // Promotions may be to any of four; all other flags follow from the board.
        let is_last = is_pawn & self.promotes_at(to);
        let is_double = is_pawn & (apart == 16);
        let flags =
            u8::from(is_last) << 3 | u8::from(takes) << 2 | u8::from(is_double | takes_in_passing);
        let free_flags = u8::from(is_last) * 3;
        let are_flags = (m.flags() ^ flags) & !free_flags == 0;

        is_way & are_flags & self.keeps_king_safe_with(sliders, m)
    }

    /// Whether the king is out of check after a move that is legal in every other way, or that is
    /// castling and legal in every way: [`Position::is_legal_with`] for decoders that can give no
    /// other moves.
    #[must_use]
    #[inline(always)]
    pub fn keeps_king_safe_with<S: Sliders>(&self, sliders: S, m: Move) -> bool {
        if m.castling_side().is_some() {
            return self.is_legal_castling(m);
        }
        let (from, to) = (m.from(), m.to());
        let board = &self.board;
        let enemy = board.by_color(!self.turn);
        let behind = u64::from(m.flags() == MoveKind::EnPassant as u8) << (to as u8 ^ 8);
        let after = (board.occupied() - Bitboard(behind) - from.into()) | to.into();
        let king = self.king_of(self.turn);
        let king = if from == king { to } else { king };
        let attackers = (sliders.rook(king, after) & board.orthogonal_sliders())
            | (sliders.bishop(king, after) & board.diagonal_sliders())
            | (attacks::knight(king) & board.by_role(Role::Knight))
            | (attacks::pawn(self.turn, king) & board.by_role(Role::Pawn))
            | (attacks::king(king) & board.by_role(Role::King));
        !attackers.intersects(enemy - Bitboard(behind) - to.into())
    }

    /// By value, as [`Position::after_special`].
    #[cold]
    fn is_legal_castling(self, m: Move) -> bool {
        m.castling_side().is_some_and(|side| {
            m.from() == self.king_of(self.turn)
                && m.to() == side.king_to(self.turn)
                && self.can_castle(side)
        })
    }

    /// The men of a role, of the side to move, that can legally go to a square. Castling is not
    /// among the king's moves here. This is what reading and writing SAN needs: no list of moves is
    /// made.
    ///
    /// ```
    /// use scoresheet_chess::{Position, Role, Square};
    /// let origins = Position::START.legal_origins(Role::Knight, Square::F3);
    /// assert_eq!(origins, Square::G1.into());
    /// ```
    #[must_use]
    pub fn legal_origins(&self, role: Role, to: Square) -> Bitboard {
        self.pseudo_origins(role, to)
            .into_iter()
            .filter(|&from| self.is_safe(role, from, to))
            .collect()
    }

    /// The men of a role that can go to a square if the king is left out of account.
    #[inline(always)]
    pub(crate) fn pseudo_origins(&self, role: Role, to: Square) -> Bitboard {
        let board = &self.board;
        let own = board.by_color(self.turn);
        if own.contains(to) {
            return Bitboard::EMPTY;
        }
        // The sets of men are looked up in the arms: one jump decides both, and none is left where
        // the role is a constant.
        match role {
            Role::Pawn => self.pawn_origins(own & board.by_role(Role::Pawn), to),
            Role::Knight => own & board.by_role(Role::Knight) & attacks::knight(to),
            Role::Bishop => {
                own & board.by_role(Role::Bishop) & attacks::bishop(to, board.occupied())
            }
            Role::Rook => own & board.by_role(Role::Rook) & attacks::rook(to, board.occupied()),
            Role::Queen => own & board.by_role(Role::Queen) & attacks::queen(to, board.occupied()),
            Role::King => own & board.by_role(Role::King) & attacks::king(to),
        }
    }

    #[inline(always)]
    pub(super) fn pawn_origins(&self, pawns: Bitboard, to: Square) -> Bitboard {
        let occupied = self.board.occupied();
        if occupied.contains(to) || self.ep_square == Some(to) {
            return pawns & attacks::pawn(!self.turn, to);
        }
        let one = Bitboard::from(PawnStep::Push.origin(self.turn, to));
        let first_rank = Bitboard::from_rank(Rank::First.seen_by(self.turn));
        if Bitboard::from(to).intersects(first_rank) {
            return Bitboard::EMPTY;
        }
        if (pawns & one).any() {
            return one;
        }
        let double = to.rank() == Rank::Fourth.seen_by(self.turn) && !occupied.intersects(one);
        if double {
            pawns & Bitboard::from(PawnStep::DoublePush.origin(self.turn, to))
        } else {
            Bitboard::EMPTY
        }
    }

    /// Whether a pawn that arrives at this square is promoted.
    #[inline(always)]
    pub(crate) fn promotes_at(&self, to: Square) -> bool {
        Bitboard::BACK_RANKS.contains(to)
    }

    /// The kind of a move whose origin came from [`Position::pseudo_origins`].
    #[inline(always)]
    pub(crate) fn kind_of(
        &self,
        role: Role,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> MoveKind {
        let is_capture = self.board.occupied().contains(to);
        if role == Role::Pawn {
            if let Some(kind) = promotion.and_then(|role| MoveKind::promotion(role, is_capture)) {
                return kind;
            }
            if self.ep_square == Some(to) && from.file() != to.file() {
                return MoveKind::EnPassant;
            }
            if (from as u8).abs_diff(to as u8) == 16 {
                return MoveKind::DoublePush;
            }
        }
        if is_capture {
            MoveKind::Capture
        } else {
            MoveKind::Quiet
        }
    }

    /// Whether the king is out of check after a man has gone from `from` to `to`: the board is
    /// looked at as it will be.
    #[inline(always)]
    pub(crate) fn is_safe(&self, role: Role, from: Square, to: Square) -> bool {
        let board = &self.board;
        let mut taken = Bitboard::from(to);
        if role == Role::Pawn && self.ep_square == Some(to) && from.file() != to.file() {
            taken |= Bitboard(1 << (to as u8 ^ 8));
        }
        let enemy = board.by_any_color(!self.turn) - taken;
        let after = (board.occupied() - taken - from.into()) | to.into();
        let king = if role == Role::King {
            to
        } else {
            self.king_of(self.turn)
        };
        self.is_king_safe(king, enemy, after)
    }

    /// Whether a king of the side to move is out of check on a square, with these enemies left and
    /// these squares occupied.
    #[inline(always)]
    pub(crate) fn is_king_safe(&self, king: Square, enemy: Bitboard, after: Bitboard) -> bool {
        let board = &self.board;
        // The other king can be in reach only if it is the king that moves, but to ask would be a
        // branch that often goes wrong.
        let dangers = attacks::dangers(self.turn, king);
        let leapers = (dangers.from(Role::Knight) & board.by_role(Role::Knight))
            | (dangers.from(Role::Pawn) & board.by_role(Role::Pawn))
            | (dangers.from(Role::King) & board.by_role(Role::King));
        let rooks = enemy & board.orthogonal_sliders() & dangers.from(Role::Rook);
        let bishops = enemy & board.diagonal_sliders() & dangers.from(Role::Bishop);
        let leapers = leapers & enemy;
        // One test for all: most of the time nobody is even in line with the king.
        if (leapers | rooks | bishops).is_empty() {
            return true;
        }
        // Else it is one, seldom two: to look what stands between costs less than to look up how far
        // the king sees.
        leapers.is_empty()
            && (rooks | bishops)
                .into_iter()
                .all(|slider| attacks::between(king, slider).intersects(after))
    }

    /// Whether the side to move may castle to this side now.
    #[must_use]
    pub fn can_castle(&self, side: CastlingSide) -> bool {
        fn ask<C: Side>(position: &Position, side: CastlingSide) -> bool {
            king::may_castle::<C>(&Scene::new::<C>(position), side)
        }

        match self.turn {
            Color::White => ask::<crate::side::White>(self, side),
            Color::Black => ask::<crate::side::Black>(self, side),
        }
    }

    /// The en-passant square, if a pawn may legally take there.
    #[must_use]
    pub fn legal_ep_square(&self) -> Option<Square> {
        fn is_legal<C: Side>(position: &Position, ep: Square) -> bool {
            let scene = Scene::new::<C>(position);
            let pins = Pins::find::<C, TwoStage>(&scene, TwoStage);
            let pawns = scene.own & position.board.by_role(Role::Pawn);
            (attacks::pawn(C::Other::COLOR, ep) & pawns)
                .into_iter()
                .any(|from| en_passant_is_legal::<C, TwoStage>(&scene, &pins, from, ep, TwoStage))
        }

        self.ep_square.filter(|&ep| match self.turn {
            Color::White => is_legal::<crate::side::White>(self, ep),
            Color::Black => is_legal::<crate::side::Black>(self, ep),
        })
    }
}
