//! A legal position, and playing moves on it.

use core::fmt;
use core::hint::select_unpredictable;

use crate::board::code_of;
use crate::side::Side;
use crate::{
    Bitboard, Board, CastlingSide, Color, Move, MoveKind, Piece, Role, Setup, Square, attacks,
    zobrist,
};

/// A position that can be played from: both kings are there, the side that moved is not in check,
/// castling rights and the en-passant square are sound.
///
/// It is small (48 bytes) and [`Copy`]: there is no undo, keep a copy. It does not carry a key; see
/// [`Keyed`](crate::Keyed) for one that is updated with every move.
///
/// ```
/// use scoresheet_chess::Position;
/// let mut position = Position::START;
/// for san in ["e4", "e5", "Qh5", "Ke7", "Qxe5#"] {
///     let m = position.parse_san(san.as_bytes()).unwrap();
///     position.play(m).unwrap();
/// }
/// assert!(position.is_checkmate());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pub(crate) board: Board,
    /// The rooks that may still castle.
    pub(crate) castling: Bitboard,
    pub(crate) halfmoves: u16,
    pub(crate) fullmoves: u16,
    /// Set after a double push if an enemy pawn stands ready to take, pinned or not.
    pub(crate) ep_square: Option<Square>,
    pub(crate) turn: Color,
}

const _: () = assert!(size_of::<Position>() == 48);

/// The move is not legal in the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove {
    /// The move that was tried.
    pub found: Move,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} ({:?}) is not legal in this position",
            self.found,
            self.found.kind()
        )
    }
}

impl core::error::Error for IllegalMove {}

impl Position {
    /// The position from which a game of standard chess starts.
    pub const START: Position = Position {
        board: Board::START,
        castling: Setup::START.castling,
        halfmoves: 0,
        fullmoves: 1,
        ep_square: None,
        turn: Color::White,
    };

    pub(crate) const fn from_sound_setup(setup: Setup) -> Position {
        Position {
            board: setup.board,
            castling: setup.castling,
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves,
            ep_square: setup.ep_square,
            turn: setup.turn,
        }
    }

    /// What a FEN of this position says.
    #[must_use]
    pub const fn to_setup(&self) -> Setup {
        Setup {
            board: self.board,
            turn: self.turn,
            castling: self.castling,
            ep_square: self.ep_square,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
        }
    }

    /// Where the men stand.
    #[must_use]
    #[inline(always)]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Who is to move.
    #[must_use]
    #[inline(always)]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Whether it is the turn of this colour. Where it is, the compiler knows it of all that follows:
    /// for loops that play White's half of a move and then Black's.
    #[doc(hidden)]
    #[inline(always)]
    pub fn knows_turn(&mut self, turn: Color) -> bool {
        let is_turn = self.turn == turn;
        if is_turn {
            self.turn = turn;
        }
        is_turn
    }

    /// The squares of the rooks that may still castle.
    #[must_use]
    #[inline]
    pub const fn castling_rooks(&self) -> Bitboard {
        self.castling
    }

