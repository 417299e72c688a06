//! The byte that says what a row is: `FORMAT.md`, §2.5.

use pgn::Outcome;

/// What a row holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowKind {
    /// A game.
    Game,
    /// A game with a fault: its text is kept, and the fault told.
    Bad,
    /// Text that is no game, or part of a game too large to be one.
    Text,
}

/// How the result in the movetext is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StoredOutcome {
    /// It is that of the tag `Result`; none if the tag gives none.
    AsTag,
    /// There is none, though the tag gives one.
    Missing,
    /// It is this one.
    Own(Outcome),
}

impl StoredOutcome {
    pub(crate) fn of(outcome: Option<Outcome>, tag: Option<Outcome>) -> StoredOutcome {
        match outcome {
            _ if outcome == tag => StoredOutcome::AsTag,
            None => StoredOutcome::Missing,
            Some(outcome) => StoredOutcome::Own(outcome),
        }
    }

    pub(crate) fn resolve(self, tag: Option<Outcome>) -> Option<Outcome> {
        match self {
            StoredOutcome::AsTag => tag,
            StoredOutcome::Missing => None,
            StoredOutcome::Own(outcome) => Some(outcome),
        }
    }
}

/// The byte: bits 0 and 1 the kind, bit 2 Latin-1, bit 3 moves as words, bits 4 to 6 the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Flags(u8);

impl Flags {
    pub(crate) fn new(kind: RowKind) -> Flags {
        Flags(kind as u8)
    }

    /// The flags of a byte. `None` if it is none.
    pub(crate) fn from_byte(byte: u8) -> Option<Flags> {
        (byte & 3 < 3 && byte >> 4 < 6).then_some(Flags(byte))
    }

    pub(crate) fn byte(self) -> u8 {
        self.0
    }

    pub(crate) fn kind(self) -> RowKind {
        match self.0 & 3 {
            0 => RowKind::Game,
            1 => RowKind::Bad,
            _ => RowKind::Text,
        }
    }

    pub(crate) fn set_latin1(&mut self) {
        self.0 |= 4;
    }

    pub(crate) fn is_latin1(self) -> bool {
        self.0 & 4 != 0
    }

    pub(crate) fn set_word(&mut self) {
        self.0 |= 8;
    }

    pub(crate) fn is_word(self) -> bool {
        self.0 & 8 != 0
    }

    pub(crate) fn set_outcome(&mut self, outcome: StoredOutcome) {
        let number = match outcome {
            StoredOutcome::AsTag => 0,
            StoredOutcome::Missing => 1,
            StoredOutcome::Own(Outcome::WhiteWins) => 2,
            StoredOutcome::Own(Outcome::BlackWins) => 3,
            StoredOutcome::Own(Outcome::Draw) => 4,
            StoredOutcome::Own(Outcome::Unknown) => 5,
        };
        self.0 = self.0 & 0x0f | number << 4;
    }

    pub(crate) fn outcome(self) -> StoredOutcome {
        match self.0 >> 4 {
            0 => StoredOutcome::AsTag,
            1 => StoredOutcome::Missing,
            2 => StoredOutcome::Own(Outcome::WhiteWins),
            3 => StoredOutcome::Own(Outcome::BlackWins),
            4 => StoredOutcome::Own(Outcome::Draw),
            _ => StoredOutcome::Own(Outcome::Unknown),
        }
    }
}
