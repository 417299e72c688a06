//! What can happen in a game that is worth finding.

use core::fmt;
use core::str::FromStr;

use chess::{Move, MoveKind, Position, Role};

/// An event: of a position, or of the move that is played in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The side to move is in check.
    Check,
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move, and is not in check.
    Stalemate,
    /// A man is taken.
    Capture,
    /// A pawn takes in passing.
    EnPassant,
    /// A king castles.
    Castling,
    /// A pawn promotes.
    Promotion,
    /// A pawn promotes, and not to a queen.
    Underpromotion,
}

impl Event {
    /// All events.
    pub const ALL: [Event; 8] = [
        Event::Check,
        Event::Checkmate,
        Event::Stalemate,
        Event::Capture,
        Event::EnPassant,
        Event::Castling,
        Event::Promotion,
        Event::Underpromotion,
    ];

    /// The name, the same in queries and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Event::Check => "check",
            Event::Checkmate => "checkmate",
            Event::Stalemate => "stalemate",
            Event::Capture => "capture",
            Event::EnPassant => "en-passant",
            Event::Castling => "castling",
            Event::Promotion => "promotion",
            Event::Underpromotion => "underpromotion",
        }
    }

    /// Whether it happens here. `m` is the move that is played, if the game goes on.
    #[inline]
    pub(crate) fn happens(self, position: &Position, m: Option<Move>) -> bool {
        match self {
            Event::Check => position.is_check(),
            // Nobody moves after these two: positions in which somebody does need no look.
            Event::Checkmate => m.is_none() && position.is_checkmate(),
            Event::Stalemate => m.is_none() && position.is_stalemate(),
            Event::Capture => m.is_some_and(Move::is_capture),
            Event::EnPassant => m.is_some_and(|m| m.kind() == MoveKind::EnPassant),
            Event::Castling => m.is_some_and(|m| m.castling_side().is_some()),
            Event::Promotion => m.is_some_and(|m| m.promotion().is_some()),
            Event::Underpromotion => {
                let promotion = m.and_then(Move::promotion);
                promotion.is_some_and(|role| role != Role::Queen)
            }
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The name is none of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownEvent;

impl fmt::Display for UnknownEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one of: ")?;
        for (i, event) in Event::ALL.iter().enumerate() {
            write!(f, "{}{event}", if i > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownEvent {}

impl FromStr for Event {
    type Err = UnknownEvent;

    fn from_str(name: &str) -> Result<Event, UnknownEvent> {
        let event = Event::ALL.into_iter().find(|event| event.name() == name);
        event.ok_or(UnknownEvent)
    }
}
