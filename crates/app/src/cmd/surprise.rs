//! `scoresheet surprise`: how little each move of a game was expected.

use std::fmt::Write as _;
use std::io::{Write as _, stdout};
use std::path::{Path, PathBuf};

use codec::modelled::{self, Level, Surprise};
use pgn::{Game, GameBuilder, Reader};
use serde_json::json;

use crate::exit::{Exit, Failure};
use crate::move_bits::NamedMove;
use crate::output_file::OutputFile;
use crate::text_input::{TextInput, at};

/// Show how little each move of a game was expected: bits a ply, as the modelled encoding stores it.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  scoresheet surprise games.pgn
  scoresheet surprise games.pgn.zst --game 12 --svg surprise.svg
  scoresheet surprise games.pgn --json

A move that everybody plays costs a fraction of a bit; one bit is a move of two that are as good as each
other; ten bits a move that is played once in a thousand times. The model has learnt from games of
people, so a surprise is what few would play, not what is bad.")]
pub struct Args {
    /// A PGN file, packed or not; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Which game of the file.
    #[arg(long, short, value_name = "N", default_value_t = 1)]
    game: usize,

    /// Draw the game into a file; `-` is standard output.
    #[arg(long, value_name = "OUT", conflicts_with = "json")]
    svg: Option<PathBuf>,

    /// Replace the drawing if it exists.
    #[arg(long)]
    force: bool,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// A game with what its moves cost.
struct Judged {
    title: String,
    moves: Vec<(NamedMove, Surprise)>,
    bytes: usize,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let Some(game) = nth_game(&args.file, args.game)? else {
        let message = format!("{}: there is no game {}", args.file.display(), args.game);
        return Err(Failure::new(Exit::NothingFound, message));
    };
    let game = judge(&game)?;
    if let Some(path) = &args.svg {
        let mut out = OutputFile::create(path, args.force)?;
        out.write_all(drawing(&game).as_bytes())?;
        out.finish(path)?;
        return Ok(Exit::Ok);
    }
    let mut out = stdout().lock();
    if args.json {
        let moves = game.moves.iter().map(|(named, surprise)| {
            json!({
                "number": named.number, "san": named.san, "uci": named.uci,
                "probability": surprise.probability(), "bits": surprise.bits(),
            })
        });
        let document = json!({
            "title": game.title, "plies": game.moves.len(), "bits": game.bits(),
            "bytes": game.bytes, "bits_per_move": game.bits_per_move(),
            "moves": moves.collect::<Vec<_>>(),
        });
        writeln!(out, "{document}")?;
        return Ok(Exit::Ok);
    }
    writeln!(out, "{}", game.title.escape_debug())?;
    for (named, surprise) in &game.moves {
        #[allow(clippy::cast_possible_truncation)] // Sixteen at most.
        let bar = "#".repeat(surprise.bits().round() as usize * 2);
        let line = format!(
            "{:<16} {:>6.2} % {:>6.2} bits  {bar}",
            named.label(),
            100.0 * surprise.probability(),
            surprise.bits(),
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    let rate = game
        .bits_per_move()
        .map_or_else(|| "-".to_owned(), |rate| format!("{rate:.2}"));
    let (plies, bits, bytes) = (game.moves.len(), game.bits(), game.bytes);
    writeln!(
        out,
        "{plies} plies, {bits:.1} bits, {bytes} bytes, {rate} bits a move"
    )?;
    Ok(Exit::Ok)
}

impl Judged {
    fn bits(&self) -> f64 {
        self.moves.iter().map(|(_, surprise)| surprise.bits()).sum()
    }

    fn bits_per_move(&self) -> Option<f64> {
        (!self.moves.is_empty()).then(|| self.bits() / self.moves.len() as f64)
    }
}

fn nth_game(path: &Path, number: usize) -> Result<Option<Game>, Failure> {
    let mut found = None;
    TextInput::new(&[path.to_owned()])?.for_each(|name, text| {
        let mut reader = Reader::new(text);
        let mut builder = GameBuilder::new();
        let mut seen = 0;
        while let Some(game) = reader
            .read_game(&mut builder)
            .map_err(|error| at(name, &error))?
        {
            seen += 1;
            if seen == number {
                let game = game.map_err(|error| {
                    Failure::new(Exit::BadInput, format_args!("{name}: {error}"))
                })?;
                found = Some(game);
                break;
            }
        }
        Ok(())
    })?;
    Ok(found)
}

fn judge(game: &Game) -> Result<Judged, Failure> {
    let tag = |name: &[u8]| {
        let text = game.tag_text(name);
        text.map_or_else(|| "?".to_owned(), |text| text.into_owned())
    };
    let mut bytes = Vec::new();
    let mut encoder = modelled::Encoder::new(Level::Usual, game.start(), &mut bytes);
    let mut moves = Vec::new();
    // A null move ends what the rules know of.
    for m in game.main_line().moves().iter().map_while(|m| *m) {
        let named = NamedMove::new(encoder.position(), m);
        let surprise = encoder
            .push(m)
            .map_err(|error| Failure::new(Exit::BadInput, error))?;
        moves.push((named, surprise));
    }
    Ok(Judged {
        title: format!("{} – {}, {}", tag(b"White"), tag(b"Black"), tag(b"Date")),
        moves,
        bytes: encoder.finish(),
    })
}

/// A bar for each ply: White's light, Black's dark; lines every four bits.
fn drawing(game: &Judged) -> String {
    const BAR: usize = 8;
    const BIT: f64 = 16.0;
    const LEFT: usize = 36;
    const TOP: f64 = 28.0;
    let most = game
        .moves
        .iter()
        .map(|(_, surprise)| surprise.bits())
        .fold(4.0, f64::max);
    let height = (most / 4.0).ceil() * 4.0 * BIT;
    let base = TOP + height;
    let width = LEFT + BAR * game.moves.len().max(40) + 12;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{:.0}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" \
         fill=\"#fff\"/>\n<text x=\"{LEFT}\" y=\"17\" font-size=\"13\">{}</text>\n",
        base + 30.0,
        escaped(&game.title),
    );
    let mut bits = 0.0;
    while bits <= height / BIT {
        let y = base - bits * BIT;
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {y:.1}H{}\" stroke=\"#ccc\"/><text x=\"{}\" y=\"{:.1}\" \
             text-anchor=\"end\">{bits:.0}</text>",
            width - 12,
            LEFT - 5,
            y + 4.0,
        );
        bits += 4.0;
    }
    for (ply, (named, surprise)) in game.moves.iter().enumerate() {
        let x = LEFT + BAR * ply;
        let tall = surprise.bits() * BIT;
        let fill = if named.number.ends_with("...") {
            "#444"
        } else {
            "#e8c074"
        };
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{:.1}\" width=\"{}\" height=\"{tall:.1}\" fill=\"{fill}\">\
             <title>{}: {:.2} bits</title></rect>",
            base - tall,
            BAR - 1,
            escaped(&named.label()),
            surprise.bits(),
        );
        if ply % 20 == 0 {
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{:.1}\">{}</text>",
                base + 14.0,
                ply / 2 + 1
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Text inside XML; control characters, which XML has no place for, become blanks.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
