//! Encodings chosen at run time.

use core::ops::ControlFlow;

use chess::{Move, Position};

use crate::{
    CodecError, CodecName, Compressed, Direction, Enumeration, Extended, Legality, ListIndex,
    MoveIndex, Packed, Plies, Word, encode_game, replay,
};

/// Calls a generic function with the encoding that a name stands for. The choice is made once a
/// game; the loop inside knows its encoding.
macro_rules! with_codec {
    ($name:expr, $codec:ident => $call:expr) => {
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
        with_codec!(self, codec => encode_game(codec, start, moves, Legality::Checked, out))
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
        with_codec!(self, codec => encode_game(codec, start, moves, legality, out))
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
        with_codec!(self, codec => replay(codec, start, plies, legality, bytes, visit))
    }
}
