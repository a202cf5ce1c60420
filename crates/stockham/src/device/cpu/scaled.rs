//! Contiguous lines, transformed and scaled, with scratch memory that is kept.

use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

use crate::algebra::Data;

use super::factor::Factor;
use super::line::Line;

/// A transform with its factor.
pub(super) struct Scaled<T> {
    pub line: Box<dyn Line<T>>,
    pub factor: Option<Box<dyn Factor<T>>>,
}

impl<T: Copy> Scaled<T> {
    /// Transforms some lines, in place or from a source.
    pub fn transform(&self, source: Option<&[T]>, lines: &mut [T], scratch: &mut [T]) {
        let Some(factor) = &self.factor else { return self.plain(source, lines, scratch, &|_| {}) };
        if !factor.comes_first(source.unwrap_or(lines)) {
            return self.plain(source, lines, scratch, &|part| factor.after(part, false));
        }
        if let Some(source) = source {
            lines.copy_from_slice(source);
        }
        for line in lines.chunks_exact_mut(self.line.len()) {
            let comes_first = factor.comes_first(line);
            if comes_first {
                factor.before(line);
            }
            self.plain(None, line, scratch, &|part| factor.after(part, comes_first));
        }
    }

    fn plain(&self, source: Option<&[T]>, lines: &mut [T], scratch: &mut [T], finish: &(dyn Fn(&mut [T]) + Sync)) {
        match source {
            Some(source) => self.line.out_of_place(source, lines, scratch, finish),
            None => self.line.in_place(lines, scratch, finish),
        }
    }
}

/// Scratch memory that no task has: fresh from the system it would cost as much time as a transform. A thread gets back what
/// it gave if that is there, as it is in its own cache.
pub(super) struct Pool<T>(Mutex<Vec<(ThreadId, Vec<T>)>>);

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Data> Pool<T> {
    /// Memory that was given back, or so many elements.
    pub fn take(&self, len: usize) -> Vec<T> {
        let thread = thread::current().id();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = kept.iter().rposition(|(owner, _)| *owner == thread).map(|i| kept.swap_remove(i));
        let found = own.or_else(|| kept.pop());
        drop(kept);
        found.map_or_else(|| vec![T::zeroed(); len], |(_, scratch)| scratch)
    }

    /// Keeps it for the next.
    pub fn give(&self, scratch: Vec<T>) {
        let thread = thread::current().id();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((thread, scratch));
    }
}
