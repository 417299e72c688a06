//! The long way: what people write, and what is wrong with it.

use super::error::{ParseSanError, SanExpected};
use crate::{Bitboard, CastlingSide, File, Move, MoveKind, Position, Rank, Role, Square};

#[cold]
#[inline(never)]
pub(super) fn parse(position: &Position, text: &[u8]) -> Result<Move, ParseSanError> {
    if matches!(text, b"--" | b"Z0" | b"@@@@" | b"0000") {
        return Err(ParseSanError::NullMove);
    }
    let mut reader = Reader { text, at: 0 };
    if reader.peek().is_some_and(is_castling_letter) {
        let side = reader.castling()?;
        reader.tail(false)?;
        return if position.can_castle(side) {
            Ok(position.castling_move(side))
        } else {
            Err(ParseSanError::IllegalCastling { side })
        };
    }
    reader.ordinary()?.find(position)
}

/// People use whatever looks round.
const fn is_castling_letter(byte: u8) -> bool {
    matches!(byte, b'O' | b'0' | b'o')
}

/// A move as the text gives it.
struct Words {
    role: Option<Role>,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn rest(&self) -> &[u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn fail<T>(&self, expected: SanExpected) -> Result<T, ParseSanError> {
        Err(ParseSanError::Syntax {
            offset: self.at,
            found: self.peek(),
            expected,
        })
    }

    /// Takes the next byte if `read` makes something of it.
    fn take<T>(&mut self, read: impl FnOnce(u8) -> Option<T>) -> Option<T> {
        let value = read(self.peek()?)?;
        self.at += 1;
        Some(value)
    }

    fn skip(&mut self, bytes: &[u8]) -> bool {
        self.take(|byte| bytes.contains(&byte).then_some(()))
            .is_some()
    }

    fn castling(&mut self) -> Result<CastlingSide, ParseSanError> {
        let mut letters = 0;
        loop {
            if !self.skip(b"O0o") {
                return self.fail(SanExpected::Castling);
            }
            letters += 1;
            if letters == 3 {
                return Ok(CastlingSide::QueenSide);
            }
            if !self.skip(b"-") {
                break;
            }
        }
        if letters == 2 {
            Ok(CastlingSide::KingSide)
        } else {
            self.fail(SanExpected::Castling)
        }
    }

    fn ordinary(&mut self) -> Result<Words, ParseSanError> {
        let role = self.take(|byte| match byte {
            b'b' => None, // A file. It may have been meant as a bishop, but we do not guess.
            _ => Role::from_char(char::from(byte)),
        });
        if role.is_none() && !matches!(self.peek(), Some(b'a'..=b'h')) {
            return self.fail(SanExpected::Move);
        }
        let (file, rank, to) = self.squares()?;
        let promotion = match role {
            None | Some(Role::Pawn) => self.promotion()?,
            Some(_) => None,
        };
        self.tail(matches!(role, None | Some(Role::Pawn)))?;
        Ok(Words {
            role,
            file,
            rank,
            to,
            promotion,
        })
    }

    /// What is said of the origin, and the square to go to.
    fn squares(&mut self) -> Result<(Option<File>, Option<Rank>, Square), ParseSanError> {
        let file = self.take(|byte| match byte {
            b'a'..=b'h' => File::from_char(char::from(byte)),
            _ => None,
        });
        let rank = self.take(|byte| Rank::from_char(char::from(byte)));
        let has_sign = self.skip(b"x-:X");
        if let Some(to) = Square::parse_prefix(self.rest()) {
            self.at += 2;
            return Ok((file, rank, to));
        }
        match (file, rank) {
            // There was one square only, and it is the one to go to.
            (Some(file), Some(rank)) if !has_sign => Ok((None, None, Square::new(file, rank))),
            _ => {
                // Half a square: the fault is in its second half.
                if matches!(self.peek(), Some(b'a'..=b'h')) {
                    self.at += 1;
                }
                self.fail(SanExpected::Square)
            }
        }
    }

    fn promotion(&mut self) -> Result<Option<Role>, ParseSanError> {
        let has_sign = self.skip(b"=/");
        let has_bracket = self.skip(b"(");
        let role = self.take(|byte| {
            let role = Role::from_char(char::from(byte))?;
            Role::PROMOTIONS.contains(&role).then_some(role)
        });
        if role.is_none() && (has_sign || has_bracket) {
            return self.fail(SanExpected::Promotion);
        }
        if has_bracket && !self.skip(b")") {
            return self.fail(SanExpected::ClosingBracket);
        }
        Ok(role)
    }

    /// Signs that say nothing which the position does not say: up to two for check or mate, up to
    /// two of judgement, and `e.p.` once, in any order.
    fn tail(&mut self, is_pawn: bool) -> Result<(), ParseSanError> {
        let (mut checks, mut judgements, mut in_passing) = (2, 2, u8::from(is_pawn));
        while let Some(byte) = self.peek() {
            let (left, len) = match byte {
                b'+' | b'#' => (&mut checks, 1),
                b'!' | b'?' => (&mut judgements, 1),
                _ => {
                    let rest = self.rest();
                    let signs: [&[u8]; 4] = [b" e.p.", b"e.p.", b" ep", b"ep"];
                    match signs.into_iter().find(|sign| rest.starts_with(sign)) {
                        Some(sign) => (&mut in_passing, sign.len()),
                        None => return self.fail(SanExpected::End),
                    }
                }
            };
            if *left == 0 {
                return self.fail(SanExpected::End);
            }
            *left -= 1;
            self.at += len;
        }
        Ok(())
    }
}

impl Words {
    fn find(self, position: &Position) -> Result<Move, ParseSanError> {
        let to = self.to;
        let given = self.file.map_or(Bitboard::ALL, Bitboard::from_file)
            & self.rank.map_or(Bitboard::ALL, Bitboard::from_rank);
        let origin = match (self.file, self.rank) {
            (Some(file), Some(rank)) => Some(Square::new(file, rank)),
            _ => None,
        };
        // Two squares without a letter name the man that stands on the first.
        let role = self
            .role
            .or_else(|| origin.and_then(|from| position.board.role_at(from)))
            .unwrap_or(Role::Pawn);
        // A pawn of which no file is told goes straight on (PGN §8.2.3.3).
        let given = if role == Role::Pawn && self.file.is_none() {
            given & Bitboard::from_file(to.file())
        } else {
            given
        };
        let origins = position.pseudo_origins(role, to) & given;
        let legal: Bitboard = origins
            .into_iter()
            .filter(|&from| position.is_safe(role, from, to))
            .collect();
        let Some(from) = legal.first() else {
            return Err(match origin.filter(|_| role == Role::King) {
                Some(from) => match position.castling_by_squares(from, to) {
                    Some(side) if self.promotion.is_none() && position.can_castle(side) => {
                        return Ok(position.castling_move(side));
                    }
                    Some(side) => ParseSanError::IllegalCastling { side },
                    None => cannot(role, to, origins),
                },
                None => cannot(role, to, origins),
            });
        };
        if legal.is_many() {
            return Err(ParseSanError::Ambiguous {
                role,
                to,
                origins: legal,
            });
        }
        let promotes = role == Role::Pawn && position.promotes_at(to);
        match self.promotion {
            None if promotes => Err(ParseSanError::PromotionMissing { to }),
            Some(_) if !promotes => Err(ParseSanError::PromotionNotPossible { to }),
            promotion => {
                let kind = position.kind_of(role, from, to, promotion);
                Ok(Move::new(from, to, kind))
            }
        }
    }
}

fn cannot(role: Role, to: Square, origins: Bitboard) -> ParseSanError {
    if origins.is_empty() {
        ParseSanError::NoSuchMove { role, to }
    } else {
        ParseSanError::LeavesKingInCheck { role, to, origins }
    }
}

impl Position {
    /// The word for castling to this side, legal or not.
    #[inline]
    pub(crate) fn castling_move(&self, side: CastlingSide) -> Move {
        let (king, to) = (self.king_of(self.turn), side.king_to(self.turn));
        Move::new(king, to, MoveKind::castle(side))
    }

    /// The side to which a king castles if its move is told by two squares: to its own rook, or,
    /// from the e-file, two files along the rank. It is known not to be a king's step.
    pub(crate) fn castling_by_squares(&self, from: Square, to: Square) -> Option<CastlingSide> {
        if from != self.king_of(self.turn) {
            return None;
        }
        CastlingSide::ALL.into_iter().find(|&side| {
            self.castling_rook(self.turn, side) == Some(to)
                || (from.file() == File::E
                    && from.rank() == to.rank()
                    && to == side.king_to(self.turn))
        })
    }
}
