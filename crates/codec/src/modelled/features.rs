//! The features of a position and of each legal move: numbers of weights, told to a visitor.
//!
//! **This is the format.** Which moves there are and in which order, the maps, the numbers: any
//! change makes other bytes of the same game. A change gets a new model number.

use core::hint::select_unpredictable;

use chess::attacks::{self, PawnWeighing, Sliders};
use chess::{
    Bitboard, CastlingSide, Color, Move, MoveKind, MoveVisitor, PawnStep, Position, Role, Square,
};

use super::attack_maps::{AttackMaps, EnemyAttacks, Tally};
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

/// A man and where its weights are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ManWeights {
    /// The square it leaves.
    pub from: Square,
    /// The squares where it would take something.
    pub enemy: Bitboard,
    /// Weights of the man itself, which all its steps share.
    pub own: [Option<usize>; 2],
    /// The first of the 32 weights of its leaving this square.
    pub leavings: usize,
}

impl ManWeights {
    /// The move to a square: [`Move::word`].
    #[must_use]
    pub fn word(&self, to: Square) -> u16 {
        with_capture(self.name(to), self.enemy)
    }

    /// The move to a square without saying whether it takes something: all that there is to tell
    /// it from others.
    #[inline(always)]
    pub(super) const fn name(&self, to: Square) -> u16 {
        (self.from as u16) << 6 | to as u16
    }
}

/// The word of a legal move that may lack the bit of captures.
#[inline(always)]
pub(super) fn with_capture(name: u16, enemy: Bitboard) -> u16 {
    let is_capture = (enemy.bits() >> (name & 63)) as u16 & 1;
    name | is_capture << 14
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

    /// A move of it.
    fn step(&mut self, to: Square, step: StepWeights);

    /// All moves of it: [`StepVisitor::step`] for each.
    #[inline(always)]
    fn targets<S: Sliders>(&mut self, sliders: S, targets: Targets<'_>) {
        let Targets {
            squares,
            aims,
            maps,
            us,
        } = targets;
        for to in squares {
            let aims = sliders.membership(aims, to.into()) as usize;
            self.step(to, weights_of_step(maps, us, to, aims << 8));
        }
    }

    /// All moves of pawns but promotions and en passant: [`StepVisitor::pawn_step`] for each.
    #[inline(always)]
    fn pawns<S: Sliders>(&mut self, sliders: S, pawns: PawnTargets<'_>) {
        // Written out, so that the compiler knows the step in each.
        let scene = pawns.scene;
        let [push, double, west, east] = pawns.squares;
        pawn_group(scene, push, PawnStep::Push, sliders, self);
        pawn_group(scene, double, PawnStep::DoublePush, sliders, self);
        pawn_group(scene, west, PawnStep::CaptureWest, sliders, self);
        pawn_group(scene, east, PawnStep::CaptureEast, sliders, self);
    }

    /// A move of a pawn, which is a man of its own.
    fn pawn_step(&mut self, word: u16, step: StepWeights, pawn: PawnWeights);

    /// Castling: only the rows know about it.
    fn castle(&mut self, word: u16, column: usize);
}

/// The squares that a man can go to, and what is to be known of them.
#[derive(Clone, Copy, Debug)]
pub struct Targets<'a> {
    pub(super) squares: Bitboard,
    /// The four bits of aims: [`Scene::aims`].
    pub(super) aims: [Bitboard; 4],
    pub(super) maps: &'a AttackMaps,
    pub(super) us: Color,
}

/// The squares that pawns can go to without a promotion, by their steps in the order of
/// [`PawnStep::ALL`].
#[derive(Clone, Copy, Debug)]
pub struct PawnTargets<'a> {
    pub(super) squares: [Bitboard; 4],
    scene: &'a Scene<'a>,
}

impl PawnTargets<'_> {
    /// How many moves there are.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.squares.iter().map(|set| set.len()).sum()
    }

    /// How to weigh them, but for the weights.
    #[inline(always)]
    pub(super) fn weighing<'a>(&'a self, weights: PawnTables<'a>) -> PawnWeighing<'a> {
        let Scene {
            maps, moved, us, ..
        } = *self.scene;
        PawnWeighing {
            squares: &maps.squares,
            aims: self.scene.aims(Role::Pawn),
            left: [maps.threatened, moved],
            free: maps.free_roads,
            us,
            columns: weights.columns,
            origins: weights.origins,
            landings: weights.landings,
            leavings: weights.leavings,
            roads: weights.roads,
        }
    }

    /// The first of the 64 weights of the squares that pawns leave.
    #[inline(always)]
    pub(super) fn origins(&self) -> usize {
        ORIGINS + self.scene.phase * COLUMNS
    }
}

