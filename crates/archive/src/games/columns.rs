//! Which columns of an archive are read.

use core::fmt;
use core::ops::{BitOr, Sub};

use super::tag_column::{self, TAGS};

/// The columns beside those of tags.
const OTHERS: [&str; 14] = [
    "tag_order",
    "tags",
    "flags",
    "plies",
    "moves",
    "clocks",
    "evals",
    "annotations",
    "final_pieces",
    "final_pawns",
    "home_left",
    "error",
    "layout",
    "difference",
];

const COUNT: usize = TAGS.len() + OTHERS.len();
const _: () = assert!(COUNT <= 64);

/// A set of columns: what a reader wants to see of the games. The rest is neither read nor checked.
///
/// ```
/// use scoresheet_archive::games::Columns;
/// let columns = Columns::MOVES | Columns::tag("White") | Columns::tag("WhiteElo");
/// assert!(columns.contains("white_elo") && !columns.contains("black"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Columns(u64);

impl Columns {
    /// No more than what tells games from other rows, which is always read.
    pub const NONE: Columns = Columns::of(&["flags"]);
    /// How long games are.
    pub const PLIES: Columns = Columns::of(&["flags", "plies"]);
    /// All of them: what it takes to restore the text.
    pub const ALL: Columns = Columns(u64::MAX >> (64 - COUNT));
    /// What the start position is read from.
    pub const START: Columns = Columns::of(&["flags", "fen", "tags", "tag_order"]);
    /// What it takes to play through games.
    pub const MOVES: Columns = Columns(Columns::START.0 | Columns::of(&["plies", "moves"]).0);
    /// What lets a search skip games: material at the end, home squares left.
    pub const SKIP: Columns = Columns::of(&["flags", "final_pieces", "final_pawns", "home_left"]);
    /// All tags.
    pub const TAGS: Columns = Columns(
        u64::MAX >> (64 - TAGS.len()) | Columns::of(&["flags", "tags", "tag_order", "plies"]).0,
    );

    /// The columns of these names. Names of none are left out.
    #[allow(clippy::indexing_slicing)] // In bounds: a const function can do no better.
    const fn of(names: &[&str]) -> Columns {
        let mut set = 0;
        let mut i = 0;
        while i < COUNT {
            let mut j = 0;
            while j < names.len() {
                if is_same(name_of(i), names[j]) {
                    set |= 1 << i;
                }
                j += 1;
            }
            i += 1;
        }
        Columns(set)
    }

    /// The columns of these names, and no others.
    pub(crate) fn of_names<'a>(names: impl Iterator<Item = &'a str>) -> Columns {
        names.fold(Columns(0), |all, name| all | Columns::of(&[name]))
    }

    /// The column of this name, as FORMAT.md lists them. `None` if there is none.
    #[must_use]
    pub fn named(column: &str) -> Option<Columns> {
        let columns = Columns::of(&[column]);
        (columns.0 != 0).then_some(columns | Columns::NONE)
    }

    /// What a tag is read from: its column if it has one, and the place for all other tags.
    #[must_use]
    pub fn tag(name: &str) -> Columns {
        let others = Columns::of(&["flags", "tags", "tag_order"]);
        let column = tag_column::find(name.as_bytes()).map_or(Columns::NONE, |i| Columns(1 << i));
        let derived = match name {
            "PlyCount" => Columns::of(&["plies"]),
            "UTCDate" => Columns::of(&["date"]),
            _ => Columns::NONE,
        };
        column | others | derived
    }

    /// Whether a column is in the set.
    #[must_use]
    pub fn contains(self, column: &str) -> bool {
        Columns::of(&[column]).0 & self.0 != 0
    }

    /// The names, in the order of the file.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        (0..COUNT)
            .filter(move |i| self.0 >> i & 1 != 0)
            .map(name_of)
    }
}

#[allow(clippy::indexing_slicing)] // In bounds: a const function can do no better.
const fn name_of(i: usize) -> &'static str {
    if i < TAGS.len() {
        TAGS[i].column
    } else {
        OTHERS[i - TAGS.len()]
    }
}

#[allow(clippy::indexing_slicing)] // In bounds: a const function can do no better.
const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

impl BitOr for Columns {
    type Output = Columns;

    fn bitor(self, other: Columns) -> Columns {
        Columns(self.0 | other.0)
    }
}

impl Sub for Columns {
    type Output = Columns;

    fn sub(self, other: Columns) -> Columns {
        Columns(self.0 & !other.0)
    }
}

impl fmt::Debug for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::row_builder::whole_schema;

    #[test]
    fn the_names_are_those_of_the_file() {
        let schema = whole_schema();
        let fields: Vec<&str> = schema.fields().iter().map(|f| f.name().as_str()).collect();
        let names: Vec<&str> = Columns::ALL.names().collect();
        assert_eq!(names, fields);
    }

    #[test]
    fn every_name_in_a_set_is_a_column() {
        assert_eq!(Columns::NONE.names().count(), 1);
        assert_eq!(Columns::START.names().count(), 4);
        assert_eq!(Columns::MOVES.names().count(), 6);
        assert_eq!(Columns::SKIP.names().count(), 4);
        assert_eq!(Columns::TAGS.names().count(), TAGS.len() + 4);
        assert_eq!(
            Columns::named("moves"),
            Some(Columns::of(&["flags", "moves"]))
        );
        assert_eq!(Columns::named("Moves"), None);
        assert!(Columns::tag("Opening").contains("opening"));
        assert!(Columns::tag("Mood").contains("tags"));
    }
}
