//! One after the other, in a given order.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Something that threads use one at a time, in the order of their tickets: 0, 1, 2, and so on. Every ticket
/// must come, or those behind it wait forever.
#[derive(Debug, Default)]
pub(crate) struct Turnstile<T> {
    inside: Mutex<Inside<T>>,
    moved: Condvar,
}

#[derive(Debug, Default)]
struct Inside<T> {
    /// Whose turn it is.
    next: usize,
    thing: T,
}

impl<T> Turnstile<T> {
    /// Waits for the turn of a ticket, and uses the thing.
    pub(crate) fn pass<R>(&self, ticket: usize, visit: impl FnOnce(&mut T) -> R) -> R {
        let inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let is_early = |inside: &mut Inside<T>| inside.next != ticket;
        let inside = self.moved.wait_while(inside, is_early);
        let mut turn = Turn {
            inside: inside.unwrap_or_else(PoisonError::into_inner),
            moved: &self.moved,
        };
        visit(&mut turn.inside.thing)
    }
}

/// Ends even by a panic: it is handed on where it came up, and the others need not wait for it.
struct Turn<'a, T> {
    inside: MutexGuard<'a, Inside<T>>,
    moved: &'a Condvar,
}

impl<T> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        self.inside.next += 1;
        self.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;
    use std::thread;

    #[test]
    fn tickets_pass_in_their_order_whenever_they_come() {
        let turnstile: Turnstile<Vec<usize>> = Turnstile::default();
        thread::scope(|scope| {
            for ticket in (0..20).rev() {
                let turnstile = &turnstile;
                scope.spawn(move || turnstile.pass(ticket, |seen| seen.push(ticket)));
            }
        });
        turnstile.pass(20, |seen| assert_eq!(*seen, (0..20).collect::<Vec<_>>()));
    }

    #[test]
    fn nobody_waits_for_a_turn_that_ended_by_a_panic() {
        let turnstile: Turnstile<()> = Turnstile::default();
        let ended = catch_unwind(|| turnstile.pass(0, |()| panic!("a bug")));
        assert!(ended.is_err());
        assert_eq!(turnstile.pass(1, |()| 7), 7);
    }
}
