//! Work shared by threads, results in the order of the work.

use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Calls `produce` until it gives `None`, `work` on every job by `threads` threads, and `consume` on
/// every result in the order of the jobs. The calling thread produces and consumes, and while there is
/// neither to do, it works as the others do: nobody waits but for the others' work. Jobs are begun in their
/// order. What comes out does not depend on the number of threads, and no more than `ahead` jobs a thread are
/// held at a time.
///
/// # Errors
/// The first error of `produce` or `consume`; jobs under way are finished and forgotten.
pub(crate) fn in_order<J: Send, D: Send, E>(
    threads: NonZeroUsize,
    ahead: usize,
    mut produce: impl FnMut() -> Result<Option<J>, E>,
    work: impl Fn(J) -> D + Sync,
    mut consume: impl FnMut(D) -> Result<(), E>,
) -> Result<(), E> {
    if threads.get() == 1 {
        while let Some(job) = produce()? {
            consume(work(job))?;
        }
        return Ok(());
    }
    let most = threads.get().saturating_mul(ahead) as u64;
    let office = Office::default();
    thread::scope(|scope| {
        // Whichever way this ends, the others must not wait for more.
        let _closing = Closing(&office);
        for _ in 1..threads.get() {
            scope.spawn(|| while office.work(&work, true) {});
        }
        let (mut sent, mut next) = (0, 0);
        let mut is_more = true;
        while is_more || next < sent {
            if let Some(result) = office.take(next) {
                // A panic is our bug, and not to be kept quiet.
                consume(result.unwrap_or_else(|panic| resume_unwind(panic)))?;
                next += 1;
            } else if is_more && sent - next < most {
                match produce()? {
                    Some(job) => office.put(sent, job),
                    None => is_more = false,
                }
                sent += u64::from(is_more);
            } else if !office.work(&work, false) {
                office.wait_for(next);
            }
        }
        Ok(())
    })
}

/// Where jobs and results lie.
struct Office<J, D> {
    desk: Mutex<Desk<J, D>>,
    /// There is a job, or there will be none.
    jobs: Condvar,
    /// There is a result.
    results: Condvar,
}

struct Desk<J, D> {
    /// With their numbers.
    jobs: VecDeque<(u64, J)>,
    /// What came of jobs, or the panic that ended them.
    results: BTreeMap<u64, thread::Result<D>>,
    is_closed: bool,
}

impl<J, D> Default for Office<J, D> {
    fn default() -> Office<J, D> {
        let desk = Desk {
            jobs: VecDeque::new(),
            results: BTreeMap::new(),
            is_closed: false,
        };
        Office {
            desk: Mutex::new(desk),
            jobs: Condvar::new(),
            results: Condvar::new(),
        }
    }
}

impl<J, D> Office<J, D> {
    /// Nobody panics while holding the lock.
    fn desk(&self) -> MutexGuard<'_, Desk<J, D>> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, number: u64, job: J) {
        self.desk().jobs.push_back((number, job));
        self.jobs.notify_one();
    }

    fn take(&self, number: u64) -> Option<thread::Result<D>> {
        self.desk().results.remove(&number)
    }

    /// Does the next job; if there is none, waits for one or not. `false` if it did none.
    fn work(&self, work: impl Fn(J) -> D, waits: bool) -> bool {
        let mut desk = self.desk();
        if waits {
            let is_idle = |desk: &mut Desk<J, D>| desk.jobs.is_empty() && !desk.is_closed;
            let woken = self.jobs.wait_while(desk, is_idle);
            desk = woken.unwrap_or_else(PoisonError::into_inner);
        }
        let next = desk.jobs.pop_front().filter(|_| !desk.is_closed);
        drop(desk);
        let Some((number, job)) = next else {
            return false;
        };
        let result = catch_unwind(AssertUnwindSafe(|| work(job)));
        self.desk().results.insert(number, result);
        self.results.notify_one();
        true
    }

    fn wait_for(&self, number: u64) {
        let is_missing = |desk: &mut Desk<J, D>| !desk.results.contains_key(&number);
        let woken = self.results.wait_while(self.desk(), is_missing);
        drop(woken.unwrap_or_else(PoisonError::into_inner));
    }
}

/// Sends all threads home at the end.
struct Closing<'a, J, D>(&'a Office<J, D>);

impl<J, D> Drop for Closing<'_, J, D> {
    fn drop(&mut self) {
        self.0.desk().is_closed = true;
        self.0.jobs.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(threads: usize, fail_at: Option<u64>) -> (Vec<u64>, Result<(), u64>) {
        let mut jobs = 0..500u64;
        let mut out = Vec::new();
        let done = in_order(
            NonZeroUsize::new(threads).unwrap(),
            2,
            || Ok(jobs.next()),
            |job| job * job,
            |result| {
                if Some(result) == fail_at {
                    return Err(result);
                }
                out.push(result);
                Ok(())
            },
        );
        (out, done)
    }

    #[test]
    fn results_come_in_order_for_any_number_of_threads() {
        let expected: Vec<u64> = (0..500).map(|n| n * n).collect();
        for threads in [1, 2, 3, 8] {
            assert_eq!(squares(threads, None), (expected.clone(), Ok(())));
        }
    }

    #[test]
    fn an_error_ends_everything_after_what_came_before() {
        for threads in [1, 2, 8] {
            let (out, done) = squares(threads, Some(81));
            assert_eq!((out.len(), done), (9, Err(81)));
        }
    }

    #[test]
    #[should_panic(expected = "a bug")]
    fn a_panic_of_the_work_is_handed_on() {
        let mut jobs = 0..100;
        let _ = in_order::<i32, i32, ()>(
            NonZeroUsize::new(2).unwrap(),
            2,
            || Ok(jobs.next()),
            |job| if job == 50 { panic!("a bug") } else { job },
            |_| Ok(()),
        );
    }

    #[test]
    fn an_error_of_the_source_is_handed_on() {
        for threads in [1, 4] {
            let mut left = 10;
            let done = in_order(
                NonZeroUsize::new(threads).unwrap(),
                2,
                || {
                    left -= 1;
                    if left == 0 {
                        Err("over")
                    } else {
                        Ok(Some(left))
                    }
                },
                |job: i32| job,
                |_| Ok(()),
            );
            assert_eq!(done, Err("over"));
        }
    }
}
