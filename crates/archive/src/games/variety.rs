//! How much there is to find in a column before it is compressed.

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, StringArray};

use super::ends::Ends;
use super::numbered_texts::NumberedTexts;

/// What a column of a row group, in parts, is like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Variety {
    /// There is no value.
    pub(crate) is_nothing: bool,
    /// There is nothing, or next to nothing: a dictionary and runs make so few bytes of it that to make ready
    /// for compressing them would take longer than to write them.
    pub(crate) is_little: bool,
    /// Most values are there once: a dictionary would be a second copy of the column.
    pub(crate) is_diverse: bool,
}

/// Texts of so many bytes are not worth it,
const SHORT: usize = 2048;
/// nor so many numbers,
const FEW: usize = 32;
/// nor so many different texts, however often they come.
const FEW_TEXTS: usize = 4;

/// So many texts of each part are looked at: row groups have some sixteen.
const SAMPLE: usize = 256;

impl Variety {
    pub(crate) fn of(column: &[&ArrayRef]) -> Variety {
        if column.iter().all(|part| part.null_count() == part.len()) {
            return Variety {
                is_nothing: true,
                is_little: true,
                is_diverse: false,
            };
        }
        let Sample {
            texts,
            different,
            bytes: different_bytes,
        } = Sample::of(column);
        let bytes = column.iter().map(|part| text_bytes(part));
        let is_short = |bytes: Option<usize>| bytes.is_some_and(|bytes| bytes <= SHORT);
        Variety {
            is_nothing: false,
            is_little: is_short(bytes.sum())
                || (texts > 0 && different <= FEW_TEXTS && different_bytes <= SHORT)
                || has_few_numbers(column)
                || has_few_texts(column),
            is_diverse: different * 8 > texts * 7,
        }
    }
}

/// How many bytes of text there are. `None` if there are numbers.
fn text_bytes(part: &ArrayRef) -> Option<usize> {
    if let Some(texts) = part.as_string_opt::<i32>() {
        return Some(texts.value_data().len());
    }
    if let Some(bytes) = part.as_binary_opt::<i32>() {
        return Some(bytes.value_data().len());
    }
    let map = part.as_map_opt()?;
    Some(text_bytes(map.keys())? + text_bytes(map.values())?)
}

fn has_few_numbers(column: &[&ArrayRef]) -> bool {
    let count: usize = column
        .iter()
        .map(|part| part.len() - part.null_count())
        .sum();
    let mut numbers = column
        .iter()
        .map(|part| part.as_primitive_opt::<Int32Type>());
    count <= FEW && numbers.all(|part| part.is_some())
}

fn has_few_texts(column: &[&ArrayRef]) -> bool {
    let mut parts = column.iter().map(|part| NumberedTexts::of(part));
    parts.all(|part| part.is_some_and(|texts| texts.count() <= FEW_TEXTS))
}

/// Some texts of a column: how many there are, how many different ones, more or less, and the bytes of these.
#[derive(Default)]
struct Sample {
    texts: usize,
    different: usize,
    bytes: usize,
}

