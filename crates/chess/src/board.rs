//! Where the pieces stand.

#![allow(clippy::cast_possible_truncation)] // Codes have four bits.

use core::fmt;

use crate::{Bitboard, Color, File, Piece, Rank, Role, Square};

/// Pieces on squares, and nothing else: no turn, no rules.
///
/// Four bits say what stands on a square, and each of the four is kept as a set of squares:
///
/// | plane | holds |
/// |---|---|
/// | `BLACK` | the black men |
/// | `STEP` | pawns, knights and kings: the men that do not slide |
/// | `ORTH` | rooks and queens; with `STEP`, kings |
/// | `DIAG` | bishops and queens; with `STEP`, knights |
///
/// The sets that move generation asks for most (all men, the enemy, the sliders of each kind) are
/// one or two operations away, a board is 32 bytes, and a man moves by the same few instructions
/// whatever it is and whatever it takes. See ARCHITECTURE.md, "Why four planes?".
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    pub(crate) planes: [u64; 4],
}

pub(crate) const BLACK: usize = 0;
pub(crate) const STEP: usize = 1;
pub(crate) const ORTH: usize = 2;
pub(crate) const DIAG: usize = 3;

/// What a square holds, as four bits: bit `n` is plane `n`. 0 is an empty square.
pub(crate) type Code = usize;

/// The code of each role without its colour, and back.
pub(crate) const fn code_of(piece: Piece) -> Code {
    let role = match piece.role {
        Role::Pawn => 1 << STEP,
        Role::Knight => 1 << STEP | 1 << DIAG,
        Role::Bishop => 1 << DIAG,
        Role::Rook => 1 << ORTH,
        Role::Queen => 1 << ORTH | 1 << DIAG,
        Role::King => 1 << STEP | 1 << ORTH,
    };
    role | (piece.color as usize) << BLACK
}

/// For each role and each plane of STEP, ORTH and DIAG: all ones if the role is not in the plane, so
/// that the squares outside it are kept.
const ROLE_FLIPS: [[u64; 3]; 6] = {
    let mut table = [[0; 3]; 6];
    let mut role = 0;
    while role < 6 {
        let code = code_of(Piece::new(crate::Color::White, Role::ALL[role]));
        let mut plane = 0;
        while plane < 3 {
            table[role][plane] = (code as u64 >> (plane + STEP) & 1).wrapping_sub(1);
            plane += 1;
        }
        role += 1;
    }
    table
};

/// The role of a code; `None` for an empty square. By a table: a match becomes a jump whose goal
/// nobody can foresee, and that doubles the time of everything that asks for the role of a mover.
#[inline(always)]
pub(crate) const fn role_of(code: Code) -> Option<Role> {
    const ROLES: [Option<Role>; 8] = [
        None,
        Some(Role::Pawn),
        Some(Role::Rook),
        Some(Role::King),
        Some(Role::Bishop),
        Some(Role::Knight),
        Some(Role::Queen),
        None,
    ];
    ROLES[code >> 1 & 7]
}

impl Board {
    /// A board without pieces.
    pub const EMPTY: Board = Board { planes: [0; 4] };

    /// The array from which a game of standard chess starts.
    pub const START: Board = Board {
        planes: [
            0xffff_0000_0000_0000,
            0x52ff_0000_0000_ff52,
            0x9900_0000_0000_0099,
            0x6e00_0000_0000_006e,
        ],
    };

