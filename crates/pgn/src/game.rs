//! A game that owns its parts.

use std::ops::Range;

use chess::{Move, Position};

use crate::{CommentKind, Nag, Outcome, RawComment, decode_text};

/// The number of a line in a game. The main line is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineId(pub(crate) usize);

impl LineId {
    /// The main line.
    pub const MAIN: LineId = LineId(0);

    /// The number: lines are numbered in the order in which they begin in the text.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0
    }
}

/// What stands between two moves, as it is kept: comments are places in the game's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stored {
    Comment(Range<usize>, CommentKind),
    Nag(Nag, bool),
    Variation(LineId),
    Outcome(Outcome),
}

/// A line of moves, with what stands between them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    pub(crate) parent: Option<(LineId, usize)>,
    pub(crate) moves: Vec<Option<Move>>,
    pub(crate) notes: Vec<(usize, Stored)>,
}

impl Line {
    /// The moves; `None` is a null move.
    #[must_use]
    pub fn moves(&self) -> &[Option<Move>] {
        &self.moves
    }

    /// The line that this one varies, and how many moves of it are played first. `None` for the
    /// main line.
    #[must_use]
    pub const fn parent(&self) -> Option<(LineId, usize)> {
        self.parent
    }
}

/// What stands between two moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoteKind<'a> {
    /// A comment.
    Comment(RawComment<'a>),
    /// A glyph; `true` if it is written as a suffix (`!`) and not as a number (`$1`).
    Nag(Nag, bool),
    /// A variation to the last move.
    Variation(LineId),
    /// A result inside a variation.
    Outcome(Outcome),
}

/// A note and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Note<'a> {
    /// How many moves of the line stand before it.
    pub after: usize,
    /// What it is.
    pub kind: NoteKind<'a>,
}

/// A game: tags in order, a start position, the main line, comments, glyphs and variations in
/// the order of the text, and the result.
///
/// Variations live in one arena and are named by [`LineId`]; there is no recursion in reading,
/// writing or dropping a game, however deep it is nested.
///
/// ```
/// use scoresheet_pgn::{Game, LineId, NoteKind, Outcome};
/// let game = Game::parse(b"[White \"Ann\"] 1. e4! {best} (1. d4 d5) e5 1-0").unwrap();
/// assert_eq!(game.tag(b"White"), Some(&b"Ann"[..]));
/// assert_eq!(game.outcome(), Some(Outcome::WhiteWins));
/// assert_eq!(game.main_line().moves().len(), 2);
/// let notes: Vec<_> = game.notes(LineId::MAIN).collect();
/// assert_eq!(notes.len(), 3);
/// let NoteKind::Variation(variation) = notes[2].kind else { panic!() };
/// assert_eq!(game.line(variation).unwrap().moves().len(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// All text: names and values of tags, comments.
    pub(crate) text: Vec<u8>,
    pub(crate) tags: Vec<(Range<usize>, Range<usize>)>,
    pub(crate) start: Position,
    /// Never empty.
    pub(crate) lines: Vec<Line>,
    pub(crate) outcome: Option<Outcome>,
    /// How many notes of the main line stand after the result.
    pub(crate) notes_after_outcome: usize,
}

impl Default for Game {
    fn default() -> Game {
        Game::new(Position::START)
    }
}

impl Game {
    /// A game without tags and moves.
    #[must_use]
    pub fn new(start: Position) -> Game {
        Game {
            text: Vec::new(),
            tags: Vec::new(),
            start,
            lines: vec![Line::default()],
            outcome: None,
            notes_after_outcome: 0,
        }
    }

    /// The position before the first move.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The result at the end of the movetext.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The result in the tag `Result`, if it is one.
    #[must_use]
    pub fn tag_outcome(&self) -> Option<Outcome> {
        Outcome::parse(self.tag(b"Result")?.trim_ascii())
    }

    /// Sets the result at the end of the movetext.
    pub fn set_outcome(&mut self, outcome: Option<Outcome>) {
        self.outcome = outcome;
    }

    /// All tags in order, names and values.
    pub fn tags(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.tags
            .iter()
            .map(|(name, value)| (self.text(name), self.text(value)))
    }

    /// The value of the first tag with this name.
    #[must_use]
    pub fn tag(&self, name: &[u8]) -> Option<&[u8]> {
        self.tags()
            .find(|(found, _)| *found == name)
            .map(|(_, value)| value)
    }

