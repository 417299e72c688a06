//! A move as people write it, and any game may have it.

use chess::{CastlingSide, Color, File, Move, Position, Rank, Role, Square};

use crate::QueryError;
use crate::pattern::mirror;

/// A move in short notation, of which as much matters as is written.
///
/// `Nf3` is any knight's move to f3, a capture or not; `Nxf3` takes; `Nbd2` comes from the b-file;
/// `e8=Q` promotes; `O-O` castles; `Qh7#` mates. `12. Nf3` is White's twelfth move, `12... Nf6`
/// Black's.
///
/// ```
/// use chess::Position;
/// use scoresheet_search::MovePattern;
/// let pattern = MovePattern::parse("Nf3")?;
/// let nf3 = Position::START.parse_san(b"Nf3")?;
/// assert!(pattern.matches(&Position::START, nf3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MovePattern {
    what: What,
    /// Whose move it must be.
    color: Option<Color>,
    /// The number it must have.
    number: Option<u16>,
    gives_check: bool,
    mates: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    Castles(CastlingSide),
    Goes(Goes),
}

/// A man goes to a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Goes {
    role: Role,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    to: Square,
    takes: bool,
    promotion: Option<Role>,
}

impl Goes {
    fn matches(&self, position: &Position, m: Move) -> bool {
        position.board().role_at(m.from()) == Some(self.role)
            && self.from_file.is_none_or(|file| m.from().file() == file)
            && self.from_rank.is_none_or(|rank| m.from().rank() == rank)
            && (!self.takes || m.is_capture())
            && (self.promotion.is_none() || m.promotion() == self.promotion)
    }
}

impl MovePattern {
    /// Reads a move.
    ///
    /// # Errors
    /// [`QueryError`] with the place in the text.
    pub fn parse(text: &str) -> Result<MovePattern, QueryError> {
        let fail = |at, expected: &str| QueryError::new("move", text, at, expected);
        let letters: Vec<char> = text.chars().collect();
        let mut start = letters.iter().take_while(|c| c.is_ascii_digit()).count();
        // `0-0` is castling, and no number.
        let dots = letters
            .iter()
            .skip(start)
            .take_while(|&&c| c == '.')
            .count();
        let (mut number, mut color) = (None, None);
        if start > 0 && dots > 0 {
            let digits: String = letters.iter().take(start).collect();
            number = Some(
                digits
                    .parse()
                    .map_err(|_| fail(0, "a smaller move number"))?,
            );
            color = Some(if dots == 1 {
                Color::White
            } else {
                Color::Black
            });
            start += dots;
            start += letters
                .iter()
                .skip(start)
                .take_while(|&&c| c == ' ')
                .count();
        } else {
            start = 0;
        }
        let mut end = letters.len();
        let signs = letters
            .iter()
            .skip(start)
            .rev()
            .take_while(|c| "+#!?".contains(**c));
        let signs: Vec<char> = signs.copied().collect();
        end -= signs.len();
        let body = letters.get(start..end).unwrap_or_default();
        let what = parse_body(body).ok_or_else(|| {
            fail(
                start,
                "a move such as e4, Nf3, Rxd8, Nbd2, e8=Q, O-O or O-O-O",
            )
        })?;
        Ok(MovePattern {
            what,
            color,
            number,
            gives_check: signs.contains(&'+'),
            mates: signs.contains(&'#'),
        })
    }

    /// Whether a move in a position is such a move.
    #[must_use]
    #[inline]
    pub fn matches(&self, position: &Position, m: Move) -> bool {
        let fits = match &self.what {
            What::Castles(side) => m.castling_side() == Some(*side),
            What::Goes(goes) => {
                m.to() == goes.to && m.castling_side().is_none() && goes.matches(position, m)
            }
        };
        fits && self.rest_matches(position, m)
    }

    fn rest_matches(&self, position: &Position, m: Move) -> bool {
        if self.color.is_some_and(|color| color != position.turn()) {
            return false;
        }
        if self
            .number
            .is_some_and(|number| number != position.fullmoves())
        {
            return false;
        }
        if !self.gives_check && !self.mates {
            return true;
        }
        let mut after = *position;
        after.play_unchecked(m);
        after.is_check() && (!self.mates || after.is_checkmate())
    }

    /// The same move of one side only.
    pub(crate) fn of(self, color: Color) -> MovePattern {
        MovePattern {
            color: Some(color),
            ..self
        }
    }

