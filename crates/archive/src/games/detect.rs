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
    /// The plain layout as far as can be told.
    fn plain(self) -> Layout {
        Layout {
            number_gap: self != FirstNumber::Joined,
            ..Layout::PLAIN
        }
    }

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

/// What a game has of that which layouts lay out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Contents {
    /// Comments, glyphs or variations.
    has_notes: bool,
}

impl Contents {
    fn of(text: &[u8]) -> Contents {
        let mut notes = text.iter().filter(|byte| b"{;$(".contains(byte));
        Contents {
            has_notes: notes.next().is_some(),
        }
    }

    /// The first of the layouts in which such a game is the same.
    fn normal(self, layout: &Layout) -> Layout {
        let mut normal = *layout;
        if !self.has_notes {
            normal.short_evals = Layout::PLAIN.short_evals;
            normal.black_number = Layout::PLAIN.black_number;
            normal.variation_padding = Layout::PLAIN.variation_padding;
            normal.first_comment_line = Layout::PLAIN.first_comment_line;
            normal.unit = match layout.unit {
                Unit::Word | Unit::Token => Unit::Word,
                Unit::Move | Unit::MoveAndComment => Unit::Move,
            };
        }
        if layout.width == 0 {
            normal.unit = Layout::PLAIN.unit;
        }
        normal
    }
}

/// Whether two texts of a game, which agree up to a byte, differ there within the name of a man's move:
/// one names the square it comes from, and need not. All layouts write the same name.
fn differ_in_name(written: &[u8], text: &[u8], byte: usize) -> bool {
    let same = text.get(..byte).unwrap_or_default();
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'.';
    let begin = same.iter().rposition(is_between).map_or(0, |at| at + 1);
    let is_name = same
        .get(begin)
        .is_some_and(|first| b"KQRBN".contains(first));
    let is_letter = |text: &[u8]| text.get(byte).is_some_and(u8::is_ascii_alphanumeric);
    is_name && is_letter(written) && is_letter(text)
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

    /// Looks for a layout other than the last in which `write` gives `text`. `written` is the text in the
    /// last. If there is none, it is the text in the layout to describe a difference to, which is returned.
    pub(crate) fn find(
        &mut self,
        text: &[u8],
        written: &mut Vec<u8>,
        mut write: impl FnMut(&Layout, &mut Vec<u8>),
    ) -> (Layout, bool) {
        let agreement = Agreement::of(written, text);
        if let Agreement::UpTo { byte, .. } = agreement
            && differ_in_name(written, text, byte)
        {
            return (self.last(), false);
        }
        let (layout, fits) = self.look(text, agreement, |layout| {
            written.clear();
            write(layout, written);
            Agreement::of(written, text)
        });
        if !fits {
            written.clear();
            write(&layout, written);
        }
        (layout, fits)
    }

    /// Looks for a layout by what `score` says of it. The last one has an agreement.
    fn look(
        &mut self,
        text: &[u8],
        agreement: Agreement,
        mut score: impl FnMut(&Layout) -> Agreement,
    ) -> (Layout, bool) {
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
        let fits = climb(&mut best, agreement, text, &mut score) == Agreement::Whole;
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
    mut best_score: Agreement,
    text: &[u8],
    score: &mut impl FnMut(&Layout) -> Agreement,
) -> Agreement {
    let contents = Contents::of(text);
    let mut tried = vec![contents.normal(best)];
    let mut attempt = |layout: Layout| {
        // To write the game takes longer than to look whether it was written so.
        let normal = contents.normal(&layout);
        if best_score != Agreement::Whole && !tried.contains(&normal) {
            tried.push(normal);
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
    let plain = FirstNumber::of(text).plain();
    let (first, _) = attempt(plain);
    // Most files differ from the plain layout only in the width of their lines, if in anything.
    let widths = widths(text);
    let longest = *widths.start();
    let likely = WIDTHS.into_iter().chain([longest]);
    let likely = likely.filter(|width| *widths.end() < usize::MAX && widths.contains(width));
    for width in likely.take(2) {
        attempt(with_width(first, width));
    }
    for _ in 0..4 {
        let (mut current, before) = attempt(plain);
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
    use super::super::compose::{Composer, Movetext};
    use super::super::notebook::Notebook;
    use super::super::notes::Op;
    use super::*;
    use pgn::Outcome;
    use testkit::{Game, GameKind, Random, random_game};

    /// The text of a game, with comments and glyphs after some moves or without.
    fn written(game: &Game, has_notes: bool, layout: &Layout) -> Vec<u8> {
        let mut notebook = Notebook::default();
        for i in 0..game.moves.len() {
            notebook.end_slot();
            if has_notes && i % 3 == 0 {
                notebook.slot().extend([Op::Nag as u8, 14]);
                notebook.put_comment(b"[%eval 0.2] a comment of more than one word");
            }
        }
        notebook.finish();
        let movetext = Movetext {
            start: &game.start,
            notes: notebook.packed(),
            clocks: &notebook.clocks,
            evals: &notebook.evals,
            outcome: Some(Outcome::Draw),
        };
        let mut out = Vec::new();
        let mut composer = Composer::new(&movetext, layout, &mut out);
        game.walk(|before, m| assert!(composer.step(before, m).is_continue()));
        composer.finish(&game.end()).unwrap();
        out
    }

    #[test]
    fn layouts_that_are_one_write_the_same() {
        let mut random = Random::new(11);
        let mut other = 0;
        for seed in 0..60 {
            let game = random_game(GameKind::Standard, seed, 40);
            let has_notes = seed % 2 > 0;
            let mut layout = Layout::PLAIN;
            for _ in 0..40 {
                for changes in [&LETTERS[..], &SPACES[..]] {
                    changes[random.below(changes.len())](&mut layout);
                }
                layout.width = [0, 0, 40, 80][random.below(4)];
                let text = written(&game, has_notes, &layout);
                let contents = Contents::of(&text);
                assert_eq!(contents.has_notes, has_notes && !game.moves.is_empty());
                let normal = contents.normal(&layout);
                assert!(written(&game, has_notes, &normal) == text, "{layout}");
                other += usize::from(normal != layout);
            }
        }
        assert!(other > 200, "{other}");
    }

    #[test]
    fn no_layout_is_looked_for_where_a_move_has_another_name() {
        let mut layouts = Layouts::default();
        let text = b"1. e4 Nge7 2. Qa1b2 Nf3+ *";
        for (last, is_asked) in [
            (b"1. e4 Ne7 2. Qa1b2 Nf3+ *".to_vec(), false),
            (b"1. e4 Nge7 2. Qb2 Nf3+ *".to_vec(), false),
            (b"1. e4 Nge7 2. Qa1b2 Nf3 *".to_vec(), true),
            (b"1.e4 Nge7 2.Qa1b2 Nf3+ *".to_vec(), true),
            (b"1. e4 Nge7 Qa1b2 Nf3+ *".to_vec(), true),
        ] {
            let (mut written, mut asked) = (last.clone(), 0);
            let (_, fits) = layouts.find(text, &mut written, |_, out| {
                out.clone_from(&last);
                asked += 1;
            });
            assert!(!fits && written == last);
            assert_eq!(asked > 0, is_asked, "{}", last.escape_ascii());
        }
    }

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
