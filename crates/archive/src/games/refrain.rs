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
    /// Whether there are two parts, and a clock between them.
    is_clock: bool,
}

/// A text, and what follows it.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    text: [u8; LONGEST],
    length: usize,
    /// The first letters as a word, and their bits in it.
    head: u64,
    mask: u64,
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

/// A refrain with longer texts is not looked for when games are read.
const LONGEST_READ: usize = 8;

impl Refrain {
    /// The refrain of a game of so many moves, if these are the notes of one: none before the first
    /// move, and after every move the same comment, but for the last, which may have any notes. Also the
    /// notes that follow.
    pub(crate) fn of(notes: &[u8], plies: usize) -> Option<(Refrain, &[u8])> {
        let rest = &mut &*notes;
        if varint::take(rest)? != 1 || plies.checked_sub(varint::take(rest)?)? > 1 {
            return None;
        }
        let (&op, after) = rest.split_first()?;
        *rest = after;
        if Op::from_byte(op)? != Op::Comment {
            return None;
        }
        let length = varint::take(rest)?;
        let text = varint::take_bytes(rest, length)?;
        let after = rest.strip_prefix(&[Op::End as u8])?;
        if text.contains(&b'\n') {
            return None;
        }
        Some((Refrain::of_text(&[b"{", text, b"} "].concat())?, after))
    }

    /// A text with the marks of clocks and evaluations. `None` if it is too long or has too many of them.
    fn of_text(text: &[u8]) -> Option<Refrain> {
        let mut refrain = Refrain {
            parts: [Part::default(); 3],
            count: 0,
            is_clock: false,
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
            place.head = u64::from_le_bytes(*place.text.first_chunk()?);
            let others = LONGEST_READ.saturating_sub(text.len());
            place.mask = u64::MAX.unbounded_shr(u32::try_from(8 * others).ok()?);
            refrain.count += 1;
        }
        let thens = refrain.parts.map(|part| part.then);
        refrain.is_clock = refrain.count == 2 && matches!(thens, [Value::Clock, Value::Nothing, _]);
        Some(refrain)
    }

    /// The refrain of the notes of a slot, if they are one comment: its text and the brace after it.
    pub(crate) fn of_note(notes: &[u8]) -> Option<Refrain> {
        let rest = &mut notes.strip_prefix(&[Op::Comment as u8])?;
        if varint::take(rest)? != rest.len() {
            return None;
        }
        let refrain = Refrain::of_text(&[*rest, b"}"].concat())?;
        let is_short = refrain.parts.iter().all(|part| part.length <= LONGEST_READ);
        is_short.then_some(refrain)
    }

    /// Reads what may be this with other values at the start of a text, and appends its values to the
    /// lists. The length without the brace; `None` if it is not this, or written in an unusual way, or
    /// the text is hardly longer: then nothing is changed.
    #[inline(always)]
    pub(crate) fn read(
        &self,
        text: &[u8],
        clocks: &mut Vec<i32>,
        evals: &mut Vec<i32>,
    ) -> Option<usize> {
        let (clock_count, eval_count) = (clocks.len(), evals.len());
        let length = self.read_values(text, clocks, evals);
        if length.is_none() {
            clocks.truncate(clock_count);
            evals.truncate(eval_count);
        }
        length
    }

    #[inline(always)]
    fn read_values(
        &self,
        text: &[u8],
        clocks: &mut Vec<i32>,
        evals: &mut Vec<i32>,
    ) -> Option<usize> {
        let word = |rest: &[u8]| rest.first_chunk().map(|word| u64::from_le_bytes(*word));
        let mut rest = text;
        for part in self.parts.iter().take(self.count) {
            if (word(rest)? ^ part.head) & part.mask != 0 {
                return None;
            }
            rest = rest.get(part.length..)?;
            let length = match part.then {
                Value::Nothing => 0,
                Value::Clock => {
                    clocks.push(notes::usual_clock(word(rest)?)?);
                    notes::USUAL_CLOCK
                }
                Value::Eval => {
                    let (eval, length) = notes::eval(rest)?;
                    evals.push(eval);
                    length
                }
            };
            rest = rest.get(length..)?;
        }
        Some(text.len() - rest.len() - 1)
    }
}

