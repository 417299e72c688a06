//! Positions out of random games, for test data.

use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position, Setup, fen::Fen};

use crate::rng::Rng;

/// The position as the four fields of an EPD. The en passant square is always
/// written after a double step, as FEN asks, also where nobody can use it.
pub fn epd(pos: &Chess, shredder: bool) -> String {
    let setup = pos.to_setup(EnPassantMode::Always);
    let fen = Fen::try_from_setup(setup.clone())
        .expect("counters are small")
        .to_string();
    let mut fields: Vec<&str> = fen.split(' ').take(4).collect();
    let rights = shredder_rights(&setup);
    if shredder {
        fields[2] = &rights;
    }
    fields.join(" ")
}

/// File letters, white first, and the side of the h-file first as usual.
fn shredder_rights(setup: &Setup) -> String {
    let mut text = String::new();
    for color in [Color::White, Color::Black] {
        let mut rooks: Vec<_> = (setup.castling_rights & setup.board.by_color(color))
            .into_iter()
            .collect();
        rooks.reverse();
        for rook in rooks {
            let file = rook.file().char();
            let letter = if color.is_white() {
                file.to_ascii_uppercase()
            } else {
                file
            };
            text.push(letter);
        }
    }
    if text.is_empty() {
        text.push('-');
    }
    text
}

/// Plays random moves until `ply`; `None` if the game ends before.
///
/// Plain random walks hardly meet captures, promotions and castling, so one move in
/// four is chosen among these. `keep_rights` makes moves that lose castling rights rare.
pub fn random_game(rng: &mut Rng, start: &Chess, ply: u32, keep_rights: bool) -> Option<Chess> {
    let mut pos = start.clone();
    for _ in 0..ply {
        let m = random_move(rng, &pos, keep_rights)?;
        pos.play_unchecked(m);
    }
    Some(pos)
}

/// One random legal move, or `None` if there is none.
fn random_move(rng: &mut Rng, pos: &Chess, keep_rights: bool) -> Option<Move> {
    let moves = pos.legal_moves();
    if moves.is_empty() {
        return None;
    }
    if keep_rights && !rng.one_in(16) {
        let rights = pos.castles().castling_rights();
        let calm: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|&m| {
                let mut child = pos.clone();
                child.play_unchecked(m);
                child.castles().castling_rights() == rights
            })
            .collect();
        if !calm.is_empty() {
            return Some(rng.pick(&calm));
        }
    }
    if rng.one_in(4) {
        let sharp: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|m| m.is_capture() || m.is_promotion() || m.is_castle())
            .collect();
        if !sharp.is_empty() {
            return Some(rng.pick(&sharp));
        }
    }
    Some(rng.pick(&moves))
}

/// A random Chess960 start. One in four gives Black an array of his own; one in three
/// puts a third rook outside a castling rook, so that the right belongs to the inner one.
pub fn random_start(rng: &mut Rng) -> Chess {
    let white = random_side(rng);
    let black = if rng.one_in(4) {
        random_side(rng)
    } else {
        white.clone()
    };
    let fen = format!(
        "{}/{}/8/8/8/8/{}/{} w {}{} - 0 1",
        black.pieces,
        black.pawns,
        white.pawns.to_ascii_uppercase(),
        white.pieces.to_ascii_uppercase(),
        white.rights.to_ascii_uppercase(),
        black.rights,
    );
    let fen: Fen = fen.parse().expect("well-formed");
    fen.into_position(CastlingMode::Chess960)
        .expect("legal start")
}

/// One side's two ranks and rights as FEN text in lower case.
#[derive(Clone)]
struct Side {
    pieces: String,
    pawns: &'static str,
    rights: String,
}

fn random_side(rng: &mut Rng) -> Side {
    let mut array: [Option<char>; 8] = [None; 8];
    array[2 * rng.below(4)] = Some('b');
    array[2 * rng.below(4) + 1] = Some('b');
    for piece in ['q', 'n', 'n'] {
        let free: Vec<usize> = (0..8).filter(|&i| array[i].is_none()).collect();
        array[rng.pick(&free)] = Some(piece);
    }
    let free: Vec<usize> = (0..8).filter(|&i| array[i].is_none()).collect();
    for (&i, piece) in free.iter().zip(['r', 'k', 'r']) {
        array[i] = Some(piece);
    }
    let mut pawns = "pppppppp";
    let outside: Vec<usize> = (0..free[0]).chain(free[2] + 1..8).collect();
    if rng.one_in(3) && !outside.is_empty() {
        array[rng.pick(&outside)] = Some('r');
        // A third rook was a pawn once; strict readers count.
        pawns = rng.pick(&["1ppppppp", "ppp1pppp", "pppp1ppp", "ppppppp1"]);
    }
    let letter = |i: usize| char::from(b"abcdefgh"[i]);
    Side {
        pieces: array.into_iter().flatten().collect(),
        pawns,
        rights: [letter(free[2]), letter(free[0])].into_iter().collect(),
    }
}

/// The same position with the colours changed over: a second test for free, since
/// generators treat the colours by different code.
pub fn mirrored(epd: &str) -> String {
    let fields: Vec<&str> = epd.split(' ').collect();
    let ranks: Vec<String> = fields[0].split('/').rev().map(swap_case).collect();
    let turn = if fields[1] == "w" { "b" } else { "w" };
    let swapped = swap_case(fields[2]);
    let (upper, lower): (String, String) = swapped.chars().partition(char::is_ascii_uppercase);
    let ep = fields[3]
        .replace('6', "x")
        .replace('3', "6")
        .replace('x', "3");
    format!("{} {turn} {upper}{lower} {ep}", ranks.join("/"))
}

fn swap_case(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_ascii_uppercase() {
                c.to_ascii_lowercase()
            } else {
                c.to_ascii_uppercase()
            }
        })
        .collect()
}
