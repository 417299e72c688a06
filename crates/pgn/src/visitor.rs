//! What the reader tells, and what it may be answered.

use std::ops::ControlFlow;

use chess::SanToken;

use crate::{Cause, Nag, Outcome, RawComment, RawTag};

/// Why a visitor wants no more of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// It has seen enough. The rest is skipped fast, and the game is good.
    Skip,
    /// The game is bad.
    Bad(Cause),
}

/// What to do with a variation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variation {
    /// Read it.
    Enter,
    /// Pass over it and what is nested in it. There is no [`Visitor::end_variation`] then.
    Skip,
}

/// What a call of a [`Visitor`] returns: `Break` ends the events of this game.
pub type Flow = ControlFlow<Stop>;

/// The bytes of one game and where they stand.
///
/// The games of a file, one after the other, are the whole file: a game takes with it what follows
/// up to the first byte of the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawGame<'a> {
    /// The text; empty if the game is larger than the limit. Its place and length are known even so:
    /// who wants its bytes can read them from the input.
    pub bytes: &'a [u8],
    /// The number of the game, from 1.
    pub number: u64,
    /// Where it starts in the input, in bytes.
    pub offset: u64,
    /// How many bytes of the input it takes: the next game starts at `offset + length`.
    pub length: u64,
    /// How many lines end in it that are not in `bytes`: 0 unless it is larger than the limit. Who
    /// counts lines counts on with these.
    pub unseen_lines: u64,
}

/// Receives the parts of a game in the order of the text.
///
/// For each game: `begin_game`, then `tag`s and comments, `begin_moves`, then the movetext,
/// `end_game`. After a `Break` of [`Stop::Skip`] only `end_game` follows, after [`Stop::Bad`]
/// or a fault of the text nothing does.
///
/// ```
/// use std::ops::ControlFlow;
/// use scoresheet_pgn::{Flow, RawGame, RawTag, Reader, Stop, Visitor};
///
/// /// Gathers the names of the players of White and skips the moves.
/// struct Whites(Vec<String>);
///
/// impl Visitor for Whites {
///     type Output = ();
///     fn tag(&mut self, name: &[u8], value: RawTag<'_>) -> Flow {
///         if name == b"White" {
///             self.0.push(value.decode().into_owned());
///             return ControlFlow::Break(Stop::Skip);
///         }
///         ControlFlow::Continue(())
///     }
///     fn end_game(&mut self, _: RawGame<'_>) {}
/// }
///
/// let mut whites = Whites(Vec::new());
/// let mut reader = Reader::from_slice(b"[White \"Ann\"] 1. e4 * [White \"Bob\"] 1. d4 *");
/// while reader.read_game(&mut whites)?.is_some() {}
/// assert_eq!(whites.0, ["Ann", "Bob"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[allow(unused_variables)]
pub trait Visitor {
    /// What a game becomes.
    type Output;

    /// A game begins.
    fn begin_game(&mut self) -> Flow {
        Flow::Continue(())
    }

    /// A tag.
    fn tag(&mut self, name: &[u8], value: RawTag<'_>) -> Flow {
        Flow::Continue(())
    }

    /// The tags are over.
    fn begin_moves(&mut self) -> Flow {
        Flow::Continue(())
    }

    /// A token that should be a move: usually SAN, perhaps a null move (`--`, `Z0`), perhaps
    /// rubbish. [`Tracker::play_san`](crate::Tracker::play_san) tells them apart.
    fn san(&mut self, token: &[u8]) -> Flow {
        Flow::Continue(())
    }

    /// Up to seven bytes between white space, offered before anybody has looked whether they are
    /// one token. `true` takes them: they were a plain move, and it has been played. `false` sends
    /// them the usual way. Only for speed: a visitor need not know of it.
    #[doc(hidden)]
    #[inline(always)]
    fn plain_san(&mut self, token: SanToken) -> bool {
        false
    }

    /// A text after a `{` that follows a plain move, offered before anybody has looked where the
    /// comment ends. The length of the comment, which its `}` must follow, takes it; `None` sends it
    /// the usual way. Only for speed: a visitor need not know of it.
    #[doc(hidden)]
    #[inline(always)]
    fn plain_comment(&mut self, text: &[u8]) -> Option<usize> {
        None
    }

    /// A glyph. `is_suffix` tells `!` from `$1`.
    fn nag(&mut self, nag: Nag, is_suffix: bool) -> Flow {
        Flow::Continue(())
    }

    /// A comment. Those before the first move may come before [`Visitor::begin_moves`].
    fn comment(&mut self, comment: RawComment<'_>) -> Flow {
        Flow::Continue(())
    }

    /// A variation begins: the moves to come replace the last one.
    fn begin_variation(&mut self) -> ControlFlow<Stop, Variation> {
        ControlFlow::Continue(Variation::Enter)
    }

    /// A variation ends.
    fn end_variation(&mut self) -> Flow {
        Flow::Continue(())
    }

    /// A result. It ends the game, unless it stands in a variation.
    fn outcome(&mut self, outcome: Outcome) -> Flow {
        Flow::Continue(())
    }

    /// The game has ended and is good.
    fn end_game(&mut self, game: RawGame<'_>) -> Self::Output;
}
