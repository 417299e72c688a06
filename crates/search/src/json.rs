//! Queries as JSON documents.

use chess::Color;
use pgn::Outcome;
use serde_json::{Map, Value};

use crate::condition::{Condition, Pawns, Roles};
use crate::query::{MOST_CONDITIONS, Query, Step};
use crate::{Event, Imbalance, Material, MovePattern, Path, Pattern, QueryError};

/// A document is no longer than this.
const LONGEST: usize = 1 << 20;

impl Query {
    /// Reads a query from JSON. Rules: `fen`, `sub-fen`, `pawns`, `material`, `imbalance`,
    /// `white-move`, `black-move`, `move`, `moved`, `captured`, `stm`, `event`, `pass`; a list of
    /// values means any of them. `sequence` is a list of such conditions for later and later
    /// moments, `streak` one for consecutive ones; `path` and `moves` are as on the command line,
    /// and `for` is how many plies in a row a condition must hold. `result`, `result-type`,
    /// `mirror`, `flip-colors`, `skip` and `limit` are about the whole game or query.
    ///
    /// ```
    /// use scoresheet_search::Query;
    /// Query::parse_json(r#"{ "streak": [ { "imbalance": "vP" }, { "imbalance": "vP" } ] }"#)?;
    /// let error = Query::parse_json(r#"{ "material": "KXvK" }"#).unwrap_err();
    /// assert_eq!((error.part.as_str(), error.at), ("material", 1));
    /// # Ok::<(), scoresheet_search::QueryError>(())
    /// ```
    ///
    /// # Errors
    /// [`QueryError`] with the rule and the place in its text.
    pub fn parse_json(text: &str) -> Result<Query, QueryError> {
        if text.len() > LONGEST {
            let expected = format!("no more than {LONGEST} bytes");
            return Err(QueryError::new("query", "", 0, expected));
        }
        let value: Value = serde_json::from_str(text).map_err(|error| {
            let lines = text
                .split_inclusive('\n')
                .take(error.line().saturating_sub(1));
            let before: usize = lines.map(|line| line.chars().count()).sum();
            let at = before + error.column().saturating_sub(1);
            QueryError::new("query", text, at, format!("JSON ({error})"))
        })?;
        let mut query = Query::default();
        query.read(&value, true)?;
        Ok(query)
    }

    fn read(&mut self, value: &Value, is_top: bool) -> Result<(), QueryError> {
        let mut rules = object("query", value)?.clone();
        self.read_frame(&mut rules)?;
        let mut steps = Vec::new();
        for name in ["sequence", "streak", "path", "moves"] {
            if let Some(value) = rules.remove(name) {
                steps.push((name, value));
            }
        }
        if steps.is_empty() || !rules.is_empty() {
            if !steps.is_empty() {
                let expected =
                    "no rules beside a sequence, a streak, a path or moves; put them inside";
                let found = rules.keys().next().map_or("", String::as_str);
                return Err(QueryError::new("query", found, 0, expected));
            }
            return self.read_condition(rules);
        }
        for (name, value) in steps {
            match name {
                "sequence" if is_top => {
                    for value in list(name, &value)? {
                        self.read(value, false)?;
                    }
                }
                "streak" => {
                    let mut streak = Vec::new();
                    for value in list(name, &value)? {
                        let mut rules = object(name, value)?.clone();
                        self.read_frame(&mut rules)?;
                        streak.push(condition(rules)?);
                    }
                    self.push(Step::Streak(streak))?;
                }
                "path" => self.push(Step::Path(Path::parse(string(name, &value)?)?))?,
                "moves" => self.push_moves(string(name, &value)?)?,
                _ => {
                    let expected = "no sequence within a sequence";
                    return Err(QueryError::new("sequence", "", 0, expected));
                }
            }
        }
        Ok(())
    }

    fn read_condition(&mut self, mut rules: Map<String, Value>) -> Result<(), QueryError> {
        let plies = match rules.remove("for") {
            None => 1,
            Some(value) => {
                let plies = value.as_u64().and_then(|plies| usize::try_from(plies).ok());
                let plies = plies.filter(|plies| (1..=MOST_CONDITIONS).contains(plies));
                plies.ok_or_else(|| {
                    let expected = format!("a number of plies from 1 to {MOST_CONDITIONS}");
                    QueryError::new("for", &value.to_string(), 0, expected)
                })?
            }
        };
        let condition = condition(rules)?;
        self.push(Step::Streak(vec![condition; plies]))
    }

