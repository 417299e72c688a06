//! Questions about attacks: each is an entry of the table and a mask or two.

use super::{AttackBoard, PieceIndex, PieceMask};
use crate::{Color, Role, Square};

impl AttackBoard {
    /// The men of a colour that attack a square, whatever stands on it.
    #[must_use]
    #[inline(always)]
    pub fn attackers(&self, square: Square, by: Color) -> PieceMask {
        self.attacks.at(square) & PieceMask::of(by)
    }

    /// The men of both colours that attack a square.
    #[must_use]
    #[inline(always)]
    pub const fn all_attackers(&self, square: Square) -> PieceMask {
        self.attacks.at(square)
    }

    /// The attackers of all squares, a1 first: the table itself, nothing is computed or copied.
    ///
    /// ```
    /// use scoresheet_chess::AttackBoard;
    /// let board = AttackBoard::default();
    /// let attacked = board.attack_map().iter().filter(|men| men.any()).count();
    /// assert_eq!(attacked, 2 * 22); // The three ranks of each side, without the two corners.
    /// ```
    #[must_use]
    #[inline(always)]
    pub const fn attack_map(&self) -> &[PieceMask; 64] {
        self.attacks.masks()
    }

    /// The enemy men that give check to the side to move.
    #[must_use]
    #[inline]
    pub fn checkers(&self) -> PieceMask {
        self.attackers(self.king_of(self.turn), !self.turn)
    }

    /// Whether the side to move is in check.
    #[must_use]
    #[inline]
    pub fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// Whether the side to move is mated.
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && self.count_legal_moves() == 0
    }

    /// Whether an own man protects the man on a square. No man, no protection.
    #[must_use]
    #[inline]
    pub fn is_defended(&self, square: Square) -> bool {
        self.defender_count(square) > 0
    }

    /// How many enemies attack the man on a square; 0 if there is none.
    #[must_use]
    #[inline]
    pub fn attacker_count(&self, square: Square) -> usize {
        self.index_at(square)
            .map_or(0, |man| self.attackers(square, !man.color()).len())
    }

    /// How many own men protect the man on a square; 0 if there is none.
    #[must_use]
    #[inline]
    pub fn defender_count(&self, square: Square) -> usize {
        self.index_at(square)
            .map_or(0, |man| self.attackers(square, man.color()).len())
    }

    /// The attacker of a square that its side would send first, because it is worth least.
    #[must_use]
    #[inline]
    pub fn least_valuable_attacker(&self, square: Square, by: Color) -> Option<PieceIndex> {
        self.least_valuable(self.attackers(square, by))
            .map(|(index, _)| index)
    }

    /// The attackers of a square from the pawns to the king, by bit scan.
    ///
    /// ```
    /// use scoresheet_chess::{AttackBoard, Color, Role, Square};
    /// let board = AttackBoard::default();
    /// let roles: Vec<Role> = board
    ///     .attackers_by_value(Square::F3, Color::White)
    ///     .filter_map(|index| Some(board.piece(index)?.1.role))
    ///     .collect();
    /// assert_eq!(roles, [Role::Pawn, Role::Pawn, Role::Knight]);
    /// ```
    pub fn attackers_by_value(
        &self,
        square: Square,
        by: Color,
    ) -> impl Iterator<Item = PieceIndex> + '_ {
        let attackers = self.attackers(square, by);
        Role::ALL
            .into_iter()
            .flat_map(move |role| attackers & self.by_role(role))
    }

    /// The man of the set that is worth least, the lowest number among equals.
    #[inline(always)]
    pub(super) fn least_valuable(&self, men: PieceMask) -> Option<(PieceIndex, Role)> {
        Role::ALL
            .into_iter()
            .find_map(|role| Some(((men & self.by_role(role)).first()?, role)))
    }
}
