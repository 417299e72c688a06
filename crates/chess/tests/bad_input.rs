//! Bad and odd texts from `testdata/`, each with what must come of it beside it; and every error
//! there is, produced by one of them.

use std::fmt::Write as _;
use std::path::Path;

use scoresheet_chess::{
    Bitboard, Epd, EpdExpected, FenExpected, ParseEpdError, ParseFenError, ParseSanError,
    ParseUciError, Position, SanExpected, SetupFault, SetupFaults, UciExpected,
};

/// The fields of every line of a file. ` | ` parts them; nothing is trimmed.
fn lines(name: &str) -> Vec<Vec<String>> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata");
    let path = Path::new(root).join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(" | ").map(str::to_owned).collect())
        .collect()
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        match (first, tail.first()) {
            (b'\\', Some(b's')) => bytes.push(b' '),
            (b'\\', Some(b't')) => bytes.push(b'\t'),
            (b'\\', Some(b'n')) => bytes.push(b'\n'),
            (b'\\', Some(b'x')) => {
                let digits = std::str::from_utf8(&tail[1..3]).expect("two digits");
                bytes.push(u8::from_str_radix(digits, 16).expect("two digits"));
                rest = &tail[2..];
            }
            _ => {
                bytes.push(first);
                continue;
            }
        }
        rest = &rest[1..];
    }
    bytes
}

fn string(text: &str) -> String {
    String::from_utf8(unescape(text)).expect("texts of FEN and EPD are UTF-8")
}

fn position(fen: &str) -> Position {
    match fen {
        "start" => Position::START,
        _ => fen.parse().unwrap_or_else(|e| panic!("{fen}: {e}")),
    }
}

/// Collects all differences, so that a change shows all it changed.
#[derive(Default)]
struct Report {
    seen: Vec<String>,
    wrong: String,
}

impl Report {
    fn compare(&mut self, case: &str, found: String, expected: &str) {
        if found != expected {
            let _ = writeln!(
                self.wrong,
                "{case}\n  found    {found}\n  expected {expected}"
            );
        }
        self.seen.push(found);
    }

    /// Each of these names is the begin of some answer.
    fn finish<T: std::fmt::Debug>(&self, prefix: &str, names: &[T]) {
        assert!(self.wrong.is_empty(), "\n{}", self.wrong);
        for name in names {
            let name = format!("{prefix}{name:?}");
            let is_name = |found: &String| {
                let rest = found.strip_prefix(name.as_str());
                rest.is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
            };
            assert!(self.seen.iter().any(is_name), "no case gives {name}");
        }
    }
}

fn faults(faults: SetupFaults) -> String {
    let names: Vec<String> = faults.iter().map(|fault| format!("{fault:?}")).collect();
    names.join("+")
}

fn list(squares: Bitboard) -> String {
    let names: Vec<String> = squares.into_iter().map(|s| s.to_string()).collect();
    names.join(" ")
}

#[test]
fn bad_fens_are_refused_with_the_fault_named() {
    let mut report = Report::default();
    for line in lines("fen/invalid.txt") {
        let [expected, text] = &line[..] else {
            panic!("{line:?}")
        };
        let found = match string(text).parse::<Position>() {
            Ok(position) => format!("accepted as {position}"),
            Err(ParseFenError::Syntax(e)) => {
                assert_eq!(e.found, unescape(text).get(e.offset).copied());
                format!("{:?}@{}", e.expected, e.offset)
            }
            Err(ParseFenError::Setup(found)) => faults(found),
        };
        report.compare(text, found, expected);
    }
    report.finish("", &FenExpected::ALL);
    report.finish("", &SetupFault::ALL);
}

#[test]
fn good_fens_are_accepted_and_written_in_one_way() {
    for line in lines("fen/valid.txt") {
        let [text, expected] = &line[..] else {
            panic!("{line:?}")
        };
        let expected = if expected == "=" { text } else { expected };
        assert_eq!(position(text).to_string(), *expected);
    }
}

fn san_error(error: ParseSanError) -> String {
    assert!(!error.to_string().is_empty());
    match error {
        ParseSanError::Syntax {
            offset, expected, ..
        } => format!("Syntax {expected:?}@{offset}"),
        ParseSanError::NullMove => "NullMove".into(),
        ParseSanError::NoSuchMove { role, to } => format!("NoSuchMove {role:?} {to}"),
        ParseSanError::LeavesKingInCheck { role, to, origins } => {
            format!("LeavesKingInCheck {role:?} {to} from {}", list(origins))
        }
        ParseSanError::Ambiguous { role, to, origins } => {
            format!("Ambiguous {role:?} {to} from {}", list(origins))
        }
        ParseSanError::IllegalCastling { side } => format!("IllegalCastling {side:?}"),
        ParseSanError::PromotionMissing { to } => format!("PromotionMissing {to}"),
        ParseSanError::PromotionNotPossible { to } => format!("PromotionNotPossible {to}"),
        _ => panic!("name the new error here and in the test: {error:?}"),
    }
}

