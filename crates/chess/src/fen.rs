//! FEN in and out, with X-FEN and Shredder-FEN for Chess960.

use core::fmt;
use core::str::FromStr;

use crate::{
    Bitboard, Board, CastlingSide, Color, File, Piece, Position, Rank, Role, Setup, SetupFaults,
    Square,
};

/// The text breaks off or goes wrong at a byte: what was found there and what was expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FenSyntaxError {
    /// Where, in bytes from the start.
    pub offset: usize,
    /// What stands there; `None` at the end of the text.
    pub found: Option<u8>,
    /// What should stand there.
    pub expected: FenExpected,
}

/// What the reader of a FEN was waiting for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FenExpected {
    /// A piece letter or a number of empty squares.
    PieceOrGap,
    /// Fewer squares: this rank has more than eight.
    EndOfRank,
    /// More squares: this rank has fewer than eight.
    FullRank,
    /// One of the eight ranks.
    RankSeparator,
    /// A space between two fields.
    Space,
    /// `w` or `b`.
    Turn,
    /// `-`, or letters of `KQkq`, `A`–`H`, `a`–`h`, each once.
    Castling,
    /// `-`, or a square.
    EnPassant,
    /// A number of half-moves up to 65,535.
    Halfmoves,
    /// A move number up to 65,535.
    Fullmoves,
    /// Nothing more.
    End,
}

impl FenExpected {
    /// All of them, in the order of the text.
    pub const ALL: [FenExpected; 11] = [
        FenExpected::PieceOrGap,
        FenExpected::EndOfRank,
        FenExpected::FullRank,
        FenExpected::RankSeparator,
        FenExpected::Space,
        FenExpected::Turn,
        FenExpected::Castling,
        FenExpected::EnPassant,
        FenExpected::Halfmoves,
        FenExpected::Fullmoves,
        FenExpected::End,
    ];
}

impl fmt::Display for FenExpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenExpected::PieceOrGap => {
                "one of PNBRQKpnbrqk or a number of empty squares 1–8 (not two numbers in a row)"
            }
            FenExpected::EndOfRank => "the end of the rank after eight squares",
            FenExpected::FullRank => "eight squares in the rank before it ends",
            FenExpected::RankSeparator => "'/' and another rank: there are eight",
            FenExpected::Space => "a space before the next field",
            FenExpected::Turn => "the side to move, 'w' or 'b'",
            FenExpected::Castling => {
                "castling rights: '-', or letters of KQkq or rook files A–H and a–h, each once"
            }
            FenExpected::EnPassant => "the en-passant square: '-', or a square such as e3",
            FenExpected::Halfmoves => "the half-move clock, a number up to 65535",
            FenExpected::Fullmoves => "the move number, a number up to 65535",
            FenExpected::End => "the end of the FEN",
        })
    }
}

impl fmt::Display for FenSyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FEN, byte {}: found ", self.offset)?;
        match self.found {
            Some(byte) => write!(f, "'{}'", byte.escape_ascii())?,
            None => f.write_str("the end")?,
        }
        write!(f, ", expected {}", self.expected)
    }
}

impl core::error::Error for FenSyntaxError {}

/// Why a text gives no [`Position`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParseFenError {
    /// It is no FEN.
    Syntax(FenSyntaxError),
    /// It is one, but nobody could play from there.
    Setup(SetupFaults),
}

impl fmt::Display for ParseFenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseFenError::Syntax(error) => error.fmt(f),
            ParseFenError::Setup(faults) => faults.fmt(f),
        }
    }
}

impl core::error::Error for ParseFenError {}

impl From<FenSyntaxError> for ParseFenError {
    fn from(error: FenSyntaxError) -> ParseFenError {
        ParseFenError::Syntax(error)
    }
}

impl From<SetupFaults> for ParseFenError {
    fn from(faults: SetupFaults) -> ParseFenError {
        ParseFenError::Setup(faults)
    }
}