impl Sample {
    fn of(column: &[&ArrayRef]) -> Sample {
        let parts = column.iter().filter_map(|part| part.as_string_opt::<i32>());
        let texts = parts.flat_map(|part: &StringArray| part.iter().flatten().take(SAMPLE));
        // Sixteen bits of a hash will do: of four thousand, one in thirty is taken for another.
        let mut seen = [0u64; 1024];
        let mut sample = Sample::default();
        for text in texts {
            let hash = Ends::of(text.as_bytes()).hash() % (64 * seen.len());
            let bit = 1u64 << (hash % 64);
            sample.texts += 1;
            if let Some(word) = seen.get_mut(hash / 64).filter(|word| **word & bit == 0) {
                *word |= bit;
                sample.different += 1;
                sample.bytes += text.len();
            }
        }
        sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gathered::item;
    use crate::games::numbered_texts::NumberedTextsBuilder;
    use arrow_array::{BinaryArray, Int32Array, ListArray};
    use std::sync::Arc;

    fn texts(count: usize, text: impl Fn(usize) -> Option<String>) -> ArrayRef {
        Arc::new((0..count).map(text).collect::<StringArray>())
    }

    fn is_little(column: &ArrayRef) -> bool {
        Variety::of(&[column]).is_little
    }

    #[test]
    fn little_is_short_or_the_same_again() {
        assert!(is_little(&texts(1000, |_| Some("-".to_owned()))));
        assert!(is_little(&texts(1000, |_| Some(String::new()))));
        assert!(is_little(&texts(1000, |row| {
            (row % 3 > 0).then(|| ["Blitz", "Rapid", "Bullet", "Classical"][row % 4].repeat(9))
        })));
        assert!(!is_little(&texts(1000, |row| {
            Some(["a", "b", "c", "d", "e"][row % 5].repeat(9))
        })));
        assert!(is_little(&texts(1000, |row| {
            (row < 32).then(|| row.to_string())
        })));
        assert!(!is_little(&texts(1000, |row| Some(row.to_string()))));
        assert!(!is_little(&texts(1000, |row| {
            (row < 32).then(|| "longer".repeat(row))
        })));
        let bytes = |length: usize| -> ArrayRef {
            Arc::new(BinaryArray::from_iter_values([vec![7u8; length]]))
        };
        assert!(is_little(&bytes(2048)) && !is_little(&bytes(2049)));
        let numbers = |count: i32| -> ArrayRef { Arc::new(Int32Array::from_iter(0..count)) };
        assert!(is_little(&numbers(32)) && !is_little(&numbers(33)));
        let mut numbered = NumberedTextsBuilder::default();
        numbered.push("Event Site", false);
        assert!(is_little(&numbered.finish().unwrap()));
        let mut lists = vec![Some(vec![Some(7)]), None];
        lists.extend(vec![None; 9]);
        let lists = ListArray::from_iter_primitive::<Int32Type, _, _>(lists);
        assert!(!is_little(&(Arc::new(lists) as ArrayRef)));
    }

    #[test]
    fn nothing_is_nothing_in_all_parts() {
        let none = texts(40, |_| None);
        let one = texts(40, |row| (row == 39).then(|| "one".repeat(999)));
        assert!(Variety::of(&[&none, &none]).is_nothing);
        let some = Variety::of(&[&none, &one, &none]);
        // Long texts are worth it though they are few.
        assert!(!some.is_nothing && !some.is_little);
        let lists = Arc::new(ListArray::new_null(item(), 5)) as ArrayRef;
        assert!(Variety::of(&[&lists]).is_nothing);
    }

    #[test]
    fn all_parts_count() {
        let name = |name: &str| texts(40, |_| Some(name.repeat(30)));
        let names = ["Ann", "Bob", "Eve", "Joe", "Sue"].map(name);
        let names: Vec<&ArrayRef> = names.iter().collect();
        assert!(Variety::of(&names[..4]).is_little && !Variety::of(&names).is_little);
    }

    #[test]
    fn diverse_is_mostly_different() {
        let share = |different: usize| {
            let texts = texts(4096, |row| Some(format!("Player {}", row % different)));
            Variety::of(&[&texts]).is_diverse
        };
        // Of each part some are looked at.
        assert!(share(4096) && share(250) && !share(200) && !share(1));
        let parts: Vec<ArrayRef> = (0..16)
            .map(|part| {
                texts(256, |row| {
                    Some(format!("https://site/{}", part * 300 + row))
                })
            })
            .collect();
        let parts: Vec<&ArrayRef> = parts.iter().collect();
        assert!(Variety::of(&parts).is_diverse);
        let twice = [&parts[..8], &parts[..8]].concat();
        assert!(!Variety::of(&twice).is_diverse);
    }
}