#[test]
fn bad_san_is_refused_with_the_reason() {
    let mut report = Report::default();
    for line in lines("san/bad.txt") {
        let [fen, text, expected] = &line[..] else {
            panic!("{line:?}")
        };
        let bytes = unescape(text);
        let found = match position(fen).parse_san(&bytes) {
            Ok(m) => format!("read as {m:?}"),
            Err(error) => {
                if let ParseSanError::Syntax { offset, found, .. } = error {
                    assert_eq!(found, bytes.get(offset).copied(), "{text}");
                }
                san_error(error)
            }
        };
        report.compare(&format!("{fen} | {text}"), found, expected);
    }
    report.finish("Syntax ", &SanExpected::ALL);
    let kinds = [
        "NullMove",
        "NoSuchMove",
        "LeavesKingInCheck",
        "Ambiguous",
        "IllegalCastling",
        "PromotionMissing",
        "PromotionNotPossible",
    ];
    for kind in kinds {
        assert!(report.seen.iter().any(|s| s.starts_with(kind)), "{kind}");
    }
}

#[test]
fn odd_san_is_read() {
    let mut report = Report::default();
    for line in lines("san/odd.txt") {
        let [fen, text, expected] = &line[..] else {
            panic!("{line:?}")
        };
        let position = position(fen);
        let found = match position.parse_san(&unescape(text)) {
            Ok(m) => position.san(m).to_string(),
            Err(error) => error.to_string(),
        };
        report.compare(&format!("{fen} | {text}"), found, expected);
    }
    report.finish::<()>("", &[]);
}

fn uci_error(error: ParseUciError) -> String {
    assert!(!error.to_string().is_empty());
    match error {
        ParseUciError::Syntax {
            offset, expected, ..
        } => format!("Syntax {expected:?}@{offset}"),
        ParseUciError::NullMove => "NullMove".into(),
        ParseUciError::NoMan { from } => format!("NoMan {from}"),
        ParseUciError::Illegal { role, from, to } => format!("Illegal {role:?} {from} {to}"),
        ParseUciError::PromotionMissing { to } => format!("PromotionMissing {to}"),
        ParseUciError::PromotionNotPossible { to } => format!("PromotionNotPossible {to}"),
        _ => panic!("name the new error here and in the test: {error:?}"),
    }
}

#[test]
fn bad_uci_is_refused_with_the_reason() {
    let mut report = Report::default();
    for line in lines("uci/bad.txt") {
        let [fen, text, expected] = &line[..] else {
            panic!("{line:?}")
        };
        let found = match position(fen).parse_uci(&unescape(text)) {
            Ok(m) => format!("read as {m:?}"),
            Err(error) => uci_error(error),
        };
        report.compare(&format!("{fen} | {text}"), found, expected);
    }
    report.finish("Syntax ", &UciExpected::ALL);
    let kinds = [
        "NullMove",
        "NoMan",
        "Illegal",
        "PromotionMissing",
        "PromotionNotPossible",
    ];
    for kind in kinds {
        assert!(report.seen.iter().any(|s| s.starts_with(kind)), "{kind}");
    }
}

#[test]
fn both_spellings_of_castling_are_read() {
    let mut report = Report::default();
    for line in lines("uci/odd.txt") {
        let [fen, text, expected] = &line[..] else {
            panic!("{line:?}")
        };
        let position = position(fen);
        let found = match position.parse_uci(&unescape(text)) {
            Ok(m) => position.san(m).to_string(),
            Err(error) => error.to_string(),
        };
        report.compare(&format!("{fen} | {text}"), found, expected);
    }
    report.finish::<()>("", &[]);
}

#[test]
fn bad_epd_is_refused_with_the_reason() {
    let mut report = Report::default();
    for line in lines("epd/bad.txt") {
        let [expected, text] = &line[..] else {
            panic!("{line:?}")
        };
        let found = match string(text).parse::<Epd>() {
            Ok(epd) => format!("read as {epd}"),
            Err(ParseEpdError::Fields(e)) => format!("Fields {:?}@{}", e.expected, e.offset),
            Err(ParseEpdError::Setup(_)) => "Setup".into(),
            Err(ParseEpdError::Operation {
                offset, expected, ..
            }) => format!("{expected:?}@{offset}"),
            Err(error) => panic!("name the new error here: {error:?}"),
        };
        report.compare(text, found, expected);
    }
    report.finish("", &EpdExpected::ALL);
}
