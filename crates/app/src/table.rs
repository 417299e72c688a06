//! Columns that line up.

use std::io::{self, Write};

/// On which side of its column a text stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    Left,
    Right,
}

/// Rows of text under a heading, each column as wide as its widest text.
#[derive(Debug)]
pub struct Table<const N: usize> {
    align: [Align; N],
    widths: [usize; N],
    rows: Vec<[String; N]>,
}

/// So many rows tell how wide columns are.
const MANY: usize = 1000;

impl<const N: usize> Table<N> {
    /// A table with its heading.
    pub fn new(columns: [(&str, Align); N]) -> Table<N> {
        let mut table = Table {
            align: columns.map(|(_, align)| align),
            widths: [0; N],
            rows: Vec::new(),
        };
        table.push(columns.map(|(name, _)| name.to_owned()));
        table
    }

    /// Appends a row.
    pub fn push(&mut self, row: [String; N]) {
        for (width, text) in self.widths.iter_mut().zip(&row) {
            *width = text.chars().count().max(*width);
        }
        self.rows.push(row);
    }

    /// Writes the rows if there are many, and forgets them: a table may be longer than memory. Later
    /// rows may be wider, but are no narrower.
    pub fn pour(&mut self, out: &mut impl Write, indent: &str) -> io::Result<()> {
        if self.rows.len() >= MANY {
            self.write(out, indent)?;
            self.rows.clear();
        }
        Ok(())
    }

    /// Writes the rows, each after `indent`. No line ends with spaces.
    pub fn write(&self, out: &mut impl Write, indent: &str) -> io::Result<()> {
        for row in &self.rows {
            let mut line = String::new();
            for ((text, &width), align) in row.iter().zip(&self.widths).zip(self.align) {
                let gap = if line.is_empty() { indent } else { "  " };
                line += gap;
                line += &match align {
                    Align::Left => format!("{text:<width$}"),
                    Align::Right => format!("{text:>width$}"),
                };
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Align, MANY, Table};

    #[test]
    fn columns_line_up() {
        let mut table = Table::new([("name", Align::Left), ("n", Align::Right)]);
        table.push(["a".to_owned(), "10".to_owned()]);
        let mut text = Vec::new();
        table.write(&mut text, " ").expect("memory");
        assert_eq!(
            String::from_utf8(text).expect("text"),
            " name   n\n a     10\n"
        );
    }

    #[test]
    fn a_long_table_is_written_as_it_grows() {
        let mut table = Table::new([("name", Align::Left), ("n", Align::Right)]);
        let mut text = Vec::new();
        for i in 0..5 * MANY {
            table.push(["a".to_owned(), i.to_string()]);
            table.pour(&mut text, "").expect("memory");
            assert!(table.rows.len() < MANY);
        }
        table.write(&mut text, "").expect("memory");
        let text = String::from_utf8(text).expect("text");
        assert_eq!(text.lines().count(), 5 * MANY + 1);
        assert_eq!(text.lines().nth(2), Some("a       1"));
        assert_eq!(text.lines().last(), Some("a     4999"));
    }
}
