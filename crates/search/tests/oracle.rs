//! Real games, and what another chess library finds in them by looking at every position.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::io::Read as _;
use std::ops::ControlFlow;
use std::path::Path;

use archive::games::{Archive, PackOptions, pack};
use pgn_reader::{RawTag, SanPlus, Skip};
use scoresheet_search::{Query, Scan};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Piece, Position, Role, Square};

/// A game: its positions, each with the move that was played. `None` if it is bad.
type Moments = Option<Vec<(Chess, Option<Move>)>>;

struct Rival;

impl pgn_reader::Visitor for Rival {
    type Tags = Option<Chess>;
    type Movetext = (Chess, Vec<(Chess, Option<Move>)>);
    type Output = Moments;

    fn begin_tags(&mut self) -> ControlFlow<Moments, Option<Chess>> {
        ControlFlow::Continue(None)
    }

    fn tag(
        &mut self,
        start: &mut Option<Chess>,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Moments> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).unwrap();
            *start = Some(fen.into_position(CastlingMode::Chess960).unwrap());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Option<Chess>) -> ControlFlow<Moments, Self::Movetext> {
        ControlFlow::Continue((start.unwrap_or_default(), Vec::new()))
    }

    fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<Moments, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(
        &mut self,
        (position, moments): &mut Self::Movetext,
        san: SanPlus,
    ) -> ControlFlow<Moments> {
        let Ok(m) = san.san.to_move(position) else {
            return ControlFlow::Break(None);
        };
        moments.push((position.clone(), Some(m)));
        position.play_unchecked(m);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (position, mut moments): Self::Movetext) -> Moments {
        moments.push((position, None));
        Some(moments)
    }
}

/// What a query asks for, in the words of the other library.
type Holds = Box<dyn Fn(&Chess, Option<Move>) -> bool>;

fn men(position: &Chess, color: Color, role: Role) -> usize {
    position.board().by_piece(Piece { color, role }).count()
}

/// Whether a side has so many queens, rooks, bishops, knights and pawns.
fn has(position: &Chess, color: Color, counts: [usize; 5]) -> bool {
    let roles = [
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
    ];
    roles.map(|role| men(position, color, role)) == counts
}