    /// What is about the whole game or query, wherever it stands.
    fn read_frame(&mut self, rules: &mut Map<String, Value>) -> Result<(), QueryError> {
        if let Some(value) = rules.remove("result") {
            for text in strings("result", &value)? {
                let outcome = Outcome::parse(text.as_bytes());
                let expected = "1-0, 0-1, 1/2-1/2 or *";
                let outcome =
                    outcome.ok_or_else(|| QueryError::new("result", text, 0, expected))?;
                self.results.push(outcome);
            }
        }
        if let Some(value) = rules.remove("result-type") {
            let text = string("result-type", &value)?;
            self.ending = Some(match text {
                "mate" | "checkmate" => Event::Checkmate,
                "stalemate" => Event::Stalemate,
                _ => {
                    let expected = "mate or stalemate";
                    return Err(QueryError::new("result-type", text, 0, expected));
                }
            });
        }
        for (name, flag) in [
            ("mirror", &mut self.mirror),
            ("flip-colors", &mut self.flip_colors),
        ] {
            if let Some(value) = rules.remove(name) {
                let is_set = value.as_bool();
                let fail = || QueryError::new(name, &value.to_string(), 0, "true or false");
                *flag = is_set.ok_or_else(fail)?;
            }
        }
        for name in ["skip", "limit"] {
            if let Some(value) = rules.remove(name) {
                let fail = || QueryError::new(name, &value.to_string(), 0, "a number of games");
                let games = value.as_u64().ok_or_else(fail)?;
                if name == "skip" {
                    self.skip = games;
                } else {
                    self.limit = Some(games);
                }
            }
        }
        Ok(())
    }
}

/// Reads the rules of one moment.
fn condition(rules: Map<String, Value>) -> Result<Condition, QueryError> {
    let mut condition = Condition::default();
    for (name, value) in &rules {
        match name.as_str() {
            "fen" => condition
                .patterns
                .extend(parsed(name, value, Pattern::parse_fen)?),
            "sub-fen" => condition
                .patterns
                .extend(parsed(name, value, Pattern::parse_sub_fen)?),
            "pawns" => condition.pawns = parsed(name, value, Pawns::parse)?,
            "material" => condition.material = parsed(name, value, Material::parse)?,
            "imbalance" => condition.imbalance = parsed(name, value, Imbalance::parse)?,
            "move" => condition
                .moves
                .push(parsed(name, value, MovePattern::parse)?),
            "white-move" => condition.moves.push(moves_of(Color::White, name, value)?),
            "black-move" => condition.moves.push(moves_of(Color::Black, name, value)?),
            "moved" => condition.moved = Some(Roles::parse(name, string(name, value)?)?),
            "captured" => condition.captured = Some(Roles::parse(name, string(name, value)?)?),
            "stm" => {
                let text = string(name, value)?;
                condition.turn = Some(match text.to_ascii_lowercase().as_str() {
                    "white" | "w" => Color::White,
                    "black" | "b" => Color::Black,
                    _ => return Err(QueryError::new(name, text, 0, "white or black")),
                });
            }
            "event" => {
                condition.events = parsed(name, value, |text| {
                    let event = text.parse();
                    event
                        .map_err(|known: crate::UnknownEvent| QueryError::new(name, text, 0, known))
                })?;
            }
            "pass" => {}
            _ => {
                let expected = "a rule: fen, sub-fen, pawns, material, imbalance, white-move, black-move, \
                    move, moved, captured, stm, event, pass, sequence, streak, path, moves, for, result, \
                    result-type, mirror, flip-colors, skip or limit";
                return Err(QueryError::new("query", name, 0, expected));
            }
        }
    }
    Ok(condition)
}

fn moves_of(color: Color, name: &str, value: &Value) -> Result<Vec<MovePattern>, QueryError> {
    let moves = parsed(name, value, MovePattern::parse)?;
    Ok(moves.into_iter().map(|pattern| pattern.of(color)).collect())
}

/// The value, or each of a list of values.
fn parsed<T>(
    name: &str,
    value: &Value,
    parse: impl Fn(&str) -> Result<T, QueryError>,
) -> Result<Vec<T>, QueryError> {
    let parse = |text| {
        parse(text).map_err(|error| QueryError {
            part: name.to_owned(),
            ..error
        })
    };
    strings(name, value)?.into_iter().map(parse).collect()
}

fn strings<'v>(name: &str, value: &'v Value) -> Result<Vec<&'v str>, QueryError> {
    match value {
        Value::Array(values) if !values.is_empty() => {
            values.iter().map(|value| string(name, value)).collect()
        }
        _ => Ok(vec![string(name, value)?]),
    }
}

fn string<'v>(name: &str, value: &'v Value) -> Result<&'v str, QueryError> {
    let fail = || QueryError::new(name, &value.to_string(), 0, "a text in quotes");
    value.as_str().ok_or_else(fail)
}

fn list<'v>(name: &str, value: &'v Value) -> Result<&'v [Value], QueryError> {
    let values = value.as_array().filter(|values| !values.is_empty());
    let fail = || QueryError::new(name, &value.to_string(), 0, "a list of conditions");
    Ok(values.ok_or_else(fail)?)
}

fn object<'v>(name: &str, value: &'v Value) -> Result<&'v Map<String, Value>, QueryError> {
    let fail = || QueryError::new(name, &value.to_string(), 0, "rules in braces");
    value.as_object().ok_or_else(fail)
}
