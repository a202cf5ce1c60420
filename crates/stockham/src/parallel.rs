//! Loops over all cores, each compiled once: a loop of rayon's own is some two hundred functions for every type and every
//! place that it is used at, and fields of many sizes have many. What a type adds here is a few functions.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{hint, thread};

use crate::error::{Error, Result};
use crate::threads;

/// Tasks for each core, so that cores that are late have less to do.
const TASKS: usize = 4;

/// Calls `work` with every number below `count`, each as a task of its own. A thread begins with tasks of its own, the same each time, as
/// its cache may have what it wrote before; who has done those takes others'.
pub(crate) fn each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    let threads = threads::current().min(count);
    if threads <= 1 {
        return (0..count).for_each(work);
    }
    let numbers = Shared::new(count, threads);
    threads::together(threads, &|member| numbers.each(member, work));
}

/// Calls `first` with every number below `count`, and `then` with each once all that is done: as two loops, whose threads meet in
/// between without being called again.
pub(crate) fn one_after_the_other(count: usize, first: &(dyn Fn(usize) + Sync), then: &(dyn Fn(usize) + Sync)) {
    /// One that is done, though it may have panicked: others do not wait for it, and the loop's end tells.
    struct Done<'a>(&'a AtomicUsize);
    impl Drop for Done<'_> {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::Release);
        }
    }
    let threads = threads::current().min(count);
    if threads <= 1 {
        (0..count).for_each(first);
        return (0..count).for_each(then);
    }
    let [numbers, again] = [(); 2].map(|()| Shared::new(count, threads));
    let left = AtomicUsize::new(count);
    threads::together(threads, &|member| {
        numbers.each(member, &|i| {
            let _done = Done(&left);
            first(i);
        });
        // Each of them is being worked at.
        for looks in 1.. {
            if left.load(Ordering::Acquire) == 0 {
                break;
            }
            if looks % LOOKS == 0 { thread::yield_now() } else { hint::spin_loop() }
        }
        again.each(member, then);
    });
}

/// Looks for others' work to be done, after which a thread lets others have its core.
const LOOKS: usize = 1 << 8;

/// Numbers that threads share out among them.
struct Shared {
    count: usize,
    /// Of those that are a thread's, the first that nobody has taken.
    next: Vec<AtomicUsize>,
}

impl Shared {
    fn new(count: usize, threads: usize) -> Self {
        let next = (0..threads).map(|member| AtomicUsize::new(member * count / threads)).collect();
        Self { count, next }
    }

    /// Calls `work` with a member's own, and then with those of others that are left.
    fn each(&self, member: usize, work: &(dyn Fn(usize) + Sync)) {
        let threads = self.next.len();
        for owner in (member..threads).chain(0..member) {
            loop {
                let i = self.next[owner].fetch_add(1, Ordering::Relaxed);
                if i >= (owner + 1) * self.count / threads {
                    break;
                }
                work(i);
            }
        }
    }
}

/// The same with parts that are handed over.
pub(crate) fn each_of<P: Send>(parts: Vec<P>, work: &(dyn Fn(usize, P) + Sync)) {
    let parts: Vec<_> = parts.into_iter().map(|part| Mutex::new(Some(part))).collect();
    each(parts.len(), &|i| {
        let part = lock(&parts[i]).take();
        part.into_iter().for_each(|part| work(i, part));
    });
}

/// Cuts a slice into tasks, each some units of `unit` elements, `grain` of them at least: `work` gets the number of its first
/// unit and its part. The last unit may be shorter.
pub(crate) fn tasks<T: Send>(slice: &mut [T], unit: usize, grain: usize, work: &(dyn Fn(usize, &mut [T]) + Sync)) {
    let units = slice.len().div_ceil(unit);
    let per = units.div_ceil(TASKS * threads::current()).max(grain).max(1);
    if units <= per {
        return work(0, slice);
    }
    let parts: Vec<_> = slice.chunks_mut(per * unit).map(Mutex::new).collect();
    each(parts.len(), &|i| work(i * per, &mut lock(&parts[i])));
}

/// Calls `work` with every unit of a slice and its number.
pub(crate) fn chunks<T: Send>(slice: &mut [T], unit: usize, grain: usize, work: impl Fn(usize, &mut [T]) + Sync) {
    tasks(slice, unit, grain, &|first, part| {
        part.chunks_mut(unit).zip(first..).for_each(|(chunk, i)| work(i, chunk));
    });
}

