//! Writing for people.

use std::env;
use std::io::{IsTerminal as _, stdout};

/// Whether stdout takes colours: it is a terminal, and nobody has asked to leave them out
/// (<https://no-color.org>).
pub fn is_colored() -> bool {
    let no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    stdout().is_terminal() && !no_color && !is_dumb
}

/// A number with commas between its thousands: 4,865,609.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many games, in words: 1 game, 4,865,609 games.
pub fn counted_games(number: u64) -> String {
    match number {
        1 => "1 game".to_owned(),
        _ => format!("{} games", grouped(number)),
    }
}

/// Text out of a file as a terminal may see it: what would move the cursor, or turn the direction of
/// the writing, is escaped.
pub fn shown(text: &[u8]) -> String {
    let is_shown = |c: char| {
        let is_turn = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        matches!(c, '\n' | '\r' | '\t') || !(c.is_control() || is_turn)
    };
    let text = pgn::decode_text(text);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_shown(c) {
            out.push(c);
        } else {
            out.extend(c.escape_default());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{counted_games, grouped, shown};

    #[test]
    fn a_terminal_is_not_told_what_to_do() {
        assert_eq!(shown(b"a\tb\r\n"), "a\tb\r\n");
        assert_eq!(shown(b"\x1b]52;"), "\\u{1b}]52;");
        assert_eq!(shown("x\u{202e}y\u{9b}".as_bytes()), "x\\u{202e}y\\u{9b}");
        assert_eq!(shown(b"Gr\xfcnfeld"), "Grünfeld");
    }

    #[test]
    fn thousands_are_grouped() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (4_865_609, "4,865,609"),
        ];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(counted_games(1), "1 game");
        assert_eq!(counted_games(1_000), "1,000 games");
    }
}
