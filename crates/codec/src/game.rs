//! Whole games: a start position and moves as bytes, and back.

use core::ops::ControlFlow;

use chess::attacks::{self, Job, Sliders, TwoStage};
use chess::{Color, Move, Position};

use crate::gate::{Closure, Spectator, Visit};
use crate::{BitReader, BitWriter, Bits, CodecError, Gate, MoveCodec, MoveFault};

/// Whether moves are asked for their legality.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Legality {
    /// Every move is checked; an illegal one is an error.
    #[default]
    Checked,
    /// The bytes are known to be as they were written, by a checksum. What is no move at all is
    /// still an error. An illegal move gives positions that mean nothing, but no panic, and the time
    /// is bounded by the number of bits as ever.
    Trusted,
}

/// Where the moves of a game end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plies {
    /// After so many moves; then there may be nothing but padding.
    Exactly(usize),
    /// Where nothing is left but padding. Of the encodings here only
    /// [`Packed`](crate::Packed) has moves that could be padding (the last of them, in bits that are
    /// all 0): they are taken for padding.
    ToEnd,
}

/// Encodes a game move by move.
///
/// ```
/// use chess::{Move, MoveKind, Position, Square};
/// use scoresheet_codec::{GameEncoder, Legality, Packed};
/// let mut bytes = Vec::new();
/// let mut game = GameEncoder::new(Packed, &Position::START, Legality::Checked, &mut bytes)?;
/// let e4 = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
/// let e5 = Move::new(Square::E7, Square::E5, MoveKind::DoublePush);
/// assert_eq!(game.push(e4)?.to_string(), "11001");
/// assert_eq!(game.push(e5)?.to_string(), "01000");
/// assert_eq!(game.finish(), 10);
/// assert_eq!(bytes, [0b1100_1_010, 0b0_0_000000]);
/// # Ok::<(), scoresheet_codec::CodecError>(())
/// ```
#[derive(Debug)]
pub struct GameEncoder<'a, C: MoveCodec> {
    codec: C,
    memory: C::Memory,
    position: Position,
    ply: usize,
    legality: Legality,
    bits: BitWriter<'a>,
}

impl<'a, C: MoveCodec> GameEncoder<'a, C> {
    /// An encoder that appends to `out`.
    ///
    /// # Errors
    /// [`CodecError::Chess960`] if the encoding cannot tell the castling of this game.
    pub fn new(
        codec: C,
        start: &Position,
        legality: Legality,
        out: &'a mut Vec<u8>,
    ) -> Result<GameEncoder<'a, C>, CodecError> {
        Ok(GameEncoder {
            codec,
            memory: codec.begin(start)?,
            position: *start,
            ply: 0,
            legality,
            bits: BitWriter::new(out),
        })
    }

    /// The position before the next move.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Appends a move, and tells its bits.
    ///
    /// # Errors
    /// [`CodecError::Move`] if it is not legal or has no bits; nothing is written then.
    #[inline]
    pub fn push(&mut self, m: Move) -> Result<Bits, CodecError> {
        self.push_with(TwoStage, m)
    }

    #[inline(always)]
    fn push_with<S: Sliders>(&mut self, sliders: S, m: Move) -> Result<Bits, CodecError> {
        let fault = |fault: MoveFault| fault.at(C::NAME, self.ply);
        if self.legality == Legality::Checked && !self.position.is_legal_with(sliders, m) {
            return Err(fault(MoveFault::Illegal { found: m }));
        }
        let bits = self.codec.encode(sliders, self.memory, &self.position, m);
        let bits = bits.map_err(fault)?;
        self.bits.put(bits);
        self.memory = self.codec.follow(sliders, self.memory, &self.position, m);
        self.position.play_unchecked(m);
        self.ply += 1;
        Ok(bits)
    }

    /// Pads the last byte and tells how many bits the game has.
    pub fn finish(self) -> usize {
        self.bits.finish()
    }
}

