//! The features of a position and of each legal move: numbers of weights, told to a visitor.
//!
//! **This is the format.** Which moves there are and in which order, the maps, the numbers: any
//! change makes other bytes of the same game. A change gets a new model number.

use chess::attacks::Sliders;
use chess::{
    Bitboard, CastlingSide, Color, Move, MoveKind, MoveVisitor, PawnStep, Position, Role, Square,
};

use super::attack_maps::AttackMaps;
use super::layout::{
    COLUMNS, LANDINGS, LEAVINGS, ORIGINS, PROMOTIONS, RIGHTS, ROADS, castling_column, column,
};

/// What is remembered of a move when the next ones are foretold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    column: u16,
    to: Square,
    is_capture: bool,
}

impl Played {
    /// The move, from the position before it.
    #[inline(always)]
    #[must_use]
    pub fn new(before: &Position, m: Move) -> Played {
        let column = match m.castling_side() {
            Some(side) => castling_column(side),
            None => {
                let role = before.board().role_at(m.from()).unwrap_or(Role::Pawn);
                column(role, seen_by(before.turn(), m.to()))
            }
        };
        #[allow(clippy::cast_possible_truncation)] // Below 384.
        Played {
            column: column as u16,
            to: m.to(),
            is_capture: m.is_capture(),
        }
    }
}

/// The last two moves, where there were any.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// The enemy's last move.
    pub enemy: Option<Played>,
    /// The mover's own move before that.
    pub own: Option<Played>,
}

impl Memory {
    /// What the other side remembers after a move.
    #[inline(always)]
    #[must_use]
    pub fn after(self, before: &Position, m: Move) -> Memory {
        Memory {
            enemy: Some(Played::new(before, m)),
            own: self.enemy,
        }
    }

    /// The number of the row of replies.
    #[inline(always)]
    #[must_use]
    pub fn reply_row(self) -> usize {
        // The column is as the enemy saw it; to us the board is the other way round.
        self.enemy
            .map_or(COLUMNS, |played| usize::from(played.column) ^ 56)
    }

    /// The number of the row of sequels.
    #[inline(always)]
    #[must_use]
    pub fn sequel_row(self) -> usize {
        self.own
            .map_or(COLUMNS, |played| usize::from(played.column))
    }
}

/// A square as a side sees it: with its own first rank at the bottom.
#[inline(always)]
#[must_use]
pub const fn seen_by(color: Color, square: Square) -> Square {
    Square::from_low_bits(square as u8 ^ (56 * color as u8))
}

/// The phase of the game, by the men that are left.
#[inline(always)]
#[must_use]
pub fn phase(position: &Position) -> usize {
    let men = position.board().occupied().len();
    usize::from(men < 29) + usize::from(men < 21) + usize::from(men < 12)
}

/// Takes the legal moves in the order of the format, as numbers of weights. The score of a move is
/// the sum of the weights of its column in every row of the position, of its man, and its own.
pub trait StepVisitor {
    /// The man that makes the steps told next: weights that they share.
    fn man(&mut self, weights: [Option<usize>; 2]);

    /// A legal move: its column, and weights of its own.
    fn step(&mut self, m: Move, column: usize, weights: [Option<usize>; 4]);
}

/// A man and the squares it can go to.
#[derive(Clone, Copy)]
struct Man {
    role: Role,
    from: Square,
    targets: Bitboard,
}

/// The legal moves as sets, in the order of the format.
struct Sets {
    king: Bitboard,
    castles: [bool; 2],
    pawns: [Bitboard; 4],
    promotions: [Bitboard; 4],
    en_passant: Bitboard,
    men: [Man; Sets::MEN],
    len: usize,
}

impl Sets {
    /// Sixteen, less the king.
    const MEN: usize = 16;

    #[inline(always)]
    fn new() -> Sets {
        let nobody = Man {
            role: Role::Pawn,
            from: Square::A1,
            targets: Bitboard::EMPTY,
        };
        Sets {
            king: Bitboard::EMPTY,
            castles: [false; 2],
            pawns: [Bitboard::EMPTY; 4],
            promotions: [Bitboard::EMPTY; 4],
            en_passant: Bitboard::EMPTY,
            men: [nobody; Sets::MEN],
            len: 0,
        }
    }
}

