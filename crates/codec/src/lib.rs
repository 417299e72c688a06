//! A chess move or a whole game as bits, in every known encoding.
//!
//! A game in one of the encodings, chosen by name, and back:
//!
//! ```
//! use chess::Position;
//! use scoresheet_codec::{CodecName, Plies};
//!
//! let start = Position::START;
//! let mut position = start;
//! let mut moves = Vec::new();
//! for san in ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O"] {
//!     let m = position.parse_san(san.as_bytes())?;
//!     position.play(m)?;
//!     moves.push(m);
//! }
//! let mut bytes = Vec::new();
//! let bits = CodecName::Packed.encode(&start, moves.iter().copied(), &mut bytes)?;
//! assert_eq!((bits, bytes.len()), (39, 5));
//! assert_eq!(CodecName::Packed.decode(&start, Plies::Exactly(7), &bytes)?, moves);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Playing through a game as fast as it goes, without keeping the moves; the bytes were verified by a
//! checksum, so legality is not checked again:
//!
//! ```
//! use std::ops::ControlFlow;
//! use chess::Position;
//! use scoresheet_codec::{replay, Legality, MoveIndex, Plies};
//!
//! let bytes = [67, 67, 115]; // 1. e4 e5 2. Nf3
//! let mut captures = 0;
//! let (end, plies) =
//!     replay(MoveIndex, &Position::START, Plies::ToEnd, Legality::Trusted, &bytes, |_, m| {
//!         captures += usize::from(m.is_capture());
//!         ControlFlow::Continue(())
//!     })?;
//! assert_eq!((plies, captures), (3, 0));
//! assert_eq!(end.to_string(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
//! # Ok::<(), scoresheet_codec::CodecError>(())
//! ```
//!
//! The token of a move, for a model of chess; no position is needed to read it:
//!
//! ```
//! use chess::Position;
//! use scoresheet_codec::MoveId;
//!
//! let start = Position::START;
//! let nf3 = start.parse_san(b"Nf3")?;
//! let token = MoveId::new(&start, nf3).ok_or("not a move")?.index();
//! let told = MoveId::from_index(token).ok_or("no token")?.describe();
//! assert_eq!((told.from, told.to), (nf3.from(), nf3.to()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The encodings
//!
//! | name | bits a move | type | needs the position to be read |
//! |---|---|---|---|
//! | `word` | 16 | [`Word`] | no |
//! | `extended` | 32 | [`Extended`] | no |
//! | `direction` | 10, 12 | [`Direction`] | yes |
//! | `list` | 8 | [`ListIndex`] | yes, and its legal moves |
//! | `enumeration` | 16 | [`Enumeration`] | no |
//! | `index` (BCGN level 1) | 8, 16 | [`MoveIndex`] | yes |
//! | `packed` (BCGN level 2) | 1 to 13, about 6 | [`Packed`] | yes |
//! | `compressed` (BCGN level 0) | 16 | [`Compressed`] | only for the flags |
//! | `modelled` | about 2.7 | [`modelled`] | yes, and its legal moves |
//! | `modelled-max` | about 2.65 | [`modelled::Level`] | yes, and its legal moves |
//!
//! Each type says what its bits are. All bits come most significant first, moves follow each other
//! without a gap, and the last byte of a game is padded with zeros. Neither the start position nor
//! the number of moves is part of the bytes: who stores games keeps them beside.
//!
//! Chess960 works in all of them but the three levels of BCGN, which have no bits for its castling and
//! refuse it.
//!
//! # How it works
//!
//! [`MoveCodec`] is one move in one position; [`GameEncoder`] and [`GameDecoder`] go move by move
//! through a game, [`encode_game`] and [`replay`] do it at once, in a loop that is compiled for the CPU
//! at hand and allocates nothing. Reading a move is a race against the branch predictor, since which
//! piece moves next is as good as random: so sets are masked and not matched, and what changes rarely
//! (how many men there are) is remembered from move to move, so that the next number is taken apart
//! before the board is ready for it.
//!
//! # Untrusted input
//!
//! A decoder takes any bytes. What names no piece, no square or no legal move is an error with the
//! number of its ply; so are bytes that end inside a move, and bits after the last one that are not
//! padding. For every encoding there is one way to write a game, and no other is accepted (but for
//! the notes in an `extended` word, which are not kept). The time is bounded by the number of bits,
//! whatever number of moves is announced.
//!
//! With [`Legality::Trusted`] the question whether a move is legal is not asked: damaged bytes can give
//! positions that mean nothing. There is still no panic, no endless loop and no undefined behaviour.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![deny(clippy::unwrap_used, clippy::panic)]
#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

mod bits;
mod by_name;
mod codec;
mod compressed;
mod counts;
mod direction;
mod empty_board;
mod enumeration;
mod error;
mod extended;
mod game;
mod gate;
mod list_index;
pub mod modelled;
mod move_index;
mod name;
mod packed;
mod word;

pub use bits::{BitReader, BitWriter, Bits, width_of};
pub use codec::{Doubt, MoveCodec};
pub use compressed::Compressed;
pub use direction::Direction;
pub use enumeration::{EnumeratedMove, Enumeration, MoveId};
pub use error::{CodecError, MoveFault};
pub use extended::{CastlingRooks, Extended, ExtendedMove};
pub use game::{GameDecoder, GameEncoder, Legality, Plies, encode_game, replay, replay_to};
pub use gate::{Gate, Spectator};
pub use list_index::ListIndex;
pub use move_index::{MoveIndex, Numbers};
pub use name::CodecName;
pub use packed::{Packed, PackedMemory};
pub use word::Word;
