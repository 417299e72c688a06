//! `scoresheet encode`: moves as bits, in every encoding.

use std::io::{self, Read as _, Write, stdin, stdout};

use chess::{Move, Position};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use codec::modelled::{self, Surprise};
use codec::{CodecError, CodecName, Plies};
use serde_json::{Map, Value, json};

use crate::exit::{Exit, Failure};
use crate::move_bits::{MoveBits, NamedMove, layout};
use crate::output::grouped;
use crate::table::{Align, Table};

/// Show the bits of each move in one encoding, or in all of them side by side.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  scoresheet encode e4
  scoresheet encode --codec packed '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O'
  scoresheet encode --codec index g1f3 --json
  scoresheet encode --fen '8/P7/8/8/8/8/8/k1K5 w - -' a8=Q+
  echo '1. d4 d5 2. c4 *' | scoresheet encode -

Bars part the fields of a move:
  word         flags:4 | from:6 | to:6
  extended     score:9 | check:1 | taken:3 | piece:3 | flags:4 | from:6 | to:6
  direction    direction:4 | to:6, and | promotion:2 for a pawn on the last rank
  list         8 bits, the number in the list of legal moves
  enumeration  16 bits, the number among all moves of chess; no position is needed to read it
  index        8 bits, 16 with three queens or more: BCGN level 1
  packed       piece | destination, as few bits as tell them apart: BCGN level 2
  compressed   type:2 | from:6 | to:6 | promotion:2: BCGN level 0
  modelled     by the probability that a model gives the move; no bits of its own
  modelled-max the same with a larger model: slower and smaller

The bytes at the end are what `scoresheet decode` takes. The last byte is padded with zeros; where a
move of nothing but zeros could be taken for padding, the line says which --plies to give.")]
pub struct Args {
    /// Moves in SAN or UCI, as several words or one; `-` is standard input. Move numbers, `$` NAGs
    /// and the result are passed over.
    #[arg(value_name = "MOVES", required = true)]
    moves: Vec<String>,

    /// In which encoding.
    #[arg(long, short, value_name = "NAME", default_value = "all", value_parser = choice_parser())]
    codec: Choice,

    /// Where to start: a FEN, X-FEN or Shredder-FEN for Chess960.
    #[arg(long, value_name = "FEN", default_value_t = Position::START)]
    fen: Position,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    All,
    One(CodecName),
}

fn choice_parser() -> impl TypedValueParser<Value = Choice> {
    let names = CodecName::ALL.map(CodecName::as_str);
    PossibleValuesParser::new(names.into_iter().chain(["all"])).try_map(|name| {
        if name == "all" {
            Ok(Choice::All)
        } else {
            name.parse().map(Choice::One)
        }
    })
}

/// A game in one encoding.
struct Encoded {
    codec: CodecName,
    /// The moves before the error, if there is one.
    moves: Vec<MoveBits>,
    bytes: Result<Vec<u8>, CodecError>,
    /// What each move costs, in the modelled encoding.
    surprises: Vec<Surprise>,
    /// Without the number of moves the last ones would be taken for padding.
    needs_plies: bool,
}

impl Encoded {
    fn new(codec: CodecName, start: &Position, game: &[Move]) -> Encoded {
        let mut moves: Vec<MoveBits> = Vec::with_capacity(game.len());
        let mut bytes = Vec::new();
        let each = |position: &Position, _, bits| {
            let before = moves.last().map_or(0, |last| last.total);
            moves.push(MoveBits::new(codec, position, bits, before));
        };
        let done = codec.encode_each(start, game.iter().copied(), &mut bytes, each);
        let back = codec.decode(start, Plies::ToEnd, &bytes);
        Encoded {
            codec,
            moves,
            needs_plies: done.is_ok() && back.is_ok_and(|back| back.len() != game.len()),
            bytes: done.map(|_| bytes),
            surprises: match codec.level() {
                Some(level) => {
                    modelled::surprises(level, start, game.iter().copied()).unwrap_or_default()
                }
                None => Vec::new(),
            },
        }
    }

