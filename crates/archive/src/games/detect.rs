//! Finds the layout of a text by trying: a layout is right if writing gives back what was read.

use std::ops::RangeInclusive;

use super::layout::{BlackNumber, CheckSigns, Layout, Unit};

/// Larger games say no more than others and cost more.
const LARGEST: usize = 64 << 10;
/// A row group has no more layouts than this.
const MOST: usize = 64;

type Change = fn(&mut Layout);

/// All changes of one field that are worth a try, widths apart: those of letters.
const LETTERS: [Change; 10] = [
    |l| l.short_evals = true,
    |l| l.short_evals = false,
    |l| l.numbers = true,
    |l| l.numbers = false,
    |l| l.check_signs = CheckSigns::All,
    |l| l.check_signs = CheckSigns::None,
    |l| l.check_signs = CheckSigns::PlusOnly,
    |l| l.black_number = BlackNumber::AfterInterruption,
    |l| l.black_number = BlackNumber::AfterVariation,
    |l| l.black_number = BlackNumber::Never,
];

/// Those of spaces and line ends.
const SPACES: [Change; 26] = [
    |l| l.crlf = false,
    |l| l.crlf = true,
    |l| l.blank_before = 1,
    |l| l.blank_before = 0,
    |l| l.blank_after_tags = 1,
    |l| l.blank_after_tags = 0,
    |l| l.blank_after_tags = 2,
    |l| l.number_gap = true,
    |l| l.number_gap = false,
    |l| l.variation_padding = true,
    |l| l.variation_padding = false,
    |l| l.first_comment_line = true,
    |l| l.first_comment_line = false,
    |l| l.unit = Unit::Word,
    |l| l.unit = Unit::Token,
    |l| l.unit = Unit::Move,
    |l| l.unit = Unit::MoveAndComment,
    |l| l.outcome_gap = 1,
    |l| l.outcome_gap = 2,
    |l| l.outcome_line = true,
    |l| l.outcome_line = false,
    |l| l.space_at_end = true,
    |l| l.space_at_end = false,
    |l| l.blank_after_game = 0,
    |l| l.blank_after_game = 1,
    |l| l.blank_after_game = 2,
];

/// Widths that are often met, the most usual first.
const WIDTHS: [usize; 9] = [80, 79, 78, 76, 75, 81, 72, 100, 120];

/// How far a text agrees with another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Agreement {
    /// Up to a byte; there two letters differ, or a letter and a space.
    UpTo {
        byte: usize,
        has_space: bool,
    },
    Whole,
}

impl Agreement {
    fn of(written: &[u8], text: &[u8]) -> Agreement {
        if written == text {
            return Agreement::Whole;
        }
        let same = written.iter().zip(text).take_while(|(a, b)| a == b);
        let byte = same.count();
        let is_space = |text: &[u8]| text.get(byte).is_none_or(u8::is_ascii_whitespace);
        Agreement::UpTo {
            byte,
            has_space: is_space(written) || is_space(text),
        }
    }
}

/// Those of Lichess: as it writes evaluations, and as it numbers moves after comments now.
const USUAL: [Layout; 3] = [
    Layout::PLAIN,
    Layout {
        short_evals: true,
        ..Layout::PLAIN
    },
    Layout {
        short_evals: true,
        black_number: BlackNumber::AfterVariation,
        ..Layout::PLAIN
    },
];

/// How the number of the first move is written: a look that rules out many layouts, where to write the whole
/// game in each takes as long as to read it. A comment may mislead it; then another layout is found, or a
/// difference described.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FirstNumber {
    /// `1. e4`.
    Apart,
    /// `1.e4`.
    Joined,
    /// There is none at the begin of a line, or something else follows it.
    Unknown,
}

impl FirstNumber {
    fn of(text: &[u8]) -> FirstNumber {
        let at = memchr::memmem::find(text, b"\n1.");
        match at.and_then(|at| text.get(at + 3)) {
            Some(b' ') => FirstNumber::Apart,
            Some(byte) if byte.is_ascii_alphabetic() => FirstNumber::Joined,
            _ => FirstNumber::Unknown,
        }
    }

    fn may_be_in(self, layout: &Layout) -> bool {
        match self {
            FirstNumber::Apart => layout.numbers && layout.number_gap,
            FirstNumber::Joined => layout.numbers && !layout.number_gap,
            FirstNumber::Unknown => true,
        }
    }
}

/// The layouts of a piece. They begin with some that are often met, and grow as games come that none of
/// them fits, by the games alone: the same games give the same layouts.
#[derive(Debug)]
pub(crate) struct Layouts {
    found: Vec<Layout>,
    last: usize,
    failures: usize,
    patience: usize,
}

impl Default for Layouts {
    fn default() -> Layouts {
        Layouts {
            found: USUAL.to_vec(),
            last: 0,
            failures: 0,
            patience: 0,
        }
    }
}

impl Layouts {
    /// The layout that fitted last, or was nearest.
    pub(crate) fn last(&self) -> Layout {
        self.found.get(self.last).copied().unwrap_or(Layout::PLAIN)
    }

