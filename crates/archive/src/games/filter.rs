//! Which games are wanted, by their tags.

use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;
use std::borrow::Cow;

use chess::Color;
use pgn::Outcome;

use super::columns::Columns;
use super::game_view::{GameView, TagValue};
use super::read_at::ReadAt;
use super::reader::Archive;
use super::tag_column::TagKind;
use crate::game_date::GameDate;

/// The columns of texts whose bounds [`Filter::may_match`] asks for.
pub(crate) const BOUNDED_TEXTS: [&str; 3] = ["white", "black", "eco"];

/// What a game must be like. A game is wanted if all that is asked holds; an empty filter wants all.
///
/// ```
/// use scoresheet_archive::games::Filter;
/// let filter = Filter {
///     player: Some("carlsen".parse()?),
///     elo: Some("2700-".parse()?),
///     eco: Some("B90-B99".parse()?),
///     ..Filter::default()
/// };
/// assert!(filter.columns().contains("white_elo") && !filter.columns().contains("date"));
/// # Ok::<(), scoresheet_archive::games::FilterError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// White's name.
    pub white: Option<Name>,
    /// Black's name.
    pub black: Option<Name>,
    /// The name of either.
    pub player: Option<Name>,
    /// White's rating.
    pub white_elo: Option<Ratings>,
    /// Black's rating.
    pub black_elo: Option<Ratings>,
    /// The ratings of both.
    pub elo: Option<Ratings>,
    /// The date: certainly within.
    pub date: Option<Dates>,
    /// The result.
    pub result: Option<Outcome>,
    /// The opening.
    pub eco: Option<Ecos>,
    /// The identity that a site has given the game: the tag `GameId`, or the end of the address in
    /// `Site` or `Link`.
    pub id: Option<String>,
}

