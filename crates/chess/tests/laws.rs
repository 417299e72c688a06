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
    use scoresheet_chess::Role;
    for kind in GameKind::ALL {
        for seed in 0..60 {
            random_game(kind, seed, 200).walk(|position, m| {
                let mut expected = *position;
                expected.play_unchecked(m);
                let mut found = *position;
                match position.board().role_at(m.from()).unwrap() {
                    Role::Pawn if m.promotion().is_none() => {
                        found.play_pawn_unchecked(m.from(), m.to());
                    }
                    Role::Pawn => return,
                    _ if m.castling_side().is_some() => return,
                    role => found.play_piece_unchecked(role, m.from(), m.to()),
                }
                assert_eq!(found, expected, "{m:?} in {position}");
            });
        }
    }
}
