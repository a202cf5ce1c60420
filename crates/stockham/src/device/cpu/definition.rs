//! Lines of a prime length over a field that has roots for no convolution of it: by the definition, in as many products as the square
//! of the length.

use crate::algebra::{Direction, Numbers};

use super::line::{Finish, Line};

/// A transform of few points.
pub(super) struct Definition<T> {
    /// ω^k for each of the points.
    roots: Vec<T>,
}

impl<T: Numbers> Definition<T> {
    pub fn new(context: &T, n: usize, direction: Direction) -> Self {
        Self { roots: context.roots_of_unity(direction, n, n) }
    }
}

impl<T: Numbers> Line<T> for Definition<T> {
    fn len(&self) -> usize {
        self.roots.len()
    }
    fn scratch_len(&self) -> usize {
        self.roots.len()
    }
    fn line(&self, input: Option<&[T]>, line: &mut [T], scratch: &mut [T], finish: Finish<'_, T>) {
        let (n, from) = (self.len(), input.unwrap_or(line));
        for (k, y) in scratch[..n].iter_mut().enumerate() {
            let terms = from.iter().enumerate().skip(1).map(|(j, x)| x.mul(&self.roots[j * k % n]));
            *y = terms.fold(from[0], |sum, term| sum.add(&term));
        }
        line.copy_from_slice(&scratch[..n]);
        finish(line);
    }
}
