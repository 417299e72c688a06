//! A game that a search has found, as it is shown.

use std::io::{self, Write};

use archive::games::Filter;
use chess::{Color, Keyed, Move, Position};
use pgn::{Game, GameBuilder, Reader};
use search::Opening;

/// What is shown of a game.
#[derive(Clone, Debug)]
pub struct FoundGame {
    pub text: Vec<u8>,
    pub start: Position,
    pub moves: Vec<Move>,
    pub white: String,
    pub black: String,
    pub result: String,
    pub date: String,
    game: Option<Game>,
}

impl Default for FoundGame {
    fn default() -> FoundGame {
        FoundGame {
            text: Vec::new(),
            start: Position::START,
            moves: Vec::new(),
            white: String::new(),
            black: String::new(),
            result: String::new(),
            date: String::new(),
            game: None,
        }
    }
}

impl FoundGame {
    /// The game of a text.
    pub fn from_text(text: &[u8]) -> FoundGame {
        let mut found = FoundGame {
            text: text.to_vec(),
            ..FoundGame::default()
        };
        found.read_tags();
        if let Some(game) = &found.game {
            found.start = *game.start();
            found.moves = game.main_line().moves().iter().map_while(|m| *m).collect();
        }
        found
    }

    /// Reads the tags from the text.
    pub fn read_tags(&mut self) {
        let mut reader = Reader::from_slice(&self.text);
        let game = reader.read_game(&mut GameBuilder::new());
        let Ok(Some(Ok(game))) = game else { return };
        let tag = |name: &[u8]| game.tag_text(name).unwrap_or_default().into_owned();
        self.white = tag(b"White");
        self.black = tag(b"Black");
        self.result = tag(b"Result");
        self.date = tag(b"Date");
        self.game = Some(game);
    }

    /// Whether a filter wants the game.
    pub fn passes(&self, filter: &Filter) -> bool {
        let tag = |name: &str| self.game.as_ref()?.tag_text(name.as_bytes());
        filter.matches_tags(tag)
    }

    /// The position after so many plies.
    pub fn position(&self, ply: u32) -> Position {
        let mut position = self.start;
        for &m in self.moves.iter().take(ply as usize) {
            position.play_unchecked(m);
        }
        position
    }

    /// Where a ply is in the game: the move that is played there, or the end.
    pub fn place(&self, ply: u32) -> String {
        let position = self.position(ply);
        let dots = match position.turn() {
            Color::White => ".",
            Color::Black => "...",
        };
        match self.moves.get(ply as usize) {
            Some(&m) => format!("{}{dots} {}", position.fullmoves(), position.san(m)),
            None => format!("{}{dots} end", position.fullmoves()),
        }
    }

    /// The last position of the game that has a name.
    pub fn opening(&self) -> Option<Opening> {
        let mut keyed = Keyed::new(self.start);
        let mut last = Opening::with_key(keyed.position(), keyed.key());
        // Names end long before this.
        for &m in self.moves.iter().take(60) {
            keyed.play_unchecked(m);
            last = Opening::with_key(keyed.position(), keyed.key()).or(last);
        }
        last
    }

    /// Writes the game with tags that tell where it matches.
    pub fn write_marked(&self, out: &mut impl Write, plies: &[u32]) -> io::Result<()> {
        let tags_end = tags_end(&self.text);
        let (tags, rest) = self
            .text
            .split_at_checked(tags_end)
            .unwrap_or((&self.text, &[]));
        out.write_all(tags)?;
        let newline = match tags.ends_with(b"\r\n") {
            true => "\r\n",
            false => "\n",
        };
        for &ply in plies {
            write!(out, "[MatchPly \"{ply}\"]{newline}")?;
            write!(out, "[MatchFEN \"{}\"]{newline}", self.position(ply))?;
        }
        if tags.is_empty() {
            out.write_all(newline.as_bytes())?;
        }
        out.write_all(rest)
    }
}

/// Where the lines of tags at the begin of a text end.
fn tags_end(text: &[u8]) -> usize {
    let mut end = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let is_tag = line.starts_with(b"[") && line.trim_ascii_end().ends_with(b"]");
        if !is_tag {
            break;
        }
        end += line.len();
    }
    end
}
