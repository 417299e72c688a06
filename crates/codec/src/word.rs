//! `word`: the 16-bit move itself.

use chess::attacks::Sliders;
use chess::{Move, Position};

use crate::{BitReader, Bits, CodecError, CodecName, MoveCodec, MoveFault};

/// 16 bits, `flags:4 | from:6 | to:6`: the move of the whole library, as it is.
///
/// No position is needed to read one: [`Move::word`] and [`Move::from_word`] are the plain
/// functions. In a stream the word is big-endian, as all bits here are. Castling goes to the square
/// where the king lands, and its flags tell it from a step, in Chess960 too.
///
/// ```
/// use chess::{Move, MoveKind, Square};
/// let castle = Move::new(Square::E1, Square::G1, MoveKind::CastleKingSide);
/// assert_eq!(castle.word(), 0b0010_000100_000110);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Word;

impl MoveCodec for Word {
    const NAME: CodecName = CodecName::Word;
    type Memory = ();

    fn begin(self, _: &Position) -> Result<(), CodecError> {
        Ok(())
    }

    #[inline(always)]
    fn encode<S: Sliders>(self, _: S, (): (), _: &Position, m: Move) -> Result<Bits, MoveFault> {
        Ok(Bits::new(u32::from(m.word()), 16))
    }

    #[inline(always)]
    fn decode<S: Sliders>(
        self,
        _: S,
        (): (),
        _: &Position,
        bits: &mut BitReader<'_>,
    ) -> Result<Move, MoveFault> {
        let found = bits.take_two_bytes()?;
        Move::from_word((found & 0xffff) as u16).ok_or(MoveFault::NoMove { found })
    }
}
