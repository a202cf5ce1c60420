//! Lines that several plans have in common: those of convolutions, whose lengths are few.

use std::any::{Any, TypeId};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use num_complex::Complex;

use crate::algebra::Direction;
use crate::threads;

use super::factor::Real;
use super::line::{Finish, Line};

/// What a line follows from: the numbers, the length, the direction, the batch, and the threads that it is for.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    numbers: TypeId,
    n: usize,
    direction: Direction,
    batch: usize,
    threads: usize,
}

type Kept = Weak<dyn Any + Send + Sync>;

/// Those that some plan has.
static KEPT: Mutex<Vec<(Key, Kept)>> = Mutex::new(Vec::new());

/// A line of which there may be several owners.
pub(super) struct Common<F>(Arc<Owned<F>>);

struct Owned<F>(Box<dyn Line<Complex<F>>>);

impl<F: Real> Common<F> {
    /// The line that another plan has for the same, or a new one.
    pub fn of(n: usize, direction: Direction, batch: usize, make: impl FnOnce() -> Box<dyn Line<Complex<F>>>) -> Self {
        let key = Key { numbers: TypeId::of::<F>(), n, direction, batch, threads: threads::current() };
        if let Some(line) = find(key) {
            return Self(line);
        }
        let line = Arc::new(Owned(make()));
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(_, line)| line.strong_count() > 0);
        let weak: Weak<Owned<F>> = Arc::downgrade(&line);
        let weak: Kept = weak;
        kept.push((key, weak));
        Self(line)
    }
}

fn find<F: Real>(key: Key) -> Option<Arc<Owned<F>>> {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let found = kept.iter().filter(|(of, _)| *of == key).find_map(|(_, line)| line.upgrade())?;
    found.downcast().ok()
}

impl<F: Real> Line<Complex<F>> for Common<F> {
    fn len(&self) -> usize {
        self.0.0.len()
    }
    fn scratch_len(&self) -> usize {
        self.0.0.scratch_len()
    }
    fn line(
        &self,
        input: Option<&[Complex<F>]>,
        line: &mut [Complex<F>],
        scratch: &mut [Complex<F>],
        finish: Finish<'_, Complex<F>>,
    ) {
        self.0.0.line(input, line, scratch, finish);
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::Library;
    use super::*;

    #[test]
    fn plans_of_a_length_have_its_line_in_common() {
        let line = |n, direction| Common::<f64>::of(n, direction, 1, || Box::new(Library::new(n, direction)));
        let (one, other) = (line(12, Direction::Forward), line(12, Direction::Forward));
        assert!(Arc::ptr_eq(&one.0, &other.0));
        assert!(!Arc::ptr_eq(&one.0, &line(12, Direction::Inverse).0));
        assert_eq!(line(16, Direction::Forward).len(), 16);
        let gone = Arc::downgrade(&one.0);
        drop((one, other));
        assert!(gone.upgrade().is_none());
    }
}
