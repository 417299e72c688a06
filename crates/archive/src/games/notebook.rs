//! Notes as they are taken, slot by slot: `FORMAT.md`, §2.7.

use super::notes::{self, Op};
use super::refrain::Refrain;
use super::varint;

/// The notes of a game while it is read. Runs of equal slots are found as they come, and most slots
/// are like the one before, so that nothing is copied for them.
#[derive(Debug, Default)]
pub(crate) struct Notebook {
    /// The runs that are over, as they are stored.
    packed: Vec<u8>,
    /// The last run.
    run: Run,
    /// Empty slots after it.
    empty: usize,
    /// The notes of this slot so far.
    slot: Vec<u8>,
    /// This slot has the notes of the last run so far, which are not in `slot`.
    is_like_run: bool,
    pub(crate) clocks: Vec<i32>,
    pub(crate) evals: Vec<i32>,
}

/// Slots one after the other with the same notes.
#[derive(Debug, Default)]
struct Run {
    /// Empty slots before it.
    empty: usize,
    slots: usize,
    notes: Vec<u8>,
    /// The notes, if they are one comment that may come again with other values.
    refrain: Option<Refrain>,
}

impl Notebook {
    /// The next game.
    pub(crate) fn clear(&mut self) {
        self.packed.clear();
        self.run.slots = 0;
        self.empty = 0;
        self.slot.clear();
        self.is_like_run = false;
        self.clocks.clear();
        self.evals.clear();
    }

    /// All slots that have ended, as they are stored, when the game is over.
    pub(crate) fn packed(&self) -> &[u8] {
        &self.packed
    }

    /// The notes of this slot, to be appended to.
    pub(crate) fn slot(&mut self) -> &mut Vec<u8> {
        if self.is_like_run {
            self.is_like_run = false;
            self.slot.extend_from_slice(&self.run.notes);
        }
        &mut self.slot
    }

    /// Takes down a comment of the main line.
    pub(crate) fn put_comment(&mut self, bytes: &[u8]) {
        self.slot();
        notes::put_comment(bytes, &mut self.slot, &mut self.clocks, &mut self.evals);
    }

    /// Takes down a comment at the start of a text, if it is like the one after the last move but for its
    /// values, as most are. Its length, which its brace follows.
    #[inline(always)]
    pub(crate) fn repeat_comment(&mut self, text: &[u8]) -> Option<usize> {
        if self.run.slots == 0 || self.empty > 0 || self.is_like_run || !self.slot.is_empty() {
            return None;
        }
        let refrain = self.run.refrain.as_ref()?;
        let length = refrain.read(text, &mut self.clocks, &mut self.evals)?;
        self.is_like_run = true;
        Some(length)
    }

    /// A move of the main line ends the slot.
    #[inline(always)]
    pub(crate) fn end_slot(&mut self) {
        if self.is_like_run {
            self.is_like_run = false;
            self.run.slots += 1;
        } else if self.slot.is_empty() {
            self.empty += 1;
        } else {
            self.end_full_slot();
        }
    }

    #[inline(never)]
    fn end_full_slot(&mut self) {
        if self.empty == 0 && self.run.slots > 0 && self.slot == self.run.notes {
            self.run.slots += 1;
        } else {
            self.end_run();
            self.run.slots = 1;
            self.run.empty = std::mem::take(&mut self.empty);
            // Most games have the notes of the one before.
            if self.slot != self.run.notes {
                std::mem::swap(&mut self.run.notes, &mut self.slot);
                self.run.refrain = Refrain::of_note(&self.run.notes);
            }
        }
        self.slot.clear();
    }

    /// The end of the game ends the last slot.
    pub(crate) fn finish(&mut self) {
        self.end_slot();
        self.end_run();
    }

