//! Scratch memory that is kept for the next task: fresh from the system it would cost as much time as a transform.

use std::any::Any;
use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

use crate::algebra::Data;

/// Bytes up to which a thread keeps memory for whatever plan comes next, so that many plans of short lines hold none.
const OF_THREADS: usize = 1 << 20;

/// Pieces that a thread keeps: a task takes several, each for what is within it.
const PIECES: usize = 8;

thread_local! {
    /// The calling thread's, of vectors of any elements.
    static IDLE: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
}

/// The scratch memory of a plan: of short lines, that of the threads; of long ones what no task has of its own. A thread gets
/// back what it gave if that is there, as it is in its own cache.
pub(super) struct Scratch<T>(Mutex<Vec<(ThreadId, Vec<T>)>>);

impl<T> Default for Scratch<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Data> Scratch<T> {
    /// Calls `work` with so many elements of any values.
    pub fn with<O>(&self, len: usize, work: impl FnOnce(&mut [T]) -> O) -> O {
        if len.saturating_mul(size_of::<T>()) > OF_THREADS {
            let mut memory = self.take(len);
            let output = work(&mut memory[..len]);
            self.give(memory);
            return output;
        }
        let idle = IDLE.with_borrow_mut(|kept| slots(kept).rfind(|slot| !slot.is_empty()).map(std::mem::take));
        // What is too short goes before there is more, and as much as is needed comes in its place.
        let fitting: Option<Vec<T>> = idle.filter(|memory| memory.len() >= len);
        let mut memory = fitting.unwrap_or_else(|| vec![T::zeroed(); len]);
        let output = work(&mut memory[..len]);
        IDLE.with_borrow_mut(|kept| {
            let is_full = kept.len() >= PIECES;
            let slot = slots(kept).find(|slot| slot.is_empty());
            if let Some(slot) = slot {
                *slot = memory;
            } else if !is_full {
                kept.push(Box::new(memory));
            }
        });
        output
    }

    fn take(&self, len: usize) -> Vec<T> {
        let thread = thread::current().id();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = kept.iter().rposition(|(owner, _)| *owner == thread).map(|i| kept.swap_remove(i));
        let found = own.or_else(|| kept.pop());
        drop(kept);
        // Pages that nobody writes are never made.
        found.filter(|(_, memory)| memory.len() >= len).map_or_else(|| bytemuck::zeroed_vec(len), |(_, memory)| memory)
    }

    fn give(&self, memory: Vec<T>) {
        let thread = thread::current().id();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((thread, memory));
    }
}

/// A thread's places for vectors of a type: those that a task has taken are empty.
fn slots<T: Data>(kept: &mut [Box<dyn Any>]) -> impl DoubleEndedIterator<Item = &mut Vec<T>> {
    kept.iter_mut().filter_map(|slot| slot.downcast_mut())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Complex64;

    #[test]
    fn tasks_within_tasks_have_memory_of_their_own() {
        let scratch = Scratch::<Complex64>::default();
        let one = Complex64::new(1.0, 0.0);
        for len in [0, 1, 1000, OF_THREADS / 16 + 1, 10] {
            scratch.with(len, |outer| {
                assert_eq!(outer.len(), len);
                outer.fill(one);
                scratch.with(len + 1, |inner| inner.fill(-one));
                assert!(outer.iter().all(|x| *x == one));
            });
        }
    }

    #[test]
    fn a_thread_keeps_one_piece_for_plans_of_all_lengths() {
        let places: Vec<usize> = [900, 30, 1000, 500]
            .map(|len| Scratch::<Complex64>::default().with(len, |memory| memory.as_ptr() as usize))[2..]
            .to_vec();
        assert_eq!(places[0], places[1]);
    }
}