impl Filter {
    /// Whether all games are wanted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Filter::default()
    }

    /// The columns that must be read to tell.
    #[must_use]
    pub fn columns(&self) -> Columns {
        let sets = [
            (self.white.is_some() || self.player.is_some(), "white"),
            (self.black.is_some() || self.player.is_some(), "black"),
            (self.white_elo.is_some() || self.elo.is_some(), "white_elo"),
            (self.black_elo.is_some() || self.elo.is_some(), "black_elo"),
            (self.date.is_some(), "date"),
            (self.date.is_some(), "utc_date"),
            (self.result.is_some(), "result"),
            (self.eco.is_some(), "eco"),
        ];
        let mut columns = Columns::NONE;
        for (_, name) in sets.into_iter().filter(|(is_asked, _)| *is_asked) {
            columns = columns | Columns::named(name).unwrap_or(Columns::NONE);
        }
        if self.id.is_some() {
            columns = columns | Columns::tag("Site") | Columns::tag("GameId");
        }
        columns
    }

    /// Whether a game is wanted. What is unknown is not wanted.
    #[must_use]
    pub fn matches(&self, game: GameView<'_>) -> bool {
        self.fits(&game)
    }

    /// Whether a game of PGN is wanted; `tag` gives the values of its tags.
    ///
    /// ```
    /// use scoresheet_archive::games::Filter;
    /// let filter = Filter { white: Some("ann".parse()?), ..Filter::default() };
    /// assert!(filter.matches_tags(|tag| (tag == "White").then(|| "Ann".into())));
    /// assert!(!filter.matches_tags(|tag| (tag == "Black").then(|| "Ann".into())));
    /// # Ok::<(), scoresheet_archive::games::FilterError>(())
    /// ```
    #[must_use]
    pub fn matches_tags<'t>(&self, tag: impl Fn(&str) -> Option<Cow<'t, str>>) -> bool {
        self.fits(&Tags(tag, PhantomData))
    }

    fn fits(&self, game: &impl Tagged) -> bool {
        let name = |wanted: &Option<Name>, side| {
            wanted
                .as_ref()
                .is_none_or(|name| game.player(side).is_some_and(|found| name.matches(&found)))
        };
        let rating = |wanted: Option<Ratings>, side| {
            wanted.is_none_or(|wanted| game.elo(side).is_some_and(|elo| wanted.contains(elo)))
        };
        let (white, black) = (Color::White, Color::Black);
        name(&self.white, white)
            && name(&self.black, black)
            && (name(&self.player, white) || name(&self.player, black))
            && rating(self.white_elo, white)
            && rating(self.black_elo, black)
            && rating(self.elo, white)
            && rating(self.elo, black)
            && self
                .date
                .is_none_or(|dates| game.date().is_some_and(|date| dates.contain_date(date)))
            && self
                .result
                .is_none_or(|result| game.result() == Some(result))
            && self
                .eco
                .is_none_or(|ecos| game.eco().is_some_and(|eco| ecos.contain(&eco)))
            && self.id.as_ref().is_none_or(|id| has_id(game, id))
    }

    /// Whether a row group can have such games, as far as the footer tells.
    #[must_use]
    pub fn may_match<F: ReadAt>(&self, archive: &Archive<F>, row_group: usize) -> bool {
        let rating = |wanted: Option<Ratings>, column| {
            wanted.is_none_or(|wanted| {
                let bounds = archive.number_bounds(row_group, column);
                bounds.may_overlap(&clamped(wanted.least), &clamped(wanted.most))
            })
        };
        let name = |wanted: &Option<Name>, column| {
            let exact = wanted.as_ref().and_then(|name| name.exact.as_deref());
            exact.is_none_or(|exact| {
                let bounds = archive.text_bounds(row_group, column);
                bounds.may_overlap(&exact.as_bytes(), &exact.as_bytes())
            })
        };
        let date = |dates: Dates, column| {
            // Numbers of dates with unknown parts are lower than those of their days.
            let least = clamped(dates.first / 10_000 * 10_000);
            let bounds = archive.number_bounds(row_group, column);
            bounds.may_overlap(&least, &clamped(dates.last))
        };
        let eco = |ecos: Ecos| {
            let last = [&ecos.last[..], &[0xff; 8]].concat();
            let bounds = archive.text_bounds(row_group, "eco");
            bounds.may_overlap(&&ecos.first[..], &&last[..])
        };
        rating(self.white_elo, "white_elo")
            && rating(self.black_elo, "black_elo")
            && rating(self.elo, "white_elo")
            && rating(self.elo, "black_elo")
            && name(&self.white, "white")
            && name(&self.black, "black")
            && (name(&self.player, "white") || name(&self.player, "black"))
            && self
                .date
                .is_none_or(|dates| date(dates, "date") || date(dates, "utc_date"))
            && self.eco.is_none_or(eco)
    }
}

fn clamped(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

fn has_id(game: &impl Tagged, id: &str) -> bool {
    let is_end = |address: Cow<'_, str>| {
        let address = address.trim_end_matches('/');
        let end = address.rsplit(['/', '?', '=']).next();
        end == Some(id)
    };
    game.text("GameId").is_some_and(|own| own == id)
        || game.text("Site").is_some_and(is_end)
        || game.text("Link").is_some_and(is_end)
}

/// A game with tags: in an archive, or as text.
trait Tagged {
    fn text(&self, tag: &str) -> Option<Cow<'_, str>>;
    fn player(&self, side: Color) -> Option<Cow<'_, str>>;
    fn elo(&self, side: Color) -> Option<u32>;
    fn date(&self) -> Option<GameDate>;
    fn result(&self) -> Option<Outcome>;
    fn eco(&self) -> Option<Cow<'_, str>>;
}

impl Tagged for GameView<'_> {
    fn text(&self, tag: &str) -> Option<Cow<'_, str>> {
        match GameView::tag(*self, tag) {
            Some(TagValue::Text(text)) => Some(text.into()),
            _ => None,
        }
    }

    fn player(&self, side: Color) -> Option<Cow<'_, str>> {
        let player = match side {
            Color::White => self.white(),
            Color::Black => self.black(),
        };
        player.map(Cow::from)
    }

    fn elo(&self, side: Color) -> Option<u32> {
        match side {
            Color::White => self.white_elo(),
            Color::Black => self.black_elo(),
        }
    }

    fn date(&self) -> Option<GameDate> {
        GameView::date(*self)
    }

    fn result(&self) -> Option<Outcome> {
        GameView::result(*self)
    }

    fn eco(&self) -> Option<Cow<'_, str>> {
        GameView::eco(*self).map(Cow::from)
    }
}

