//! The door between a set-up and a position that can be played.

use core::fmt;

use crate::position::attackers_of;
use crate::{Bitboard, Color, Piece, Position, Rank, Role, Setup, Square, attacks};

/// A reason why a set-up cannot be played from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[non_exhaustive]
pub enum SetupFault {
    /// A side has no king.
    MissingKing,
    /// A side has more than one king.
    TooManyKings,
    /// A side has more than sixteen men.
    TooManyPieces,
    /// A side has more than eight pawns.
    TooManyPawns,
    /// A pawn stands on the first or the eighth rank.
    PawnsOnBackRank,
    /// A castling right without a king on its back rank or a rook on the named square, or two
    /// rights on one side of the king.
    Castling,
    /// The en-passant square is not one that a pawn has just passed over.
    EnPassant,
    /// The side that has just moved left its king in check.
    OppositeCheck,
    /// More than two men give check.
    ImpossibleCheck,
}

impl SetupFault {
    /// All faults, in the order in which they are reported.
    pub const ALL: [SetupFault; 9] = [
        SetupFault::MissingKing,
        SetupFault::TooManyKings,
        SetupFault::TooManyPieces,
        SetupFault::TooManyPawns,
        SetupFault::PawnsOnBackRank,
        SetupFault::Castling,
        SetupFault::EnPassant,
        SetupFault::OppositeCheck,
        SetupFault::ImpossibleCheck,
    ];
}

impl fmt::Display for SetupFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SetupFault::MissingKing => "a side has no king",
            SetupFault::TooManyKings => "a side has more than one king",
            SetupFault::TooManyPieces => "a side has more than 16 men",
            SetupFault::TooManyPawns => "a side has more than 8 pawns",
            SetupFault::PawnsOnBackRank => "a pawn stands on the first or the eighth rank",
            SetupFault::Castling => {
                "a castling right lacks its king on the back rank or its rook beside it"
            }
            SetupFault::EnPassant => "no pawn has just passed over the en-passant square",
            SetupFault::OppositeCheck => "the side that is not to move is in check",
            SetupFault::ImpossibleCheck => "more than two men give check",
        })
    }
}

/// Every fault of a set-up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SetupFaults(u16);

impl SetupFaults {
    /// Whether this fault is among them.
    #[must_use]
    pub const fn contains(self, fault: SetupFault) -> bool {
        self.0 >> fault as u8 & 1 != 0
    }

    /// Whether there is no fault.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The faults, one by one.
    pub fn iter(self) -> impl Iterator<Item = SetupFault> {
        SetupFault::ALL
            .into_iter()
            .filter(move |&fault| self.contains(fault))
    }

    fn note(&mut self, fault: SetupFault, found: bool) {
        self.0 |= u16::from(found) << fault as u8;
    }
}

impl fmt::Debug for SetupFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl fmt::Display for SetupFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a playable position: ")?;
        for (i, fault) in self.iter().enumerate() {
            let gap = if i == 0 { "" } else { "; " };
            write!(f, "{gap}{fault}")?;
        }
        Ok(())
    }
}

impl core::error::Error for SetupFaults {}

/// All faults at once.
pub(crate) fn faults_of(setup: &Setup) -> SetupFaults {
    let board = &setup.board;
    let mut faults = SetupFaults::default();
    for color in Color::ALL {
        let kings = board.by_piece(Piece::new(color, Role::King)).len();
        let pawns = board.by_piece(Piece::new(color, Role::Pawn)).len();
        faults.note(SetupFault::MissingKing, kings == 0);
        faults.note(SetupFault::TooManyKings, kings > 1);
        faults.note(SetupFault::TooManyPieces, board.by_color(color).len() > 16);
        faults.note(SetupFault::TooManyPawns, pawns > 8);
    }
    let stray = board.by_role(Role::Pawn) & Bitboard::BACK_RANKS;
    faults.note(SetupFault::PawnsOnBackRank, stray.any());
    faults.note(SetupFault::Castling, !castling_is_sound(setup));
    faults.note(
        SetupFault::EnPassant,
        setup.ep_square.is_some_and(|ep| !ep_is_sound(setup, ep)),
    );
    let occupied = board.occupied();
    if let Some(king) = board.king_of(!setup.turn) {
        let checkers = attackers_of(board, king, occupied) & board.by_color(setup.turn);
        faults.note(SetupFault::OppositeCheck, checkers.any());
    }
    if let Some(king) = board.king_of(setup.turn) {
        let checkers = attackers_of(board, king, occupied) & board.by_color(!setup.turn);
        faults.note(SetupFault::ImpossibleCheck, checkers.len() > 2);
    }
    faults
}

fn castling_is_sound(setup: &Setup) -> bool {
    let mut named = Bitboard::EMPTY;
    for color in Color::ALL {
        let home = Bitboard::from_rank(Rank::First.seen_by(color));
        let rooks = setup.castling & home;
        let own_rooks = setup.board.by_piece(Piece::new(color, Role::Rook));
        let kings = setup.board.by_piece(Piece::new(color, Role::King));
        if rooks.any() && (!kings.is_subset_of(home) || !rooks.is_subset_of(own_rooks)) {
            return false;
        }
        for side in crate::CastlingSide::ALL {
            named |= setup
                .castling_rook(color, side)
                .map_or(Bitboard::EMPTY, Bitboard::from);
        }
    }
    // Each right is the only one on its side of its king, and none is off the back ranks.
    named == setup.castling
}

/// The pawn stands before the square, and the two squares it came over are empty.
fn ep_is_sound(setup: &Setup, ep: Square) -> bool {
    let mover = !setup.turn;
    let (behind, before) = match mover {
        Color::White => (ep.offset(0, -1), ep.offset(0, 1)),
        Color::Black => (ep.offset(0, 1), ep.offset(0, -1)),
    };
    let (Some(origin), Some(pawn)) = (behind, before) else {
        return false;
    };
    ep.rank() == Rank::Third.seen_by(mover)
        && setup.board.piece_at(pawn) == Some(Piece::new(mover, Role::Pawn))
        && setup.board.piece_at(ep).is_none()
        && setup.board.piece_at(origin).is_none()
}

impl TryFrom<Setup> for Position {
    type Error = SetupFaults;

    /// # Errors
    /// All faults of the set-up at once.
    ///
    /// An en-passant square that no pawn attacks is sound but says nothing, and is dropped.
    fn try_from(setup: Setup) -> Result<Position, SetupFaults> {
        let faults = faults_of(&setup);
        if !faults.is_empty() {
            return Err(faults);
        }
        let capturers = setup.board.by_piece(Piece::new(setup.turn, Role::Pawn));
        let ep_square = setup
            .ep_square
            .filter(|&ep| attacks::pawn(!setup.turn, ep).intersects(capturers));
        Ok(Position::from_sound_setup(Setup { ep_square, ..setup }))
    }
}