/// Decodes a game move by move.
///
/// ```
/// use chess::Position;
/// use scoresheet_codec::{GameDecoder, Legality, Packed, Plies};
/// let bytes = [0b1100_1_010, 0b0_0_000000];
/// let mut game =
///     GameDecoder::new(Packed, &Position::START, Plies::Exactly(2), Legality::Checked, &bytes)?;
/// let mut moves = Vec::new();
/// while let Some(m) = game.next_move()? {
///     moves.push(m.to_string());
/// }
/// assert_eq!(moves, ["e2e4", "e7e5"]);
/// # Ok::<(), scoresheet_codec::CodecError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameDecoder<'a, C: MoveCodec> {
    codec: C,
    legality: Legality,
    end: End,
    at: Place<'a, C>,
}

/// How far a decoder has come. It is handed on by value: what nobody takes the address of stays in
/// registers.
#[derive(Clone, Copy, Debug)]
struct Place<'a, C: MoveCodec> {
    position: Position,
    memory: C::Memory,
    ply: usize,
    bits: BitReader<'a>,
}

/// The fewest and the most moves there can be: the same number, if it is known.
#[derive(Clone, Copy, Debug)]
struct End {
    fewest: usize,
    most: usize,
}

impl End {
    /// Two men need a bit to be told apart, and a king alone has three squares or more: every move
    /// takes a bit. So a length that was made up cannot make us work for longer than the bytes.
    #[inline(always)]
    fn of<C: MoveCodec>(plies: Plies, bytes: &[u8]) -> Result<End, CodecError> {
        let bits = bytes.len().saturating_mul(8);
        match plies {
            Plies::Exactly(plies) if plies > bits => Err(CodecError::TooManyPlies {
                codec: C::NAME,
                plies,
                bits,
            }),
            Plies::Exactly(plies) => Ok(End {
                fewest: plies,
                most: plies,
            }),
            Plies::ToEnd => Ok(End {
                fewest: 0,
                most: bits,
            }),
        }
    }

    /// Whether the game is over here.
    ///
    /// # Errors
    /// [`CodecError::Trailing`] if it is, and bits are left.
    #[inline(always)]
    fn is_reached<C: MoveCodec>(self, ply: usize, bits: BitReader<'_>) -> Result<bool, CodecError> {
        if ply < self.fewest {
            return Ok(false);
        }
        if ply < self.most || bits.is_padding() {
            return Ok(bits.is_padding());
        }
        Err(CodecError::Trailing {
            codec: C::NAME,
            plies: ply,
            bits: bits.remaining(),
        })
    }
}