    /// The rook with which `color` may still castle to `side`, whether it is possible now or not.
    #[must_use]
    #[inline]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        self.to_setup().castling_rook(color, side)
    }

    /// Whether a castling right cannot be told in standard chess: its king is not on the e-file or
    /// its rook not in the corner.
    #[must_use]
    pub fn needs_chess960(&self) -> bool {
        Color::ALL.into_iter().any(|color| {
            let home = if color == Color::White { 0 } else { 56 };
            let rooks = self.castling & Bitboard(0xff << home);
            rooks.any()
                && (self.king_of(color) != Square::from_low_bits(home + 4)
                    || !rooks.is_subset_of(Bitboard(0x81 << home)))
        })
    }

    /// The square a pawn has just passed over, if an enemy pawn attacks it. That pawn may be
    /// pinned: see [`Position::legal_ep_square`].
    #[must_use]
    #[inline]
    pub const fn ep_square(&self) -> Option<Square> {
        self.ep_square
    }

    /// Plies since the last capture or pawn move.
    #[must_use]
    #[inline]
    pub const fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// The number of the current move.
    #[must_use]
    #[inline]
    pub const fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    /// The square of a side's king.
    #[must_use]
    #[inline(always)]
    pub const fn king_of(&self, color: Color) -> Square {
        self.board
            .by_piece(Piece::new(color, Role::King))
            .first_or_a1()
    }

    /// The enemy men that give check to the side to move.
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        let [leapers, sliders] = self.possible_checkers();
        leapers | sliders.into_iter().filter(self.sees_king()).collect()
    }

    /// Whether the side to move is in check.
    #[must_use]
    // Always: a call would want the address of a position that the loops of replays keep in registers.
    #[inline(always)]
    pub fn is_check(&self) -> bool {
        let [leapers, sliders] = self.possible_checkers();
        let sees_king = self.sees_king();
        leapers.any() || sliders.into_iter().any(|slider| sees_king(&slider))
    }

    /// The knights and pawns that give check to the side to move, and the sliders that do if nothing is in
    /// their way. Most of the time no slider is on a line with the king. Else it is one, seldom two: to look
    /// what stands between costs less than to look up how far the king sees.
    #[inline(always)]
    fn possible_checkers(&self) -> [Bitboard; 2] {
        let board = &self.board;
        let king = self.king_of(self.turn);
        let leapers = (attacks::knight(king) & board.by_role(Role::Knight))
            | (attacks::pawn(self.turn, king) & board.by_role(Role::Pawn));
        let sliders = (board.orthogonal_sliders() & attacks::rook_rays(king))
            | (board.diagonal_sliders() & attacks::bishop_rays(king));
        [leapers, sliders].map(|men| men & board.by_color(!self.turn))
    }

    /// Whether nothing stands between a square and the king of the side to move.
    #[inline(always)]
    fn sees_king(&self) -> impl Fn(&Square) -> bool {
        let (king, occupied) = (self.king_of(self.turn), self.board.occupied());
        move |&square| !attacks::between(king, square).intersects(occupied)
    }

    /// The men of a colour that attack a square.
    #[must_use]
    pub fn attackers_to(&self, square: Square, by: Color) -> Bitboard {
        attackers_of(&self.board, square, self.board.occupied()) & self.board.by_color(by)
    }

    /// The Zobrist key with Polyglot's constants, computed from scratch.
    ///
    /// ```
    /// # use scoresheet_chess::Position;
    /// assert_eq!(Position::START.key(), 0x463b_9618_1691_fc9c);
    /// ```
    #[must_use]
    pub fn key(&self) -> u64 {
        zobrist::key_of(self)
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// [`IllegalMove`] if it is not legal; the position is as before then.
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(m) {
            return Err(IllegalMove { found: m });
        }
        self.play_unchecked(m);
        Ok(())
    }

    /// Plays a move that is known to be legal.
    ///
    /// Nothing is checked. An illegal move gives a position that means nothing, but neither a
    /// panic nor undefined behaviour now or later.
    #[inline(always)]
    pub fn play_unchecked(&mut self, m: Move) {
        let (from, to) = (m.from(), m.to());
        let color = self.turn;
        let castling = self.castling;
        // No branch until the end: what the mover is, is as hard to foresee as the game itself.
        let mover = self.board.slide(color, from, to);
        let is_pawn = mover == code_of(Piece::new(Color::White, Role::Pawn));
        let is_king = mover == code_of(Piece::new(Color::White, Role::King));
        let keeps_clock = u16::from(!(is_pawn | m.is_capture())).wrapping_neg();
        let home = u64::from(is_king).wrapping_neg() & 0xff << (56 * color as u8);

        self.ep_square = None;
        self.turn = !color;
        self.fullmoves = self.fullmoves.saturating_add(color as u16);
        self.halfmoves = self.halfmoves.saturating_add(1) & keeps_clock;
        self.castling = castling - Bitboard(1 << from as u8 | 1 << to as u8 | home);
        if m.flags() & !4 != 0 {
            if m.flags() == MoveKind::DoublePush as u8 {
                self.ep_square = self.ep_square_after_double_push(color, to);
            } else {
                *self = self.after_special(m, color, castling);
                // Said again for the compiler, which does not look into what is cold.
                self.turn = !color;
            }
        }
    }

    /// [`Position::play_unchecked`] for a man that is known to be of `role`, and to take what stands on
    /// `to` or to find nothing there. Not for castling, promotion, en passant and double pushes.
    ///
    /// For decoders, which know what moves before they know where it stands: half the work, and the
    /// board after the move depends on the board before it by fewer steps.
    #[inline(always)]
    pub fn play_role_unchecked(&mut self, role: Role, from: Square, to: Square, takes: bool) {
        let color = self.turn;
        let both = Bitboard::from(from) | to.into();
        self.ep_square = None;
        self.turn = !color;
        self.fullmoves = self.fullmoves.saturating_add(color as u16);
        if takes {
            self.halfmoves = 0;
            self.board.clear(both);
            self.board.add(Piece::new(color, role), to);
        } else {
            let counted = self.halfmoves.saturating_add(1);
            self.halfmoves = select_unpredictable(role == Role::Pawn, 0, counted);
            self.board.toggle_any(Piece::new(color, role), both);
        }
        // Nobody may castle any more for most of a game: that is easily foreseen.
        if self.castling.any() {
            let home = u64::from(role == Role::King).wrapping_neg() & 0xff << (56 * color as u8);
            self.castling = self.castling - both - Bitboard(home);
        }
    }

    /// [`Position::play_unchecked`] for a pawn's double push.
    #[inline(always)]
    pub fn play_double_push_unchecked(&mut self, from: Square, to: Square) {
        let color = self.turn;
        let both = Bitboard::from(from) | to.into();
        self.turn = !color;
        self.fullmoves = self.fullmoves.saturating_add(color as u16);
        self.halfmoves = 0;
        self.board.clear(both);
        self.board.add(Piece::new(color, Role::Pawn), to);
        self.ep_square = self.ep_square_after_double_push(color, to);
    }

    /// [`Position::play_unchecked`] for a man that goes from square to square and takes what stands
    /// there: all but castling, en passant and promotion. That it is a pawn's double push is seen.
    ///
    /// For decoders whose words do not tell captures and double pushes.
    #[inline(always)]
    pub fn play_step_unchecked(&mut self, from: Square, to: Square) {
        let color = self.turn;
        let pawn = self.board.by_role(Role::Pawn) & from.into();
        let taken = self.board.occupied() & to.into();
        let king = self.board.by_role(Role::King) & from.into();
        let is_double = self.is_double_push(from, to);
        self.board.slide(color, from, to);
        self.ep_square = None;
        self.turn = !color;
        self.fullmoves = self.fullmoves.saturating_add(color as u16);
        let counted = self.halfmoves.saturating_add(1);
        self.halfmoves = select_unpredictable((pawn | taken).any(), 0, counted);
        // Nobody may castle any more for most of a game: that is easily foreseen.
        if self.castling.any() {
            let home = u64::from(king.any()).wrapping_neg() & 0xff << (56 * color as u8);
            self.castling = self.castling - Bitboard(1 << from as u8 | 1 << to as u8 | home);
        }
        if is_double {
            self.ep_square = self.ep_square_after_double_push(color, to);
        }
    }

    /// Whether a step of the side to move is a pawn's double push. One test of one word: of two
    /// conditions LLVM would make two branches, the first of them on what moves, which nobody can
    /// foresee.
    #[must_use]
    #[inline(always)]
    pub const fn is_double_push(&self, from: Square, to: Square) -> bool {
        let pawn = self.board.by_role(Role::Pawn).0 & 1 << from as u8;
        let two_up = match self.turn {
            Color::White => pawn << 16,
            Color::Black => pawn >> 16,
        };
        two_up >> to as u8 & 1 != 0
    }

    /// What castling, en passant and promotion do beyond the man that has slid from square to
    /// square. `castling` are the rights before the move. By value: a position whose address nobody
    /// takes stays in registers while a game is played through.
    #[cold]
    fn after_special(mut self, m: Move, color: Color, castling: Bitboard) -> Position {
        let to = m.to();
        if let Some(side) = m.castling_side() {
            let rook = castling_rook(castling, color, side).unwrap_or(to);
            self.castle(color, side, to, rook);
        } else if let Some(role) = m.promotion() {
            self.board.put_code(to, code_of(Piece::new(color, role)));
        } else {
            self.board.clear(Bitboard(1 << (to as u8 ^ 8)));
        }
        self
    }

    /// The rook that castles to `side`, the king known to stand on its back rank.
    #[inline(always)]
    pub(crate) fn castling_rook_to(&self, color: Color, side: CastlingSide) -> Option<Square> {
        castling_rook(self.castling, color, side)
    }

    /// Moves king and rook at once: in Chess960 either may land where the other stood.
    #[inline(always)]
    fn castle(&mut self, color: Color, side: CastlingSide, king: Square, rook: Square) {
        self.board.clear(Bitboard::from(king) | rook.into());
        self.board
            .put_code(side.king_to(color), code_of(Piece::new(color, Role::King)));
        self.board
            .put_code(side.rook_to(color), code_of(Piece::new(color, Role::Rook)));
    }

    /// The square that the pawn now on `to` passed over, if an enemy pawn attacks it.
    #[inline(always)]
    pub(crate) fn ep_square_after_double_push(&self, color: Color, to: Square) -> Option<Square> {
        let passed = Square::from_low_bits(to as u8 ^ 8);
        let enemies = self.board.by_color(!color) & self.board.by_role(Role::Pawn);
        attacks::pawn(color, passed)
            .intersects(enemies)
            .then_some(passed)
    }
}