    /// The same with the files from right to left. Castling stays as it is.
    pub(crate) fn mirrored(&self) -> MovePattern {
        let what = match self.what {
            What::Goes(goes) => What::Goes(Goes {
                from_file: goes
                    .from_file
                    .and_then(|file| File::from_index(7 - file.index())),
                to: mirror(goes.to),
                ..goes
            }),
            castles => castles,
        };
        MovePattern {
            what,
            ..self.clone()
        }
    }

    /// The same move of the other side.
    pub(crate) fn flipped(&self) -> MovePattern {
        let what = match self.what {
            What::Goes(goes) => What::Goes(Goes {
                from_rank: goes
                    .from_rank
                    .and_then(|rank| Rank::from_index(7 - rank.index())),
                to: goes.to.flip_ranks(),
                ..goes
            }),
            castles => castles,
        };
        MovePattern {
            what,
            color: self.color.map(|color| !color),
            ..self.clone()
        }
    }
}

fn parse_body(body: &[char]) -> Option<What> {
    let text: String = body.iter().collect();
    match text.as_str() {
        "O-O" | "0-0" => return Some(What::Castles(CastlingSide::KingSide)),
        "O-O-O" | "0-0-0" => return Some(What::Castles(CastlingSide::QueenSide)),
        _ => {}
    }
    let (role, rest) = match body.split_first()? {
        (letter @ ('K' | 'Q' | 'R' | 'B' | 'N'), rest) => (Role::from_char(*letter)?, rest),
        ('P', rest) => (Role::Pawn, rest),
        _ => (Role::Pawn, body),
    };
    let (rest, promotion) = match rest {
        [before @ .., '=', letter @ ('Q' | 'R' | 'B' | 'N')]
        | [before @ .., letter @ ('Q' | 'R' | 'B' | 'N')]
            if role == Role::Pawn =>
        {
            (before, Some(Role::from_char(*letter)?))
        }
        _ => (rest, None),
    };
    let [before @ .., file, rank] = rest else {
        return None;
    };
    let to = Square::new(File::from_char(*file)?, Rank::from_char(*rank)?);
    let (before, takes) = match before {
        [before @ .., 'x' | ':'] => (before, true),
        [before @ .., '-'] => (before, false),
        _ => (before, false),
    };
    let (from_file, from_rank) = match before {
        [] => (None, None),
        [file, rank] => (Some(File::from_char(*file)?), Some(Rank::from_char(*rank)?)),
        [one] => (File::from_char(*one), Rank::from_char(*one)),
        _ => return None,
    };
    if !before.is_empty() && from_file.is_none() && from_rank.is_none() {
        return None;
    }
    Some(What::Goes(Goes {
        role,
        from_file,
        from_rank,
        to,
        takes,
        promotion,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_much_matters_as_is_written() {
        let position: Position = "4k3/P7/8/3p4/4P3/1N3N2/8/R3K2R w KQ - 0 12"
            .parse()
            .expect("a position");
        let cases = [
            ("exd5", "d5", true),
            ("exd5", "exd5", true),
            ("exd5", "Pd5", true),
            ("exd5", "cxd5", false),
            ("exd5", "12. exd5", true),
            ("exd5", "12.d5", true),
            ("exd5", "12...d5", false),
            ("exd5", "13.d5", false),
            ("Nbd4", "Nd4", true),
            ("Nbd4", "Nbd4", true),
            ("Nbd4", "Nb3-d4", true),
            ("Nbd4", "Nfd4", false),
            ("Nbd4", "Nxd4", false),
            ("O-O", "O-O", true),
            ("O-O", "0-0", true),
            ("O-O", "O-O-O", false),
            ("O-O", "Kg1", false),
            ("a8=Q+", "a8", true),
            ("a8=Q+", "a8=Q", true),
            ("a8=Q+", "a8Q+", true),
            ("a8=Q+", "a8=R", false),
            ("a8=Q+", "a8=Q#", false),
            ("a8=N", "a8+", false),
        ];
        for (san, pattern, matches) in cases {
            let m = position.parse_san(san.as_bytes()).expect(san);
            let pattern = MovePattern::parse(pattern).expect(pattern);
            assert_eq!(pattern.matches(&position, m), matches, "{san} {pattern:?}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "e9",
            "Xf3",
            "N",
            "12.",
            "e4e5e6",
            "abcde4",
            "Q=Q",
            "99999999.e4",
            "++",
            "é4",
        ] {
            assert!(MovePattern::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn turned_twice_is_not_turned() {
        for text in ["Nbd2", "R1xa3", "O-O", "3... e5", "a8=Q"] {
            let pattern = MovePattern::parse(text).expect(text);
            assert_eq!(pattern.mirrored().mirrored(), pattern);
            assert_eq!(pattern.flipped().flipped(), pattern);
        }
    }
}
