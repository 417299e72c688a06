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

/// Where the weights of the men of a role are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RoleWeights {
    /// The first of its 64 columns.
    pub columns: usize,
    /// The first of the 4,096 weights of its landings.
    pub landings: usize,
}

/// Where the weights of a man are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ManWeights {
    /// Weights of the man itself, which all its steps share.
    pub own: [Option<usize>; 2],
    /// The first of the 32 weights of its leaving this square.
    pub leavings: usize,
}

/// Where the weights of a pawn and its step are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PawnWeights {
    /// Where it stands.
    pub origin: usize,
    /// The first of the 32 weights of its leaving this square.
    pub leavings: usize,
    /// What is ahead of it.
    pub road: usize,
    /// What it becomes.
    pub promotion: Option<usize>,
}

/// Where the weights of a step are, counted from those of its man.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepWeights {
    /// Of 64: the square as the mover sees it.
    pub column: usize,
    /// Of 4,096.
    pub landing: usize,
    /// Of 32.
    pub leaving: usize,
}

/// Takes the legal moves in the order of the format, as numbers of weights. The score of a move is
/// the sum of the weights of its column in every row of the position, of its man, and its own.
pub trait StepVisitor {
    /// The role of the men told next.
    fn role(&mut self, role: RoleWeights);

    /// The man that makes the steps told next.
    fn man(&mut self, man: ManWeights);

    /// Up to four moves of it: the first `count` of these.
    fn steps(&mut self, words: [u16; 4], steps: [StepWeights; 4], count: usize);

    /// A move of a pawn, which is a man of its own.
    fn pawn_step(&mut self, word: u16, step: StepWeights, pawn: PawnWeights);

    /// Castling: only the rows know about it.
    fn castle(&mut self, word: u16, column: usize);
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
    maps: &'a AttackMaps,
    us: Color,
    enemy: Bitboard,
    phase: usize,
    /// Early, late, or in check.
    scene: usize,
    /// Where a recapture would take place.
    retaken: Bitboard,
    /// The man that moved last time, if it is still there.
    moved: Bitboard,
    rights: usize,
}

impl Scene<'_> {
    #[inline(always)]
    fn leaving_row(&self, role: Role, from: Square) -> usize {
        let is_moved = usize::from(self.moved.contains(from));
        let is_threatened = usize::from(self.maps.threatened.contains(from));
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
    fn role(&self, role: Role) -> RoleWeights {
        RoleWeights {
            columns: (role as usize) << 6,
            landings: LANDINGS + ((self.scene * 6 + role as usize) << 12),
        }
    }

    /// The weights of a step, but for the sets that its role aims from.
    #[inline(always)]
    fn step(&self, to: Square, aims: Aims) -> StepWeights {
        let bit = |set: Bitboard, at: u8| ((set.bits() >> (to as u8)) as usize & 1) << at;
        let square = self.maps.at(to);
        StepWeights {
            column: seen_by(self.us, to).index(),
            landing: square
                | bit(aims.checks, 8)
                | bit(aims.gains, 9)
                | bit(aims.loose, 10)
                | bit(self.retaken, 11),
            leaving: square >> 3,
        }
    }

    #[inline(always)]
    fn aims(&self, role: Role) -> Aims {
        let at = role as usize;
        #[allow(clippy::indexing_slicing)] // There are six roles.
        Aims {
            checks: self.maps.checks[at],
            gains: self.maps.gains[at],
            loose: self.maps.loose[at],
        }
    }
}

/// From where a role gives check, attacks something worth more, something that nobody defends.
#[derive(Clone, Copy)]
struct Aims {
    checks: Bitboard,
    gains: Bitboard,
    loose: Bitboard,
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
    let maps = AttackMaps::of(position, memory.enemy.map(|played| played.to), sliders);
    visit_with(position, memory, &maps, sliders, visitor);
}

/// [`visit_steps`] for a visitor that only wants the moves in their order: the weights it is told
/// mean nothing.
#[inline(always)]
pub(super) fn visit_order<S: Sliders, V: StepVisitor>(
    position: &Position,
    sliders: S,
    visitor: &mut V,
) {
    visit_with(
        position,
        Memory::default(),
        const { &AttackMaps::NONE },
        sliders,
        visitor,
    );
}