/// Of the rooks with rights, the one of `color` that castles to `side`. With one right left, its rook
/// is the first and the last: whether it is on that side of the king, the caller knows.
#[inline(always)]
fn castling_rook(castling: Bitboard, color: Color, side: CastlingSide) -> Option<Square> {
    let rooks = castling & Bitboard(0xff << (56 * color as u8));
    match side {
        CastlingSide::KingSide => rooks.last(),
        CastlingSide::QueenSide => rooks.first(),
    }
}

/// The men of both colours that attack a square, sliders seen through `occupied`.
pub(crate) fn attackers_of(board: &Board, square: Square, occupied: Bitboard) -> Bitboard {
    let white_pawns = attacks::pawn(Color::Black, square) & board.by_color(Color::White);
    let black_pawns = attacks::pawn(Color::White, square) & board.by_color(Color::Black);
    ((white_pawns | black_pawns) & board.by_role(Role::Pawn))
        | (attacks::knight(square) & board.by_role(Role::Knight))
        | (attacks::king(square) & board.by_role(Role::King))
        | (attacks::bishop(square, occupied) & board.diagonal_sliders())
        | (attacks::rook(square, occupied) & board.orthogonal_sliders())
}

/// Playing with colour and role known when the code is compiled: what perft does a hundred million
/// times a second. Each gives the position after a legal move.
impl Position {
    /// A man other than a pawn moves, and takes what stands in its way.
    #[inline(always)]
    pub(crate) fn after_piece<C: Side>(&self, role: Role, from: Square, to: Square) -> Position {
        let mut next = self.turned::<C>();
        let to_bit = Bitboard::from(to);
        let is_capture = self.board.by_color(C::Other::COLOR).intersects(to_bit);
        let both = Bitboard::from(from) | to_bit;
        next.board.clear(to_bit);
        next.board.toggle(Piece::new(C::COLOR, role), both);
        next.halfmoves = if is_capture {
            0
        } else {
            self.halfmoves.saturating_add(1)
        };
        let home = if role == Role::King {
            C::BACK_RANK
        } else {
            Bitboard::EMPTY
        };
        next.castling = self.castling - (both | home);
        next
    }

