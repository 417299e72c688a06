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
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    /// A table with its heading.
    pub fn new(columns: [(&str, Align); N]) -> Table<N> {
        Table {
            align: columns.map(|(_, align)| align),
            rows: vec![columns.map(|(name, _)| name.to_owned())],
        }
    }

    /// Appends a row.
    pub fn push(&mut self, row: [String; N]) {
        self.rows.push(row);
    }

    /// Writes the rows, each after `indent`. No line ends with spaces.
    pub fn write(&self, out: &mut impl Write, indent: &str) -> io::Result<()> {
        let mut widths = [0; N];
        for row in &self.rows {
            for (width, text) in widths.iter_mut().zip(row) {
                *width = text.chars().count().max(*width);
            }
        }
        for row in &self.rows {
            let mut line = String::new();
            for ((text, &width), align) in row.iter().zip(&widths).zip(self.align) {
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
    use super::{Align, Table};

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
}
