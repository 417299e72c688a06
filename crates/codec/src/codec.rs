//! The one trait: a move in a position as bits, and back.

use core::fmt::Debug;

use chess::attacks::Sliders;
use chess::{Move, Position};

use crate::{BitReader, Bits, CodecError, CodecName, Gate, MoveFault};

/// An encoding of a move in a position.
///
/// Most users want whole games: [`encode_game`](crate::encode_game), [`replay`](crate::replay), or
/// the methods of [`CodecName`] where the encoding is chosen at run time. The methods here take the
/// way to look up sliders from outside, so that a loop over many moves is compiled once for each
/// kind of CPU (see [`chess::attacks::dispatch`]); [`TwoStage`](chess::attacks::TwoStage) does for
/// one move.
///
/// ```
/// use chess::{attacks::TwoStage, Move, MoveKind, Position, Square};
/// use scoresheet_codec::{BitReader, MoveCodec, Packed};
/// let e4 = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
/// let memory = Packed.begin(&Position::START)?;
/// let bits = Packed.encode(TwoStage, memory, &Position::START, e4)?;
/// assert_eq!(bits.to_string(), "11001");
/// let mut bytes = BitReader::new(&[0xc8]);
/// assert_eq!(Packed.decode(TwoStage, memory, &Position::START, &mut bytes), Ok(e4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait MoveCodec: Copy {
    /// The name of the encoding.
    const NAME: CodecName;

    /// What can be wrong with a move that [`MoveCodec::decode`] gives.
    const DOUBT: Doubt = Doubt::Everything;

    /// What the encoding remembers of the game beside the position.
    type Memory: Copy + Debug;

    /// What is remembered at the start of a game.
    ///
    /// # Errors
    /// [`CodecError::Chess960`] if the encoding has no bits for this castling.
    fn begin(self, start: &Position) -> Result<Self::Memory, CodecError>;

    /// The bits of a move. The move must be legal: if it is not, the bits mean nothing, but there
    /// is no panic.
    ///
    /// # Errors
    /// A [`MoveFault`] where there are no bits for the move.
    fn encode<S: Sliders>(
        self,
        sliders: S,
        memory: Self::Memory,
        position: &Position,
        m: Move,
    ) -> Result<Bits, MoveFault>;

    /// Reads a move. It need not be legal: the caller asks
    /// [`Position::is_legal`] unless it trusts the bits.
    ///
    /// # Errors
    /// A [`MoveFault`] where the bits are no move at all.
    fn decode<S: Sliders>(
        self,
        sliders: S,
        memory: Self::Memory,
        position: &Position,
        bits: &mut BitReader<'_>,
    ) -> Result<Move, MoveFault>;

    /// Reads a move, shows it to the gate, plays it and remembers what there is to remember:
    /// [`MoveCodec::decode`], [`MoveCodec::follow`] and [`Position::play_unchecked`] in one. An
    /// encoding that knows early what moves can do better than the three together; the result must
    /// be the same.
    ///
    /// # Errors
    /// Those of [`MoveCodec::decode`] and of the gate. The position is as it was then; the memory and
    /// the bits mean nothing.
    #[inline(always)]
    fn decode_and_play<S: Sliders>(
        self,
        sliders: S,
        memory: &mut Self::Memory,
        position: &mut Position,
        bits: &mut BitReader<'_>,
        gate: &mut impl Gate,
    ) -> Result<(), MoveFault> {
        let m = self.decode(sliders, *memory, position, bits)?;
        gate.admit::<Self, S>(sliders, position, m)?;
        *memory = self.follow(sliders, *memory, position, m);
        position.play_unchecked(m);
        Ok(())
    }

    /// What is remembered after a move, from the position *before* it.
    #[inline(always)]
    fn follow<S: Sliders>(
        self,
        _sliders: S,
        memory: Self::Memory,
        _before: &Position,
        _played: Move,
    ) -> Self::Memory {
        memory
    }
}

/// What remains to be checked of a move that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// Any bits are some move: it must be asked whether it is legal.
    Everything,
    /// The bits name one of the moves that the men can make, but the king may be left in check; and
    /// it may be castling that is not possible.
    King,
    /// The bits name one of the legal moves.
    Nothing,
}

/// The memory of a BCGN level at the start of a game: none, and no Chess960.
pub(crate) fn refuse_chess960(codec: CodecName, start: &Position) -> Result<(), CodecError> {
    if start.needs_chess960() {
        Err(CodecError::Chess960 { codec })
    } else {
        Ok(())
    }
}
