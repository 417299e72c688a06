//! The tags of a game while it is read: nothing of them is copied.

use pgn::{RawTag, Start};

use super::ends::Ends;
use super::tag_column;

/// The tags of a game: names that are known from the games before, and where in the text the values
/// stand. One is enough for any number of games.
#[derive(Debug, Default)]
pub(crate) struct TagNotes {
    /// The names of the tags, and of those that games before had after them: most games have the same
    /// tags in the same order.
    names: Vec<TagName>,
    values: Vec<Value>,
    /// Values that are written with escapes.
    escaped: Vec<u8>,
    /// How many tags the game before had.
    last_count: usize,
    /// So far the names are those of the game before.
    is_again: bool,
    /// Where in the text the last value ends.
    end: usize,
}

/// With more names than this all are forgotten: one game with very many tags must not fill the memory for all
/// that follow.
const MOST_NAMES: usize = 256;

/// Where a value stands.
#[derive(Clone, Copy, Debug)]
struct Value {
    start: usize,
    length: usize,
    is_escaped: bool,
}

/// The name of a tag, and what is to know of it.
#[derive(Debug)]
pub(crate) struct TagName {
    pub(crate) name: Vec<u8>,
    ends: Ends,
    /// The column of the tag, if it has one.
    pub(crate) column: Option<usize>,
    /// Whether the name can be part of an order.
    pub(crate) is_plain: bool,
    /// Whether the tag may say where a game starts, or what is played.
    pub(crate) is_of_start: bool,
}

impl TagName {
    fn new(name: &[u8]) -> TagName {
        let is_plain = |byte: &u8| byte.is_ascii_graphic() && *byte != b'=';
        TagName {
            name: name.to_vec(),
            ends: Ends::of(name),
            column: tag_column::find(name),
            is_plain: !name.is_empty() && name.iter().all(is_plain),
            is_of_start: Start::is_told_by(name),
        }
    }

    /// Names are short: a call to compare them would cost more than to compare them.
    #[inline(always)]
    fn is(&self, name: &[u8]) -> bool {
        self.ends == Ends::of(name) && (self.ends.are_all() || self.name == name)
    }
}

impl TagNotes {
    /// The next game.
    pub(crate) fn clear(&mut self) {
        let last_count = self.values.len();
        if self.names.len() > MOST_NAMES {
            *self = TagNotes::default();
        }
        self.last_count = last_count;
        self.values.clear();
        self.escaped.clear();
        self.is_again = true;
        self.end = 0;
    }

    /// Takes down a tag. Says whether it may tell where the game starts, or what is played.
    #[inline(always)]
    pub(crate) fn put(&mut self, name: &[u8], value: RawTag<'_>) -> bool {
        let number = self.values.len();
        let known = self.names.get(number).filter(|known| known.is(name));
        let is_of_start = match known {
            Some(known) => known.is_of_start,
            None => self.learn(name),
        };
        let (start, length) = (value.start(), value.raw().len());
        self.end = start + length;
        self.values.push(Value {
            start,
            length,
            is_escaped: false,
        });
        if value.has_backslash() {
            self.unescape(value);
        }
        is_of_start
    }

    /// The next tag has another name than in the games before.
    #[cold]
    #[inline(never)]
    fn learn(&mut self, name: &[u8]) -> bool {
        let known = TagName::new(name);
        let is_of_start = known.is_of_start;
        self.is_again = false;
        match self.names.get_mut(self.values.len()) {
            Some(place) => *place = known,
            None => self.names.push(known),
        }
        is_of_start
    }

    /// The last value is written with escapes.
    #[cold]
    #[inline(never)]
    fn unescape(&mut self, value: RawTag<'_>) {
        let (start, text) = (self.escaped.len(), value.value());
        self.escaped.extend_from_slice(&text);
        if let Some(last) = self.values.last_mut() {
            *last = Value {
                start,
                length: text.len(),
                is_escaped: true,
            };
        }
    }

    /// How many tags there are.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether the game before had tags of the same names in the same order.
    pub(crate) fn are_again(&self) -> bool {
        self.is_again && self.values.len() == self.last_count
    }

    /// Whether names and values are ASCII, and all that stands between them in the text.
    pub(crate) fn are_ascii(&self, text: &[u8]) -> bool {
        text.get(..self.end).is_some_and(<[u8]>::is_ascii)
    }

