//! The modelled encoding: its laws, its bounds, and the bytes of fifty games.
#![allow(clippy::unwrap_used)] // What fails here fails the test.

mod support;

use std::fmt::Write as _;
use std::fs;
use std::ops::ControlFlow;

use chess::{CastlingSide, Move, MoveKind, Position, Role, Square};
use scoresheet_codec::modelled::{self, Decoder, Encoder, Level, surprises};
use scoresheet_codec::{CodecError, CodecName, Legality, MoveFault, Plies};
use support::{line, position, root, uci};
use testkit::{Game, GameKind, Random, random_game};

const TOTAL: u32 = 65_536;

fn encoded(level: Level, game: &Game) -> Vec<u8> {
    let mut bytes = Vec::new();
    let bits = level
        .codec()
        .encode(&game.start, game.moves.iter().copied(), &mut bytes);
    assert_eq!(bits, Ok(8 * bytes.len()));
    bytes
}

/// Whatever way a game is written and read, it is the same game, and costs less than a byte over its
/// information.
fn round_trip(level: Level, game: &Game) -> Vec<u8> {
    let bytes = encoded(level, game);
    let codec = level.codec();
    let exactly = Plies::Exactly(game.moves.len());
    assert_eq!(
        codec.decode(&game.start, exactly, &bytes).as_ref(),
        Ok(&game.moves)
    );

    // Move by move is compiled without the features of the CPU that whole games are compiled for.
    let mut again = vec![0xff];
    let mut encoder = Encoder::new(level, &game.start, &mut again);
    let mut information = 0.0;
    for &m in &game.moves {
        information += encoder.push(m).unwrap().bits();
    }
    assert_eq!(encoder.position(), &game.end());
    assert_eq!(encoder.finish(), bytes.len());
    assert_eq!((again[0], &again[1..]), (0xff, &bytes[..]));
    assert!((bytes.len() as f64) < information / 8.0 + 1.0);

    let mut decoder = Decoder::new(level, &game.start, exactly, &bytes);
    for &m in &game.moves {
        assert_eq!(decoder.next_move(), Ok(Some(m)));
    }
    assert_eq!(decoder.next_move(), Ok(None));
    assert_eq!(decoder.next_move(), Ok(None));
    assert_eq!(
        (decoder.plies(), decoder.position()),
        (game.moves.len(), &game.end())
    );

    // Read to the end, a game stops where its bytes could have ended: moves that took no byte of
    // their own are lost, never others.
    let to_end = codec.decode(&game.start, Plies::ToEnd, &bytes).unwrap();
    assert_eq!(game.moves[..to_end.len()], to_end);
    let front = Game {
        start: game.start,
        moves: to_end,
    };
    assert_eq!(encoded(level, &front), bytes);
    bytes
}

#[test]
fn games_round_trip() {
    for kind in GameKind::ALL {
        for seed in 0..40 {
            for level in Level::ALL {
                round_trip(level, &random_game(kind, seed, 160));
            }
        }
    }
}

#[test]
fn long_games_round_trip() {
    for kind in [GameKind::Standard, GameKind::Chess960] {
        for seed in 0..3 {
            let game = random_game(kind, 900 + seed, 700);
            for level in Level::ALL {
                round_trip(level, &game);
            }
        }
    }
}

