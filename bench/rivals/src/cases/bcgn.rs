//! Case `bcgn`: a BCGN file read from disk, every header read, every game decoded and played to its
//! end, one thread; beside cozy-chess playing the same games from an array of words in memory.
//! BCGN has no checksum, so a reader checks every move; `trusted` does not.

use std::fs::{self, File};
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::PathBuf;

use scoresheet_archive::bcgn::{Draft, Format, Info, Level, Reader, Writer};
use scoresheet_chess::Move;
use scoresheet_codec::Legality;

use super::play;
use crate::arena::{Entry, Work};
use crate::games::Games;
use crate::libraries::{CozyChess, Ours};
use crate::library::Library;
use crate::standard::STANDARD;

/// One line of the table a level.
pub fn works(games: &Games) -> Vec<Work> {
    Level::ALL.map(|level| work(games, level)).into()
}

fn work(games: &Games, level: Level) -> Work {
    let path = write_file(games, level);
    let times = u64::from(play::TIMES);
    Work {
        name: format!("level {}", level.number()),
        units: games.plies() as u64 * times,
        answer: None,
        entries: vec![
            play::entry::<CozyChess>(games),
            entry("ours", path.clone(), Legality::Checked),
            entry("ours trusted", path, Legality::Trusted),
        ],
    }
}

fn entry(name: &str, path: PathBuf, legality: Legality) -> Entry {
    Entry::new(name, move || {
        let mut digest = 0u64;
        for _ in 0..play::TIMES {
            let file = File::open(&path).expect("the file was just written");
            let mut reader = Reader::new(file).expect("it is BCGN");
            while let Some(entry) = reader.next_entry().expect("its entries are whole") {
                let header = entry.header().expect("its headers are right");
                let end = entry.replay_with(&header, legality, |_, _| ControlFlow::Continue(()));
                let end = end.expect("its moves are legal");
                black_box(&header);
                digest = digest.rotate_left(1) ^ Ours::digest(black_box(&end));
            }
        }
        digest
    })
}

/// The games with headers of the usual size.
pub fn write_file(games: &Games, level: Level) -> PathBuf {
    let name = format!(
        "scoresheet-bench-{}-{}.bcgn",
        std::process::id(),
        level.number()
    );
    let path = std::env::temp_dir().join(name);
    let mut writer = Writer::new(Vec::new(), Format::new(level)).expect("memory does not fail");
    let start = Ours::from_fen(STANDARD[0].fen);
    for (number, game) in games.games.iter().enumerate() {
        let white = format!("Surname{number}, Name");
        let words = play::words::<Ours>(game, &start);
        let moves = words
            .into_iter()
            .map(|w| Move::from_word(w).expect("it is a move"));
        let draft = Draft {
            info: Info {
                white: white.as_bytes(),
                black: b"Another, Player",
                event: b"An open event",
                site: b"Some place",
                white_elo: 2500,
                ..Info::default()
            },
            tags: vec![(b"EventDate", b"2001.02.03")],
            moves: moves.collect(),
            ..Draft::default()
        };
        writer
            .write(&draft)
            .expect("real games are within the limits");
    }
    let bytes = writer.finish().expect("memory does not fail");
    fs::write(&path, bytes).expect("there is room for a temporary file");
    path
}
