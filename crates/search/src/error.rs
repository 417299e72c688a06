//! What can be wrong with a question.

use core::fmt;

/// A query that cannot be understood: where, what was found, what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryError {
    /// The part of the query: the name of a rule, or of its option.
    pub part: String,
    /// Its text.
    pub text: String,
    /// Where in the text, in characters from 0.
    pub at: usize,
    /// What would have been right there.
    pub expected: String,
}

impl QueryError {
    pub(crate) fn new(
        part: &str,
        text: &str,
        at: usize,
        expected: impl fmt::Display,
    ) -> QueryError {
        QueryError {
            part: part.to_owned(),
            text: text.to_owned(),
            at,
            expected: expected.to_string(),
        }
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Whoever wrote a long text finds the place by what stands there.
        const SHOWN: usize = 16;
        let rest: String = self.text.chars().skip(self.at).take(SHOWN).collect();
        write!(
            f,
            "{}: character {}: expected {}, ",
            self.part,
            self.at + 1,
            self.expected
        )?;
        if rest.is_empty() {
            f.write_str("found the end")?;
        } else {
            write!(f, "found \"{rest}\"")?;
        }
        if self.text.chars().count() <= 100 {
            write!(f, " (in \"{}\")", self.text)?;
        }
        Ok(())
    }
}

impl core::error::Error for QueryError {}
