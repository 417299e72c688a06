//! Texts that come again and again: a column of numbers, and each text once.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{Int32Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, Int32Array, StringArray};
use arrow_schema::{ArrowError, DataType, Field};

/// A field of texts as it is read and written in memory. In the file there is no difference.
pub(crate) fn field(name: &str) -> Field {
    let (numbers, texts) = (Box::new(DataType::Int32), Box::new(DataType::Utf8));
    Field::new(name, DataType::Dictionary(numbers, texts), true)
}

/// A column of such texts.
#[derive(Clone, Debug)]
pub(crate) struct NumberedTexts {
    numbers: Int32Array,
    texts: StringArray,
}

impl NumberedTexts {
    /// `None` if the column has something else.
    pub(crate) fn of(column: &ArrayRef) -> Option<NumberedTexts> {
        let column = column.as_dictionary_opt::<Int32Type>()?;
        Some(NumberedTexts {
            numbers: column.keys().clone(),
            texts: column.values().as_string_opt::<i32>()?.clone(),
        })
    }

    /// The number and text of a row, if it has one.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> Option<(usize, &str)> {
        if row >= self.numbers.len() || self.numbers.is_null(row) {
            return None;
        }
        // The library does not look at the numbers if there are no texts.
        let number = usize::try_from(self.numbers.value(row)).ok()?;
        (number < self.texts.len()).then(|| (number, self.texts.value(number)))
    }
}

/// Gathers such texts.
#[derive(Debug, Default)]
pub(crate) struct NumberedTextsBuilder {
    numbers: Int32Builder,
    texts: StringBuilder,
    places: HashMap<String, i32>,
    /// The number of the last text.
    last: Option<i32>,
}

impl NumberedTextsBuilder {
    /// Adds a text, of which the caller may know that it is the last again.
    #[inline]
    pub(crate) fn push(&mut self, text: &str, is_last_again: bool) {
        let number = match self.last {
            Some(number) if is_last_again => number,
            _ => self.find(text),
        };
        self.last = Some(number);
        self.numbers.append_value(number);
    }

    fn find(&mut self, text: &str) -> i32 {
        match self.places.get(text) {
            Some(&number) => number,
            None => {
                // No piece of text has so many games.
                let number = i32::try_from(self.places.len()).unwrap_or(i32::MAX);
                self.texts.append_value(text);
                self.places.insert(text.to_owned(), number);
                number
            }
        }
    }

    pub(crate) fn push_null(&mut self) {
        self.numbers.append_null();
    }

    pub(crate) fn finish(mut self) -> Result<ArrayRef, ArrowError> {
        let texts = Arc::new(self.texts.finish());
        let column = DictionaryArray::<Int32Type>::try_new(self.numbers.finish(), texts)?;
        Ok(Arc::new(column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(texts: &[Option<&str>]) -> NumberedTexts {
        let mut builder = NumberedTextsBuilder::default();
        let mut last = None;
        for text in texts {
            match text {
                Some(text) => {
                    builder.push(text, last == Some(text));
                    last = Some(text);
                }
                None => builder.push_null(),
            }
        }
        NumberedTexts::of(&builder.finish().unwrap()).unwrap()
    }

    #[test]
    fn texts_come_back_and_are_stored_once() {
        let texts = [Some("b"), Some("b"), None, Some("a"), Some(""), Some("b")];
        let column = column(&texts);
        let read: Vec<_> = (0..7).map(|row| column.get(row)).collect();
        let text = |row: usize| read[row].map(|(_, text)| text);
        assert_eq!((0..6).map(text).collect::<Vec<_>>(), texts);
        assert_eq!((read[6], column.texts.len()), (None, 3));
        assert_eq!(read[0], read[5]);
    }

    #[test]
    fn numbers_without_texts_are_nothing() {
        let mut column = column(&[Some("a"), Some("b")]);
        column.texts = column.texts.slice(0, 1);
        assert_eq!((column.get(0), column.get(1)), (Some((0, "a")), None));
        assert!(NumberedTexts::of(&(Arc::new(column.texts) as ArrayRef)).is_none());
    }
}
