//! Encodings chosen at run time.

use core::ops::ControlFlow;

use chess::{Move, Position};

use crate::modelled::Level;
use crate::{
    BitReader, Bits, CodecError, CodecName, Compressed, Direction, Enumeration, Extended,
    GameDecoder, GameEncoder, Legality, ListIndex, MoveCodec, MoveIndex, Packed, Plies, Word,
    encode_game, modelled, replay,
};

/// Calls a generic function with the encoding that a name stands for. The choice is made once a
/// game; the loop inside knows its encoding. Both levels of `modelled` have no bits for a move alone, and functions
/// of its own.
macro_rules! with_codec {
    ($name:expr, $codec:ident => $call:expr, modelled $level:ident => $modelled:expr) => {
        match $name {
            CodecName::Word => {
                let $codec = Word;
                $call
            }
            CodecName::Extended => {
                let $codec = Extended;
                $call
            }
            CodecName::Direction => {
                let $codec = Direction;
                $call
            }
            CodecName::List => {
                let $codec = ListIndex;
                $call
            }
            CodecName::Enumeration => {
                let $codec = Enumeration;
                $call
            }
            CodecName::Index => {
                let $codec = MoveIndex;
                $call
            }
            CodecName::Packed => {
                let $codec = Packed;
                $call
            }
            CodecName::Compressed => {
                let $codec = Compressed;
                $call
            }
            CodecName::Modelled => {
                let $level = Level::Usual;
                $modelled
            }
            CodecName::ModelledMax => {
                let $level = Level::Max;
                $modelled
            }
        }
    };
}

impl CodecName {
    /// Encodes a game whose moves are checked, appends it to `out` and tells how many bits it has:
    /// [`encode_game`].
    ///
    /// # Errors
    /// Those of [`encode_game`].
    pub fn encode(
        self,
        start: &Position,
        moves: impl IntoIterator<Item = Move>,
        out: &mut Vec<u8>,
    ) -> Result<usize, CodecError> {
        self.encode_with(start, moves, Legality::Checked, out)
    }

    /// [`CodecName::encode`], and calls `each` with the position before every move, the move and its
    /// bits. In `modelled` a move has no bits of its own, and they are empty: see
    /// [`modelled::surprises`].
    ///
    /// # Errors
    /// Those of [`encode_game`]; `each` has seen the moves before the one at fault.
    pub fn encode_each(
        self,
        start: &Position,
        moves: impl IntoIterator<Item = Move>,
        out: &mut Vec<u8>,
        each: impl FnMut(&Position, Move, Bits),
    ) -> Result<usize, CodecError> {
        let before = out.len();
        let done = with_codec!(
            self,
            codec => encode_each(codec, start, moves, out, each),
            modelled level => encode_each_modelled(level, start, moves, out, each)
        );
        if done.is_err() {
            out.truncate(before);
        }
        done
    }

    /// [`CodecName::encode`] with the choice to trust the moves.
    ///
    /// # Errors
    /// Those of [`encode_game`].
    pub fn encode_with(
        self,
        start: &Position,
        moves: impl IntoIterator<Item = Move>,
        legality: Legality,
        out: &mut Vec<u8>,
    ) -> Result<usize, CodecError> {
        with_codec!(
            self,
            codec => encode_game(codec, start, moves, legality, out),
            modelled level => modelled::encode_game(level, start, moves, out).map(|bytes| 8 * bytes)
        )
    }

    /// The moves of a game, each checked.
    ///
    /// # Errors
    /// Those of [`replay`].
    ///
    /// ```
    /// use chess::Position;
    /// use scoresheet_codec::{CodecName, Plies};
    /// let moves = CodecName::Packed.decode(&Position::START, Plies::Exactly(1), &[0xc8]).unwrap();
    /// assert_eq!(moves[0].to_string(), "e2e4");
    /// ```
    pub fn decode(
        self,
        start: &Position,
        plies: Plies,
        bytes: &[u8],
    ) -> Result<Vec<Move>, CodecError> {
        let mut moves = Vec::new();
        self.replay(start, plies, Legality::Checked, bytes, |_, m| {
            moves.push(m);
            ControlFlow::Continue(())
        })?;
        Ok(moves)
    }