/// Queries, for how many plies in a row they must hold, and the same by the other library.
fn queries(sample: &Chess) -> Vec<(String, usize, Holds)> {
    let fen = |position: &Chess| {
        let fen = Fen::from_position(position, EnPassantMode::PseudoLegal).to_string();
        fen.split(' ').take(4).collect::<Vec<&str>>().join(" ")
    };
    let wanted = sample.clone();
    let pawns = sample.board().pawns();
    let white_pawns = pawns & sample.board().white();
    vec![
        (
            format!(r#"{{ "fen": "{}" }}"#, fen(sample)),
            1,
            Box::new(move |position, _| fen(position) == fen(&wanted)),
        ),
        (
            r#"{ "sub-fen": "8/8/8/3N4/8/8/8/5RK?" }"#.to_owned(),
            1,
            Box::new(move |position, _| {
                let board = position.board();
                let white = board.white();
                (board.knights() & white).contains(Square::D5)
                    && (board.rooks() & white).contains(Square::F1)
                    && (board.kings() & white).contains(Square::G1)
                    && !board.occupied().contains(Square::H1)
            }),
        ),
        (
            r#"{ "material": "KRvKR" }"#.to_owned(),
            1,
            Box::new(|position, _| {
                has(position, Color::White, [0, 1, 0, 0, 0])
                    && has(position, Color::Black, [0, 1, 0, 0, 0])
            }),
        ),
        (
            r#"{ "material": "KRPPvKRP" }"#.to_owned(),
            3,
            Box::new(|position, _| {
                has(position, Color::White, [0, 1, 0, 0, 2])
                    && has(position, Color::Black, [0, 1, 0, 0, 1])
            }),
        ),
        (
            format!(
                r#"{{ "pawns": "{}" }}"#,
                Fen::from_position(sample, EnPassantMode::Legal)
                    .to_string()
                    .split(' ')
                    .next()
                    .unwrap()
            ),
            1,
            Box::new(move |position, _| {
                let board = position.board();
                board.pawns() == pawns && board.pawns() & board.white() == white_pawns
            }),
        ),
        (
            r#"{ "moved": "K", "captured": "Q" }"#.to_owned(),
            1,
            Box::new(|_, m| {
                m.is_some_and(|m| m.role() == Role::King && m.capture() == Some(Role::Queen))
            }),
        ),
        (
            r#"{ "white-move": "O-O-O" }"#.to_owned(),
            1,
            Box::new(|position, m| {
                let side = m.and_then(|m| m.castling_side());
                position.turn() == Color::White && side.is_some_and(|side| side.is_queen_side())
            }),
        ),
        (
            r#"{ "stm": "black", "event": "capture", "moved": "P" }"#.to_owned(),
            1,
            Box::new(|position, m| {
                position.turn() == Color::Black
                    && m.is_some_and(|m| m.is_capture() && m.role() == Role::Pawn)
            }),
        ),
        (
            r#"{ "event": "en-passant" }"#.to_owned(),
            1,
            Box::new(|_, m| m.is_some_and(|m| m.is_en_passant())),
        ),
        (
            r#"{ "event": "underpromotion" }"#.to_owned(),
            1,
            Box::new(|_, m| {
                let role = m.and_then(|m| m.promotion());
                role.is_some_and(|role| role != Role::Queen)
            }),
        ),
        (
            r#"{ "event": "checkmate" }"#.to_owned(),
            1,
            Box::new(|position, _| position.is_checkmate()),
        ),
    ]
}

/// The games with the first ply at which it holds for long enough.
fn brute_force(games: &[Moments], plies: usize, holds: &Holds) -> Vec<(u64, u32)> {
    let mut found = Vec::new();
    for (row, game) in (1..).zip(games) {
        let Some(moments) = game else { continue };
        let mut held = 0;
        for (ply, (position, m)) in moments.iter().enumerate() {
            held = if holds(position, *m) { held + 1 } else { 0 };
            if held == plies {
                found.push((row, u32::try_from(ply + 1 - plies).unwrap()));
                break;
            }
        }
    }
    found
}

fn by_scan(archive: &Archive<Vec<u8>>, query: &Query) -> Vec<(u64, u32)> {
    let mut found = Vec::new();
    let each = |hit: scoresheet_search::Hit| {
        found.push((hit.row, hit.matches[0][0]));
        ControlFlow::Continue(())
    };
    Scan::new(query).run(archive, each).unwrap();
    found
}

/// Compares the answers on the first games of a file; how many there were.
fn compare(path: &Path, bytes: u64) -> usize {
    let mut text = Vec::new();
    let input = pgn::Input::new(std::fs::File::open(path).unwrap()).unwrap();
    input.take(bytes).read_to_end(&mut text).unwrap();
    // The last game may have been cut.
    let end = text
        .windows(9)
        .rposition(|part| part == b"\n\n[Event ")
        .unwrap();
    text.truncate(end + 2);
    let mut reader = pgn_reader::Reader::new(&text[..]);
    let mut games = Vec::new();
    while let Some(game) = reader.read_game(&mut Rival).unwrap() {
        games.push(game);
    }
    let sample = games[games.len() / 2].as_ref().unwrap();
    let (sample, _) = &sample[sample.len().min(12) - 1];
    let inputs = [("games.pgn".to_owned(), &text[..])];
    let (file, packed) = pack(inputs, Vec::new(), &PackOptions::default(), |_, _| {}).unwrap();
    assert_eq!(packed.games, games.len() as u64);
    let archive = Archive::open(file).unwrap();
    let mut found = 0;
    for (text, plies, holds) in queries(sample) {
        let streak = vec![text.as_str(); plies].join(", ");
        let text = format!(r#"{{ "streak": [{streak}] }}"#);
        let query = Query::parse_json(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let expected = brute_force(&games, plies, &holds);
        assert!(
            by_scan(&archive, &query) == expected,
            "{}: {text}: {} games expected",
            path.display(),
            expected.len()
        );
        found += expected.len();
    }
    assert!(found > 0);
    games.len()
}

#[test]
fn shakmaty_finds_the_same_in_real_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/games");
    let Ok(files) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: {} is not here", folder.display());
        return;
    };
    let is_full = std::env::var_os("SCORESHEET_FULL").is_some_and(|value| value == "1");
    let bytes = if is_full { u64::MAX } else { 500_000 };
    let mut games = 0;
    for file in files {
        games += compare(&file.unwrap().path(), bytes);
    }
    assert!(games > 1_000, "{games}");
}
