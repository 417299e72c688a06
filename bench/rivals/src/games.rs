//! Real games for the cases that need them, or random ones where the file is missing.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Chess, Move, Position};

use crate::rng::Rng;

/// One game from the usual start, moves checked.
#[derive(Debug, Default, Clone)]
pub struct Game {
    /// As shakmaty knows them.
    pub moves: Vec<Move>,
    /// The same in text, with check and mate signs.
    pub sans: Vec<String>,
}

/// Some games and where they are from.
#[derive(Debug, Default)]
pub struct Games {
    /// All of them, none empty.
    pub games: Vec<Game>,
    /// For the head of the report.
    pub source: String,
    /// The whole file, for the cases that read PGN.
    pub text: Vec<u8>,
}

impl Games {
    /// The number of moves in all games.
    pub fn plies(&self) -> usize {
        self.games.iter().map(|g| g.moves.len()).sum()
    }

    /// The first `count` games of `file`, or of the project's master games; random games
    /// if there is no such file.
    pub fn load(file: Option<&Path>, count: usize) -> io::Result<Games> {
        let usual = usual_file();
        let (path, is_asked) = match file {
            Some(path) => (path, true),
            None => (usual.as_path(), false),
        };
        if !is_asked && !path.exists() {
            return Ok(random_games(count));
        }
        let text = read_text(path)?;
        let games = read_games(path, &text, count)?;
        let source = format!("first {} games of {}", games.len(), path.display());
        Ok(Games {
            games,
            source,
            text,
        })
    }
}

/// Beside the repository, where the project keeps data too big for it.
fn usual_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/games/master.pgn.zst")
}

fn read_text(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    if path.extension().is_some_and(|e| e == "zst") {
        return zstd::decode_all(file);
    }
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    Ok(text)
}

fn read_games(path: &Path, text: &[u8], count: usize) -> io::Result<Vec<Game>> {
    let mut reader = Reader::new(text);
    let mut games = Vec::new();
    while games.len() < count {
        match reader.read_game(&mut Collector)? {
            Some(Some(game)) if !game.moves.is_empty() => games.push(game),
            Some(_) => {}
            None => break,
        }
    }
    if games.is_empty() {
        let text = format!("{}: no game from the usual start", path.display());
        return Err(io::Error::other(text));
    }
    Ok(games)
}

/// Gathers main lines; gives `None` for set-up positions and for games with a bad move.
struct Collector;

impl Visitor for Collector {
    type Tags = ();
    type Movetext = (Chess, Game);
    type Output = Option<Game>;

    fn begin_tags(&mut self) -> ControlFlow<Option<Game>, ()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], _: RawTag<'_>) -> ControlFlow<Option<Game>> {
        match name {
            b"FEN" => ControlFlow::Break(None),
            _ => ControlFlow::Continue(()),
        }
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Option<Game>, (Chess, Game)> {
        ControlFlow::Continue((Chess::default(), Game::default()))
    }

    fn begin_variation(
        &mut self,
        _: &mut (Chess, Game),
    ) -> ControlFlow<Option<Game>, pgn_reader::Skip> {
        ControlFlow::Continue(pgn_reader::Skip(true))
    }

    fn san(&mut self, (pos, game): &mut (Chess, Game), san: SanPlus) -> ControlFlow<Option<Game>> {
        let Ok(m) = san.san.to_move(pos) else {
            return ControlFlow::Break(None);
        };
        push(pos, game, m);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (_, game): (Chess, Game)) -> Option<Game> {
        Some(game)
    }
}

/// Plays the move and writes it down as the standard asks, whatever the file had.
fn push(pos: &mut Chess, game: &mut Game, m: Move) {
    let san = SanPlus::from_move_and_play_unchecked(pos, m);
    game.moves.push(m);
    game.sans.push(san.to_string());
}

fn random_games(count: usize) -> Games {
    let mut rng = Rng::new(1);
    let games: Vec<Game> = (0..count).map(|_| random_game(&mut rng)).collect();
    let source = format!("{count} RANDOM games, since the master games are not here");
    let text = games.iter().map(|game| {
        let moves = game.sans.join(" ");
        format!("[Event \"?\"]\n[Result \"*\"]\n\n{moves} *\n\n")
    });
    let text = text.collect::<String>().into_bytes();
    Games {
        games,
        source,
        text,
    }
}

fn random_game(rng: &mut Rng) -> Game {
    let mut pos = Chess::default();
    let mut game = Game::default();
    let plies = 40 + rng.below(80);
    while game.moves.len() < plies {
        let moves = pos.legal_moves();
        if moves.is_empty() {
            break;
        }
        push(&mut pos, &mut game, rng.pick(&moves));
    }
    game
}