    /// A pawn steps forward.
    #[inline(always)]
    pub(crate) fn after_push<C: Side>(&self, from: Square, to: Square) -> Position {
        let mut next = self.turned::<C>();
        let both = Bitboard::from(from) | to.into();
        next.board.toggle(Piece::new(C::COLOR, Role::Pawn), both);
        next.halfmoves = 0;
        next
    }

    /// A pawn makes its double step.
    #[inline(always)]
    pub(crate) fn after_double_push<C: Side>(&self, from: Square, to: Square) -> Position {
        let mut next = self.after_push::<C>(from, to);
        next.ep_square = self.ep_square_after_double_push(C::COLOR, to);
        next
    }

    /// A pawn takes. It cannot take a king or land on its own back rank, but it can take a rook
    /// that had a castling right only by promoting.
    #[inline(always)]
    pub(crate) fn after_pawn_capture<C: Side>(&self, from: Square, to: Square) -> Position {
        let mut next = self.turned::<C>();
        next.board.clear(to.into());
        let both = Bitboard::from(from) | to.into();
        next.board.toggle(Piece::new(C::COLOR, Role::Pawn), both);
        next.halfmoves = 0;
        next
    }

    /// A pawn reaches the last rank, with or without a capture.
    #[inline(always)]
    pub(crate) fn after_promotion<C: Side>(
        &self,
        from: Square,
        to: Square,
        role: Role,
    ) -> Position {
        let mut next = self.turned::<C>();
        next.board.clear(Bitboard::from(from) | to.into());
        next.board.toggle(Piece::new(C::COLOR, role), to.into());
        next.halfmoves = 0;
        next.castling = self.castling - to.into();
        next
    }

    /// A pawn takes in passing.
    #[inline(always)]
    pub(crate) fn after_en_passant<C: Side>(&self, from: Square, to: Square) -> Position {
        let mut next = self.after_push::<C>(from, to);
        next.board.clear(Bitboard(1 << (to as u8 ^ 8)));
        next
    }

    /// King and rook castle.
    #[inline(always)]
    pub(crate) fn after_castling<C: Side>(&self, side: CastlingSide, king: Square) -> Position {
        let mut next = self.turned::<C>();
        let rook = self.castling_rook_to(C::COLOR, side).unwrap_or(king);
        next.castle(C::COLOR, side, king, rook);
        next.halfmoves = self.halfmoves.saturating_add(1);
        next.castling = self.castling - C::BACK_RANK;
        next
    }

    #[inline(always)]
    fn turned<C: Side>(&self) -> Position {
        let mut next = *self;
        next.turn = C::Other::COLOR;
        next.ep_square = None;
        next.fullmoves = self.fullmoves.saturating_add(C::COLOR as u16);
        next
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::START
    }
}

/// The FEN.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
