//! FEN, SAN, LAN and UCI: the laws on random games.

use scoresheet_chess::{Epd, EpdOperand, EpdOperation, File, Square};
use testkit::{GameKind, Random, laws, mutant, random_game};

#[test]
fn every_move_is_read_back_from_its_text() {
    for kind in GameKind::ALL {
        for seed in 0..40 {
            let game = random_game(kind, seed, 80);
            laws::fen_round_trip(&game);
            laws::san_round_trip(&game);
            laws::uci_round_trip(&game);
        }
    }
}

/// 20,000 mutants of each kind of text.
#[test]
fn no_text_makes_the_readers_panic() {
    let mut random = Random::new(1);
    for kind in GameKind::ALL {
        for seed in 0..100 {
            let game = random_game(kind, seed, 50);
            game.walk(|position, m| {
                for _ in 0..2 {
                    laws::san_bytes(position, &mutant(position.san(m).as_bytes(), &mut random));
                    laws::san_bytes(position, &mutant(position.lan(m).as_bytes(), &mut random));
                    laws::uci_bytes(position, &mutant(position.uci(m).as_bytes(), &mut random));
                    laws::fen_bytes(&mutant(position.to_string().as_bytes(), &mut random));
                }
            });
        }
    }
}

#[test]
fn no_epd_makes_the_reader_panic() {
    let text = r#"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - hmvc 12; fmvn 40; bm O-O Ra8; ce -35; id "a \"b\" \\ é";"#;
    laws::epd_bytes(text.as_bytes());
    let epd: Epd = text.parse().unwrap();
    assert_eq!(epd.to_string(), text);
    assert_eq!(
        (epd.position.halfmoves(), epd.position.fullmoves()),
        (12, 40)
    );
    let mut random = Random::new(3);
    for _ in 0..20_000 {
        laws::epd_bytes(&mutant(text.as_bytes(), &mut random));
    }
}

#[test]
fn only_operations_that_can_be_read_back_are_made() {
    let word = |text: &str| vec![EpdOperand::Word(text.into())];
    for (opcode, operands) in [
        ("", vec![]),
        ("1st", vec![]),
        ("b m", vec![]),
        ("hmvc", word("3")),
        ("bm", word("")),
        ("bm", word("a b")),
        ("bm", word("a;")),
        ("id", vec![EpdOperand::Text("two\nlines".into())]),
    ] {
        assert_eq!(EpdOperation::new(opcode, operands), None, "{opcode}");
    }
    let bm = EpdOperation::new("bm", word("Nf3")).unwrap();
    assert_eq!((bm.to_string().as_str(), bm.opcode()), ("bm Nf3;", "bm"));
    assert_eq!(bm.operands(), word("Nf3"));
}

/// Texts made of the letters that moves are made of come much closer than mutants.
#[test]
fn both_ways_of_reading_agree() {
    let alphabet = b"abcdefgh12345678NBRQKPOo0-x=+#!? (/)nbrqk:ep.Z@";
    let mut random = Random::new(2);
    for kind in GameKind::ALL {
        for plies in 0..40 {
            let position = random_game(kind, plies as u64, plies * 2).end();
            for _ in 0..500 {
                let len = random.below(9);
                let text: Vec<u8> = (0..len).map(|_| *random.pick(alphabet)).collect();
                laws::san_bytes(&position, &text);
                laws::uci_bytes(&position, &text);
            }
        }
    }
}

/// All texts of the canonical shapes, legal or not.
#[test]
fn both_ways_agree_on_every_canonical_shape() {
    for kind in GameKind::ALL {
        for plies in (3..90).step_by(6) {
            let position = random_game(kind, plies as u64, plies).end();
            for to in Square::ALL {
                for head in [
                    "", "N", "B", "R", "Q", "K", "Nx", "Rax", "Q1", "Kx", "Ra1", "bx",
                ] {
                    laws::short_cut_agrees(&position, format!("{head}{to}").as_bytes());
                }
                for file in File::ALL {
                    let file = file.char();
                    for tail in ["", "=Q", "=N+", "=K"] {
                        laws::short_cut_agrees(&position, format!("{file}x{to}{tail}").as_bytes());
                    }
                    laws::short_cut_agrees(&position, format!("N{file}{to}#").as_bytes());
                }
            }
        }
    }
}
