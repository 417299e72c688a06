//! `scoresheet decode`: bits as moves.

use std::io::{Write as _, stdout};

use chess::Position;
use codec::{CodecName, Plies};
use serde_json::{Value, json};

use crate::cmd::encode::{failure, text_of};
use crate::exit::{Exit, Failure};
use crate::move_bits::{MoveBits, NamedMove, codec_parser};
use crate::output::grouped;
use crate::table::{Align, Table};

/// Read the moves of a game from bytes: what `scoresheet encode` prints, and the way back.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  scoresheet decode --codec packed 0xc8
  scoresheet decode --codec packed '0b 1100|1 0100|0'
  scoresheet decode --codec index 43 43 73
  scoresheet decode --codec packed --plies 2 ca 00 --json
  scoresheet decode --codec word - < game.hex

The bytes do not say how many moves there are. With --plies so many are read, and then there may be
nothing but padding: fewer than eight bits, all 0. Without it moves are read until nothing but padding
is left. Only in `packed` can a last move consist of zeros alone, and be taken for padding: give
--plies there if you know it; `scoresheet encode` says when it is needed.

Every move is checked. If one is bad, those before it are printed, and the exit code is 3.")]
pub struct Args {
    /// Bytes in hex, with or without 0x, or bits after 0b; `-` is standard input. Spaces and
    /// underscores may stand anywhere, bars between bits too. Hex that starts with the byte 0b
    /// needs its 0x.
    #[arg(value_name = "HEX", required = true)]
    data: Vec<String>,

    /// Which encoding it is.
    #[arg(long, short, value_name = "NAME", value_parser = codec_parser())]
    codec: CodecName,

    /// Where the game starts: a FEN, X-FEN or Shredder-FEN for Chess960.
    #[arg(long, value_name = "FEN", default_value_t = Position::START)]
    fen: Position,

    /// How many moves there are, counting those of both sides.
    #[arg(long, value_name = "N")]
    plies: Option<usize>,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let text = text_of(&args.data, "HEX")?;
    let bytes = parse_data(&text).map_err(|error| Failure::new(Exit::BadInput, error))?;
    let plies = args.plies.map_or(Plies::ToEnd, Plies::Exactly);
    let mut moves: Vec<(NamedMove, MoveBits)> = Vec::new();
    let done = args
        .codec
        .decode_each(&args.fen, plies, &bytes, |position, m, bits| {
            let before = moves.last().map_or(0, |(_, last)| last.total);
            let bits = MoveBits::new(args.codec, position, bits, before);
            moves.push((NamedMove::new(position, m), bits));
        });
    let used = moves.last().map_or(0, |(_, last)| last.total);

    let mut out = stdout().lock();
    if args.json {
        let list = moves.iter().map(|(named, bits)| {
            let mut entry = named.json();
            entry["encoded"] = bits.json();
            entry
        });
        let document = json!({
            "codec": args.codec.as_str(), "start": args.fen.to_string(), "plies": moves.len(),
            "bits": used, "bytes": bytes.len(), "moves": list.collect::<Vec<Value>>(),
            "end": done.as_ref().ok().map(Position::to_string),
            "error": done.as_ref().err().map(ToString::to_string),
        });
        writeln!(out, "{document}")?;
        return done.map(|_| Exit::Ok).map_err(|error| failure(&error));
    }
    if !moves.is_empty() {
        let mut table = Table::new([
            ("move", Align::Left),
            ("uci", Align::Left),
            ("bits", Align::Left),
            ("used", Align::Right),
            ("total", Align::Right),
        ]);
        for (named, bits) in &moves {
            table.push([
                named.label(),
                named.uci.clone(),
                bits.binary(),
                bits.len().to_string(),
                grouped(bits.total as u64),
            ]);
        }
        table.write(&mut out, "")?;
        writeln!(out)?;
    }
    let end = done.map_err(|error| failure(&error))?;
    writeln!(out, "plies    {}", grouped(moves.len() as u64))?;
    writeln!(out, "bits     {}", grouped(used as u64))?;
    writeln!(out, "padding  {}", bytes.len() * 8 - used)?;
    writeln!(out, "FEN      {end}")?;
    Ok(Exit::Ok)
}

/// Bytes from hex or from bits; the last byte of bits is padded with zeros.
fn parse_data(text: &str) -> Result<Vec<u8>, String> {
    let start = text.len() - text.trim_start().len();
    let (prefix, digits) = text[start..].split_at_checked(2).unwrap_or_default();
    let (radix, offset) = match prefix {
        "0b" | "0B" => (2, start + 2),
        "0x" | "0X" => (16, start + 2),
        _ => (16, start),
    };
    let expected = if radix == 2 { "0 or 1" } else { "a hex digit" };
    let mut values = Vec::with_capacity(digits.len());
    for (i, c) in text[offset..].char_indices() {
        if c.is_whitespace() || c == '_' || (c == '|' && radix == 2) {
            continue;
        }
        let value = c.to_digit(radix).ok_or_else(|| {
            let hint = if radix == 2 && c.is_ascii_hexdigit() {
                "; hex that starts with the byte 0b is written 0x0b"
            } else {
                ""
            };
            format!(
                "data, byte {}: found {c:?}, expected {expected}{hint}",
                offset + i
            )
        })?;
        values.push(u8::try_from(value).unwrap_or_default());
    }
    let (per_byte, width) = if radix == 2 { (8, 1) } else { (2, 4) };
    if radix == 16 && values.len() % 2 == 1 {
        let count = values.len();
        return Err(format!(
            "data: found {count} hex digits, expected two for each byte"
        ));
    }
    let byte = |values: &[u8]| {
        let value = values.iter().fold(0u8, |byte, value| byte << width | value);
        value << (width * (per_byte - values.len()))
    };
    Ok(values.chunks(per_byte).map(byte).collect())
}

#[cfg(test)]
mod tests {
    use super::parse_data;

    #[test]
    fn hex_and_bits_are_bytes() {
        for (text, bytes) in [
            ("c8", &[0xc8][..]),
            ("0xC8", &[0xc8]),
            (" 0xca\n00 ", &[0xca, 0]),
            ("c a_0 0", &[0xca, 0]),
            ("0b11001", &[0xc8]),
            ("0b 1100|1 0100|0", &[0xca, 0]),
            ("0x0b10", &[0x0b, 0x10]),
            ("", &[]),
            ("0x", &[]),
            ("0b", &[]),
        ] {
            assert_eq!(parse_data(text).as_deref(), Ok(bytes), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_hex_is_told_with_its_place() {
        for (text, message) in [
            ("c8g", "data, byte 2: found 'g', expected a hex digit"),
            ("c8|", "data, byte 2: found '|', expected a hex digit"),
            (
                "0b12",
                "data, byte 3: found '2', expected 0 or 1; hex that starts with the byte 0b is written 0x0b",
            ),
            ("é", "data, byte 0: found 'é', expected a hex digit"),
            ("0é", "data, byte 1: found 'é', expected a hex digit"),
            (
                "c8c",
                "data: found 3 hex digits, expected two for each byte",
            ),
        ] {
            assert_eq!(parse_data(text).expect_err(text), message);
        }
    }
}