/// The same until something fails, as far as that is known to a task: the fault of the lowest number that was found.
pub(crate) fn try_chunks<T: Send>(
    slice: &mut [T],
    unit: usize,
    grain: usize,
    work: impl Fn(usize, &mut [T]) -> Result<()> + Sync,
) -> Result<()> {
    let fault: Mutex<Option<(usize, Error)>> = Mutex::new(None);
    tasks(slice, unit, grain, &|first, part| {
        for (chunk, i) in part.chunks_mut(unit).zip(first..) {
            let Err(error) = work(i, chunk) else { continue };
            let mut fault = lock(&fault);
            if fault.as_ref().is_none_or(|(other, _)| i < *other) {
                *fault = Some((i, error));
            }
            return;
        }
    });
    fault.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), |(_, error)| Err(error))
}

/// Puts the value of its number into every place.
pub(crate) fn fill<T: Send>(slice: &mut [T], grain: usize, value: impl Fn(usize) -> T + Sync) {
    tasks(slice, 1, grain, &|first, part| part.iter_mut().zip(first..).for_each(|(x, i)| *x = value(i)));
}

/// The values of all numbers below `count`, `grain` of them a task at least.
pub(crate) fn map<T: Send>(count: usize, grain: usize, value: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut values: Vec<Option<T>> = std::iter::repeat_with(|| None).take(count).collect();
    fill(&mut values, grain, |i| Some(value(i)));
    values.into_iter().flatten().collect()
}

/// A task that panicked takes the loop with it; what others hold is not half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workers::Workers;

    /// On three threads, in a pool of rayon's or not, whatever the machine has.
    fn in_threes(work: impl Fn() + Send + Sync) {
        Workers::new(3).unwrap().run(&work);
        rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap().install(work);
    }

    #[test]
    fn every_place_is_visited_once() {
        in_threes(|| {
            for (len, unit, grain) in
                [(0, 1, 1), (1, 1, 1), (7, 2, 1), (1000, 3, 1), (1000, 3, 50), (999, 999, 1), (64, 64, 9)]
            {
                let mut visits = vec![0; len];
                chunks(&mut visits, unit, grain, |i, chunk| {
                    let whole = unit.min(len - i * unit);
                    assert_eq!(chunk.len(), whole);
                    chunk.iter_mut().for_each(|x| *x += i + 1);
                });
                let expected: Vec<_> = (0..len).map(|i| i / unit + 1).collect();
                assert_eq!(visits, expected, "{len} by {unit}, at least {grain}");
            }
            assert_eq!(map(1000, 7, |i| i * i), (0..1000).map(|i| i * i).collect::<Vec<_>>());
            let sum = Mutex::new(0);
            each_of((0..100).collect(), &|i, part: usize| {
                assert_eq!(i, part);
                *lock(&sum) += part;
            });
            assert_eq!(sum.into_inner().unwrap(), 4950);
        });
    }

    #[test]
    fn what_is_second_finds_all_that_was_first() {
        in_threes(|| {
            for count in [1, 2, 3, 7, 100] {
                let (first, then) = (AtomicUsize::new(0), AtomicUsize::new(0));
                let second = |_| {
                    assert_eq!(first.load(Ordering::Relaxed), count);
                    then.fetch_add(1, Ordering::Relaxed);
                };
                let count_first = |_| {
                    first.fetch_add(1, Ordering::Relaxed);
                };
                one_after_the_other(count, &count_first, &second);
                assert_eq!(then.into_inner(), count);
            }
        });
        let faulty = || one_after_the_other(9, &|i| assert!(i != 5, "on purpose"), &|_| {});
        in_threes(|| assert!(std::panic::catch_unwind(faulty).is_err()));
    }

    #[test]
    fn the_first_fault_is_told() {
        in_threes(|| {
            let fault = |i: usize| Error::InvalidTransform(i.to_string());
            let found = try_chunks(&mut [0; 500], 1, 1, |i, _| if i % 250 == 137 { Err(fault(i)) } else { Ok(()) });
            assert_eq!(found, Err(fault(137)));
            assert_eq!(try_chunks(&mut [0; 500], 1, 1, |_, _| Ok(())), Ok(()));
        });
    }

    #[test]
    fn loops_may_stand_in_loops() {
        in_threes(|| {
            let mut all = vec![0usize; 1 << 12];
            chunks(&mut all, 1 << 6, 1, |i, row| fill(row, 1, |j| i << 6 | j));
            assert!(all.iter().enumerate().all(|(i, x)| i == *x));
        });
    }
}
