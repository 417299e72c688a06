//! A start position in 24 bytes. // FORMAT.md §1.5

use chess::{Bitboard, Color, Piece, Position, Role, Setup, Square};
use codec::{CodecError, MoveCodec as _, Packed};

use crate::{ArchiveError, FormatFault, Refusal};

/// How many bytes a start position takes.
pub const START_BYTES: usize = 24;

/// The pawn that has just made its double step, with its en-passant square set.
const PUSHED_PAWN: u8 = 12;
/// A rook with its castling right; 14 for Black.
const CASTLING_ROOK: u8 = 13;
/// Black's king, and Black to move.
const BLACK_TO_MOVE: u8 = 15;

const WHITE_CORNERS: Bitboard = Bitboard::from_bits(0x81);
const BLACK_CORNERS: Bitboard = Bitboard::from_bits(0x81 << 56);

/// What stands in the way of a game that starts here.
pub(crate) fn refusal_of(position: &Position) -> Option<Refusal> {
    let rooks = position.castling_rooks();
    let stray = rooks - (WHITE_CORNERS | BLACK_CORNERS);
    if let Some(square) = stray.first() {
        return Some(Refusal::CastlingRook { square });
    }
    let homes = [
        (Color::White, WHITE_CORNERS, Square::E1),
        (Color::Black, BLACK_CORNERS, Square::E8),
    ];
    homes.into_iter().find_map(|(color, corners, home)| {
        let square = position.king_of(color);
        (rooks.intersects(corners) && square != home).then_some(Refusal::CastlingKing { square })
    })
}

/// The en-passant square as BCGN sets it in a position that is set up: if taking there leaves no
/// king open to a slider.
fn ep_square(position: &Position) -> Result<Option<Square>, CodecError> {
    Ok(Packed.begin(position)?.ep_square())
}

/// Where the pawn stands that has just passed over a square.
fn pushed_pawn(ep_square: Square) -> Square {
    Square::from_low_bits(ep_square as u8 ^ 8)
}

/// The 24 bytes of a position. Its counters are not in them.
///
/// # Errors
/// [`Refusal`] for castling rights of Chess960.
///
/// ```
/// use chess::Position;
/// use scoresheet_archive::bcgn::{decode_start, encode_start};
/// let bytes = encode_start(&Position::START).unwrap();
/// assert_eq!(bytes[8..12], [0x2d, 0x84, 0x4a, 0xd2]);
/// assert_eq!(decode_start(&bytes, 0).unwrap(), Position::START);
/// ```
pub fn encode_start(position: &Position) -> Result<[u8; START_BYTES], Refusal> {
    if let Some(refusal) = refusal_of(position) {
        return Err(refusal);
    }
    let pushed = ep_square(position)
        .map_err(Refusal::Moves)?
        .map(pushed_pawn);
    let rooks = position.castling_rooks();
    let occupied = position.board().occupied();
    let mut men = [0u8; 16];
    for (i, (square, piece)) in position.board().pieces().enumerate() {
        let code = match piece {
            _ if pushed == Some(square) => PUSHED_PAWN,
            _ if rooks.contains(square) => CASTLING_ROOK + piece.color as u8,
            Piece {
                color: Color::Black,
                role: Role::King,
            } if position.turn() == Color::Black => BLACK_TO_MOVE,
            Piece { color, role } => 2 * role as u8 + color as u8,
        };
        // A playable position has 32 men at most.
        if let Some(pair) = men.get_mut(i / 2) {
            *pair |= code << (4 * (i % 2));
        }
    }
    let mut bytes = [0; START_BYTES];
    let (head, tail) = bytes.split_at_mut(8);
    head.copy_from_slice(&occupied.bits().to_be_bytes());
    tail.copy_from_slice(&men);
    Ok(bytes)
}