/// Walks over the text and remembers where it is.
pub(crate) struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(text: &'a [u8]) -> Reader<'a> {
        Reader { text, at: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn at_field_end(&self) -> bool {
        matches!(self.peek(), None | Some(b' '))
    }

    fn fail<T>(&self, expected: FenExpected) -> Result<T, FenSyntaxError> {
        Err(FenSyntaxError {
            offset: self.at,
            found: self.peek(),
            expected,
        })
    }

    /// What follows, and how many bytes came before it.
    pub(crate) fn rest(&self) -> (usize, &'a [u8]) {
        (self.at, self.text.get(self.at..).unwrap_or_default())
    }

    fn space(&mut self) -> Result<(), FenSyntaxError> {
        if self.peek() != Some(b' ') {
            return self.fail(FenExpected::Space);
        }
        self.skip_spaces();
        Ok(())
    }

    pub(crate) fn skip_spaces(&mut self) {
        while self.peek() == Some(b' ') {
            self.at += 1;
        }
    }

    pub(crate) fn finish(&self) -> Result<(), FenSyntaxError> {
        if self.peek().is_some() {
            self.fail(FenExpected::End)
        } else {
            Ok(())
        }
    }

    pub(crate) fn board(&mut self) -> Result<Board, FenSyntaxError> {
        let mut board = Board::EMPTY;
        for (row, rank) in Rank::ALL.into_iter().rev().enumerate() {
            if row > 0 {
                if self.peek() != Some(b'/') {
                    return self.fail(FenExpected::RankSeparator);
                }
                self.at += 1;
            }
            self.rank(&mut board, rank)?;
        }
        if !self.at_field_end() {
            return self.fail(FenExpected::Space);
        }
        Ok(board)
    }

    fn rank(&mut self, board: &mut Board, rank: Rank) -> Result<(), FenSyntaxError> {
        let mut file = 0;
        let mut after_gap = false;
        loop {
            let byte = match self.peek() {
                None | Some(b'/' | b' ') => break,
                Some(byte) => byte,
            };
            let width = match byte {
                b'1'..=b'8' if !after_gap => usize::from(byte - b'0'),
                _ => 1,
            };
            after_gap = byte.is_ascii_digit();
            if file + width > 8 {
                return self.fail(FenExpected::EndOfRank);
            }
            match (Piece::from_char(char::from(byte)), File::from_index(file)) {
                (Some(piece), Some(file)) => board.set(Square::new(file, rank), piece),
                _ if matches!(byte, b'1'..=b'8') && (width > 1 || byte == b'1') => {}
                _ => return self.fail(FenExpected::PieceOrGap),
            }
            file += width;
            self.at += 1;
        }
        if file < 8 {
            self.fail(FenExpected::FullRank)
        } else {
            Ok(())
        }
    }

    fn turn(&mut self) -> Result<Color, FenSyntaxError> {
        let color = match self.peek() {
            Some(b'w') => Color::White,
            Some(b'b') => Color::Black,
            _ => return self.fail(FenExpected::Turn),
        };
        self.at += 1;
        if !self.at_field_end() {
            return self.fail(FenExpected::Space);
        }
        Ok(color)
    }

    fn castling(&mut self, board: &Board) -> Result<Bitboard, FenSyntaxError> {
        let mut rooks = Bitboard::EMPTY;
        if self.peek() == Some(b'-') {
            self.at += 1;
            return if self.at_field_end() {
                Ok(rooks)
            } else {
                self.fail(FenExpected::Space)
            };
        }
        while !self.at_field_end() || rooks.is_empty() {
            let rook = match self.peek().and_then(|byte| castling_rook(board, byte)) {
                Some(rook) if !rooks.contains(rook) => rook,
                _ => return self.fail(FenExpected::Castling),
            };
            rooks.insert(rook);
            self.at += 1;
        }
        Ok(rooks)
    }

    fn ep_square(&mut self) -> Result<Option<Square>, FenSyntaxError> {
        let square = match self.peek() {
            Some(b'-') => None,
            _ => match Square::parse_prefix(self.rest().1) {
                Some(square) => Some(square),
                None => return self.fail(FenExpected::EnPassant),
            },
        };
        self.at += if square.is_some() { 2 } else { 1 };
        if !self.at_field_end() {
            return self.fail(FenExpected::Space);
        }
        Ok(square)
    }

    fn number(&mut self, expected: FenExpected) -> Result<u16, FenSyntaxError> {
        let start = self.at;
        let mut value: u16 = 0;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            let next = value
                .checked_mul(10)
                .and_then(|v| v.checked_add(u16::from(digit - b'0')));
            match next {
                Some(next) => value = next,
                None => return self.fail(expected),
            }
            self.at += 1;
        }
        if self.at == start || !self.at_field_end() {
            self.fail(expected)
        } else {
            Ok(value)
        }
    }

    /// The four fields that FEN and EPD share.
    pub(crate) fn four_fields(&mut self) -> Result<Setup, FenSyntaxError> {
        let board = self.board()?;
        self.space()?;
        let turn = self.turn()?;
        self.space()?;
        let castling = self.castling(&board)?;
        self.space()?;
        let ep_square = self.ep_square()?;
        Ok(Setup {
            board,
            turn,
            castling,
            ep_square,
            ..Setup::EMPTY
        })
    }
}

/// The rook that a castling letter names: a file, or the outermost rook on one side of the king
/// (X-FEN). Where there is none, the corner; [`Position::try_from`] finds the fault then.
fn castling_rook(board: &Board, letter: u8) -> Option<Square> {
    let color = if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    };
    let home = Rank::First.seen_by(color);
    let side = match letter.to_ascii_lowercase() {
        b'k' => CastlingSide::KingSide,
        b'q' => CastlingSide::QueenSide,
        _ => return File::from_char(char::from(letter)).map(|file| Square::new(file, home)),
    };
    let corner = match side {
        CastlingSide::KingSide => Square::new(File::H, home),
        CastlingSide::QueenSide => Square::new(File::A, home),
    };
    Some(outermost_rook(board, color, side).unwrap_or(corner))
}

