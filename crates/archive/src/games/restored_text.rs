//! The texts of some rows.

/// The texts of rows that follow each other.
#[derive(Debug)]
pub struct RestoredText {
    pub(crate) first_row: u64,
    pub(crate) text: Vec<u8>,
    /// Where the text of each row ends.
    pub(crate) ends: Vec<usize>,
}

impl RestoredText {
    /// All of it.
    #[must_use]
    pub fn all(&self) -> &[u8] {
        &self.text
    }

    /// How many rows there are up to the last of these.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.first_row + u64::try_from(self.ends.len()).unwrap_or(0)
    }

    /// The text of the rows from `first` on, and before `end`, as far as they are among these. Rows
    /// are counted through the archive, from 0.
    #[must_use]
    pub fn rows_between(&self, first: u64, end: u64) -> &[u8] {
        let place = |row: u64| {
            let before = row.saturating_sub(self.first_row);
            let before = usize::try_from(before).unwrap_or(usize::MAX);
            match before.min(self.ends.len()).checked_sub(1) {
                None => 0,
                Some(last) => self.ends.get(last).copied().unwrap_or(0),
            }
        };
        self.text.get(place(first)..place(end)).unwrap_or_default()
    }
}
