//! Who attacks what, and what could be attacked from where: the sets that the features ask.

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
    squares: SquareBits,
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

/// A sum of sets, square by square, that stops at three.
#[derive(Clone, Copy, Default)]
struct Tally {
    one: Bitboard,
    two: Bitboard,
    three: Bitboard,
}

impl Tally {
    #[inline(always)]
    fn add(&mut self, set: Bitboard) {
        self.three |= self.two & set;
        self.two |= self.one & set;
        self.one |= set;
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

    #[inline(always)]
    pub(super) fn of<S: Sliders>(
        position: &Position,
        last: Option<Square>,
        sliders: S,
    ) -> AttackMaps {
        let board = position.board();
        let us = position.turn();
        let occupied = board.occupied();
        let (own, enemy) = (board.by_color(us), board.by_color(!us));
        let role = |role| board.by_role(role);
        let king = position.king_of(us);
        let their_king = position.king_of(!us);

        let mut tally = Tally::default();
        let [west, east] = pawn_attacks(own & role(Role::Pawn), us);
        tally.add(west);
        tally.add(east);
        tally.add(attacks::king(king));
        for from in own & role(Role::Knight) {
            tally.add(attacks::knight(from));
        }
        for from in own & board.diagonal_sliders() {
            tally.add(sliders.bishop(from, occupied));
        }
        for from in own & board.orthogonal_sliders() {
            tally.add(sliders.rook(from, occupied));
        }

        let mut threatened = Bitboard::EMPTY;
        let mut note = |from: Square, attacks: Bitboard| {
            if last == Some(from) {
                threatened = attacks;
            }
            attacks
        };
        let their_pawns = enemy & role(Role::Pawn);
        let [west, east] = pawn_attacks(their_pawns, !us);
        let by_pawn = west | east;
        let mut by_minor = Bitboard::EMPTY;
        for from in enemy & role(Role::Knight) {
            by_minor |= note(from, attacks::knight(from));
        }
        for from in enemy & role(Role::Bishop) {
            by_minor |= note(from, sliders.bishop(from, occupied));
        }
        let mut by_rook = Bitboard::EMPTY;
        for from in enemy & role(Role::Rook) {
            by_rook |= note(from, sliders.rook(from, occupied));
        }
        let mut by_queen = Bitboard::EMPTY;
        for from in enemy & role(Role::Queen) {
            by_queen |= note(from, sliders.queen(from, occupied));
        }
        let by_king = note(their_king, attacks::king(their_king));
        if let Some(last) = last
            && their_pawns.contains(last)
        {
            threatened = attacks::pawn(!us, last);
        }
        let attacked = by_pawn | by_minor | by_rook | by_queen | by_king;

        let minor = by_minor - by_pawn;
        let rook = by_rook - (by_pawn | by_minor);
        let queen = by_queen - (by_pawn | by_minor | by_rook);
        let only_king = by_king - (by_pawn | by_minor | by_rook | by_queen);
        let squares = spread([
            enemy & (role(Role::Pawn) | role(Role::Knight)),
            enemy & board.orthogonal_sliders(),
            enemy & (board.diagonal_sliders() | role(Role::Knight)),
            by_pawn | rook | only_king,
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
        let orthogonal = sliders.rook(their_king, occupied);
        let checks = [
            backwards(their_king.into()),
            attacks::knight(their_king),
            diagonal,
            orthogonal,
            diagonal | orthogonal,
            Bitboard::EMPTY,
        ];

        let heavy = enemy & board.orthogonal_sliders();
        let (mut knight, mut bishop, mut rook) =
            (Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
        for target in heavy {
            knight |= attacks::knight(target);
            bishop |= sliders.bishop(target, occupied);
        }
        for target in heavy & board.diagonal_sliders() {
            rook |= sliders.rook(target, occupied);
        }
        let pawn = backwards(enemy - their_pawns - their_king.into());
        let gains = [pawn, knight, bishop, rook, Bitboard::EMPTY, Bitboard::EMPTY];

        let targets = enemy - attacked - their_king.into();
        let (mut knight, mut bishop, mut rook, mut by_king) = (
            Bitboard::EMPTY,
            Bitboard::EMPTY,
            Bitboard::EMPTY,
            Bitboard::EMPTY,
        );
        for target in targets {
            knight |= attacks::knight(target);
            bishop |= sliders.bishop(target, occupied);
            rook |= sliders.rook(target, occupied);
            by_king |= attacks::king(target);
        }
        let pawn = backwards(targets);
        let loose = [pawn, knight, bishop, rook, bishop | rook, by_king];

        AttackMaps {
            squares,
            checks,
            gains,
            loose,
            is_check: attacked.contains(king),
            threatened,
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

/// Eight bytes of 0 or 1 for the eight bits of a rank.
const RANKS: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= ((byte >> bit & 1) as u64) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Eight sets of squares as the eight bits of 64 bytes.
#[inline(always)]
fn spread(planes: [Bitboard; 8]) -> SquareBits {
    let mut squares = [0; 64];
    let (ranks, _) = squares.as_chunks_mut::<8>();
    for (rank, bytes) in ranks.iter_mut().enumerate() {
        let mut word = 0;
        for (bit, plane) in planes.iter().enumerate() {
            let byte = (plane.bits() >> (8 * rank)) & 0xff;
            #[allow(clippy::indexing_slicing)] // A byte has 256 values.
            {
                word |= RANKS[byte as usize] << bit;
            }
        }
        *bytes = word.to_le_bytes();
    }
    squares
}
