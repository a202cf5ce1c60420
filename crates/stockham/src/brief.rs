//! Calls that take about as long as to wake a thread: the calling thread's alone, but where they follow each other so soon that helpers
//! are still awake, and where sharing them out was faster lately. That depends on how far apart the cores are, which a machine's guests
//! are not told, and which may change.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::threads::{alone, current};
use crate::workers;

/// Calls in a row before helpers are woken for one.
const ROW: u32 = 8;

/// Calls of each kind in a trial: the first that are shared out wake helpers, and find numbers in the other cores' caches.
const TRIALS: usize = 15;

/// Calls from one trial to the next.
const PERIOD: usize = 1 << 9;

/// Calls that follow each other, and the end of the last.
#[derive(Clone, Copy)]
struct Series {
    calls: u32,
    ended: Option<Instant>,
}

thread_local! {
    static SERIES: Cell<Series> = const { Cell::new(Series { calls: 0, ended: None }) };
}

/// Calls of a kind, which take about as long each.
#[derive(Default)]
pub(crate) struct Brief(Mutex<Record>);

/// What is known of them.
#[derive(Default)]
struct Record {
    /// How many there were since the last trial began.
    turn: usize,
    /// What those took in the trial that were alone, and that were shared out.
    took: [[Duration; TRIALS]; 2],
    is_shared: bool,
}

impl Brief {
    /// Calls `work`, which computes on the CPU.
    pub fn call<R>(&self, work: impl FnOnce() -> R) -> R {
        if current() == 1 {
            return work();
        }
        let Series { calls, ended } = SERIES.get();
        let begun = Instant::now();
        let follows = ended.is_some_and(|ended| begun.saturating_duration_since(ended) < workers::AWAKE);
        let turn = (follows && calls >= ROW).then(|| self.turn());
        let result = if turn.is_some_and(|turn| turn.is_shared) { work() } else { alone(work) };
        let ended = Instant::now();
        turn.into_iter().for_each(|turn| self.tell(turn, ended - begun));
        SERIES.set(Series { calls: if follows { calls.saturating_add(1) } else { 1 }, ended: Some(ended) });
        result
    }

    fn turn(&self) -> Turn {
        let mut record = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = record.turn;
        record.turn = (number + 1) % PERIOD;
        Turn { number, is_shared: if number < 2 * TRIALS { number >= TRIALS } else { record.is_shared } }
    }

    fn tell(&self, turn: Turn, took: Duration) {
        if turn.number < 2 * TRIALS {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).tell(turn, took);
        }
    }
}

/// A call in its turn.
#[derive(Clone, Copy)]
struct Turn {
    number: usize,
    is_shared: bool,
}

impl Record {
    fn tell(&mut self, turn: Turn, took: Duration) {
        self.took[usize::from(turn.is_shared)][turn.number % TRIALS] = took;
        if turn.number + 1 == 2 * TRIALS {
            self.took.iter_mut().for_each(|took| took.sort_unstable());
            let [alone, shared] = self.took.map(|took| took[TRIALS / 2]);
            // Other threads' time is worth something.
            self.is_shared = shared < alone * 9 / 10;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::workers::Workers;

    #[test]
    fn calls_in_a_row_are_tried_both_ways() {
        let brief = Brief::default();
        Workers::new(2).unwrap().run(|| {
            let first: Vec<_> = (0..=ROW).map(|_| brief.call(current)).collect();
            // A machine that is busy may make a pause anywhere.
            assert!(first[..ROW as usize].iter().all(|&count| count == 1), "{first:?}");
            assert!((0..1000).any(|_| brief.call(current) == 2));
            thread::sleep(2 * workers::AWAKE);
            assert_eq!(brief.call(current), 1);
        });
        assert_eq!(Workers::new(1).unwrap().run(|| (0..100).map(|_| brief.call(current)).max()), Some(1));
    }

    #[test]
    fn what_was_faster_is_taken() {
        let told = |alone: u64, shared: u64| {
            let mut record = Record::default();
            for number in 0..2 * TRIALS {
                let is_shared = number >= TRIALS;
                // One is late.
                let late = if number % TRIALS == 3 { 1000 } else { 0 };
                let took = Duration::from_micros(late + if is_shared { shared } else { alone });
                record.tell(Turn { number, is_shared }, took);
            }
            record.is_shared
        };
        assert_eq!([(20, 10), (20, 19), (10, 20)].map(|(alone, shared)| told(alone, shared)), [true, false, false]);
    }
}
