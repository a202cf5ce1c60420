//! Threads that help the one that calls, and stay awake for its next call.
//!
//! A thread that sleeps is woken in 50 µs on many machines, longer than a transform of 2^14 points takes. So helpers look for work for a
//! while before they sleep, as FFTW's do.

use std::cell::{Cell, RefCell};
use std::hint;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rayon::{Scope, ThreadPool, ThreadPoolBuilder, Yield};

use crate::error::{Error, Result};

/// How long a helper looks for the next loop.
pub(crate) const AWAKE: Duration = Duration::from_micros(50);

/// Looks of a helper for work, after which it lets others have its core.
const LOOKS: usize = 16;

/// Pauses from one look to the next.
const PAUSES: usize = 16;

/// Looks for the end of a loop before the caller sleeps until it: some forty microseconds, about what it takes to be woken.
const PATIENCE: usize = 1 << 11;

/// More looks after that, while the last helper tells the pool.
const AFTERWARDS: usize = 1 << 4;

thread_local! {
    /// Who loops of this thread are shared out over, if not the library's.
    static CURRENT: RefCell<Option<Workers>> = const { RefCell::new(None) };
    /// Whether this helper looks for work already: what it finds ends in here again.
    static LINGERS: Cell<bool> = const { Cell::new(false) };
}

/// Threads that work on the CPU's loops: the one that calls, and helpers. The library has some that [`start`](crate::threads::start)
/// makes; a program may have others, more or fewer.
///
/// ```
/// use stockham::{Complex32, fft, threads::Workers};
/// let mut x = vec![Complex32::from(1.0); 1 << 20];
/// Workers::new(2)?.run(|| fft(&mut x))?;
/// assert_eq!(x[0], Complex32::from((1 << 20) as f32));
/// # Ok::<(), stockham::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Workers {
    /// Nobody helps one alone.
    helpers: Option<Arc<Helpers>>,
    count: usize,
}

#[derive(Debug)]
struct Helpers {
    pool: ThreadPool,
    /// Those that help nobody.
    free: AtomicUsize,
}

impl Workers {
    /// So many threads, with the one that will call.
    ///
    /// # Errors
    /// [`Error::Threads`] for none, or if they cannot be started.
    pub fn new(count: usize) -> Result<Self> {
        let refused = |reason: String| Error::Threads { requested: count, reason };
        let helpers = match count {
            0 => return Err(refused("somebody has to work".into())),
            1 => None,
            _ => {
                let pool = ThreadPoolBuilder::new().num_threads(count - 1).thread_name(|i| format!("stockham-{i}"));
                let pool = pool.build().map_err(|error| refused(error.to_string()))?;
                Some(Arc::new(Helpers { pool, free: AtomicUsize::new(count - 1) }))
            }
        };
        Ok(Self { helpers, count })
    }

    /// How many they are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Calls `work`, whose loops on the CPU are shared out over the calling thread and its helpers.
    pub fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        struct Before(Option<Workers>);
        impl Drop for Before {
            fn drop(&mut self) {
                CURRENT.set(self.0.take());
            }
        }
        let _before = Before(CURRENT.replace(Some(self.clone())));
        work()
    }

    /// The one whose [`run`](Self::run) this is called in.
    pub(crate) fn current() -> Option<Self> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Calls `work` with 0 on the calling thread, and at once with numbers below `count`, which is 2 at least, on helpers: as many as
    /// that, if so many are free, since nobody waits for one that is busy elsewhere. A helper gets the same number each time, if it can
    /// be, as its cache has what it wrote before.
    pub(crate) fn together(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        let reserved = self.helpers.as_ref().map(|helpers| (helpers, helpers.reserve(count - 1)));
        let Some((helpers, some)) = reserved.filter(|(_, some)| *some > 0) else { return work(0) };
        let help = || {
            let _busy = Busy(helpers);
            work(1 + rayon::current_thread_index().unwrap_or(0) % (count - 1));
            linger();
        };
        meet(Some(&helpers.pool), some, &help, &|| work(0));
    }
}

impl Helpers {
    /// Takes so many that are free, or as many as there are.
    fn reserve(&self, wanted: usize) -> usize {
        let less = |free: usize| Some(free - wanted.min(free));
        let free = self.free.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).unwrap_or(0);
        wanted.min(free)
    }
}

/// A helper that was taken; it is free again afterwards, however that ends.
struct Busy<'a>(&'a Helpers);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.free.fetch_add(1, Ordering::Relaxed);
    }
}