impl MoveVisitor for Sets {
    /// Men come by role and square, but for pinned ones, which come last: those are put where they
    /// belong.
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        if role == Role::King {
            self.king = targets;
            return;
        }
        let mut at = self.len.min(Sets::MEN - 1);
        #[allow(clippy::indexing_slicing)] // `at` goes down from below the length.
        {
            while at > 0 && (self.men[at - 1].role, self.men[at - 1].from) > (role, from) {
                self.men[at] = self.men[at - 1];
                at -= 1;
            }
            self.men[at] = Man {
                role,
                from,
                targets,
            };
        }
        self.len += 1;
    }

    #[inline(always)]
    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        self.pawns[step as usize & 3] = targets;
    }

    #[inline(always)]
    fn promotions(&mut self, step: PawnStep, targets: Bitboard) {
        self.promotions[step as usize & 3] = targets;
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, _: Square) {
        self.en_passant.insert(from);
    }

    #[inline(always)]
    fn castle(&mut self, side: CastlingSide, _: Square, _: Square) {
        self.castles[side as usize & 1] = true;
    }
}

/// What does not change from move to move.
struct Scene<'a> {
    position: &'a Position,
    maps: AttackMaps,
    us: Color,
    enemy: Bitboard,
    phase: usize,
    /// Early, late, or in check.
    scene: usize,
    /// Where a recapture would take place.
    retaken: Bitboard,
    /// What the enemy's last mover attacks from its new square.
    threatened: Bitboard,
    /// The man that moved last time, if it is still there.
    moved: Bitboard,
    rights: usize,
}

impl Scene<'_> {
    #[inline(always)]
    fn leaving_row(&self, role: Role, from: Square) -> usize {
        let is_moved = usize::from(self.moved.contains(from));
        let is_threatened = usize::from(self.threatened.contains(from));
        LEAVINGS
            + (((role as usize) << 2 | is_moved << 1 | is_threatened) << 10)
            + ((self.maps.at(from) >> 3) << 5)
    }

    #[inline(always)]
    fn origin(&self, role: Role, from: Square) -> usize {
        ORIGINS + self.phase * COLUMNS + column(role, seen_by(self.us, from))
    }

    /// King and rook by rights and file.
    #[inline(always)]
    fn right(&self, role: Role, from: Square) -> Option<usize> {
        let king = usize::from(role == Role::King);
        matches!(role, Role::Rook | Role::King)
            .then(|| RIGHTS + (king << 5 | self.rights << 3 | from.file().index()))
    }

    #[inline(always)]
    fn landing(&self, role: Role, to: Square) -> usize {
        let at = role as usize;
        let to_bit = |set: Bitboard| (set.bits() >> to as u8 & 1) as usize;
        #[allow(clippy::indexing_slicing)] // There are six roles.
        let aims = to_bit(self.maps.checks[at])
            | to_bit(self.maps.gains[at]) << 1
            | to_bit(self.maps.loose[at]) << 2
            | to_bit(self.retaken) << 3;
        LANDINGS + ((self.scene * 6 + at) << 12 | aims << 8 | self.maps.at(to))
    }
}

/// Tells the visitor every legal move with its features, in this order, which never changes:
///
/// 1. the king's steps; castling king side, queen side;
/// 2. pawns: single steps, double steps, captures towards the a-file, towards the h-file; the same
///    again for promotions, to knight, bishop, rook, queen on each square; en passant;
/// 3. knights, bishops, rooks, queens.
///
/// Within each, in ascending order of the first square, then the second (a1, b1, … h8); pawns by the
/// second.
#[inline(always)]
pub fn visit_steps<S: Sliders, V: StepVisitor>(
    position: &Position,
    memory: Memory,
    sliders: S,
    visitor: &mut V,
) {
    let mut sets = Sets::new();
    position.visit_moves_with(sliders, &mut sets);
    let maps = AttackMaps::of(position, sliders);
    let us = position.turn();
    let board = position.board();
    let phase = phase(position);
    let rights = (position.castling_rooks() & board.by_color(us)).bits();
    let king = position.king_of(us);
    let scene = Scene {
        position,
        us,
        enemy: board.by_color(!us),
        phase,
        scene: if maps.is_check { 2 } else { phase >> 1 },
        retaken: match memory.enemy {
            Some(played) if played.is_capture => played.to.into(),
            _ => Bitboard::EMPTY,
        },
        threatened: memory.enemy.map_or(Bitboard::EMPTY, |played| {
            attacks_from(position, played.to, sliders)
        }),
        moved: memory
            .own
            .map_or(Bitboard::EMPTY, |played| played.to.into()),
        rights: usize::from(rights & !Bitboard::before(king).bits() != 0) << 1
            | usize::from(rights & Bitboard::before(king).bits() != 0),
        maps,
    };
    king_steps(&scene, &sets, visitor);
    pawn_steps(&scene, &sets, visitor);
    #[allow(clippy::indexing_slicing)] // No more than sixteen.
    for man in &sets.men[..sets.len.min(Sets::MEN)] {
        man_steps(&scene, *man, visitor);
    }
}

