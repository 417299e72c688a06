//! A game that a search has found, as it is shown.

use std::io::{self, Write};
use std::ops::ControlFlow;

use archive::games::Filter;
use chess::{Color, Move, Position};
use pgn::{Flow, Game, GameBuilder, RawGame, Reader, Stop, Variation, Visitor};
use search::{Naming, Opening};

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
        let mut naming = Naming::new(self.start);
        for &m in &self.moves {
            if naming.play(m).is_break() {
                break;
            }
        }
        naming.opening()
    }

    /// Writes the game with the matches marked: tags tell where the first one is, and a comment
    /// stands in the moves at each of the plies, which are in order.
    pub fn write_marked(&self, out: &mut impl Write, plies: &[u32]) -> io::Result<()> {
        let tags_end = tags_end(&self.text);
        let (tags, mut rest) = self
            .text
            .split_at_checked(tags_end)
            .unwrap_or((&self.text, &[]));
        out.write_all(tags)?;
        let newline = match tags.ends_with(b"\r\n") {
            true => "\r\n",
            false => "\n",
        };
        if let Some(&ply) = plies.first() {
            write!(out, "[MatchPly \"{ply}\"]{newline}")?;
            write!(out, "[MatchFEN \"{}\"]{newline}", self.position(ply))?;
        }
        if tags.is_empty() {
            out.write_all(newline.as_bytes())?;
        }
        let ends = MoveEnds::of(&self.text);
        let mut written = tags_end;
        for &ply in plies {
            let (place, mark) = match ply.checked_sub(1) {
                // Before the first move: at the begin of the movetext.
                None => {
                    let blank = rest.len() - rest.trim_ascii_start().len();
                    (tags_end + blank, "{match} ")
                }
                Some(last) => match ends.get(last as usize) {
                    Some(&end) => (end, " {match}"),
                    None => continue,
                },
            };
            let Some((before, after)) = place
                .checked_sub(written)
                .and_then(|length| rest.split_at_checked(length))
            else {
                continue;
            };
            out.write_all(before)?;
            out.write_all(mark.as_bytes())?;
            (written, rest) = (place, after);
        }
        out.write_all(rest)
    }
}

/// Where in a text the moves of the main line end, with their suffixes.
struct MoveEnds<'a> {
    text: &'a [u8],
    ends: Vec<usize>,
}

impl MoveEnds<'_> {
    fn of(text: &[u8]) -> Vec<usize> {
        let ends = Vec::new();
        let read = Reader::from_slice(text).read_game(&mut MoveEnds { text, ends });
        read.ok().flatten().and_then(Result::ok).unwrap_or_default()
    }
}

impl Visitor for MoveEnds<'_> {
    type Output = Vec<usize>;

    fn begin_game(&mut self) -> Flow {
        self.ends.clear();
        Flow::Continue(())
    }

    fn san(&mut self, token: &[u8]) -> Flow {
        // A token is part of the text that is read.
        let begin = token.as_ptr().addr().checked_sub(self.text.as_ptr().addr());
        let end = begin.map_or(usize::MAX, |begin| begin + token.len());
        let after = self.text.get(end..).unwrap_or_default();
        let suffix = after.iter().take_while(|byte| b"!?".contains(byte)).count();
        self.ends.push(end.saturating_add(suffix));
        Flow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Stop, Variation> {
        ControlFlow::Continue(Variation::Skip)
    }

    fn end_game(&mut self, _: RawGame<'_>) -> Vec<usize> {
        std::mem::take(&mut self.ends)
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