    fn bits(&self) -> usize {
        match (self.codec.level(), &self.bytes) {
            (Some(_), Ok(bytes)) => 8 * bytes.len(),
            _ => self.moves.last().map_or(0, |last| last.total),
        }
    }

    fn bits_per_move(&self) -> Option<f64> {
        (!self.moves.is_empty()).then(|| self.bits() as f64 / self.moves.len() as f64)
    }

    fn json(&self) -> Value {
        let moves: Vec<Value> = if self.codec.level().is_some() {
            let costs = self.surprises.iter();
            costs
                .map(|surprise| {
                    json!({
                        "probability": surprise.probability(), "share": surprise.share(),
                        "bits": surprise.bits(),
                    })
                })
                .collect()
        } else {
            self.moves.iter().map(MoveBits::json).collect()
        };
        match &self.bytes {
            Ok(bytes) => json!({
                "bits": self.bits(), "bytes": bytes.len(), "bits_per_move": self.bits_per_move(),
                "data": hex(bytes), "needs_plies": self.needs_plies, "moves": moves,
            }),
            Err(error) => json!({ "error": error.to_string(), "moves": moves }),
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let game = parse_moves(&args.fen, &text_of(&args.moves, "MOVES")?)?;
    let codecs = match args.codec {
        Choice::All => CodecName::ALL.to_vec(),
        Choice::One(codec) => vec![codec],
    };
    let games: Vec<Encoded> = codecs
        .into_iter()
        .map(|codec| Encoded::new(codec, &args.fen, &game))
        .collect();
    // Who asks for one encoding by name wants it or an error.
    if let (
        Choice::One(_),
        [
            Encoded {
                bytes: Err(error), ..
            },
        ],
    ) = (args.codec, games.as_slice())
    {
        return Err(failure(error));
    }
    let mut end = args.fen;
    let mut names = Vec::with_capacity(game.len());
    for &m in &game {
        names.push(NamedMove::new(&end, m));
        end.play_unchecked(m);
    }
    let mut out = stdout().lock();
    if args.json {
        let codecs = games
            .iter()
            .map(|game| (game.codec.to_string(), game.json()));
        let document = json!({
            "start": args.fen.to_string(), "end": end.to_string(), "plies": game.len(),
            "moves": names.iter().map(NamedMove::json).collect::<Vec<_>>(),
            "codecs": Map::from_iter(codecs),
        });
        writeln!(out, "{document}")?;
        return Ok(Exit::Ok);
    }
    match args.codec {
        Choice::All => write_blocks(&mut out, &names, &games)?,
        Choice::One(codec) => write_one(&mut out, codec, &names, &games)?,
    }
    write_summary(&mut out, &games)?;
    Ok(Exit::Ok)
}

/// The words of an argument, or standard input where it is `-`.
pub fn text_of(words: &[String], argument: &str) -> Result<String, Failure> {
    if !words.iter().any(|word| word == "-") {
        return Ok(words.join(" "));
    }
    if words.len() > 1 {
        let message = format!("{argument}: `-` is standard input, and stands alone");
        return Err(Failure::new(Exit::Usage, message));
    }
    let mut bytes = Vec::new();
    stdin().lock().read_to_end(&mut bytes)?;
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let message = format!("standard input, byte {offset}: found what is no UTF-8 text");
        Failure::new(Exit::BadInput, message)
    })
}

/// An error of the library: an encoding that does not suit the position was chosen on the command
/// line, everything else is in the data.
pub fn failure(error: &CodecError) -> Failure {
    let exit = match error {
        CodecError::Chess960 { .. } => Exit::Usage,
        _ => Exit::BadInput,
    };
    Failure::new(exit, error)
}

/// Bytes as `decode` takes them. The prefix is there for those that start with 0b.
pub fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
    std::iter::once("0x".to_owned()).chain(digits).collect()
}