/// The tags of a text.
struct Tags<'t, F>(F, PhantomData<&'t str>);

impl<'t, F: Fn(&str) -> Option<Cow<'t, str>>> Tagged for Tags<'t, F> {
    fn text(&self, tag: &str) -> Option<Cow<'_, str>> {
        (self.0)(tag)
    }

    fn player(&self, side: Color) -> Option<Cow<'_, str>> {
        self.text(match side {
            Color::White => "White",
            Color::Black => "Black",
        })
    }

    fn elo(&self, side: Color) -> Option<u32> {
        let elo = self.text(match side {
            Color::White => "WhiteElo",
            Color::Black => "BlackElo",
        });
        elo?.parse().ok()
    }

    fn date(&self) -> Option<GameDate> {
        let date = |tag| TagKind::Date.parse(self.text(tag)?.as_bytes());
        GameDate::from_number(date("Date").or_else(|| date("UTCDate"))?)
    }

    fn result(&self) -> Option<Outcome> {
        Outcome::parse(self.text("Result")?.as_bytes())
    }

    fn eco(&self) -> Option<Cow<'_, str>> {
        self.text("ECO")
    }
}

/// What was given for a part of a [`Filter`], and is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FilterError {
    found: String,
    expected: &'static str,
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found: String = self.found.chars().take(60).collect();
        write!(
            f,
            "\"{}\", expected {}",
            found.escape_debug(),
            self.expected
        )
    }
}

impl core::error::Error for FilterError {}

/// A name: every word of it must be part of the name of the player, in any case and order. After `=`
/// the name must be exactly this.
///
/// ```
/// use scoresheet_archive::games::Name;
/// let name: Name = "magnus CARLSEN".parse()?;
/// assert!(name.matches("Carlsen, Magnus") && !name.matches("Carlsen, Henrik"));
/// let name: Name = "=Carlsen, M".parse()?;
/// assert!(name.matches("Carlsen, M") && !name.matches("Carlsen, Magnus"));
/// # Ok::<(), scoresheet_archive::games::FilterError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    exact: Option<String>,
    words: Vec<String>,
}

impl FromStr for Name {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Name, FilterError> {
        if let Some(exact) = text.strip_prefix('=') {
            return Ok(Name {
                exact: Some(exact.to_owned()),
                words: Vec::new(),
            });
        }
        let words = text.split(|c: char| c == ',' || c.is_whitespace());
        let words = words.filter(|word| !word.is_empty());
        let words: Vec<String> = words.map(str::to_lowercase).collect();
        if words.is_empty() {
            return Err(FilterError {
                found: text.to_owned(),
                expected: "part of a name",
            });
        }
        Ok(Name { exact: None, words })
    }
}

impl Name {
    /// Whether a player has this name.
    #[must_use]
    pub fn matches(&self, player: &str) -> bool {
        match &self.exact {
            Some(exact) => exact == player,
            None => self.words.iter().all(|word| contains(player, word)),
        }
    }
}

/// Whether a text contains a word, which is in lower case.
fn contains(text: &str, word: &str) -> bool {
    text.char_indices().any(|(i, _)| {
        let rest = text.get(i..).unwrap_or_default();
        let mut lower = rest.chars().flat_map(char::to_lowercase);
        word.chars().all(|c| lower.next() == Some(c))
    })
}

/// Splits `a-b`, `a-`, `-b` or `a`; `None` for an end that is open.
fn ends(text: &str) -> (Option<&str>, Option<&str>) {
    let some = |text: &'_ str| !text.is_empty();
    match text.split_once('-') {
        Some((first, last)) => (
            Some(first.trim()).filter(|text| some(text)),
            Some(last.trim()).filter(|text| some(text)),
        ),
        None => (Some(text.trim()), Some(text.trim())),
    }
}