/// What the man on a square attacks.
#[inline(always)]
fn attacks_from<S: Sliders>(position: &Position, square: Square, sliders: S) -> Bitboard {
    let board = position.board();
    let occupied = board.occupied();
    match board.role_at(square) {
        None => Bitboard::EMPTY,
        Some(Role::Pawn) => chess::attacks::pawn(!position.turn(), square),
        Some(Role::Knight) => chess::attacks::knight(square),
        Some(Role::Bishop) => sliders.bishop(square, occupied),
        Some(Role::Rook) => sliders.rook(square, occupied),
        Some(Role::Queen) => sliders.queen(square, occupied),
        Some(Role::King) => chess::attacks::king(square),
    }
}

#[inline(always)]
fn man_steps<V: StepVisitor>(scene: &Scene<'_>, man: Man, visitor: &mut V) {
    let Man {
        role,
        from,
        targets,
    } = man;
    let leaving = scene.leaving_row(role, from);
    visitor.man([Some(scene.origin(role, from)), scene.right(role, from)]);
    for to in targets {
        let kind = if scene.enemy.contains(to) {
            MoveKind::Capture
        } else {
            MoveKind::Quiet
        };
        let landing = scene.landing(role, to);
        let leaving = leaving + (scene.maps.at(to) >> 3);
        visitor.step(
            Move::new(from, to, kind),
            column(role, seen_by(scene.us, to)),
            [Some(landing), Some(leaving), None, None],
        );
    }
}

#[inline(always)]
fn king_steps<V: StepVisitor>(scene: &Scene<'_>, sets: &Sets, visitor: &mut V) {
    let from = scene.position.king_of(scene.us);
    let man = Man {
        role: Role::King,
        from,
        targets: sets.king,
    };
    man_steps(scene, man, visitor);
    visitor.man([None; 2]);
    for side in CastlingSide::ALL {
        if sets.castles[side as usize & 1] {
            let m = Move::new(from, side.king_to(scene.us), MoveKind::castle(side));
            visitor.step(m, castling_column(side), [None; 4]);
        }
    }
}

#[inline(always)]
fn pawn_steps<V: StepVisitor>(scene: &Scene<'_>, sets: &Sets, visitor: &mut V) {
    for step in PawnStep::ALL {
        for to in sets.pawns[step as usize & 3] {
            let from = step.origin(scene.us, to);
            let kind = match step {
                PawnStep::Push => MoveKind::Quiet,
                PawnStep::DoublePush => MoveKind::DoublePush,
                PawnStep::CaptureWest | PawnStep::CaptureEast => MoveKind::Capture,
            };
            pawn_step(scene, Move::new(from, to, kind), None, visitor);
        }
    }
    for step in PawnStep::ALL {
        for to in sets.promotions[step as usize & 3] {
            for (i, role) in Role::PROMOTIONS.into_iter().enumerate() {
                if let Some(kind) = MoveKind::promotion(role, step.is_capture()) {
                    let m = Move::new(step.origin(scene.us, to), to, kind);
                    let promotion = PROMOTIONS + (usize::from(step.is_capture()) << 2 | i);
                    pawn_step(scene, m, Some(promotion), visitor);
                }
            }
        }
    }
    if let Some(to) = scene.position.ep_square() {
        for from in sets.en_passant {
            let m = Move::new(from, to, MoveKind::EnPassant);
            pawn_step(scene, m, None, visitor);
        }
    }
}

#[inline(always)]
fn pawn_step<V: StepVisitor>(
    scene: &Scene<'_>,
    m: Move,
    promotion: Option<usize>,
    visitor: &mut V,
) {
    let (from, to) = (m.from(), m.to());
    let at_to = scene.maps.at(to) >> 3;
    let seen = seen_by(scene.us, to);
    let is_passed = usize::from(scene.maps.free_roads.contains(to));
    let landing = scene.landing(Role::Pawn, to);
    let leaving = scene.leaving_row(Role::Pawn, from) + at_to;
    let road = ROADS + (is_passed << 8 | seen.rank().index() << 5 | at_to);
    visitor.man([Some(scene.origin(Role::Pawn, from)), None]);
    let weights = [Some(landing), Some(leaving), Some(road), promotion];
    visitor.step(m, column(Role::Pawn, seen), weights);
}
