//! Games to learn from and to be examined on.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use chess::{Move, Position};
use pgn::{GameBuilder, Input, Reader};

/// A game from the usual start.
#[derive(Clone, Debug)]
pub struct Game {
    /// The mean rating of both players; 0 if one is unknown.
    pub rating: u16,
    /// Its moves, each found legal.
    pub moves: Vec<Move>,
}

/// The games of a file from the usual start: PGN, or, in a `.txt`, a line a game with two ratings,
/// a result and moves. Either may be packed.
pub fn read(path: &Path, most: usize) -> io::Result<Vec<Game>> {
    let input = Input::new(File::open(path)?)?;
    let name = path.to_string_lossy();
    if name.contains(".txt") {
        read_lines(input, most)
    } else {
        read_pgn(input, most)
    }
}

fn mean(white: u16, black: u16) -> u16 {
    if white == 0 || black == 0 {
        0
    } else {
        white.midpoint(black)
    }
}

fn read_pgn(input: impl Read, most: usize) -> io::Result<Vec<Game>> {
    let mut reader = Reader::new(input);
    let mut builder = GameBuilder::new();
    let mut games = Vec::new();
    while games.len() < most {
        let Some(game) = reader.read_game(&mut builder)? else {
            break;
        };
        let Ok(game) = game else { continue };
        if *game.start() != Position::START {
            continue;
        }
        let rating = |name| {
            let text = game.tag_text(name)?;
            text.trim().parse().ok()
        };
        let rating = mean(
            rating(b"WhiteElo").unwrap_or(0),
            rating(b"BlackElo").unwrap_or(0),
        );
        let moves = game.main_line().moves().iter().map_while(|m| *m).collect();
        games.push(Game { rating, moves });
    }
    Ok(games)
}

fn read_lines(input: impl Read, most: usize) -> io::Result<Vec<Game>> {
    let mut games = Vec::new();
    for line in BufReader::with_capacity(1 << 20, input).lines() {
        if games.len() == most {
            break;
        }
        let line = line?;
        let mut words = line.split_ascii_whitespace();
        let mut rating = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
        let rating = mean(rating(), rating());
        let mut position = Position::START;
        let mut moves = Vec::new();
        for san in words.skip(1) {
            let Ok(m) = position.parse_san(san.as_bytes()) else {
                break;
            };
            position.play_unchecked(m);
            moves.push(m);
        }
        games.push(Game { rating, moves });
    }
    Ok(games)
}