/// The weights of pawns: see [`PawnWeighing`].
#[derive(Clone, Copy)]
pub(super) struct PawnTables<'a> {
    pub(super) columns: &'a [i16; 64],
    pub(super) origins: &'a [i16; 64],
    pub(super) landings: &'a [i16; 4096],
    pub(super) leavings: &'a [i16; 4096],
    pub(super) roads: &'a [i16; 512],
}

/// The weights of a step of which the aims are known: bits 8 to 11 of `aims`.
#[inline(always)]
fn weights_of_step(maps: &AttackMaps, us: Color, to: Square, aims: usize) -> StepWeights {
    let square = maps.at(to);
    StepWeights {
        column: to.index() ^ (56 * us.index()),
        landing: square | aims & 0xf00,
        leaving: square >> 3,
    }
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
    /// What the enemy attacks, if it is known before.
    attacked: Option<Bitboard>,
    /// Whether attacks were just told: then the man is not pinned, and comes in order.
    is_free: bool,
    /// The men whose attacks were told, and the sum of these.
    told: Bitboard,
    tally: Tally,
    king: Bitboard,
    castles: [bool; 2],
    pawns: [Bitboard; 4],
    promotions: [Bitboard; 4],
    en_passant: Bitboard,
    /// The men: each array on its own, since one of pairs has gaps, and takes a store for every part of
    /// every man to be made.
    roles: [Role; Sets::MEN],
    froms: [Square; Sets::MEN],
    targets: [Bitboard; Sets::MEN],
    len: usize,
}

impl Sets {
    /// Sixteen, less the king.
    const MEN: usize = 16;

    #[inline(always)]
    fn new(attacked: Option<Bitboard>) -> Sets {
        Sets {
            attacked,
            is_free: false,
            told: Bitboard::EMPTY,
            tally: Tally::default(),
            king: Bitboard::EMPTY,
            castles: [false; 2],
            pawns: [Bitboard::EMPTY; 4],
            promotions: [Bitboard::EMPTY; 4],
            en_passant: Bitboard::EMPTY,
            roles: [Role::Pawn; Sets::MEN],
            froms: [Square::A1; Sets::MEN],
            targets: [Bitboard::EMPTY; Sets::MEN],
            len: 0,
        }
    }

    /// The attacks of all knights, bishops, rooks and queens of the mover, summed: those of pinned
    /// men were not told.
    #[inline(always)]
    fn support<S: Sliders>(&self, position: &Position, sliders: S) -> Tally {
        let board = position.board();
        let occupied = board.occupied();
        let (knights, diagonal) = (board.by_role(Role::Knight), board.diagonal_sliders());
        let orthogonal = board.orthogonal_sliders();
        let men = board.by_color(position.turn()) & (knights | diagonal | orthogonal);
        let mut tally = self.tally;
        for from in men - self.told {
            if knights.contains(from) {
                tally.add(attacks::knight(from));
            }
            if diagonal.contains(from) {
                tally.add(sliders.bishop(from, occupied));
            }
            if orthogonal.contains(from) {
                tally.add(sliders.rook(from, occupied));
            }
        }
        tally
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
        let is_pinned = !core::mem::take(&mut self.is_free);
        let mut at = self.len.min(Sets::MEN - 1);
        #[allow(clippy::indexing_slicing)] // `at` goes down from below the length.
        {
            while is_pinned && at > 0 && (self.roles[at - 1], self.froms[at - 1]) > (role, from) {
                self.roles[at] = self.roles[at - 1];
                self.froms[at] = self.froms[at - 1];
                self.targets[at] = self.targets[at - 1];
                at -= 1;
            }
            self.roles[at] = role;
            self.froms[at] = from;
            self.targets[at] = targets;
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

    #[inline(always)]
    fn reach(&mut self, from: Square, reach: Bitboard) {
        self.is_free = true;
        self.told.insert(from);
        self.tally.add(reach);
    }

    #[inline(always)]
    fn attacked(&self) -> Option<Bitboard> {
        self.attacked
    }
}

/// What does not change from move to move.
#[derive(Debug)]
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
        let right = RIGHTS + (king << 5 | self.rights << 3 | from.index() & 7);
        // A branch is what nobody would foresee.
        select_unpredictable(matches!(role, Role::Rook | Role::King), Some(right), None)
    }

