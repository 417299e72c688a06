//! The moves of a game with nothing between them, as most games have them.

use chess::{Color, Move, Position};

use super::layout::{CheckSigns, Layout};
use super::notes;

/// The texts of move numbers with dot and space, the first letter in the low byte; the length
/// without the space, in bits, is the high byte.
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
        table[number] = word | (bits + 8) << 56;
        number += 1;
    }
    table
};

/// Writes moves one after the other. Lines are not filled meanwhile, so there is next to nothing to
/// remember from move to move: [`fold`] does it at the end.
pub(crate) struct PlainMoves<'a> {
    out: &'a mut Vec<u8>,
    signs: CheckSigns,
    has_numbers: bool,
    /// The bits of the space after a number.
    number_gap: usize,
    /// The space before the next word and its bits: nothing at first.
    gap: u64,
    gap_bits: usize,
}

impl<'a> PlainMoves<'a> {
    /// Whether moves from here can be written so: White begins, as numbers are only put before its
    /// moves, and what is in check already was not given check by a move.
    pub(crate) fn suit(layout: &Layout, start: &Position) -> bool {
        // The end of a line takes the place of a space.
        let is_foldable = layout.width == 0 || !layout.crlf;
        is_foldable && start.turn() == Color::White && !start.is_check()
    }

    pub(crate) fn new(layout: &Layout, out: &'a mut Vec<u8>) -> PlainMoves<'a> {
        PlainMoves {
            out,
            signs: layout.check_signs,
            has_numbers: layout.numbers,
            number_gap: 8 * usize::from(layout.number_gap),
            gap: 0,
            gap_bits: 0,
        }
    }

    /// Writes a move, and before it the sign for check of the last, which only this position tells.
    #[inline(always)]
    pub(crate) fn step(&mut self, before: &Position, m: Move) {
        let (mut word, mut bits) = (0, 0);
        if before.is_check()
            && let Some(sign) = self.signs.sign_in(*before)
        {
            (word, bits) = (u64::from(sign), 8);
        }
        word |= self.gap << bits;
        bits += self.gap_bits;
        (self.gap, self.gap_bits) = (u64::from(b' '), 8);
        if before.turn() == Color::White && self.has_numbers {
            let number = usize::from(before.fullmoves());
            match NUMBERS.get(number) {
                Some(number) => {
                    let text = number & (u64::MAX >> 8);
                    self.append(word | text << bits, bits + self.bits_of(*number));
                }
                None => self.long_number(word, bits, before.fullmoves()),
            }
            (word, bits) = (0, 0);
        }
        // Without its sign a move has six letters at most, so all is in a word.
        let (san, length) = before.san_without_sign(m).padded();
        self.append(word | u64::from_le_bytes(san) << bits, bits + 8 * length);
    }

    #[inline(always)]
    fn bits_of(&self, number: u64) -> usize {
        usize::from(number.to_be_bytes()[0]) + self.number_gap
    }

    #[cold]
    fn long_number(&mut self, word: u64, bits: usize, number: u16) {
        self.append(word, bits);
        notes::put_number(self.out, number.into());
        let dot = u64::from_le_bytes(*b". \0\0\0\0\0\0");
        self.append(dot, 8 + self.number_gap);
    }

    /// Eight bytes are copied at once, and the length put right.
    #[inline(always)]
    fn append(&mut self, word: u64, bits: usize) {
        let end = self.out.len() + bits / 8;
        self.out.extend_from_slice(&word.to_le_bytes());
        self.out.truncate(end);
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
    let mut line = 0usize;
    loop {
        let limit = line.saturating_add(width);
        let next =
            |after: usize| (after.saturating_add(1)..text.len()).find(|&at| is_break(text, at));
        let last = |end: usize| (line..end).rev().find(|&at| is_break(text, at));
        // Only a word that something follows is known to be too long.
        let Some(too_far) = next(limit) else {
            return (line, last(text.len()));
        };
        let at = match last(limit + 1) {
            Some(at) => at,
            None if next(too_far).is_some() => too_far,
            None => return (line, Some(too_far)),
        };
        if let Some(space) = text.get_mut(at) {
            *space = b'\n';
        }
        line = at + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::compose::{Composer, Movetext};
    use super::super::layout::Unit;
    use super::*;
    use pgn::Outcome;
    use testkit::{Game, GameKind, random_game};

    fn written(game: &Game, layout: &Layout, is_plain: bool) -> String {
        let movetext = Movetext {
            start: &game.start,
            notes: &[],
            clocks: &[],
            evals: &[],
            outcome: Some(Outcome::Draw),
        };
        let mut out = b"before ".to_vec();
        let mut composer = Composer::new(&movetext, layout, &mut out);
        assert_eq!(composer.is_plain(), PlainMoves::suit(layout, &game.start));
        if is_plain && composer.is_plain() {
            let mut moves = composer.plain_moves();
            game.walk(|before, m| moves.step(before, m));
            composer.end_plain_moves();
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
                    let (fast, slow) = (
                        written(&game, &layout, true),
                        written(&game, &layout, false),
                    );
                    assert!(fast == slow, "{layout}: {fast}\n{slow}");
                }
            }
        }
    }

    #[test]
    fn numbers_of_any_length() {
        let fen = |number: u32| format!("4k3/8/8/8/8/8/8/4K2R w K - 0 {number}");
        for number in [1, 9, 10, 99, 100, 999, 1000, 9999, 65_535] {
            let start: Position = fen(number).parse().unwrap();
            let m = start.parse_san(b"Rh7").unwrap();
            let mut out = Vec::new();
            PlainMoves::new(&Layout::PLAIN, &mut out).step(&start, m);
            assert_eq!(String::from_utf8(out).unwrap(), format!("{number}. Rh7"));
        }
    }
}