    /// All squares with a piece on them.
    #[must_use]
    #[inline(always)]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.planes[STEP] | self.planes[ORTH] | self.planes[DIAG])
    }

    /// The squares of one side's men.
    #[must_use]
    #[inline(always)]
    pub const fn by_color(&self, color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard(self.occupied().0 & !self.planes[BLACK]),
            Color::Black => Bitboard(self.planes[BLACK]),
        }
    }

    /// [`Board::by_color`] for a colour that differs from call to call: no branch.
    #[inline(always)]
    pub(crate) const fn by_any_color(&self, color: Color) -> Bitboard {
        let is_white = (color as u64).wrapping_sub(1);
        Bitboard(self.planes[BLACK] ^ self.occupied().0 & is_white)
    }

    /// The squares of all men of one role, of both colours.
    #[must_use]
    #[inline(always)]
    pub const fn by_role(&self, role: Role) -> Bitboard {
        let [_, step, orth, diag] = self.planes;
        Bitboard(match role {
            Role::Pawn => step & !(orth | diag),
            Role::Knight => step & diag,
            Role::Bishop => diag & !(step | orth),
            Role::Rook => orth & !(step | diag),
            Role::Queen => orth & diag,
            Role::King => step & orth,
        })
    }

    /// [`Board::by_role`] for a role that differs from call to call: no branch, where the other one
    /// has six ways to go and the predictor guesses.
    ///
    /// ```
    /// use scoresheet_chess::{Board, Role};
    /// for role in Role::ALL {
    ///     assert_eq!(Board::START.by_any_role(role), Board::START.by_role(role));
    /// }
    /// ```
    #[must_use]
    #[inline(always)]
    pub const fn by_any_role(&self, role: Role) -> Bitboard {
        let [_, step, orth, diag] = self.planes;
        let [step_flip, orth_flip, diag_flip] = ROLE_FLIPS[role as usize];
        Bitboard((step ^ step_flip) & (orth ^ orth_flip) & (diag ^ diag_flip))
    }

    /// The squares of one kind of piece.
    #[must_use]
    #[inline]
    pub const fn by_piece(&self, piece: Piece) -> Bitboard {
        Bitboard(self.by_role(piece.role).0 & self.by_color(piece.color).0)
    }

    /// Whether both boards have the same on these squares: the same men, and nothing on the same
    /// squares.
    ///
    /// ```
    /// use scoresheet_chess::{Bitboard, Board, Rank};
    /// let after_e4: Board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR".parse().unwrap();
    /// let upper = Bitboard::from_rank(Rank::Seventh) | Bitboard::from_rank(Rank::Eighth);
    /// assert!(after_e4.agrees_with(&Board::START, upper));
    /// assert!(!after_e4.agrees_with(&Board::START, !upper));
    /// ```
    #[must_use]
    #[inline(always)]
    pub const fn agrees_with(&self, other: &Board, squares: Bitboard) -> bool {
        let (own, others) = (self.planes, other.planes);
        let differs = (own[BLACK] ^ others[BLACK])
            | (own[STEP] ^ others[STEP])
            | (own[ORTH] ^ others[ORTH])
            | (own[DIAG] ^ others[DIAG]);
        differs & squares.0 == 0
    }

    /// Rooks and queens of both colours.
    #[must_use]
    #[inline(always)]
    pub const fn orthogonal_sliders(&self) -> Bitboard {
        Bitboard(self.planes[ORTH] & !self.planes[STEP])
    }

    /// Bishops and queens of both colours.
    #[must_use]
    #[inline(always)]
    pub const fn diagonal_sliders(&self) -> Bitboard {
        Bitboard(self.planes[DIAG] & !self.planes[STEP])
    }

    #[inline(always)]
    pub(crate) const fn code_at(&self, square: Square) -> Code {
        let [black, step, orth, diag] = self.planes;
        let at = square as u8;
        (black >> at & 1
            | (step >> at & 1) << STEP
            | (orth >> at & 1) << ORTH
            | (diag >> at & 1) << DIAG) as usize
    }

    /// The role of the man on a square.
    #[must_use]
    #[inline]
    pub const fn role_at(&self, square: Square) -> Option<Role> {
        role_of(self.code_at(square))
    }

    /// The colour of the man on a square.
    #[must_use]
    #[inline]
    pub const fn color_at(&self, square: Square) -> Option<Color> {
        match self.code_at(square) {
            0 => None,
            code => Some(if code & 1 == 0 {
                Color::White
            } else {
                Color::Black
            }),
        }
    }

    /// The man on a square.
    #[must_use]
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        match (self.color_at(square), self.role_at(square)) {
            (Some(color), Some(role)) => Some(Piece { color, role }),
            _ => None,
        }
    }

    /// The square of a side's king; of the first, should there be several.
    #[must_use]
    #[inline]
    pub const fn king_of(&self, color: Color) -> Option<Square> {
        self.by_piece(Piece::new(color, Role::King)).first()
    }

    /// Puts a man on a square, in place of what stood there.
    pub const fn set(&mut self, square: Square, piece: Piece) {
        self.put_code(square, code_of(piece));
    }

    /// Takes the man off a square and returns it.
    pub const fn remove(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece_at(square);
        self.put_code(square, 0);
        piece
    }

    #[inline(always)]
    pub(crate) const fn put_code(&mut self, square: Square, code: Code) {
        let mut plane = 0;
        while plane < 4 {
            let bit = 1 << square as u8;
            let holds = (code >> plane & 1) as u64;
            self.planes[plane] = self.planes[plane] & !bit | holds << square as u8;
            plane += 1;
        }
    }

    /// Moves what stands on `from`, a man of `color`, to `to`, over whatever stands there, and tells
    /// the code of what was moved. If `from` is empty, so is `to` afterwards.
    ///
    /// The planes are not treated alike on purpose. Seeing four times the same, LLVM makes one AVX2
    /// vector of them, and a replay then waits a dozen cycles a move for planes to travel between
    /// vector and scalar registers; the question that follows is always a scalar one.
    #[inline(always)]
    pub(crate) const fn slide(&mut self, color: Color, from: Square, to: Square) -> Code {
        let (from, to) = (from as u8, to as u8);
        let [black, step, orth, diag] = self.planes;
        let keep = !(1 << from | 1 << to);
        let [is_step, is_orth, is_diag] = [step >> from & 1, orth >> from & 1, diag >> from & 1];
        let is_black = (is_step | is_orth | is_diag) & color as u64;
        self.planes = [
            black & keep | is_black << to,
            step & keep | is_step << to,
            (orth & keep) + (is_orth << to),
            diag & keep ^ is_diag << to,
        ];
        (is_step << STEP | is_orth << ORTH | is_diag << DIAG) as usize
    }

    /// Puts a man on an empty square; the role need not be a constant, and there is no branch on it.
    #[inline(always)]
    pub(crate) const fn add(&mut self, piece: Piece, square: Square) {
        let bit = 1 << square as u8;
        let [step, orth, diag] = ROLE_FLIPS[piece.role as usize];
        self.planes[BLACK] |= (piece.color as u64) << square as u8;
        self.planes[STEP] |= bit & !step;
        self.planes[ORTH] |= bit & !orth;
        self.planes[DIAG] |= bit & !diag;
    }

    /// [`Board::toggle`] for a piece that differs from call to call: no branch.
    #[inline(always)]
    pub(crate) const fn toggle_any(&mut self, piece: Piece, squares: Bitboard) {
        let [step, orth, diag] = ROLE_FLIPS[piece.role as usize];
        if matches!(piece.color, Color::Black) {
            self.planes[BLACK] ^= squares.0;
        }
        self.planes[STEP] ^= squares.0 & !step;
        self.planes[ORTH] ^= squares.0 & !orth;
        self.planes[DIAG] ^= squares.0 & !diag;
    }

    /// Empties all squares of the set.
    #[inline(always)]
    pub(crate) const fn clear(&mut self, squares: Bitboard) {
        let mut plane = 0;
        while plane < 4 {
            self.planes[plane] &= !squares.0;
            plane += 1;
        }
    }

    /// Flips the planes of `piece` on `squares`: puts it there if they are empty, removes it if it
    /// stands there. No square is looked at. The piece is a constant wherever speed matters, and the
    /// loop goes away.
    ///
    /// ```
    /// use scoresheet_chess::{Board, Piece, Square};
    /// let mut board = Board::START;
    /// let knight = Piece::from_char('N').unwrap();
    /// board.toggle(knight, [Square::G1, Square::F3].into_iter().collect());
    /// assert_eq!(board.piece_at(Square::F3), Some(knight));
    /// assert_eq!(board.piece_at(Square::G1), None);
    /// ```
    #[inline(always)]
    pub const fn toggle(&mut self, piece: Piece, squares: Bitboard) {
        let code = code_of(piece);
        let mut plane = 0;
        while plane < 4 {
            if code >> plane & 1 != 0 {
                self.planes[plane] ^= squares.0;
            }
            plane += 1;
        }
    }

    /// All men with their squares, in ascending order of squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied()
            .into_iter()
            .filter_map(|square| Some((square, self.piece_at(square)?)))
    }
}