fn parse_moves(start: &Position, text: &str) -> Result<Vec<Move>, Failure> {
    let mut position = *start;
    let mut moves = Vec::new();
    let mut result = None;
    for word in text.split_whitespace() {
        let word = without_number(word);
        if is_passed_over(word) {
            continue;
        }
        let fail = |cause: String| {
            let word: String = word.chars().take(32).collect();
            let message = format!("ply {}, {word:?}: {cause}", moves.len() + 1);
            Failure::new(Exit::BadInput, message)
        };
        if let Some(result) = result {
            return Err(fail(format!("the game is over, by the result {result}")));
        }
        if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "½-½" | "*") {
            result = Some(word);
            continue;
        }
        let m = parse_move(&position, word).map_err(fail)?;
        moves.push(m);
        position.play_unchecked(m);
    }
    Ok(moves)
}

/// A word without the move number before it: `1.e4`, `1...e5`, `1.`, `1`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = rest.starts_with(['.', '…']) || (rest.is_empty() && !word.starts_with('0'));
    if is_number {
        rest.trim_start_matches(['.', '…'])
    } else {
        word
    }
}

/// Whether a word is there for the reader alone: a number without its move, a NAG, marks.
fn is_passed_over(word: &str) -> bool {
    let is_nag = word.strip_prefix('$').is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    is_nag || word == "e.p." || word.bytes().all(|byte| matches!(byte, b'!' | b'?'))
}

/// A move in UCI if it looks like that, in SAN otherwise.
fn parse_move(position: &Position, word: &str) -> Result<Move, String> {
    let is_square = |text: &[u8]| matches!(text, [b'a'..=b'h', b'1'..=b'8']);
    let bytes = word.as_bytes();
    let is_uci = matches!(bytes.len(), 4 | 5)
        && is_square(&bytes[..2])
        && is_square(&bytes[2..4])
        && matches!(bytes.get(4), None | Some(b'n' | b'b' | b'r' | b'q'));
    if is_uci {
        position.parse_uci(bytes).map_err(|error| error.to_string())
    } else {
        position.parse_san(bytes).map_err(|error| error.to_string())
    }
}

fn id_text(named: &NamedMove) -> String {
    named.id.map_or_else(String::new, |id| grouped(id.into()))
}

/// All encodings: a block for each move, to compare them.
fn write_blocks(out: &mut impl Write, names: &[NamedMove], games: &[Encoded]) -> io::Result<()> {
    for (ply, named) in names.iter().enumerate() {
        writeln!(
            out,
            "{}   {}, enumeration id {}",
            named.label(),
            named.uci,
            id_text(named)
        )?;
        let mut table = Table::new([
            ("codec", Align::Left),
            ("bits", Align::Left),
            ("hex", Align::Right),
            ("decimal", Align::Right),
            ("used", Align::Right),
            ("total", Align::Right),
        ]);
        for game in games {
            if let Some(surprise) = game.surprises.get(ply) {
                let percent = format!("{:.2} %", 100.0 * surprise.probability());
                let [bits, none] = [format!("{:.2}", surprise.bits()), String::new()];
                table.push([
                    game.codec.to_string(),
                    percent,
                    none.clone(),
                    none.clone(),
                    bits,
                    none,
                ]);
                continue;
            }
            // What is refused is told once, in the summary.
            let Some(bits) = game.moves.get(ply) else {
                continue;
            };
            table.push([
                game.codec.to_string(),
                bits.binary(),
                bits.hex(),
                grouped(bits.value().into()),
                bits.len().to_string(),
                grouped(bits.total as u64),
            ]);
        }
        table.write(out, "  ")?;
        writeln!(out)?;
    }
    Ok(())
}

