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
