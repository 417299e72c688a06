//! Case `attack-map`: real games are played, and after every move it is asked for each of the 64
//! squares which men of both colours attack it. The answer of one position is an array of 64 sets,
//! given to `black_box`; the sum of their sizes in all final positions must be the same for all.
//!
//! The second board plays more slowly and has the answer ready. For bitboards there are two good
//! ways, and both are here: square by square, looking back from it as each kind of man, and man by
//! man, writing him into the squares he attacks. Both have PEXT and popcnt where the CPU has them,
//! and choose them once a game. cozy-chess goes man by man, the faster way for it, too.

use std::hint::black_box;

use cozy_chess as cozy;
use scoresheet_chess::attacks::{self, Job, Sliders};
use scoresheet_chess::{AttackBoard, Bitboard, Board, Color, Move, Position, Role, Square};

use crate::arena::{Entry, Work};
use crate::games::{Game, Games};
use crate::libraries::{Attack, CozyChess, Ours};
use crate::library::Library;
use crate::standard::STANDARD;

pub fn work(games: &Games) -> Work {
    Work {
        name: format!("{} games", games.games.len()),
        units: games.plies() as u64,
        answer: None,
        entries: vec![
            entry::<Attack>("attack table", games, read_table),
            entry::<Ours>("by square", games, |start, words| {
                attacks::dispatch(Walk::<BySquare>(start, words, BySquare))
            }),
            entry::<Ours>("by man", games, |start, words| {
                attacks::dispatch(Walk::<ByMan>(start, words, ByMan))
            }),
            entry::<CozyChess>(CozyChess::NAME, games, cozy_by_man),
        ],
    }
}

fn entry<L: Library>(
    name: &str,
    games: &Games,
    walk: impl Fn(&L::Board, &[L::Word]) -> u64 + 'static,
) -> Entry {
    let start = L::from_fen(STANDARD[0].fen);
    let words: Vec<Vec<L::Word>> = games.games.iter().map(|g| words::<L>(g, &start)).collect();
    Entry::new(name, move || {
        words.iter().map(|game| walk(&start, game)).sum()
    })
}

fn words<L: Library>(game: &Game, start: &L::Board) -> Vec<L::Word> {
    let mut board = start.clone();
    let moves = game.moves.iter().zip(&game.sans);
    moves
        .map(|(&m, san)| {
            let word = L::word(&board, m, san);
            L::play(&mut board, word);
            word
        })
        .collect()
}

fn read_table(start: &AttackBoard, words: &[u16]) -> u64 {
    let mut board = *start;
    for &word in words {
        Attack::play(&mut board, word);
        black_box(board.attack_map());
    }
    board.attack_map().iter().map(|set| set.len() as u64).sum()
}

/// A way to find all attackers with bitboards.
trait Finder: Copy {
    fn map<S: Sliders>(self, board: &Board, sliders: S) -> [Bitboard; 64];
}

/// Plays a game and finds the attackers after every move.
struct Walk<'a, F>(&'a Position, &'a [u16], F);

impl<F: Finder> Job for Walk<'_, F> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> u64 {
        let Walk(start, words, finder) = self;
        let mut position = *start;
        let mut map = finder.map(position.board(), sliders);
        for &word in words {
            position.play_unchecked(Move::from_word(word).expect("made by `word`"));
            map = finder.map(position.board(), sliders);
            black_box(&map);
        }
        map.iter().map(|set| set.len() as u64).sum()
    }
}

#[derive(Clone, Copy)]
struct BySquare;

impl Finder for BySquare {
    #[inline(always)]
    fn map<S: Sliders>(self, board: &Board, sliders: S) -> [Bitboard; 64] {
        let occupied = board.occupied();
        let pawns = board.by_role(Role::Pawn);
        let white_pawns = pawns & board.by_color(Color::White);
        let black_pawns = pawns & board.by_color(Color::Black);
        let knights = board.by_role(Role::Knight);
        let kings = board.by_role(Role::King);
        let (bishops, rooks) = (board.diagonal_sliders(), board.orthogonal_sliders());
        let mut map = [Bitboard::EMPTY; 64];
        for square in Square::ALL {
            map[square.index()] = (attacks::pawn(Color::Black, square) & white_pawns)
                | (attacks::pawn(Color::White, square) & black_pawns)
                | (attacks::knight(square) & knights)
                | (attacks::king(square) & kings)
                | (sliders.bishop(square, occupied) & bishops)
                | (sliders.rook(square, occupied) & rooks);
        }
        map
    }
}

#[derive(Clone, Copy)]
struct ByMan;

impl Finder for ByMan {
    #[inline(always)]
    fn map<S: Sliders>(self, board: &Board, sliders: S) -> [Bitboard; 64] {
        #[inline(always)]
        fn write(map: &mut [Bitboard; 64], from: Square, targets: Bitboard) {
            for to in targets {
                map[to.index()].insert(from);
            }
        }
        let occupied = board.occupied();
        let mut map = [Bitboard::EMPTY; 64];
        for color in Color::ALL {
            for from in board.by_role(Role::Pawn) & board.by_color(color) {
                write(&mut map, from, attacks::pawn(color, from));
            }
        }
        for from in board.by_role(Role::Knight) {
            write(&mut map, from, attacks::knight(from));
        }
        for from in board.by_role(Role::King) {
            write(&mut map, from, attacks::king(from));
        }
        for from in board.diagonal_sliders() {
            write(&mut map, from, sliders.bishop(from, occupied));
        }
        for from in board.orthogonal_sliders() {
            write(&mut map, from, sliders.rook(from, occupied));
        }
        map
    }
}

fn cozy_by_man(start: &cozy::Board, words: &[u16]) -> u64 {
    let mut board = start.clone();
    let mut map = cozy_map(&board);
    for &word in words {
        CozyChess::play(&mut board, word);
        map = cozy_map(&board);
        black_box(&map);
    }
    map.iter().map(|set| u64::from(set.len())).sum()
}

fn cozy_map(board: &cozy::Board) -> [cozy::BitBoard; 64] {
    use cozy::{Color, Piece};
    let occupied = board.occupied();
    let mut map = [cozy::BitBoard::EMPTY; 64];
    let mut write = |from: cozy::Square, targets: cozy::BitBoard| {
        for to in targets {
            map[to as usize] |= from.bitboard();
        }
    };
    for color in Color::ALL {
        for from in board.colored_pieces(color, Piece::Pawn) {
            write(from, cozy::get_pawn_attacks(from, color));
        }
    }
    for from in board.pieces(Piece::Knight) {
        write(from, cozy::get_knight_moves(from));
    }
    for from in board.pieces(Piece::King) {
        write(from, cozy::get_king_moves(from));
    }
    for from in board.pieces(Piece::Bishop) | board.pieces(Piece::Queen) {
        write(from, cozy::get_bishop_moves(from, occupied));
    }
    for from in board.pieces(Piece::Rook) | board.pieces(Piece::Queen) {
        write(from, cozy::get_rook_moves(from, occupied));
    }
    map
}
