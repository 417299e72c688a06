//! Who attacks what, and what could be attacked from where: the sets that the features ask.

use core::hint::select_unpredictable;

use chess::attacks::{self, Sliders};
use chess::{Bitboard, Color, Position, Role, Square};

/// One byte a square: what stands there to be taken, how the enemy attacks it, how we support it.
///
/// | bits | what |
/// |---|---|
/// | 0–2 | the enemy's man: 1 pawn, 2 rook, 4 bishop, 5 knight, 6 queen; 0 none |
/// | 3–5 | the cheapest enemy that attacks it: 1 pawn, 2 knight or bishop, 3 rook, 4 queen, 5 king; 0 none |
/// | 6–7 | how many of our men attack it: 0, 1, 2, 3 or more |
type SquareBits = [u8; 64];

/// What the features need to know of a position, squares as on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttackMaps {
    pub(super) squares: SquareBits,
    /// By role: from where it would check the king, attack something worth more, attack something
    /// that nobody defends.
    pub(super) checks: [Bitboard; 6],
    pub(super) gains: [Bitboard; 6],
    pub(super) loose: [Bitboard; 6],
    pub(super) is_check: bool,
    /// What the enemy's last mover attacks from its new square.
    pub(super) threatened: Bitboard,
    /// Squares that no enemy pawn can cross or attack on a pawn's way ahead.
    pub(super) free_roads: Bitboard,
}

/// The squares that pawns of a colour attack.
#[inline(always)]
fn pawn_attacks(pawns: Bitboard, color: Color) -> [Bitboard; 2] {
    const NOT_A: u64 = !0x0101_0101_0101_0101;
    const NOT_H: u64 = !0x8080_8080_8080_8080;
    let (west, east) = (pawns.bits() & NOT_A, pawns.bits() & NOT_H);
    match color {
        Color::White => [west << 7, east << 9],
        Color::Black => [west >> 9, east >> 7],
    }
    .map(Bitboard::from_bits)
}

/// A sum of sets, square by square, that stops at three: how many men attack each square.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    one: Bitboard,
    two: Bitboard,
    three: Bitboard,
}

impl Tally {
    #[inline(always)]
    pub(super) fn add(&mut self, set: Bitboard) {
        self.three |= self.two & set;
        self.two |= self.one & set;
        self.one |= set;
    }
}

/// Attacks of the man on a square, if it is one of a set; else none.
#[inline(always)]
fn if_in(set: Bitboard, square: Square, attacks: Bitboard) -> Bitboard {
    select_unpredictable(set.contains(square), attacks, Bitboard::EMPTY)
}

/// What the enemy attacks, by the class of the attacker.
#[derive(Clone, Copy, Debug)]
pub(super) struct EnemyAttacks {
    by_pawn: Bitboard,
    by_minor: Bitboard,
    by_rook: Bitboard,
    by_queen: Bitboard,
    by_king: Bitboard,
    /// By anybody.
    pub(super) all: Bitboard,
    /// By the last mover from its new square.
    threatened: Bitboard,
    /// From where a knight, a bishop, a rook would attack something worth more: their rooks and
    /// queens are looked out from here anyway.
    gains: [Bitboard; 3],
    /// From where a rook would attack their king.
    check_by_rook: Bitboard,
}

impl EnemyAttacks {
    #[inline(always)]
    pub(super) fn of<S: Sliders>(
        position: &Position,
        last: Option<Square>,
        sliders: S,
    ) -> EnemyAttacks {
        let board = position.board();
        let us = position.turn();
        let occupied = board.occupied();
        let enemy = board.by_color(!us);
        let role = |role| enemy & board.by_role(role);
        let king = position.king_of(!us);

        let pawns = role(Role::Pawn);
        let [knights, bishops] = [role(Role::Knight), role(Role::Bishop)];
        let [rooks, queens] = [role(Role::Rook), role(Role::Queen)];
        // Whole sets at once: how many men there are is what nobody foresees.
        let [west, east] = pawn_attacks(pawns, !us);
        let by_pawn = west | east;
        let [by_rook, by_bishop] = sliders.rays(rooks, bishops, occupied);
        let [orthogonal, diagonal] = sliders.rays(queens, queens, occupied);
        let [check_by_rook, from_rooks] = sliders.rays(king.into(), rooks, occupied);
        let by_minor = attacks::knights(knights) | by_bishop;
        let by_queen = orthogonal | diagonal;
        let by_king = attacks::king(king);
        let mut threatened = Bitboard::EMPTY;
        if let Some(last) = last {
            // Which role has moved is not foreseen either.
            threatened = if_in(pawns, last, attacks::pawn(!us, last))
                | if_in(knights, last, attacks::knight(last))
                | if_in(bishops | queens, last, sliders.bishop(last, occupied))
                | if_in(rooks | queens, last, sliders.rook(last, occupied))
                | if_in(king.into(), last, by_king);
        }
        EnemyAttacks {
            by_pawn,
            by_minor,
            by_rook,
            by_queen,
            by_king,
            all: by_pawn | by_minor | by_rook | by_queen | by_king,
            threatened,
            gains: [
                attacks::knights(rooks | queens),
                from_rooks | diagonal,
                orthogonal,
            ],
            check_by_rook,
        }
    }
}

