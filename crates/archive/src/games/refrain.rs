//! The note that follows every move of a game: clocks, evaluations, both.

use super::notes::{self, CLOCK, Clocks, EVAL, Op};
use super::plain_moves::After;
use super::room::Strip;
use super::varint;

/// A comment that follows every move, with a clock or an evaluation of the move in it. Texts are short,
/// so that each is copied as so many bytes as the compiler knows of, without a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refrain {
    parts: [Part; 3],
    count: usize,
    form: Form,
}

/// What nearly all refrains are has a short way of its own.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// A clock between two texts.
    Clock,
    /// Three texts with an evaluation and a clock between them.
    EvalAndClock,
    Other,
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

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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
        Some((Refrain::of_text(b"{", text, b"} ")?, after))
    }

    /// A text with the marks of clocks and evaluations, and what stands before and after it. `None` if it
    /// is too long or has too many of them.
    fn of_text(before: &[u8], text: &[u8], after: &[u8]) -> Option<Refrain> {
        let mut refrain = Refrain {
            parts: [Part::default(); 3],
            count: 1,
            form: Form::Other,
        };
        let mut rest = text;
        refrain.parts[0].add(before)?;
        loop {
            let end = memchr::memchr2(CLOCK, EVAL, rest).unwrap_or(rest.len());
            let (own, more) = rest.split_at_checked(end)?;
            let part = refrain.parts.get_mut(refrain.count - 1)?;
            part.add(own)?;
            let Some((&mark, more)) = more.split_first() else {
                part.add(after)?;
                break;
            };
            part.then = match mark {
                CLOCK => Value::Clock,
                _ => Value::Eval,
            };
            refrain.count += 1;
            rest = more;
        }
        for part in &mut refrain.parts {
            part.head = u64::from_le_bytes(*part.text.first_chunk()?);
            let others = LONGEST_READ.saturating_sub(part.length);
            part.mask = u64::MAX.unbounded_shr(u32::try_from(8 * others).ok()?);
        }
        refrain.form = match refrain.parts.map(|part| part.then) {
            [Value::Clock, Value::Nothing, _] => Form::Clock,
            [Value::Eval, Value::Clock, Value::Nothing] => Form::EvalAndClock,
            _ => Form::Other,
        };
        Some(refrain)
    }

    /// The refrain of the notes of a slot, if they are one comment: its text and the brace after it.
    pub(crate) fn of_note(notes: &[u8]) -> Option<Refrain> {
        let rest = &mut notes.strip_prefix(&[Op::Comment as u8])?;
        if varint::take(rest)? != rest.len() {
            return None;
        }
        let refrain = Refrain::of_text(b"", rest, b"}")?;
        let is_short = refrain.parts.iter().all(|part| part.length <= LONGEST_READ);
        is_short.then_some(refrain)
    }

    /// How many clocks it has, and evaluations.
    pub(crate) fn values(&self) -> (usize, usize) {
        let count = |then| self.parts.iter().filter(|part| part.then == then).count();
        (count(Value::Clock), count(Value::Eval))
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
        let text: &[u8; WINDOW] = text.first_chunk()?;
        let [first, second, third] = &self.parts;
        let end = match self.form {
            Form::Clock => {
                let at = first.pass(text, 0)?;
                let clock = notes::usual_clock(word(text, at)?)?;
                let end = second.pass(text, at + notes::USUAL_CLOCK)?;
                clocks.push(clock);
                end
            }
            Form::EvalAndClock => {
                let (eval, at) = read_eval(text, first.pass(text, 0)?)?;
                let at = second.pass(text, at)?;
                let clock = notes::usual_clock(word(text, at)?)?;
                let end = third.pass(text, at + notes::USUAL_CLOCK)?;
                evals.push(eval);
                clocks.push(clock);
                end
            }
            Form::Other => {
                let (clock_count, eval_count) = (clocks.len(), evals.len());
                self.read_parts(text, clocks, evals).or_else(|| {
                    clocks.truncate(clock_count);
                    evals.truncate(eval_count);
                    None
                })?
            }
        };
        Some(end - 1)
    }

    /// Reads any form, part by part. The length with the brace.
    fn read_parts(
        &self,
        text: &[u8; WINDOW],
        clocks: &mut Vec<i32>,
        evals: &mut Vec<i32>,
    ) -> Option<usize> {
        let mut at = 0;
        for part in self.parts.iter().take(self.count) {
            at = part.pass(text, at)?;
            match part.then {
                Value::Nothing => {}
                Value::Clock => {
                    clocks.push(notes::usual_clock(word(text, at)?)?);
                    at += notes::USUAL_CLOCK;
                }
                Value::Eval => {
                    let (eval, end) = read_eval(text, at)?;
                    evals.push(eval);
                    at = end;
                }
            }
        }
        Some(at)
    }
}

