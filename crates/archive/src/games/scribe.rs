//! Moves to bytes while they are read.

use chess::{Move, Position, ReadMove};
use codec::{CodecName, MoveCodec, MoveIndex};

use super::home_squares::HomeSquares;

/// Takes down the moves of a game as they are read: as bytes in the codec `index`, whose moves are whole
/// bytes, as whoever reads a game has its positions anyway. To encode the game afterwards would be to
/// play it once more. For other codecs it keeps the moves.
#[derive(Debug, Default)]
pub(crate) struct Scribe {
    /// Whether the archive is to have this codec.
    is_wanted: bool,
    /// What the codec remembers of the moves so far. `None` if the game is not written in it.
    memory: Option<Memory>,
    bytes: Vec<u8>,
    moves: Vec<Move>,
    home: HomeSquares,
    plies: usize,
}

/// All moves of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Taken<'a> {
    /// In the codec `index`.
    Bytes(&'a [u8]),
    /// Still to be encoded.
    Moves(&'a [Move]),
}

type Memory = <MoveIndex as MoveCodec>::Memory;

impl Scribe {
    pub(crate) fn new(codec: CodecName) -> Scribe {
        Scribe {
            is_wanted: codec == CodecName::Index,
            ..Scribe::default()
        }
    }

    /// The next game. Where it starts is not known yet.
    pub(crate) fn reset(&mut self) {
        self.memory = None;
        self.bytes.clear();
        self.moves.clear();
        self.home = HomeSquares::default();
        self.plies = 0;
    }

    /// The game starts from a position.
    pub(crate) fn begin(&mut self, start: &Position) {
        self.memory = MoveIndex.begin(start).ok().filter(|_| self.is_wanted);
    }

    /// What has been taken down.
    pub(crate) fn taken(&self) -> Taken<'_> {
        match self.memory {
            Some(_) => Taken::Bytes(&self.bytes),
            None => Taken::Moves(&self.moves),
        }
    }

    /// How many moves it is.
    pub(crate) const fn plies(&self) -> usize {
        self.plies
    }

    /// The home squares that they touched.
    pub(crate) const fn home(&self) -> HomeSquares {
        self.home
    }

    /// Takes down the next move, which is legal.
    #[inline(always)]
    pub(crate) fn put(&mut self, before: &Position, read: ReadMove) {
        self.plies += 1;
        self.home.touch(read);
        // Where it is: it seldom changes, and need not be written with every move.
        let Some(memory) = &mut self.memory else {
            self.moves.push(read.to_move());
            return;
        };
        let bits = MoveIndex.encode_read(memory, before, read);
        let [.., high, low] = bits.value().to_be_bytes();
        if bits.len() > 8 {
            self.bytes.push(high);
        }
        self.bytes.push(low);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Square, Step};
    use testkit::{GameKind, Random, random_game};

    /// The slow twin asks the boards: who stands where somebody stood at first, and came back, has left.
    fn home_left(game: &testkit::Game) -> u32 {
        let homes = (0..16).chain(48..64).map(|bit| Square::ALL[bit]);
        let mut left = 0;
        for (bit, home) in homes.enumerate() {
            game.walk(|before, m| {
                let mut after = *before;
                after.play_unchecked(m);
                let is_left = before.board().piece_at(home) != after.board().piece_at(home);
                // The rook of Chess960 may castle onto the square of its king, and the king onto its own.
                left |= u32::from(is_left || m.from() == home || m.to() == home) << bit;
            });
        }
        left
    }

    #[test]
    fn bytes_are_those_of_the_whole_game() {
        let mut scribe = Scribe::new(CodecName::Index);
        let mut other = Scribe::new(CodecName::Packed);
        let (mut unwritten, mut random) = (0, Random::new(7));
        for kind in GameKind::ALL {
            for seed in 0..40 {
                let game = random_game(kind, seed, 300);
                scribe.reset();
                scribe.begin(&game.start);
                other.reset();
                other.begin(&game.start);
                game.walk(|before, m| {
                    // Half of them as steps, half as moves of which no more is known.
                    let read = Step::of(before, m).map_or(ReadMove::Other(m), |step| {
                        let board = before.board();
                        let men = board.by_role(step.role) & board.by_color(before.turn());
                        ReadMove::Step(step, men)
                    });
                    let is_told = random.below(2) > 0;
                    let read = if is_told { read } else { ReadMove::Other(m) };
                    scribe.put(before, read);
                    other.put(before, read);
                });
                let mut bytes = Vec::new();
                let moves = game.moves.iter().copied();
                let encoded = CodecName::Index.encode(&game.start, moves, &mut bytes);
                let expected = match encoded.is_ok() {
                    true => Taken::Bytes(&bytes),
                    false => Taken::Moves(&game.moves),
                };
                assert_eq!(scribe.taken(), expected, "{kind:?} {seed}");
                unwritten += usize::from(encoded.is_err());
                assert_eq!(other.taken(), Taken::Moves(&game.moves));
                assert_eq!(
                    (scribe.plies(), other.plies()),
                    (game.moves.len(), game.moves.len())
                );
                assert_eq!(scribe.home().left(), home_left(&game), "{kind:?} {seed}");
            }
        }
        assert!(unwritten > 0, "Chess960 has no bytes in this codec");
    }
}
