//! Part of a position: what has to stand where.

use chess::{Bitboard, Board, Color, File, Piece, Position, Rank, Role, Square};

use crate::QueryError;
use crate::needs::Needs;

/// A pattern of a board, and what else a FEN may say.
///
/// ```
/// use chess::Position;
/// use scoresheet_search::Pattern;
/// // A white pawn on e4, and nothing on e5.
/// let pattern = Pattern::parse_sub_fen("8/8/8/4?3/4P3/8/8/8")?;
/// let after_e4: Position = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".parse()?;
/// assert!(pattern.matches(&after_e4));
/// assert!(!pattern.matches(&Position::START));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    board: Board,
    /// The squares that matter.
    squares: Bitboard,
    turn: Option<Color>,
    /// The rooks that can castle.
    castling: Option<Bitboard>,
    /// The square on which a pawn can be taken in passing.
    ep: Option<Option<Square>>,
}

impl Pattern {
    /// Reads a board of which only part is given: letters are men, `?` is an empty square, digits
    /// and `.` are squares on which anything may stand.
    ///
    /// # Errors
    /// [`QueryError`] with the place in the text.
    pub fn parse_sub_fen(text: &str) -> Result<Pattern, QueryError> {
        let fail = |at, expected: &str| QueryError::new("sub-fen", text, at, expected);
        let mut pattern = Pattern {
            board: Board::EMPTY,
            squares: Bitboard::EMPTY,
            turn: None,
            castling: None,
            ep: None,
        };
        let (mut rank, mut file) = (7, 0);
        for (at, c) in text.chars().enumerate() {
            if c == '/' {
                if file != 8 {
                    return Err(fail(at, "eight squares in each rank"));
                }
                rank = match usize::checked_sub(rank, 1) {
                    Some(rank) => rank,
                    None => return Err(fail(at, "the end after eight ranks")),
                };
                file = 0;
                continue;
            }
            if let Some(gap @ 1..=8) = c.to_digit(10) {
                file += gap as usize;
                if file > 8 {
                    return Err(fail(at, "no more than eight squares in a rank"));
                }
                continue;
            }
            let place = File::from_index(file).zip(Rank::from_index(rank));
            let Some((file_of, rank_of)) = place else {
                return Err(fail(at, "\"/\" or the end after eight squares"));
            };
            let square = Square::new(file_of, rank_of);
            file += 1;
            match (c, Piece::from_char(c)) {
                (_, Some(piece)) => {
                    pattern.board.set(square, piece);
                    pattern.squares.insert(square);
                }
                ('?', _) => pattern.squares.insert(square),
                ('.', _) => {}
                _ => {
                    let expected = "a man (PNBRQK, pnbrqk), ?, . , a digit or /";
                    return Err(fail(at, expected));
                }
            }
        }
        if (rank, file) != (0, 8) {
            let at = text.chars().count();
            return Err(fail(at, "eight ranks of eight squares"));
        }
        Ok(pattern)
    }

    /// Reads a whole board and as much else as is told: the fields of a FEN from the left. `*`
    /// stands for a field that does not matter; clocks and move numbers never do.
    ///
    /// # Errors
    /// [`QueryError`] with the place in the text.
    pub fn parse_fen(text: &str) -> Result<Pattern, QueryError> {
        let fail = |at, expected: String| QueryError::new("fen", text, at, expected);
        let mut fields = text.split_whitespace();
        // Fields are told by their place: the first that reads so, from the left.
        let place = |field: &str| {
            let before = text.find(field).and_then(|at| text.get(..at));
            before.map_or(0, |before| before.chars().count())
        };
        let given = fields.next().unwrap_or_default();
        let board: Board = given.parse().map_err(|error: chess::FenSyntaxError| {
            fail(place(given), format!("a board ({error})"))
        })?;
        for color in Color::ALL {
            if board.by_piece(Piece::new(color, Role::King)).len() != 1 {
                let expected = "a board with one king a side; sub-fen finds parts of a board";
                return Err(fail(place(given), expected.to_owned()));
            }
        }
        let mut known = [None, None, None];
        for slot in &mut known {
            *slot = fields.next();
        }
        let [turn, castling, ep] = known.map(|field| field.filter(|field| *field != "*"));
        let turn_color = match turn {
            None => None,
            Some("w") => Some(Color::White),
            Some("b") => Some(Color::Black),
            Some(found) => return Err(fail(place(found), "w, b or *".to_owned())),
        };
        // The core knows what the letters of castling mean, and whether the square can be.
        let whole = |color: Color| -> Result<Position, chess::ParseFenError> {
            let turn = if color == Color::White { 'w' } else { 'b' };
            let (castling, ep) = (castling.unwrap_or("-"), ep.unwrap_or("-"));
            format!("{given} {turn} {castling} {ep} 0 1").parse()
        };
        let position = match turn_color {
            Some(color) => whole(color),
            None => whole(Color::White).or_else(|_| whole(Color::Black)),
        };
        let position = position.map_err(|error| fail(0, format!("a position ({error})")))?;
        Ok(Pattern {
            board,
            squares: Bitboard::ALL,
            turn: turn_color,
            castling: castling.map(|_| position.castling_rooks()),
            ep: ep.map(|_| position.ep_square()),
        })
    }

