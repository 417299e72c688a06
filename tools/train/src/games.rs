//! Games to learn from and to be examined on.

use std::error::Error;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;

use archive::games::{Archive, Columns, ReadAt};
use chess::{Move, Position};
use codec::Legality;
use pgn::{GameBuilder, Input, Reader};

/// A game from the usual start.
#[derive(Clone, Debug)]
pub struct Game {
    /// The mean rating of both players; 0 if one is unknown.
    pub rating: u16,
    /// Its moves, each found legal.
    pub moves: Vec<Move>,
}

/// The games of a file from the usual start: PGN, an archive, or, in a `.txt`, a line a game with two
/// ratings, a result and moves. PGN and lines may be packed.
pub fn read(path: &Path, most: usize) -> Result<Vec<Game>, Box<dyn Error>> {
    let name = path.to_string_lossy();
    if name.ends_with(".scoresheet") || name.ends_with(".parquet") {
        return read_archive(File::open(path)?, most);
    }
    let input = Input::new(File::open(path)?)?;
    let games = if name.contains(".txt") {
        read_lines(input, most)
    } else {
        read_pgn(input, most)
    };
    Ok(games?)
}

fn read_archive<F: ReadAt>(file: F, most: usize) -> Result<Vec<Game>, Box<dyn Error>> {
    let archive = Archive::open(file)?;
    let columns = Columns::MOVES | Columns::tag("WhiteElo") | Columns::tag("BlackElo");
    let mut games = Vec::new();
    for group in 0..archive.row_groups() {
        let rows = archive.row_group(group, columns)?;
        for game in rows.games() {
            let Some(told) = game.moves().filter(|told| told.start == Position::START) else {
                continue;
            };
            if games.len() == most {
                return Ok(games);
            }
            let rating = |elo: Option<u32>| elo.and_then(|elo| elo.try_into().ok()).unwrap_or(0);
            let mut moves = Vec::new();
            told.replay(Legality::Checked, |_, m| {
                moves.push(m);
                ControlFlow::Continue(())
            })?;
            games.push(Game {
                rating: mean(rating(game.white_elo()), rating(game.black_elo())),
                moves,
            });
        }
    }
    Ok(games)
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

#[cfg(test)]
mod tests {
    use super::*;
    use archive::games::{PackOptions, pack};

    #[test]
    fn an_archive_has_the_games_of_its_text() {
        let text = "[WhiteElo \"2400\"]\n[BlackElo \"2500\"]\n\n1. e4 c5 2. Nf3 *\n\n\
            [FEN \"7k/8/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. Kb2 *\n\n[White \"A\"]\n\n1. d4 d5 1-0\n";
        let inputs = [("games.pgn".to_owned(), text.as_bytes())];
        let (file, _) = pack(inputs, Vec::new(), &PackOptions::default(), |_, _| {}).unwrap();
        let told = |games: Vec<Game>| -> Vec<(u16, Vec<Move>)> {
            games
                .into_iter()
                .map(|game| (game.rating, game.moves))
                .collect()
        };
        let expected = told(read_pgn(text.as_bytes(), 9).unwrap());
        assert_eq!((expected.len(), expected[0].0), (2, 2450));
        assert_eq!(told(read_archive(file.clone(), 9).unwrap()), expected);
        assert_eq!(told(read_archive(file, 1).unwrap()), expected[..1]);
    }
}
