//! What several tests need.
#![allow(dead_code)]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use scoresheet_pgn::{
    Checker, Flow, Nag, Outcome, RawComment, RawGame, RawTag, Reader, Source, Stop, Variation,
    Visitor,
};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder of `testdata/pgn`, by name.
pub fn testdata(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = root().join("testdata/pgn").join(folder);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "pgn"))
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read(&path).unwrap();
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// A folder or file beside the repository; says so if it is absent.
pub fn shared(path: &str) -> Option<PathBuf> {
    let path = root().join("../shared/data").join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is not here", path.display());
    None
}

/// All files below a folder.
pub fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The games of a text as an `.expect` file has them.
pub fn describe(text: &[u8]) -> String {
    let mut reader = Reader::from_slice(text);
    let mut checker = Checker::new();
    let mut out = String::new();
    while let Some(result) = reader.read_game(&mut checker).unwrap() {
        let line = match result {
            Ok(game) => format!(
                "good {} {} {}\n",
                game.plies,
                game.moves,
                game.outcome.map_or("-", Outcome::as_str)
            ),
            Err(error) => format!("bad {} {}\n", error.cause.kind(), error.line),
        };
        out.push_str(&line);
    }
    out
}

/// Writes down everything it is told.
#[derive(Default)]
pub struct Recorder {
    pub events: Vec<String>,
    /// Says `Skip` after so many events of a game.
    pub stop_after: Option<usize>,
    in_game: usize,
}

impl Recorder {
    fn event(&mut self, event: String) -> Flow {
        self.events.push(event);
        self.in_game += 1;
        match self.stop_after {
            Some(max) if self.in_game > max => Flow::Break(Stop::Skip),
            _ => Flow::Continue(()),
        }
    }
}

impl Visitor for Recorder {
    type Output = ();

    fn begin_game(&mut self) -> Flow {
        self.in_game = 0;
        self.event("begin".to_owned())
    }

    fn tag(&mut self, name: &[u8], value: RawTag<'_>) -> Flow {
        self.event(format!("tag {:?} {:?}", name, value.raw()))
    }

    fn begin_moves(&mut self) -> Flow {
        self.event("moves".to_owned())
    }

    fn san(&mut self, token: &[u8]) -> Flow {
        self.event(format!("san {}", token.escape_ascii()))
    }

    fn nag(&mut self, nag: Nag, is_suffix: bool) -> Flow {
        self.event(format!("nag {nag} {is_suffix}"))
    }

    fn comment(&mut self, comment: RawComment<'_>) -> Flow {
        self.event(format!("comment {:?}", comment.bytes()))
    }

    fn begin_variation(&mut self) -> ControlFlow<Stop, Variation> {
        self.event("(".to_owned())?;
        ControlFlow::Continue(Variation::Enter)
    }

    fn end_variation(&mut self) -> Flow {
        self.event(")".to_owned())
    }

    fn outcome(&mut self, outcome: Outcome) -> Flow {
        self.event(format!("outcome {outcome}"))
    }

    fn end_game(&mut self, game: RawGame<'_>) {
        self.events.push(format!(
            "end {} {} {}",
            game.number,
            game.offset,
            game.bytes.len()
        ));
    }
}

/// Everything that a reader says about its text, errors included.
pub fn events<S: Source>(mut reader: Reader<S>) -> Vec<String> {
    let mut recorder = Recorder::default();
    while let Some(result) = reader.read_game(&mut recorder).unwrap() {
        if let Err(error) = result {
            recorder.events.push(error.to_string());
        }
    }
    recorder.events
}

/// Where games begin if the visitor leaves each after `stop_after` events.
pub fn borders(text: &[u8], stop_after: Option<usize>) -> Vec<u64> {
    let mut reader = Reader::from_slice(text);
    let mut borders = Vec::new();
    loop {
        let mut recorder = Recorder {
            stop_after,
            ..Recorder::default()
        };
        match reader.read_game(&mut recorder).unwrap() {
            Some(_) => borders.push(reader.offset()),
            None => return borders,
        }
    }
}
