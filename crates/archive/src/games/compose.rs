//! Writes the text of a game in a layout: `FORMAT.md`, §2.8.

use std::ops::ControlFlow;

use chess::{Color, Move, Position};
use pgn::Outcome;

use super::layout::{BlackNumber, Layout, Unit};
use super::notes::{self, CLOCK, Clocks, EVAL, Op, Slots};
use super::plain_moves::{self, PlainMoves};
use super::refrain::{Refrain, Refrains};
use super::typesetter::Typesetter;
use super::varint;

/// What is stored of a game, tags and moves apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Movetext<'a> {
    pub(crate) start: &'a Position,
    pub(crate) notes: &'a [u8],
    pub(crate) clocks: &'a [i32],
    pub(crate) evals: &'a [i32],
    pub(crate) outcome: Option<Outcome>,
}

/// Why a game could not be written: its notes are no notes, or its moves no moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BadNotes;

/// Writes the movetext of a game and the empty lines after it. It is told the moves one by one, by
/// whoever decodes them: a game is played once to be written.
pub(crate) struct Composer<'a, 'b> {
    layout: &'a Layout,
    set: Typesetter<'b>,
    slots: Slots<'a>,
    /// After the last move. Only kept if there are variations, as the next.
    position: Position,
    /// Before the last move, where a variation begins.
    before: Position,
    /// Black's next move needs a number.
    interrupted: bool,
    /// A parenthesis has just been opened.
    opens: bool,
    has_moved: bool,
    stack: Vec<(Position, Position)>,
    clocks: Clocks<'a>,
    evals: &'a [i32],
    outcome: Option<Outcome>,
    /// The result has been written.
    is_over: bool,
    has_variations: bool,
    notes: &'a [u8],
    /// As far as layout and start go, the short way will do.
    is_plain: bool,
    is_bad: bool,
}

impl<'a, 'b> Composer<'a, 'b> {
    pub(crate) fn new(
        game: &Movetext<'a>,
        layout: &'a Layout,
        out: &'b mut Vec<u8>,
    ) -> Composer<'a, 'b> {
        Composer {
            layout,
            set: Typesetter::new(layout, out),
            slots: Slots::new(game.notes),
            position: *game.start,
            before: *game.start,
            interrupted: true,
            opens: false,
            has_moved: false,
            stack: Vec::new(),
            clocks: Clocks::new(game.clocks),
            evals: game.evals,
            outcome: game.outcome,
            is_over: false,
            has_variations: memchr::memchr(Op::Open as u8, game.notes).is_some(),
            notes: game.notes,
            is_plain: plain_moves::suit(layout, game.start),
            is_bad: false,
        }
    }

