//! The bits of a move, shown to people and to programs.

use chess::{Color, Move, Position};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use codec::{Bits, CodecName, MoveId, width_of};
use serde_json::{Value, json};

/// A move as people know it.
#[derive(Clone, Debug)]
pub struct NamedMove {
    /// `1.` or `1...`
    pub number: String,
    pub san: String,
    pub uci: String,
    /// The number of the move among all moves of chess.
    pub id: Option<u16>,
}

impl NamedMove {
    /// The names of a legal move.
    pub fn new(position: &Position, m: Move) -> NamedMove {
        let dots = match position.turn() {
            Color::White => ".",
            Color::Black => "...",
        };
        NamedMove {
            number: format!("{}{dots}", position.fullmoves()),
            san: position.san(m).to_string(),
            uci: position.uci(m).to_string(),
            id: MoveId::new(position, m).map(MoveId::index),
        }
    }

    /// `1. e4`
    pub fn label(&self) -> String {
        format!("{} {}", self.number, self.san)
    }

    pub fn json(&self) -> Value {
        json!({ "number": self.number, "san": self.san, "uci": self.uci, "enumeration": self.id })
    }
}

/// The bits of a move in one encoding, and what they are made of.
#[derive(Clone, Debug)]
pub struct MoveBits {
    bits: Bits,
    fields: Vec<String>,
    /// The bits of the game so far, these included.
    pub total: usize,
}

impl MoveBits {
    /// The bits of a move in a position, after the bits of the moves before it.
    pub fn new(codec: CodecName, position: &Position, bits: Bits, before: usize) -> MoveBits {
        let digits = bits.to_string();
        let mut rest = digits.as_str();
        let mut fields = Vec::new();
        for width in widths(codec, position) {
            let (field, after) = rest.split_at(width.min(rest.len()));
            fields.extend((!field.is_empty()).then(|| field.to_owned()));
            rest = after;
        }
        fields.extend((!rest.is_empty()).then(|| rest.to_owned()));
        MoveBits {
            bits,
            fields,
            total: before + bits.len() as usize,
        }
    }

    /// How many bits there are.
    pub const fn len(&self) -> u32 {
        self.bits.len()
    }

    /// The bits as a number.
    pub const fn value(&self) -> u32 {
        self.bits.value()
    }

    /// The digits, with bars between the fields.
    pub fn binary(&self) -> String {
        self.fields.join("|")
    }

    /// The number in as many hex digits as the bits need.
    pub fn hex(&self) -> String {
        let digits = self.len().div_ceil(4) as usize;
        format!("{:0digits$x}", self.value())
    }

    pub fn json(&self) -> Value {
        json!({
            "bits": self.bits.to_string(), "fields": self.fields, "hex": self.hex(),
            "value": self.value(), "length": self.len(), "total": self.total,
        })
    }
}

/// The fields of a move in an encoding: what they are called.
pub const fn layout(codec: CodecName) -> &'static str {
    match codec {
        CodecName::Word => "flags | from | to",
        CodecName::Extended => "score | check | taken | piece | flags | from | to",
        CodecName::Direction => "direction | to, and | promotion",
        CodecName::List => "number in the list of legal moves",
        CodecName::Enumeration => "number among all moves of chess",
        CodecName::Index => "number among the moves of the men on an empty board",
        CodecName::Packed => "piece | destination",
        CodecName::Compressed => "type | from | to | promotion",
        CodecName::Modelled | CodecName::ModelledMax => {
            "by probability: a likely move costs less than a bit"
        }
        _ => "one number",
    }
}

/// The fields of a move in an encoding: how wide they are. What is left over is one field more.
fn widths(codec: CodecName, position: &Position) -> Vec<usize> {
    match codec {
        CodecName::Word => vec![4, 6, 6],
        CodecName::Extended => vec![9, 1, 3, 3, 4, 6, 6],
        CodecName::Direction => vec![4, 6, 2],
        CodecName::Compressed => vec![2, 6, 6, 2],
        CodecName::Packed => {
            let men = position.board().by_color(position.turn()).len();
            let men = u32::try_from(men).unwrap_or(u32::MAX);
            vec![width_of(men) as usize]
        }
        _ => Vec::new(),
    }
}

/// Reads the name of an encoding on the command line.
pub fn codec_parser() -> impl TypedValueParser<Value = CodecName> {
    PossibleValuesParser::new(CodecName::ALL.map(CodecName::as_str))
        .try_map(|name| name.parse::<CodecName>())
}
