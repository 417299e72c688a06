//! Where each feature has its weights: one table of 16-bit numbers.
//!
//! A weight is a logarithm of odds in units of 1/64. Some features are *rows*: 384 weights at once,
//! one for each pair of a role and a square to which it goes (the *columns*). A row belongs to
//! something that is true of the position and favours or discourages moves: a man that stands on
//! a square, the move just made. The others have one weight for one index.

use chess::{Role, Square};

/// The columns: role × square to which it goes, as the mover sees it. No pawn goes to the first
/// rank, so two of its columns there are castling: see [`castling_column`].
pub const COLUMNS: usize = 6 * 64;

/// A row for every man on every square: own men first, then the enemy's.
pub const PLACES: usize = 0;
/// How many rows there are of men on squares.
pub const PLACE_ROWS: usize = 2 * COLUMNS;
/// A row for every column in which the enemy has just moved, and one for no move.
pub const REPLIES: usize = PLACES + PLACE_ROWS * COLUMNS;
/// How many rows of replies and of sequels there are.
pub const MOVE_ROWS: usize = COLUMNS + 1;
/// A row for every column in which the mover moved before, and one for no move.
pub const SEQUELS: usize = REPLIES + MOVE_ROWS * COLUMNS;
/// A row for each phase of the game.
pub const PHASES: usize = SEQUELS + MOVE_ROWS * COLUMNS;
/// How many phases there are.
pub const PHASE_ROWS: usize = 4;

/// The end of the rows, where single weights begin: what awaits the man on its new square, as
/// scene × role × four kinds of aim × the eight bits of a square.
pub const LANDINGS: usize = PHASES + PHASE_ROWS * COLUMNS;
/// Why a man leaves its square: role × moved last × attacked by the last mover × how the old square
/// is attacked and supported × how the new one is.
pub const LEAVINGS: usize = LANDINGS + 3 * 6 * 16 * 256;
/// Which square it leaves: phase × column.
pub const ORIGINS: usize = LEAVINGS + 6 * 4 * 32 * 32;
/// King and rook by castling rights: role × rights × file.
pub const RIGHTS: usize = ORIGINS + PHASE_ROWS * COLUMNS;
/// A pawn's road: passed × rank × how the new square is attacked and supported.
pub const ROADS: usize = RIGHTS + 2 * 4 * 8;
/// What a pawn becomes: role × whether it takes.
pub const PROMOTIONS: usize = ROADS + 2 * 8 * 32;
/// How many weights there are.
pub const WEIGHTS: usize = PROMOTIONS + 8;

/// The column of a role that goes to a square, both as the mover sees them.
#[inline(always)]
#[must_use]
pub const fn column(role: Role, to: Square) -> usize {
    (role as usize) << 6 | to as usize
}

/// The column of castling: that of a pawn to g1 or c1, where no pawn can go.
#[inline(always)]
#[must_use]
pub const fn castling_column(side: chess::CastlingSide) -> usize {
    column(Role::Pawn, side.king_to(chess::Color::White))
}
