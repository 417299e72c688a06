//! Whole games in the modelled encoding.

use core::ops::ControlFlow;

use chess::attacks::{self, Job, Sliders, TwoStage};
use chess::{Move, Position};

use super::foresight::Foresight;
use super::level::Level;
use super::odds::Odds;
use super::range::{RangeReader, RangeWriter, Share, TOTAL};
use super::{model, net};
use crate::{CodecError, MoveFault, Plies};

/// A game at its start, seen with the model of a level.
fn foresight(level: Level, start: &Position) -> Foresight<'static> {
    let net = match level {
        Level::Usual => None,
        Level::Max => Some(net::built_in()),
    };
    Foresight::new(model::built_in(), net, start)
}

/// How little a move was expected.
///
/// ```
/// use chess::Position;
/// use scoresheet_codec::modelled::{Level, surprises};
/// let start = Position::START;
/// let [e4, h4] = ["e4", "h4"].map(|san| start.parse_san(san.as_bytes()).unwrap());
/// let bits = |m| surprises(Level::Usual, &start, [m]).unwrap()[0].bits();
/// assert!(bits(e4) < 2.0 && bits(h4) > 7.0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Surprise {
    share: u32,
}

impl Surprise {
    /// The probability that the model gave the move: what the coder works with, of 65,536.
    #[must_use]
    pub const fn share(self) -> u32 {
        self.share
    }

    /// The probability from 0 to 1.
    #[must_use]
    pub fn probability(self) -> f64 {
        f64::from(self.share) / f64::from(TOTAL)
    }

    /// What the move costs: the binary logarithm of its probability, with a plus.
    #[must_use]
    pub fn bits(self) -> f64 {
        -self.probability().log2()
    }
}

/// Encodes a game move by move.
///
/// ```
/// use chess::Position;
/// use scoresheet_codec::modelled::{Decoder, Encoder, Level};
/// use scoresheet_codec::Plies;
/// let mut bytes = Vec::new();
/// let mut game = Encoder::new(Level::Usual, &Position::START, &mut bytes);
/// for san in ["e4", "e5", "Nf3", "Nc6", "Bb5"] {
///     let m = game.position().parse_san(san.as_bytes())?;
///     let surprise = game.push(m)?;
///     assert!(surprise.bits() < 3.0);
/// }
/// assert_eq!(game.finish(), 1); // byte
///
/// let mut game = Decoder::new(Level::Usual, &Position::START, Plies::Exactly(5), &bytes);
/// let mut moves = Vec::new();
/// while let Some(m) = game.next_move()? {
///     moves.push(m.to_string());
/// }
/// assert_eq!(moves, ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Encoder<'a> {
    writing: Writing<'a>,
    odds: Odds,
}

/// A game that is being written. The odds are kept apart: they are large, and this is handed on by
/// value.
#[derive(Debug)]
struct Writing<'a> {
    level: Level,
    game: Foresight<'static>,
    ply: usize,
    range: RangeWriter<'a>,
}