/// The same by threads of the pool of rayon's that the caller is one of.
pub(crate) fn together_in_pool(count: usize, work: &(dyn Fn(usize) + Sync)) {
    let member = || work(rayon::current_thread_index().unwrap_or(0) % count);
    meet(None, count - 1, &member, &member);
}

/// Has so many threads of a pool `help`, and calls `work` meanwhile, from the first moment on: threads that sleep are being woken.
fn meet(pool: Option<&ThreadPool>, helpers: usize, help: &(dyn Fn() + Sync), work: &(dyn Fn() + Sync)) {
    let away = AtomicUsize::new(helpers);
    let help = || {
        help();
        away.fetch_sub(1, Ordering::Release);
    };
    in_place(pool, |scope| {
        call(scope, helpers, &help);
        work();
        let is_away = || away.load(Ordering::Acquire) > 0;
        (0..PATIENCE).take_while(|_| is_away()).for_each(|_| hint::spin_loop());
        (0..AFTERWARDS).for_each(|_| hint::spin_loop());
    });
}

fn in_place<'s>(pool: Option<&ThreadPool>, work: impl FnOnce(&Scope<'s>)) {
    match pool {
        Some(pool) => pool.in_place_scope(work),
        None => rayon::in_place_scope(work),
    }
}

/// Has so many threads help; each calls half of those that are left to it, so that no one calls them all.
fn call<'s>(scope: &Scope<'s>, mut count: usize, help: &'s (dyn Fn() + Sync)) {
    while count > 0 {
        let half = count.div_ceil(2);
        scope.spawn(move |scope| {
            call(scope, half - 1, help);
            help();
        });
        count -= half;
    }
}

/// Has the helper that calls look for work for a while.
fn linger() {
    if LINGERS.get() {
        return;
    }
    rayon::spawn(|| {
        if LINGERS.replace(true) {
            return;
        }
        let mut idle = Instant::now();
        for looks in 1.. {
            match rayon::yield_now() {
                Some(Yield::Executed) => idle = Instant::now(),
                _ if idle.elapsed() > AWAKE => break,
                _ if looks % LOOKS == 0 => thread::yield_now(),
                _ => (0..PAUSES).for_each(|_| hint::spin_loop()),
            }
        }
        LINGERS.set(false);
    });
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::panic::AssertUnwindSafe;
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn all_are_called_at_once() {
        for count in 1..=4 {
            let workers = Workers::new(count).unwrap();
            for asked in 2..=count {
                let (met, threads) = (AtomicUsize::new(0), Mutex::new(HashSet::new()));
                workers.together(asked, &|_| {
                    met.fetch_add(1, Ordering::SeqCst);
                    // Nobody comes back before all are here.
                    while met.load(Ordering::SeqCst) < asked {
                        thread::yield_now();
                    }
                    threads.lock().unwrap().insert(thread::current().id());
                });
                let threads = threads.into_inner().unwrap();
                assert!(threads.len() == asked && threads.contains(&thread::current().id()));
            }
        }
    }

    #[test]
    fn nobody_waits_for_a_helper_that_is_busy() {
        let workers = Workers::new(2).unwrap();
        let (begun, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            scope.spawn(|| {
                workers.together(2, &|_| {
                    begun.fetch_add(1, Ordering::SeqCst);
                    while done.load(Ordering::SeqCst) == 0 {
                        thread::yield_now();
                    }
                });
            });
            while begun.load(Ordering::SeqCst) < 2 {
                thread::yield_now();
            }
            let members = Mutex::new(Vec::new());
            workers.together(2, &|member| members.lock().unwrap().push(member));
            done.fetch_add(1, Ordering::SeqCst);
            assert_eq!(*members.lock().unwrap(), [0]);
        });
        let _ = std::panic::catch_unwind(AssertUnwindSafe(|| workers.together(2, &|_| panic!("on purpose"))));
        assert_eq!(workers.helpers.as_ref().unwrap().free.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn workers_are_left_again() {
        let (two, three) = (Workers::new(2).unwrap(), Workers::new(3).unwrap());
        let count = || Workers::current().map(|workers| workers.count());
        assert_eq!(two.run(|| (three.run(count), count())), (Some(3), Some(2)));
        let _ = std::panic::catch_unwind(AssertUnwindSafe(|| two.run(|| panic!("on purpose"))));
        assert_eq!(count(), None);
    }

    #[test]
    fn nobody_is_refused() {
        assert!(matches!(Workers::new(0), Err(Error::Threads { requested: 0, .. })));
        assert_eq!(Workers::new(1).unwrap().run(|| 7), 7);
    }
}