impl<'a, C: MoveCodec> Place<'a, C> {
    #[inline(always)]
    fn start(start: &Position, memory: C::Memory, bytes: &'a [u8]) -> Place<'a, C> {
        Place {
            position: *start,
            memory,
            ply: 0,
            bits: BitReader::new(bytes),
        }
    }

    /// The next move, and the reader after it.
    #[inline(always)]
    fn read<S: Sliders>(
        &self,
        codec: C,
        sliders: S,
        mut legality: Legality,
    ) -> Result<(Move, BitReader<'a>), CodecError> {
        let mut bits = self.bits;
        let m = codec.decode(sliders, self.memory, &self.position, &mut bits);
        let m = m.and_then(|m| {
            legality.admit::<C, S>(sliders, &self.position, m)?;
            Ok((m, bits))
        });
        m.map_err(|fault| fault.at(C::NAME, self.ply))
    }

    /// Reads a move and plays it, unless the game is over or the visitor has stopped it.
    #[inline(always)]
    fn step<S: Sliders, V>(
        &mut self,
        codec: C,
        sliders: S,
        end: End,
        gate: &mut Visit<V>,
    ) -> Result<ControlFlow<()>, CodecError>
    where
        Visit<V>: Gate,
    {
        if end.is_reached::<C>(self.ply, self.bits)? {
            return Ok(ControlFlow::Break(()));
        }
        let read = codec.decode_and_play(
            sliders,
            &mut self.memory,
            &mut self.position,
            &mut self.bits,
            gate,
        );
        match read {
            Ok(()) => {
                self.ply += 1;
                Ok(ControlFlow::Continue(()))
            }
            Err(_) if gate.is_stopped => Ok(ControlFlow::Break(())),
            Err(fault) => Err(fault.at(C::NAME, self.ply)),
        }
    }

    /// Where the decoder is after the move.
    #[inline(always)]
    fn play<S: Sliders>(&mut self, codec: C, sliders: S, m: Move, bits: BitReader<'a>) {
        self.bits = bits;
        self.memory = codec.follow(sliders, self.memory, &self.position, m);
        self.position.play_unchecked(m);
        self.ply += 1;
    }
}

impl<'a, C: MoveCodec> GameDecoder<'a, C> {
    /// A decoder at the first move.
    ///
    /// # Errors
    /// [`CodecError::Chess960`] if the encoding cannot tell the castling of this game,
    /// [`CodecError::TooManyPlies`] if the bytes cannot hold so many moves.
    pub fn new(
        codec: C,
        start: &Position,
        plies: Plies,
        legality: Legality,
        bytes: &'a [u8],
    ) -> Result<GameDecoder<'a, C>, CodecError> {
        Ok(GameDecoder {
            codec,
            legality,
            end: End::of::<C>(plies, bytes)?,
            at: Place::start(start, codec.begin(start)?, bytes),
        })
    }

    /// The position after the last move that was read.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.at.position
    }

    /// How many moves have been read.
    #[must_use]
    pub const fn plies(&self) -> usize {
        self.at.ply
    }

    /// How many bits are left, the padding included.
    #[must_use]
    pub const fn remaining_bits(&self) -> usize {
        self.at.bits.remaining()
    }

    /// The next move; `None` after the last, when all bits have been seen to be in order.
    ///
    /// # Errors
    /// [`CodecError::Move`] if the next bits are no legal move, [`CodecError::Trailing`] if bits are
    /// left after the last move. The decoder stays where it is.
    #[inline]
    pub fn next_move(&mut self) -> Result<Option<Move>, CodecError> {
        if self.end.is_reached::<C>(self.at.ply, self.at.bits)? {
            return Ok(None);
        }
        let (m, bits) = self.at.read(self.codec, TwoStage, self.legality)?;
        self.at.play(self.codec, TwoStage, m, bits);
        Ok(Some(m))
    }
}

/// Encodes a game at once, appends it to `out` and tells how many bits it has.
///
/// # Errors
/// Those of [`GameEncoder`]; what was written before the error is taken back.
pub fn encode_game<C: MoveCodec>(
    codec: C,
    start: &Position,
    moves: impl IntoIterator<Item = Move>,
    legality: Legality,
    out: &mut Vec<u8>,
) -> Result<usize, CodecError> {
    struct Encode<'a, C: MoveCodec, I> {
        game: GameEncoder<'a, C>,
        moves: I,
    }

    impl<C: MoveCodec, I: Iterator<Item = Move>> Job for Encode<'_, C, I> {
        type Output = Result<usize, CodecError>;

        #[inline(always)]
        fn run<S: Sliders>(self, sliders: S) -> Result<usize, CodecError> {
            // A copy of our own: see `Place`.
            let mut game = self.game;
            let mut moves = self.moves;
            // In halves, as in `Replay`.
            loop {
                if game.position.knows_turn(Color::White) {
                    let Some(m) = moves.next() else { break };
                    game.push_with(sliders, m)?;
                }
                if game.position.knows_turn(Color::Black) {
                    let Some(m) = moves.next() else { break };
                    game.push_with(sliders, m)?;
                }
            }
            Ok(game.finish())
        }
    }

    let before = out.len();
    let done = GameEncoder::new(codec, start, legality, out).and_then(|game| {
        attacks::dispatch(Encode {
            game,
            moves: moves.into_iter(),
        })
    });
    if done.is_err() {
        out.truncate(before);
    }
    done
}

