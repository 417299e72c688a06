//! `scoresheet show`: a position drawn in the terminal, with who attacks what.

use std::io::{Write, stdout};

use chess::{AttackBoard, Color, File, Piece, Position, Rank, Role, Square};
use serde_json::{Value, json};

use crate::exit::{Exit, Failure};
use crate::output::is_colored;

/// Draw a position, and on demand a map of who attacks what.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  scoresheet show --fen 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3' --attacks
  scoresheet show --fen '8/8/8/8/8/5k2/6q1/7K w - -' --json

The map shows on each square the man, ! if he hangs (the enemy wins material by capturing there), and
how many white and how many black men attack the square. Below it, what each hanging man loses, in
pawns; pins are not considered.")]
pub struct Args {
    /// The position: a FEN, X-FEN or Shredder-FEN for Chess960.
    #[arg(long, value_name = "FEN", default_value_t = Position::START)]
    fen: Position,

    /// Count attackers and defenders of every square, and mark the men that hang.
    #[arg(long)]
    attacks: bool,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let board = AttackBoard::from(&args.fen);
    let mut out = stdout().lock();
    if args.json {
        writeln!(out, "{}", document(&board, args.attacks))?;
        return Ok(Exit::Ok);
    }
    draw(&mut out, &board, args.attacks, is_colored())?;
    writeln!(out)?;
    writeln!(out, "{} to move{}", board.turn(), state(&board))?;
    writeln!(out, "FEN    {board}")?;
    writeln!(out, "key    {:016x}", board.key())?;
    writeln!(out, "moves  {}", board.count_legal_moves())?;
    if args.attacks {
        for color in Color::ALL {
            writeln!(
                out,
                "{:<6} {}",
                hanging_label(color),
                hanging_text(&board, color)
            )?;
        }
    }
    Ok(Exit::Ok)
}

fn state(board: &AttackBoard) -> &'static str {
    match (board.is_check(), board.count_legal_moves()) {
        (true, 0) => ", checkmate",
        (true, _) => ", in check",
        (false, 0) => ", stalemate",
        (false, _) => "",
    }
}

/// What the enemy wins by capturing the man on a square. Kings are not captured.
fn loss(board: &AttackBoard, square: Square) -> Option<(Piece, i32)> {
    let man = board
        .piece_at(square)
        .filter(|man| man.role != Role::King)?;
    let gain = board.capture_gain(square, !man.color);
    (gain > 0).then_some((man, gain))
}

const fn hanging_label(color: Color) -> &'static str {
    match color {
        Color::White => "white!",
        Color::Black => "black!",
    }
}

/// The hanging men of a colour with what they lose, in pawns.
fn hanging_text(board: &AttackBoard, color: Color) -> String {
    let men: Vec<String> = Square::ALL
        .into_iter()
        .filter_map(|square| Some((square, loss(board, square)?)))
        .filter(|(_, (man, _))| man.color == color)
        .map(|(square, (man, gain))| {
            let name = man.role.upper_char();
            format!("{name}{square} {}.{:02}", gain / 100, gain % 100)
        })
        .collect();
    if men.is_empty() {
        "nothing hangs".to_owned()
    } else {
        men.join(", ")
    }
}

fn draw(
    out: &mut impl Write,
    board: &AttackBoard,
    attacks: bool,
    color: bool,
) -> std::io::Result<()> {
    for rank in Rank::ALL.into_iter().rev() {
        let mut line = format!("{} ", rank.char());
        for file in File::ALL {
            let square = Square::new(file, rank);
            let man = board.piece_at(square);
            let hangs = attacks && loss(board, square).is_some();
            let (on, off) = if color { paint(man, hangs) } else { ("", "") };
            line += &format!(" {on}{}{off}", man.map_or('.', Piece::char));
            if attacks {
                line.push(if hangs { '!' } else { ' ' });
                line += &format!("{:<4}", counts(board, square));
            }
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    let width = if attacks { 7 } else { 2 };
    let files = File::ALL.map(|file| format!(" {:<1$}", file.char(), width - 1));
    writeln!(out, "  {}", files.concat().trim_end())
}

/// White and black attackers of a square; nothing where there are none.
fn counts(board: &AttackBoard, square: Square) -> String {
    match Color::ALL.map(|by| board.attackers(square, by).len()) {
        [0, 0] => String::new(),
        [white, black] => format!("{white}/{black}"),
    }
}

/// The codes before and after a man on a terminal.
const fn paint(man: Option<Piece>, hangs: bool) -> (&'static str, &'static str) {
    match man {
        None => ("\x1b[2m", "\x1b[0m"),
        Some(_) if hangs => ("\x1b[1;31m", "\x1b[0m"),
        Some(man) => match man.color {
            Color::White => ("\x1b[1m", "\x1b[0m"),
            Color::Black => ("\x1b[36m", "\x1b[0m"),
        },
    }
}

fn document(board: &AttackBoard, attacks: bool) -> Value {
    let mut document = json!({
        "fen": board.to_string(),
        "turn": board.turn().to_string().to_lowercase(),
        "key": format!("{:016x}", board.key()),
        "legal_moves": board.count_legal_moves(),
        "check": board.is_check(),
    });
    if attacks {
        let squares = Square::ALL.into_iter().map(|square| {
            let [white, black] = Color::ALL.map(|by| board.attackers(square, by).len());
            let entry = json!({
                "piece": board.piece_at(square).map(|man| man.char().to_string()),
                "white": white,
                "black": black,
                "loss": loss(board, square).map_or(0, |(_, gain)| gain),
            });
            (square.to_string(), entry)
        });
        document["squares"] = Value::Object(squares.collect());
    }
    document
}
