//! `enumeration`: a number for every move that chess knows.

use chess::attacks::Sliders;
use chess::{CastlingSide, Color, Move, MoveKind, Position, Role, Square};

use crate::counts::rank_in;
use crate::{BitReader, Bits, CodecError, CodecName, MoveCodec, MoveFault, empty_board};

/// The number of a move among all moves of chess: piece, squares, what is taken, what a pawn
/// becomes. It needs no position to be read, and is the token that a model of chess wants.
///
/// White's moves are 0 … 22,677; Black's are the same moves seen from the other side of the board,
/// and 22,678 more. Within a side:
///
/// | from | moves | count | number in the row |
/// |---|---|---|---|
/// | 0 | pawn: promotions | 32 | `4 * file + promotion` |
/// | 32 | pawn: captures and promotions | 224 | `16 * way + 4 * taken (N, B, R, Q) + promotion` |
/// | 256 | pawn: double pushes | 8 | `file` |
/// | 264 | pawn: pushes | 40 | `8 * (rank − 2) + file` |
/// | 304 | pawn: captures | 350 | `5 * (14 * (rank − 2) + way) + taken (P, N, B, R, Q)` |
/// | 654 | pawn: en passant | 14 | `way` |
/// | 668 | king: castling king side, queen side | 2 | |
/// | 670 | king | 2,520 | `6 * pair + taken (none, P, N, B, R, Q)` |
/// | 3,190 | knight | 2,016 | the same |
/// | 5,206 | bishop | 3,360 | the same |
/// | 8,566 | rook | 5,376 | the same |
/// | 13,942 | queen | 8,736 | the same |
///
/// A *way* is one of the 14 captures of pawns on one rank, by ascending file and then destination;
/// a *pair* one of the from–to pairs of a piece on an empty board, in ascending order. Promotions
/// are N 0, B 1, R 2, Q 3.
///
/// ```
/// use chess::{Color, Position, Role};
/// use scoresheet_codec::MoveId;
/// assert_eq!(MoveId::COUNT, 45_356);
/// let start = Position::START;
/// let e4 = start.legal_moves().into_iter().find(|m| m.to_string() == "e2e4").unwrap();
/// let id = MoveId::new(&start, e4).unwrap();
/// assert_eq!(id.index(), 260);
/// let told = id.describe();
/// assert_eq!((told.color, told.role, told.captured), (Color::White, Role::Pawn, None));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MoveId(u16);

/// A move as its number tells it, without a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EnumeratedMove {
    /// Whose move it is.
    pub color: Color,
    /// The piece that moves; a pawn, if it is promoted.
    pub role: Role,
    /// The square it leaves. For castling it is the e-file's: where the king of Chess960 stands is
    /// for the position to say.
    pub from: Square,
    /// The square it reaches.
    pub to: Square,
    /// What is taken, a pawn in case of en passant.
    pub captured: Option<Role>,
    /// The kind of move.
    pub kind: MoveKind,
}

const PROMOTIONS: u32 = 0;
const CAPTURE_PROMOTIONS: u32 = PROMOTIONS + 8 * 4;
const DOUBLE_PUSHES: u32 = CAPTURE_PROMOTIONS + 14 * 4 * 4;
const PUSHES: u32 = DOUBLE_PUSHES + 8;
const CAPTURES: u32 = PUSHES + 5 * 8;
const EN_PASSANTS: u32 = CAPTURES + 5 * 14 * 5;
const CASTLINGS: u32 = EN_PASSANTS + 14;
const PIECES: u32 = CASTLINGS + 2;

/// The piece rows in their order, and where each starts.
const PIECE_ROWS: [(Role, u32); 5] = {
    let king = PIECES;
    let knight = king + 420 * 6;
    let bishop = knight + 336 * 6;
    let rook = bishop + 560 * 6;
    let queen = rook + 896 * 6;
    assert!(queen + 1_456 * 6 == MoveId::COUNT_PER_SIDE as u32);
    [
        (Role::King, king),
        (Role::Knight, knight),
        (Role::Bishop, bishop),
        (Role::Rook, rook),
        (Role::Queen, queen),
    ]
};