impl Default for Board {
    fn default() -> Board {
        Board::EMPTY
    }
}

/// Draws the board with FEN letters, rank 8 on top.
impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let mark = self
                    .piece_at(Square::new(file, rank))
                    .map_or('.', Piece::char);
                let gap = if file == File::H { '\n' } else { ' ' };
                write!(f, "{mark}{gap}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_can_be_put_found_and_removed() {
        for square in Square::ALL {
            for color in Color::ALL {
                for role in Role::ALL {
                    let piece = Piece::new(color, role);
                    let mut board = Board::EMPTY;
                    board.set(square, piece);
                    assert_eq!(board.piece_at(square), Some(piece));
                    assert_eq!(board.by_piece(piece), square.into());
                    assert_eq!(board.by_role(role), square.into());
                    assert_eq!(board.by_color(color), square.into());
                    assert_eq!(board.by_color(!color), Bitboard::EMPTY);
                    assert_eq!(board.occupied(), square.into());
                    assert_eq!(board.remove(square), Some(piece));
                    assert_eq!(board, Board::EMPTY);
                }
            }
        }
    }

    #[test]
    fn the_start_array_is_the_start_array() {
        let mut board = Board::EMPTY;
        for (i, file) in File::ALL.into_iter().enumerate() {
            let role = Role::from_char("RNBQKBNR".chars().nth(i).unwrap()).unwrap();
            board.set(
                Square::new(file, Rank::First),
                Piece::new(Color::White, role),
            );
            board.set(
                Square::new(file, Rank::Second),
                Piece::new(Color::White, Role::Pawn),
            );
            board.set(
                Square::new(file, Rank::Seventh),
                Piece::new(Color::Black, Role::Pawn),
            );
            board.set(
                Square::new(file, Rank::Eighth),
                Piece::new(Color::Black, role),
            );
        }
        assert_eq!(board, Board::START);
    }
}
