//! The laws of `testkit`, on random games with fixed seeds.

use testkit::{GameKind, laws, random_game};

#[test]
fn the_key_follows_the_moves() {
    for kind in GameKind::ALL {
        for seed in 0..200 {
            laws::incremental_key(&random_game(kind, seed, 150));
        }
    }
}

#[test]
fn a_move_is_legal_if_it_is_in_the_list() {
    for kind in GameKind::ALL {
        for seed in 0..60u8 {
            let plies = usize::from(seed) * 7 % 120;
            laws::legality_agrees_with_list(&random_game(kind, seed.into(), plies));
        }
    }
}

#[test]
fn moves_are_the_same_by_bits_by_table_and_in_groups() {
    for kind in GameKind::ALL {
        for seed in 0..150 {
            laws::listings_agree(&random_game(kind, seed, 120));
        }
    }
}

#[test]
fn both_boards_play_the_same_games() {
    for kind in GameKind::ALL {
        for seed in 0..100 {
            laws::boards_agree(&random_game(kind, seed, 150));
        }
    }
}

/// The ways to play that know more beforehand give the same position.
#[test]
fn playing_by_role_is_playing() {
    use scoresheet_chess::MoveKind;
    for kind in GameKind::ALL {
        for seed in 0..60 {
            random_game(kind, seed, 200).walk(|position, m| {
                let mut expected = *position;
                expected.play_unchecked(m);
                let mut found = *position;
                let (from, to) = (m.from(), m.to());
                let role = position.board().role_at(from).unwrap();
                if m.kind() == MoveKind::DoublePush {
                    found.play_double_push_unchecked(from, to);
                    assert_eq!(found, expected, "{m:?} in {position}");
                }
                if matches!(m.kind(), MoveKind::Quiet | MoveKind::Capture) {
                    found = *position;
                    found.play_role_unchecked(role, from, to, m.is_capture());
                    assert_eq!(found, expected, "{m:?} in {position}");
                }
                if m.flags() != 5 && m.flags() & !5 == 0 {
                    found = *position;
                    found.play_step_unchecked(from, to);
                    assert_eq!(found, expected, "{m:?} in {position}");
                }
            });
        }
    }
}

/// Where a man can go but for the king, against the legal moves: every legal one is there, and what
/// is there and not legal leaves the king in check.
#[test]
fn targets_are_legal_but_for_the_king() {
    use scoresheet_chess::{Bitboard, Move, MoveKind, Role, Square};
    for kind in GameKind::ALL {
        for seed in 0..40 {
            random_game(kind, seed, 150).walk(|position, _| {
                let own = position.board().by_color(position.turn());
                for from in Square::ALL {
                    let ep = position.ep_square().into_iter().collect();
                    let found = position.targets(from, ep);
                    if !own.contains(from) {
                        continue;
                    }
                    let moves = position.legal_moves();
                    let legal: Bitboard = moves
                        .iter()
                        .filter(|m| m.from() == from && m.castling_side().is_none())
                        .map(|m| m.to())
                        .collect();
                    assert!(legal.is_subset_of(found), "{from} in {position}");
                    for to in found - legal {
                        let mut after = *position;
                        let board = position.board();
                        let is_pawn = board.by_role(Role::Pawn).contains(from);
                        let takes = board.occupied().contains(to);
                        if is_pawn && from.file() != to.file() && !takes {
                            after.play_unchecked(Move::new(from, to, MoveKind::EnPassant));
                        } else {
                            after.play_step_unchecked(from, to);
                        }
                        let king = after.king_of(position.turn());
                        let attackers = after.attackers_to(king, after.turn());
                        assert!(attackers.any(), "{from}{to} in {position}");
                    }
                }
            });
        }
    }
}