/// How many from–to pairs a piece has that start before each square.
static PAIRS_BEFORE: [[u16; 64]; 6] = {
    let mut table = [[0; 64]; 6];
    let mut role = 0;
    while role < 6 {
        let mut count = 0;
        let mut from = 0;
        while from < 64 {
            #[allow(clippy::indexing_slicing, clippy::cast_possible_truncation)] // 1,456 at most.
            {
                table[role][from] = count;
                count += empty_board::walk(Role::ALL[role], Square::ALL[from]).len() as u16;
            }
            from += 1;
        }
        role += 1;
    }
    table
};

impl MoveId {
    /// How many moves one side has.
    pub const COUNT_PER_SIDE: u16 = 22_678;
    /// How many moves there are.
    pub const COUNT: u16 = 2 * MoveId::COUNT_PER_SIDE;

    /// The number of a move in a position; `None` if there is none, as the move cannot be legal.
    #[must_use]
    #[inline]
    pub fn new(position: &Position, m: Move) -> Option<MoveId> {
        let board = position.board();
        EnumeratedMove {
            color: position.turn(),
            role: board.role_at(m.from())?,
            from: m.from(),
            to: m.to(),
            captured: match m.kind() {
                MoveKind::EnPassant => Some(Role::Pawn),
                _ if m.is_capture() => Some(board.role_at(m.to())?),
                _ => None,
            },
            kind: m.kind(),
        }
        .id()
    }

    /// The move of a number, if there are so many.
    #[must_use]
    pub const fn from_index(index: u16) -> Option<MoveId> {
        if index < MoveId::COUNT {
            Some(MoveId(index))
        } else {
            None
        }
    }

    /// The number, of both sides' moves.
    #[must_use]
    #[inline]
    pub const fn index(self) -> u16 {
        self.0
    }

    /// Whose move it is.
    #[must_use]
    #[inline]
    pub const fn color(self) -> Color {
        if self.0 < MoveId::COUNT_PER_SIDE {
            Color::White
        } else {
            Color::Black
        }
    }

    /// The number among the moves of one side: the same for a move of White and for the mirrored one
    /// of Black.
    #[must_use]
    #[inline]
    pub const fn index_of_side(self) -> u16 {
        self.0 % MoveId::COUNT_PER_SIDE
    }

    /// What the number says.
    #[must_use]
    #[inline]
    pub fn describe(self) -> EnumeratedMove {
        let index = u32::from(self.index_of_side());
        let white = match index {
            CASTLINGS..PIECES => castling(index - CASTLINGS),
            PIECES.. => piece(index),
            _ => pawn(index),
        };
        match self.color() {
            Color::White => white,
            Color::Black => white.mirrored(),
        }
    }

    /// The move in a position; the two differ for castling in Chess960 alone.
    #[must_use]
    #[inline]
    pub fn to_move(self, position: &Position) -> Move {
        let told = self.describe();
        let from = match told.kind {
            MoveKind::CastleKingSide | MoveKind::CastleQueenSide => position.king_of(told.color),
            _ => told.from,
        };
        Move::new(from, told.to, told.kind)
    }
}

impl EnumeratedMove {
    /// The number of the move; `None` if no piece moves like that or takes such a thing.
    #[must_use]
    #[inline]
    pub fn id(self) -> Option<MoveId> {
        let white = match self.color {
            Color::White => self,
            Color::Black => self.mirrored(),
        };
        let index = match self.kind {
            MoveKind::CastleKingSide | MoveKind::CastleQueenSide => white.castling_index()?,
            _ if self.role == Role::Pawn => white.pawn_index()?,
            MoveKind::Quiet | MoveKind::Capture => white.piece_index()?,
            _ => return None,
        };
        let side = self.color as u16 * MoveId::COUNT_PER_SIDE;
        Some(MoveId(u16::try_from(index).ok()? + side))
    }

    /// The same move of the other side.
    fn mirrored(self) -> EnumeratedMove {
        EnumeratedMove {
            color: !self.color,
            from: self.from.flip_ranks(),
            to: self.to.flip_ranks(),
            ..self
        }
    }

