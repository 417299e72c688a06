//! The short way: the canonical forms only, nothing explained.
//!
//! The text is taken apart from its end, where the square stands that decides most. Every `None`
//! only means "ask the long way": this one may refuse what it likes, but must not accept anything
//! that the long way would read otherwise.

#![allow(clippy::cast_possible_truncation)] // Bytes are cut out of words.

use core::hint::select_unpredictable;

use super::{ReadMove, SanToken};
use crate::board::{DIAG, ORTH, STEP, code_of};
use crate::{
    Bitboard, CastlingSide, Color, Move, MoveKind, PawnStep, Piece, Position, Rank, Role, Square,
    Step, attacks,
};

/// What a byte between piece letter and square says about the origin; nothing at all for `x` and
/// where there is none, the impossible for bytes that do not belong there.
static ORIGINS: [Bitboard; 256] = {
    let mut table = [Bitboard::EMPTY; 256];
    table[0] = Bitboard::ALL;
    table[b'x' as usize] = Bitboard::ALL;
    let mut i = 0;
    while i < 8 {
        table[b'a' as usize + i] = Bitboard(Bitboard::FILE_A.0 << i);
        table[b'1' as usize + i] = Bitboard(0xff << (8 * i));
        i += 1;
    }
    table
};

#[inline(always)]
fn square(file: u8, rank: u8) -> Option<Square> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    ((file | rank) < 8).then(|| Square::from_low_bits(rank * 8 + file))
}

#[inline(always)]
const fn file(letter: u8) -> Option<Bitboard> {
    let file = letter.wrapping_sub(b'a');
    if file < 8 {
        Some(Bitboard(Bitboard::FILE_A.0 << file))
    } else {
        None
    }
}