/// Ratings from one to another: `2500`, `2400-2600`, `2500-`, `-1800`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ratings {
    least: u32,
    most: u32,
}

impl Ratings {
    /// Whether a rating is one of them.
    #[must_use]
    pub fn contains(self, rating: u32) -> bool {
        (self.least..=self.most).contains(&rating)
    }
}

impl FromStr for Ratings {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Ratings, FilterError> {
        let error = || FilterError {
            found: text.to_owned(),
            expected: "ratings such as 2500, 2400-2600, 2500- or -1800",
        };
        let (least, most) = ends(text);
        if least.is_none() && most.is_none() {
            return Err(error());
        }
        let number = |text: Option<&str>, open| match text {
            None => Ok(open),
            Some(text) => text.parse().map_err(|_| error()),
        };
        let (least, most) = (number(least, 0)?, number(most, u32::MAX)?);
        if least > most {
            return Err(error());
        }
        Ok(Ratings { least, most })
    }
}

/// Days from one to another: `1999`, `1990-2000`, `1999.05-1999.06.15`, `2010-`, `-1899`. A date of
/// which parts are unknown is among them if every day that it can be is.
///
/// ```
/// use scoresheet_archive::games::{Dates, GameDate};
/// let dates: Dates = "1990-1999.06".parse()?;
/// let in_year = |year| GameDate { year, month: 0, day: 0 };
/// assert!(dates.contain_date(in_year(1998)) && !dates.contain_date(in_year(1999)));
/// # Ok::<(), scoresheet_archive::games::FilterError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dates {
    first: u32,
    last: u32,
}

impl Dates {
    /// Whether a date is certainly among them.
    #[must_use]
    pub fn contain_date(self, date: GameDate) -> bool {
        date.year > 0 && date.first_day() >= self.first && date.last_day() <= self.last
    }
}

impl FromStr for Dates {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Dates, FilterError> {
        let error = || FilterError {
            found: text.to_owned(),
            expected: "dates such as 1999, 1990-2000, 1999.05.31- or -1899",
        };
        let day = |text: &str| -> Option<GameDate> {
            let mut parts = text.split('.');
            let year = parts.next()?;
            let year = year
                .parse()
                .ok()
                .filter(|&year| year > 0 && year < 10_000)?;
            let mut part = |most: u8| match parts.next() {
                None => Some(0),
                Some(part) => part.parse().ok().filter(|part| (1..=most).contains(part)),
            };
            let date = GameDate {
                year,
                month: part(12)?,
                day: part(31)?,
            };
            parts.next().is_none().then_some(date)
        };
        let (first, last) = ends(text);
        if first.is_none() && last.is_none() {
            return Err(error());
        }
        let first = match first {
            None => 0,
            Some(text) => day(text).ok_or_else(error)?.first_day(),
        };
        let last = match last {
            None => u32::MAX,
            Some(text) => day(text).ok_or_else(error)?.last_day(),
        };
        if first > last {
            return Err(error());
        }
        Ok(Dates { first, last })
    }
}

/// Openings by their codes: `B`, `B9`, `B90`, `B90-B99`, `C-D5`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ecos {
    first: [u8; 3],
    last: [u8; 3],
}

impl Ecos {
    /// Whether a code, of which the first three characters count, is one of them.
    #[must_use]
    pub fn contain(self, code: &str) -> bool {
        let code = code.as_bytes().first_chunk::<3>();
        code.is_some_and(|code| (self.first..=self.last).contains(code))
    }
}

