//! The host's threads, over which the CPU's transforms and all checks are spread: the calling one and helpers, or the pool of rayon's
//! that the calling one is of.

use std::cell::Cell;
use std::sync::OnceLock;

use crate::error::{Error, Result};
use crate::parallel;
use crate::workers;
pub use crate::workers::Workers;

/// The environment variable that says how many threads there are if nothing else does: rayon's own.
pub const VARIABLE: &str = "RAYON_NUM_THREADS";

/// More threads than so many a core only wait for each other, and thousands of them for minutes.
const MOST_PER_CORE: usize = 16;

/// The most threads that [`start`] takes: 16 for each core.
pub fn most() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).saturating_mul(MOST_PER_CORE)
}

/// Starts the threads, and says how many they are: `count`, or what [`VARIABLE`] says up to [`most`], or one for each core. The CPU device
/// does so when it is first asked for; a program that wants another number calls this before.
///
/// # Errors
/// [`Error::Threads`] for none or more than [`most`] of them, if they cannot be started, or if others have been started
/// before.
pub fn start(count: Option<usize>) -> Result<usize> {
    let started = WORKERS.get_or_init(|| build(count)).as_ref().map_err(Error::clone)?.count();
    match count {
        Some(count) if count != started => Err(refused(count, &format!("{started} have been started before"))),
        _ => Ok(started),
    }
}

/// The library's.
static WORKERS: OnceLock<Result<Workers>> = OnceLock::new();

thread_local! {
    static ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Calls `work`, which plans or computes on the CPU with the calling thread alone, whatever other threads there are: for
/// programs whose own threads keep the cores busy, and for forked processes, which have no other threads.
///
/// ```
/// use stockham::{Complex32, fft, threads};
/// let mut x = [1.0, 1.0].map(Complex32::from);
/// threads::alone(|| fft(&mut x))?;
/// assert_eq!(x, [2.0, 0.0].map(Complex32::from));
/// # Ok::<(), stockham::Error>(())
/// ```
pub fn alone<R>(work: impl FnOnce() -> R) -> R {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            ALONE.set(self.0);
        }
    }
    let _before = Before(ALONE.replace(true));
    work()
}

/// Calls `work` with every number below `count`, on all threads.
pub fn for_each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    parallel::each(count, work);
}

/// The threads that loops are shared out over: one where it is [`alone`], those of a program's [`Workers`], or those of the pool that the caller is in.
pub(crate) fn current() -> usize {
    if ALONE.get() {
        return 1;
    }
    if let Some(workers) = Workers::current() {
        return workers.count();
    }
    if rayon::current_thread_index().is_some() { rayon::current_num_threads() } else { start(None).unwrap_or(1) }
}

/// Calls `work` with 0, and at once with numbers below `count`, by so many of the [`current`] threads at most: it does what is left over.
pub(crate) fn together(count: usize, work: &(dyn Fn(usize) + Sync)) {
    match (Workers::current(), WORKERS.get()) {
        (Some(workers), _) => workers.together(count, work),
        (None, _) if rayon::current_thread_index().is_some() => workers::together_in_pool(count, work),
        (None, Some(Ok(workers))) => workers.together(count, work),
        _ => work(0),
    }
}

fn build(count: Option<usize>) -> Result<Workers> {
    // As rayon reads it: 0, and what is no number, say nothing. It is meant for others, too: what is too much is taken for
    // as much as there may be.
    let variable =
        || std::env::var(VARIABLE).ok()?.parse().ok().filter(|&count| count > 0).map(|n: usize| n.min(most()));
    match count.or_else(variable) {
        Some(count) if !(1..=most()).contains(&count) => {
            Err(refused(count, &format!("this machine takes 1 to {}", most())))
        }
        wanted => Workers::new(wanted.unwrap_or_else(cores)),
    }
}

fn cores() -> usize {
    most() / MOST_PER_CORE
}

fn refused(requested: usize, reason: &str) -> Error {
    Error::Threads { requested, reason: reason.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_number_of_threads_in_a_process() {
        let started = start(None).unwrap();
        assert_eq!(start(Some(started)), Ok(started));
        assert_eq!(current(), started);
        assert!(matches!(start(Some(started + 1)), Err(Error::Threads { .. })));
    }

    #[test]
    fn a_thread_may_be_alone() {
        let all = current();
        assert_eq!(alone(|| (alone(current), current())), (1, 1));
        assert_eq!(current(), all);
        let own = std::thread::current().id();
        alone(|| crate::parallel::each(100, &|_| assert_eq!(std::thread::current().id(), own)));
        let _ = std::panic::catch_unwind(|| alone(|| panic!("on purpose")));
        assert_eq!(current(), all);
    }

    #[test]
    fn loops_are_of_who_calls() {
        let three = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let two = Workers::new(2).unwrap();
        assert_eq!(two.run(|| (current(), three.install(current), alone(current))), (2, 3, 1));
        assert_eq!(three.install(|| (current(), two.run(current))), (3, 2));
    }

    #[test]
    fn none_and_far_too_many_are_refused() {
        for count in [0, most() + 1, usize::MAX] {
            assert!(matches!(build(Some(count)), Err(Error::Threads { requested, .. }) if requested == count));
        }
    }
}
