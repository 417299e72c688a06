//! Work shared by threads, results in the order of the work.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Calls `produce` until it gives `None`, `work` on every job by `threads` threads, and `consume` on
/// every result in the order of the jobs. The calling thread produces and consumes. What comes out
/// does not depend on the number of threads, and no more than `ahead` jobs a thread are held at a time.
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
    let most = threads.get().saturating_mul(ahead);
    let (jobs, queue) = mpsc::sync_channel(most);
    let (results, done) = mpsc::sync_channel(most);
    let queue = Mutex::new(queue);
    thread::scope(|scope| {
        for _ in 0..threads.get() {
            let results = results.clone();
            scope.spawn(|| serve(&queue, results, &work));
        }
        drop(results);
        // Moved in, so that an early return hangs up on the workers and the scope can end.
        let jobs: SyncSender<(u64, J)> = jobs;
        let done: Receiver<(u64, thread::Result<D>)> = done;
        let mut early = BTreeMap::new();
        let (mut sent, mut received, mut next) = (0, 0, 0);
        let mut is_more = true;
        while is_more || received < sent {
            if is_more && sent - next < most as u64 {
                is_more = match produce()? {
                    Some(job) => jobs.send((sent, job)).is_ok(),
                    None => false,
                };
                sent += u64::from(is_more);
                continue;
            }
            let Ok((number, result)) = done.recv() else {
                break;
            };
            received += 1;
            // A panic is our bug, and must not become a wait for a result that never comes.
            early.insert(number, result.unwrap_or_else(|panic| resume_unwind(panic)));
            while let Some(result) = early.remove(&next) {
                consume(result)?;
                next += 1;
            }
        }
        Ok(())
    })
}

fn serve<J, D>(
    queue: &Mutex<Receiver<(u64, J)>>,
    results: SyncSender<(u64, thread::Result<D>)>,
    work: &impl Fn(J) -> D,
) {
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, job)) = job else { return };
        let result = catch_unwind(AssertUnwindSafe(|| work(job)));
        if results.send((number, result)).is_err() {
            return;
        }
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