    fn castling_index(self) -> Option<u32> {
        (self.role == Role::King).then_some(match self.kind {
            MoveKind::CastleKingSide => CASTLINGS,
            _ => CASTLINGS + 1,
        })
    }

    #[inline]
    fn piece_index(self) -> Option<u32> {
        let (_, start) = PIECE_ROWS.into_iter().find(|row| row.0 == self.role)?;
        let reach = empty_board::reach(self.role, self.from);
        let taken = match (self.kind, self.captured) {
            (MoveKind::Quiet, None) => 0,
            (MoveKind::Capture, Some(role)) if role != Role::King => role as u32 + 1,
            _ => return None,
        };
        if !reach.contains(self.to) {
            return None;
        }
        let before = PAIRS_BEFORE
            .get(self.role.index())?
            .get(self.from.index())?;
        let pair = u32::from(*before) + rank_in(reach, self.to);
        Some(start + 6 * pair + taken)
    }

    /// A white pawn's move.
    #[inline]
    fn pawn_index(self) -> Option<u32> {
        let (file, rank) = (self.from as u32 % 8, self.from as u32 / 8);
        let ranks = (self.to as u32 / 8).checked_sub(rank)?;
        let to_file = self.to as u32 % 8;
        // Ways of the files before: one of the a-file, two of each other.
        let way = match (to_file + 1).checked_sub(file)? {
            0 => Some(2 * file - 1),
            2 => Some(2 * file),
            1 => None,
            _ => return None,
        };
        let is_inner = (1..6).contains(&rank) && ranks == 1;
        let is_last = rank == 6 && ranks == 1;
        let promotion = self.kind as u32 & 3;
        let taken = self.captured.map(|role| role as u32);
        Some(match (self.kind, way, taken) {
            (MoveKind::DoublePush, None, None) if rank == 1 && ranks == 2 => DOUBLE_PUSHES + file,
            (MoveKind::Quiet, None, None) if is_inner => PUSHES + 8 * (rank - 1) + file,
            (MoveKind::Capture, Some(way), Some(taken @ 0..5)) if is_inner => {
                CAPTURES + 5 * (14 * (rank - 1) + way) + taken
            }
            (MoveKind::EnPassant, Some(way), Some(0)) if rank == 4 && ranks == 1 => {
                EN_PASSANTS + way
            }
            (kind, None, None) if is_last && (8..12).contains(&(kind as u8)) => {
                PROMOTIONS + 4 * file + promotion
            }
            (kind, Some(way), Some(taken @ 1..5)) if is_last && kind as u8 >= 12 => {
                CAPTURE_PROMOTIONS + 16 * way + 4 * (taken - 1) + promotion
            }
            _ => return None,
        })
    }
}

/// A role by its number; only called with numbers below 6.
fn role(index: u32) -> Role {
    Role::ALL
        .get(index as usize)
        .copied()
        .unwrap_or(Role::Queen)
}

fn square(file: u32, rank: u32) -> Square {
    Square::from_low_bits(((8 * rank + file) & 63) as u8)
}

fn castling(index: u32) -> EnumeratedMove {
    let side = if index == 0 {
        CastlingSide::KingSide
    } else {
        CastlingSide::QueenSide
    };
    EnumeratedMove {
        color: Color::White,
        role: Role::King,
        from: Square::E1,
        to: side.king_to(Color::White),
        captured: None,
        kind: MoveKind::castle(side),
    }
}

#[inline]
fn piece(index: u32) -> EnumeratedMove {
    let row = PIECE_ROWS.iter().rev().find(|row| row.1 <= index);
    let (role_moved, start) = row.copied().unwrap_or((Role::King, PIECES));
    let (pair, taken) = ((index - start) / 6, (index - start) % 6);
    let starts = PAIRS_BEFORE.get(role_moved.index()).unwrap_or(&[0; 64]);
    // The last square whose pairs start at or before this one. Every square has some.
    let after = starts.partition_point(|&before| u32::from(before) <= pair);
    let from = Square::from_index(after.saturating_sub(1)).unwrap_or(Square::A1);
    let before = starts.get(from.index()).copied().unwrap_or(0);
    let nth = pair - u32::from(before);
    let to = empty_board::reach(role_moved, from).nth(nth as usize);
    EnumeratedMove {
        color: Color::White,
        role: role_moved,
        from,
        to: to.unwrap_or(from),
        captured: taken.checked_sub(1).map(role),
        kind: if taken == 0 {
            MoveKind::Quiet
        } else {
            MoveKind::Capture
        },
    }
}

