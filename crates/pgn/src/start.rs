//! Where a game starts: what the tags `FEN` and `Variant` say.

use chess::Position;

use crate::{Cause, RawTag};

/// Gathers the tags that say where a game starts.
///
/// `SetUp` is not needed: a `FEN` counts with it and without it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Start {
    fen: Option<Position>,
}

/// Names under which chess and Chess960 are played, in small letters without spaces and signs.
const VARIANTS: [&str; 16] = [
    "",
    "?",
    "standard",
    "chess",
    "normal",
    "regular",
    "classical",
    "orthodox",
    "fromposition",
    "chess960",
    "fischerandom",
    "fischerandomchess",
    "fischerrandom",
    "fischerrandomchess",
    "freestyle",
    "frc",
];

impl Start {
    /// Takes note of a tag.
    ///
    /// # Errors
    /// [`Cause::Fen`] or [`Cause::Variant`]: nobody can replay this game.
    #[inline]
    pub fn tag(&mut self, name: &[u8], value: RawTag<'_>) -> Result<(), Cause> {
        match name {
            b"FEN" | b"Fen" | b"fen" => self.fen(value),
            b"Variant" | b"variant" => variant(value),
            _ => Ok(()),
        }
    }

    #[cold]
    fn fen(&mut self, value: RawTag<'_>) -> Result<(), Cause> {
        let text = value.decode();
        let text = text.trim();
        if text.is_empty() || text == "?" {
            return Ok(());
        }
        let position = text.parse::<Position>().map_err(Cause::Fen)?;
        self.fen = Some(position);
        Ok(())
    }

    /// The position before the first move.
    #[must_use]
    pub fn position(&self) -> Position {
        self.fen.unwrap_or(Position::START)
    }
}

#[cold]
fn variant(value: RawTag<'_>) -> Result<(), Cause> {
    // As Lichess writes it, where it does.
    if value.raw() == b"Standard" {
        return Ok(());
    }
    let name = value.decode();
    let plain: String = name
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == '?')
        .map(|c| c.to_ascii_lowercase())
        .take(64)
        .collect();
    if VARIANTS.contains(&plain.as_str()) {
        Ok(())
    } else {
        Err(Cause::Variant(name.chars().take(64).collect()))
    }
}