    #[inline(always)]
    fn role(&self, role: Role) -> RoleWeights {
        RoleWeights {
            columns: (role as usize) << 6,
            landings: LANDINGS + ((self.scene * 6 + role as usize) << 12),
        }
    }

    /// From where a role gives check, attacks something worth more, attacks something that nobody
    /// defends, takes back: the four bits of aims.
    #[inline(always)]
    fn aims(&self, role: Role) -> [Bitboard; 4] {
        let at = role as usize;
        #[allow(clippy::indexing_slicing)] // There are six roles.
        [
            self.maps.checks[at],
            self.maps.gains[at],
            self.maps.loose[at],
            self.retaken,
        ]
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
    let last = memory.enemy.map(|played| played.to);
    let by_enemy = EnemyAttacks::of(position, last, sliders);
    let mut sets = Sets::new(Some(by_enemy.all));
    position.visit_moves_with(sliders, &mut sets);
    let support = sets.support(position, sliders);
    let maps = AttackMaps::of(position, &by_enemy, support, sliders);
    visit_sets(position, memory, &maps, &sets, sliders, visitor);
}

/// [`visit_steps`] for a visitor that only wants the moves in their order: the weights it is told
/// mean nothing.
#[inline(always)]
pub(super) fn visit_order<S: Sliders, V: StepVisitor>(
    position: &Position,
    sliders: S,
    visitor: &mut V,
) {
    let mut sets = Sets::new(None);
    position.visit_moves_with(sliders, &mut sets);
    let maps = const { &AttackMaps::NONE };
    visit_sets(position, Memory::default(), maps, &sets, sliders, visitor);
}

#[inline(always)]
fn visit_sets<S: Sliders, V: StepVisitor>(
    position: &Position,
    memory: Memory,
    maps: &AttackMaps,
    sets: &Sets,
    sliders: S,
    visitor: &mut V,
) {
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
    king_steps(&scene, sets, sliders, visitor);
    pawn_steps(&scene, sets, sliders, visitor);
    // Not by value: the arrays would be copied.
    let men = sets.roles.iter().zip(&sets.froms).zip(&sets.targets);
    for ((&role, &from), &targets) in men.take(sets.len) {
        let man = Man {
            role,
            from,
            targets,
        };
        man_steps(&scene, man, sliders, visitor);
    }
}

#[inline(always)]
fn man_steps<S: Sliders, V: StepVisitor>(scene: &Scene<'_>, man: Man, sliders: S, visitor: &mut V) {
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
        from,
        enemy: scene.enemy,
        own: [Some(scene.origin(role, from)), scene.right(role, from)],
        leavings: scene.leaving_row(role, from),
    });
    visitor.targets(
        sliders,
        Targets {
            squares: targets,
            aims: scene.aims(role),
            maps: scene.maps,
            us: scene.us,
        },
    );
}

#[inline(always)]
fn king_steps<S: Sliders, V: StepVisitor>(
    scene: &Scene<'_>,
    sets: &Sets,
    sliders: S,
    visitor: &mut V,
) {
    let from = scene.position.king_of(scene.us);
    let man = Man {
        role: Role::King,
        from,
        targets: sets.king,
    };
    man_steps(scene, man, sliders, visitor);
    for side in CastlingSide::ALL {
        if sets.castles[side as usize & 1] {
            let m = Move::new(from, side.king_to(scene.us), MoveKind::castle(side));
            visitor.castle(m.word(), castling_column(side));
        }
    }
}