/// Each legal move is told once, in the order that the documentation gives, and has a share.
#[test]
fn the_order_is_as_documented() {
    let place = |position: &Position, m: Move| {
        let role = position.board().role_at(m.from()).unwrap();
        let squares = (m.from().index(), m.to().index());
        let by_target = (m.to().index(), usize::from(m.flags() & 3));
        let west = (m.to().index() & 7) < (m.from().index() & 7);
        let step = match m.kind() {
            MoveKind::Quiet => 0,
            MoveKind::DoublePush => 1,
            _ if m.promotion().is_none() || m.is_capture() => 3 - usize::from(west),
            _ => 0,
        };
        match (role, m.castling_side(), m.kind()) {
            (Role::King, None, _) => (0, squares),
            (Role::King, Some(CastlingSide::KingSide), _) => (1, (0, 0)),
            (Role::King, Some(CastlingSide::QueenSide), _) => (1, (1, 0)),
            (Role::Pawn, _, MoveKind::EnPassant) => (30, squares),
            (Role::Pawn, _, _) if m.promotion().is_some() => (20 + step, by_target),
            (Role::Pawn, _, _) => (10 + step, (m.to().index(), 0)),
            _ => (40 + role.index(), squares),
        }
    };
    for kind in GameKind::ALL {
        for seed in 0..25 {
            let game = random_game(kind, 300 + seed, 80);
            let mut bytes = Vec::new();
            let level = Level::ALL[usize::try_from(seed % 2).unwrap()];
            let mut encoder = Encoder::new(level, &game.start, &mut bytes);
            for &m in &game.moves {
                let position = *encoder.position();
                let odds = encoder.odds();
                let mut expected: Vec<Move> = position.legal_moves().to_vec();
                expected.sort_by_key(|&m| place(&position, m));
                let found: Vec<Move> = odds.iter().map(|(m, _)| *m).collect();
                assert_eq!(found, expected, "{position}");
                let sum: u32 = odds.iter().map(|(_, surprise)| surprise.share()).sum();
                assert!(sum <= TOTAL && odds.iter().all(|(_, surprise)| surprise.share() > 0));
                encoder.push(m).unwrap();
            }
        }
    }
}

