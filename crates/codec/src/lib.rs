//! A chess move or a whole game as bits, in every known encoding.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]
// Numbers are cut to the width of their field all the time; the laws see to it that nothing is lost.
#![allow(clippy::cast_possible_truncation)]

mod bits;
mod by_name;
mod codec;
mod compressed;
mod direction;
mod empty_board;
mod enumeration;
mod error;
mod extended;
mod game;
mod list_index;
mod move_index;
mod name;
mod packed;
mod word;

pub use bits::{BitReader, BitWriter, Bits, width_of};
pub use codec::MoveCodec;
pub use compressed::Compressed;
pub use direction::Direction;
pub use enumeration::{EnumeratedMove, Enumeration, MoveId};
pub use error::{CodecError, MoveFault};
pub use extended::{CastlingRooks, Extended, ExtendedMove};
pub use game::{GameDecoder, GameEncoder, Legality, Plies, encode_game, replay};
pub use list_index::ListIndex;
pub use move_index::{MoveIndex, Numbers};
pub use name::CodecName;
pub use packed::{Packed, PackedMemory};
pub use word::Word;
