//! House styles: everything in which two writers of the same game may differ.

/// How a line ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum LineEnding {
    /// `\n`
    #[default]
    Lf,
    /// `\r\n`
    CrLf,
}

/// What goes to a line as a whole when lines are wrapped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum WrapUnit {
    /// Every word, those of comments too: `14.` and `Bb1` may be on two lines.
    #[default]
    Word,
    /// Tokens; a comment is one.
    Token,
    /// Number and move stay together, and words of comments are words.
    Move,
    /// Number, move, glyphs and comments stay together.
    MoveAndComment,
}

/// When Black's move has a number of its own, at other places than the begin of a line of moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum BlackNumber {
    /// After a comment or a variation (PGN §8.2.2.2).
    #[default]
    AfterInterruption,
    /// After a variation only.
    AfterVariation,
    /// Never.
    Never,
}

/// What stands inside the braces next to them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CommentPadding {
    /// What the comment has.
    #[default]
    Keep,
    /// Nothing: `{text}`.
    Tight,
    /// A space: `{ text }`.
    Spaced,
}

/// Which signs for check are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CheckSigns {
    /// `+` and `#`.
    #[default]
    All,
    /// `+` for mate too.
    PlusOnly,
    /// None.
    None,
}

/// How glyphs are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum NagForm {
    /// As they were read.
    #[default]
    Keep,
    /// `$1`, as the standard's export format has it.
    Number,
    /// `!` where there is such a suffix, `$10` elsewhere.
    Suffix,
}

/// A house style.
///
/// ```
/// use scoresheet_pgn::{Game, Style, write_game};
/// let game = Game::parse(b"[White \"Ann\"] 1.e4 {x} e5 1-0").unwrap();
/// let mut text = Vec::new();
/// write_game(&game, &Style { number_gap: false, ..Style::LICHESS }, &mut text);
/// assert_eq!(text, b"[White \"Ann\"]\n\n1.e4 { x } 1...e5 1-0\n\n");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Style {
    /// How lines end.
    pub line_ending: LineEnding,
    /// The longest line of movetext in bytes; `None` for one line however long.
    pub width: Option<u16>,
    /// What is not torn apart at the end of a line.
    pub wrap_unit: WrapUnit,
    /// A space between `1.` and the move.
    pub number_gap: bool,
    /// When Black's moves have numbers.
    pub black_number: BlackNumber,
    /// White's moves have numbers. Without them Black's have none either.
    pub numbers: bool,
    /// What stands inside braces next to them.
    pub comment_padding: CommentPadding,
    /// A comment before the first move has a line of its own.
    pub first_comment_line: bool,
    /// A space inside the parentheses of variations.
    pub variation_padding: bool,
    /// Which signs for check are written.
    pub check_signs: CheckSigns,
    /// How glyphs are written.
    pub nags: NagForm,
    /// Comments that were `; …` stay so.
    pub line_comments: bool,
    /// The result has a line of its own.
    pub outcome_line: bool,
    /// Spaces before the result.
    pub outcome_gap: u8,
    /// The result is written even if the game has none: the tag's, or `*`.
    pub force_outcome: bool,
    /// The seven tags of the roster come first, and are added where they are missing.
    pub roster: bool,
    /// Empty lines between tags and moves.
    pub blank_after_tags: u8,
    /// Empty lines after a game.
    pub blank_after_game: u8,
}

impl Style {
    /// The export format of the standard (PGN §8), also what is used where nothing is known.
    pub const EXPORT: Style = Style {
        line_ending: LineEnding::Lf,
        width: Some(79),
        wrap_unit: WrapUnit::Word,
        number_gap: true,
        black_number: BlackNumber::AfterInterruption,
        numbers: true,
        comment_padding: CommentPadding::Keep,
        first_comment_line: false,
        variation_padding: false,
        check_signs: CheckSigns::All,
        nags: NagForm::Number,
        line_comments: false,
        outcome_line: false,
        outcome_gap: 1,
        force_outcome: true,
        roster: true,
        blank_after_tags: 1,
        blank_after_game: 1,
    };

    /// As lichess.org writes games: one line, `{ [%clk 0:03:00] } 1... e5`.
    pub const LICHESS: Style = Style {
        width: None,
        comment_padding: CommentPadding::Spaced,
        nags: NagForm::Keep,
        line_comments: true,
        roster: false,
        force_outcome: false,
        ..Style::EXPORT
    };

    /// As ChessBase exports: `1.e4 e5`, 80 columns, CRLF.
    pub const CHESSBASE: Style = Style {
        line_ending: LineEnding::CrLf,
        width: Some(80),
        wrap_unit: WrapUnit::Move,
        number_gap: false,
        nags: NagForm::Keep,
        line_comments: true,
        roster: false,
        force_outcome: false,
        ..Style::EXPORT
    };

    /// As The Week in Chess prints: `1. e4 e5`, lines of at most 80 columns, CRLF.
    pub const TWIC: Style = Style {
        line_ending: LineEnding::CrLf,
        width: Some(80),
        nags: NagForm::Keep,
        line_comments: true,
        roster: false,
        force_outcome: false,
        ..Style::EXPORT
    };

    /// As cutechess and TCEC write engine games: a move and its comment stay together, 80 columns,
    /// no numbers for Black.
    pub const CUTECHESS: Style = Style {
        width: Some(80),
        wrap_unit: WrapUnit::MoveAndComment,
        black_number: BlackNumber::Never,
        first_comment_line: true,
        nags: NagForm::Keep,
        line_comments: true,
        roster: false,
        force_outcome: false,
        ..Style::EXPORT
    };

    /// As few bytes as PGN allows that other programs still read: no spaces that could be left
    /// out, no check signs, one line.
    pub const COMPACT: Style = Style {
        width: None,
        number_gap: false,
        black_number: BlackNumber::AfterVariation,
        comment_padding: CommentPadding::Tight,
        check_signs: CheckSigns::None,
        roster: false,
        force_outcome: false,
        blank_after_tags: 0,
        blank_after_game: 0,
        ..Style::EXPORT
    };

    /// The styles that have names.
    pub const NAMED: [(&'static str, Style); 6] = [
        ("export", Style::EXPORT),
        ("lichess", Style::LICHESS),
        ("chessbase", Style::CHESSBASE),
        ("twic", Style::TWIC),
        ("cutechess", Style::CUTECHESS),
        ("compact", Style::COMPACT),
    ];

    /// The style with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Style> {
        Style::NAMED
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, style)| *style)
    }
}

impl Default for Style {
    fn default() -> Style {
        Style::EXPORT
    }
}
