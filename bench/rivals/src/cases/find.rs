//! Case `find`: games with a position, without an index, one thread. Ours reads an archive in memory:
//! checksums, columns, moves in the default encoding, and whatever lets it read less. The other plays
//! every move of every game from words in memory and compares the boards.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use cozy_chess::{Board, Color, Piece, Square};
use scoresheet_archive::games::{Archive, PackOptions, pack};
use scoresheet_search::{Pattern, Query, Scan, Step};

use super::play;
use crate::arena::{Entry, Work};
use crate::games::Games;
use crate::libraries::CozyChess;
use crate::library::Library;
use crate::standard::STANDARD;

/// A position that games leave early, part of a board that hardly anything rules out, and an ending.
const QUESTIONS: [(&str, &str); 3] = [
    (
        "exact position (Najdorf)",
        "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R",
    ),
    (
        "part of a board (Nd5, rook f1)",
        "......../......../......../...N..../......../......../......../.....R..",
    ),
    (
        "exact position (Berlin)",
        "r1bk1b1r/ppp2ppp/2p5/4Pn2/8/5N2/PPP2PPP/RNB2RK1",
    ),
];

pub fn works(games: &Games) -> Vec<Work> {
    let file = archive_of(games);
    QUESTIONS
        .map(|(name, board)| Work {
            name: name.to_owned(),
            units: games.plies() as u64,
            answer: None,
            entries: vec![by_hand(games, board), by_scan(file.clone(), board)],
        })
        .into()
}

fn archive_of(games: &Games) -> Vec<u8> {
    let mut text = Vec::new();
    for game in &games.games {
        text.extend_from_slice(b"[Event \"?\"]\n[Result \"*\"]\n\n");
        for (ply, san) in game.sans.iter().enumerate() {
            if ply % 2 == 0 {
                text.extend_from_slice(format!("{}. ", ply / 2 + 1).as_bytes());
            }
            text.extend_from_slice(san.as_bytes());
            text.push(b' ');
        }
        text.extend_from_slice(b"*\n\n");
    }
    let inputs = [("games.pgn".to_owned(), std::io::Cursor::new(text))];
    let packed = pack(inputs, Vec::new(), &PackOptions::default(), |_, _| {});
    packed.expect("memory does not fail").0
}

fn by_scan(file: Vec<u8>, board: &str) -> Entry {
    let pattern = Pattern::parse_sub_fen(&exact(board)).expect("it is a board");
    let mut query = Query::default();
    let condition = scoresheet_search::Condition {
        patterns: vec![pattern],
        ..Default::default()
    };
    query
        .push(Step::Streak(vec![condition]))
        .expect("it is short");
    Entry::new("ours", move || {
        let archive = Archive::open(&file[..]).expect("it was just packed");
        let mut scan = Scan::new(&query);
        scan.threads = NonZeroUsize::MIN;
        let scanned = scan.run(&archive, |_| ControlFlow::Continue(()));
        scanned.expect("it was just packed").found
    })
}

/// A whole board says of every square what stands there; a part of one does not.
fn exact(board: &str) -> String {
    if board.contains('.') {
        return board.to_owned();
    }
    let expand = |c: char| match c.to_digit(10) {
        Some(gap) => "?".repeat(gap as usize),
        None => c.to_string(),
    };
    board.chars().map(expand).collect()
}

fn by_hand(games: &Games, board: &str) -> Entry {
    let start = CozyChess::from_fen(STANDARD[0].fen);
    let words: Vec<Vec<_>> = games
        .games
        .iter()
        .map(|game| play::words::<CozyChess>(game, &start))
        .collect();
    let wanted = wanted(&exact(board));
    Entry::new(CozyChess::NAME, move || {
        let mut found = 0;
        for game in &words {
            let mut position = start.clone();
            let mut matches = has(&position, &wanted);
            for &word in game {
                if matches {
                    break;
                }
                CozyChess::play(&mut position, word);
                matches = has(&position, &wanted);
            }
            found += u64::from(matches);
        }
        found
    })
}

type Wanted = Vec<(Square, Option<(Color, Piece)>)>;

fn wanted(board: &str) -> Wanted {
    let mut wanted = Vec::new();
    for (rank, row) in board.split('/').enumerate() {
        for (file, c) in row.chars().enumerate() {
            let square = Square::ALL[(7 - rank) * 8 + file];
            let color = if c.is_ascii_uppercase() {
                Color::White
            } else {
                Color::Black
            };
            match c {
                '.' => {}
                '?' => wanted.push((square, None)),
                _ => {
                    let piece = c.to_ascii_lowercase().to_string().parse().expect("a man");
                    wanted.push((square, Some((color, piece))));
                }
            }
        }
    }
    // What is rare is looked at first.
    wanted.sort_by_key(|(_, man)| man.is_none());
    wanted
}

fn has(board: &Board, wanted: &Wanted) -> bool {
    wanted.iter().all(|(square, man)| match man {
        None => board.piece_on(*square).is_none(),
        Some((color, piece)) => {
            board.colors(*color).has(*square) && board.pieces(*piece).has(*square)
        }
    })
}
