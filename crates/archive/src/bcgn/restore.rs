//! An entry becomes a game of PGN again.

use std::ops::ControlFlow;

use chess::Position;
use pgn::{Game, LineId};

use super::draft::{NUMBERS, is_blank, number_text};
use super::{Eco, Entry, Header, encode_start};
use crate::ArchiveError;

/// A game out of a file, and what of it PGN has no place for. In files that we wrote that is
/// nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Restored {
    /// The game.
    pub game: Game,
    /// Names and values with line ends or other control bytes, now spaces; and tags left out because
    /// PGN has no such names.
    pub odd_tags: u64,
    /// Whether the bytes of the ECO code are none. They are left out.
    pub has_odd_eco: bool,
    /// Whether an extra tag `FEN` contradicts the start position. It is left out.
    pub has_odd_fen: bool,
}

impl Entry<'_> {
    /// The whole game, every move checked.
    ///
    /// # Errors
    /// [`ArchiveError::Format`] if the entry is damaged.
    ///
    /// ```
    /// use scoresheet_archive::bcgn::{Entry, Format, Level};
    /// let bytes = [0, 6, 0, 1 << 2 | 1, 0, 67];
    /// let entry = Entry::new(Format::new(Level::Index).headerless(), &bytes, 32, 0);
    /// let game = entry.to_pgn()?.game;
    /// assert_eq!(game.tag(b"Result"), Some(&b"1-0"[..]));
    /// assert_eq!(game.main_line().moves().len(), 1);
    /// # Ok::<(), scoresheet_archive::ArchiveError>(())
    /// ```
    pub fn to_pgn(&self) -> Result<Restored, ArchiveError> {
        let header = self.header()?;
        let fen = Fen::of(&header);
        let mut restored = Restored {
            game: Game::new(fen.start),
            odd_tags: 0,
            has_odd_eco: header.info.eco != [0; 2] && Eco::from_bytes(header.info.eco).is_none(),
            has_odd_fen: fen.is_odd,
        };
        restored.push_tags(&header, &fen, self.format().is_headerless);
        self.replay(&header, |_, m| {
            restored.game.push_move(LineId::MAIN, Some(m));
            ControlFlow::Continue(())
        })?;
        restored.game.set_outcome(Some(header.result));
        Ok(restored)
    }
}

impl Restored {
    /// The roster in its order, then what else has a field, then the rest as it stands.
    fn push_tags(&mut self, header: &Header<'_>, fen: &Fen<'_>, is_headerless: bool) {
        let name = |name| if is_headerless { &b"?"[..] } else { name };
        let info = &header.info;
        self.push(b"Event", name(info.event));
        self.push(b"Site", name(info.site));
        self.push_number(b"Date", header);
        self.push_number(b"Round", header);
        self.push(b"White", name(info.white));
        self.push(b"Black", name(info.black));
        self.push_number(b"Result", header);
        self.push_number(b"WhiteElo", header);
        self.push_number(b"BlackElo", header);
        self.push_number(b"ECO", header);
        if header.start.is_some() {
            if first_tag(header, b"SetUp").is_none() {
                self.push(b"SetUp", b"1");
            }
            match fen.text {
                Some(text) => self.push(b"FEN", text),
                None => self.push(b"FEN", fen.start.to_string().as_bytes()),
            }
        }
        self.push_extra_tags(header, fen);
    }

    /// A number, or the text among the extra tags that says more. // FORMAT.md §1.6
    fn push_number(&mut self, name: &[u8], header: &Header<'_>) {
        match first_tag(header, name) {
            Some(text) => self.push(name, text),
            None => {
                if let Some(text) = number_text(&header.info, header.result, name) {
                    self.push(name, text.as_bytes());
                }
            }
        }
    }

    fn push_extra_tags(&mut self, header: &Header<'_>, fen: &Fen<'_>) {
        let mut is_done = [false; NUMBERS.len()];
        let mut is_fen_done = !fen.is_odd && fen.text.is_none();
        for (name, value) in header.tags {
            let number = NUMBERS.iter().zip(&mut is_done);
            let is_field = match number.into_iter().find(|(number, _)| **number == name) {
                Some((_, is_done)) => !std::mem::replace(is_done, true),
                None => name == b"FEN" && !std::mem::replace(&mut is_fen_done, true),
            };
            if !is_field {
                self.push(name, value);
            }
        }
    }

    fn push(&mut self, name: &[u8], value: &[u8]) {
        if !is_tag_name(name) {
            self.odd_tags += 1;
        } else if value.iter().any(u8::is_ascii_control) {
            self.odd_tags += 1;
            let spaced = value.iter().map(|&byte| match byte {
                byte if byte.is_ascii_control() => b' ',
                byte => byte,
            });
            self.game.push_tag(name, &spaced.collect::<Vec<u8>>());
        } else {
            self.game.push_tag(name, value);
        }
    }
}

/// What PGN calls a symbol. // PGN §7
fn is_tag_name(name: &[u8]) -> bool {
    let is_symbol = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'#' | b'=' | b':' | b'-')
    };
    name.first().is_some_and(u8::is_ascii_alphanumeric) && name.iter().all(is_symbol)
}

fn first_tag<'a>(header: &Header<'a>, name: &[u8]) -> Option<&'a [u8]> {
    let mut tags = header.tags;
    tags.find(|(found, _)| *found == name)
        .map(|(_, value)| value)
}

/// Where a game starts. The 24 bytes have no counters; an extra tag `FEN` may have them.
struct Fen<'a> {
    start: Position,
    /// The extra tag, if it says the same as the 24 bytes.
    text: Option<&'a [u8]>,
    is_odd: bool,
}

impl<'a> Fen<'a> {
    fn of(header: &Header<'a>) -> Fen<'a> {
        let start = *header.start_position();
        let plain = Fen {
            start,
            text: None,
            is_odd: false,
        };
        let Some(text) = first_tag(header, b"FEN") else {
            return plain;
        };
        if header.start.is_none() && is_blank(text) {
            return plain;
        }
        let said = pgn::decode_text(text).trim().parse::<Position>();
        match said {
            Ok(said) if header.start.is_some() && encode_start(&said) == encode_start(&start) => {
                Fen {
                    start: said,
                    text: Some(text),
                    is_odd: false,
                }
            }
            _ => Fen {
                is_odd: true,
                ..plain
            },
        }
    }
}