    /// Looks for a layout other than the last in which `write` gives `text`. If there is
    /// none, the layout to describe a difference to.
    pub(crate) fn find(
        &mut self,
        text: &[u8],
        scratch: &mut Vec<u8>,
        mut write: impl FnMut(&Layout, &mut Vec<u8>),
    ) -> (Layout, bool) {
        let mut score = |layout: &Layout| {
            scratch.clear();
            write(layout, scratch);
            Agreement::of(scratch, text)
        };
        // That which fitted last does not, or nobody would ask.
        let first = FirstNumber::of(text);
        let others = self.found.iter().enumerate();
        let others = others.filter(|(i, layout)| *i != self.last && first.may_be_in(layout));
        for (i, layout) in others {
            if score(layout) == Agreement::Whole {
                self.last = i;
                return (*layout, true);
            }
        }
        if self.patience > 0 || self.found.len() >= MOST || text.len() > LARGEST {
            self.patience = self.patience.saturating_sub(1);
            return (self.last(), false);
        }
        let mut best = self.last();
        let fits = climb(&mut best, text, &mut score) == Agreement::Whole;
        // The nearest layout of the first game is kept even if it does not fit.
        if fits || self.found.len() == USUAL.len() {
            self.found.push(best);
            self.last = self.found.len() - 1;
        }
        // Where nothing fits, the next games have the same quirk: to look again and again would take
        // longer than to pack them. Whatever fits may be the begin of something else.
        self.failures = if fits { 0 } else { self.failures + 1 };
        self.patience = (1 << (2 * self.failures.min(5))) - 1;
        (best, fits)
    }
}

/// How long lines may be at most, going by a text in which they are filled word by word: no line is
/// longer, and none has room for the first word of the next.
fn widths(text: &[u8]) -> RangeInclusive<usize> {
    let (mut longest, mut limit) = (0, usize::MAX);
    let mut last = None;
    for line in text.split(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() || line.starts_with(b"[") {
            last = None;
            continue;
        }
        longest = longest.max(line.len());
        if let Some(last) = last {
            let word = memchr::memchr(b' ', line).unwrap_or(line.len());
            limit = limit.min(last + word);
        }
        last = Some(line.len());
    }
    longest..=limit
}

/// Changes one field at a time, as long as the texts agree for longer.
fn climb(
    best: &mut Layout,
    text: &[u8],
    score: &mut impl FnMut(&Layout) -> Agreement,
) -> Agreement {
    let mut best_score = score(best);
    let mut tried = vec![*best];
    let mut attempt = |layout: Layout| {
        // To write the game takes longer than to look whether it was written so.
        if best_score != Agreement::Whole && !tried.contains(&layout) {
            tried.push(layout);
            let score = score(&layout);
            if score > best_score {
                best_score = score;
                *best = layout;
            }
        }
        (*best, best_score)
    };
    let with_width = |layout: Layout, width: usize| Layout {
        width: u16::try_from(width).unwrap_or(0),
        ..layout
    };
    let (first, _) = attempt(Layout::PLAIN);
    // Most files differ from the plain layout only in the width of their lines, if in anything.
    let widths = widths(text);
    let longest = *widths.start();
    let likely = WIDTHS.into_iter().chain([longest]);
    let likely = likely.filter(|width| *widths.end() < usize::MAX && widths.contains(width));
    for width in likely.take(2) {
        attempt(with_width(first, width));
    }
    for _ in 0..4 {
        let (mut current, before) = attempt(Layout::PLAIN);
        for change in LETTERS {
            change(&mut current);
            (current, _) = attempt(current);
        }
        // Where letters differ, other spaces do not help.
        let is_open = |now: Agreement| {
            matches!(
                now,
                Agreement::UpTo {
                    has_space: true,
                    ..
                }
            )
        };
        let (mut current, now) = attempt(current);
        if is_open(now) {
            for change in SPACES {
                change(&mut current);
                (current, _) = attempt(current);
            }
            // Nobody wraps at more; a longer line is one that is not wrapped.
            let near = longest.saturating_sub(1)..=longest + 4;
            let near = near.filter(|_| longest <= 260);
            for width in WIDTHS.into_iter().chain(near).chain([0]) {
                for unit in [Unit::Word, Unit::Move, Unit::Token, Unit::MoveAndComment] {
                    let layout = with_width(current, width);
                    (current, _) = attempt(Layout { unit, ..layout });
                }
            }
        }
        let (_, now) = attempt(current);
        if now == before || now == Agreement::Whole {
            break;
        }
    }
    best_score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_rules_out_layouts() {
        let joined = Layout {
            number_gap: false,
            ..Layout::PLAIN
        };
        let without = Layout {
            numbers: false,
            ..Layout::PLAIN
        };
        for (text, fits) in [
            ("[White \"1.e4\"]\n\n1. e4 e5 *\n", [true, false, false]),
            ("[White \"1. e4\"]\n\n1.e4 e5 *\n", [false, true, false]),
            ("\n1... e5 *\n", [true; 3]),
            ("\n1.\ne4 e5 *\n", [true; 3]),
            ("\n12. e4 *\n", [true; 3]),
            ("1. e4 *\n", [true; 3]),
            ("\n1.", [true; 3]),
        ] {
            let first = FirstNumber::of(text.as_bytes());
            let found = [Layout::PLAIN, joined, without].map(|layout| first.may_be_in(&layout));
            assert_eq!(found, fits, "{text}");
        }
    }
}