#[test]
fn every_move_of_a_crowded_position() {
    let start = position("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    let moves = start.legal_moves();
    assert_eq!(moves.len(), 218);
    for m in moves {
        for level in Level::ALL {
            let moves = vec![m];
            round_trip(level, &Game { start, moves });
        }
    }
}

/// The worst that an adversary can do: the least expected move every time.
#[test]
fn the_least_likely_games_are_bounded() {
    let mut worst: f64 = 0.0;
    let starts = [GameKind::Standard, GameKind::Chess960, GameKind::ManyQueens];
    let starts = (0..).zip(starts);
    for ((seed, kind), level) in Level::ALL.into_iter().flat_map(|level| {
        let starts = starts.clone();
        starts.map(move |start| (start, level))
    }) {
        let start = random_game(kind, seed, 0).start;
        let mut moves = Vec::new();
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(level, &start, &mut bytes);
        while moves.len() < 250 {
            let odds = encoder.odds();
            let Some((m, _)) = odds
                .into_iter()
                .min_by_key(|(_, surprise)| surprise.share())
            else {
                break;
            };
            encoder.push(m).unwrap();
            moves.push(m);
        }
        encoder.finish();
        let plies = moves.len();
        assert!(bytes.len() <= 2 * plies + 1, "16 bits a move");
        worst = worst.max(8.0 * bytes.len() as f64 / plies as f64);
        assert_eq!(round_trip(level, &Game { start, moves }), bytes);
    }
    eprintln!("at worst {worst:.2} bits a move");
    assert!(worst > 6.0, "no game is that unlikely");
}

/// The best that can be done: moves that are as good as certain still take a 64th of a bit, so that
/// the bytes bound the work.
#[test]
fn forced_moves_use_bytes_up() {
    // Black and White have one move each, for ever.
    let start = position("7k/5K2/8/8/8/8/8/8 b - - 0 1");
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(Level::Max, &start, &mut bytes);
    let odds = encoder.odds();
    assert_eq!(odds.len(), 1);
    assert_eq!(odds[0].1.share(), 64_830);
    // A made-up number of plies ends in an error, soon.
    for bytes in [&[][..], &[0], &[0x80, 0x01], &[0xff; 5]] {
        let plies = Plies::Exactly(usize::MAX);
        let mut visited = 0;
        let result = CodecName::Modelled.replay(
            &Position::START,
            plies,
            Legality::Checked,
            bytes,
            |_, _| {
                visited += 1;
                ControlFlow::Continue(())
            },
        );
        assert!(result.is_err());
        assert!(visited <= 512 * (bytes.len() + 1));
    }
}

#[test]
fn a_wrong_end_is_an_error() {
    let moves = line(&Position::START, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 h4");
    let mut bytes = Vec::new();
    let codec = CodecName::Modelled;
    codec
        .encode(&Position::START, moves.iter().copied(), &mut bytes)
        .unwrap();
    let read = |bytes: &[u8]| codec.decode(&Position::START, Plies::Exactly(moves.len()), bytes);
    assert_eq!(read(&bytes).as_ref(), Ok(&moves));
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(
        read(&longer),
        Err(CodecError::Ending { plies: 11, .. })
    ));
    let mut seen_truncated = false;
    for cut in 0..bytes.len() {
        match read(&bytes[..cut]) {
            Err(CodecError::Move {
                fault: MoveFault::Truncated { .. },
                ..
            }) => seen_truncated = true,
            Err(CodecError::Ending { .. } | CodecError::Move { .. }) => {}
            // Fewer bytes can be another game, never the same.
            Ok(others) => assert_ne!(others, moves),
            other => panic!("{other:?}"),
        }
    }
    assert!(seen_truncated);
    let error = codec.encode(&Position::START, [moves[0], moves[0]], &mut bytes);
    assert!(matches!(error, Err(CodecError::Move { ply: 1, .. })));
}

#[test]
fn damage_never_panics() {
    let mut random = Random::new(77);
    for seed in 0..600 {
        let game = random_game(*random.pick(&GameKind::ALL), seed, 60);
        let level = *random.pick(&Level::ALL);
        let bytes = testkit::mutant(&encoded(level, &game), &mut random);
        for plies in [
            Plies::ToEnd,
            Plies::Exactly(game.moves.len()),
            Plies::Exactly(9_999),
        ] {
            if let Ok(moves) = level.codec().decode(&game.start, plies, &bytes) {
                let start = game.start;
                assert_eq!(
                    encoded(level, &Game { start, moves }),
                    bytes,
                    "one way to write a game"
                );
            }
        }
    }
}

/// A number that depends on every feature of every legal move, in order.
fn fingerprint(games: &[Game]) -> u64 {
    use chess::attacks::TwoStage;
    use modelled::features::{
        ManWeights, Memory, PawnWeights, RoleWeights, StepVisitor, StepWeights, visit_steps,
    };

    #[derive(Default)]
    struct Numbers {
        steps: Vec<Vec<usize>>,
        role: [usize; 2],
        man: Vec<usize>,
        mover: Option<ManWeights>,
    }

    impl StepVisitor for Numbers {
        fn role(&mut self, role: RoleWeights) {
            self.role = [role.columns, role.landings];
        }

        fn man(&mut self, man: ManWeights) {
            self.man = vec![self.role[0], self.role[1], man.leavings];
            self.man.extend(man.own.into_iter().flatten());
            self.mover = Some(man);
        }

        fn step(&mut self, to: Square, step: StepWeights) {
            let word = self.mover.unwrap().word(to);
            let mut numbers = self.man.clone();
            numbers.extend([usize::from(word), step.column, step.landing, step.leaving]);
            self.steps.push(numbers);
        }

        fn pawn_step(&mut self, word: u16, step: StepWeights, pawn: PawnWeights) {
            let mut numbers = vec![usize::from(word), step.column, step.landing, step.leaving];
            numbers.extend([pawn.origin, pawn.leavings, pawn.road]);
            numbers.extend(pawn.promotion);
            self.steps.push(numbers);
        }

        fn castle(&mut self, word: u16, column: usize) {
            self.steps.push(vec![usize::from(word), column]);
        }
    }

    let mut bytes = Vec::new();
    for game in games {
        let mut memory = Memory::default();
        game.walk(|position, m| {
            let mut numbers = Numbers::default();
            visit_steps(position, memory, TwoStage, &mut numbers);
            numbers
                .steps
                .push(vec![memory.reply_row(), memory.sequel_row()]);
            for number in numbers.steps.into_iter().flatten() {
                bytes.extend((number as u64).to_le_bytes());
            }
            memory = memory.after(position, m);
        });
    }
    modelled::hash(&bytes)
}

/// The games of a golden file: their starts, moves and bytes.
fn golden(model: u16) -> Vec<(Game, Vec<u8>)> {
    let path = root().join(format!("testdata/golden/modelled/model-{model}.txt"));
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|row| !row.starts_with('#'));
    rows.map(|row| {
        let [fen, moves, bytes] = row.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let start = position(fen);
        let mut at = start;
        let moves = moves.split_whitespace().map(|name| {
            let m = uci(&at, name);
            at.play_unchecked(m);
            m
        });
        let moves = moves.collect();
        let digits = bytes.as_bytes().chunks(2);
        let bytes = digits
            .map(|two| u8::from_str_radix(str::from_utf8(two).unwrap(), 16).unwrap())
            .collect();
        (Game { start, moves }, bytes)
    })
    .collect()
}

