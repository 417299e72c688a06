//! The third opinion: try all pairs of squares, make the move, look whether the king can be taken.

use scoresheet_chess::{Bitboard, Piece, Position, Rank, Role, Setup, Square};

pub struct Slow(pub Setup);

impl Slow {
    fn attacks(&self, from: Square, to: Square) -> bool {
        let Some(man) = self.0.board.piece_at(from) else {
            return false;
        };
        let files = to.file() as i8 - from.file() as i8;
        let ranks = to.rank() as i8 - from.rank() as i8;
        let is_straight = files == 0 || ranks == 0;
        let is_diagonal = files.abs() == ranks.abs();
        from != to
            && match man.role {
                Role::Pawn => files.abs() == 1 && ranks == 1 - 2 * man.color as i8,
                Role::Knight => (files * ranks).abs() == 2,
                Role::King => files.abs().max(ranks.abs()) == 1,
                Role::Bishop => is_diagonal && self.is_clear(from, to),
                Role::Rook => is_straight && self.is_clear(from, to),
                Role::Queen => (is_straight || is_diagonal) && self.is_clear(from, to),
            }
    }

    /// Whether nothing stands between two squares on a line.
    fn is_clear(&self, from: Square, to: Square) -> bool {
        let files = (to.file() as i8 - from.file() as i8).signum();
        let ranks = (to.rank() as i8 - from.rank() as i8).signum();
        let walk = core::iter::successors(Some(from), |at| at.offset(files, ranks));
        walk.skip(1)
            .take_while(|&at| at != to)
            .all(|at| self.0.board.piece_at(at).is_none())
    }

    fn is_attacked(&self, square: Square) -> bool {
        let enemies = self.0.board.by_color(!self.0.turn);
        enemies.iter().any(|from| self.attacks(from, square))
    }

    fn pawn_goes(&self, from: Square, to: Square) -> bool {
        let (color, board) = (self.0.turn, &self.0.board);
        let up = 1 - 2 * color as i8;
        let is_capture = board.by_color(!color).contains(to) || self.0.ep_square == Some(to);
        let is_double = from.rank() == Rank::Second.seen_by(color)
            && from.offset(0, 2 * up) == Some(to)
            && self.is_clear(from, to);
        (self.attacks(from, to) && is_capture)
            || ((from.offset(0, up) == Some(to) || is_double) && board.piece_at(to).is_none())
    }

    fn after(&self, from: Square, to: Square, role: Role) -> Slow {
        let mut next = self.0;
        next.board.remove(from);
        next.board.set(to, Piece::new(self.0.turn, role));
        let is_pawn = self.0.board.role_at(from) == Some(Role::Pawn);
        if is_pawn && self.0.ep_square == Some(to) && from.file() != to.file() {
            next.board.remove(Square::ALL[to.index() ^ 8]);
        }
        let is_double = is_pawn && from.distance(to) == 2;
        next.ep_square = is_double.then(|| Square::ALL[to.index() ^ 8]);
        next.castling = next.castling - from.into() - to.into();
        if role == Role::King {
            next.castling = next.castling - Bitboard::from_rank(from.rank());
        }
        Slow(next)
    }

    fn castled(&self, king: Square, rook: Square) -> Option<Slow> {
        let files = if rook > king { [6, 5] } else { [2, 3] };
        let [king_to, rook_to] = files.map(|file| Square::ALL[king.index() / 8 * 8 + file]);
        let mut lifted = Slow(self.0);
        lifted.0.board.remove(king);
        lifted.0.board.remove(rook);
        let way = |a: Square, b: Square| {
            let is_within = move |s: &Square| *s >= a.min(b) && *s <= a.max(b);
            Square::ALL.into_iter().filter(is_within)
        };
        let is_free = |s| lifted.0.board.piece_at(s).is_none();
        let is_legal = way(king, king_to).all(|s| is_free(s) && !self.is_attacked(s))
            && way(rook, rook_to).all(is_free);
        let mut next = lifted.after(king, king_to, Role::King);
        let rook = Piece::new(self.0.turn, Role::Rook);
        next.0.board.set(rook_to, rook);
        is_legal.then_some(next)
    }

    fn legal(&self) -> Vec<Slow> {
        let (color, own) = (self.0.turn, self.0.board.by_color(self.0.turn));
        let mut next = Vec::new();
        for (from, man) in self.0.board.pieces().filter(|(_, man)| man.color == color) {
            for to in !own {
                let roles = match man.role {
                    Role::Pawn if !self.pawn_goes(from, to) => continue,
                    Role::Pawn if Bitboard::BACK_RANKS.contains(to) => &Role::PROMOTIONS[..],
                    Role::Pawn => &[Role::Pawn],
                    _ if !self.attacks(from, to) => continue,
                    _ => &[man.role],
                };
                next.extend(roles.iter().map(|&role| self.after(from, to, role)));
            }
        }
        let king = self.0.board.king_of(color).expect("both kings");
        let rooks = self.0.castling & Bitboard::from_rank(Rank::First.seen_by(color));
        next.extend(rooks.iter().filter_map(|rook| self.castled(king, rook)));
        next.retain(|after| !after.is_attacked(after.0.board.king_of(color).unwrap_or(king)));
        next
    }

    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let play_on = |mut next: Slow| {
            next.0.turn = !next.0.turn;
            next.perft(depth - 1)
        };
        self.legal().into_iter().map(play_on).sum()
    }
}

impl From<&Position> for Slow {
    fn from(position: &Position) -> Slow {
        Slow(position.to_setup())
    }
}
