//! Exchanges worked out by hand, and against a slow twin that walks rays on an array.

use scoresheet_chess::{AttackBoard, Bitboard, Color, Move, PieceIndex, Role, Square};
use testkit::{GameKind, random_game};

fn value(role: Role) -> i32 {
    AttackBoard::exchange_value(role)
}

/// The same rules with nothing looked up: attackers are found by walking, men are really removed.
#[derive(Clone)]
struct Slow([Option<(PieceIndex, Role)>; 64]);

const WAYS: [(i8, i8); 8] = [
    (1, 1),
    (1, -1),
    (-1, -1),
    (-1, 1),
    (0, 1),
    (1, 0),
    (0, -1),
    (-1, 0),
];

impl Slow {
    fn attackers(&self, to: Square, side: Color) -> Vec<(Square, PieceIndex, Role)> {
        let mut found = Vec::new();
        let mut meet = |at: Square, accepted: &[Role]| {
            if let Some((index, role)) = self.0[at.index()]
                && index.color() == side
                && accepted.contains(&role)
            {
                found.push((at, index, role));
            }
        };
        let pawns_from = if side == Color::White { -1 } else { 1 };
        for (i, (files, ranks)) in WAYS.into_iter().enumerate() {
            let slider = if i < 4 { Role::Bishop } else { Role::Rook };
            let mut at = to;
            while let Some(next) = at.offset(files, ranks) {
                let mut accepted = vec![slider, Role::Queen];
                if at == to {
                    accepted.push(Role::King);
                    if i < 4 && ranks == pawns_from {
                        accepted.push(Role::Pawn);
                    }
                }
                meet(next, &accepted);
                if self.0[next.index()].is_some() {
                    break;
                }
                at = next;
            }
        }
        for (files, ranks) in [(1, 2), (2, 1), (2, -1), (1, -2)] {
            for sign in [1, -1] {
                if let Some(at) = to.offset(sign * files, sign * ranks) {
                    meet(at, &[Role::Knight]);
                }
            }
        }
        found
    }

    fn best(&self, to: Square, side: Color, standing: i32) -> i32 {
        let attackers = self.attackers(to, side);
        let least = attackers.into_iter().min_by_key(|&(_, i, role)| (role, i));
        let Some((from, index, role)) = least else {
            return 0;
        };
        let mut next = self.clone();
        next.0[from.index()] = None;
        next.0[to.index()] = Some((index, role));
        if role == Role::King && !next.attackers(to, !side).is_empty() {
            return 0;
        }
        let promotes = role == Role::Pawn && Bitboard::BACK_RANKS.contains(to);
        let bonus = if promotes { 800 } else { 0 };
        (standing + bonus - next.best(to, !side, value(role) + bonus)).max(0)
    }

    fn see(board: &AttackBoard, m: Move) -> i32 {
        if m.castling_side().is_some() {
            return 0;
        }
        let mut men = Square::ALL.map(|at| Some((board.index_at(at)?, board.piece_at(at)?.role)));
        let (index, role) = men[m.from().index()].expect("a man moves");
        let mut gain = men[m.to().index()].map_or(0, |(_, role)| value(role));
        men[m.from().index()] = None;
        if m.flags() == 5 {
            men[m.to().index() ^ 8] = None;
            gain = 100;
        }
        let after = m.promotion().unwrap_or(role);
        men[m.to().index()] = Some((index, after));
        gain += value(after) - value(role);
        gain - Slow(men).best(m.to(), !index.color(), value(after))
    }
}

#[test]
fn exchanges_equal_those_played_out() {
    let (mut moves, mut captures) = (0, 0);
    for kind in GameKind::ALL {
        for seed in 0..40 {
            random_game(kind, seed, 80).walk(|position, _| {
                let board = AttackBoard::from(position);
                for m in board.legal_moves() {
                    assert_eq!(board.see(m), Slow::see(&board, m), "{m:?} in {board}");
                    moves += 1;
                    captures += usize::from(m.is_capture());
                }
            });
        }
    }
    assert!(moves > 100_000 && captures > 10_000, "{moves} {captures}");
}

