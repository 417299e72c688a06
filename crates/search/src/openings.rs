//! Openings by their positions: who comes by another way comes to the same name.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use chess::{Keyed, Move, Position};

/// An opening that has a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Opening {
    /// The code in the Encyclopaedia of Chess Openings: `B90`.
    pub eco: &'static str,
    /// The name.
    pub name: &'static str,
    /// The moves that usually lead to it.
    pub moves: &'static str,
}

/// Generated; the script and the source are named in its first lines.
static TABLE: &str = include_str!("openings.tsv");

struct Openings {
    by_key: HashMap<u64, (Position, Opening)>,
    /// The plies of the longest way, and as many again: a game may lose time.
    plies: usize,
}

impl Opening {
    /// The opening of a position.
    ///
    /// ```
    /// use chess::Position;
    /// use scoresheet_search::Opening;
    /// let mut position = Position::START;
    /// for san in ["Nf3", "c5", "e4"] {
    ///     position.play(position.parse_san(san.as_bytes())?)?;
    /// }
    /// let opening = Opening::of(&position).ok_or("no name")?;
    /// assert!(opening.name.starts_with("Sicilian"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(position: &Position) -> Option<Opening> {
        Opening::with_key(position, position.key())
    }

    /// [`Opening::of`] for a position whose key is known.
    #[must_use]
    pub fn with_key(position: &Position, key: u64) -> Option<Opening> {
        let (known, opening) = openings().by_key.get(&key)?;
        // Keys can be forged.
        known.is_same_position(position).then_some(*opening)
    }

    /// All openings that have a name, in no order.
    pub fn all() -> impl Iterator<Item = Opening> {
        openings().by_key.values().map(|(_, opening)| *opening)
    }
}

/// Follows a game to the last of its positions that has a name.
///
/// ```
/// use chess::Position;
/// use scoresheet_search::Naming;
/// let mut naming = Naming::new(Position::START);
/// let mut position = Position::START;
/// for san in ["e4", "c5", "a4", "a5"] {
///     let m = position.parse_san(san.as_bytes())?;
///     naming.play(m);
///     position.play_unchecked(m);
/// }
/// assert_eq!(naming.opening().map(|opening| opening.eco), Some("B20"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Naming {
    keyed: Keyed,
    plies: usize,
    last: Option<Opening>,
}

impl Naming {
    /// At the start of a game.
    #[must_use]
    pub fn new(start: Position) -> Naming {
        let keyed = Keyed::new(start);
        Naming {
            last: Opening::with_key(keyed.position(), keyed.key()),
            keyed,
            plies: 0,
        }
    }

    /// Plays a legal move. `Break` says that no name comes later.
    pub fn play(&mut self, m: Move) -> ControlFlow<()> {
        if self.plies >= openings().plies {
            return ControlFlow::Break(());
        }
        self.plies += 1;
        self.keyed.play_unchecked(m);
        let opening = Opening::with_key(self.keyed.position(), self.keyed.key());
        self.last = opening.or(self.last);
        ControlFlow::Continue(())
    }

    /// The name, if there was one.
    #[must_use]
    pub fn opening(&self) -> Option<Opening> {
        self.last
    }
}

fn openings() -> &'static Openings {
    static OPENINGS: OnceLock<Openings> = OnceLock::new();
    OPENINGS.get_or_init(|| {
        let mut by_key: HashMap<u64, (Position, Opening)> = HashMap::with_capacity(4096);
        let mut lengths = HashMap::with_capacity(4096);
        let mut longest = 0;
        let mut way = Way::default();
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split('\t');
            let fields = (fields.next(), fields.next(), fields.next());
            let (Some(eco), Some(name), Some(moves)) = fields else {
                continue;
            };
            let Some(end) = way.go(moves) else { continue };
            let length = way.steps.len();
            longest = longest.max(length);
            // Of two names for a position the one with the shorter way stays.
            let known = lengths.entry(end.key()).or_insert(usize::MAX);
            if length < *known {
                *known = length;
                let opening = Opening { eco, name, moves };
                by_key.insert(end.key(), (*end.position(), opening));
            }
        }
        let plies = 2 * longest;
        Openings { by_key, plies }
    })
}

/// The way to a position. The next one begins where both part: lines that begin alike stand together,
/// so that most moves are played once.
#[derive(Default)]
struct Way {
    /// Moves, and the positions after them.
    steps: Vec<(&'static str, Keyed)>,
}

impl Way {
    fn go(&mut self, moves: &'static str) -> Option<Keyed> {
        let mut is_alike = true;
        for (i, san) in moves.split(' ').enumerate() {
            is_alike &= self.steps.get(i).is_some_and(|(known, _)| *known == san);
            if is_alike {
                continue;
            }
            self.steps.truncate(i);
            let mut keyed = self.end();
            let m = keyed.position().parse_san(san.as_bytes()).ok()?;
            keyed.play_unchecked(m);
            self.steps.push((san, keyed));
        }
        Some(self.end())
    }

    fn end(&self) -> Keyed {
        let end = self.steps.last().map(|(_, end)| *end);
        end.unwrap_or_else(|| Keyed::new(Position::START))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_legal_and_named() {
        let mut lines = 0;
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let moves = line.split('\t').nth(2).expect("three fields");
            let position = Way::default()
                .go(moves)
                .unwrap_or_else(|| panic!("not legal: {line}"));
            assert!(Opening::of(&position).is_some(), "{line}");
            lines += 1;
        }
        assert!(lines > 1900, "{lines}");
    }
}
