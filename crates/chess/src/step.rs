//! The usual move: a man goes to another square and takes what stands there.

use crate::{Move, MoveKind, Position, Role, Square, attacks};

/// A move that is no more than what it says: no castling, no promotion, not en passant. What decoders
/// know of 39 moves in 40, taken apart, so that whoever is told it need not ask the board again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// What moves.
    pub role: Role,
    /// The square it leaves.
    pub from: Square,
    /// The square it reaches.
    pub to: Square,
    /// Whether a man is taken there.
    pub takes: bool,
}

impl Step {
    /// The step that a move of a position is, if it is one.
    ///
    /// ```
    /// use scoresheet_chess::{Position, Role, Step};
    /// let e4 = Position::START.parse_san(b"e4").unwrap();
    /// let step = Step::of(&Position::START, e4).unwrap();
    /// assert_eq!((step.role, step.takes), (Role::Pawn, false));
    /// assert_eq!(step.to_move(), e4);
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn of(position: &Position, m: Move) -> Option<Step> {
        const PLAIN: u32 = 1 << MoveKind::Quiet as u8
            | 1 << MoveKind::DoublePush as u8
            | 1 << MoveKind::Capture as u8;
        if PLAIN >> m.flags() & 1 == 0 {
            return None;
        }
        Some(Step {
            role: position.board.role_at(m.from())?,
            from: m.from(),
            to: m.to(),
            takes: m.is_capture(),
        })
    }

    /// The move. That a pawn makes its double push is seen from the squares.
    #[must_use]
    #[inline(always)]
    pub fn to_move(self) -> Move {
        let is_pawn = self.role == Role::Pawn;
        let is_double = is_pawn & ((self.from as u8).abs_diff(self.to as u8) == 16);
        let flags = u16::from(self.takes) << 2 | u16::from(is_double);
        Move::from_nonzero(flags << 12 | (self.from as u16) << 6 | self.to as u16)
    }
}

impl Position {
    /// Whether a legal move gives check.
    ///
    /// ```
    /// # use scoresheet_chess::Position;
    /// let position: Position = "4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1".parse().unwrap();
    /// let gives_check = |san: &[u8]| position.gives_check(position.parse_san(san).unwrap());
    /// assert!(gives_check(b"Nf6") && gives_check(b"Nc5") && !gives_check(b"Rd1"));
    /// ```
    #[must_use]
    pub fn gives_check(mut self, m: Move) -> bool {
        if let Some(step) = Step::of(&self, m) {
            return self.step_gives_check(step);
        }
        self.play_unchecked(m);
        self.is_check()
    }

    /// Whether a legal step gives check. It is asked of the step and not of the position after it: the man
    /// that moves is all that can give check, but for those behind it, and there seldom is one.
    #[must_use]
    #[inline(always)]
    pub fn step_gives_check(&self, step: Step) -> bool {
        let board = &self.board;
        let own = board.by_any_color(self.turn);
        let king = (board.by_role(Role::King) - own).first_or_a1();
        let dangers = attacks::dangers(!self.turn, king);
        let occupied = board.occupied() - step.from.into();
        let is_free = !attacks::between(king, step.to).intersects(occupied);
        let sliders = (board.orthogonal_sliders() & dangers.from(Role::Rook))
            | (board.diagonal_sliders() & dangers.from(Role::Bishop));
        // One branch, and one that is easily foreseen: there seldom is a slider behind who leaves.
        let behind = sliders & own & attacks::beyond(king, step.from);
        if behind.any() {
            let occupied = occupied | step.to.into();
            let is_free = |slider| !attacks::between(king, slider).intersects(occupied);
            if behind.into_iter().any(is_free) {
                return true;
            }
        }
        dangers.from(step.role).contains(step.to) & is_free
    }
}
