//! What stands between reading a move and playing it.

use core::ops::ControlFlow;

use chess::attacks::Sliders;
use chess::{Move, Position};

use crate::{Doubt, Legality, MoveCodec, MoveFault};

/// Sees every move that is read, with the position before it, and may refuse it.
///
/// Where nobody looks at a move it is not even put together. A closure would not do for checking:
/// it would be compiled without the features of the CPU that the loop around it has.
pub trait Gate {
    /// Lets a move pass, or does not.
    ///
    /// # Errors
    /// The reason why not.
    fn admit<C: MoveCodec, S: Sliders>(
        &mut self,
        sliders: S,
        before: &Position,
        m: Move,
    ) -> Result<(), MoveFault>;
}

/// Refuses what is not legal, unless moves are trusted.
impl Gate for Legality {
    #[inline(always)]
    fn admit<C: MoveCodec, S: Sliders>(
        &mut self,
        sliders: S,
        before: &Position,
        m: Move,
    ) -> Result<(), MoveFault> {
        let is_legal = match (*self, C::DOUBT) {
            (Legality::Trusted, _) | (Legality::Checked, Doubt::Nothing) => true,
            (Legality::Checked, Doubt::King) => before.keeps_king_safe_with(sliders, m),
            (Legality::Checked, Doubt::Everything) => before.is_legal_with(sliders, m),
        };
        if is_legal {
            Ok(())
        } else {
            Err(MoveFault::Illegal { found: m })
        }
    }
}

/// Lets every move pass and keeps the last.
impl Gate for Option<Move> {
    #[inline(always)]
    fn admit<C: MoveCodec, S: Sliders>(
        &mut self,
        _: S,
        _: &Position,
        m: Move,
    ) -> Result<(), MoveFault> {
        *self = Some(m);
        Ok(())
    }
}

/// Checks moves, and then shows them to a visitor, who may stop the reading.
pub(crate) struct Visit<V> {
    pub(crate) legality: Legality,
    pub(crate) visitor: V,
    /// Whether the visitor has stopped the reading: then an error is none.
    pub(crate) is_stopped: bool,
}

impl<V: FnMut(&Position, Move) -> ControlFlow<()>> Gate for Visit<V> {
    #[inline(always)]
    fn admit<C: MoveCodec, S: Sliders>(
        &mut self,
        sliders: S,
        before: &Position,
        m: Move,
    ) -> Result<(), MoveFault> {
        self.legality.admit::<C, S>(sliders, before, m)?;
        if (self.visitor)(before, m).is_break() {
            self.is_stopped = true;
            return Err(MoveFault::Illegal { found: m });
        }
        Ok(())
    }
}