#[inline(always)]
fn visit_with<S: Sliders, V: StepVisitor>(
    position: &Position,
    memory: Memory,
    maps: &AttackMaps,
    sliders: S,
    visitor: &mut V,
) {
    let mut sets = Sets::new();
    position.visit_moves_with(sliders, &mut sets);
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

/// Four at a time: a loop that runs once or twice is foreseen by the CPU, one that runs as often as a
/// man has moves is not.
#[inline(always)]
fn man_steps<V: StepVisitor>(scene: &Scene<'_>, man: Man, visitor: &mut V) {
    let Man {
        role,
        from,
        targets,
    } = man;
    if targets.is_empty() {
        return;
    }
    visitor.role(scene.role(role));
    visitor.man(ManWeights {
        own: [Some(scene.origin(role, from)), scene.right(role, from)],
        leavings: scene.leaving_row(role, from),
    });
    let aims = scene.aims(role);
    let enemy = scene.enemy.bits();
    let mut left = targets.bits();
    while left != 0 {
        let count = (left.count_ones() as usize).min(4);
        let targets = [(); 4].map(|()| {
            #[allow(clippy::cast_possible_truncation)] // 64 at most, and then it does not count.
            let to = Square::from_low_bits(left.trailing_zeros() as u8);
            left &= left.wrapping_sub(1);
            to
        });
        let word = |to: Square| {
            let is_capture = (enemy >> to as u8 & 1) as u16;
            is_capture << 14 | (from as u16) << 6 | to as u16
        };
        let steps = targets.map(|to| scene.step(to, aims));
        visitor.steps(targets.map(word), steps, count);
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
    for side in CastlingSide::ALL {
        if sets.castles[side as usize & 1] {
            let m = Move::new(from, side.king_to(scene.us), MoveKind::castle(side));
            visitor.castle(m.word(), castling_column(side));
        }
    }
}

#[inline(always)]
fn pawn_steps<V: StepVisitor>(scene: &Scene<'_>, sets: &Sets, visitor: &mut V) {
    let aims = scene.aims(Role::Pawn);
    visitor.role(scene.role(Role::Pawn));
    for step in PawnStep::ALL {
        for to in sets.pawns[step as usize & 3] {
            let from = step.origin(scene.us, to);
            let kind = match step {
                PawnStep::Push => MoveKind::Quiet,
                PawnStep::DoublePush => MoveKind::DoublePush,
                PawnStep::CaptureWest | PawnStep::CaptureEast => MoveKind::Capture,
            };
            pawn_step(scene, aims, Move::new(from, to, kind), None, visitor);
        }
    }
    if sets.promotions.into_iter().any(Bitboard::any) {
        promotions(scene, aims, sets, visitor);
    }
    if let Some(to) = scene.position.ep_square() {
        for from in sets.en_passant {
            let m = Move::new(from, to, MoveKind::EnPassant);
            pawn_step(scene, aims, m, None, visitor);
        }
    }
}

#[inline(never)]
fn promotions<V: StepVisitor>(scene: &Scene<'_>, aims: Aims, sets: &Sets, visitor: &mut V) {
    for step in PawnStep::ALL {
        for to in sets.promotions[step as usize & 3] {
            for (i, role) in Role::PROMOTIONS.into_iter().enumerate() {
                if let Some(kind) = MoveKind::promotion(role, step.is_capture()) {
                    let m = Move::new(step.origin(scene.us, to), to, kind);
                    let promotion = PROMOTIONS + (usize::from(step.is_capture()) << 2 | i);
                    pawn_step(scene, aims, m, Some(promotion), visitor);
                }
            }
        }
    }
}

#[inline(always)]
fn pawn_step<V: StepVisitor>(
    scene: &Scene<'_>,
    aims: Aims,
    m: Move,
    promotion: Option<usize>,
    visitor: &mut V,
) {
    let (from, to) = (m.from(), m.to());
    let step = scene.step(to, aims);
    let is_passed = usize::from(scene.maps.free_roads.contains(to));
    let pawn = PawnWeights {
        origin: scene.origin(Role::Pawn, from),
        leavings: scene.leaving_row(Role::Pawn, from),
        road: ROADS + (is_passed << 8 | (step.column >> 3) << 5 | step.leaving),
        promotion,
    };
    visitor.pawn_step(m.word(), step, pawn);
}
