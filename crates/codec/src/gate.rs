//! What stands between reading a move and playing it.

use core::ops::ControlFlow;

use chess::attacks::Sliders;
use chess::{Move, Position, Step};

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

    /// [`Gate::admit`] for a step.
    ///
    /// # Errors
    /// The reason why not.
    #[inline(always)]
    fn admit_step<C: MoveCodec, S: Sliders>(
        &mut self,
        sliders: S,
        before: &Position,
        step: Step,
    ) -> Result<(), MoveFault> {
        self.admit::<C, S>(sliders, before, step.to_move())
    }
}

/// Sees the moves of a game as they are replayed.
pub trait Spectator {
    /// A move, and the position before it. The spectator may leave.
    fn see(&mut self, before: &Position, m: Move) -> ControlFlow<()>;

    /// A step, from an encoding that tells what moves: what a spectator would do first has been done
    /// then.
    #[inline(always)]
    fn see_step(&mut self, before: &Position, step: Step) -> ControlFlow<()> {
        self.see(before, step.to_move())
    }
}

/// Whoever wants moves and positions, and no more.
pub(crate) struct Closure<V>(pub(crate) V);

impl<V: FnMut(&Position, Move) -> ControlFlow<()>> Spectator for Closure<V> {
    #[inline(always)]
    fn see(&mut self, before: &Position, m: Move) -> ControlFlow<()> {
        (self.0)(before, m)
    }
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

impl<V: Spectator> Visit<V> {
    /// A spectator who leaves stops the reading.
    #[inline(always)]
    fn go_on(&mut self, m: Move, seen: ControlFlow<()>) -> Result<(), MoveFault> {
        if seen.is_break() {
            self.is_stopped = true;
            return Err(MoveFault::Illegal { found: m });
        }
        Ok(())
    }
}

impl<V: Spectator> Gate for Visit<V> {
    #[inline(always)]
    fn admit<C: MoveCodec, S: Sliders>(
        &mut self,
        sliders: S,
        before: &Position,
        m: Move,
    ) -> Result<(), MoveFault> {
        self.legality.admit::<C, S>(sliders, before, m)?;
        let seen = self.visitor.see(before, m);
        self.go_on(m, seen)
    }

    #[inline(always)]
    fn admit_step<C: MoveCodec, S: Sliders>(
        &mut self,
        sliders: S,
        before: &Position,
        step: Step,
    ) -> Result<(), MoveFault> {
        self.legality
            .admit::<C, S>(sliders, before, step.to_move())?;
        let seen = self.visitor.see_step(before, step);
        self.go_on(step.to_move(), seen)
    }
}
