//! The enumeration is a bijection, and its rows have the sizes of the sheet it comes from.
#![allow(clippy::unwrap_used)] // What fails here fails the test.

use std::collections::BTreeMap;

use chess::{Color, MoveKind, Role};
use scoresheet_codec::MoveId;

fn all() -> impl Iterator<Item = MoveId> {
    (0..MoveId::COUNT).map(|index| MoveId::from_index(index).unwrap())
}

#[test]
fn numbers_and_moves_correspond() {
    let mut seen = std::collections::HashSet::new();
    for id in all() {
        let told = id.describe();
        assert_eq!(told.id(), Some(id), "{told:?}");
        assert_eq!(told.color, id.color());
        assert!(seen.insert(told), "{told:?} twice");
    }
    assert_eq!(seen.len(), 45_356);
    assert_eq!(MoveId::from_index(45_356), None);
    assert_eq!(MoveId::from_index(u16::MAX), None);
}

#[test]
fn both_sides_are_mirror_images() {
    for index in 0..MoveId::COUNT_PER_SIDE {
        let white = MoveId::from_index(index).unwrap().describe();
        let black = MoveId::from_index(index + MoveId::COUNT_PER_SIDE).unwrap();
        assert_eq!(black.index_of_side(), index);
        let black = black.describe();
        assert_eq!((white.color, black.color), (Color::White, Color::Black));
        assert_eq!(white.from, black.from.flip_ranks());
        assert_eq!(white.to, black.to.flip_ranks());
        assert_eq!(
            (white.role, white.captured, white.kind),
            (black.role, black.captured, black.kind)
        );
    }
}

/// Piece, kind of move: from–to pairs, moves that take nothing, moves that take, all of one side.
#[test]
fn rows_have_the_sizes_of_the_sheet() {
    let mut rows: BTreeMap<&str, (std::collections::BTreeSet<_>, u32, u32)> = BTreeMap::new();
    for id in all().filter(|id| id.color() == Color::White) {
        let told = id.describe();
        let name = match (told.role, told.kind, told.captured) {
            (Role::Pawn, MoveKind::Quiet, _) => "pawn pushes",
            (Role::Pawn, MoveKind::DoublePush, _) => "pawn double pushes",
            (Role::Pawn, MoveKind::EnPassant, _) => "pawn en passant",
            (Role::Pawn, MoveKind::Capture, _) => "pawn captures",
            (Role::Pawn, _, None) => "pawn promotions",
            (Role::Pawn, _, Some(_)) => "pawn captures & promotions",
            (Role::King, MoveKind::CastleKingSide | MoveKind::CastleQueenSide, _) => "castles",
            (Role::King, ..) => "king",
            (Role::Knight, ..) => "knight",
            (Role::Bishop, ..) => "bishop",
            (Role::Rook, ..) => "rook",
            (Role::Queen, ..) => "queen",
        };
        let row = rows.entry(name).or_default();
        row.0.insert((told.from, told.to));
        match told.captured {
            None => row.1 += 1,
            Some(_) => row.2 += 1,
        }
    }
    let sheet = [
        ("pawn promotions", 8, 32, 0),
        ("pawn captures & promotions", 14, 0, 224),
        ("pawn double pushes", 8, 8, 0),
        ("pawn pushes", 40, 40, 0),
        ("pawn captures", 70, 0, 350),
        ("pawn en passant", 14, 0, 14),
        ("castles", 2, 2, 0),
        ("king", 420, 420, 2_100),
        ("knight", 336, 336, 1_680),
        ("bishop", 560, 560, 2_800),
        ("rook", 896, 896, 4_480),
        ("queen", 1_456, 1_456, 7_280),
    ];
    assert_eq!(rows.len(), sheet.len());
    for (name, pairs, quiet, captures) in sheet {
        let (found, none, some) = &rows[name];
        assert_eq!(
            (found.len(), *none, *some),
            (pairs, quiet, captures),
            "{name}"
        );
    }
    let of = |names: &[&str]| -> u32 { names.iter().map(|n| rows[n].1 + rows[n].2).sum() };
    assert_eq!(of(&sheet.map(|row| row.0)[..6]), 668);
    assert_eq!(of(&["castles", "king"]), 2_522);
    assert_eq!(of(&["knight"]), 2_016);
    assert_eq!(of(&["bishop"]), 3_360);
    assert_eq!(of(&["rook"]), 5_376);
    assert_eq!(of(&["queen"]), 8_736);
    let (none, some) = rows
        .values()
        .fold((0, 0), |sum, row| (sum.0 + row.1, sum.1 + row.2));
    assert_eq!((none, some), (3_750, 18_928));
    assert_eq!(u32::from(MoveId::COUNT_PER_SIDE), 22_678);
}

/// The table in the documentation says where each row starts.
#[test]
fn rows_start_where_the_documentation_says() {
    let starts = [
        (0, Role::Pawn, MoveKind::PromoteKnight),
        (32, Role::Pawn, MoveKind::CapturePromoteKnight),
        (256, Role::Pawn, MoveKind::DoublePush),
        (264, Role::Pawn, MoveKind::Quiet),
        (304, Role::Pawn, MoveKind::Capture),
        (654, Role::Pawn, MoveKind::EnPassant),
        (668, Role::King, MoveKind::CastleKingSide),
        (669, Role::King, MoveKind::CastleQueenSide),
        (670, Role::King, MoveKind::Quiet),
        (3_190, Role::Knight, MoveKind::Quiet),
        (5_206, Role::Bishop, MoveKind::Quiet),
        (8_566, Role::Rook, MoveKind::Quiet),
        (13_942, Role::Queen, MoveKind::Quiet),
    ];
    for (index, role, kind) in starts {
        let told = MoveId::from_index(index).unwrap().describe();
        assert_eq!((told.role, told.kind), (role, kind), "{index}");
    }
}
