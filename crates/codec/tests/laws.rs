//! The laws that every encoding obeys, on random games of every kind.
#![allow(clippy::unwrap_used)] // What fails here fails the test.

mod support;

use std::ops::ControlFlow;

use chess::attacks::{Sliders, TwoStage};
use chess::{Move, Position};
use scoresheet_codec::{
    BitReader, CodecError, CodecName, Compressed, Direction, Enumeration, Extended, GameDecoder,
    Legality, ListIndex, MoveCodec, MoveFault, MoveIndex, Packed, Plies, Word, encode_game, replay,
};
use testkit::{Game, GameKind, Random, mutant, random_game};

/// The moves of a game, all by the same way.
fn replayed(
    codec: CodecName,
    start: &Position,
    plies: Plies,
    legality: Legality,
    bytes: &[u8],
) -> Result<(Vec<Move>, Position), CodecError> {
    let mut moves = Vec::new();
    let (end, plies) = codec.replay(start, plies, legality, bytes, |before, m| {
        assert!(legality == Legality::Trusted || before.is_legal(m));
        moves.push(m);
        ControlFlow::Continue(())
    })?;
    assert_eq!(plies, moves.len());
    Ok((moves, end))
}

/// Whatever way a game is written and read, it is the same game.
fn round_trip<C: MoveCodec>(codec: C, game: &Game) {
    let name = C::NAME;
    let (start, moves) = (&game.start, &game.moves);
    let mut bytes = vec![0xaa];
    let encoded = name.encode(start, moves.iter().copied(), &mut bytes);
    if !name.has_chess960() && start.needs_chess960() {
        assert_eq!(encoded, Err(CodecError::Chess960 { codec: name }));
        assert_eq!(bytes, [0xaa], "nothing is written");
        let error = name.decode(start, Plies::ToEnd, &[]);
        assert_eq!(error, Err(CodecError::Chess960 { codec: name }));
        return;
    }
    let bits = match encoded {
        Ok(bits) => bits,
        // Fifteen queens: the only thing that cannot be told.
        Err(CodecError::Move {
            fault: MoveFault::TooManyMoves { found, .. },
            ..
        }) => {
            assert!(name == CodecName::List && found > 256);
            return;
        }
        Err(error) => panic!("{error}"),
    };
    assert_eq!(bytes.len(), 1 + bits.div_ceil(8));
    let mut trusted = Vec::new();
    let again = encode_game(
        codec,
        start,
        moves.iter().copied(),
        Legality::Trusted,
        &mut trusted,
    );
    assert_eq!((again, &trusted[..]), (Ok(bits), &bytes[1..]));

    let expected = Ok((moves.clone(), game.end()));
    let exactly = Plies::Exactly(moves.len());
    for legality in [Legality::Checked, Legality::Trusted] {
        assert_eq!(replayed(name, start, exactly, legality, &trusted), expected);
        // Only `packed` can take moves for padding, and then bits that are all 0.
        let to_end = replayed(name, start, Plies::ToEnd, legality, &trusted).unwrap();
        if name == CodecName::Packed {
            assert_eq!(moves[..to_end.0.len()], to_end.0);
            assert!(moves.len() - to_end.0.len() < 8);
        } else {
            assert_eq!(to_end.0, *moves);
        }
    }
    // Move by move, with every single one read twice.
    let mut decoder = GameDecoder::new(codec, start, exactly, Legality::Checked, &trusted).unwrap();
    let mut memory = codec.begin(start).unwrap();
    let mut position = *start;
    for &m in moves {
        assert_eq!(decoder.position(), &position);
        one_move(codec, TwoStage, memory, &position, m);
        assert_eq!(decoder.next_move(), Ok(Some(m)));
        memory = codec.follow(TwoStage, memory, &position, m);
        position.play_unchecked(m);
    }
    assert_eq!(decoder.next_move(), Ok(None));
    assert_eq!(decoder.next_move(), Ok(None));
    assert_eq!(decoder.plies(), moves.len());
    assert!(decoder.remaining_bits() < 8);
}

/// Every legal move of a position has bits of its own, and they mean it.
fn one_move<C: MoveCodec, S: Sliders>(
    codec: C,
    sliders: S,
    memory: C::Memory,
    position: &Position,
    m: Move,
) {
    let bits = codec.encode(sliders, memory, position, m).unwrap();
    let word = bits.value() << (32 - bits.len().max(1));
    let bytes = word.to_be_bytes();
    let mut reader = BitReader::new(&bytes);
    assert_eq!(codec.decode(sliders, memory, position, &mut reader), Ok(m));
    assert_eq!(reader.remaining(), 32 - bits.len() as usize);
    let mut reader = BitReader::new(&bytes);
    let (mut memory, mut played) = (memory, *position);
    let mut found = None;
    codec
        .decode_and_play(sliders, &mut memory, &mut played, &mut reader, &mut found)
        .unwrap();
    assert_eq!(found, Some(m));
    let mut expected = *position;
    expected.play_unchecked(m);
    assert_eq!(played, expected, "{m:?} in {position}");
}

fn all_codecs(game: &Game) {
    round_trip(Word, game);
    round_trip(Extended, game);
    round_trip(Direction, game);
    round_trip(ListIndex, game);
    round_trip(Enumeration, game);
    round_trip(MoveIndex, game);
    round_trip(Packed, game);
    round_trip(Compressed, game);
}

#[test]
fn games_round_trip() {
    for kind in GameKind::ALL {
        for seed in 0..60 {
            all_codecs(&random_game(kind, seed, 200));
        }
    }
}