impl AttackMaps {
    /// For those who do not ask.
    pub(super) const NONE: AttackMaps = AttackMaps {
        squares: [0; 64],
        checks: [Bitboard::EMPTY; 6],
        gains: [Bitboard::EMPTY; 6],
        loose: [Bitboard::EMPTY; 6],
        is_check: false,
        threatened: Bitboard::EMPTY,
        free_roads: Bitboard::EMPTY,
    };

    /// `men` is the sum of the attacks of our knights, bishops, rooks and queens.
    #[inline(always)]
    pub(super) fn of<S: Sliders>(
        position: &Position,
        by_enemy: &EnemyAttacks,
        men: Tally,
        sliders: S,
    ) -> AttackMaps {
        let board = position.board();
        let us = position.turn();
        let occupied = board.occupied();
        let (own, enemy) = (board.by_color(us), board.by_color(!us));
        let role = |role| board.by_role(role);
        let king = position.king_of(us);
        let their_king = position.king_of(!us);
        let their_pawns = enemy & role(Role::Pawn);

        let mut tally = men;
        let [west, east] = pawn_attacks(own & role(Role::Pawn), us);
        tally.add(west);
        tally.add(east);
        tally.add(attacks::king(king));

        // The cheapest attacker of a square is the one that counts.
        let mut dearer = by_enemy.by_pawn;
        let [minor, rook, queen, only_king] = [
            by_enemy.by_minor,
            by_enemy.by_rook,
            by_enemy.by_queen,
            by_enemy.by_king,
        ]
        .map(|set| {
            let first = set - dearer;
            dearer |= set;
            first
        });
        let squares = sliders.spread([
            enemy & (role(Role::Pawn) | role(Role::Knight)),
            enemy & board.orthogonal_sliders(),
            enemy & (board.diagonal_sliders() | role(Role::Knight)),
            by_enemy.by_pawn | rook | only_king,
            minor | rook,
            queen | only_king,
            (tally.one - tally.two) | tally.three,
            tally.two,
        ]);

        let backwards = |targets: Bitboard| {
            // From where a pawn of ours attacks is where a pawn of theirs would attack.
            let [west, east] = pawn_attacks(targets, !us);
            west | east
        };
        let diagonal = sliders.bishop(their_king, occupied);
        let orthogonal = by_enemy.check_by_rook;
        let checks = [
            backwards(their_king.into()),
            attacks::knight(their_king),
            diagonal,
            orthogonal,
            diagonal | orthogonal,
            Bitboard::EMPTY,
        ];

        let pawn = backwards(enemy - their_pawns - their_king.into());
        let [knight, bishop, rook] = by_enemy.gains;
        let gains = [pawn, knight, bishop, rook, Bitboard::EMPTY, Bitboard::EMPTY];

        let targets = enemy - by_enemy.all - their_king.into();
        let [rook, bishop] = sliders.rays(targets, targets, occupied);
        let [knight, by_king] = [attacks::knights(targets), attacks::kings(targets)];
        let pawn = backwards(targets);
        let loose = [pawn, knight, bishop, rook, bishop | rook, by_king];

        AttackMaps {
            squares,
            checks,
            gains,
            loose,
            is_check: by_enemy.all.contains(king),
            threatened: by_enemy.threatened,
            free_roads: !front_span(their_pawns, !us),
        }
    }

    #[inline(always)]
    pub(super) fn at(&self, square: Square) -> usize {
        #[allow(clippy::indexing_slicing)] // A square has one of 64.
        usize::from(self.squares[square.index()])
    }
}

/// All squares ahead of pawns of a colour, on their files and the files beside.
#[inline(always)]
fn front_span(pawns: Bitboard, color: Color) -> Bitboard {
    let [west, east] = pawn_attacks(pawns, color);
    let mut ahead = (west | east).bits();
    match color {
        Color::White => {
            ahead |= pawns.bits() << 8;
            ahead |= ahead << 8;
            ahead |= ahead << 16;
            ahead |= ahead << 32;
        }
        Color::Black => {
            ahead |= pawns.bits() >> 8;
            ahead |= ahead >> 8;
            ahead |= ahead >> 16;
            ahead |= ahead >> 32;
        }
    }
    Bitboard::from_bits(ahead)
}
