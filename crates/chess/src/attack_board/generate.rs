//! Legal moves by looking things up in the attack table.
//!
//! Checkers are the enemies in the king's entry. A king's step is safe if the square's entry has no
//! enemy. A castling king's way is safe in the same way. A pinned man is one whose entry has a
//! slider in line with the king. In check, the men that can help are those in the entries of the
//! few squares where help is possible; the others are not even looked at.

use super::direction::Direction;
use super::pins::Siege;
use super::{AttackBoard, PieceMask, pawns};
use crate::attacks::{self, Job, Sliders};
use crate::movegen::{Count, Fill, Mixed, MoveVisitor};
use crate::side::{Black, Side, White};
use crate::{Bitboard, CastlingSide, Color, IllegalMove, Move, MoveList, Role};

/// Tells the visitor every legal move of the side `C`, which is to move.
#[inline(always)]
pub(super) fn generate<C: Side, S: Sliders, V: MoveVisitor>(
    board: &AttackBoard,
    sliders: S,
    visitor: &mut V,
) {
    let siege = Siege::find::<C, S>(board, sliders);
    king::<C, S, V>(board, &siege, sliders, visitor);
    if siege.checkers.is_many() {
        return;
    }
    let open = siege.open::<C>(board);
    pawns::generate::<C, S, V>(board, &siege, open, sliders, visitor);
    let mut movers = PieceMask::of(C::COLOR);
    if siege.checkers.any() {
        let mut helpers = PieceMask::EMPTY;
        for square in open {
            helpers |= board.attacks.at(square);
        }
        // A pinned man cannot help: its line and the checker's line meet only in the king.
        movers &= helpers - siege.pinned;
    }
    pieces(board, &siege, movers, open, sliders, visitor);
}

/// Knights and sliders. `movers` may hold other men, too.
#[inline(always)]
fn pieces<S: Sliders, V: MoveVisitor>(
    board: &AttackBoard,
    siege: &Siege,
    movers: PieceMask,
    open: Bitboard,
    sliders: S,
    visitor: &mut V,
) {
    let occupied = board.occupied();
    // A pinned knight cannot move at all.
    for index in (movers - siege.pinned) & board.by_role(Role::Knight) {
        let from = board.man(index).square;
        visitor.piece(Role::Knight, from, attacks::knight(from) & open);
    }
    // A pinned slider stays on the line through its king: king and pinning man bound its reach.
    let limit = |index, from| {
        if siege.pinned.contains(index) {
            open & attacks::line(siege.king, from)
        } else {
            open
        }
    };
    for index in movers & board.by_role(Role::Bishop) {
        let from = board.man(index).square;
        let targets = sliders.bishop(from, occupied) & limit(index, from);
        visitor.piece(Role::Bishop, from, targets);
    }
    for index in movers & board.by_role(Role::Rook) {
        let from = board.man(index).square;
        let targets = sliders.rook(from, occupied) & limit(index, from);
        visitor.piece(Role::Rook, from, targets);
    }
    for index in movers & board.by_role(Role::Queen) {
        let from = board.man(index).square;
        let targets = sliders.queen(from, occupied) & limit(index, from);
        visitor.piece(Role::Queen, from, targets);
    }
}

/// The king's steps and castling.
#[inline(always)]
fn king<C: Side, S: Sliders, V: MoveVisitor>(
    board: &AttackBoard,
    siege: &Siege,
    sliders: S,
    visitor: &mut V,
) {
    let enemies = PieceMask::of(C::Other::COLOR);
    let mut steps = attacks::king(siege.king) - board.by_color(C::COLOR);
    // A king that steps back along the line of a check stays in it: the table does not show that,
    // because the king itself hides the square behind it.
    for checker in siege.checkers & board.sliders() {
        if let Some(direction) = Direction::between(board.man(checker).square, siege.king) {
            steps = steps - direction.ray(siege.king);
        }
    }
    let mut safe = Bitboard::EMPTY;
    for to in steps {
        let is_safe = !board.attacks.at(to).intersects(enemies);
        safe |= Bitboard(u64::from(is_safe) << to as u8);
    }
    visitor.piece(Role::King, siege.king, safe);
    if siege.checkers.is_empty() && (board.castling & C::BACK_RANK).any() {
        castle::<C, S, V>(board, siege, CastlingSide::KingSide, sliders, visitor);
        castle::<C, S, V>(board, siege, CastlingSide::QueenSide, sliders, visitor);
    }
}

#[inline(always)]
fn castle<C: Side, S: Sliders, V: MoveVisitor>(
    board: &AttackBoard,
    siege: &Siege,
    side: CastlingSide,
    sliders: S,
    visitor: &mut V,
) {
    let king = siege.king;
    let Some(rook) = board.castling_rook(C::COLOR, side) else {
        return;
    };
    let (king_to, rook_to) = (side.king_to(C::COLOR), side.rook_to(C::COLOR));
    let both = Bitboard::from(king) | rook.into();
    let king_way = attacks::between(king, king_to) | king_to.into();
    let rook_way = attacks::between(rook, rook_to) | rook_to.into();
    if ((king_way | rook_way) - both).intersects(board.occupied()) {
        return;
    }
    let enemies = PieceMask::of(C::Other::COLOR);
    // The king is not in check, so it hides no square of its way from a slider.
    if king_way
        .into_iter()
        .any(|square| board.attacks.at(square).intersects(enemies))
    {
        return;
    }
    // In Chess960 the rook may have shielded the king from a rook behind it on the back rank. From
    // a corner it cannot: there is nothing behind it.
    if !Bitboard::from(rook).intersects(Bitboard::FILE_A | Bitboard::FILE_H) {
        let after = (board.occupied() - both) | king_to.into() | rook_to.into();
        let rooks = (board.by_role(Role::Rook) | board.by_role(Role::Queen)) & enemies;
        let seen = sliders.rook(king_to, after) & C::BACK_RANK;
        if seen.intersects(board.squares_of(rooks)) {
            return;
        }
    }
    visitor.castle(side, king, king_to);
}

struct Visit<'a, V> {
    board: &'a AttackBoard,
    visitor: &'a mut V,
}

impl<V: MoveVisitor> Job for Visit<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) {
        match self.board.turn {
            Color::White => generate::<White, S, V>(self.board, sliders, self.visitor),
            Color::Black => generate::<Black, S, V>(self.board, sliders, self.visitor),
        }
    }
}

impl AttackBoard {
    /// Tells a visitor all legal moves as sets, without building a list.
    #[inline]
    pub fn visit_moves<V: MoveVisitor>(&self, visitor: &mut V) {
        attacks::dispatch(Visit {
            board: self,
            visitor,
        });
    }

    /// All legal moves, in the order in which they are found.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.legal_moves_into(&mut list);
        list
    }

    /// Fills a list with the legal moves; what was in it is forgotten.
    #[inline]
    pub fn legal_moves_into(&self, list: &mut MoveList) {
        attacks::dispatch(Fill::<_, Mixed>::new(self, list));
    }

    /// How many legal moves there are.
    #[must_use]
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        let mut count = Count::default();
        self.visit_moves(&mut count);
        count.moves
    }

    /// Whether the move is legal here.
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        self.legal_moves().contains(&m)
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// [`IllegalMove`] if it is not legal; the board is as before then.
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(m) {
            return Err(IllegalMove { found: m });
        }
        self.play_unchecked(m);
        Ok(())
    }
}