#[test]
fn an_empty_game_is_no_bytes() {
    for codec in CodecName::ALL {
        let mut bytes = Vec::new();
        assert_eq!(codec.encode(&Position::START, [], &mut bytes), Ok(0));
        assert!(bytes.is_empty());
        assert_eq!(
            codec.decode(&Position::START, Plies::Exactly(0), &[]),
            Ok(vec![])
        );
        assert_eq!(
            codec.decode(&Position::START, Plies::ToEnd, &[]),
            Ok(vec![])
        );
    }
}

/// Not only the moves of games: every legal move of many positions, in Chess960 too.
#[test]
fn every_legal_move_round_trips_and_has_bits_of_its_own() {
    fn check<C: MoveCodec>(codec: C, game: &Game) {
        let Ok(mut memory) = codec.begin(&game.start) else {
            assert!(!C::NAME.has_chess960() && game.start.needs_chess960());
            return;
        };
        game.walk(|position, played| {
            let mut seen = std::collections::HashSet::new();
            for m in position.legal_moves() {
                if C::NAME == CodecName::List && position.count_legal_moves() > 256 {
                    continue;
                }
                one_move(codec, TwoStage, memory, position, m);
                let bits = codec.encode(TwoStage, memory, position, m).unwrap();
                assert!(seen.insert(bits), "{}: {m} in {position}", C::NAME);
            }
            memory = codec.follow(TwoStage, memory, position, played);
        });
    }
    for kind in GameKind::ALL {
        for seed in 100..108 {
            let game = random_game(kind, seed, 120);
            check(Word, &game);
            check(Extended, &game);
            check(Direction, &game);
            check(ListIndex, &game);
            check(Enumeration, &game);
            check(MoveIndex, &game);
            check(Packed, &game);
            check(Compressed, &game);
        }
    }
}

/// Damaged bytes give another legal game or an error, never a panic; read without checks, they may
/// give nonsense, but come to an end, and what is read is bounded by the bits there are.
#[test]
fn damage_never_panics() {
    let mut random = Random::new(41);
    let mut refused = 0;
    for seed in 0..2_500 {
        let kind = *random.pick(&GameKind::ALL);
        let game = random_game(kind, seed, 60);
        for codec in CodecName::ALL {
            let mut bytes = Vec::new();
            if codec
                .encode(&game.start, game.moves.iter().copied(), &mut bytes)
                .is_err()
            {
                continue;
            }
            let bytes = mutant(&bytes, &mut random);
            let plies = match random.below(3) {
                0 => Plies::ToEnd,
                1 => Plies::Exactly(random.below(2_000)),
                _ => Plies::Exactly(game.moves.len()),
            };
            match replayed(codec, &game.start, plies, Legality::Checked, &bytes) {
                Ok((moves, _)) => reencodes(codec, &game.start, &moves, &bytes),
                Err(_) => refused += 1,
            }
            if let Ok((moves, _)) = replayed(codec, &game.start, plies, Legality::Trusted, &bytes) {
                // A move of the modelled encoding takes a 64th of a bit, of the others one.
                let most = match codec.level() {
                    Some(_) => 512 * (bytes.len() + 1),
                    None => 8 * bytes.len(),
                };
                assert!(moves.len() <= most);
            }
        }
    }
    eprintln!("{refused} of 22,500 refused");
    assert!(refused > 10_000);
}

/// What is accepted is written again as it was: there is one way to say each thing. (Score and check
/// in an extended word are notes that are not kept.)
fn reencodes(codec: CodecName, start: &Position, moves: &[Move], bytes: &[u8]) {
    let mut again = Vec::new();
    codec
        .encode(start, moves.iter().copied(), &mut again)
        .unwrap();
    if codec == CodecName::Extended {
        for (word, again) in bytes.chunks(4).zip(again.chunks(4)) {
            assert_eq!(
                (0, word[1] & 0x3f, &word[2..]),
                (again[0], again[1], &again[2..])
            );
        }
    } else if codec == CodecName::Packed {
        // `ToEnd` may have left a byte of zeros that a move could have filled.
        assert_eq!(again, bytes[..again.len()]);
        assert!(bytes[again.len()..].iter().all(|&byte| byte == 0));
    } else {
        assert_eq!(again, bytes);
    }
}

/// Random bytes, read as they come, from random positions.
#[test]
fn noise_never_panics() {
    let mut random = Random::new(7);
    for seed in 0..1_000 {
        let game = random_game(*random.pick(&GameKind::ALL), seed, 30);
        let start = game.end();
        let bytes: Vec<u8> = (0..1 + random.below(300))
            .map(|_| u8::try_from(random.below(256)).unwrap())
            .collect();
        for codec in CodecName::ALL {
            for legality in [Legality::Checked, Legality::Trusted] {
                let _ = replayed(codec, &start, Plies::ToEnd, legality, &bytes);
            }
        }
    }
}

/// A visitor that has seen enough is not shown more, and the rest is not read.
#[test]
fn a_visitor_can_stop() {
    let game = random_game(GameKind::Standard, 3, 40);
    for legality in [Legality::Checked, Legality::Trusted] {
        let mut bytes = Vec::new();
        encode_game(
            Packed,
            &game.start,
            game.moves.iter().copied(),
            legality,
            &mut bytes,
        )
        .unwrap();
        bytes.truncate(20);
        let mut seen = 0;
        let plies = Plies::Exactly(40);
        let (position, plies) = replay(Packed, &game.start, plies, legality, &bytes, |_, _| {
            seen += 1;
            if seen == 11 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
        .unwrap();
        assert_eq!((seen, plies), (11, 10));
        let ten = Game {
            moves: game.moves[..10].to_vec(),
            ..game.clone()
        };
        assert_eq!(position, ten.end());
    }
}
