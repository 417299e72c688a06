//! What a text has that the writer does not write: `FORMAT.md`, §2.9.

use super::varint;

/// The first byte: the whole text follows.
const WHOLE: u8 = 0;
/// The first byte: pieces follow, each the bytes to copy, the bytes to leave out, the number of
/// bytes to put in and those bytes. After the last piece the rest is copied.
const PIECES: u8 = 1;

/// So many equal bytes mean that two texts run together again.
const ANCHOR: usize = 6;
/// How far away the place is looked for where they do.
const REACH: usize = 48;

/// The text as it is.
pub(crate) fn whole(text: &[u8], out: &mut Vec<u8>) {
    out.push(WHOLE);
    out.extend_from_slice(text);
}

/// The text that was stored as it is.
pub(crate) fn whole_text(difference: &[u8]) -> Option<&[u8]> {
    difference.strip_prefix(&[WHOLE])
}

fn common(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// How to make `text` of `written`; the whole text if that is no longer.
pub(crate) fn describe(written: &[u8], text: &[u8], out: &mut Vec<u8>) {
    let before = out.len();
    out.push(PIECES);
    let limit = before + text.len() / 2 + 16;
    let (mut old, mut new) = (written, text);
    loop {
        let same = common(old, new);
        let (old_rest, new_rest) = (
            old.get(same..).unwrap_or_default(),
            new.get(same..).unwrap_or_default(),
        );
        if old_rest.is_empty() && new_rest.is_empty() {
            return;
        }
        let (drop, add) = meeting(old_rest, new_rest);
        varint::put(out, same);
        varint::put(out, drop);
        varint::put(out, add);
        out.extend_from_slice(new_rest.get(..add).unwrap_or_default());
        if out.len() > limit {
            out.truncate(before);
            whole(text, out);
            return;
        }
        old = old_rest.get(drop..).unwrap_or_default();
        new = new_rest.get(add..).unwrap_or_default();
    }
}

/// How many bytes of each to pass over until they run together again.
fn meeting(old: &[u8], new: &[u8]) -> (usize, usize) {
    for total in 1..=REACH {
        for drop in 0..=total {
            let add = total - drop;
            let (Some(a), Some(b)) = (old.get(drop..), new.get(add..)) else {
                continue;
            };
            if common(a, b) >= ANCHOR.min(a.len().max(b.len())) {
                return (drop, add);
            }
        }
    }
    // Nowhere near: what the two have in common at their ends, and all between.
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    (old.len() - tail, new.len() - tail)
}

/// Makes the text of what was written. `None` if the difference is none.
pub(crate) fn apply(written: &[u8], difference: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let (&kind, mut rest) = difference.split_first()?;
    if kind == WHOLE {
        out.extend_from_slice(rest);
        return Some(());
    }
    if kind != PIECES {
        return None;
    }
    let mut written = written;
    while !rest.is_empty() {
        let same = varint::take(&mut rest)?;
        let drop = varint::take(&mut rest)?;
        let add = varint::take(&mut rest)?;
        out.extend_from_slice(varint::take_bytes(&mut written, same)?);
        varint::take_bytes(&mut written, drop)?;
        out.extend_from_slice(varint::take_bytes(&mut rest, add)?);
    }
    out.extend_from_slice(written);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::{Random, mutant};

    fn difference(written: &[u8], text: &[u8]) -> Vec<u8> {
        let mut difference = Vec::new();
        describe(written, text, &mut difference);
        let mut back = Vec::new();
        apply(written, &difference, &mut back).unwrap();
        assert_eq!(back, text);
        difference
    }

    #[test]
    fn every_text_comes_back() {
        let text =
            b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 1-0\n\n";
        let mut random = Random::new(1);
        for _ in 0..5_000 {
            let other = mutant(text, &mut random);
            difference(text, &other);
            difference(&other, text);
        }
        difference(b"", text);
        difference(text, b"");
        assert_eq!(difference(text, text), [PIECES]);
    }

    #[test]
    fn small_differences_are_small() {
        let written = b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7";
        let text = b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4.Ba4 Nf6  5. O-O Be7";
        assert!(difference(written, text).len() < 12);
    }

    #[test]
    fn rubbish_is_no_difference() {
        let mut random = Random::new(2);
        for _ in 0..2_000 {
            let rubbish: Vec<u8> = (0..8)
                .map(|_| u8::try_from(random.below(256)).unwrap())
                .collect();
            let _ = apply(b"1. e4 e5", &rubbish, &mut Vec::new());
        }
    }
}
