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

#[cfg(test)]
mod tests {
    use super::grouped;

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
    }
}