impl<'a> Writing<'a> {
    fn new(level: Level, start: &Position, out: &'a mut Vec<u8>) -> Writing<'a> {
        Writing {
            level,
            game: foresight(level, start),
            ply: 0,
            range: RangeWriter::new(out),
        }
    }

    #[inline(always)]
    fn push<S: Sliders, const MAX: bool>(
        &mut self,
        sliders: S,
        odds: &mut Odds,
        m: Move,
    ) -> Result<Surprise, CodecError> {
        self.game.odds::<S, MAX>(sliders, odds);
        let name = self.game.name(m);
        // A move that takes where nothing is, or does not say so, has the name of a legal one.
        let share = odds
            .share_of(name)
            .filter(|_| self.game.named(name) == Some(m));
        let Some(share) = share else {
            return Err(MoveFault::Illegal { found: m }.at(self.level.codec(), self.ply));
        };
        self.range.put(share);
        self.game.play::<S, MAX>(sliders, odds, m);
        self.ply += 1;
        Ok(Surprise { share: share.size })
    }
}

impl<'a> Encoder<'a> {
    /// An encoder that appends to `out`. Nobody else may write there until it is finished.
    #[must_use]
    pub fn new(level: Level, start: &Position, out: &'a mut Vec<u8>) -> Encoder<'a> {
        Encoder {
            writing: Writing::new(level, start, out),
            odds: Odds::new(),
        }
    }

    /// The position before the next move.
    #[must_use]
    pub const fn position(&self) -> &Position {
        self.writing.game.position()
    }

    /// All legal moves with what they would cost, in the order of the format. The shares add up to
    /// 65,536 at most; what is missing, a rounding or the rest of a forced move, is no move's.
    #[must_use]
    pub fn odds(&mut self) -> Vec<(Move, Surprise)> {
        let game = &mut self.writing.game;
        match self.writing.level {
            Level::Usual => game.odds::<_, false>(TwoStage, &mut self.odds),
            Level::Max => game.odds::<_, true>(TwoStage, &mut self.odds),
        }
        let odds = self.odds.iter();
        odds.filter_map(|(name, share)| Some((game.named(name)?, Surprise { share })))
            .collect()
    }

    /// Appends a move, and tells how little it was expected.
    ///
    /// # Errors
    /// [`CodecError::Move`] if it is not legal; nothing is written then.
    pub fn push(&mut self, m: Move) -> Result<Surprise, CodecError> {
        match self.writing.level {
            Level::Usual => self.writing.push::<_, false>(TwoStage, &mut self.odds, m),
            Level::Max => self.writing.push::<_, true>(TwoStage, &mut self.odds, m),
        }
    }

    /// Writes the last byte, if one is needed, and tells how many bytes the game has.
    pub fn finish(self) -> usize {
        self.writing.range.finish()
    }
}

/// Decodes a game move by move: see [`Encoder`].
#[derive(Clone, Debug)]
pub struct Decoder<'a> {
    reading: Reading<'a>,
    odds: Odds,
}

impl<'a> Decoder<'a> {
    /// A decoder of the bytes of one game.
    #[must_use]
    pub fn new(level: Level, start: &Position, plies: Plies, bytes: &'a [u8]) -> Decoder<'a> {
        Decoder {
            reading: Reading::new(level, start, plies, bytes),
            odds: Odds::new(),
        }
    }

    /// The position after the last move that was read.
    #[must_use]
    pub const fn position(&self) -> &Position {
        self.reading.game.position()
    }

    /// How many moves have been read.
    #[must_use]
    pub const fn plies(&self) -> usize {
        self.reading.ply
    }

    /// The next move; `None` after the last, when the bytes have been seen to end as the game does.
    ///
    /// # Errors
    /// [`CodecError::Move`] if the bytes are used up or are no move here, [`CodecError::Ending`] if
    /// the game is over and the bytes are not, or are not those that an encoder would have written.
    pub fn next_move(&mut self) -> Result<Option<Move>, CodecError> {
        if self.reading.is_over()? {
            return Ok(None);
        }
        let (reading, odds) = (&mut self.reading, &mut self.odds);
        let m = match reading.level {
            Level::Usual => {
                let (m, share) = reading.read::<_, false>(TwoStage, odds)?;
                reading.step::<_, false>(TwoStage, odds, m, share)?;
                m
            }
            Level::Max => {
                let (m, share) = reading.read::<_, true>(TwoStage, odds)?;
                reading.step::<_, true>(TwoStage, odds, m, share)?;
                m
            }
        };
        Ok(Some(m))
    }
}

/// A game that is being read: see [`Writing`].
#[derive(Clone, Debug)]
struct Reading<'a> {
    level: Level,
    game: Foresight<'static>,
    ply: usize,
    plies: Option<usize>,
    range: RangeReader<'a>,
}

impl<'a> Reading<'a> {
    fn new(level: Level, start: &Position, plies: Plies, bytes: &'a [u8]) -> Reading<'a> {
        Reading {
            level,
            game: foresight(level, start),
            ply: 0,
            plies: match plies {
                Plies::Exactly(plies) => Some(plies),
                Plies::ToEnd => None,
            },
            range: RangeReader::new(bytes),
        }
    }

    #[inline(always)]
    fn is_over(&self) -> Result<bool, CodecError> {
        match self.plies {
            None => Ok(self.range.is_end()),
            Some(plies) if self.ply < plies => Ok(false),
            Some(_) if self.range.is_end() => Ok(true),
            Some(_) => Err(CodecError::Ending {
                codec: self.level.codec(),
                plies: self.ply,
                bytes: self.range.left(),
            }),
        }
    }

    #[inline(always)]
    fn read<S: Sliders, const MAX: bool>(
        &mut self,
        sliders: S,
        odds: &mut Odds,
    ) -> Result<(Move, Share), CodecError> {
        let value = self.range.value();
        self.game.odds::<S, MAX>(sliders, odds);
        match odds
            .find(value)
            .and_then(|(name, share)| Some((self.game.named(name)?, share)))
        {
            Some(found) => Ok(found),
            None => Err(self.no_move(value)),
        }
    }

    /// Every move takes a 64th of a bit or more, so the bytes are used up at some time.
    #[inline(always)]
    fn step<S: Sliders, const MAX: bool>(
        &mut self,
        sliders: S,
        odds: &Odds,
        m: Move,
        share: Share,
    ) -> Result<(), CodecError> {
        let mut range = self.range;
        range.take(share);
        if range.is_past_end() {
            let fault = MoveFault::Truncated { needed: 8, left: 0 };
            return Err(fault.at(self.level.codec(), self.ply));
        }
        self.range = range;
        self.game.play::<S, MAX>(sliders, odds, m);
        self.ply += 1;
        Ok(())
    }

    #[cold]
    fn no_move(&self, value: u64) -> CodecError {
        let found = u32::try_from(value).unwrap_or(u32::MAX);
        MoveFault::NoMove { found }.at(self.level.codec(), self.ply)
    }
}

/// Encodes a game at once, appends it to `out` and tells how many bytes it has.
///
/// # Errors
/// [`CodecError::Move`] at the first move that is not legal; nothing is written then.
pub fn encode_game(
    level: Level,
    start: &Position,
    moves: impl IntoIterator<Item = Move>,
    out: &mut Vec<u8>,
) -> Result<usize, CodecError> {
    struct Encode<'a, I, const MAX: bool> {
        game: Writing<'a>,
        moves: I,
    }