/// The file a way starts from, and the file it leads to.
fn files_of(way: u32) -> (u32, u32) {
    let file = way.div_ceil(2);
    if way.is_multiple_of(2) {
        (file, file + 1)
    } else {
        (file, file - 1)
    }
}

#[inline]
fn pawn(index: u32) -> EnumeratedMove {
    let told = |files: (u32, u32), ranks: (u32, u32), captured, kind| EnumeratedMove {
        color: Color::White,
        role: Role::Pawn,
        from: square(files.0, ranks.0),
        to: square(files.1, ranks.1),
        captured,
        kind,
    };
    let promotion = |index: u32, is_capture| {
        MoveKind::promotion(role(1 + index % 4), is_capture).unwrap_or(MoveKind::Quiet)
    };
    match index {
        EN_PASSANTS.. => {
            let files = files_of(index - EN_PASSANTS);
            told(files, (4, 5), Some(Role::Pawn), MoveKind::EnPassant)
        }
        CAPTURES.. => {
            let (pair, taken) = ((index - CAPTURES) / 5, (index - CAPTURES) % 5);
            let rank = pair / 14 + 1;
            let files = files_of(pair % 14);
            told(
                files,
                (rank, rank + 1),
                Some(role(taken)),
                MoveKind::Capture,
            )
        }
        PUSHES.. => {
            let (file, rank) = ((index - PUSHES) % 8, (index - PUSHES) / 8 + 1);
            told((file, file), (rank, rank + 1), None, MoveKind::Quiet)
        }
        DOUBLE_PUSHES.. => {
            let file = index - DOUBLE_PUSHES;
            told((file, file), (1, 3), None, MoveKind::DoublePush)
        }
        CAPTURE_PROMOTIONS.. => {
            let index = index - CAPTURE_PROMOTIONS;
            let taken = role(1 + index / 4 % 4);
            let files = files_of(index / 16);
            told(files, (6, 7), Some(taken), promotion(index, true))
        }
        _ => {
            let file = index / 4;
            told((file, file), (6, 7), None, promotion(index, false))
        }
    }
}

/// 16 bits: a [`MoveId`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Enumeration;

impl MoveCodec for Enumeration {
    const NAME: CodecName = CodecName::Enumeration;
    type Memory = ();

    fn begin(self, _: &Position) -> Result<(), CodecError> {
        Ok(())
    }

    #[inline]
    fn encode<S: Sliders>(
        self,
        _: S,
        (): (),
        position: &Position,
        m: Move,
    ) -> Result<Bits, MoveFault> {
        let id = MoveId::new(position, m).ok_or(MoveFault::Illegal { found: m })?;
        Ok(Bits::new(u32::from(id.index()), 16))
    }

    #[inline]
    fn decode<S: Sliders>(
        self,
        _: S,
        (): (),
        position: &Position,
        bits: &mut BitReader<'_>,
    ) -> Result<Move, MoveFault> {
        let found = bits.take(16)?;
        let id = u16::try_from(found).ok().and_then(MoveId::from_index);
        let id = id.ok_or(MoveFault::NoMove { found })?;
        let told = id.describe();
        if told.color != position.turn() {
            return Err(MoveFault::WrongSide { found: told.color });
        }
        let m = id.to_move(position);
        // What is taken is part of the number, and no part of the move.
        let board = position.board();
        if board.role_at(m.from()) != Some(told.role) {
            return Err(MoveFault::WrongPiece {
                found: Some(told.role),
                expected: board.role_at(m.from()),
            });
        }
        let is_elsewhere = m.kind() == MoveKind::EnPassant || m.castling_side().is_some();
        if !is_elsewhere && board.role_at(m.to()) != told.captured {
            return Err(MoveFault::WrongPiece {
                found: told.captured,
                expected: board.role_at(m.to()),
            });
        }
        Ok(m)
    }
}