#[inline(always)]
fn pawn_steps<S: Sliders, V: StepVisitor>(
    scene: &Scene<'_>,
    sets: &Sets,
    sliders: S,
    visitor: &mut V,
) {
    visitor.role(scene.role(Role::Pawn));
    let squares = sets.pawns;
    visitor.pawns(sliders, PawnTargets { squares, scene });
    if sets.promotions.into_iter().any(Bitboard::any) {
        promotions(scene, sets, sliders, visitor);
    }
    if let Some(to) = scene.position.ep_square() {
        for from in sets.en_passant {
            let is_west = to.file() < from.file();
            let step = if is_west {
                PawnStep::CaptureWest
            } else {
                PawnStep::CaptureEast
            };
            let bits = PawnBits::of(scene, step, to.into(), sliders);
            let kind = MoveKind::EnPassant;
            pawn_step(scene, (from, to, kind), bits, None, visitor);
        }
    }
}

/// All pawns that make this step.
#[inline(always)]
fn pawn_group<S: Sliders, V: StepVisitor + ?Sized>(
    scene: &Scene<'_>,
    targets: Bitboard,
    step: PawnStep,
    sliders: S,
    visitor: &mut V,
) {
    let kind = match step {
        PawnStep::Push => MoveKind::Quiet,
        PawnStep::DoublePush => MoveKind::DoublePush,
        PawnStep::CaptureWest | PawnStep::CaptureEast => MoveKind::Capture,
    };
    if targets.is_empty() {
        return;
    }
    let mut bits = PawnBits::of(scene, step, targets, sliders);
    for to in targets {
        let from = step.origin(scene.us, to);
        pawn_step(scene, (from, to, kind), bits, None, visitor);
        bits.shift();
    }
}

#[inline(always)]
fn promotions<S: Sliders, V: StepVisitor>(
    scene: &Scene<'_>,
    sets: &Sets,
    sliders: S,
    visitor: &mut V,
) {
    for step in PawnStep::ALL {
        let targets = sets.promotions[step as usize & 3];
        let mut bits = PawnBits::of(scene, step, targets, sliders);
        for to in targets {
            for (i, role) in Role::PROMOTIONS.into_iter().enumerate() {
                if let Some(kind) = MoveKind::promotion(role, step.is_capture()) {
                    let from = step.origin(scene.us, to);
                    let promotion = PROMOTIONS + (usize::from(step.is_capture()) << 2 | i);
                    pawn_step(scene, (from, to, kind), bits, Some(promotion), visitor);
                }
            }
            bits.shift();
        }
    }
}

/// What is to be known of the steps of pawns to some squares, four bits each of them, the next
/// step's in the lowest.
#[derive(Clone, Copy)]
struct PawnBits {
    /// From bit 8 on.
    aims: u64,
    /// Attacked by the last mover, moved last time, on a free road.
    ways: u64,
}

impl PawnBits {
    #[inline(always)]
    fn of<S: Sliders>(
        scene: &Scene<'_>,
        step: PawnStep,
        targets: Bitboard,
        sliders: S,
    ) -> PawnBits {
        // Sets of squares that are left, moved to those where the pawn arrives.
        let back = step.origin(scene.us, Square::A1) as u32;
        let moved = |set: Bitboard| Bitboard::from_bits(set.bits().rotate_right(back));
        let ways = [
            moved(scene.maps.threatened),
            moved(scene.moved),
            scene.maps.free_roads,
            Bitboard::EMPTY,
        ];
        PawnBits {
            // Eight pawns at most.
            aims: sliders.membership(scene.aims(Role::Pawn), targets) << 8,
            ways: sliders.membership(ways, targets),
        }
    }

    #[inline(always)]
    fn shift(&mut self) {
        self.aims >>= 4;
        self.ways >>= 4;
    }
}

#[inline(always)]
fn pawn_step<V: StepVisitor + ?Sized>(
    scene: &Scene<'_>,
    (from, to, kind): (Square, Square, MoveKind),
    bits: PawnBits,
    promotion: Option<usize>,
    visitor: &mut V,
) {
    let step = weights_of_step(scene.maps, scene.us, to, bits.aims as usize);
    let ways = bits.ways as usize;
    let pawn = PawnWeights {
        origin: scene.origin(Role::Pawn, from),
        leavings: LEAVINGS + ((ways & 3) << 10 | (scene.maps.at(from) >> 3) << 5),
        road: ROADS + ((ways & 4) << 6 | (step.column >> 3) << 5 | step.leaving),
        promotion,
    };
    // `Move::word`, without a check that it is not 0: no pawn goes from a1 to a1.
    let word = (kind as u16) << 12 | (from as u16) << 6 | to as u16;
    visitor.pawn_step(word, step, pawn);
}