#[test]
fn known_exchanges() {
    // (FEN, move, value): P 100, N 320, B 330, R 500, Q 900.
    let cases = [
        // The two positions that every text on the subject has.
        (
            "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1",
            "e1e5",
            100,
        ),
        (
            "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
            "d3e5",
            -220,
        ),
        // Nothing is taken; the square is attacked, defended, both.
        ("4k3/8/8/2p5/8/8/3N4/4K3 w - - 0 1", "d2b3", 0),
        ("4k3/8/8/2p5/8/4N3/8/4K3 w - - 0 1", "e3d5", 0),
        ("4k3/8/2p5/8/8/4N3/8/4K3 w - - 0 1", "e3d5", -320),
        ("4k3/8/2p5/8/2P5/4N3/8/4K3 w - - 0 1", "e3d5", -220),
        // A battery of two rooks and a queen against one protector, and against two.
        ("3rk3/8/8/3p4/8/3R4/3R4/3QK3 w - - 0 1", "d3d5", 100),
        ("3rk3/3r4/8/3p4/8/3R4/3R4/3QK3 w - - 0 1", "d3d5", 100),
        ("3rk3/3r4/3q4/3p4/8/8/3R4/3QK3 w - - 0 1", "d2d5", -400),
        // A queen behind a bishop, a bishop behind a pawn.
        ("4k3/8/5p2/4p3/8/2B5/1Q6/4K3 w - - 0 1", "c3e5", -130),
        ("4k3/8/3p4/4p3/5P2/6B1/8/4K3 w - - 0 1", "f4e5", 100),
        // The wrong man in front: the queen takes a protected pawn, a rook waits behind it.
        ("4k3/8/2p5/3p4/8/8/3Q4/3RK3 w - - 0 1", "d2d5", -700),
        // A king takes what hangs, and protects against one attacker but not against two.
        ("k7/4p3/4K3/8/8/8/8/8 w - - 0 1", "e6e7", 100),
        ("8/4k3/4p3/8/8/8/4R3/4K3 w - - 0 1", "e2e6", -400),
        ("8/4k3/4p3/8/8/7B/4R3/4K3 w - - 0 1", "h3e6", 100),
        // En passant, alone; with a protector; with a protector that the taken pawn had hidden.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
        ("4k3/2p5/8/3pP3/8/8/8/3RK3 w - d6 0 1", "e5d6", 100),
        // Promotion, taken back or not, and with a capture.
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 800),
        ("7r/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -100),
        ("7r/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", -100),
        ("1r6/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 1300),
        // A pawn pushed in front of its rook, on a square that a pawn attacks.
        ("4k3/8/8/2p5/8/3P4/8/3RK3 w - - 0 1", "d3d4", 0),
        ("4k3/8/8/2p5/8/3P4/8/4K3 w - - 0 1", "d3d4", -100),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", 0),
    ];
    for (fen, text, value) in cases {
        let board: AttackBoard = fen.parse().unwrap();
        let m = board
            .legal_moves()
            .into_iter()
            .find(|m| m.to_string() == text);
        let m = m.unwrap_or_else(|| panic!("{text} is not legal in {fen}"));
        assert_eq!(board.see(m), value, "{text} in {fen}");
        assert_eq!(Slow::see(&board, m), value, "{text} in {fen}, slowly");
    }
}

#[test]
fn hanging_men_are_those_that_can_be_won() {
    let board: AttackBoard = "4k3/8/2n5/3p4/4B3/8/8/3RK3 w - - 0 1".parse().unwrap();
    assert_eq!(board.capture_gain(Square::D5, Color::White), 100);
    assert_eq!(board.capture_gain(Square::E4, Color::Black), 330);
    assert_eq!(board.capture_gain(Square::C6, Color::White), 0);
    assert_eq!(board.capture_gain(Square::D5, Color::Black), 0);
    assert_eq!(board.capture_gain(Square::H8, Color::Black), 0);
}
