//! Extended position description: four fields of a FEN, then operations (PGN §16.2).

use core::fmt;
use core::str::FromStr;

use crate::fen::Reader;
use crate::{FenSyntaxError, Position, Setup, SetupFaults};

/// A position with operations: `bm Nf3;`, `id "number 7";`, `ce 35;`.
///
/// The operations `hmvc` and `fmvn` are the counters of the position; they are not among
/// [`Epd::operations`], and are written if they differ from 0 and 1.
///
/// ```
/// use scoresheet_chess::{Epd, EpdOperand};
/// let text = r#"7k/8/8/8/8/8/6R1/6QK w - - hmvc 12; bm Qg8 Rg8; id "two mates";"#;
/// let epd: Epd = text.parse().unwrap();
/// assert_eq!(epd.position.halfmoves(), 12);
/// assert_eq!(epd.operation("id"), Some(&[EpdOperand::Text("two mates".into())][..]));
/// assert_eq!(epd.to_string(), text);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position, with its counters.
    pub position: Position,
    /// The other operations, in their order.
    pub operations: Vec<EpdOperation>,
}

/// An opcode with its operands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EpdOperation {
    opcode: String,
    operands: Vec<EpdOperand>,
}

/// One operand.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum EpdOperand {
    /// A word without quotes: a move, a number.
    Word(String),
    /// A text in quotes.
    Text(String),
}

impl EpdOperation {
    /// An operation, unless it could not be read back: the opcode is a letter and then letters,
    /// digits or `_`, but not `hmvc` or `fmvn`; a word has no spaces, quotes or semicolons; nothing
    /// has control characters.
    #[must_use]
    pub fn new(opcode: &str, operands: Vec<EpdOperand>) -> Option<EpdOperation> {
        let mut bytes = opcode.bytes();
        let is_named = bytes.next().is_some_and(|b| b.is_ascii_alphabetic())
            && bytes.all(is_opcode_byte)
            && Counter::of(opcode).is_none();
        let are_sound = operands.iter().all(|operand| match operand {
            EpdOperand::Word(word) => !word.is_empty() && word.bytes().all(is_word_byte),
            EpdOperand::Text(text) => !text.bytes().any(|byte| byte.is_ascii_control()),
        });
        (is_named && are_sound).then(|| EpdOperation {
            opcode: opcode.to_owned(),
            operands,
        })
    }

    /// What is told, such as `bm`, the best move.
    #[must_use]
    pub fn opcode(&self) -> &str {
        &self.opcode
    }

    /// The operands, in their order.
    #[must_use]
    pub fn operands(&self) -> &[EpdOperand] {
        &self.operands
    }
}

impl Epd {
    /// The operands of the first operation with this opcode.
    #[must_use]
    pub fn operation(&self, opcode: &str) -> Option<&[EpdOperand]> {
        let found = self.operations.iter().find(|op| op.opcode == opcode)?;
        Some(&found.operands)
    }
}

/// Why a text is no EPD.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseEpdError {
    /// One of the first four fields goes wrong.
    Fields(FenSyntaxError),
    /// Nobody could play from the position.
    Setup(SetupFaults),
    /// An operation goes wrong.
    Operation {
        /// Where, in bytes from the start.
        offset: usize,
        /// What stands there; `None` at the end of the text.
        found: Option<u8>,
        /// What should stand there.
        expected: EpdExpected,
    },
}

/// What the reader of an operation was waiting for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum EpdExpected {
    /// The name of an operation.
    Opcode,
    /// An operand, or the end of the operation.
    OperandOrEnd,
    /// The end of a text in quotes.
    ClosingQuote,
    /// A number up to 65,535, and nothing else.
    Counter,
}

impl EpdExpected {
    /// All of them.
    pub const ALL: [EpdExpected; 4] = [
        EpdExpected::Opcode,
        EpdExpected::OperandOrEnd,
        EpdExpected::ClosingQuote,
        EpdExpected::Counter,
    ];
}

impl fmt::Display for EpdExpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EpdExpected::Opcode => "an opcode, which begins with a letter",
            EpdExpected::OperandOrEnd => "a space and an operand, or ';' to end the operation",
            EpdExpected::ClosingQuote => "'\"' at the end of the text, on the same line",
            EpdExpected::Counter => "one number up to 65535 for hmvc or fmvn",
        })
    }
}

impl fmt::Display for ParseEpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseEpdError::Fields(error) => error.fmt(f),
            ParseEpdError::Setup(faults) => faults.fmt(f),
            ParseEpdError::Operation {
                offset,
                found,
                expected,
            } => {
                write!(f, "EPD, byte {offset}: found ")?;
                match found {
                    Some(byte) => write!(f, "'{}'", byte.escape_ascii())?,
                    None => f.write_str("the end")?,
                }
                write!(f, ", expected {expected}")
            }
        }
    }
}

impl core::error::Error for ParseEpdError {}

impl From<FenSyntaxError> for ParseEpdError {
    fn from(error: FenSyntaxError) -> ParseEpdError {
        ParseEpdError::Fields(error)
    }
}

impl From<SetupFaults> for ParseEpdError {
    fn from(faults: SetupFaults) -> ParseEpdError {
        ParseEpdError::Setup(faults)
    }
}

