//! How many men of each kind.

use chess::{Board, Color, Piece, Role};

use crate::QueryError;
use crate::needs::Needs;

/// All roles but the king, which is always there.
const ROLES: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// The men of both sides: exactly, at least, or at most so many of each kind.
///
/// `KRPPvKRP` is rook and two pawns against rook and pawn. A sign after a kind loosens it: `P+` is
/// one pawn or more, `PP-` two or fewer, `P*` any number. `KBNKP` is short for `KBNvKP`.
///
/// ```
/// use chess::Position;
/// use scoresheet_search::Material;
/// let rook_ending = Material::parse("KRP+vKRP*")?;
/// let position: Position = "8/5k2/5p2/8/8/4P3/3PK3/r6R w - - 0 1".parse()?;
/// assert!(rook_ending.matches(position.board()));
/// assert!(!rook_ending.matches(Position::START.board()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Material {
    /// The least and the most, by side and role.
    counts: [[(u8, u8); ROLES.len()]; 2],
}

/// More than a board has.
const MANY: u8 = 64;

impl Material {
    /// Reads a signature.
    ///
    /// # Errors
    /// [`QueryError`] with the place in the text.
    pub fn parse(text: &str) -> Result<Material, QueryError> {
        let fail = |at, expected: &str| QueryError::new("material", text, at, expected);
        let letters: Vec<char> = text.chars().collect();
        let mut counts = [[(0, 0); ROLES.len()]; 2];
        let mut side = None;
        let mut at = 0;
        while let Some(&letter) = letters.get(at) {
            match letter {
                'K' => {
                    side = Some(match side {
                        None => 0,
                        Some(0) => 1,
                        Some(_) => return Err(fail(at, "no third king")),
                    });
                    at += 1;
                    continue;
                }
                'v' if side == Some(0) && letters.get(at + 1) == Some(&'K') => {
                    at += 1;
                    continue;
                }
                _ => {}
            }
            let Some(side) = side else {
                return Err(fail(at, "K first"));
            };
            let Some(role) = ROLES.iter().position(|role| role.upper_char() == letter) else {
                return Err(fail(
                    at,
                    "a man (K, Q, R, B, N, P), v before the second K, or + - *",
                ));
            };
            let same = letters
                .iter()
                .skip(at)
                .take_while(|&&c| c == letter)
                .count();
            let count = u8::try_from(same).unwrap_or(MANY).min(MANY);
            let (range, signs) = match letters.get(at + same) {
                Some('+') => ((count, MANY), 1),
                Some('-') => ((0, count), 1),
                Some('*') => ((0, MANY), 1),
                _ => ((count, count), 0),
            };
            let slot = counts.get_mut(side).and_then(|side| side.get_mut(role));
            match slot {
                Some(slot) if *slot == (0, 0) => *slot = range,
                _ => return Err(fail(at, "each kind once a side")),
            }
            at += same + signs;
        }
        if side != Some(1) {
            return Err(fail(letters.len(), "two kings, as in KRvKR"));
        }
        Ok(Material { counts })
    }

    /// Whether a board has these men.
    #[must_use]
    pub fn matches(&self, board: &Board) -> bool {
        Color::ALL.iter().zip(&self.counts).all(|(&color, counts)| {
            ROLES.iter().zip(counts).all(|(&role, &(least, most))| {
                let count = board.by_piece(Piece::new(color, role)).len();
                (usize::from(least)..=usize::from(most)).contains(&count)
            })
        })
    }

    pub(crate) fn flipped(&self) -> Material {
        let [white, black] = self.counts;
        Material {
            counts: [black, white],
        }
    }

    pub(crate) fn needs(&self) -> Needs {
        let mut needs = Needs::NOTHING;
        for (&color, counts) in Color::ALL.iter().zip(&self.counts) {
            let side = needs.side_mut(color);
            if let Some(&(least, most)) = counts.first() {
                side.least_pawns = least.into();
                side.most_pawns = most.into();
            }
            side.least_men = 1 + counts
                .iter()
                .map(|&(least, _)| usize::from(least))
                .sum::<usize>();
            side.most_men = 1 + counts
                .iter()
                .map(|&(_, most)| usize::from(most))
                .sum::<usize>();
        }
        needs
    }
}

/// By how many men of each kind the sides differ: `PPvN` is two pawns more for a knight.
///
/// ```
/// use chess::Position;
/// use scoresheet_search::Imbalance;
/// let position: Position = "4k3/8/8/8/8/8/4PP2/4K1N1 w - - 0 1".parse()?;
/// assert!(Imbalance::parse("NPPv")?.matches(position.board()));
/// assert!(!Imbalance::parse("PPvN")?.matches(position.board()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imbalance {
    /// What White has more than Black, by role.
    surplus: [i8; ROLES.len()],
}

impl Imbalance {
    /// Reads what White has more, `v`, and what Black has more.
    ///
    /// # Errors
    /// [`QueryError`] with the place in the text.
    pub fn parse(text: &str) -> Result<Imbalance, QueryError> {
        let fail = |at, expected: &str| QueryError::new("imbalance", text, at, expected);
        let mut surplus = [0_i8; ROLES.len()];
        let mut sign = 1;
        for (at, letter) in text.chars().enumerate() {
            if letter == 'v' && sign == 1 {
                sign = -1;
                continue;
            }
            let role = ROLES.iter().position(|role| role.upper_char() == letter);
            let Some(slot) = role.and_then(|role| surplus.get_mut(role)) else {
                return Err(fail(at, "a man (Q, R, B, N, P), or v once"));
            };
            *slot = slot.saturating_add(sign);
        }
        if sign == 1 {
            return Err(fail(
                text.chars().count(),
                "v between the sides, as in PPvN",
            ));
        }
        Ok(Imbalance { surplus })
    }

    /// Whether the sides of a board differ so.
    #[must_use]
    pub fn matches(&self, board: &Board) -> bool {
        ROLES.iter().zip(self.surplus).all(|(&role, surplus)| {
            let men = board.by_role(role);
            let white = (men & board.by_color(Color::White)).len();
            let black = (men & board.by_color(Color::Black)).len();
            i8::try_from(white).unwrap_or(0) - i8::try_from(black).unwrap_or(0) == surplus
        })
    }

    pub(crate) fn flipped(&self) -> Imbalance {
        Imbalance {
            surplus: self.surplus.map(|surplus| -surplus),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_told_with_their_place() {
        for (text, at) in [
            ("", 0),
            ("K", 1),
            ("KR", 2),
            ("RvK", 0),
            ("KXvK", 1),
            ("KvKvK", 3),
            ("KPNPvK", 3),
            ("KKK", 2),
            ("KP++K", 3),
        ] {
            assert_eq!(Material::parse(text).expect_err(text).at, at, "{text}");
        }
        for (text, at) in [("", 0), ("PP", 2), ("PvPv", 3), ("KvP", 0)] {
            assert_eq!(Imbalance::parse(text).expect_err(text).at, at, "{text}");
        }
    }

    #[test]
    fn both_spellings_are_the_same() {
        assert_eq!(Material::parse("KBNKP"), Material::parse("KBNvKP"));
        let material = Material::parse("KBN+vKPP-").expect("material");
        assert_eq!(material.flipped().flipped(), material);
        assert_eq!(
            Material::parse("KPP-KBN+").as_ref(),
            Ok(&material.flipped())
        );
    }
}
