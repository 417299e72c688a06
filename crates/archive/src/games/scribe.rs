//! Moves to bytes while they are read.

use chess::attacks::TwoStage;
use chess::{Move, Position, Role};
use codec::{CodecName, MoveCodec, MoveIndex};

/// Writes the moves of a game in the codec `index` as they are read: its moves are whole bytes, and
/// whoever reads a game has its positions anyway. To encode the game afterwards would be to play it
/// once more.
#[derive(Debug, Default)]
pub(crate) struct Scribe {
    /// Whether the archive is to have this codec.
    is_wanted: bool,
    state: State,
    bytes: Vec<u8>,
}

type Memory = <MoveIndex as MoveCodec>::Memory;

#[derive(Debug, Default)]
enum State {
    /// Before the first move.
    #[default]
    Ready,
    /// With what the codec remembers of the moves so far.
    Writing(Memory),
    /// Not in this codec, or a game that it cannot write.
    Idle,
}

impl Scribe {
    pub(crate) fn new(codec: CodecName) -> Scribe {
        Scribe {
            is_wanted: codec == CodecName::Index,
            ..Scribe::default()
        }
    }

    /// The next game.
    pub(crate) fn reset(&mut self) {
        self.state = State::Ready;
        self.bytes.clear();
    }

    /// The bytes of all moves, if they could be written.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        match self.state {
            State::Writing(_) => Some(&self.bytes),
            State::Ready | State::Idle => None,
        }
    }

    /// Writes the next move, of a man of this role, which is legal.
    #[inline(always)]
    pub(crate) fn put(&mut self, before: &Position, role: Role, m: Move) {
        match self.state {
            State::Writing(memory) => self.go_on(memory, before, role, m),
            State::Ready => self.begin(before, role, m),
            State::Idle => {}
        }
    }

    #[cold]
    #[inline(never)]
    fn begin(&mut self, start: &Position, role: Role, m: Move) {
        self.state = State::Idle;
        if let Ok(memory) = MoveIndex.begin(start)
            && self.is_wanted
        {
            self.go_on(memory, start, role, m);
        }
    }

    #[inline(always)]
    fn go_on(&mut self, memory: Memory, before: &Position, role: Role, m: Move) {
        let bits = MoveIndex.encode_man(memory, before, role, m);
        let [.., high, low] = bits.value().to_be_bytes();
        if bits.len() > 8 {
            self.bytes.push(high);
        }
        self.bytes.push(low);
        // No attacks are asked for, so any way to look them up will do.
        self.state = State::Writing(MoveIndex.follow(TwoStage, memory, before, m));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::{GameKind, random_game};

    #[test]
    fn bytes_are_those_of_the_whole_game() {
        let mut scribe = Scribe::new(CodecName::Index);
        let mut other = Scribe::new(CodecName::Packed);
        let mut unwritten = 0;
        for kind in GameKind::ALL {
            for seed in 0..40 {
                let game = random_game(kind, seed, 300);
                scribe.reset();
                other.reset();
                game.walk(|before, m| {
                    let role = before.board().role_at(m.from()).unwrap();
                    scribe.put(before, role, m);
                    other.put(before, role, m);
                });
                let mut bytes = Vec::new();
                let moves = game.moves.iter().copied();
                let encoded = CodecName::Index.encode(&game.start, moves, &mut bytes);
                let expected = (encoded.is_ok() && !bytes.is_empty()).then_some(&*bytes);
                assert_eq!(scribe.bytes(), expected, "{kind:?} {seed}");
                unwritten += usize::from(expected.is_none());
                assert_eq!(other.bytes(), None);
            }
        }
        assert!(unwritten > 0, "Chess960 has no bytes in this codec");
    }
}
