//! The order of the tags of a game, ready to be written.

use super::room::{Room, Strip};
use super::tag_column;

/// One tag of an order.
#[derive(Clone, Debug)]
pub(crate) struct OrderEntry {
    pub(crate) name: Vec<u8>,
    /// `[Event "`, as far as it goes in.
    opening: [u8; OPENING],
    pub(crate) column: Option<usize>,
    /// Whether no tag before it has this column.
    pub(crate) is_first: bool,
    pub(crate) is_derived: bool,
    /// Whether it is short, and not derived from others.
    pub(crate) is_usual: bool,
}

/// Long enough for the names of all tags that have columns.
pub(crate) const OPENING: usize = 24;

impl OrderEntry {
    fn new(stored: &str) -> OrderEntry {
        let (name, is_derived) = match stored.strip_suffix('=') {
            Some(name) => (name, true),
            None => (stored, false),
        };
        let mut opening = [0; OPENING];
        let text = [b"[", name.as_bytes(), b" \""].concat();
        for (place, byte) in opening.iter_mut().zip(&text) {
            *place = *byte;
        }
        OrderEntry {
            name: name.as_bytes().to_vec(),
            opening,
            column: tag_column::find(name.as_bytes()),
            is_first: false,
            is_derived,
            is_usual: !is_derived && text.len() <= OPENING,
        }
    }

    /// Writes what stands before the value of a tag that is usual.
    #[inline(always)]
    pub(crate) fn put_short_opening(&self, out: &mut Strip<'_>) {
        out.put_some(&self.opening, (self.name.len() + 3).min(OPENING));
    }

    /// Writes what stands before the value.
    #[inline(always)]
    pub(crate) fn put_opening(&self, out: &mut Room<'_>) {
        let length = self.name.len() + 3;
        if length <= OPENING {
            out.put_some(&self.opening, length);
        } else {
            for text in [b"[", &*self.name, b" \""] {
                out.put_text(text);
            }
        }
    }
}

/// The tags of a game in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct TagOrder {
    pub(crate) entries: Vec<OrderEntry>,
    /// Whether a tag among them may tell where the game starts.
    pub(crate) has_fen: bool,
}

impl TagOrder {
    fn new(stored: &str) -> TagOrder {
        let names = stored.split(' ').filter(|name| !name.is_empty());
        let mut entries: Vec<_> = names.map(OrderEntry::new).collect();
        let mut seen = 0u64;
        for entry in &mut entries {
            if let Some(column) = entry.column {
                entry.is_first = seen >> column & 1 == 0;
                seen |= 1 << column;
            }
        }
        TagOrder {
            entries,
            has_fen: stored.split(' ').any(is_fen),
        }
    }
}

/// The orders of a row group that were met, by their numbers: a collection has a few, in turn.
#[derive(Debug, Default)]
pub(crate) struct TagOrders {
    /// Where each is, by its number.
    places: Vec<Option<usize>>,
    orders: Vec<TagOrder>,
    /// How many tags they have.
    tags: usize,
}

/// With more tags than this all are forgotten: a file in which every game has an order of its own must
/// not fill the memory, nor one with many tags a game.
const MOST_TAGS: usize = 1 << 14;

/// Larger numbers are not remembered: a row group has no more rows, but a dictionary may lie.
pub(crate) const MOST_NUMBERS: usize = 1 << 17;

impl TagOrders {
    /// The order that has this number, and is stored as this text.
    #[inline]
    pub(crate) fn get(&mut self, stored: Option<(usize, &str)>) -> &TagOrder {
        static NONE: TagOrder = TagOrder {
            entries: Vec::new(),
            has_fen: false,
        };
        let Some((number, text)) = stored else {
            return &NONE;
        };
        let place = match self.places.get(number) {
            Some(Some(place)) => *place,
            _ => self.learn(number, text),
        };
        self.orders.get(place).unwrap_or(&NONE)
    }

    fn learn(&mut self, number: usize, text: &str) -> usize {
        if self.tags > MOST_TAGS {
            *self = TagOrders::default();
        }
        let place = self.orders.len();
        let order = TagOrder::new(text);
        self.tags += order.entries.len();
        self.orders.push(order);
        if self.places.len() <= number && number < MOST_NUMBERS {
            self.places.resize(number + 1, None);
        }
        if let Some(known) = self.places.get_mut(number) {
            *known = Some(place);
        }
        place
    }
}

pub(crate) fn is_fen(name: impl AsRef<[u8]>) -> bool {
    matches!(name.as_ref(), b"FEN" | b"Fen" | b"fen")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_is_what_its_text_says() {
        let mut orders = TagOrders::default();
        let long = "X".repeat(40);
        for round in 0..3 {
            for i in 0..MOST_TAGS / 4 + 10 {
                let stored = format!("Event T{i} {long} PlyCount=");
                let order = orders.get(Some((i + 2, &stored)));
                let mut text = Vec::new();
                let mut room = Room::behind(&mut text);
                for entry in &order.entries {
                    room.make();
                    entry.put_opening(&mut room);
                }
                drop(room);
                let text = String::from_utf8(text).unwrap();
                let expected = format!("[Event \"[T{i} \"[{long} \"[PlyCount \"");
                assert_eq!(text, expected, "round {round}");
                let derived: Vec<bool> = order.entries.iter().map(|e| e.is_derived).collect();
                assert_eq!(derived, [false, false, false, true]);
                assert!(orders.get(Some((0, "Event FEN"))).has_fen);
                assert!(orders.get(Some((1, ""))).entries.is_empty());
                assert!(orders.get(None).entries.is_empty());
                assert!(orders.tags <= MOST_TAGS + 4);
            }
        }
    }

    #[test]
    fn openings_of_all_columns_fit() {
        assert!(
            tag_column::TAGS
                .iter()
                .all(|tag| tag.tag.len() + 3 <= OPENING)
        );
    }
}
