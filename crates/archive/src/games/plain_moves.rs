//! The moves of a game with nothing between them, as most games have them, or the same after each.

use std::ops::ControlFlow;

use chess::{Color, Move, Position, Step};
use codec::Spectator;

use super::layout::{CheckSigns, Layout};
use super::notes;
use super::room::{Letters, Room, Strip};

/// The texts of move numbers with dot and space, the first letter in the low byte; the length
/// without the space is the high byte.
#[allow(clippy::indexing_slicing)] // In bounds: a constant can do no better.
static NUMBERS: [u64; 1000] = {
    let mut table = [0; 1000];
    let mut number = 0;
    while number < 1000 {
        let digits = [number / 100, number / 10 % 10, number % 10];
        let (mut word, mut bits) = (0, 0);
        let mut i = if number < 10 {
            2
        } else if number < 100 {
            1
        } else {
            0
        };
        while i < 3 {
            word |= (digits[i] as u64 + b'0' as u64) << bits;
            bits += 8;
            i += 1;
        }
        word |= (b'.' as u64) << bits | (b' ' as u64) << (bits + 8);
        table[number] = word | (bits / 8 + 1) << 56;
        number += 1;
    }
    table
};

const SPACE: u64 = b' ' as u64;
const SIGN: u64 = u64::from_le_bytes(*b"+ \0\0\0\0\0\0");

/// Two dots and a space.
const DOTS: u64 = u64::from_le_bytes(*b".. \0\0\0\0\0");

/// Writes moves one after the other. Lines are not filled meanwhile, so there is next to nothing to
/// remember from move to move: [`fold`] does it at the end.
pub(crate) struct PlainMoves<'a, A> {
    out: Room<'a>,
    after: A,
    /// Whether there are signs for check: 1, or 0.
    signs: usize,
    /// Whether the last move has one.
    signed: usize,
    /// Whether White's moves have numbers, and Black's.
    has_numbers: [bool; 2],
    /// Whether there is a space after a number: 1, or 0.
    number_gap: usize,
}

/// What stands after each move but the last.
pub(crate) trait After {
    /// Whether anything does.
    const IS_SOMETHING: bool;

    /// Writes it, and a space.
    fn put(&mut self, out: &mut Strip<'_>);

    /// Whether Black's moves have numbers, too.
    fn numbers_black(&self) -> bool;
}

/// Nothing.
impl After for () {
    const IS_SOMETHING: bool = false;