/// Reads the 24 bytes of a position that stand at `offset` in a file.
///
/// # Errors
/// [`ArchiveError::Format`] if they are not a position of standard chess, as [`encode_start`]
/// would write it.
pub fn decode_start(bytes: &[u8; START_BYTES], offset: u64) -> Result<Position, ArchiveError> {
    let fail = |fault| ArchiveError::format(offset, fault);
    let position = read(bytes).map_err(fail)?;
    if let Some(refusal) = refusal_of(&position) {
        return Err(fail(FormatFault::Start(refusal)));
    }
    // A pushed pawn that nobody can take is written as any other: FORMAT.md §1.5.
    let ep = ep_square(&position).map_err(|error| fail(FormatFault::Moves(error)))?;
    match pushed_square(bytes) {
        Some(square) if ep.map(pushed_pawn) != Some(square) => {
            Err(fail(FormatFault::PushedPawn { square }))
        }
        _ => Ok(position),
    }
}

/// The men with their codes in ascending order of squares.
fn men(bytes: &[u8; START_BYTES]) -> (Bitboard, impl Iterator<Item = u8>) {
    let (occupied, codes) = bytes.split_first_chunk::<8>().unwrap_or((&[0; 8], &[]));
    let occupied = Bitboard::from_bits(u64::from_be_bytes(*occupied));
    (
        occupied,
        codes.iter().flat_map(|pair| [pair & 15, pair >> 4]),
    )
}

fn pushed_square(bytes: &[u8; START_BYTES]) -> Option<Square> {
    let (occupied, mut codes) = men(bytes);
    occupied
        .into_iter()
        .find(|_| codes.next() == Some(PUSHED_PAWN))
}

fn read(bytes: &[u8; START_BYTES]) -> Result<Position, FormatFault> {
    let (occupied, mut codes) = men(bytes);
    if occupied.len() > 32 {
        let found = u32::try_from(occupied.len()).unwrap_or(u32::MAX);
        return Err(FormatFault::TooManyMen { found });
    }
    let mut setup = Setup::EMPTY;
    for (square, code) in occupied.into_iter().zip(codes.by_ref()) {
        let piece = match code {
            PUSHED_PAWN => pushed(&mut setup, square)?,
            CASTLING_ROOK | 14 => castling_rook(&mut setup, square, code)?,
            BLACK_TO_MOVE => {
                setup.turn = Color::Black;
                Piece::new(Color::Black, Role::King)
            }
            _ => piece_of(code),
        };
        setup.board.set(square, piece);
    }
    if codes.any(|code| code != 0) {
        return Err(FormatFault::StartPadding);
    }
    Position::try_from(setup).map_err(FormatFault::Setup)
}

/// Codes 0 to 11: role by role, White first.
fn piece_of(code: u8) -> Piece {
    let color = if code.is_multiple_of(2) {
        Color::White
    } else {
        Color::Black
    };
    let role = Role::ALL.get(usize::from(code / 2));
    Piece::new(color, role.copied().unwrap_or(Role::King))
}

fn pushed(setup: &mut Setup, square: Square) -> Result<Piece, FormatFault> {
    let color = match square.rank() {
        chess::Rank::Fourth => Color::White,
        chess::Rank::Fifth => Color::Black,
        _ => return Err(FormatFault::PushedPawn { square }),
    };
    let passed = Square::from_low_bits(square as u8 ^ 8);
    if setup.ep_square.replace(passed).is_some() {
        return Err(FormatFault::PushedPawn { square });
    }
    Ok(Piece::new(color, Role::Pawn))
}

fn castling_rook(setup: &mut Setup, square: Square, code: u8) -> Result<Piece, FormatFault> {
    let (color, corners) = if code == CASTLING_ROOK {
        (Color::White, WHITE_CORNERS)
    } else {
        (Color::Black, BLACK_CORNERS)
    };
    if !corners.contains(square) {
        return Err(FormatFault::CastlingRook { square });
    }
    setup.castling.insert(square);
    Ok(Piece::new(color, Role::Rook))
}