    /// [`CodecName::decode`], calling `each` with the position before every move, the move and its
    /// bits. Returns the position after the last move.
    ///
    /// # Errors
    /// Those of [`GameDecoder`]; `each` has seen the moves before the one at fault.
    ///
    /// ```
    /// use chess::Position;
    /// use scoresheet_codec::{CodecName, Plies};
    /// let mut seen = Vec::new();
    /// let each = |_: &Position, m: chess::Move, bits: scoresheet_codec::Bits| {
    ///     seen.push(format!("{m} {bits}"));
    /// };
    /// let start = Position::START;
    /// CodecName::Packed.decode_each(&start, Plies::ToEnd, &[0xca, 0x00], each).unwrap();
    /// assert_eq!(seen, ["e2e4 11001", "e7e5 01000"]);
    /// ```
    pub fn decode_each(
        self,
        start: &Position,
        plies: Plies,
        bytes: &[u8],
        each: impl FnMut(&Position, Move, Bits),
    ) -> Result<Position, CodecError> {
        with_codec!(
            self,
            codec => decode_each(codec, start, plies, bytes, each),
            modelled level => decode_each_modelled(level, start, plies, bytes, each)
        )
    }

    /// Plays through a game: [`replay`].
    ///
    /// # Errors
    /// Those of [`replay`].
    pub fn replay(
        self,
        start: &Position,
        plies: Plies,
        legality: Legality,
        bytes: &[u8],
        visit: impl FnMut(&Position, Move) -> ControlFlow<()>,
    ) -> Result<(Position, usize), CodecError> {
        with_codec!(
            self,
            codec => replay(codec, start, plies, legality, bytes, visit),
            modelled level => modelled::replay(level, start, plies, bytes, visit)
        )
    }
}

fn encode_each<C: MoveCodec>(
    codec: C,
    start: &Position,
    moves: impl IntoIterator<Item = Move>,
    out: &mut Vec<u8>,
    mut each: impl FnMut(&Position, Move, Bits),
) -> Result<usize, CodecError> {
    let mut game = GameEncoder::new(codec, start, Legality::Checked, out)?;
    for m in moves {
        let before = *game.position();
        let bits = game.push(m)?;
        each(&before, m, bits);
    }
    Ok(game.finish())
}

fn decode_each<C: MoveCodec>(
    codec: C,
    start: &Position,
    plies: Plies,
    bytes: &[u8],
    mut each: impl FnMut(&Position, Move, Bits),
) -> Result<Position, CodecError> {
    let mut game = GameDecoder::new(codec, start, plies, Legality::Checked, bytes)?;
    let mut reader = BitReader::new(bytes);
    loop {
        let before = *game.position();
        let Some(m) = game.next_move()? else {
            return Ok(before);
        };
        // A second reader follows the first and takes what it took: 32 bits at most.
        let len = reader.remaining().saturating_sub(game.remaining_bits());
        let len = u32::try_from(len).unwrap_or(u32::MAX).min(32);
        let value = reader.take(len).unwrap_or_default();
        each(&before, m, Bits::new(value, len));
    }
}

fn encode_each_modelled(
    level: Level,
    start: &Position,
    moves: impl IntoIterator<Item = Move>,
    out: &mut Vec<u8>,
    mut each: impl FnMut(&Position, Move, Bits),
) -> Result<usize, CodecError> {
    let mut game = modelled::Encoder::new(level, start, out);
    for m in moves {
        let before = *game.position();
        game.push(m)?;
        each(&before, m, Bits::new(0, 0));
    }
    Ok(8 * game.finish())
}

fn decode_each_modelled(
    level: Level,
    start: &Position,
    plies: Plies,
    bytes: &[u8],
    mut each: impl FnMut(&Position, Move, Bits),
) -> Result<Position, CodecError> {
    let mut game = modelled::Decoder::new(level, start, plies, bytes);
    loop {
        let before = *game.position();
        match game.next_move()? {
            Some(m) => each(&before, m, Bits::new(0, 0)),
            None => return Ok(before),
        }
    }
}
