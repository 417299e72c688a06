//! The rules of chess: boards, attacks, legal moves, FEN, SAN, UCI and position keys.
#![deny(missing_docs)]
// The slider tables are computed by the compiler; see `attacks/two_stage.rs`.
#![allow(long_running_const_eval)]

pub mod attacks;
mod bitboard;
mod board;
mod epd;
mod fen;
mod keyed;
mod lan;
mod move_list;
mod movegen;
mod moves;
mod outcome;
pub mod perft;
mod piece;
mod polyglot;
mod position;
mod san;
mod setup;
mod short_text;
mod side;
mod square;
mod uci;
mod validate;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use epd::{Epd, EpdExpected, EpdOperand, EpdOperation, ParseEpdError};
pub use fen::{FenExpected, FenSyntaxError, ParseFenError, ShredderFen};
pub use keyed::Keyed;
pub use lan::Lan;
pub use move_list::{MoveList, Moves};
pub use movegen::{MoveVisitor, PawnStep};
pub use moves::{Move, MoveKind};
pub use outcome::{History, Outcome};
pub use piece::{Color, Piece, Role};
pub use position::{IllegalMove, Position};
pub use san::{ParseSanError, San, SanExpected};
pub use setup::Setup;
pub use side::CastlingSide;
pub use square::{File, ParseSquareError, Rank, Square};
pub use uci::{ParseUciError, Uci, UciExpected};
pub use validate::{SetupFault, SetupFaults};