    fn end_run(&mut self) {
        if self.run.slots > 0 {
            varint::put(&mut self.packed, self.run.empty);
            varint::put(&mut self.packed, self.run.slots);
            self.packed.extend_from_slice(&self.run.notes);
            self.packed.push(Op::End as u8);
            self.run.slots = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::notes::Slots;
    use super::*;
    use testkit::Random;

    /// The slow twin has all slots before it looks for equal ones.
    fn packed(slots: &[Vec<u8>]) -> Vec<u8> {
        let (mut packed, mut empty) = (Vec::new(), 0);
        let mut rest = slots;
        while let Some((first, after)) = rest.split_first() {
            rest = after;
            if first.is_empty() {
                empty += 1;
                continue;
            }
            let equal = after.iter().take_while(|slot| *slot == first).count();
            rest = &after[equal..];
            varint::put(&mut packed, empty);
            varint::put(&mut packed, 1 + equal);
            packed.extend_from_slice(first);
            packed.push(Op::End as u8);
            empty = 0;
        }
        packed
    }

    #[test]
    fn equal_slots_are_stored_once() {
        let mut notebook = Notebook::default();
        for slot in 0..12 {
            if slot >= 2 {
                notebook.slot().extend([Op::Suffix as u8, 1]);
            }
            if slot < 11 {
                notebook.end_slot();
            }
        }
        notebook.finish();
        assert_eq!(notebook.packed(), [2, 10, Op::Suffix as u8, 1, 0]);
        let mut slots = Slots::new(notebook.packed());
        for slot in 0..12 {
            let found = slots.next_slot();
            assert_eq!(found.is_some(), slot >= 2);
            if let Some(found) = found {
                slots.passed(&found[3..]);
            }
        }
        assert!(slots.is_done());
    }

    /// Takes down a comment as a reader does.
    fn put(notebook: &mut Notebook, comment: &str) {
        let text = format!("{comment}}} 2. Nf3 Nc6");
        match notebook.repeat_comment(text.as_bytes()) {
            Some(length) => assert_eq!(length, comment.len()),
            None => notebook.put_comment(comment.as_bytes()),
        }
    }

    #[test]
    fn runs_are_found_as_they_come() {
        const COMMENTS: [&str; 5] = [
            " [%clk 0:03:00] ",
            " [%clk 1:59:07] ",
            "[%eval 0.2] [%clk 0:00:59]",
            "[%eval -3.17] [%clk 0:01:59]",
            "a text",
        ];
        let mut random = Random::new(17);
        let mut notebook = Notebook::default();
        for _ in 0..3_000 {
            notebook.clear();
            let (mut slots, mut clocks, mut evals) = (Vec::new(), Vec::new(), Vec::new());
            // Some games have a few kinds of slots, others all.
            let kinds = 1 + random.below(12);
            for i in 0..random.below(40) {
                if i > 0 {
                    notebook.end_slot();
                }
                let mut slot = Vec::new();
                match random.below(kinds) {
                    kind @ 0..5 => {
                        let comment = COMMENTS[(kind ^ random.below(2)) % 5];
                        put(&mut notebook, comment);
                        let bytes = comment.as_bytes();
                        notes::put_comment(bytes, &mut slot, &mut clocks, &mut evals);
                    }
                    kind @ 5..9 => {
                        for comment in COMMENTS.iter().take(kind - 4).rev() {
                            put(&mut notebook, comment);
                            let bytes = comment.as_bytes();
                            notes::put_comment(bytes, &mut slot, &mut clocks, &mut evals);
                        }
                    }
                    9 | 10 => {
                        put(&mut notebook, COMMENTS[0]);
                        notebook.slot().extend([Op::Nag as u8, 14]);
                        let bytes = COMMENTS[0].as_bytes();
                        notes::put_comment(bytes, &mut slot, &mut clocks, &mut evals);
                        slot.extend([Op::Nag as u8, 14]);
                    }
                    _ => {}
                }
                slots.push(slot);
            }
            notebook.finish();
            assert_eq!(notebook.packed(), packed(&slots));
            assert_eq!((&notebook.clocks, &notebook.evals), (&clocks, &evals));
        }
    }
}