/// The bytes of fifty games, on every machine and build. Run with `SCORESHEET_BLESS=` the number of a
/// new model to write its file; never again for a model that has one.
#[test]
fn golden_bytes() {
    for level in Level::ALL {
        if std::env::var("SCORESHEET_BLESS").is_ok_and(|model| model == level.model().to_string()) {
            bless(level);
        }
        let games = golden(level.model());
        assert_eq!(games.len(), 50);
        for (game, bytes) in &games {
            assert_eq!(&round_trip(level, game), bytes);
        }
    }
}

#[test]
fn golden_features() {
    let games: Vec<Game> = golden(1).into_iter().map(|(game, _)| game).collect();
    assert_eq!(format!("{:016x}", fingerprint(&games)), FEATURES);
}

const FEATURES: &str = "7a713a6cd70872f7";

fn bless(level: Level) {
    let lines = [
        "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 \
         O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#",
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7",
        "d4 Nf6 c4 e6 Nf3 d5 Nc3 Be7 Bg5 O-O e3 h6 Bh4 b6 cxd5 Nxd5 Bxe7 Qxe7 Nxd5 exd5 Rc1 Be6",
        "f3 e5 g4 Qh4#",
        "a4 h5 a5 b5 axb6 h4 bxa7 h3 axb8=N Rxa1 Nxd7 Rxb1 Nxf8 hxg2",
    ];
    let mut games: Vec<Game> = lines
        .iter()
        .map(|text| Game {
            start: Position::START,
            moves: line(&Position::START, text),
        })
        .collect();
    let kinds = [
        (GameKind::Standard, 15),
        (GameKind::Chess960, 12),
        (GameKind::Setup, 10),
        (GameKind::ManyQueens, 8),
    ];
    for (kind, count) in kinds {
        for seed in 0..count {
            games.push(random_game(
                kind,
                5_000 + seed,
                30 + 5 * usize::try_from(seed).unwrap(),
            ));
        }
    }
    let model = level.model();
    let mut text = format!(
        "# Start, moves, bytes in the modelled encoding with model {model}. Never edited.\n"
    );
    for game in &games {
        let mut at = game.start;
        let moves: Vec<String> = game
            .moves
            .iter()
            .map(|&m| {
                let name = at.uci(m).to_string();
                at.play_unchecked(m);
                name
            })
            .collect();
        let bytes = encoded(level, game);
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(text, "{}\t{}\t{digits}", game.start, moves.join(" ")).unwrap();
    }
    let folder = root().join("testdata/golden/modelled");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("model-{model}.txt")), text).unwrap();
    println!("features: {:016x}", fingerprint(&games));
}

/// What everybody plays costs little, what nobody plays costs much.
#[test]
fn surprises_are_surprising() {
    let bits = |moves: &str| -> f64 {
        let moves = line(&Position::START, moves);
        surprises(Level::Usual, &Position::START, moves)
            .unwrap()
            .iter()
            .map(|s| s.bits())
            .sum()
    };
    assert!(bits("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7") < 15.0);
    assert!(bits("h4 a5 Rh3 Ra6 Rb3 Rb6") > 40.0);
    // A queen left to be taken is taken.
    let moves = line(&Position::START, "e4 d5 exd5 Qxd5 Nc3 Qd4 Nf3 Qxf2+ Kxf2");
    for level in Level::ALL {
        let surprises = surprises(level, &Position::START, moves.iter().copied()).unwrap();
        let last = surprises.last().unwrap();
        assert!(last.bits() < 0.2, "{}", last.bits());
    }
}