/// A refrain that is read takes three texts of eight letters and two values at most.
const WINDOW: usize = 64;

/// Eight letters from here on.
#[inline(always)]
fn word(text: &[u8; WINDOW], at: usize) -> Option<u64> {
    let letters = text.get(at..)?.first_chunk()?;
    Some(u64::from_le_bytes(*letters))
}

/// An evaluation, and where it ends.
#[inline(always)]
fn read_eval(text: &[u8; WINDOW], at: usize) -> Option<(i32, usize)> {
    let (eval, length) = match notes::usual_eval(word(text, at)?) {
        Some(usual) => usual,
        None => notes::eval(text.get(at..)?)?,
    };
    Some((eval, at + length))
}

impl Part {
    /// Adds to the text; `None` if it is too long.
    #[inline(always)]
    fn add(&mut self, more: &[u8]) -> Option<()> {
        let end = self.length + more.len();
        self.text.get_mut(self.length..end)?.copy_from_slice(more);
        self.length = end;
        Some(())
    }

    /// The end of this text, if it stands here; it has eight letters at most.
    #[inline(always)]
    fn pass(&self, text: &[u8; WINDOW], at: usize) -> Option<usize> {
        ((word(text, at)? ^ self.head) & self.mask == 0).then_some(at + self.length)
    }

    #[inline(always)]
    fn put(&self, out: &mut Strip<'_>) {
        out.put_some(&self.text, self.length);
    }
}

/// A refrain that is being written, with the clocks and evaluations that are left: enough of them.
pub(crate) struct Refrains<'a, 'n> {
    pub(crate) refrain: Refrain,
    pub(crate) clocks: &'a mut Clocks<'n>,
    pub(crate) evals: &'a mut &'n [i32],
    pub(crate) numbers_black: bool,
    pub(crate) short_evals: bool,
}

impl Refrains<'_, '_> {
    #[inline(always)]
    fn put_clock(&mut self, out: &mut Strip<'_>) {
        notes::put_clock(out, self.clocks.next().unwrap_or_default());
    }

    #[inline(always)]
    fn put_eval(&mut self, out: &mut Strip<'_>) {
        if let Some((&eval, rest)) = self.evals.split_first() {
            *self.evals = rest;
            notes::put_eval(out, eval, self.short_evals);
        }
    }

    #[inline(never)]
    fn put_parts(&mut self, out: &mut Strip<'_>) {
        let Refrain { parts, count, .. } = self.refrain;
        for part in parts.iter().take(count) {
            part.put(out);
            match part.then {
                Value::Nothing => {}
                Value::Clock => self.put_clock(out),
                Value::Eval => self.put_eval(out),
            }
        }
    }
}

impl After for Refrains<'_, '_> {
    const IS_SOMETHING: bool = true;

    #[inline(always)]
    fn put(&mut self, out: &mut Strip<'_>) {
        match self.refrain.form {
            Form::Clock => {
                self.refrain.parts[0].put(out);
                self.put_clock(out);
                self.refrain.parts[1].put(out);
            }
            Form::EvalAndClock => {
                self.refrain.parts[0].put(out);
                self.put_eval(out);
                self.refrain.parts[1].put(out);
                self.put_clock(out);
                self.refrain.parts[2].put(out);
            }
            Form::Other => self.put_parts(out),
        }
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
            let text =
                format!("{second}}} 2. Nf3 {{and so on, as long as any such comment may be}} Nc6");
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