/// The operations that are counters of the position.
enum Counter {
    Halfmoves,
    Fullmoves,
}

impl Counter {
    fn of(opcode: &str) -> Option<Counter> {
        match opcode {
            "hmvc" => Some(Counter::Halfmoves),
            "fmvn" => Some(Counter::Fullmoves),
            _ => None,
        }
    }
}

const fn is_opcode_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

const fn is_word_byte(byte: u8) -> bool {
    !byte.is_ascii_control() && !matches!(byte, b' ' | b'"' | b';')
}

/// Walks over the operations.
struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fail_at<T>(&self, offset: usize, expected: EpdExpected) -> Result<T, ParseEpdError> {
        Err(ParseEpdError::Operation {
            offset,
            found: self.text.as_bytes().get(offset).copied(),
            expected,
        })
    }

    fn skip_spaces(&mut self) {
        while self.peek() == Some(b' ') {
            self.at += 1;
        }
    }

    /// The bytes from here that are of a kind. They end before or after an ASCII byte, or contain
    /// all of a character: the text is cut between characters.
    fn run(&mut self, is_kind: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&is_kind) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn opcode(&mut self) -> Result<&'a str, ParseEpdError> {
        if !self.peek().is_some_and(|byte| byte.is_ascii_alphabetic()) {
            return self.fail_at(self.at, EpdExpected::Opcode);
        }
        Ok(self.run(is_opcode_byte))
    }

    /// The operands up to the semicolon, which is taken too.
    fn operands(&mut self) -> Result<Vec<EpdOperand>, ParseEpdError> {
        let mut operands = Vec::new();
        loop {
            let before = self.at;
            self.skip_spaces();
            match self.peek() {
                Some(b';') => {
                    self.at += 1;
                    return Ok(operands);
                }
                Some(b'"') if self.at > before => operands.push(self.quoted()?),
                Some(byte) if is_word_byte(byte) && self.at > before => {
                    operands.push(EpdOperand::Word(self.run(is_word_byte).to_owned()));
                }
                _ => return self.fail_at(self.at, EpdExpected::OperandOrEnd),
            }
        }
    }

    /// A text in quotes. A backslash before a quote or a backslash takes its meaning away.
    fn quoted(&mut self) -> Result<EpdOperand, ParseEpdError> {
        let mut text = String::new();
        self.at += 1;
        loop {
            text.push_str(self.run(|byte| !byte.is_ascii_control() && !b"\"\\".contains(&byte)));
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(EpdOperand::Text(text));
                }
                Some(b'\\') => {
                    self.at += 1;
                    match self.peek() {
                        Some(escaped @ (b'"' | b'\\')) => {
                            self.at += 1;
                            text.push(char::from(escaped));
                        }
                        _ => text.push('\\'),
                    }
                }
                _ => return self.fail_at(self.at, EpdExpected::ClosingQuote),
            }
        }
    }
}

impl FromStr for Epd {
    type Err = ParseEpdError;

    fn from_str(text: &str) -> Result<Epd, ParseEpdError> {
        let mut reader = Reader::new(text.as_bytes());
        let mut setup: Setup = reader.four_fields()?;
        let mut scan = Scan {
            text,
            at: reader.rest().0,
        };
        let mut operations = Vec::new();
        loop {
            scan.skip_spaces();
            if scan.peek().is_none() {
                break;
            }
            let opcode = scan.opcode()?;
            let start = scan.at;
            let operands = scan.operands()?;
            let Some(counter) = Counter::of(opcode) else {
                operations.push(EpdOperation {
                    opcode: opcode.to_owned(),
                    operands,
                });
                continue;
            };
            let number = match operands.as_slice() {
                [EpdOperand::Word(word)] if word.bytes().all(|b| b.is_ascii_digit()) => {
                    word.parse().ok()
                }
                _ => None,
            };
            let Some(number) = number else {
                let blank = scan.text.as_bytes().get(start..).unwrap_or_default();
                let spaces = blank.iter().take_while(|&&byte| byte == b' ').count();
                return scan.fail_at(start + spaces, EpdExpected::Counter);
            };
            match counter {
                Counter::Halfmoves => setup.halfmoves = number,
                Counter::Fullmoves => setup.fullmoves = number.max(1),
            }
        }
        Ok(Epd {
            position: Position::try_from(setup)?,
            operations,
        })
    }
}

impl fmt::Display for EpdOperand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EpdOperand::Word(word) => f.write_str(word),
            EpdOperand::Text(text) => {
                f.write_str("\"")?;
                for c in text.chars() {
                    if matches!(c, '"' | '\\') {
                        f.write_str("\\")?;
                    }
                    write!(f, "{c}")?;
                }
                f.write_str("\"")
            }
        }
    }
}

impl fmt::Display for EpdOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        for operand in &self.operands {
            write!(f, " {operand}")?;
        }
        f.write_str(";")
    }
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::fen::write_four_fields(f, &self.position.to_setup())?;
        if self.position.halfmoves() != 0 {
            write!(f, " hmvc {};", self.position.halfmoves())?;
        }
        if self.position.fullmoves() != 1 {
            write!(f, " fmvn {};", self.position.fullmoves())?;
        }
        for operation in &self.operations {
            write!(f, " {operation}")?;
        }
        Ok(())
    }
}
