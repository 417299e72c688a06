//! Moves as engines write them: `e2e4`, `e7e8q`, `e1g1`.

use core::fmt;

use crate::short_text::{ShortText, short_text};
use crate::{Move, Position, Role, Square};

/// A move in the notation of the Universal Chess Interface: six bytes, no allocation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uci(ShortText<6>);

short_text!(Uci);

/// Why a text is not a legal move in UCI notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseUciError {
    /// The text goes wrong or breaks off.
    Syntax {
        /// Where, in bytes from the start.
        offset: usize,
        /// What stands there; `None` at the end of the text.
        found: Option<u8>,
        /// What should stand there.
        expected: UciExpected,
    },
    /// `0000`: the side to move passes, which is no move of chess.
    NullMove,
    /// No man of the side to move stands on the square.
    NoMan {
        /// The square.
        from: Square,
    },
    /// The man cannot go there.
    Illegal {
        /// The man.
        role: Role,
        /// Where it stands.
        from: Square,
        /// Where it should go.
        to: Square,
    },
    /// The pawn reaches the last rank, and the text does not say what it becomes.
    PromotionMissing {
        /// Where it arrives.
        to: Square,
    },
    /// A promotion where no pawn arrives on the last rank.
    PromotionNotPossible {
        /// Where the man arrives.
        to: Square,
    },
}

/// What the reader of a move was waiting for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum UciExpected {
    /// A file, `a` to `h`.
    File,
    /// A rank, `1` to `8`.
    Rank,
    /// Nothing more, or what the pawn becomes.
    PromotionOrEnd,
    /// Nothing more.
    End,
}

impl UciExpected {
    /// All of them.
    pub const ALL: [UciExpected; 4] = [
        UciExpected::File,
        UciExpected::Rank,
        UciExpected::PromotionOrEnd,
        UciExpected::End,
    ];
}

impl fmt::Display for UciExpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UciExpected::File => "a file a–h",
            UciExpected::Rank => "a rank 1–8",
            UciExpected::PromotionOrEnd => "the end, or what the pawn becomes: q, r, b or n",
            UciExpected::End => "the end of the move",
        })
    }
}

impl fmt::Display for ParseUciError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ParseUciError::Syntax {
                offset,
                found,
                expected,
            } => {
                write!(f, "UCI move, byte {offset}: found ")?;
                match found {
                    Some(byte) => write!(f, "'{}'", byte.escape_ascii())?,
                    None => f.write_str("the end")?,
                }
                write!(f, ", expected {expected}")
            }
            ParseUciError::NullMove => f.write_str("the null move 0000 is not a move of chess"),
            ParseUciError::NoMan { from } => {
                write!(f, "no man of the side to move stands on {from}")
            }
            ParseUciError::Illegal { role, from, to } => {
                write!(f, "{from}{to}: the {role:?} cannot legally go there")
            }
            ParseUciError::PromotionMissing { to } => {
                write!(f, "say what the pawn becomes on {to}, as in {to}q")
            }
            ParseUciError::PromotionNotPossible { to } => {
                write!(f, "nothing is promoted on {to}; leave the promotion out")
            }
        }
    }
}

impl core::error::Error for ParseUciError {}

/// Two squares and a promotion.
fn parse_words(text: &[u8]) -> Result<(Square, Square, Option<Role>), ParseUciError> {
    let fail = |offset: usize, expected| ParseUciError::Syntax {
        offset,
        found: text.get(offset).copied(),
        expected,
    };
    let square = |offset: usize| {
        let rest = text.get(offset..).unwrap_or_default();
        Square::parse_prefix(rest).ok_or_else(|| match rest.first() {
            Some(b'a'..=b'h') => fail(offset + 1, UciExpected::Rank),
            _ => fail(offset, UciExpected::File),
        })
    };
    let (from, to) = (square(0)?, square(2)?);
    let promotion = match text.get(4) {
        None => None,
        Some(&letter) => {
            let role = Role::from_char(char::from(letter))
                .filter(|role| Role::PROMOTIONS.contains(role))
                .ok_or_else(|| fail(4, UciExpected::PromotionOrEnd))?;
            Some(role)
        }
    };
    if text.len() > 5 {
        return Err(fail(5, UciExpected::End));
    }
    Ok((from, to, promotion))
}

impl Position {
    /// Reads a legal move in UCI notation, the whole text.
    ///
    /// Castling may be written as the king's way (`e1g1`, if the king stands on the e-file) or as
    /// king takes rook (`e1h1`, the only way in Chess960). The promotion may be a capital letter.
    ///
    /// ```
    /// # use scoresheet_chess::{Position, ParseUciError};
    /// let m = Position::START.parse_uci(b"g1f3").unwrap();
    /// assert_eq!(Position::START.san(m).as_str(), "Nf3");
    /// assert_eq!(Position::START.parse_uci(b"0000"), Err(ParseUciError::NullMove));
    /// ```
    ///
    /// # Errors
    /// [`ParseUciError`] if it is not the notation of a legal move.
    pub fn parse_uci(&self, text: &[u8]) -> Result<Move, ParseUciError> {
        if text == b"0000" {
            return Err(ParseUciError::NullMove);
        }
        let (from, to, promotion) = parse_words(text)?;
        let role = match self.board.role_at(from) {
            Some(role) if self.board.by_color(self.turn).contains(from) => role,
            _ => return Err(ParseUciError::NoMan { from }),
        };
        let illegal = ParseUciError::Illegal { role, from, to };
        let promotes = role == Role::Pawn && self.promotes_at(to);
        if promotion.is_some() && !promotes {
            return Err(ParseUciError::PromotionNotPossible { to });
        }
        if self.pseudo_origins(role, to).contains(from) {
            return if !self.is_safe(role, from, to) {
                Err(illegal)
            } else if promotes && promotion.is_none() {
                Err(ParseUciError::PromotionMissing { to })
            } else {
                Ok(Move::new(from, to, self.kind_of(role, from, to, promotion)))
            };
        }
        match self.castling_by_squares(from, to) {
            Some(side) if self.can_castle(side) => Ok(self.castling_move(side)),
            _ => Err(illegal),
        }
    }

    /// Writes a move in UCI notation. Castling is the king's way, `e1g1`; in positions that only
    /// Chess960 knows (see [`Position::needs_chess960`]) it is king takes rook.
    #[must_use]
    pub fn uci(&self, m: Move) -> Uci {
        if m.castling_side().is_some() && self.needs_chess960() {
            self.uci_chess960(m)
        } else {
            write(m, m.to())
        }
    }

    /// Writes a move in UCI notation, castling always as king takes rook: for engines that were
    /// told `UCI_Chess960`.
    #[must_use]
    pub fn uci_chess960(&self, m: Move) -> Uci {
        let rook = m
            .castling_side()
            .and_then(|side| self.castling_rook(self.turn, side));
        write(m, rook.unwrap_or(m.to()))
    }
}

fn write(m: Move, to: Square) -> Uci {
    let mut text = ShortText::new();
    text.push_square(m.from());
    text.push_square(to);
    if let Some(role) = m.promotion() {
        text.push(crate::san::role_letter(role).to_ascii_lowercase());
    }
    Uci(text)
}
