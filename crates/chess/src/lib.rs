//! The rules of chess: boards, attacks, legal moves, FEN, SAN, UCI and position keys.
//!
//! # Play through a game
//! ```
//! use scoresheet_chess::Position;
//!
//! let mut position = Position::START;
//! for san in "e4 e5 Nf3 Nc6 Bb5 a6 O-O".split(' ') {
//!     let m = position.parse_san(san.as_bytes())?;
//!     position.play_unchecked(m); // It has just been found legal.
//! }
//! assert_eq!(
//!     position.to_string(),
//!     "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 4",
//! );
//! # Ok::<(), scoresheet_chess::ParseSanError>(())
//! ```
//!
//! # Set up a position, or learn why not
//! ```
//! use scoresheet_chess::{ParseFenError, Position, SetupFault};
//!
//! let mate_in_one: Position = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1".parse()?;
//! assert_eq!(mate_in_one.legal_moves().len(), 17);
//!
//! let Err(ParseFenError::Setup(faults)) = "8/8/8/8/8/8/8/K6P w - - 0 1".parse::<Position>() else {
//!     panic!("a board with one king is no position");
//! };
//! assert!(faults.contains(SetupFault::MissingKing));
//! assert!(faults.contains(SetupFault::PawnsOnBackRank));
//! # Ok::<(), ParseFenError>(())
//! ```
//!
//! # Count without building moves
//! ```
//! use scoresheet_chess::{Position, perft};
//!
//! assert_eq!(Position::START.count_legal_moves(), 20);
//! assert_eq!(perft::count(&Position::START, 5), 4_865_609);
//! ```
//!
//! # How it works
//! [`Board`] says where the men stand, [`Setup`] what a FEN says, [`Position`] what can be played:
//! each door is stricter than the one before, and only the last generates moves. A position is 48
//! bytes, four sets of squares and its state; it is copied, not undone. Sliders are looked up in
//! two stages ([`attacks`]); the generator finds checks and pins in one pass from the king and never
//! makes a move to see whether it was legal. [`Keyed`] carries a Zobrist key along for those who
//! want one. Chess960 is no special case: castling rights are the squares of rooks.
//!
//! # Untrusted input
//! Every parser takes the whole text or says where it went wrong, what it found and what it expected.
//! No text makes it panic. A [`Move`] is only a word: [`Position::play`] checks it, and
//! [`Position::play_unchecked`] given nonsense yields a position that means nothing, but no panic and
//! no undefined behaviour. Keys can collide and can be forged.
#![deny(missing_docs)]
// The slider tables are computed by the compiler; see `attacks/two_stage.rs`.
#![allow(long_running_const_eval)]

mod attack_board;
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
mod step;
mod uci;
mod validate;
mod zobrist;

pub use attack_board::{AttackBoard, PieceIndex, PieceMask, Pieces};
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
pub use san::{ParseSanError, ReadMove, San, SanExpected, SanToken};
pub use setup::Setup;
pub use side::CastlingSide;
pub use square::{File, ParseSquareError, Rank, Square};
pub use step::Step;
pub use uci::{ParseUciError, Uci, UciExpected};
pub use validate::{SetupFault, SetupFaults};
