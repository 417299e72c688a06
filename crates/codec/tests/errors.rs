//! Every error, by its variant: the table lists them all, and a match makes sure of it.
#![allow(clippy::unwrap_used)] // What fails here fails the test.

mod support;

use chess::{Color, Move, MoveKind, Position, Role, Square};
use scoresheet_codec::{
    CodecError, CodecName, GameEncoder, Legality, MoveFault, MoveId, Plies, Word,
};
use support::{line, position, uci};

/// The fault of the move at `ply`.
fn fault(codec: CodecName, start: &Position, bytes: &[u8]) -> (usize, MoveFault) {
    match codec.decode(start, Plies::ToEnd, bytes) {
        Err(CodecError::Move {
            codec: named,
            ply,
            fault,
        }) => {
            assert_eq!(named, codec);
            (ply, fault)
        }
        other => panic!("{codec}: {other:?}"),
    }
}

const START: Position = Position::START;

#[test]
fn truncated() {
    for codec in CodecName::ALL {
        // It has other bytes for a shorter game, and ways to say so: tests/modelled.rs.
        if codec.level().is_some() {
            continue;
        }
        let mut bytes = Vec::new();
        let moves = line(&START, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6");
        let bits = codec
            .encode(&START, moves.iter().copied(), &mut bytes)
            .unwrap();
        for cut in 0..bytes.len() {
            let error = codec.decode(&START, Plies::Exactly(8), &bytes[..cut]);
            match error {
                Err(CodecError::Move {
                    ply,
                    fault: MoveFault::Truncated { needed, left },
                    ..
                }) => {
                    assert!(needed > left && ply <= cut * 8);
                }
                Err(CodecError::TooManyPlies { plies: 8, bits, .. }) => assert!(bits < 8),
                other => panic!("{codec} cut at {cut} of {bits} bits: {other:?}"),
            }
        }
    }
    let expected = MoveFault::Truncated {
        needed: 16,
        left: 8,
    };
    assert_eq!(
        fault(CodecName::Word, &START, &[0x13, 0x1c, 0x00]),
        (1, expected)
    );
}

#[test]
fn padding_and_more() {
    // 1. e4 is 11001, and three bits of padding.
    let trailing = |bytes: &[u8]| CodecName::Packed.decode(&START, Plies::Exactly(1), bytes);
    assert!(trailing(&[0b1100_1000]).is_ok());
    let error = |bits| {
        Err(CodecError::Trailing {
            codec: CodecName::Packed,
            plies: 1,
            bits,
        })
    };
    for pad in 1..8 {
        assert_eq!(trailing(&[0b1100_1000 | pad]), error(3));
    }
    assert_eq!(trailing(&[0b1100_1000, 0]), error(11));
    let word = CodecName::Word.decode(&START, Plies::Exactly(0), &[0]);
    assert_eq!(
        word,
        Err(CodecError::Trailing {
            codec: CodecName::Word,
            plies: 0,
            bits: 8
        })
    );
}

#[test]
fn more_plies_than_bits() {
    for codec in CodecName::ALL {
        // Its moves can take less than a bit; it stops where the bytes are used up.
        if codec.level().is_some() {
            let error = codec.decode(&START, Plies::Exactly(usize::MAX), &[0; 4]);
            assert!(matches!(error, Err(CodecError::Move { .. })), "{error:?}");
            continue;
        }
        let error = codec.decode(&START, Plies::Exactly(usize::MAX), &[0; 4]);
        let expected = CodecError::TooManyPlies {
            codec,
            plies: usize::MAX,
            bits: 32,
        };
        assert_eq!(error, Err(expected));
    }
}

#[test]
fn no_piece_no_square_no_move() {
    let king = position("8/8/8/3k4/8/8/8/K7 w - - 0 1");
    // Three squares in two bits, and the fourth pattern.
    let expected = MoveFault::NoSquare { found: 3 };
    let bytes = [0b1100_0000];
    assert_eq!(fault(CodecName::Packed, &king, &bytes), (0, expected));
    // Five men in three bits.
    let five = position("4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1");
    let expected = MoveFault::NoPiece { found: 5 };
    assert_eq!(
        fault(CodecName::Packed, &five, &[0b1010_0000]),
        (0, expected)
    );
    // Past the last block: 10 + 4 * 12.
    let expected = MoveFault::NoMove { found: 58 };
    assert_eq!(fault(CodecName::Index, &five, &[58]), (0, expected));
    assert_eq!(
        fault(CodecName::Index, &START, &[255]),
        (0, MoveFault::NoMove { found: 255 })
    );
    // A king in the corner has three of its eight numbers.
    let expected = MoveFault::NoSquare { found: 3 };
    assert_eq!(fault(CodecName::Index, &king, &[2 + 3]), (0, expected));
    // A pawn has four of its twelve; on the a-file there is no capture to the left.
    for number in [3, 4, 5, 6, 7, 8, 10, 11] {
        let expected = MoveFault::NoSquare { found: number };
        assert_eq!(
            fault(
                CodecName::Index,
                &START,
                &[10 + u8::try_from(number).unwrap()]
            ),
            (0, expected)
        );
    }
    assert_eq!(
        fault(CodecName::Index, &START, &[10]),
        (0, MoveFault::NoSquare { found: 0 })
    );
    // Two bytes: past everything.
    let queens = position("4k3/pppppppp/8/8/8/8/QQQQQQQQ/3QK3 w - - 0 1");
    let expected = MoveFault::NoMove { found: 0xffff };
    assert_eq!(
        fault(CodecName::Index, &queens, &[0xff, 0xff]),
        (0, expected)
    );

    for word in [
        0u16,
        6 << 12 | 12 << 6 | 28,
        7 << 12 | 12 << 6 | 28,
        12 << 6 | 12,
    ] {
        let expected = MoveFault::NoMove { found: word.into() };
        assert_eq!(
            fault(CodecName::Word, &START, &word.to_be_bytes()),
            (0, expected)
        );
    }
    assert_eq!(
        fault(CodecName::Compressed, &START, &[0, 0]),
        (0, MoveFault::NoMove { found: 0 })
    );
    assert_eq!(
        fault(CodecName::Enumeration, &START, &45_356u16.to_be_bytes()),
        (0, MoveFault::NoMove { found: 45_356 })
    );
    assert_eq!(
        fault(CodecName::List, &START, &[20]),
        (0, MoveFault::NoMove { found: 20 })
    );
    assert_eq!(
        fault(CodecName::Extended, &START, &[0; 4]),
        (0, MoveFault::NoMove { found: 0 })
    );
    // Direction: nobody stands south of e4 but White's pawn; nobody west of a4.
    let west = (2u16 << 6 | 24) << 6;
    let (ply, found) = fault(CodecName::Direction, &START, &west.to_be_bytes());
    assert!(ply == 0 && matches!(found, MoveFault::NoPiece { .. }));
    // A pawn that takes its own man names no castling.
    let own = (2u16 << 6 | 1) << 6;
    let (ply, found) = fault(CodecName::Direction, &START, &own.to_be_bytes());
    assert!(ply == 0 && matches!(found, MoveFault::NoMove { .. }));
}

#[test]
fn unused_bits() {
    // e2e4 with promotion bits; castling with one.
    for word in [0x0c71u16, 0x841d] {
        let expected = MoveFault::UnusedBits { found: word.into() };
        assert_eq!(
            fault(CodecName::Compressed, &START, &word.to_be_bytes()),
            (0, expected)
        );
    }
    // Castling must name a corner.
    let expected = MoveFault::NoMove { found: 0x8418 };
    assert_eq!(
        fault(CodecName::Compressed, &START, &[0x84, 0x18]),
        (0, expected)
    );
}

#[test]
fn the_wrong_side_or_piece() {
    let e4 = uci(&START, "e2e4");
    let id = MoveId::new(&START, e4).unwrap().index();
    let black = id + MoveId::COUNT_PER_SIDE;
    assert_eq!(
        fault(CodecName::Enumeration, &START, &black.to_be_bytes()),
        (
            0,
            MoveFault::WrongSide {
                found: Color::Black
            }
        )
    );
    // A knight's move where a bishop stands; a capture where there is nothing.
    let enumerated = |role, from, to, captured, kind| {
        let told = scoresheet_codec::EnumeratedMove {
            color: Color::White,
            role,
            from,
            to,
            captured,
            kind,
        };
        told.id().unwrap().index().to_be_bytes()
    };
    let bytes = enumerated(Role::Knight, Square::F1, Square::E3, None, MoveKind::Quiet);
    let expected = MoveFault::WrongPiece {
        found: Some(Role::Knight),
        expected: Some(Role::Bishop),
    };
    assert_eq!(fault(CodecName::Enumeration, &START, &bytes), (0, expected));
    let bytes = enumerated(
        Role::Knight,
        Square::G1,
        Square::F3,
        Some(Role::Queen),
        MoveKind::Capture,
    );
    let expected = MoveFault::WrongPiece {
        found: Some(Role::Queen),
        expected: None,
    };
    assert_eq!(fault(CodecName::Enumeration, &START, &bytes), (0, expected));
    let word = 3u32 << 16 | u32::from(uci(&START, "g1f3").word());
    let expected = MoveFault::WrongPiece {
        found: Some(Role::Bishop),
        expected: Some(Role::Knight),
    };
    assert_eq!(
        fault(CodecName::Extended, &START, &word.to_be_bytes()),
        (0, expected)
    );
}

#[test]
fn illegal_moves_are_named_with_their_ply() {
    // 1. e4 e5 2. Ke1-e2 is legal, 2… Ke8-e6 is not.
    let moves = line(&START, "e4 e5 Ke2");
    let far = Move::new(Square::E8, Square::E6, MoveKind::Quiet);
    let mut bytes = Vec::new();
    let all = moves.iter().copied().chain([far]);
    let expected = CodecError::Move {
        codec: CodecName::Word,
        ply: 3,
        fault: MoveFault::Illegal { found: far },
    };
    assert_eq!(
        CodecName::Word.encode(&START, all.clone(), &mut bytes),
        Err(expected.clone())
    );
    assert!(bytes.is_empty());
    let trusted = CodecName::Word.encode_with(&START, all, Legality::Trusted, &mut bytes);
    assert_eq!(trusted, Ok(64));
    assert_eq!(
        CodecName::Word.decode(&START, Plies::Exactly(4), &bytes),
        Err(expected.clone())
    );
    assert_eq!(expected.to_string(), "word, ply 4: e8e6 is not legal");
    // An encoder goes on after a bad move.
    let mut bytes = Vec::new();
    let mut game = GameEncoder::new(Word, &START, Legality::Checked, &mut bytes).unwrap();
    assert!(game.push(far).is_err());
    assert!(game.push(moves[0]).is_ok());
    assert_eq!(game.finish(), 16);
    // A pinned knight, in the encodings that do not look at pins.
    let pinned = position("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1");
    for (codec, bytes) in [
        (CodecName::Index, vec![10]),
        (CodecName::Packed, vec![0b1000_0000]),
    ] {
        let (ply, found) = fault(codec, &pinned, &bytes);
        assert!(
            ply == 0 && matches!(found, MoveFault::Illegal { .. }),
            "{found:?}"
        );
    }
}

/// The most moves that a search for them has found with sixteen men: still a byte.
#[test]
fn fifteen_queens_fit_a_byte() {
    let queens = position("Q4Qrk/3Q2bp/1Q4Q1/4Q3/Q1Q4Q/Q4Q1Q/3Q4/1Q4QK w - - 0 1");
    let moves = queens.legal_moves();
    assert!((239..=256).contains(&moves.len()), "{}", moves.len());
    for m in moves {
        for codec in CodecName::ALL {
            let mut bytes = Vec::new();
            codec.encode(&queens, [m], &mut bytes).unwrap();
            assert_eq!(
                codec.decode(&queens, Plies::Exactly(1), &bytes),
                Ok(vec![m])
            );
        }
    }
}

#[test]
fn bcgn_refuses_chess960_by_name() {
    let start = position("bnrkqrnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKQRNB w FCfc - 0 1");
    for codec in [CodecName::Index, CodecName::Packed, CodecName::Compressed] {
        let error = CodecError::Chess960 { codec };
        assert_eq!(codec.decode(&start, Plies::ToEnd, &[]), Err(error.clone()));
        assert!(error.to_string().contains(codec.as_str()));
        assert!(!codec.has_chess960());
    }
}

#[test]
fn names() {
    for name in CodecName::ALL {
        assert_eq!(name.as_str().parse(), Ok(name));
    }
    for bad in ["", "Word", "word ", "modeled"] {
        let error = CodecError::UnknownCodec {
            found: bad.to_owned(),
        };
        assert_eq!(bad.parse::<CodecName>(), Err(error));
    }
    let long = "x".repeat(1_000).parse::<CodecName>().unwrap_err();
    assert!(long.to_string().len() < 200);
}