/// A legal move, with what is known about it besides.
enum Found {
    /// A man other than a pawn, not castling; and all of its kind.
    Piece(&'static Finder, Square, Square, Bitboard),
    /// A pawn, neither promoted nor taking in passing; and all pawns of its side.
    Pawn(Square, Square, MoveKind, Bitboard),
    Other(Move),
}

impl Found {
    #[inline(always)]
    fn read(&self, position: &Position) -> ReadMove {
        let (role, from, to, takes, men) = match *self {
            Found::Piece(piece, from, to, men) => {
                let takes = position.board.occupied().contains(to);
                (piece.role, from, to, takes, men)
            }
            Found::Pawn(from, to, kind, men) => {
                (Role::Pawn, from, to, kind == MoveKind::Capture, men)
            }
            Found::Other(m) => return ReadMove::Other(m),
        };
        let step = Step {
            role,
            from,
            to,
            takes,
        };
        ReadMove::Step(step, men)
    }
}

#[inline(always)]
pub(super) fn parse(position: &Position, token: SanToken) -> Option<Move> {
    Some(find(position, token)?.read(position).to_move())
}

/// Reads the move and writes down the position after it. The man is known from the text, so the
/// board need not be asked what stands on the square: a third of the work of playing falls away. The move
/// is told where the compiler knows what moves, or nearly so.
#[inline(always)]
pub(super) fn play(
    position: &Position,
    token: SanToken,
    after: &mut Position,
    mut tell: impl FnMut(ReadMove),
) -> Option<Move> {
    let found = find(position, token)?;
    let read = found.read(position);
    let color = position.turn;
    match found {
        Found::Piece(piece, from, to, _) => {
            tell(read);
            let to_bit = 1u64 << to as u8;
            let both = to_bit | 1 << from as u8;
            after.board.planes = moved(position, both, to_bit, &piece.planes[color as usize]);
            let is_capture = position.board.occupied().contains(to);
            let counted = position.halfmoves.saturating_add(1);
            after.halfmoves = select_unpredictable(is_capture, 0, counted);
            let home = piece.home[color as usize];
            after.castling = position.castling - Bitboard(both | home);
            after.ep_square = None;
        }
        Found::Pawn(from, to, kind, _) => {
            tell(read);
            let to_bit = 1u64 << to as u8;
            let both = to_bit | 1 << from as u8;
            after.board.planes = moved(position, both, to_bit, &PAWN_PLANES[color as usize]);
            after.halfmoves = 0;
            // No rook that may castle stands where a pawn takes without being promoted.
            after.castling = position.castling;
            after.ep_square = match kind {
                MoveKind::DoublePush => position.ep_square_after_double_push(color, to),
                _ => None,
            };
        }
        Found::Other(m) => {
            tell(read);
            *after = *position;
            after.play_unchecked(m);
            return Some(m);
        }
    }
    after.fullmoves = position.fullmoves.saturating_add(color as u16);
    after.turn = !color;
    Some(read.to_move())
}

/// The planes with nobody left on two squares, but on one of them a man who is in these. All four are the
/// same sum, so that the compiler makes one of them.
#[inline(always)]
fn moved(position: &Position, both: u64, to_bit: u64, man: &[u64; 4]) -> [u64; 4] {
    let planes = &position.board.planes;
    core::array::from_fn(|i| planes[i] & !both | to_bit & man[i])
}

/// Which planes a pawn is in, White's and Black's.
static PAWN_PLANES: [[u64; 4]; 2] = planes_of(Role::Pawn);

const fn planes_of(role: Role) -> [[u64; 4]; 2] {
    let mut planes = [[0; 4]; 2];
    let codes = [
        code_of(Piece::new(Color::White, role)),
        code_of(Piece::new(Color::Black, role)),
    ];
    let mut i = 0;
    while i < 8 {
        if codes[i / 4] >> (i % 4) & 1 != 0 {
            planes[i / 4][i % 4] = u64::MAX;
        }
        i += 1;
    }
    planes
}

#[inline(always)]
fn find(position: &Position, token: SanToken) -> Option<Found> {
    let token = token.without_sign();
    let Some(to) = token.square() else {
        return promotion_or_castling(position, token).map(Found::Other);
    };
    // At most five bytes: a letter, and what is said of the origin.
    let head = token.head();
    if head == 0 {
        return push(position, to);
    }
    let letter = head as u8;
    let piece = &PIECES[usize::from(letter & 31)];
    if piece.letter != letter {
        if head >> 8 == u64::from(b'x') {
            return capture(position, letter, to);
        }
        return None;
    }
    let origins = if head >> 16 == 0 {
        ORIGINS[(head >> 8) as usize & 255]
    } else {
        long_origin(head >> 8)?
    };
    let (from, men) = find_piece(position, piece, origins, to)?;
    Some(Found::Piece(piece, from, to, men))
}

/// What two or three bytes between letter and square say: one move in fifty.
#[inline(never)]
fn long_origin(middle: u64) -> Option<Bitboard> {
    match middle.to_le_bytes() {
        [first, b'x', 0, ..] if first != b'x' => Some(ORIGINS[usize::from(first)]),
        [file, rank, 0 | b'x', 0, ..] => square(file, rank).map(Bitboard::from),
        _ => None,
    }
}

/// How a man other than a pawn is found, by the low five bits of its letter.
///
/// What is asked for of every move stands on two lines of the cache, behind the rays.
#[repr(align(64))]
struct Finder {
    letter: u8,
    role: Role,
    /// XORed with the planes, these leave ones on the squares of the role.
    flips: [u64; 3],
    /// Which planes it is in, for White and for Black.
    planes: [[u64; 4]; 2],
    /// The squares of which a move of the king takes castling rights, for White and for Black.
    home: [u64; 2],
    /// What it attacks from each square of an empty board.
    rays: [Bitboard; 64],
}

static PIECES: [Finder; 32] = {
    const NOBODY: Finder = Finder {
        letter: 0,
        role: Role::Knight,
        flips: [0; 3],
        planes: [[0; 4]; 2],
        home: [0; 2],
        rays: [Bitboard::EMPTY; 64],
    };
    let mut table = [NOBODY; 32];
    let roles = [
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
        Role::King,
    ];
    let letters = b"NBRQK";
    let mut i = 0;
    while i < 5 {
        let piece = &mut table[(letters[i] & 31) as usize];
        piece.letter = letters[i];
        piece.role = roles[i];
        let code = code_of(Piece::new(Color::White, roles[i]));
        piece.flips = [
            if code & 1 << STEP == 0 { !0 } else { 0 },
            if code & 1 << ORTH == 0 { !0 } else { 0 },
            if code & 1 << DIAG == 0 { !0 } else { 0 },
        ];
        piece.planes = planes_of(roles[i]);
        if matches!(roles[i], Role::King) {
            piece.home = [0xff, 0xff << 56];
        }
        let mut square = 0;
        while square < 64 {
            piece.rays[square] = attacks::empty_board(roles[i], Square::ALL[square]);
            square += 1;
        }
        i += 1;
    }
    table
};

/// Finds the man without asking what it is: which role moves is as hard to foresee as the game, so
/// every branch on it would be guessed wrong half of the time. A slider's way is looked at after
/// the slider has been found, since usually only one of a kind is in line with the square.
#[inline(always)]
fn find_piece(
    position: &Position,
    piece: &Finder,
    given: Bitboard,
    to: Square,
) -> Option<(Square, Bitboard)> {
    let [_, step, orth, diag] = position.board.planes;
    let [not_step, not_orth, not_diag] = piece.flips;
    let occupied = position.board.occupied();
    let own = position.board.by_any_color(position.turn);
    let men = Bitboard((step ^ not_step) & (orth ^ not_orth) & (diag ^ not_diag)) & own;
    let mut origins = men & piece.rays[to.index()] & given;
    if origins.is_many() {
        // Rare: nearly always one of them is pinned or has a man in its way.
        origins = origins
            .into_iter()
            .filter(|&from| !attacks::between(from, to).intersects(occupied))
            .filter(|&from| position.is_safe(piece.role, from, to))
            .collect();
        if origins.is_many() {
            return None;
        }
    }
    let from = origins.first()?;
    let is_blocked = attacks::between(from, to).intersects(occupied) | own.contains(to);
    // The king's own moves are not asked for by a branch: nobody can foresee them.
    let king = select_unpredictable(piece.home[0] != 0, to, own_king(position, own));
    let enemy = (occupied - own) - to.into();
    let after = (occupied - from.into()) | to.into();
    if is_blocked || !position.is_king_safe(king, enemy, after) {
        return None;
    }
    Some((from, men))
}

#[inline(always)]
fn own_pawns(position: &Position) -> Bitboard {
    position.board.by_any_color(position.turn) & position.board.by_role(Role::Pawn)
}

#[inline(always)]
fn own_king(position: &Position, own: Bitboard) -> Square {
    let king = position.board.by_role(Role::King) & own;
    Square::from_low_bits(king.0.trailing_zeros() as u8)
}

/// Whether the king is out of check after a pawn's move that is not en passant.
#[inline(always)]
fn is_safe_pawn_move(position: &Position, from: Square, to: Square) -> bool {
    let occupied = position.board.occupied();
    let own = position.board.by_any_color(position.turn);
    let enemy = (occupied - own) - to.into();
    let after = (occupied - from.into()) | to.into();
    position.is_king_safe(own_king(position, own), enemy, after)
}

#[inline(always)]
fn push(position: &Position, to: Square) -> Option<Found> {
    let (from, kind) = find_push(position, to)?;
    if Bitboard::BACK_RANKS.contains(to) {
        return None;
    }
    let pawns = own_pawns(position);
    is_safe_pawn_move(position, from, to).then_some(Found::Pawn(from, to, kind, pawns))
}

#[inline(always)]
fn find_push(position: &Position, to: Square) -> Option<(Square, MoveKind)> {
    let turn = position.turn;
    let board = &position.board;
    let occupied = board.occupied();
    let pawns = own_pawns(position);
    if occupied.contains(to) {
        return None;
    }
    let one = PawnStep::Push.origin(turn, to);
    if pawns.contains(one) {
        return Some((one, MoveKind::Quiet));
    }
    let two = PawnStep::DoublePush.origin(turn, to);
    let is_double =
        to.rank() == Rank::Fourth.seen_by(turn) && !occupied.contains(one) && pawns.contains(two);
    is_double.then_some((two, MoveKind::DoublePush))
}

#[inline(always)]
fn capture(position: &Position, letter: u8, to: Square) -> Option<Found> {
    let from = find_capture(position, letter, to)?;
    if Bitboard::BACK_RANKS.contains(to) {
        return None;
    }
    if position.ep_square == Some(to) {
        return position
            .is_safe(Role::Pawn, from, to)
            .then(|| Found::Other(Move::new(from, to, MoveKind::EnPassant)));
    }
    let found = Found::Pawn(from, to, MoveKind::Capture, own_pawns(position));
    is_safe_pawn_move(position, from, to).then_some(found)
}

/// The pawn on a file that attacks the square, if there is something to take: one at most.
#[inline(always)]
fn find_capture(position: &Position, letter: u8, to: Square) -> Option<Square> {
    let board = &position.board;
    if position.ep_square != Some(to) && !board.by_any_color(!position.turn).contains(to) {
        return None;
    }
    let pawns = own_pawns(position);
    (pawns & attacks::pawn(!position.turn, to) & file(letter)?).first()
}

/// A pawn's move that should be a promotion.
fn promotion(position: &Position, from: Option<u8>, to: Square, letter: u8) -> Option<Move> {
    let from = match from {
        Some(letter) => find_capture(position, letter, to)?,
        None => find_push(position, to)?.0,
    };
    let is_legal = Bitboard::BACK_RANKS.contains(to) && position.is_safe(Role::Pawn, from, to);
    let kind = MoveKind::promotion(promoted(letter)?, from.file() != to.file())?;
    is_legal.then(|| Move::new(from, to, kind))
}

/// One move in forty.
#[inline(never)]
fn promotion_or_castling(position: &Position, token: SanToken) -> Option<Move> {
    let (bytes, length) = token.padded();
    match bytes[..length] {
        [b'O', b'-', b'O'] => castle(position, CastlingSide::KingSide),
        [b'O', b'-', b'O', b'-', b'O'] => castle(position, CastlingSide::QueenSide),
        [file, rank, b'=', letter] => promotion(position, None, square(file, rank)?, letter),
        [from, b'x', file, rank, b'=', letter] => {
            promotion(position, Some(from), square(file, rank)?, letter)
        }
        _ => None,
    }
}

fn promoted(letter: u8) -> Option<Role> {
    Some(match letter {
        b'N' => Role::Knight,
        b'B' => Role::Bishop,
        b'R' => Role::Rook,
        b'Q' => Role::Queen,
        _ => return None,
    })
}

fn castle(position: &Position, side: CastlingSide) -> Option<Move> {
    position
        .can_castle(side)
        .then(|| position.castling_move(side))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The laws hold if the short way refuses everything; here it must not.
    #[test]
    fn every_canonical_name_goes_the_short_way() {
        fn walk(position: &Position, depth: u32) {
            for m in position.legal_moves() {
                let san = position.san(m);
                assert_eq!(
                    parse(position, SanToken::new(san.as_bytes()).unwrap()),
                    Some(m),
                    "{san}: {position}"
                );
                let (mut played, mut after) = (Position::START, *position);
                let token = SanToken::new(san.as_bytes()).unwrap();
                let mut told = None;
                let tell = |read| told = Some(read);
                assert_eq!(play(position, token, &mut played, tell), Some(m));
                let step = Step::of(position, m).map(|step| {
                    let board = &position.board;
                    let men = board.by_role(step.role) & board.by_color(position.turn);
                    ReadMove::Step(step, men)
                });
                assert_eq!(told, Some(step.unwrap_or(ReadMove::Other(m))));
                after.play_unchecked(m);
                assert_eq!(played, after, "{san}: {position}");
                if depth > 0 {
                    let mut next = *position;
                    next.play_unchecked(m);
                    walk(&next, depth - 1);
                }
            }
        }
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "1k6/8/8/3Q3Q/8/8/8/K6Q w - - 0 1",
            "1rk2r2/8/8/8/8/8/8/1RK2R2 w FBfb - 0 1",
        ] {
            walk(&fen.parse().unwrap(), 2);
        }
    }
}
