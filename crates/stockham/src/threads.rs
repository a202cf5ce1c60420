//! The host's threads, over which the CPU's transforms and all checks are spread: rayon's pool of this process.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

use crate::error::{Error, Result};

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
    static STARTED: Mutex<Option<Result<usize>>> = Mutex::new(None);
    let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    let known = started.get_or_insert_with(|| build(count)).clone()?;
    match count {
        Some(count) if count != known => Err(refused(count, &format!("{known} have been started before"))),
        _ => Ok(known),
    }
}

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

/// The threads that loops are shared out over: one where it is [`alone`], or those of the pool that the caller is in.
pub(crate) fn current() -> usize {
    if ALONE.get() { 1 } else { rayon::current_num_threads() }
}

fn build(count: Option<usize>) -> Result<usize> {
    // As rayon reads it: 0, and what is no number, say nothing. It is meant for others, too: what is too much is taken for
    // as much as there may be.
    let variable =
        || std::env::var(VARIABLE).ok()?.parse().ok().filter(|&count| count > 0).map(|n: usize| n.min(most()));
    let wanted = count.or_else(variable);
    if let Some(count) = wanted.filter(|count| !(1..=most()).contains(count)) {
        return Err(refused(count, &format!("this machine takes 1 to {}", most())));
    }
    match rayon::ThreadPoolBuilder::new().num_threads(wanted.unwrap_or(0)).build_global() {
        Ok(()) => Ok(rayon::current_num_threads()),
        // A pool of the program's own that was there before is as good; what could not be started is not there.
        Err(error) if std::error::Error::source(&error).is_none() => Ok(rayon::current_num_threads()),
        Err(error) => Err(refused(wanted.unwrap_or_else(cores), &error.to_string())),
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
        assert_eq!(rayon::current_num_threads(), started);
        assert!(matches!(start(Some(started + 1)), Err(Error::Threads { .. })));
    }

    #[test]
    fn a_thread_may_be_alone() {
        assert_eq!(alone(|| (alone(current), current())), (1, 1));
        assert_eq!(current(), rayon::current_num_threads());
        let own = std::thread::current().id();
        alone(|| crate::parallel::each(100, &|_| assert_eq!(std::thread::current().id(), own)));
        let _ = std::panic::catch_unwind(|| alone(|| panic!("on purpose")));
        assert_eq!(current(), rayon::current_num_threads());
    }

    #[test]
    fn none_and_far_too_many_are_refused() {
        for count in [0, most() + 1, usize::MAX] {
            assert!(matches!(build(Some(count)), Err(Error::Threads { requested, .. }) if requested == count));
        }
    }
}
