//! The features worked out slowly, square by square, from what the documentation says: the twin that
//! the sets and tables of `features.rs` are compared with.

use chess::attacks::{self, Job, Sliders, TwoStage};
use chess::{Color, Move, MoveKind, Piece, Position, Role, Square};
use testkit::{GameKind, random_game};

use super::features::{
    ManWeights, Memory, PawnWeights, RoleWeights, StepVisitor, StepWeights, phase, seen_by,
    visit_steps,
};
use super::layout::{
    COLUMNS, LANDINGS, LEAVINGS, ORIGINS, PROMOTIONS, RIGHTS, ROADS, castling_column, column,
};

/// A move with its column and its other weights.
type Told = (u16, usize, Vec<usize>);

#[derive(Default)]
struct Tell {
    told: Vec<Told>,
    role: RoleWeights,
    man: Option<ManWeights>,
}

impl StepVisitor for Tell {
    fn role(&mut self, role: RoleWeights) {
        self.role = role;
    }

    fn man(&mut self, man: ManWeights) {
        self.man = Some(man);
    }

    fn step(&mut self, to: Square, step: StepWeights) {
        let (role, man) = (self.role, self.man.unwrap());
        let mut weights: Vec<usize> = man.own.into_iter().flatten().collect();
        weights.extend([role.landings + step.landing, man.leavings + step.leaving]);
        let column = role.columns + step.column;
        self.told.push((man.word(to), column, weights));
    }

    fn pawn_step(&mut self, word: u16, step: StepWeights, pawn: PawnWeights) {
        let role = self.role;
        let mut weights = vec![
            pawn.origin,
            role.landings + step.landing,
            pawn.leavings + step.leaving,
            pawn.road,
        ];
        weights.extend(pawn.promotion);
        self.told.push((word, role.columns + step.column, weights));
    }

    fn castle(&mut self, word: u16, column: usize) {
        self.told.push((word, column, vec![]));
    }
}

/// What we knew before the last two moves: the moves themselves, and the boards before them.
#[derive(Clone, Copy, Default)]
struct Past {
    enemy: Option<Move>,
    own: Option<Move>,
}

fn square_bits(position: &Position, square: Square) -> usize {
    let us = position.turn();
    let man = match position.board().piece_at(square) {
        Some(Piece { color, role }) if color != us => match role {
            Role::Pawn => 1,
            Role::Rook => 2,
            Role::Bishop => 4,
            Role::Knight => 5,
            Role::Queen => 6,
            Role::King => 0,
        },
        _ => 0,
    };
    let attackers = position.attackers_to(square, !us).into_iter();
    let cheapest = attackers
        .map(|from| match position.board().role_at(from).unwrap() {
            Role::Pawn => 1,
            Role::Knight | Role::Bishop => 2,
            Role::Rook => 3,
            Role::Queen => 4,
            Role::King => 5,
        })
        .min()
        .unwrap_or(0);
    let supporters = position.attackers_to(square, us).len().min(3);
    man | cheapest << 3 | supporters << 6
}

/// What a man of ours would aim at from a square, on the board as it stands.
fn aims(position: &Position, role: Role, square: Square) -> usize {
    let us = position.turn();
    let board = position.board();
    let seen = attacks::of(role, us, square, board.occupied());
    let (mut checks, mut gains, mut loose) = (0, 0, 0);
    for target in seen & board.by_color(!us) {
        let taken = board.role_at(target).unwrap();
        if taken == Role::King {
            checks = usize::from(role != Role::King);
            continue;
        }
        if position.attackers_to(target, !us).is_empty() {
            loose = 1;
        }
        let is_gain = match role {
            Role::Pawn => taken != Role::Pawn,
            Role::Knight | Role::Bishop => matches!(taken, Role::Rook | Role::Queen),
            Role::Rook => taken == Role::Queen,
            Role::Queen | Role::King => false,
        };
        gains |= usize::from(is_gain);
    }
    checks | gains << 1 | loose << 2
}

fn is_free_road(position: &Position, square: Square) -> bool {
    let us = position.turn();
    let pawns = position.board().by_piece(Piece::new(!us, Role::Pawn));
    let ahead = |other: Square| match us {
        Color::White => other.rank() > square.rank(),
        Color::Black => other.rank() < square.rank(),
    };
    let near = |other: Square| other.file().index().abs_diff(square.file().index()) <= 1;
    !pawns.into_iter().any(|pawn| ahead(pawn) && near(pawn))
}