    impl<I: Iterator<Item = Move>, const MAX: bool> Job for Encode<'_, I, MAX> {
        type Output = Result<usize, CodecError>;

        #[inline(always)]
        fn run<S: Sliders>(self, sliders: S) -> Self::Output {
            let mut game = self.game;
            let mut odds = Odds::new();
            for m in self.moves {
                game.push::<S, MAX>(sliders, &mut odds, m)?;
            }
            Ok(game.range.finish())
        }
    }

    let before = out.len();
    let game = Writing::new(level, start, out);
    let moves = moves.into_iter();
    let done = match level {
        Level::Usual => attacks::dispatch_wide(Encode::<_, false> { game, moves }),
        Level::Max => attacks::dispatch_wide(Encode::<_, true> { game, moves }),
    };
    if done.is_err() {
        out.truncate(before);
    }
    done
}

/// Plays through a game: calls `visit` with every move and the position *before* it, and returns
/// the position after the last one, and how many moves were read. The visitor may stop early. What
/// is read is always legal.
///
/// # Errors
/// Those of [`Decoder`].
pub fn replay(
    level: Level,
    start: &Position,
    plies: Plies,
    bytes: &[u8],
    visit: impl FnMut(&Position, Move) -> ControlFlow<()>,
) -> Result<(Position, usize), CodecError> {
    struct Replay<'a, V, const MAX: bool> {
        game: Reading<'a>,
        visit: V,
    }

    impl<V: FnMut(&Position, Move) -> ControlFlow<()>, const MAX: bool> Job for Replay<'_, V, MAX> {
        type Output = Result<(Position, usize), CodecError>;

        #[inline(always)]
        fn run<S: Sliders>(self, sliders: S) -> Self::Output {
            let Replay {
                mut game,
                mut visit,
            } = self;
            let mut odds = Odds::new();
            while !game.is_over()? {
                let (m, share) = game.read::<S, MAX>(sliders, &mut odds)?;
                if visit(game.game.position(), m).is_break() {
                    break;
                }
                game.step::<S, MAX>(sliders, &odds, m, share)?;
            }
            Ok((*game.game.position(), game.ply))
        }
    }

    let game = Reading::new(level, start, plies, bytes);
    match level {
        Level::Usual => attacks::dispatch_wide(Replay::<_, false> { game, visit }),
        Level::Max => attacks::dispatch_wide(Replay::<_, true> { game, visit }),
    }
}

/// How little each move of a game was expected.
///
/// # Errors
/// [`CodecError::Move`] at the first move that is not legal.
pub fn surprises(
    level: Level,
    start: &Position,
    moves: impl IntoIterator<Item = Move>,
) -> Result<Vec<Surprise>, CodecError> {
    let mut bytes = Vec::new();
    let mut game = Encoder::new(level, start, &mut bytes);
    moves.into_iter().map(|m| game.push(m)).collect()
}
