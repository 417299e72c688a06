//! Random legal games.

use chess::{Bitboard, Board, Color, File, Move, Piece, Position, Rank, Role, Setup, Square};

use crate::Random;

/// Where a random game starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameKind {
    /// The standard array.
    Standard,
    /// One of the 960 arrays, chosen for each side on its own.
    Chess960,
    /// A random legal set-up of few men.
    Setup,
    /// A random legal set-up with many queens.
    ManyQueens,
}

impl GameKind {
    /// All kinds.
    pub const ALL: [GameKind; 4] = [
        GameKind::Standard,
        GameKind::Chess960,
        GameKind::Setup,
        GameKind::ManyQueens,
    ];
}

/// A start position and legal moves from it.
#[derive(Clone, Debug)]
pub struct Game {
    /// Where the game starts.
    pub start: Position,
    /// The moves, each legal where it stands.
    pub moves: Vec<Move>,
}

impl Game {
    /// Calls `visit` with every position that has a move, and that move.
    pub fn walk(&self, mut visit: impl FnMut(&Position, Move)) {
        let mut position = self.start;
        for &m in &self.moves {
            visit(&position, m);
            position.play_unchecked(m);
        }
    }

    /// The position after the last move.
    #[must_use]
    pub fn end(&self) -> Position {
        let mut position = self.start;
        for &m in &self.moves {
            position.play_unchecked(m);
        }
        position
    }
}

/// A game of at most `plies` random legal moves. Promotions, castling and en passant are preferred
/// now and then: chance alone would hardly show them.
#[must_use]
pub fn random_game(kind: GameKind, seed: u64, plies: usize) -> Game {
    let mut random = Random::new(seed ^ (kind as u64) << 56);
    let start = loop {
        let setup = match kind {
            GameKind::Standard => Setup::START,
            GameKind::Chess960 => chess960(&mut random),
            GameKind::Setup => scattered(&mut random, false),
            GameKind::ManyQueens => scattered(&mut random, true),
        };
        if let Ok(position) = Position::try_from(setup) {
            break position;
        }
    };
    let mut position = start;
    let mut moves = Vec::new();
    while moves.len() < plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let special: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|m| !matches!(m.flags(), 0 | 4))
            .collect();
        let m = if special.is_empty() || !random.one_in(3) {
            *random.pick(&legal)
        } else {
            *random.pick(&special)
        };
        moves.push(m);
        position.play_unchecked(m);
    }
    Game { start, moves }
}

/// A back rank with bishops on both colours and the king between the rooks.
fn back_rank(random: &mut Random) -> [Role; 8] {
    let mut roles = [None; 8];
    let free = |roles: &[Option<Role>; 8]| -> Vec<usize> {
        (0..8).filter(|&file| roles[file].is_none()).collect()
    };
    roles[2 * random.below(4)] = Some(Role::Bishop);
    roles[2 * random.below(4) + 1] = Some(Role::Bishop);
    for role in [Role::Queen, Role::Knight, Role::Knight] {
        let places = free(&roles);
        roles[*random.pick(&places)] = Some(role);
    }
    for (file, role) in free(&roles)
        .into_iter()
        .zip([Role::Rook, Role::King, Role::Rook])
    {
        roles[file] = Some(role);
    }
    roles.map(|role| role.unwrap_or(Role::Queen))
}

fn chess960(random: &mut Random) -> Setup {
    let mut board = Board::EMPTY;
    let mut castling = Bitboard::EMPTY;
    for color in Color::ALL {
        let roles = back_rank(random);
        for (file, role) in File::ALL.into_iter().zip(roles) {
            let square = Square::new(file, Rank::First.seen_by(color));
            board.set(square, Piece::new(color, role));
            board.set(
                Square::new(file, Rank::Second.seen_by(color)),
                Piece::new(color, Role::Pawn),
            );
            if role == Role::Rook {
                castling.insert(square);
            }
        }
    }
    Setup {
        board,
        castling,
        ..Setup::START
    }
}

/// Kings and a few men anywhere; most such set-ups are refused, and tried again.
fn scattered(random: &mut Random, queens: bool) -> Setup {
    let mut board = Board::EMPTY;
    let roles = [
        Role::Pawn,
        Role::Pawn,
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ];
    for color in Color::ALL {
        board.set(*random.pick(&Square::ALL), Piece::new(color, Role::King));
        for _ in 0..random.below(if queens { 12 } else { 9 }) {
            let role = if queens && !random.one_in(4) {
                Role::Queen
            } else {
                *random.pick(&roles)
            };
            board.set(*random.pick(&Square::ALL), Piece::new(color, role));
        }
    }
    Setup {
        board,
        turn: *random.pick(&Color::ALL),
        halfmoves: random.below(60) as u16,
        fullmoves: 1 + random.below(200) as u16,
        ..Setup::EMPTY
    }
}
