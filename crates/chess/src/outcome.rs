//! How a game ends: mate, stalemate, dead positions, the counters, repetition.

use core::fmt;

use crate::{Bitboard, Color, IllegalMove, Move, Position, Role};

/// Why a game is over by the laws of chess, without anybody claiming, agreeing or resigning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// FIDE 5.1.1.
    Checkmate {
        /// Who gave mate.
        winner: Color,
    },
    /// FIDE 5.2.1.
    Stalemate,
    /// Neither side has the men to mate with, by any play (FIDE 5.2.2, as far as material tells).
    InsufficientMaterial,
    /// Seventy-five moves of each side without a capture or a pawn's move (FIDE 9.6.2).
    SeventyFiveMoves,
    /// The same position for the fifth time (FIDE 9.6.1). Only a [`History`] can tell.
    FivefoldRepetition,
}

impl Outcome {
    /// Who won; `None` for a draw.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// The result as PGN writes it: `1-0`, `0-1` or `1/2-1/2`.
    #[must_use]
    pub const fn as_pgn(self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Checkmate { .. } => "checkmate",
            Outcome::Stalemate => "stalemate",
            Outcome::InsufficientMaterial => "insufficient material",
            Outcome::SeventyFiveMoves => "seventy-five moves without capture or pawn move",
            Outcome::FivefoldRepetition => "the same position for the fifth time",
        })
    }
}

impl Position {
    /// Whether the side to move is mated.
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_moves()
    }

    /// Whether the side to move has no move and is not in check.
    #[must_use]
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_legal_moves()
    }

    /// Whether neither side could ever mate with the men there are.
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        Color::ALL
            .into_iter()
            .all(|color| self.has_insufficient_material(color))
    }

    /// Whether this side could never mate with the men there are, however the other side plays.
    ///
    /// Only the material is looked at, as elsewhere: positions that are dead because they are
    /// blocked are not found.
    ///
    /// ```
    /// use scoresheet_chess::{Color, Position};
    /// let position: Position = "8/5k2/8/8/8/8/3BK3/7q w - - 0 1".parse().unwrap();
    /// assert!(position.has_insufficient_material(Color::White));
    /// assert!(!position.has_insufficient_material(Color::Black));
    /// ```
    #[must_use]
    pub fn has_insufficient_material(&self, color: Color) -> bool {
        const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
        let board = &self.board;
        let role = |role| board.by_role(role);
        let own = board.by_color(color);
        if own.intersects(role(Role::Pawn) | role(Role::Rook) | role(Role::Queen)) {
            return false;
        }
        if own.intersects(role(Role::Knight)) {
            // A lone knight needs an enemy man to smother the king with; a queen would not let it.
            let helpers = board.by_color(!color) - role(Role::King) - role(Role::Queen);
            return own.len() <= 2 && helpers.is_empty();
        }
        if own.intersects(role(Role::Bishop)) {
            // Bishops of one square colour need a man that can block a square of the other.
            let bishops = role(Role::Bishop);
            let on_one_color = bishops.is_subset_of(LIGHT) || !bishops.intersects(LIGHT);
            return on_one_color && (role(Role::Pawn) | role(Role::Knight)).is_empty();
        }
        true
    }

    /// Whether the player to move may claim a draw: fifty moves of each side without a capture or a
    /// pawn's move (FIDE 9.3). A mate on the board comes first.
    #[must_use]
    pub const fn is_fifty_moves(&self) -> bool {
        self.halfmoves >= 100
    }

    /// Whether the game is drawn without a claim, unless the last move gave mate (FIDE 9.6.2).
    #[must_use]
    pub const fn is_seventy_five_moves(&self) -> bool {
        self.halfmoves >= 150
    }

    /// How the game has ended, if it has; repetition needs a [`History`].
    ///
    /// ```
    /// use scoresheet_chess::{Color, Outcome, Position};
    /// let mut position = Position::START;
    /// for san in ["f3", "e5", "g4", "Qh4"] {
    ///     assert_eq!(position.outcome(), None);
    ///     position.play(position.parse_san(san.as_bytes()).unwrap()).unwrap();
    /// }
    /// assert_eq!(position.outcome(), Some(Outcome::Checkmate { winner: Color::Black }));
    /// ```
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_moves() {
            Some(if self.is_check() {
                Outcome::Checkmate { winner: !self.turn }
            } else {
                Outcome::Stalemate
            })
        } else if self.is_insufficient_material() {
            Some(Outcome::InsufficientMaterial)
        } else if self.is_seventy_five_moves() {
            Some(Outcome::SeventyFiveMoves)
        } else {
            None
        }
    }

    /// Whether both are the same position for the rule of repetition: men, turn, castling rights,
    /// and an en-passant capture only if it is legal (FIDE 9.2.3). The counters do not matter.
    #[must_use]
    pub fn is_same_position(&self, other: &Position) -> bool {
        self.board == other.board
            && self.turn == other.turn
            && self.castling == other.castling
            && (self.ep_square == other.ep_square
                || self.legal_ep_square() == other.legal_ep_square())
    }
}

