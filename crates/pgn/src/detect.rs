//! Finding the style of a text by trying: a style is right if writing gives back what was read.

use memchr::memchr_iter;

use crate::{
    BlackNumber, CheckSigns, CommentPadding, Game, GameBuilder, LineEnding, NagForm, Reader, Style,
    WrapUnit, write_game,
};

/// So many games are looked at: enough to see every habit of a writer, and quickly done.
const SAMPLE: usize = 24;

/// Larger games say no more than others and cost more.
const LARGEST: usize = 64 << 10;

/// One change of a style.
type Change = fn(&mut Style);

/// All changes of one field that are worth a try, widths apart.
const CHANGES: [Change; 35] = [
    |s| s.line_ending = LineEnding::Lf,
    |s| s.line_ending = LineEnding::CrLf,
    |s| s.blank_after_tags = 1,
    |s| s.blank_after_tags = 0,
    |s| s.blank_after_tags = 2,
    |s| s.numbers = true,
    |s| s.numbers = false,
    |s| s.number_gap = true,
    |s| s.number_gap = false,
    |s| s.check_signs = CheckSigns::All,
    |s| s.check_signs = CheckSigns::None,
    |s| s.check_signs = CheckSigns::PlusOnly,
    |s| s.comment_padding = CommentPadding::Spaced,
    |s| s.comment_padding = CommentPadding::Tight,
    |s| s.comment_padding = CommentPadding::Keep,
    |s| s.black_number = BlackNumber::AfterInterruption,
    |s| s.black_number = BlackNumber::AfterVariation,
    |s| s.black_number = BlackNumber::Never,
    |s| s.variation_padding = true,
    |s| s.variation_padding = false,
    |s| s.first_comment_line = true,
    |s| s.first_comment_line = false,
    |s| s.wrap_unit = WrapUnit::Word,
    |s| s.wrap_unit = WrapUnit::Token,
    |s| s.wrap_unit = WrapUnit::Move,
    |s| s.wrap_unit = WrapUnit::MoveAndComment,
    |s| s.outcome_gap = 1,
    |s| s.outcome_gap = 2,
    |s| s.outcome_line = true,
    |s| s.outcome_line = false,
    |s| s.blank_after_game = 0,
    |s| s.blank_after_game = 1,
    |s| s.blank_after_game = 2,
    |s| s.blank_after_game = 3,
    |s| s.width = None,
];

/// A game and the text it was read from.
type Pair<'a> = (&'a Game, &'a [u8]);

impl Style {
    /// The style of a text: the one in which most of its first games are written just as they
    /// stand. Where no style fits, the nearest.
    ///
    /// ```
    /// use scoresheet_pgn::{LineEnding, Style};
    /// let style = Style::detect(b"[White \"Ann\"]\r\n\r\n1.e4 {x} e5 1-0\r\n\r\n");
    /// assert_eq!(style.line_ending, LineEnding::CrLf);
    /// assert!(!style.number_gap);
    /// ```
    #[must_use]
    pub fn detect(text: &[u8]) -> Style {
        let games = sample(text);
        let pairs: Vec<Pair<'_>> = games.iter().map(|(game, raw)| (game, *raw)).collect();
        detect(&pairs, None)
    }

    /// Whether writing the game in this style gives exactly this text.
    #[must_use]
    pub fn restores(&self, game: &Game, raw: &[u8]) -> bool {
        let mut text = Vec::with_capacity(raw.len() + 64);
        write_game(game, self, &mut text);
        text == raw
    }
}

fn sample(text: &[u8]) -> Vec<(Game, &[u8])> {
    let mut reader = Reader::from_slice(text);
    let mut builder = GameBuilder::new();
    let mut games = Vec::new();
    let mut at = 0;
    // Bad games are passed over, but not for ever.
    for _ in 0..4 * SAMPLE {
        let Ok(Some(result)) = reader.read_game(&mut builder) else {
            break;
        };
        let raw = text.get(at..).unwrap_or_default();
        let length = reader.last_game().bytes.len();
        at += length;
        let raw = raw.get(..length).unwrap_or_default();
        if let (Ok(game), true) = (result, raw.len() <= LARGEST) {
            games.push((game, raw));
        }
        if games.len() == SAMPLE {
            break;
        }
    }
    games
}

/// The longest line that is no tag.
fn longest_line(pairs: &[Pair<'_>]) -> usize {
    let lines = pairs
        .iter()
        .flat_map(|(_, raw)| raw.split(|&byte| byte == b'\n'));
    lines
        .filter(|line| !line.starts_with(b"["))
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line).len())
        .max()
        .unwrap_or(0)
}

