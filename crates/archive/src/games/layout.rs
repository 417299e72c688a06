//! How the text of a game is laid out: everything in which two writers of the same game differ.
//!
//! The rules are frozen with the format (`FORMAT.md`, §2.8): an archive is restored by them, so a
//! rule may be added under a new letter, and none may change.

use core::fmt;

use chess::Position;

/// What goes to a line as a whole when lines are wrapped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Unit {
    /// Every word, those of comments too.
    Word,
    /// Tokens; a comment is one.
    Token,
    /// Number and move stay together; words of comments are words.
    Move,
    /// Number, move, glyphs and comments stay together.
    MoveAndComment,
}

/// When Black's move has a number of its own, other than at the begin of a line of moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum BlackNumber {
    AfterInterruption,
    AfterVariation,
    Never,
}

/// Which signs for check are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum CheckSigns {
    All,
    PlusOnly,
    None,
}

impl CheckSigns {
    /// The sign of the move that gave check to the side to move. The position comes by value, so that
    /// loops keep theirs in registers.
    #[inline(never)]
    pub(crate) fn sign_in(self, check: Position) -> Option<u8> {
        match self {
            CheckSigns::All if !check.has_legal_moves() => Some(b'#'),
            CheckSigns::All | CheckSigns::PlusOnly => Some(b'+'),
            CheckSigns::None => None,
        }
    }
}

/// A layout. Its text form ([`Layout::to_string`], [`Layout::parse`]) is what is stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Layout {
    pub(crate) crlf: bool,
    /// The longest line of movetext; 0 for one line however long.
    pub(crate) width: u16,
    pub(crate) unit: Unit,
    pub(crate) number_gap: bool,
    pub(crate) numbers: bool,
    pub(crate) black_number: BlackNumber,
    pub(crate) variation_padding: bool,
    pub(crate) check_signs: CheckSigns,
    /// A comment before the first move has a line of its own.
    pub(crate) first_comment_line: bool,
    pub(crate) outcome_line: bool,
    pub(crate) outcome_gap: u8,
    pub(crate) blank_before: u8,
    pub(crate) blank_after_tags: u8,
    pub(crate) blank_after_game: u8,
    /// A space at the end of the movetext, before the line ends.
    pub(crate) space_at_end: bool,
    /// Evaluations have as few decimals as tell them, at least one: `0.2` instead of `0.20`.
    pub(crate) short_evals: bool,
}

impl Layout {
    /// One line, `1. e4 e5`: what most programs write today.
    pub(crate) const PLAIN: Layout = Layout {
        crlf: false,
        width: 0,
        unit: Unit::Word,
        number_gap: true,
        numbers: true,
        black_number: BlackNumber::AfterInterruption,
        variation_padding: false,
        check_signs: CheckSigns::All,
        first_comment_line: false,
        outcome_line: false,
        outcome_gap: 1,
        blank_before: 0,
        blank_after_tags: 1,
        blank_after_game: 1,
        space_at_end: false,
        short_evals: false,
    };

    /// Reads the stored form. `None` if it is none.
    pub(crate) fn parse(text: &str) -> Option<Layout> {
        let mut layout = Layout::PLAIN;
        for word in text.split_ascii_whitespace() {
            let (letter, value) = word.split_at_checked(1)?;
            let number: u16 = value.parse().ok()?;
            let small = u8::try_from(number).ok();
            let flag = match number {
                0 => Some(false),
                1 => Some(true),
                _ => None,
            };
            match letter {
                "n" => layout.crlf = flag?,
                "w" => layout.width = number,
                "u" => {
                    layout.unit = match number {
                        0 => Unit::Word,
                        1 => Unit::Token,
                        2 => Unit::Move,
                        3 => Unit::MoveAndComment,
                        _ => return None,
                    }
                }
                "g" => layout.number_gap = flag?,
                "m" => layout.numbers = flag?,
                "b" => {
                    layout.black_number = match number {
                        0 => BlackNumber::AfterInterruption,
                        1 => BlackNumber::AfterVariation,
                        2 => BlackNumber::Never,
                        _ => return None,
                    }
                }
                "v" => layout.variation_padding = flag?,
                "c" => {
                    layout.check_signs = match number {
                        0 => CheckSigns::All,
                        1 => CheckSigns::PlusOnly,
                        2 => CheckSigns::None,
                        _ => return None,
                    }
                }
                "f" => layout.first_comment_line = flag?,
                "r" => layout.outcome_line = flag?,
                "o" => layout.outcome_gap = small?,
                "l" => layout.blank_before = small?,
                "t" => layout.blank_after_tags = small?,
                "e" => layout.blank_after_game = small?,
                "s" => layout.space_at_end = flag?,
                "d" => layout.short_evals = flag?,
                _ => return None,
            }
        }
        Some(layout)
    }
}

/// What differs from [`Layout::PLAIN`], a letter and a number each.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = |layout: &Layout| {
            [
                ('n', u16::from(layout.crlf)),
                ('w', layout.width),
                ('u', layout.unit as u16),
                ('g', u16::from(layout.number_gap)),
                ('m', u16::from(layout.numbers)),
                ('b', layout.black_number as u16),
                ('v', u16::from(layout.variation_padding)),
                ('c', layout.check_signs as u16),
                ('f', u16::from(layout.first_comment_line)),
                ('r', u16::from(layout.outcome_line)),
                ('o', u16::from(layout.outcome_gap)),
                ('l', u16::from(layout.blank_before)),
                ('t', u16::from(layout.blank_after_tags)),
                ('e', u16::from(layout.blank_after_game)),
                ('s', u16::from(layout.space_at_end)),
                ('d', u16::from(layout.short_evals)),
            ]
        };
        let mut gap = "";
        for (own, plain) in numbers(self).into_iter().zip(numbers(&Layout::PLAIN)) {
            if own != plain {
                write!(f, "{gap}{}{}", own.0, own.1)?;
                gap = " ";
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_form_is_read_back() {
        let odd = Layout {
            crlf: true,
            width: 80,
            unit: Unit::Move,
            number_gap: false,
            check_signs: CheckSigns::None,
            blank_after_game: 2,
            short_evals: true,
            ..Layout::PLAIN
        };
        assert_eq!(odd.to_string(), "n1 w80 u2 g0 c2 e2 d1");
        for layout in [odd, Layout::PLAIN] {
            assert_eq!(Layout::parse(&layout.to_string()), Some(layout));
        }
        for bad in ["x1", "n2", "w", "w99999", "u4", "é1"] {
            assert_eq!(Layout::parse(bad), None, "{bad}");
        }
    }
}