    #[inline(always)]
    fn put(&mut self, _: &mut Strip<'_>) {}

    #[inline(always)]
    fn numbers_black(&self) -> bool {
        false
    }
}

/// Whether moves from here can be written so: White begins, as numbers are only put before its
/// moves.
pub(crate) fn suit(layout: &Layout, start: &Position) -> bool {
    // The end of a line takes the place of a space.
    let is_foldable = layout.width == 0 || !layout.crlf;
    is_foldable && start.turn() == Color::White
}

impl<'a, A: After> PlainMoves<'a, A> {
    pub(crate) fn new(layout: &Layout, after: A, out: &'a mut Vec<u8>) -> PlainMoves<'a, A> {
        let has_numbers = [true, after.numbers_black()].map(|has| has && layout.numbers);
        PlainMoves {
            out: Room::behind(out),
            after,
            signs: usize::from(layout.check_signs != CheckSigns::None),
            signed: 0,
            has_numbers,
            number_gap: usize::from(layout.number_gap),
        }
    }

    /// Takes back the last space, and the sign of the last move, which may be mate.
    pub(crate) fn finish(mut self) {
        self.out.take_back_space();
        let end = self.out.len() - self.signed;
        self.out.truncate(end);
    }

    /// Writes a move with its sign for check, and a space after it. Before it comes what stands after the
    /// last move.
    #[inline(always)]
    fn put(&mut self, before: &Position, (san, length): (u64, usize), gives_check: bool) {
        let is_first = !self.out.has_letters();
        let Some(mut out) = self.out.strip() else {
            return;
        };
        if A::IS_SOMETHING && !is_first {
            self.after.put(&mut out);
        }
        self.signed = usize::from(gives_check) & self.signs;
        // A move has seven letters at most with its sign.
        let end = if self.signed > 0 { SIGN } else { SPACE };
        let san = (san | end << (8 * length), length + 1 + self.signed);
        #[allow(clippy::indexing_slicing)] // Two sides.
        if self.has_numbers[before.turn() as usize] {
            let is_white = before.turn() == Color::White;
            if let Some(number) = NUMBERS.get(usize::from(before.fullmoves())) {
                let mut text = number & (u64::MAX >> 8);
                let mut length = usize::from(number.to_be_bytes()[0]);
                if A::IS_SOMETHING && !is_white {
                    // Two more dots, of which the first takes the place of the space.
                    text |= (DOTS ^ SPACE) << (8 * length);
                    length += 2;
                }
                out.put(text, length + self.number_gap);
            } else {
                long_number(&mut out, before.fullmoves(), is_white, self.number_gap);
            }
        }
        out.put(san.0, san.1);
        let length = out.len();
        self.out.take_over(length);
    }
}

#[cold]
fn long_number(out: &mut Strip<'_>, number: u16, is_white: bool, gap: usize) {
    notes::put_number(out, number.into());
    if !is_white {
        out.put(DOTS, 2);
    }
    out.put(u64::from_le_bytes(*b". \0\0\0\0\0\0"), 1 + gap);
}

impl<A: After> Spectator for &mut PlainMoves<'_, A> {
    #[inline(always)]
    fn see(&mut self, before: &Position, m: Move) -> ControlFlow<()> {
        self.put(before, before.san_letters(m), before.gives_check(m));
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn see_step(&mut self, before: &Position, step: Step) -> ControlFlow<()> {
        let gives_check = before.step_gives_check(step);
        self.put(before, before.step_letters(step), gives_check);
        ControlFlow::Continue(())
    }
}

/// Fills lines of at most `width` bytes, as a [`Typesetter`](super::typesetter::Typesetter) does
/// word by word; the last word is left to it. `text` is one line of words with a space between, of
/// which those after numbers may have to stay. Tells where the last line begins, and where the last
/// space in it is.
pub(crate) fn fold(text: &mut [u8], width: usize, keeps_numbers: bool) -> (usize, Option<usize>) {
    let is_break = |text: &[u8], at: usize| {
        let is_space = text.get(at) == Some(&b' ');
        is_space && !(keeps_numbers && at > 0 && text.get(at - 1) == Some(&b'.'))
    };
    let last =
        |text: &[u8], from: usize, end: usize| (from..end).rev().find(|&at| is_break(text, at));
    // Only a word that something follows is known to be too long.
    let Some(last_of_all) = last(text, 0, text.len()) else {
        return (0, None);
    };
    let mut line = 0usize;
    loop {
        let limit = line.saturating_add(width);
        if last_of_all <= limit {
            return (line, (last_of_all >= line).then_some(last_of_all));
        }
        let at = last(text, line, limit + 1).unwrap_or_else(|| {
            let next = (limit + 1..last_of_all).find(|&at| is_break(text, at));
            next.unwrap_or(last_of_all)
        });
        if at == last_of_all {
            return (line, Some(at));
        }
        if let Some(space) = text.get_mut(at) {
            *space = b'\n';
        }
        line = at + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::compose::{Composer, Movetext};
    use super::super::layout::{BlackNumber, Unit};
    use super::super::notebook::Notebook;
    use super::super::notes::Op;
    use super::super::refrain::Refrain;
    use super::*;
    use pgn::Outcome;
    use testkit::{Game, GameKind, random_game};

    /// Notes after the moves, as they are stored: a comment, its clocks and evaluations.
    #[derive(Default)]
    struct Notes {
        packed: Vec<u8>,
        clocks: Vec<i32>,
        evals: Vec<i32>,
    }

    /// Shows the moves, every other one as a step if it is one.
    fn show(game: &Game, mut spectator: impl Spectator) {
        let mut i = 0;
        game.walk(|before, m| {
            let step = Step::of(before, m).filter(|_| i % 2 == 0);
            i += 1;
            let seen = match step {
                Some(step) => spectator.see_step(before, step),
                None => spectator.see(before, m),
            };
            assert!(seen.is_continue());
        });
    }

    fn written(game: &Game, notes: &Notes, layout: &Layout, is_plain: bool) -> String {
        let movetext = Movetext {
            start: &game.start,
            notes: &notes.packed,
            clocks: &notes.clocks,
            evals: &notes.evals,
            outcome: Some(Outcome::Draw),
        };
        let mut out = b"before ".to_vec();
        let mut composer = Composer::new(&movetext, layout, &mut out);
        let has_notes = !notes.packed.is_empty();
        assert_eq!(composer.is_plain(), suit(layout, &game.start) && !has_notes);
        let refrain = composer.refrain(game.moves.len());
        assert!(has_notes || refrain.is_none());
        if is_plain && composer.is_plain() {
            composer.plain_moves(|moves| show(game, moves));
        } else if is_plain && let Some(refrain) = refrain {
            composer.moves_with(game.moves.len(), refrain, |moves| show(game, moves));
        } else {
            game.walk(|before, m| {
                assert!(composer.step(before, m).is_continue());
            });
        }
        composer.finish(&game.end()).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// The slow twin fills its lines word by word.
    #[test]
    fn plain_moves_are_what_is_written_word_by_word() {
        let units = [Unit::Word, Unit::Token, Unit::Move, Unit::MoveAndComment];
        let signs = [CheckSigns::All, CheckSigns::PlusOnly, CheckSigns::None];
        let kinds = [GameKind::Standard, GameKind::Setup, GameKind::Chess960];
        for seed in 0..90usize {
            let kind = kinds[seed % 3];
            let game = random_game(kind, seed as u64, [0, 1, 2, 9, 60, 200][seed % 6]);
            for width in [0, 1, 3, 6, 9, 40, 79, 80, 255] {
                for (i, unit) in units.into_iter().cycle().take(16).enumerate() {
                    let layout = Layout {
                        width,
                        unit,
                        crlf: i & 1 != 0 && width == 9,
                        number_gap: i & 4 == 0,
                        numbers: i & 8 == 0,
                        check_signs: signs[i % 3],
                        outcome_gap: 1 + u8::from(i & 2 != 0),
                        ..Layout::PLAIN
                    };
                    let none = Notes::default();
                    let (fast, slow) = (
                        written(&game, &none, &layout, true),
                        written(&game, &none, &layout, false),
                    );
                    assert!(fast == slow, "{layout}: {fast}\n{slow}");
                }
            }
        }
    }

    #[test]
    fn refrains_are_what_is_written_word_by_word() {
        let comments = [
            " [%clk 1:02:03] ",
            "[%eval -0.17,23] [%clk 12:00:59]",
            " [%eval #-3] ",
            "",
            "!",
            "a comment that is too long",
            "[%clk 0:00:00][%clk 0:00:01][%clk 0:00:02]",
            "two\nlines",
        ];
        let mut refrains = 0;
        for seed in 0..200usize {
            let plies = [0, 1, 2, 9, 60, 200][seed % 6];
            let game = random_game(GameKind::Standard, seed as u64, plies);
            let mut notebook = Notebook::default();
            for i in 0..game.moves.len() {
                notebook.end_slot();
                // Sometimes the last move has none, or another note.
                if seed % 5 > 0 || i + 1 < game.moves.len() {
                    notebook.put_comment(comments[seed % 8].as_bytes());
                } else if seed % 2 > 0 {
                    notebook.slot().extend([Op::Nag as u8, 14]);
                }
            }
            notebook.finish();
            let notes = Notes {
                packed: notebook.packed().to_vec(),
                clocks: notebook.clocks,
                evals: notebook.evals,
            };
            for (i, black_number) in [BlackNumber::AfterInterruption, BlackNumber::Never]
                .into_iter()
                .cycle()
                .take(8)
                .enumerate()
            {
                let layout = Layout {
                    width: [0, 0, 80][i % 3],
                    unit: Unit::Token,
                    crlf: i & 1 != 0,
                    number_gap: i & 2 == 0,
                    numbers: i & 4 == 0,
                    black_number,
                    short_evals: i & 2 != 0,
                    ..Layout::PLAIN
                };
                let (fast, slow) = (
                    written(&game, &notes, &layout, true),
                    written(&game, &notes, &layout, false),
                );
                assert!(fast == slow, "{layout}: {fast}\n{slow}");
                let has_refrain = Refrain::of(&notes.packed, game.moves.len()).is_some();
                refrains += usize::from(has_refrain && layout.width == 0);
            }
        }
        assert!(refrains > 100, "{refrains}");
    }

    #[test]
    fn numbers_of_any_length() {
        let fen = |number: u32| format!("4k3/8/8/8/8/8/8/4K2R w K - 0 {number}");
        for number in [1, 9, 10, 99, 100, 999, 1000, 9999, 65_535] {
            let start: Position = fen(number).parse().unwrap();
            let m = start.parse_san(b"Rh7").unwrap();
            let mut out = Vec::new();
            let mut moves = PlainMoves::new(&Layout::PLAIN, (), &mut out);
            let _ = (&mut moves).see(&start, m);
            moves.finish();
            assert_eq!(String::from_utf8(out).unwrap(), format!("{number}. Rh7"));
        }
    }
}