/// One encoding: a line for each move.
fn write_one(
    out: &mut impl Write,
    codec: CodecName,
    names: &[NamedMove],
    games: &[Encoded],
) -> io::Result<()> {
    writeln!(out, "{codec}: {}", layout(codec))?;
    writeln!(out)?;
    if codec.level().is_some() {
        return write_modelled(out, names, games);
    }
    let mut table = Table::new([
        ("move", Align::Left),
        ("bits", Align::Left),
        ("hex", Align::Right),
        ("decimal", Align::Right),
        ("id", Align::Right),
        ("used", Align::Right),
        ("total", Align::Right),
    ]);
    let moves = games.iter().flat_map(|game| &game.moves);
    for (named, bits) in names.iter().zip(moves) {
        table.push([
            named.label(),
            bits.binary(),
            bits.hex(),
            grouped(bits.value().into()),
            id_text(named),
            bits.len().to_string(),
            grouped(bits.total as u64),
        ]);
    }
    table.write(out, "")?;
    writeln!(out)
}

/// The modelled encoding: what the model thought of each move.
fn write_modelled(out: &mut impl Write, names: &[NamedMove], games: &[Encoded]) -> io::Result<()> {
    let mut table = Table::new([
        ("move", Align::Left),
        ("probability", Align::Right),
        ("bits", Align::Right),
        ("total", Align::Right),
    ]);
    let mut total = 0.0;
    let surprises = games.iter().flat_map(|game| &game.surprises);
    for (named, surprise) in names.iter().zip(surprises) {
        total += surprise.bits();
        table.push([
            named.label(),
            format!("{:.2} %", 100.0 * surprise.probability()),
            format!("{:.2}", surprise.bits()),
            format!("{total:.2}"),
        ]);
    }
    table.write(out, "")?;
    writeln!(out)
}

fn write_summary(out: &mut impl Write, games: &[Encoded]) -> io::Result<()> {
    let mut table = Table::new([
        ("codec", Align::Left),
        ("bits", Align::Right),
        ("bytes", Align::Right),
        ("bits/move", Align::Right),
        ("data", Align::Left),
    ]);
    for game in games {
        let (bits, bytes, rate, data) = match &game.bytes {
            Ok(bytes) => {
                let plies = match game.needs_plies {
                    true => format!("  --plies {}", game.moves.len()),
                    false => String::new(),
                };
                let rate = game.bits_per_move();
                (
                    grouped(game.bits() as u64),
                    grouped(bytes.len() as u64),
                    rate.map_or_else(|| "-".to_owned(), |rate| format!("{rate:.2}")),
                    hex(bytes) + &plies,
                )
            }
            Err(error) => {
                let none = || "-".to_owned();
                (none(), none(), none(), error.to_string())
            }
        };
        table.push([game.codec.to_string(), bits, bytes, rate, data]);
    }
    table.write(out, "")
}

#[cfg(test)]
mod tests {
    use chess::Position;

    use super::parse_moves;

    #[test]
    fn what_surrounds_moves_is_passed_over() {
        let same = [
            "e4 e5 Nf3",
            "e2e4 e7e5 g1f3",
            "1. e4 e5 2. Nf3",
            "1.e4! $1 1...e5 ?! 2.Nf3 *",
            "1 e4 1... e5 2. g1f3 1/2-1/2",
            "1. e4 … e5 2. Nf3 1-0",
        ];
        let moves = same.map(|text| parse_moves(&Position::START, text).expect(text));
        for (text, game) in same.iter().zip(&moves) {
            assert_eq!((game.len(), game), (3, &moves[0]), "{text}");
        }
    }

    #[test]
    fn what_is_no_move_is_told_with_its_ply() {
        for (text, part) in [
            ("e4 e4", "ply 2, \"e4\": "),
            ("1. e4 e5 2. Bh9", "ply 3, \"Bh9\": "),
            ("e2e5", "ply 1, \"e2e5\": "),
            ("e4 1-0 e5", "the game is over, by the result 1-0"),
            ("0000", "ply 1, \"0000\""),
            ("$x", "ply 1, \"$x\""),
            ("é4", "ply 1, \"é4\""),
        ] {
            let error = parse_moves(&Position::START, text).expect_err(text);
            assert!(error.to_string().contains(part), "{text}: {error}");
        }
    }
}