fn slow(position: &Position, past: Past, m: Move) -> (usize, Vec<usize>) {
    let us = position.turn();
    if let Some(side) = m.castling_side() {
        return (castling_column(side), vec![]);
    }
    let (from, to) = (m.from(), m.to());
    let role = position.board().role_at(from).unwrap();
    let mut weights = vec![ORIGINS + phase(position) * COLUMNS + column(role, seen_by(us, from))];
    if matches!(role, Role::Rook | Role::King) {
        let king = position.king_of(us);
        let rooks = position.castling_rooks() & position.board().by_color(us);
        let towards_h = usize::from(rooks.into_iter().any(|rook| rook > king));
        let towards_a = usize::from(rooks.into_iter().any(|rook| rook < king));
        let rights = towards_h << 1 | towards_a;
        let is_king = usize::from(role == Role::King);
        weights.push(RIGHTS + is_king * 32 + rights * 8 + from.file().index());
    }
    let scene = if position.is_check() {
        2
    } else {
        phase(position) / 2
    };
    let retakes = past
        .enemy
        .is_some_and(|last| last.is_capture() && last.to() == to);
    let aims = aims(position, role, to) | usize::from(retakes) << 3;
    let landing = ((scene * 6 + role.index()) * 16 + aims) * 256 + square_bits(position, to);
    let moved = usize::from(past.own.is_some_and(|own| own.to() == from));
    let threatened = usize::from(
        past.enemy
            .is_some_and(|last| position.attackers_to(from, !us).contains(last.to())),
    );
    let leaving =
        ((role.index() * 2 + moved) * 2 + threatened) * 32 + square_bits(position, from) / 8;
    let how = square_bits(position, to) / 8;
    weights.extend([LANDINGS + landing, LEAVINGS + leaving * 32 + how]);
    if role == Role::Pawn {
        let passed = usize::from(is_free_road(position, to));
        let rank = seen_by(us, to).rank().index();
        weights.push(ROADS + (passed * 8 + rank) * 32 + how);
        if let Some(role) = m.promotion() {
            weights.push(PROMOTIONS + usize::from(m.is_capture()) * 4 + role.index() - 1);
        }
    }
    (column(role, seen_by(us, to)), weights)
}

/// Through whatever look-up of sliders the CPU has.
struct Dispatched<'a>(&'a Position, Memory, &'a mut Tell);

impl Job for Dispatched<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) {
        visit_steps(self.0, self.1, sliders, self.2);
    }
}

#[test]
fn fast_features_are_the_slow_ones() {
    let mut kinds = [0; 16];
    for kind in GameKind::ALL {
        for seed in 0..15 {
            let game = random_game(kind, 70 + seed, 120);
            let mut memory = Memory::default();
            let mut past = Past::default();
            game.walk(|position, played| {
                let mut tell = Tell::default();
                visit_steps(position, memory, TwoStage, &mut tell);
                for (word, column, weights) in &tell.told {
                    let m = Move::from_word(*word).unwrap();
                    kinds[usize::from(m.flags())] += 1;
                    let slow = slow(position, past, m);
                    assert_eq!((*column, weights), (slow.0, &slow.1), "{m:?} in {position}");
                }
                assert_eq!(tell.told.len(), position.count_legal_moves());
                let mut same = Tell::default();
                attacks::dispatch_wide(Dispatched(position, memory, &mut same));
                assert_eq!(same.told, tell.told);
                let enemy = past.enemy.map_or(COLUMNS, |_| memory.reply_row());
                assert_eq!(memory.reply_row(), enemy);
                memory = memory.after(position, played);
                past = Past {
                    enemy: Some(played),
                    own: past.enemy,
                };
            });
        }
    }
    let missing = (0..16).filter(|&flags| kinds[flags] == 0 && !matches!(flags, 6 | 7));
    assert_eq!(
        missing.count(),
        0,
        "moves of every kind were compared: {kinds:?}"
    );
    assert_eq!(MoveKind::Quiet as usize, 0);
}
