//! A game about to be written, and how PGN becomes one.

use chess::{Move, Position};
use pgn::{LineId, NoteKind, Outcome};

use super::{Date, Eco, Info, encode_start};
use crate::Refusal;

/// A game about to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draft<'a> {
    /// The players and the event.
    pub info: Info<'a>,
    /// How the game ended.
    pub result: Outcome,
    /// Where it starts; `None` is the usual position.
    pub start: Option<Position>,
    /// Further tags, name and value.
    pub tags: Vec<(&'a [u8], &'a [u8])>,
    /// The moves.
    pub moves: Vec<Move>,
}

impl Default for Draft<'_> {
    fn default() -> Self {
        Draft {
            info: Info::default(),
            result: Outcome::Unknown,
            start: None,
            tags: Vec::new(),
            moves: Vec::new(),
        }
    }
}

/// A game out of PGN, and what of it BCGN has no place for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Drafted<'a> {
    /// What can be written.
    pub draft: Draft<'a>,
    /// What cannot.
    pub dropped: Dropped,
}

/// What a game loses in BCGN, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dropped {
    /// Comments, in the main line and in variations.
    pub comments: u64,
    /// Variations, nested ones too.
    pub variations: u64,
    /// Numeric glyphs and suffixes like `!`.
    pub nags: u64,
}

impl Dropped {
    /// Whether nothing is lost.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Dropped::default()
    }
}

/// The tags whose field is a number: a text that the number does not give back is kept beside it.
pub(super) const NUMBERS: [&[u8]; 6] = [
    b"Date",
    b"Round",
    b"WhiteElo",
    b"BlackElo",
    b"ECO",
    b"Result",
];

impl<'a> Draft<'a> {
    /// Takes from a game what BCGN has a place for: `FORMAT.md` §1.6.
    ///
    /// # Errors
    /// [`Refusal::NullMove`]: a game cannot go on without one of its moves.
    ///
    /// ```
    /// use scoresheet_archive::bcgn::Draft;
    /// let game = pgn::Game::parse(b"[Round \"4.1\"] 1. e4! {best} e5 *").unwrap();
    /// let drafted = Draft::from_pgn(&game).unwrap();
    /// assert_eq!(drafted.draft.tags, [(&b"Round"[..], &b"4.1"[..])]);
    /// assert_eq!((drafted.dropped.comments, drafted.dropped.nags), (1, 1));
    /// ```
    pub fn from_pgn(game: &'a pgn::Game) -> Result<Drafted<'a>, Refusal> {
        let line = game.main_line().moves().iter().enumerate();
        let moves: Result<Vec<Move>, Refusal> = line
            .map(|(ply, m)| m.ok_or(Refusal::NullMove { ply }))
            .collect();
        let mut draft = Draft {
            info: Info {
                white: game.tag(b"White").unwrap_or(b"?"),
                black: game.tag(b"Black").unwrap_or(b"?"),
                event: game.tag(b"Event").unwrap_or(b"?"),
                site: game.tag(b"Site").unwrap_or(b"?"),
                ..Info::default()
            },
            result: game
                .outcome()
                .or_else(|| game.tag_outcome())
                .unwrap_or(Outcome::Unknown),
            start: start_of(game),
            tags: Vec::new(),
            moves: moves?,
        };
        draft.read_numbers(game);
        draft.read_extra_tags(game);
        Ok(Drafted {
            draft,
            dropped: dropped_of(game),
        })
    }

    fn read_numbers(&mut self, game: &'a pgn::Game) {
        let number = |name: &[u8]| game.tag(name).and_then(parse_number).unwrap_or(0);
        let text = |name: &[u8]| game.tag(name).unwrap_or_default().trim_ascii();
        self.info.date = Date::parse(text(b"Date")).unwrap_or_default();
        self.info.round = number(b"Round");
        self.info.white_elo = number(b"WhiteElo");
        self.info.black_elo = number(b"BlackElo");
        self.info.eco = Eco::parse(text(b"ECO")).map_or([0; 2], Eco::to_bytes);
    }

    /// Everything that its field, if it has one, does not give back.
    fn read_extra_tags(&mut self, game: &'a pgn::Game) {
        let mut names_seen = [false; 4];
        for (name, value) in game.tags() {
            let name_field = [&b"White"[..], b"Black", b"Event", b"Site"]
                .into_iter()
                .zip(&mut names_seen)
                .find(|(field, _)| *field == name);
            let is_kept = if let Some((_, is_seen)) = name_field {
                std::mem::replace(is_seen, true)
            } else if NUMBERS.contains(&name) {
                self.number_text(name).as_deref().map(str::as_bytes) != Some(value)
                    || game.tags().filter(|(other, _)| *other == name).count() > 1
            } else if name == b"SetUp" {
                value != b"1" || self.start.is_none()
            } else if name == b"FEN" {
                !self.start.is_some_and(|start| is_plain_fen(&start, value))
            } else {
                true
            };
            if is_kept {
                self.tags.push((name, value));
            }
        }
    }

    /// What a reader makes of a number.
    fn number_text(&self, name: &[u8]) -> Option<String> {
        number_text(&self.info, self.result, name)
    }
}

/// The text of a tag whose field is a number; `None` if the tag is not there or has no such field.
pub(super) fn number_text(info: &Info<'_>, result: Outcome, name: &[u8]) -> Option<String> {
    let known = |number: u16| (number != 0).then(|| number.to_string());
    match name {
        b"Date" => Some(info.date.to_string()),
        b"Round" => Some(known(info.round).unwrap_or_else(|| "?".to_owned())),
        b"WhiteElo" => known(info.white_elo),
        b"BlackElo" => known(info.black_elo),
        b"ECO" => Eco::from_bytes(info.eco).map(|eco| eco.to_string()),
        b"Result" => Some(result.to_string()),
        _ => None,
    }
}

/// Whether a text is the FEN that is written for a start position, whose counters are not stored.
fn is_plain_fen(start: &Position, text: &[u8]) -> bool {
    plain_fen(start).as_bytes() == text
}

/// The FEN of a start position as it can be restored.
fn plain_fen(start: &Position) -> String {
    let restored = encode_start(start)
        .ok()
        .and_then(|bytes| super::decode_start(&bytes, 0).ok());
    restored.map_or_else(String::new, |position| position.to_string())
}

fn parse_number(text: &[u8]) -> Option<u16> {
    let text = text.trim_ascii();
    if !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    core::str::from_utf8(text).ok()?.parse().ok()
}

/// Whether a `FEN` says nothing.
pub(super) fn is_blank(fen: &[u8]) -> bool {
    matches!(fen.trim_ascii(), b"" | b"?")
}

/// A game with a `FEN` has its start position written, even if it is the usual one.
fn start_of(game: &pgn::Game) -> Option<Position> {
    let has_fen = game.tag(b"FEN").is_some_and(|text| !is_blank(text));
    (has_fen || *game.start() != Position::START).then_some(*game.start())
}

fn dropped_of(game: &pgn::Game) -> Dropped {
    let mut dropped = Dropped::default();
    let mut lines = vec![LineId::MAIN];
    while let Some(line) = lines.pop() {
        for note in game.notes(line) {
            match note.kind {
                NoteKind::Comment(_) => dropped.comments += 1,
                NoteKind::Nag(..) => dropped.nags += 1,
                NoteKind::Variation(id) => {
                    dropped.variations += 1;
                    lines.push(id);
                }
                NoteKind::Outcome(_) => {}
            }
        }
    }
    dropped
}