impl FromStr for Ecos {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Ecos, FilterError> {
        let error = || FilterError {
            found: text.to_owned(),
            expected: "codes of openings such as B90, B9, B90-B99 or C-E",
        };
        let code = |text: &str, fill: u8| -> Option<[u8; 3]> {
            let is_code = |text: &[u8]| {
                let (letter, digits) = text.split_first().unwrap_or((&0, &[]));
                matches!(letter, b'A'..=b'E') && digits.iter().all(u8::is_ascii_digit)
            };
            let text = text.to_ascii_uppercase();
            let text = text.as_bytes();
            let mut code = [fill; 3];
            code.get_mut(..text.len())?.copy_from_slice(text);
            is_code(text).then_some(code)
        };
        let (first, last) = ends(text);
        if first.is_none() && last.is_none() {
            return Err(error());
        }
        let first = code(first.unwrap_or("A"), b'0').ok_or_else(error)?;
        let last = code(last.unwrap_or("E"), b'9').ok_or_else(error)?;
        if first > last {
            return Err(error());
        }
        Ok(Ecos { first, last })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameDate;

    #[test]
    fn names_match_in_any_case_and_order() {
        let name = |text: &str| text.parse::<Name>().unwrap();
        assert!(name("ÉRIC").matches("Prié, Éric"));
        assert!(name("prié").matches("PRIÉ, Éric"));
        assert!(name("a b").matches("b, a"));
        assert!(!name("ab").matches("a b"));
        assert!(!name("Anderssen").matches(""));
        assert!(" , ".parse::<Name>().is_err());
        assert!(name("=").matches("") && !name("=").matches("x"));
    }

    #[test]
    fn ranges_are_open_closed_or_refused() {
        let ratings = |text: &str| text.parse::<Ratings>().ok().map(|r| (r.least, r.most));
        assert_eq!(ratings("2500"), Some((2500, 2500)));
        assert_eq!(ratings("2500-"), Some((2500, u32::MAX)));
        assert_eq!(ratings("-1800"), Some((0, 1800)));
        assert_eq!(ratings("2400 - 2600"), Some((2400, 2600)));
        for bad in ["", "-", "x", "2600-2400", "1-2-3", "99999999999"] {
            assert_eq!(ratings(bad), None, "{bad}");
        }
        let dates = |text: &str| text.parse::<Dates>().ok().map(|d| (d.first, d.last));
        assert_eq!(dates("1999"), Some((19_990_101, 19_991_231)));
        assert_eq!(dates("1999.05-2000.06.07"), Some((19_990_501, 20_000_607)));
        assert_eq!(dates("-1899"), Some((0, 18_991_231)));
        for bad in [
            "",
            "-",
            "1999.13",
            "1999.1.32",
            "2000-1999",
            "1999.1.1.1",
            "0",
            "10000",
        ] {
            assert_eq!(dates(bad), None, "{bad}");
        }
        let ecos = |text: &str| text.parse::<Ecos>().ok().map(|e| (e.first, e.last));
        assert_eq!(ecos("b9"), Some((*b"B90", *b"B99")));
        assert_eq!(ecos("B90-B99"), Some((*b"B90", *b"B99")));
        assert_eq!(ecos("C-"), Some((*b"C00", *b"E99")));
        for bad in ["", "-", "F00", "B9x", "B900", "C-B", "9"] {
            assert_eq!(ecos(bad), None, "{bad}");
        }
        assert!("B90".parse::<Ecos>().unwrap().contain("B90i"));
        assert!(!"B90".parse::<Ecos>().unwrap().contain("B9"));
        let error = "x".parse::<Ratings>().unwrap_err().to_string();
        assert_eq!(
            error,
            "\"x\", expected ratings such as 2500, 2400-2600, 2500- or -1800"
        );
    }

    #[test]
    fn unknown_parts_of_a_date_must_all_fit() {
        let dates: Dates = "1990-1999.06".parse().unwrap();
        let date = |year, month, day| GameDate { year, month, day };
        for (date, is_in) in [
            (date(1990, 0, 0), true),
            (date(1989, 12, 31), false),
            (date(1999, 6, 30), true),
            (date(1999, 6, 0), true),
            (date(1999, 0, 0), false),
            (date(0, 5, 5), false),
        ] {
            assert_eq!(dates.contain_date(date), is_in, "{date}");
        }
    }
}