/// A game so far: its positions, to count repetitions exactly.
///
/// Positions are compared, not their keys, so that no forged game can claim a draw.
///
/// ```
/// use scoresheet_chess::{History, Position};
/// let mut game = History::new(Position::START);
/// for san in ["Nf3", "Nf6", "Ng1", "Ng8"] {
///     let m = game.position().parse_san(san.as_bytes()).unwrap();
///     game.play(m).unwrap();
/// }
/// assert_eq!(game.repetitions(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    before: Vec<Position>,
    position: Position,
}

impl History {
    /// A game that starts here.
    #[must_use]
    pub const fn new(start: Position) -> History {
        History {
            before: Vec::new(),
            position: start,
        }
    }

    /// The position now.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// How many moves were played.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.before.len()
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// [`IllegalMove`] if it is not legal; nothing has changed then.
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        let before = self.position;
        self.position.play(m)?;
        self.before.push(before);
        Ok(())
    }

    /// Plays a move that is known to be legal; see [`Position::play_unchecked`].
    pub fn play_unchecked(&mut self, m: Move) {
        self.before.push(self.position);
        self.position.play_unchecked(m);
    }

    /// Takes the last move back; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        match self.before.pop() {
            Some(position) => {
                self.position = position;
                true
            }
            None => false,
        }
    }

    /// How often the position has been on the board, this time included.
    ///
    /// Looks back as far as the last capture or pawn's move and no farther: nothing before it can
    /// come again.
    #[must_use]
    pub fn repetitions(&self) -> usize {
        let reach = match self.position.halfmoves {
            u16::MAX => usize::MAX, // The counter stopped counting.
            halfmoves => usize::from(halfmoves),
        };
        let same = self
            .before
            .iter()
            .rev()
            .take(reach)
            .skip(1)
            .step_by(2)
            .filter(|earlier| earlier.is_same_position(&self.position));
        1 + same.count()
    }

    /// Whether the player to move may claim a draw by repetition (FIDE 9.2).
    #[must_use]
    pub fn is_threefold(&self) -> bool {
        self.repetitions() >= 3
    }

    /// How the game has ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let outcome = self.position.outcome();
        // Mate ends the game before anything else (FIDE 5.1.1).
        if outcome.is_none() && self.repetitions() >= 5 {
            return Some(Outcome::FivefoldRepetition);
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(history: &mut History, sans: &str) {
        for san in sans.split(' ') {
            let m = history.position().parse_san(san.as_bytes()).unwrap();
            history.play(m).unwrap();
        }
    }

    #[test]
    fn repetitions_are_counted_until_the_fifth_ends_the_game() {
        let mut history = History::new(Position::START);
        for times in 1..=5 {
            assert_eq!(history.repetitions(), times);
            assert_eq!(history.is_threefold(), times >= 3);
            let over = (times == 5).then_some(Outcome::FivefoldRepetition);
            assert_eq!(history.outcome(), over);
            play(&mut history, "Nf3 Nf6 Ng1 Ng8");
        }
        for _ in 0..20 {
            assert!(history.undo());
        }
        assert!(!history.undo());
        assert_eq!(history, History::new(Position::START));
    }

    /// After e4 Black could not take in passing, so the first time counts; after a lost castling
    /// right it does not.
    #[test]
    fn rights_make_positions_different_if_they_are_real() {
        let mut history = History::new(Position::START);
        play(&mut history, "e4 Nf6 Nf3 Ng8 Ng1");
        assert_eq!(history.repetitions(), 2);
        play(&mut history, "e5 Ke2 Ke7 Ke1 Ke8");
        assert_eq!(history.repetitions(), 1);

        // The pawn on d4 may take e3 in passing, but only in the first of the two.
        let mut history: History =
            History::new("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1".parse().unwrap());
        play(&mut history, "e4 Kd8 Kd1 Ke8 Ke1");
        assert_eq!(history.repetitions(), 1);

        // Here it is pinned to its king: there never was a capture.
        let mut history: History =
            History::new("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1".parse().unwrap());
        play(&mut history, "e4 Kb4 Kd1 Ka4 Ke1");
        assert_eq!(history.repetitions(), 2);
    }

    #[test]
    fn counters_end_games_but_mate_comes_first() {
        let with = |fen: &str| fen.parse::<Position>().unwrap();
        let position = with("4k3/8/8/8/8/8/8/R3K3 w - - 99 80");
        assert!(!position.is_fifty_moves());
        let position = with("4k3/8/8/8/8/8/8/R3K3 w - - 100 80");
        assert!(position.is_fifty_moves() && position.outcome().is_none());
        let position = with("4k3/8/8/8/8/8/8/R3K3 w - - 150 80");
        assert_eq!(position.outcome(), Some(Outcome::SeventyFiveMoves));
        let position = with("R3k3/8/4K3/8/8/8/8/8 b - - 150 80");
        let mate = Outcome::Checkmate {
            winner: Color::White,
        };
        assert_eq!(position.outcome(), Some(mate));
        assert_eq!((mate.as_pgn(), mate.winner()), ("1-0", Some(Color::White)));
        let position = with("7k/5Q2/8/8/8/8/8/K7 b - - 0 1");
        assert!(position.is_stalemate() && !position.is_checkmate());
        assert_eq!(position.outcome(), Some(Outcome::Stalemate));
    }

    #[test]
    fn dead_material_is_known() {
        for (fen, white, black) in [
            ("8/5k2/8/8/8/8/3K4/8 w - - 0 1", true, true),
            ("8/5k2/8/8/8/8/3K4/6N1 w - - 0 1", true, true),
            ("8/5k2/8/8/8/8/3K4/5NN1 w - - 0 1", false, true),
            ("8/3b1k2/8/8/8/8/3K4/5B2 w - - 0 1", true, true),
            ("8/2b2k2/8/8/8/8/3K4/5B2 w - - 0 1", false, false),
            ("8/2b2k2/8/8/8/8/3K4/6N1 w - - 0 1", false, false),
            ("8/2q2k2/8/8/8/8/3K4/6N1 w - - 0 1", true, false),
            ("8/2p2k2/8/8/8/8/3K4/5B2 w - - 0 1", false, false),
            ("8/5k2/8/8/8/8/P2K4/8 w - - 0 1", false, true),
        ] {
            let position: Position = fen.parse().unwrap();
            let found = Color::ALL.map(|color| position.has_insufficient_material(color));
            assert_eq!(found, [white, black], "{fen}");
            assert_eq!(position.is_insufficient_material(), white && black);
        }
    }

    /// The slow twin counts all moves.
    #[test]
    fn there_is_an_answer_if_there_are_moves() {
        fn walk(position: &Position, depth: u32, seen: &mut [u32; 2]) {
            let moves = position.legal_moves();
            assert_eq!(position.has_legal_moves(), !moves.is_empty(), "{position}");
            if position.is_check() {
                seen[usize::from(moves.is_empty())] += 1;
            }
            for m in moves.into_iter().filter(|_| depth > 0) {
                let mut next = *position;
                next.play_unchecked(m);
                walk(&next, depth - 1, seen);
            }
        }
        let mut seen = [0; 2];
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            // Kings that cannot step aside: a rook takes, a pawn steps between, a pawn takes in passing.
            "6rk/5Qpp/8/6N1/8/8/8/K7 b - - 0 1",
            "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1",
            "8/8/1ppp4/1pkp4/1ppP4/4P3/8/7K b - d3 0 1",
            "8/2p5/1p1k1p2/1P1P1P2/2PKpP2/2P1P3/8/8 w - - 0 1",
            "r1bqk2r/pppp1Npp/8/2b1p3/2B1n3/8/PPPP1PPP/RNBQK2R b KQkq - 0 1",
        ] {
            walk(&fen.parse().unwrap(), 3, &mut seen);
        }
        assert!(seen[0] > 1000 && seen[1] > 50, "{seen:?}");
    }
}
