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
    /// Whether a tag of this name says where a game starts, or what is played. No other is looked at.
    #[must_use]
    pub const fn is_told_by(name: &[u8]) -> bool {
        matches!(name, b"FEN" | b"Fen" | b"fen" | b"Variant" | b"variant")
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Flow, RawGame, Reader, Visitor};

    /// Tells a start only what it says to be of use, and another all.
    #[derive(Default)]
    struct Twins(Start, Start);

    impl Visitor for Twins {
        type Output = ();

        fn tag(&mut self, name: &[u8], value: RawTag<'_>) -> Flow {
            let told = self.0.tag(name, value);
            if Start::is_told_by(name) {
                assert_eq!(self.1.tag(name, value), told);
            } else {
                assert_eq!(told, Ok(()));
            }
            Flow::Continue(())
        }

        fn end_game(&mut self, _: RawGame<'_>) {}
    }

    #[test]
    fn names_that_are_not_asked_for_tell_nothing() {
        for name in [
            "FEN", "Fen", "fen", "FeN", "Variant", "variant", "VARIANT", "SetUp",
        ] {
            let values = ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Atomic"];
            for value in values {
                let text = format!("[{name} \"{value}\"]\n\n*\n");
                let mut twins = Twins::default();
                let read = Reader::from_slice(text.as_bytes()).read_game(&mut twins);
                assert!(read.unwrap().unwrap().is_ok());
                assert_eq!(twins.0.position(), twins.1.position(), "{text}");
            }
        }
    }
}