    /// Whether [`Composer::plain_moves`] can write all moves.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain && self.notes.is_empty()
    }

    /// The short way for games in which nothing stands between the moves: `write` is to write all of
    /// them.
    #[inline(always)]
    pub(crate) fn plain_moves<T>(&mut self, write: impl FnOnce(&mut PlainMoves<'_, ()>) -> T) -> T {
        let mut moves = PlainMoves::new(self.layout, (), self.set.out());
        let result = write(&mut moves);
        moves.finish();
        self.end_plain_moves();
        result
    }

    /// Fills the lines of what the short way has written.
    fn end_plain_moves(&mut self) {
        let has_text = self.set.fold_line(self.stays());
        self.has_moved = has_text;
        self.interrupted = !has_text;
    }

    /// The comment that stands after each of so many moves, if [`Composer::moves_with`] can write it.
    pub(crate) fn refrain(&self, plies: usize) -> Option<(Refrain, &'a [u8])> {
        // Variations want the positions, which the short way does not keep.
        let is_simple = self.is_plain && !self.has_variations;
        if !is_simple || self.layout.width != 0 || self.notes.is_empty() {
            return None;
        }
        let (refrain, after) = Refrain::of(self.notes, plies)?;
        let (clocks, evals) = refrain.values();
        let will_do = |values: usize, each: usize| {
            let times = values.checked_div(each);
            times.is_none_or(|times| times + 1 >= plies)
        };
        let is_enough = will_do(self.clocks.len(), clocks) && will_do(self.evals.len(), evals);
        is_enough.then_some((refrain, after))
    }

    /// The short way for games with a refrain: `write` is to write all of so many moves. The refrain of the
    /// last is left to [`Composer::finish`].
    #[inline(always)]
    pub(crate) fn moves_with<T>(
        &mut self,
        plies: usize,
        (refrain, after): (Refrain, &'a [u8]),
        write: impl FnOnce(&mut PlainMoves<'_, Refrains<'_, 'a>>) -> T,
    ) -> T {
        let refrains = Refrains {
            refrain,
            clocks: &mut self.clocks,
            evals: &mut self.evals,
            numbers_black: self.layout.black_number == BlackNumber::AfterInterruption,
            short_evals: self.layout.short_evals,
        };
        let mut moves = PlainMoves::new(self.layout, refrains, self.set.out());
        let result = write(&mut moves);
        moves.finish();
        self.slots.pass_run(plies.saturating_sub(1), after);
        self.end_plain_moves();
        result
    }

    /// Whether a number stays on the line of its move, though there is a space between them.
    #[inline(always)]
    fn stays(&self) -> bool {
        matches!(self.layout.unit, Unit::Move | Unit::MoveAndComment)
    }

    /// Writes the next move of the main line, which is legal in the position before it. Not to be
    /// compiled into every loop there is.
    #[inline(never)]
    pub(crate) fn step(&mut self, before: &Position, m: Move) -> ControlFlow<()> {
        if self.settle(before).is_err() {
            self.is_bad = true;
            return ControlFlow::Break(());
        }
        self.begin_move(before);
        self.set.append_letters(before.san_letters(m));
        ControlFlow::Continue(())
    }

    /// Ends the game.
    ///
    /// # Errors
    /// [`BadNotes`], with part of the text written.
    pub(crate) fn finish(mut self, end: &Position) -> Result<(), BadNotes> {
        if self.is_bad {
            return Err(BadNotes);
        }
        self.settle(end)?;
        let is_used_up = self.evals.is_empty() && self.clocks.len() == 0;
        if !self.slots.is_done() || !self.stack.is_empty() || !is_used_up {
            return Err(BadNotes);
        }
        if !self.is_over {
            self.result();
        }
        if self.layout.space_at_end {
            self.set.append(b" ");
        }
        self.set.end_line();
        for _ in 0..self.layout.blank_after_game {
            self.set.blank();
        }
        Ok(())
    }

    /// Writes what follows the last move of the main line: the sign for check, which only the
    /// position after it tells, and the notes.
    #[inline(always)]
    fn settle(&mut self, after: &Position) -> Result<(), BadNotes> {
        let is_first = !self.has_moved;
        if !is_first {
            self.sign(after);
        }
        if self.has_variations {
            self.before = self.position;
            self.position = *after;
        }
        match self.slots.next_slot() {
            None => Ok(()),
            Some(notes) => self.slot(notes, is_first),
        }
    }

    #[inline(always)]
    fn sign(&mut self, after: &Position) {
        if after.is_check()
            && let Some(sign) = self.layout.check_signs.sign_in(*after)
        {
            self.set.append(&[sign]);
        }
    }

    /// Begins a word, right after a parenthesis if one has just been opened.
    #[inline(always)]
    fn begin(&mut self) {
        if !self.opens || self.layout.variation_padding {
            self.set.begin_word(1);
        }
        self.opens = false;
    }

    #[inline(always)]
    fn begin_move(&mut self, before: &Position) {
        let is_white = before.turn() == Color::White;
        self.begin();
        if self.layout.numbers && (is_white || self.interrupted) {
            self.set.append_number(before.fullmoves(), is_white);
            if self.layout.number_gap {
                let stays = self.stays();
                self.set.glue(stays);
                self.set.begin_word(1);
            }
        }
        self.interrupted = false;
        self.has_moved = true;
    }

    fn play_in_variation(&mut self, m: Move) {
        let before = self.position;
        self.begin_move(&before);
        self.set.append_letters(before.san_letters(m));
        self.before = before;
        self.position.play_unchecked(m);
        let after = self.position;
        self.sign(&after);
    }

    fn null_move(&mut self) -> Result<(), BadNotes> {
        let mut setup = self.position.to_setup();
        setup.turn = !setup.turn;
        setup.ep_square = None;
        setup.halfmoves = setup.halfmoves.saturating_add(1);
        if setup.turn == Color::White {
            setup.fullmoves = setup.fullmoves.saturating_add(1);
        }
        let next = Position::try_from(setup).map_err(|_| BadNotes)?;
        let before = self.position;
        self.begin_move(&before);
        self.set.append(b"--");
        self.before = before;
        self.position = next;
        Ok(())
    }

    /// Writes the notes of a slot.
    fn slot(&mut self, notes: &'a [u8], is_first: bool) -> Result<(), BadNotes> {
        let mut rest = notes;
        while self.note(&mut rest, is_first).ok_or(BadNotes)? {}
        self.slots.passed(rest);
        if self.stack.is_empty() {
            Ok(())
        } else {
            Err(BadNotes)
        }
    }

    /// Writes one note. `Some(false)` at the end of the slot, `None` if it is no note.
    fn note(&mut self, rest: &mut &[u8], is_first: bool) -> Option<bool> {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        let op = Op::from_byte(byte)?;
        match op {
            Op::End => return Some(false),
            Op::Comment | Op::Verbatim => {
                let length = varint::take(rest)?;
                let text = varint::take_bytes(rest, length)?;
                self.comment(text, op == Op::Comment)?;
                if is_first && self.stack.is_empty() && self.layout.first_comment_line {
                    self.set.end_line();
                }
                self.interrupted |= self.layout.black_number == BlackNumber::AfterInterruption;
            }
            Op::LineComment => {
                let length = varint::take(rest)?;
                let text = varint::take_bytes(rest, length)?;
                self.begin();
                self.set.append(b";");
                self.set.append(text);
                self.set.end_line();
                self.interrupted |= self.layout.black_number == BlackNumber::AfterInterruption;
            }
            Op::Nag => {
                if self.layout.unit == Unit::MoveAndComment {
                    self.set.glue(true);
                }
                self.begin();
                self.set.append(b"$");
                let number = u32::try_from(varint::take(rest)?).ok()?;
                notes::put_number(self.set.out(), number);
            }
            Op::Suffix => {
                const SUFFIXES: [&[u8]; 7] = [b"", b"!", b"?", b"!!", b"??", b"!?", b"?!"];
                self.set.append(SUFFIXES.get(varint::take(rest)?)?);
            }
            Op::Open => {
                if !self.has_moved || self.stack.len() > 1024 {
                    return None;
                }
                self.stack.push((self.position, self.before));
                self.position = self.before;
                self.has_moved = false;
                self.interrupted = true;
                // A variation that begins with a variation cannot be: `has_moved` is false.
                self.opens = false;
                self.set.word(b"(");
                self.opens = true;
            }
            Op::Close => {
                (self.position, self.before) = self.stack.pop()?;
                if self.layout.variation_padding && !self.opens {
                    self.set.word(b")");
                } else {
                    self.set.append(b")");
                }
                self.opens = false;
                self.has_moved = true;
                self.interrupted |= self.layout.black_number != BlackNumber::Never;
            }
            Op::Move => {
                if self.stack.is_empty() {
                    return None;
                }
                let bytes = varint::take_bytes(rest, 2)?;
                let word = u16::from_le_bytes(bytes.try_into().ok()?);
                if word == 0 {
                    self.null_move().ok()?;
                } else {
                    let m = Move::from_word(word)?;
                    if !self.position.is_legal(m) {
                        return None;
                    }
                    self.play_in_variation(m);
                }
            }
            Op::Outcome => {
                let outcome = Outcome::ALL.get(varint::take(rest)?)?;
                self.begin();
                self.set.append(outcome.as_str().as_bytes());
            }
            Op::Result => {
                if !self.stack.is_empty() || self.is_over {
                    return None;
                }
                self.result();
            }
        }
        Some(true)
    }

    fn comment(&mut self, text: &[u8], has_values: bool) -> Option<()> {
        if self.layout.breaks_comments() {
            let mut whole = Vec::with_capacity(text.len() + 24);
            whole.push(b'{');
            self.values(text, has_values, &mut whole)?;
            whole.push(b'}');
            let follows = self.opens && !self.layout.variation_padding;
            self.opens = false;
            self.set.words(&whole, follows);
            return Some(());
        }
        if self.layout.unit == Unit::MoveAndComment {
            self.set.glue(true);
        }
        self.begin();
        self.set.append(b"{");
        let mut out = std::mem::take(self.set.out());
        let done = self.values(text, has_values, &mut out);
        *self.set.out() = out;
        done?;
        self.set.append(b"}");
        if memchr::memchr(b'\n', text).is_some() {
            self.set.close_text();
        }
        Some(())
    }

    /// Appends the text of a comment, with its clocks and evaluations.
    fn values(&mut self, text: &[u8], has_values: bool, out: &mut Vec<u8>) -> Option<()> {
        let mut text = text;
        while let Some(at) = memchr::memchr2(CLOCK, EVAL, text).filter(|_| has_values) {
            let (before, rest) = text.split_at_checked(at)?;
            out.extend_from_slice(before);
            let (&mark, rest) = rest.split_first()?;
            text = rest;
            if mark == CLOCK {
                notes::put_clock(out, self.clocks.next()?);
            } else {
                let (&eval, evals) = self.evals.split_first()?;
                self.evals = evals;
                notes::put_eval(out, eval, self.layout.short_evals);
            }
        }
        out.extend_from_slice(text);
        Some(())
    }

    fn result(&mut self) {
        self.is_over = true;
        if let Some(outcome) = self.outcome {
            if self.layout.outcome_line {
                self.set.end_line();
            }
            self.set.begin_word(usize::from(self.layout.outcome_gap));
            self.set.append(outcome.as_str().as_bytes());
        }
    }
}
