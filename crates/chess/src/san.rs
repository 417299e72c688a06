//! Standard algebraic notation: `Nf3`, `exd5`, `O-O`, `e8=Q#`.
//!
//! Reading has two ways. The first knows only the canonical forms, which nearly all moves of nearly
//! all files have, and looks backwards from the square that is named: which men of this role reach
//! it? No list of moves is made. Whatever it does not know goes the second way, which reads what
//! people write and can say what is wrong. Where both answer, they agree: that is a law in
//! `testkit`.

mod canonical;
mod error;
mod names;
mod token;
mod tolerant;

use crate::short_text::{ShortText, short_text};
use crate::{Bitboard, CastlingSide, Move, Position, Role, Square, Step, attacks};

use names::Name;

pub use error::{ParseSanError, SanExpected};
pub use token::SanToken;

/// A move in standard algebraic notation: eight bytes, no allocation.
///
/// ```
/// use scoresheet_chess::{Position, Square, Move, MoveKind};
/// let m = Move::new(Square::G1, Square::F3, MoveKind::Quiet);
/// assert_eq!(Position::START.san(m).as_str(), "Nf3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct San(ShortText<{ San::MAX_LEN + 1 }>);

const _: () = assert!(size_of::<San>() == 8);

impl San {
    /// The longest are `Qa1xb2#` and `exd8=Q#`.
    pub const MAX_LEN: usize = 7;
}

short_text!(San);

/// A move with what is known of it when it has been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadMove {
    /// A step, and all men of its role on its side, among which it was looked for.
    Step(Step, Bitboard),
    /// Castling, a promotion, or en passant; or a move of which no more is known.
    Other(Move),
}

impl ReadMove {
    /// The move itself.
    #[must_use]
    #[inline(always)]
    pub fn to_move(self) -> Move {
        match self {
            ReadMove::Step(step, _) => step.to_move(),
            ReadMove::Other(m) => m,
        }
    }
}

impl Position {
    /// Reads a move in standard algebraic notation.
    ///
    /// Besides the standard's form it takes what people write: long notation (`Ng1-f3`, `e2e4`,
    /// `g1f3`), castling with zeros or small letters, `e8Q`, `e8(Q)`, `e8/Q`, `exd6 e.p.`, `Pe4`,
    /// piece letters in lower case except `b`, which is a file, and `!`, `?`, `+`, `#` at the end.
    /// Marks that follow from the position (`x`, `+`, `#`, `e.p.`) may be missing or wrong.
    ///
    /// ```
    /// use scoresheet_chess::{ParseSanError, Position, Role, Square};
    /// let e4 = Position::START.parse_san(b"e4").unwrap();
    /// assert_eq!(Position::START.parse_san(b"e2-e4!"), Ok(e4));
    /// let error = Position::START.parse_san(b"Bc4").unwrap_err();
    /// assert_eq!(error, ParseSanError::NoSuchMove { role: Role::Bishop, to: Square::C4 });
    /// ```
    ///
    /// # Errors
    /// [`ParseSanError`] if the whole text is not the name of exactly one legal move. A null move
    /// (`--`, `Z0`, `@@@@`) has an error of its own.
    #[inline]
    pub fn parse_san(&self, text: &[u8]) -> Result<Move, ParseSanError> {
        match SanToken::new(text).and_then(|token| canonical::parse(self, token)) {
            Some(m) => Ok(m),
            None => tolerant::parse(self, text),
        }
    }

    /// Reads a move in its canonical form, which nearly all moves of nearly all files have, and
    /// writes down the position after it: the fastest way through a game. `None` leaves `after` as it
    /// is, and says nothing but that [`Position::parse_san`] must be asked.
    ///
    /// ```
    /// use scoresheet_chess::{Position, SanToken};
    /// let mut after = Position::START;
    /// let mut play = |text| Position::START.play_canonical_san(SanToken::new(text)?, &mut after);
    /// assert_eq!(play(b"Ng1-f3"), None);
    /// assert!(play(b"Nf3").is_some());
    /// assert_eq!(after.halfmoves(), 1);
    /// ```
    #[inline(always)]
    pub fn play_canonical_san(&self, token: SanToken, after: &mut Position) -> Option<Move> {
        canonical::play(self, token, after, |_| {})
    }

    /// [`Position::play_canonical_san`] that tells the move as soon as it knows it: to encode moves while
    /// they are read.
    ///
    /// ```
    /// use scoresheet_chess::{Position, ReadMove, Role, SanToken};
    /// let (token, mut after) = (SanToken::new(b"Nf3").unwrap(), Position::START);
    /// Position::START.play_canonical_san_telling(token, &mut after, |read| {
    ///     assert!(matches!(read, ReadMove::Step(step, men) if step.role == Role::Knight && men.len() == 2));
    /// });
    /// ```
    #[inline(always)]
    pub fn play_canonical_san_telling(
        &self,
        token: SanToken,
        after: &mut Position,
        tell: impl FnMut(ReadMove),
    ) -> Option<Move> {
        canonical::play(self, token, after, tell)
    }

    /// [`Position::parse_san`] without its short cut, for the law that both agree.
    ///
    /// # Errors
    /// As there.
    #[doc(hidden)]
    pub fn parse_san_the_long_way(&self, text: &[u8]) -> Result<Move, ParseSanError> {
        tolerant::parse(self, text)
    }

