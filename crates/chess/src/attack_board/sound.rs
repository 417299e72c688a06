//! The board against its definition, after every change, in debug and test builds.

use super::table::AttackTable;
use super::{AttackBoard, PieceIndex, PieceMask};
use crate::{Bitboard, Color, Role, Square};

const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const KNIGHT: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// Walks from the square until something stands in the way, once or on and on.
fn walk(board: &AttackBoard, from: Square, steps: &[(i8, i8)], slides: bool) -> Bitboard {
    let mut reached = Bitboard::EMPTY;
    for &(files, ranks) in steps {
        let mut at = from;
        while let Some(next) = at.offset(files, ranks) {
            reached.insert(next);
            if !slides || board.index_at(next).is_some() {
                break;
            }
            at = next;
        }
    }
    reached
}

/// What a man attacks, from the mailbox alone.
fn walked_attacks(board: &AttackBoard, index: PieceIndex) -> Bitboard {
    let man = board.man(index);
    let walk = |steps: &[(i8, i8)], slides| walk(board, man.square, steps, slides);
    match (man.role, index.color()) {
        (Role::Pawn, Color::White) => walk(&[(-1, 1), (1, 1)], false),
        (Role::Pawn, Color::Black) => walk(&[(-1, -1), (1, -1)], false),
        (Role::Knight, _) => walk(&KNIGHT, false),
        (Role::Bishop, _) => walk(&DIAGONAL, true),
        (Role::Rook, _) => walk(&STRAIGHT, true),
        (Role::Queen, _) => walk(&DIAGONAL, true) | walk(&STRAIGHT, true),
        (Role::King, _) => walk(&DIAGONAL, false) | walk(&STRAIGHT, false),
    }
}

/// The attack table from scratch.
pub(super) fn recomputed(board: &AttackBoard) -> AttackTable {
    let mut table = AttackTable::EMPTY;
    for index in board.present() {
        table.toggle(index.into(), walked_attacks(board, index));
    }
    table
}

/// # Panics
/// If the parts of the board contradict each other.
pub(super) fn assert_sound(board: &AttackBoard) {
    let mut seen = PieceMask::EMPTY;
    for square in Square::ALL {
        let Some(index) = board.index_at(square) else {
            assert!(!board.occupied().contains(square), "nobody on {square}");
            continue;
        };
        let man = board.man(index);
        assert_eq!(man.square, square, "list and mailbox");
        assert!(board.by_color(index.color()).contains(square), "{square}");
        assert!(board.by_role(man.role).contains(index), "{square}");
        assert!(!seen.contains(index), "{square}");
        seen |= index.into();
    }
    let roles: usize = board.roles.into_iter().map(PieceMask::len).sum();
    assert_eq!((board.present(), roles), (seen, seen.len()), "masks");
    assert_eq!(board.attacks, recomputed(board), "attack table");
}