/// Plays through a game: calls `visit` with every move and the position *before* it, and returns
/// the position after the last one, and how many moves were read. The visitor may stop early; then
/// the rest is not read.
///
/// The whole loop is compiled for the CPU at hand, and nothing is allocated.
///
/// ```
/// use std::ops::ControlFlow;
/// use chess::Position;
/// use scoresheet_codec::{replay, Legality, MoveIndex, Plies};
/// let bytes = [67, 67]; // 1. e4 e5
/// let mut seen = Vec::new();
/// let (end, plies) =
///     replay(MoveIndex, &Position::START, Plies::ToEnd, Legality::Checked, &bytes, |_, m| {
///         seen.push(m.to_string());
///         ControlFlow::Continue(())
///     })?;
/// assert_eq!((seen.join(" ").as_str(), plies), ("e2e4 e7e5", 2));
/// # Ok::<(), scoresheet_codec::CodecError>(())
/// ```
///
/// # Errors
/// Those of [`GameDecoder`].
#[inline]
pub fn replay<C: MoveCodec>(
    codec: C,
    start: &Position,
    plies: Plies,
    legality: Legality,
    bytes: &[u8],
    visit: impl FnMut(&Position, Move) -> ControlFlow<()>,
) -> Result<(Position, usize), CodecError> {
    replay_to(codec, start, plies, legality, bytes, Closure(visit))
}

/// [`replay`] for a [`Spectator`], who is told what moves where the encoding tells it.
///
/// # Errors
/// Those of [`GameDecoder`].
#[inline]
pub fn replay_to<C: MoveCodec>(
    codec: C,
    start: &Position,
    plies: Plies,
    legality: Legality,
    bytes: &[u8],
    visit: impl Spectator,
) -> Result<(Position, usize), CodecError> {
    let end = End::of::<C>(plies, bytes)?;
    let memory = codec.begin(start)?;
    match legality {
        Legality::Checked => attacks::dispatch(Replay::<C, _, true> {
            codec,
            start,
            memory,
            bytes,
            end,
            visit,
        }),
        Legality::Trusted => attacks::dispatch(Replay::<C, _, false> {
            codec,
            start,
            memory,
            bytes,
            end,
            visit,
        }),
    }
}

struct Replay<'a, C: MoveCodec, V, const IS_CHECKED: bool> {
    codec: C,
    start: &'a Position,
    memory: C::Memory,
    bytes: &'a [u8],
    end: End,
    visit: V,
}

impl<C, V, const IS_CHECKED: bool> Job for Replay<'_, C, V, IS_CHECKED>
where
    C: MoveCodec,
    V: Spectator,
{
    type Output = Result<(Position, usize), CodecError>;

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> Self::Output {
        let Replay {
            codec, end, visit, ..
        } = self;
        // Made here and not before the dispatch: the compiler sees a reader that starts between
        // bytes, and where moves are whole bytes it forgets the bits.
        let mut at = Place::start(self.start, self.memory, self.bytes);
        let mut gate = Visit {
            // A constant to the compiler.
            legality: if IS_CHECKED {
                Legality::Checked
            } else {
                Legality::Trusted
            },
            visitor: visit,
            is_stopped: false,
        };
        // White's half of a move, then Black's: in each the compiler knows whose turn it is, and that
        // the other half follows. As the two arms of one branch they would be made one again.
        loop {
            if at.position.knows_turn(Color::White)
                && at.step(codec, sliders, end, &mut gate)?.is_break()
            {
                break;
            }
            if at.position.knows_turn(Color::Black)
                && at.step(codec, sliders, end, &mut gate)?.is_break()
            {
                break;
            }
        }
        Ok((at.position, at.ply))
    }
}
