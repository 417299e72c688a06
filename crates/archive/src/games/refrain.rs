//! The note that follows every move of a game: clocks, evaluations, both.

use super::notes::{self, CLOCK, Clocks, EVAL, Op};
use super::plain_moves::After;
use super::room::Room;
use super::varint;

/// A comment that follows every move, with a clock or an evaluation of the move in it. Texts are short,
/// so that each is copied as so many bytes as the compiler knows of, without a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refrain {
    parts: [Part; 3],
    count: usize,
}

/// A text, and what follows it.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    text: [u8; LONGEST],
    length: usize,
    then: Value,
}

#[derive(Clone, Copy, Debug, Default)]
enum Value {
    #[default]
    Nothing,
    Clock,
    Eval,
}

const LONGEST: usize = 16;

impl Refrain {
    /// The refrain of a game of so many moves, if these are the notes of one: none before the first
    /// move, and after every move the same comment.
    pub(crate) fn of(notes: &[u8], plies: usize) -> Option<Refrain> {
        let rest = &mut &*notes;
        if varint::take(rest)? != 1 || varint::take(rest)? != plies {
            return None;
        }
        let (&op, after) = rest.split_first()?;
        *rest = after;
        if Op::from_byte(op)? != Op::Comment {
            return None;
        }
        let length = varint::take(rest)?;
        let text = varint::take_bytes(rest, length)?;
        if *rest != [Op::End as u8] || text.contains(&b'\n') {
            return None;
        }
        let text = [b" {", text, b"}"].concat();
        let mut refrain = Refrain {
            parts: [Part::default(); 3],
            count: 0,
        };
        for part in text.split_inclusive(|&byte| matches!(byte, CLOCK | EVAL)) {
            let (text, then) = match part.split_last()? {
                (&CLOCK, text) => (text, Value::Clock),
                (&EVAL, text) => (text, Value::Eval),
                _ => (part, Value::Nothing),
            };
            let place = refrain.parts.get_mut(refrain.count)?;
            place.text.get_mut(..text.len())?.copy_from_slice(text);
            (place.length, place.then) = (text.len(), then);
            refrain.count += 1;
        }
        Some(refrain)
    }
}

/// A refrain that is being written, with the clocks and evaluations that are left.
pub(crate) struct Refrains<'a, 'n> {
    pub(crate) refrain: Refrain,
    pub(crate) clocks: &'a mut Clocks<'n>,
    pub(crate) evals: &'a mut &'n [i32],
    pub(crate) numbers_black: bool,
    /// How often it has been written.
    pub(crate) count: usize,
    /// A clock or an evaluation was missing.
    pub(crate) is_bad: bool,
}

impl Refrains<'_, '_> {
    #[inline(always)]
    fn put_values(&mut self, out: &mut Room<'_>) -> Option<()> {
        for part in self.refrain.parts.iter().take(self.refrain.count) {
            out.put_some(&part.text, part.length);
            match part.then {
                Value::Nothing => {}
                Value::Clock => notes::put_clock(out, self.clocks.next()?),
                Value::Eval => {
                    let (&eval, rest) = self.evals.split_first()?;
                    *self.evals = rest;
                    notes::put_eval(out, eval);
                }
            }
        }
        Some(())
    }
}

impl After for Refrains<'_, '_> {
    const IS_SOMETHING: bool = true;

    #[inline(always)]
    fn put(&mut self, out: &mut Room<'_>) {
        self.is_bad |= self.put_values(out).is_none();
        self.count += 1;
    }

    #[inline(always)]
    fn numbers_black(&self) -> bool {
        self.numbers_black
    }
}