/// A refrain that is being written, with the clocks and evaluations that are left.
pub(crate) struct Refrains<'a, 'n> {
    pub(crate) refrain: Refrain,
    pub(crate) clocks: &'a mut Clocks<'n>,
    pub(crate) evals: &'a mut &'n [i32],
    pub(crate) numbers_black: bool,
    pub(crate) short_evals: bool,
    /// How often it has been written.
    pub(crate) count: usize,
    /// A clock or an evaluation was missing.
    pub(crate) is_bad: bool,
}

impl Refrains<'_, '_> {
    /// What nearly all refrains are: a clock between two texts.
    #[inline(always)]
    fn put_clock(&mut self, out: &mut Room<'_>) -> Option<()> {
        let [before, after, _] = &self.refrain.parts;
        let clock = self.clocks.next()?;
        let seconds = clock.unsigned_abs();
        if seconds < notes::TEN_HOURS {
            let letters = (notes::clock_letters(seconds), notes::USUAL_CLOCK);
            out.put_three(
                (&before.text, before.length),
                letters,
                (&after.text, after.length),
            );
        } else {
            out.put_some(&before.text, before.length);
            notes::put_clock(out, clock);
            out.put_some(&after.text, after.length);
        }
        Some(())
    }

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
                    notes::put_eval(out, eval, self.short_evals);
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
        let put = match self.refrain.is_clock {
            true => self.put_clock(out),
            false => self.put_values(out),
        };
        self.is_bad |= put.is_none();
        self.count += 1;
    }

    #[inline(always)]
    fn numbers_black(&self) -> bool {
        self.numbers_black
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Random;

    /// The slow twin looks for clocks and evaluations in every comment anew.
    #[test]
    fn a_comment_like_the_last_is_read_like_any() {
        const BITS: [&str; 12] = [
            " ",
            "[%clk ",
            "[%eval ",
            "0:03:00",
            "1:59:07",
            "12:00:00",
            "0.2",
            "-0.17",
            "#3",
            "]",
            "[%clk 1:00]",
            "text",
        ];
        let mut random = Random::new(3);
        let random_text = |random: &mut Random| -> String {
            let usual = [
                "[%clk 0:03:00] ",
                " [%eval 0.2] [%clk 0:00:59]",
                "[%eval #-3]",
            ];
            let mut parts: Vec<&str> = (0..random.below(3))
                .map(|_| BITS[random.below(12)])
                .collect();
            parts.push(usual[random.below(3)]);
            parts.concat()
        };
        let mut reads = 0;
        for _ in 0..20_000 {
            let first = random_text(&mut random);
            let second = match random.below(3) {
                0 => first.replace('3', "5"),
                1 => first.replace("59", "01").replace("0.2", "-1.35"),
                _ => random_text(&mut random),
            };
            let (mut note, mut lists) = (Vec::new(), [Vec::new(), Vec::new()]);
            let [clocks, evals] = &mut lists;
            notes::put_comment(first.as_bytes(), &mut note, clocks, evals);
            let Some(refrain) = Refrain::of_note(&note) else {
                continue;
            };
            let (mut expected, mut expected_lists) = (Vec::new(), lists.clone());
            let [clocks, evals] = &mut expected_lists;
            notes::put_comment(second.as_bytes(), &mut expected, clocks, evals);
            let before = lists.clone();
            let [clocks, evals] = &mut lists;
            let text = format!("{second}}} 2. Nf3 Nc6");
            if let Some(length) = refrain.read(text.as_bytes(), clocks, evals) {
                assert_eq!(length, second.len());
                assert_eq!(
                    (&note, &lists),
                    (&expected, &expected_lists),
                    "{first}|{second}"
                );
                reads += 1;
            } else {
                assert_eq!(lists, before);
                // Clocks of ten hours and more are left to others.
                let is_unusual = second.contains("12:00:00");
                assert!(is_unusual || note != expected, "{first}|{second}");
            }
        }
        assert!(reads > 5_000, "{reads}");
    }
}