/// The rook on the back rank that is farthest from the king on one side.
fn outermost_rook(board: &Board, color: Color, side: CastlingSide) -> Option<Square> {
    let home = Bitboard::from_rank(Rank::First.seen_by(color));
    let king = (board.by_piece(Piece::new(color, Role::King)) & home).first()?;
    let rooks = board.by_piece(Piece::new(color, Role::Rook)) & home;
    match side {
        CastlingSide::KingSide => rooks.last().filter(|&rook| rook > king),
        CastlingSide::QueenSide => rooks.first().filter(|&rook| rook < king),
    }
}

/// Reads a FEN of six fields, or of four or five: the counters may be missing and are 0 and 1 then.
/// A move number of 0 is read as 1.
impl FromStr for Setup {
    type Err = FenSyntaxError;

    fn from_str(text: &str) -> Result<Setup, FenSyntaxError> {
        let mut reader = Reader::new(text.as_bytes());
        let mut setup = reader.four_fields()?;
        if reader.peek().is_some() {
            reader.space()?;
            setup.halfmoves = reader.number(FenExpected::Halfmoves)?;
        }
        if reader.peek().is_some() {
            reader.space()?;
            setup.fullmoves = reader.number(FenExpected::Fullmoves)?.max(1);
        }
        reader.finish()?;
        Ok(setup)
    }
}

/// Reads a FEN and checks that one can play from there.
impl FromStr for Position {
    type Err = ParseFenError;

    fn from_str(text: &str) -> Result<Position, ParseFenError> {
        Ok(Position::try_from(text.parse::<Setup>()?)?)
    }
}

/// The first field of a FEN alone.
impl FromStr for Board {
    type Err = FenSyntaxError;

    fn from_str(text: &str) -> Result<Board, FenSyntaxError> {
        let mut reader = Reader::new(text.as_bytes());
        let board = reader.board()?;
        reader.finish()?;
        Ok(board)
    }
}

/// The first field of a FEN.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut gap = 0;
            for file in File::ALL {
                let Some(piece) = self.piece_at(Square::new(file, rank)) else {
                    gap += 1;
                    continue;
                };
                if gap > 0 {
                    write!(f, "{gap}")?;
                    gap = 0;
                }
                write!(f, "{piece}")?;
            }
            if gap > 0 {
                write!(f, "{gap}")?;
            }
            if rank != Rank::First {
                f.write_str("/")?;
            }
        }
        Ok(())
    }
}

/// Which letters stand for castling rights.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CastlingStyle {
    /// `KQkq` where the rook is the outermost one, its file where it is not.
    XFen,
    /// Always the file of the rook.
    Shredder,
}

fn write_fields(f: &mut fmt::Formatter<'_>, setup: &Setup, style: CastlingStyle) -> fmt::Result {
    write_styled(f, setup, style)?;
    write!(f, " {} {}", setup.halfmoves, setup.fullmoves)
}

/// What FEN and EPD share.
pub(crate) fn write_four_fields(f: &mut fmt::Formatter<'_>, setup: &Setup) -> fmt::Result {
    write_styled(f, setup, CastlingStyle::XFen)
}

fn write_styled(f: &mut fmt::Formatter<'_>, setup: &Setup, style: CastlingStyle) -> fmt::Result {
    let turn = if setup.turn == Color::White { 'w' } else { 'b' };
    write!(f, "{} {turn} ", setup.board)?;
    if setup.castling.is_empty() {
        f.write_str("-")?;
    }
    for color in Color::ALL {
        let home = Bitboard::from_rank(Rank::First.seen_by(color));
        let mut rooks: Vec<Square> = (setup.castling & home).into_iter().collect();
        rooks.reverse(); // King side first.
        for rook in rooks {
            let named = CastlingSide::ALL.into_iter().find(|&side| {
                style == CastlingStyle::XFen
                    && outermost_rook(&setup.board, color, side).is_some_and(|r| r == rook)
            });
            let letter = match named {
                Some(CastlingSide::KingSide) => 'k',
                Some(CastlingSide::QueenSide) => 'q',
                None => rook.file().char(),
            };
            let is_white = color == Color::White;
            write!(
                f,
                "{}",
                if is_white {
                    letter.to_ascii_uppercase()
                } else {
                    letter
                }
            )?;
        }
    }
    match setup.ep_square {
        Some(square) => write!(f, " {square}")?,
        None => f.write_str(" -")?,
    }
    Ok(())
}

/// The FEN, with X-FEN castling letters where standard ones do not do.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_fields(f, self, CastlingStyle::XFen)
    }
}

/// The FEN, with X-FEN castling letters where standard ones do not do.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_fields(f, &self.to_setup(), CastlingStyle::XFen)
    }
}

/// Writes a FEN with the files of the rooks as castling letters, as Chess960 programs like it.
///
/// ```
/// use scoresheet_chess::{Position, Setup, ShredderFen};
/// let fen = ShredderFen(Position::START.to_setup()).to_string();
/// assert_eq!(fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShredderFen(pub Setup);

impl fmt::Display for ShredderFen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_fields(f, &self.0, CastlingStyle::Shredder)
    }
}