/// Climbs from the best named style, one field at a time, as long as it gets better.
fn detect(pairs: &[Pair<'_>], hint: Option<Style>) -> Style {
    let mut best = hint.unwrap_or(Style::LICHESS);
    let mut best_score = score(&best, pairs);
    for (_, style) in Style::NAMED {
        climb(&mut best, &mut best_score, pairs, |s| {
            // To restore is to keep whatever was there.
            *s = Style {
                roster: false,
                force_outcome: false,
                nags: NagForm::Keep,
                line_comments: true,
                ..style
            };
        });
    }
    let longest = longest_line(pairs);
    let has_crlf = pairs.iter().any(|(_, raw)| {
        memchr_iter(b'\n', raw).any(|at| at > 0 && raw.get(at - 1) == Some(&b'\r'))
    });
    for _ in 0..3 {
        let before = best_score;
        for change in CHANGES {
            if best_score.0 == pairs.len() {
                return best;
            }
            climb(&mut best, &mut best_score, pairs, change);
        }
        // Nobody wraps at more; a longer line is one that is not wrapped.
        if longest <= 260 {
            for width in longest.saturating_sub(1)..=longest + 4 {
                let width = u16::try_from(width).ok();
                climb(&mut best, &mut best_score, pairs, |s| s.width = width);
            }
        }
        for width in [79, 80, 75, 76, 77, 78, 81, 100, 120, 72] {
            climb(&mut best, &mut best_score, pairs, |s| s.width = Some(width));
        }
        if best_score == before {
            break;
        }
    }
    if !has_crlf {
        best.line_ending = LineEnding::Lf;
    }
    best
}

/// Games restored, and the bytes up to the first difference in all games.
type Score = (usize, usize);

fn climb(
    best: &mut Style,
    best_score: &mut Score,
    pairs: &[Pair<'_>],
    change: impl Fn(&mut Style),
) {
    let mut style = *best;
    change(&mut style);
    if style == *best {
        return;
    }
    let score = score(&style, pairs);
    if score > *best_score {
        *best = style;
        *best_score = score;
    }
}

fn score(style: &Style, pairs: &[Pair<'_>]) -> Score {
    let mut text = Vec::new();
    let mut score = (0, 0);
    for (game, raw) in pairs {
        text.clear();
        write_game(game, style, &mut text);
        let same = text.iter().zip(*raw).take_while(|(a, b)| a == b).count();
        score.0 += usize::from(text == *raw);
        score.1 += same;
    }
    score
}

/// The styles of a file that comes from many hands: grows as games come that no style of it fits.
///
/// ```
/// use scoresheet_pgn::{Game, StyleSet};
/// let mut styles = StyleSet::new(8);
/// for text in [&b"1. e4 e5 1-0\n\n"[..], b"1.e4 e5  1-0\n", b"1. d4 *\n\n"] {
///     let game = Game::parse(text).unwrap();
///     assert!(styles.find(&game, text).is_some());
/// }
/// assert_eq!(styles.styles().len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct StyleSet {
    styles: Vec<Style>,
    max: usize,
    last: usize,
    /// Games for which no style could be found; each makes the next search rarer.
    failures: usize,
    patience: usize,
}

impl StyleSet {
    /// No styles yet, and never more than `max`.
    #[must_use]
    pub fn new(max: usize) -> StyleSet {
        StyleSet {
            styles: Vec::new(),
            max,
            last: 0,
            failures: 0,
            patience: 0,
        }
    }

    /// The styles found so far.
    #[must_use]
    pub fn styles(&self) -> &[Style] {
        &self.styles
    }

    /// The number of a style in which the game is written just like this; `None` if there is none.
    pub fn find(&mut self, game: &Game, raw: &[u8]) -> Option<usize> {
        let fits = |&i: &usize| self.styles.get(i).is_some_and(|s| s.restores(game, raw));
        let candidates = std::iter::once(self.last).chain(0..self.styles.len());
        if let Some(found) = candidates.into_iter().find(fits) {
            self.last = found;
            return Some(found);
        }
        if self.styles.len() >= self.max || raw.len() > LARGEST {
            return None;
        }
        if self.patience > 0 {
            self.patience -= 1;
            return None;
        }
        let style = detect(&[(game, raw)], self.styles.get(self.last).copied());
        if style.restores(game, raw) {
            self.styles.push(style);
            self.last = self.styles.len() - 1;
            return Some(self.last);
        }
        self.failures += 1;
        self.patience = self.failures.min(64);
        None
    }
}
