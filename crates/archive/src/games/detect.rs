//! Finds the layout of a text by trying: a layout is right if writing gives back what was read.

use super::layout::{BlackNumber, CheckSigns, Layout, Unit};

/// Larger games say no more than others and cost more.
const LARGEST: usize = 64 << 10;
/// A row group has no more layouts than this.
const MOST: usize = 64;

type Change = fn(&mut Layout);

/// All changes of one field that are worth a try, widths apart.
const CHANGES: [Change; 34] = [
    |l| l.crlf = false,
    |l| l.crlf = true,
    |l| l.blank_before = 1,
    |l| l.blank_before = 0,
    |l| l.blank_after_tags = 1,
    |l| l.blank_after_tags = 0,
    |l| l.blank_after_tags = 2,
    |l| l.numbers = true,
    |l| l.numbers = false,
    |l| l.number_gap = true,
    |l| l.number_gap = false,
    |l| l.check_signs = CheckSigns::All,
    |l| l.check_signs = CheckSigns::None,
    |l| l.check_signs = CheckSigns::PlusOnly,
    |l| l.black_number = BlackNumber::AfterInterruption,
    |l| l.black_number = BlackNumber::AfterVariation,
    |l| l.black_number = BlackNumber::Never,
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

/// The layouts of a row group. They grow as games come that none of them fits, by the games alone:
/// the same games give the same layouts.
#[derive(Debug, Default)]
pub(crate) struct Layouts {
    found: Vec<Layout>,
    last: usize,
    failures: usize,
    patience: usize,
}

impl Layouts {
    /// The layout that fitted last, or was nearest.
    pub(crate) fn last(&self) -> Layout {
        self.found.get(self.last).copied().unwrap_or(Layout::PLAIN)
    }

    /// Looks for a layout in which `write` gives `text`. If there is none, the layout to describe
    /// a difference to.
    pub(crate) fn find(
        &mut self,
        text: &[u8],
        scratch: &mut Vec<u8>,
        mut write: impl FnMut(&Layout, &mut Vec<u8>),
    ) -> (Layout, bool) {
        let mut score = |layout: &Layout| {
            scratch.clear();
            write(layout, scratch);
            if *scratch == text {
                return usize::MAX;
            }
            scratch.iter().zip(text).take_while(|(a, b)| a == b).count()
        };
        for (i, layout) in self.found.iter().enumerate() {
            if score(layout) == usize::MAX {
                self.last = i;
                return (*layout, true);
            }
        }
        if self.patience > 0 || self.found.len() >= MOST || text.len() > LARGEST {
            self.patience = self.patience.saturating_sub(1);
            return (self.last(), false);
        }
        let mut best = self.last();
        let best_score = climb(&mut best, text, &mut score);
        // The nearest layout of the first game is kept even if it does not fit.
        if best_score == usize::MAX || self.found.is_empty() {
            self.found.push(best);
            self.last = self.found.len() - 1;
        }
        if best_score != usize::MAX {
            self.failures += 1;
            self.patience = self.failures * 4;
        }
        (best, best_score == usize::MAX)
    }
}

fn longest_line(text: &[u8]) -> usize {
    text.split(|&byte| byte == b'\n')
        .filter(|line| !line.starts_with(b"["))
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line).len())
        .max()
        .unwrap_or(0)
}

/// Changes one field at a time, as long as the texts agree for longer.
fn climb(best: &mut Layout, text: &[u8], score: &mut impl FnMut(&Layout) -> usize) -> usize {
    // Nearly all files have lines of 80 at most, or do not fill lines at all.
    let usual = Layout { width: 80, ..*best };
    let mut best_score = score(best);
    if best_score != usize::MAX && score(&usual) == usize::MAX {
        *best = usual;
        return usize::MAX;
    }
    let longest = longest_line(text);
    for _ in 0..4 {
        let before = best_score;
        let mut attempt = |layout: Layout| {
            if layout != *best && best_score != usize::MAX {
                let score = score(&layout);
                if score > best_score {
                    best_score = score;
                    *best = layout;
                }
            }
            *best
        };
        let mut current = attempt(Layout::PLAIN);
        for change in CHANGES {
            let mut layout = current;
            change(&mut layout);
            current = attempt(layout);
        }
        // Nobody wraps at more; a longer line is one that is not wrapped.
        let near = longest.saturating_sub(1)..=longest + 4;
        let widths = [80, 79, 78, 76, 75, 81, 72, 100, 120].into_iter();
        for width in widths.chain(near.filter(|_| longest <= 260)).chain([0]) {
            let width = u16::try_from(width).unwrap_or(0);
            for unit in [Unit::Word, Unit::Move, Unit::Token, Unit::MoveAndComment] {
                current = attempt(Layout {
                    width,
                    unit,
                    ..current
                });
            }
        }
        if best_score == before || best_score == usize::MAX {
            break;
        }
    }
    best_score
}