    /// The very same position.
    #[must_use]
    pub fn exact(position: &Position) -> Pattern {
        Pattern {
            board: *position.board(),
            squares: Bitboard::ALL,
            turn: Some(position.turn()),
            castling: Some(position.castling_rooks()),
            ep: Some(position.ep_square()),
        }
    }

    /// The men, and the squares that matter.
    pub(crate) fn board(&self) -> (Board, Bitboard) {
        (self.board, self.squares)
    }

    /// Whether a position fits.
    #[must_use]
    #[inline(always)]
    pub fn matches(&self, position: &Position) -> bool {
        position.board().agrees_with(&self.board, self.squares) && self.rest_matches(position)
    }

    #[inline]
    fn rest_matches(&self, position: &Position) -> bool {
        self.turn.is_none_or(|turn| turn == position.turn())
            && self
                .castling
                .is_none_or(|rooks| rooks == position.castling_rooks())
            && self.ep.is_none_or(|ep| ep == position.ep_square())
    }

    /// The same with the files from right to left. Castling does not survive it.
    pub(crate) fn mirrored(&self) -> Pattern {
        Pattern {
            castling: self.castling.filter(|rooks| rooks.is_empty()),
            ep: self.ep.map(|ep| ep.map(mirror)),
            ..self.moved_by(mirror, |color| color)
        }
    }

    /// The same with the sides exchanged.
    pub(crate) fn flipped(&self) -> Pattern {
        Pattern {
            turn: self.turn.map(|turn| !turn),
            castling: self.castling.map(Bitboard::flip_ranks),
            ep: self.ep.map(|ep| ep.map(Square::flip_ranks)),
            ..self.moved_by(Square::flip_ranks, |color| !color)
        }
    }

    fn moved_by(&self, square: fn(Square) -> Square, color: fn(Color) -> Color) -> Pattern {
        let mut board = Board::EMPTY;
        for (at, piece) in self.board.pieces() {
            board.set(square(at), Piece::new(color(piece.color), piece.role));
        }
        Pattern {
            board,
            squares: self.squares.iter().map(square).collect(),
            ..self.clone()
        }
    }

    /// What a game must still have, and must have done, to come to this.
    pub(crate) fn needs(&self) -> Needs {
        let mut needs = Needs::NOTHING;
        for color in Color::ALL {
            let pawns = self.board.by_piece(Piece::new(color, Role::Pawn));
            let side = needs.side_mut(color);
            side.home_pawns = pawns & Bitboard::from_rank(Rank::Second.seen_by(color));
            side.least_pawns = pawns.len();
            side.least_men = self.board.by_color(color).len();
            if self.squares == Bitboard::ALL {
                side.most_pawns = side.least_pawns;
                side.most_men = side.least_men;
            }
        }
        let mut homes = Bitboard::EMPTY;
        for square in self.squares {
            // Ranks 1, 2, 7 and 8.
            let is_home = square.rank() as u8 % 6 < 2;
            if is_home && self.board.piece_at(square) != Board::START.piece_at(square) {
                homes.insert(square);
            }
        }
        needs.left_homes = homes;
        if let Some(rooks) = self.castling {
            needs.castling = rooks;
        }
        needs
    }
}

pub(crate) fn mirror(square: Square) -> Square {
    Square::from_low_bits(square as u8 ^ 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_told_with_their_place() {
        let cases = [
            ("8/8/8/8/8/8/8", 13),
            ("8/8/8/8/8/8/8/8/8", 15),
            ("9/8/8/8/8/8/8/8", 0),
            ("8/7/8/8/8/8/8/8", 3),
            ("8/8x/8/8/8/8/8/8", 3),
            ("x7/8/8/8/8/8/8/8", 0),
            ("", 0),
            ("8/8/8/8/8/8/8/44P", 16),
        ];
        for (text, at) in cases {
            let error = Pattern::parse_sub_fen(text).expect_err(text);
            assert_eq!(error.at, at, "{error}");
        }
        for text in [
            "",
            "8/8/8/8/8/8/8/8 w",
            "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR x",
            "9",
        ] {
            assert!(Pattern::parse_fen(text).is_err(), "{text}");
        }
    }

    #[test]
    fn fields_that_are_not_told_do_not_matter() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        let other: Position = format!("{fen} b Kk - 0 1").parse().expect("a position");
        for (rest, matches) in [
            ("", true),
            (" b", true),
            (" w", false),
            (" * Kk", true),
            (" b KQkq -", false),
            (" b * -", true),
        ] {
            let pattern = Pattern::parse_fen(&format!("{fen}{rest}")).expect("a pattern");
            assert_eq!(pattern.matches(&other), matches, "{rest}");
        }
        assert!(Pattern::exact(&other).matches(&other));
        assert!(!Pattern::exact(&other).matches(&Position::START));
    }

    #[test]
    fn turned_twice_is_not_turned() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
        let pattern = Pattern::parse_fen(fen).expect("a pattern");
        assert_eq!(pattern.flipped().flipped(), pattern);
        assert_ne!(pattern.flipped(), pattern);
        let part = Pattern::parse_sub_fen("8/8/?7/8/8/1B3N2/8/8").expect("a pattern");
        assert_eq!(part.mirrored().mirrored(), part);
        assert_eq!(
            part.mirrored(),
            Pattern::parse_sub_fen("8/8/7?/8/8/2N3B1/8/8").expect("a pattern")
        );
    }
}
