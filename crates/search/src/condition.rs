//! What must be true at one moment of a game.

use chess::{Bitboard, Color, Move, MoveKind, Piece, Position, Rank, Role};

use crate::needs::Needs;
use crate::pattern::mirror;
use crate::{Event, Imbalance, Material, MovePattern, Pattern, QueryError};

/// Rules for one moment: a position and the move that is played in it. All of them must hold; of a
/// list, one is enough. A condition without rules holds always.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Condition {
    /// Boards, or parts of them.
    pub patterns: Vec<Pattern>,
    /// Where exactly all pawns stand.
    pub pawns: Vec<Pawns>,
    /// The men on the board.
    pub material: Vec<Material>,
    /// By which men the sides differ.
    pub imbalance: Vec<Imbalance>,
    /// Moves: of each list one.
    pub moves: Vec<Vec<MovePattern>>,
    /// What moves.
    pub moved: Option<Roles>,
    /// What is taken; nothing, if the set is empty.
    pub captured: Option<Roles>,
    /// Whose turn it is.
    pub turn: Option<Color>,
    /// What happens.
    pub events: Vec<Event>,
}

impl Condition {
    /// Whether the rules hold that change only when a man is taken or promoted.
    #[inline]
    pub(crate) fn material_holds(&self, position: &Position) -> bool {
        let board = position.board();
        let any_or_none = |is_empty: bool, any: bool| is_empty || any;
        any_or_none(
            self.material.is_empty(),
            self.material.iter().any(|material| material.matches(board)),
        ) && any_or_none(
            self.imbalance.is_empty(),
            self.imbalance
                .iter()
                .any(|imbalance| imbalance.matches(board)),
        )
    }

    pub(crate) fn has_material(&self) -> bool {
        !self.material.is_empty() || !self.imbalance.is_empty()
    }

    /// Whether the other rules hold.
    #[inline]
    pub(crate) fn rest_holds(&self, position: &Position, m: Option<Move>) -> bool {
        (self.patterns.is_empty()
            || self
                .patterns
                .iter()
                .any(|pattern| pattern.matches(position)))
            && self.turn.is_none_or(|turn| turn == position.turn())
            && (self.pawns.is_empty() || self.pawns.iter().any(|pawns| pawns.matches(position)))
            && self.move_holds(position, m)
            && (self.events.is_empty()
                || self.events.iter().any(|event| event.happens(position, m)))
    }

    #[inline]
    fn move_holds(&self, position: &Position, m: Option<Move>) -> bool {
        if self.moves.is_empty() && self.moved.is_none() && self.captured.is_none() {
            return true;
        }
        let Some(m) = m else { return false };
        let moved = position.board().role_at(m.from());
        let is_moved = |roles: Roles| moved.is_some_and(|role| roles.contains(role));
        self.moves
            .iter()
            .all(|any| any.iter().any(|pattern| pattern.matches(position, m)))
            && self.moved.is_none_or(is_moved)
            && self
                .captured
                .is_none_or(|roles| roles.has_taken(position, m))
    }

    /// Whether everything holds; for tests, and for those in no hurry.
    #[must_use]
    pub fn holds(&self, position: &Position, m: Option<Move>) -> bool {
        self.material_holds(position) && self.rest_holds(position, m)
    }

    /// The same with the files from right to left.
    pub(crate) fn mirrored(&self) -> Condition {
        Condition {
            patterns: self.patterns.iter().map(Pattern::mirrored).collect(),
            pawns: self.pawns.iter().map(Pawns::mirrored).collect(),
            moves: each(&self.moves, MovePattern::mirrored),
            ..self.clone()
        }
    }

    /// The same with the sides exchanged.
    pub(crate) fn flipped(&self) -> Condition {
        Condition {
            patterns: self.patterns.iter().map(Pattern::flipped).collect(),
            pawns: self.pawns.iter().map(Pawns::flipped).collect(),
            material: self.material.iter().map(Material::flipped).collect(),
            imbalance: self.imbalance.iter().map(Imbalance::flipped).collect(),
            moves: each(&self.moves, MovePattern::flipped),
            turn: self.turn.map(|turn| !turn),
            ..self.clone()
        }
    }

    pub(crate) fn needs(&self) -> Needs {
        let patterns = Needs::any(self.patterns.iter().map(Pattern::needs));
        let pawns = Needs::any(self.pawns.iter().map(Pawns::needs));
        let material = Needs::any(self.material.iter().map(Material::needs));
        patterns.and(pawns).and(material)
    }
}

fn each(
    moves: &[Vec<MovePattern>],
    turn: fn(&MovePattern) -> MovePattern,
) -> Vec<Vec<MovePattern>> {
    moves
        .iter()
        .map(|any| any.iter().map(turn).collect())
        .collect()
}

/// Where exactly the pawns of both sides stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pawns {
    white: Bitboard,
    black: Bitboard,
}

impl Pawns {
    /// Reads the first field of a FEN; men other than pawns do not matter.
    ///
    /// # Errors
    /// [`QueryError`] if it is none.
    pub fn parse(text: &str) -> Result<Pawns, QueryError> {
        let board: chess::Board = text.parse().map_err(|error: chess::FenSyntaxError| {
            QueryError::new("pawns", text, 0, format!("the board of a FEN ({error})"))
        })?;
        Ok(Pawns {
            white: board.by_piece(Piece::new(Color::White, Role::Pawn)),
            black: board.by_piece(Piece::new(Color::Black, Role::Pawn)),
        })
    }

    #[inline]
    fn matches(&self, position: &Position) -> bool {
        let pawns = position.board().by_role(Role::Pawn);
        pawns == self.white | self.black
            && pawns & position.board().by_color(Color::Black) == self.black
    }

    fn mirrored(&self) -> Pawns {
        let files = |pawns: Bitboard| pawns.iter().map(mirror).collect();
        Pawns {
            white: files(self.white),
            black: files(self.black),
        }
    }

    fn flipped(&self) -> Pawns {
        Pawns {
            white: self.black.flip_ranks(),
            black: self.white.flip_ranks(),
        }
    }

    fn needs(&self) -> Needs {
        let mut needs = Needs::NOTHING;
        for (color, pawns) in [(Color::White, self.white), (Color::Black, self.black)] {
            let home = Bitboard::from_rank(Rank::Second.seen_by(color));
            let side = needs.side_mut(color);
            side.home_pawns = pawns & home;
            side.least_pawns = pawns.len();
            side.most_pawns = pawns.len();
            needs.left_homes |= home - pawns;
        }
        needs
    }
}

/// A set of roles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Roles(u8);

impl Roles {
    /// Reads letters, `KQRBNP` in any case.
    ///
    /// # Errors
    /// [`QueryError`] with the place of a letter that is none.
    pub fn parse(part: &str, text: &str) -> Result<Roles, QueryError> {
        let mut roles = 0;
        for (at, c) in text.chars().enumerate() {
            let role = Role::from_char(c.to_ascii_uppercase());
            let fail = || QueryError::new(part, text, at, "letters of men: K, Q, R, B, N, P");
            roles |= 1 << role.ok_or_else(fail)?.index();
        }
        Ok(Roles(roles))
    }

    #[inline]
    fn contains(self, role: Role) -> bool {
        self.0 >> role.index() & 1 != 0
    }

    #[inline]
    fn has_taken(self, position: &Position, m: Move) -> bool {
        if !m.is_capture() {
            return self.0 == 0;
        }
        let taken = match m.kind() {
            MoveKind::EnPassant => Some(Role::Pawn),
            _ => position.board().role_at(m.to()),
        };
        taken.is_some_and(|role| self.contains(role))
    }
}