    /// The names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &TagName> {
        self.names.iter().take(self.len())
    }

    /// Names and values in the text of the game.
    #[inline(always)]
    pub(crate) fn iter<'a>(
        &'a self,
        text: &'a [u8],
    ) -> impl Iterator<Item = (&'a TagName, &'a [u8])> {
        let pairs = self.names.iter().zip(&self.values);
        pairs.map(move |(name, value)| {
            let text = if value.is_escaped {
                &self.escaped
            } else {
                text
            };
            let value = text.get(value.start..value.start + value.length);
            (name, value.unwrap_or_default())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgn::{Flow, RawGame, Reader, Visitor};

    /// Tags as they are told, beside their notes.
    #[derive(Default)]
    struct Twin {
        notes: TagNotes,
        tags: Vec<(Vec<u8>, Vec<u8>)>,
    }

    impl Visitor for Twin {
        type Output = ();

        fn begin_game(&mut self) -> Flow {
            self.notes.clear();
            self.tags.clear();
            Flow::Continue(())
        }

        fn tag(&mut self, name: &[u8], value: RawTag<'_>) -> Flow {
            let is_of_start = self.notes.put(name, value);
            assert_eq!(is_of_start, matches!(name, b"FEN" | b"Variant"));
            self.tags.push((name.to_vec(), value.value().into_owned()));
            Flow::Continue(())
        }

        fn end_game(&mut self, _: RawGame<'_>) {}
    }

    #[test]
    fn tags_are_read_from_the_text() {
        let names = [
            "Event",
            "Site",
            "A",
            "ECO",
            "Date",
            "Variant",
            "WhiteRatingDiff",
            "FEN",
            "Opening",
            "Opened",
            "WhiteRatingDiffers",
            "WhiteTatingDiffers",
        ];
        let values = [
            "",
            "x",
            r#"a \"b\" c"#,
            r"\\",
            "caf\u{e9}",
            "2017.08.30",
            r"a\b",
        ];
        let mut random = testkit::Random::new(3);
        let mut text = String::new();
        for _ in 0..500 {
            let shift = random.below(3);
            for i in 0..random.below(12) {
                // Most are where they were.
                let name = names[(i + shift / 2) % names.len()];
                let value = values[random.below(values.len())];
                let space = ["", " ", "\n"][random.below(20).min(2)];
                text.push_str(&format!("[{name} \"{value}\"]\n{space}"));
            }
            text.push_str("\n1. e4 *\n\n");
        }
        let mut reader = Reader::from_slice(text.as_bytes());
        let mut twin = Twin::default();
        let mut last: Vec<Vec<u8>> = Vec::new();
        let (mut again, mut ascii) = (0, 0);
        while reader.read_game(&mut twin).unwrap().is_some() {
            let text = reader.last_game().bytes;
            let tags: Vec<_> = twin.notes.iter(text).collect();
            let tags = tags
                .iter()
                .map(|(name, value)| (name.name.clone(), value.to_vec()));
            assert_eq!(tags.collect::<Vec<_>>(), twin.tags);
            let now: Vec<_> = twin.notes.names().map(|name| name.name.clone()).collect();
            assert_eq!(twin.notes.are_again(), now == last);
            again += usize::from(now == last);
            let is_ascii = twin.tags.iter().all(|(_, value)| value.is_ascii());
            assert_eq!(twin.notes.are_ascii(text), is_ascii);
            ascii += usize::from(is_ascii);
            last = now;
        }
        assert!(again > 10 && ascii > 10, "{again} {ascii}");
    }

    #[test]
    fn very_many_tags_are_forgotten() {
        let many: String = (0..1000).map(|i| format!("[T{i} \"\"]\n")).collect();
        let text = format!("{many}\n1. e4 *\n\n{many}\n1. e4 *\n\n[A \"\"]\n\n1. e4 *\n");
        let mut reader = Reader::from_slice(text.as_bytes());
        let mut twin = Twin::default();
        for (count, names) in [(1000, 1000), (1000, 1000), (1, 1)] {
            reader.read_game(&mut twin).unwrap();
            assert_eq!((twin.notes.len(), twin.notes.names.len()), (count, names));
            assert!(!twin.notes.are_again());
        }
    }

    #[test]
    fn only_the_same_name_is_the_same() {
        let names = [
            "", "A", "AB", "Date", "Dates", "Event", "Events1", "WhiteElo", "BlackElo",
        ];
        let long = [
            "WhiteRatingDiff",
            "WhiteTatingDiff",
            "WhiteRatingDiffers",
            "WhiteTatingDiffers",
        ];
        for one in names.iter().chain(&long) {
            for two in names.iter().chain(&long) {
                let is_same = TagName::new(one.as_bytes()).is(two.as_bytes());
                assert_eq!(is_same, one == two, "{one} {two}");
            }
        }
    }
}