    /// The value of a tag as text.
    #[must_use]
    pub fn tag_text(&self, name: &[u8]) -> Option<std::borrow::Cow<'_, str>> {
        self.tag(name).map(decode_text)
    }

    /// Adds a tag at the end.
    pub fn push_tag(&mut self, name: &[u8], value: &[u8]) {
        let name = self.push_text(name);
        let value = self.push_text(value);
        self.tags.push((name, value));
    }

    /// Sets the value of a tag, in its place if there is one.
    pub fn set_tag(&mut self, name: &[u8], value: &[u8]) {
        let place = self.tags().position(|(found, _)| found == name);
        let value_text = self.push_text(value);
        match place.and_then(|place| self.tags.get_mut(place)) {
            Some(tag) => tag.1 = value_text,
            None => {
                let name = self.push_text(name);
                self.tags.push((name, value_text));
            }
        }
    }

    /// The main line.
    #[must_use]
    #[allow(clippy::missing_panics_doc)]
    pub fn main_line(&self) -> &Line {
        self.lines.first().expect("every game has a main line")
    }

    /// All lines, the main line first, then in the order in which they begin in the text.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// A line; `None` if the number is of another game.
    #[must_use]
    pub fn line(&self, id: LineId) -> Option<&Line> {
        self.lines.get(id.0)
    }

    /// What stands between the moves of a line, in the order of the text.
    pub fn notes(&self, id: LineId) -> impl Iterator<Item = Note<'_>> {
        let notes = self.line(id).map_or(&[][..], |line| &line.notes);
        notes.iter().map(|(after, stored)| Note {
            after: *after,
            kind: self.note_kind(stored),
        })
    }

    pub(crate) fn note_kind(&self, stored: &Stored) -> NoteKind<'_> {
        match stored {
            Stored::Comment(range, kind) => {
                NoteKind::Comment(RawComment::new(self.text(range), *kind))
            }
            Stored::Nag(nag, is_suffix) => NoteKind::Nag(*nag, *is_suffix),
            Stored::Variation(id) => NoteKind::Variation(*id),
            Stored::Outcome(outcome) => NoteKind::Outcome(*outcome),
        }
    }

    /// How many notes of the main line, the last ones, stand after the result.
    #[must_use]
    pub const fn notes_after_outcome(&self) -> usize {
        self.notes_after_outcome
    }

    /// Adds a move to a line. That it is legal is the caller's affair; the writer writes illegal
    /// moves as best it can.
    pub fn push_move(&mut self, id: LineId, m: Option<Move>) {
        if let Some(line) = self.lines.get_mut(id.0) {
            line.moves.push(m);
        }
    }

    /// Adds a comment after the last move of a line. A `}` in it cannot be written in PGN and is
    /// written as `)`.
    pub fn push_comment(&mut self, id: LineId, text: &[u8]) {
        let range = self.push_text(text);
        self.push_note(id, Stored::Comment(range, CommentKind::Brace));
    }

    /// Adds a glyph after the last move of a line.
    pub fn push_nag(&mut self, id: LineId, nag: Nag, is_suffix: bool) {
        self.push_note(id, Stored::Nag(nag, is_suffix));
    }

    /// Begins a variation to the last move of a line. `None` if the line has no move, or if there
    /// is no such line.
    pub fn push_variation(&mut self, id: LineId) -> Option<LineId> {
        let before = self.line(id)?.moves.len().checked_sub(1)?;
        let variation = LineId(self.lines.len());
        self.push_note(id, Stored::Variation(variation));
        self.lines.push(Line {
            parent: Some((id, before)),
            ..Line::default()
        });
        Some(variation)
    }

    pub(crate) fn push_note(&mut self, id: LineId, note: Stored) {
        if let Some(line) = self.lines.get_mut(id.0) {
            line.notes.push((line.moves.len(), note));
        }
    }

    pub(crate) fn push_text(&mut self, text: &[u8]) -> Range<usize> {
        let start = self.text.len();
        self.text.extend_from_slice(text);
        start..self.text.len()
    }

    fn text(&self, range: &Range<usize>) -> &[u8] {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// Reads the first game of a text.
    ///
    /// # Errors
    /// [`GameError`](crate::GameError) if it is bad. A text without any game gives a game without
    /// tags and moves.
    pub fn parse(text: &[u8]) -> Result<Game, crate::GameError> {
        let mut reader = crate::Reader::from_slice(text);
        let game = reader.read_game(&mut crate::GameBuilder::new());
        // Memory gives no I/O errors.
        game.ok().flatten().unwrap_or_else(|| Ok(Game::default()))
    }
}