    /// Writes a legal move in standard algebraic notation, as short as it can be told, with `+` or
    /// `#`. For a move that is not legal here the text means nothing.
    #[must_use]
    #[inline]
    pub fn san(&self, m: Move) -> San {
        let mut next = *self;
        next.play_with_san(m)
    }

    /// Plays a legal move and returns its text: whoever writes a game does both, and the signs for
    /// check and mate need the position after the move anyway.
    ///
    /// Nothing is checked; see [`Position::play_unchecked`].
    ///
    /// ```
    /// # use scoresheet_chess::Position;
    /// let mut position = Position::START;
    /// let m = position.parse_san(b"g1f3").unwrap();
    /// assert_eq!(position.play_with_san(m).as_str(), "Nf3");
    /// assert_eq!(position.fullmoves(), 1);
    /// ```
    #[inline]
    pub fn play_with_san(&mut self, m: Move) -> San {
        let (word, length) = self.san_letters(m);
        let mut text = ShortText::from_word(word, length);
        self.play_unchecked(m);
        if let Some(sign) = self.check_sign() {
            text.push(sign);
        }
        San(text)
    }

    /// The letters of a legal move without the sign for check, the first in the low byte, and how many
    /// they are: for those who write many, and have the position after the move anyway to ask it for
    /// the sign.
    ///
    /// There is no branch on what moves or whether it takes: nobody can foresee either, and every wrong
    /// guess costs as much as all the rest.
    ///
    /// ```
    /// # use scoresheet_chess::Position;
    /// let position: Position = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1".parse().unwrap();
    /// let m = position.parse_san(b"Ra8").unwrap();
    /// let (letters, length) = position.san_letters(m);
    /// assert_eq!(letters.to_le_bytes()[..length], *b"Ra8");
    /// assert_eq!(position.san(m).as_str(), "Ra8#");
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn san_letters(&self, m: Move) -> (u64, usize) {
        match Step::of(self, m) {
            Some(step) => self.step_letters(step),
            None => special_san_letters(m),
        }
    }

    /// [`Position::san_letters`] of a step: nothing need be looked up on the board, and whoever has
    /// asked for the men of this role has half of the work done.
    ///
    /// ```
    /// # use scoresheet_chess::{Position, Step};
    /// let m = Position::START.parse_san(b"Nf3").unwrap();
    /// let step = Step::of(&Position::START, m).unwrap();
    /// assert_eq!(Position::START.step_letters(step), Position::START.san_letters(m));
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn step_letters(&self, step: Step) -> (u64, usize) {
        let Name { rays, letters } = names::of(step.role, step.to);
        let letters = letters[usize::from(step.takes)];
        let file = b'a' + step.from as u8 % 8;
        let mut word = letters.word(file);
        let mut length = letters.len();
        let men = self.board.by_any_role(step.role) & self.board.by_color(self.turn);
        let others = (men & *rays) - step.from.into();
        if others.any() {
            let origin = self.origin(step.role, step.from, step.to, others);
            for byte in origin.into_iter().flatten().rev() {
                word = word & 0xff | u64::from(byte) << 8 | word >> 8 << 16;
                length += 1;
            }
        }
        (word, length)
    }

    /// As much of the origin as is needed: the file, else the rank, else both. Men that would leave
    /// their king in check do not count (PGN §8.2.3.4), nor do those with a man in their way. By value:
    /// whoever plays through a game keeps its position in registers as long as nobody asks for its
    /// address.
    fn origin(self, role: Role, from: Square, to: Square, others: Bitboard) -> [Option<u8>; 2] {
        let occupied = self.board.occupied();
        let others: Bitboard = others
            .into_iter()
            .filter(|&other| !attacks::between(other, to).intersects(occupied))
            .filter(|&other| self.is_safe(role, other, to))
            .collect();
        if others.is_empty() {
            return [None; 2];
        }
        let on_file = others.intersects(Bitboard::from_file(from.file()));
        let on_rank = others.intersects(Bitboard::from_rank(from.rank()));
        [
            (!on_file || on_rank).then_some(b'a' + from as u8 % 8),
            on_file.then_some(b'1' + from as u8 / 8),
        ]
    }

    /// `+` or `#` if the side to move is in check.
    #[inline]
    pub(crate) fn check_sign(&self) -> Option<u8> {
        if !self.is_check() {
            None
        } else if self.has_legal_moves() {
            Some(b'+')
        } else {
            Some(b'#')
        }
    }
}

/// Castling, promotions and en passant: one move in forty.
#[cold]
fn special_san_letters(m: Move) -> (u64, usize) {
    let mut text = ShortText::<{ San::MAX_LEN + 1 }>::new();
    if let Some(side) = m.castling_side() {
        text.push_str(castling_text(side));
    } else {
        if m.is_capture() {
            text.push(b'a' + m.from() as u8 % 8);
            text.push(b'x');
        }
        text.push_square(m.to());
        push_promotion(&mut text, m);
    }
    text.into_word()
}

pub(crate) fn castling_text(side: CastlingSide) -> &'static str {
    match side {
        CastlingSide::KingSide => "O-O",
        CastlingSide::QueenSide => "O-O-O",
    }
}

pub(crate) fn push_promotion<const N: usize>(text: &mut ShortText<N>, m: Move) {
    if let Some(role) = m.promotion() {
        text.push(b'=');
        text.push(role_letter(role));
    }
}

pub(crate) const fn role_letter(role: Role) -> u8 {
    [b'P', b'N', b'B', b'R', b'Q', b'K'][role as usize]
}
