//! Whether a timed transform computed what it should: some transforms of the batch, or some outputs of long ones,
//! against a reference in at least twice the precision.

use std::ops::Range;

use rayon::prelude::*;
use stockham::accuracy::{self, Errors, Measured, Method, l2_limit};
use stockham::{Direction, Transform, naive};

use crate::error::Result;

use super::arrays;

/// Outputs compared at least, so that the mean says something.
pub const OUTPUTS: usize = 1 << 12;
const LINES: usize = 3;
/// Points of short lines whose reference one thread makes at a time.
const SHARE: usize = 1 << 10;
/// Combs of outputs of transforms too long for the reference, and outputs of a comb: they cost no more than one output
/// each, and a mean over a few outputs says little.
pub const COMBS: usize = 8;
pub const COMB: usize = 1 << 8;
/// Outputs of them at least, where combs are short.
pub const SAMPLES: usize = 1 << 7;

/// Some elements of a result, from where it is: of a large one, few are looked at.
pub type Outputs<'a, T> = &'a dyn Fn(Range<usize>) -> Result<Vec<T>>;

/// The relative L2 error of the forward transforms `y` of `x`.
pub fn l2_error<T: Measured>(transform: &Transform, x: &[T], y: Outputs<'_, T>) -> Result<f64> {
    match transform.dims[..] {
        [line] => match Reference::of(x, line.n, SHARE / line.n) {
            Some(reference) => reference.l2_error(y),
            None => combs(x, y, line.n),
        },
        _ => arrays::l2_error(transform, &|i| x[i].widen(), y),
    }
}

/// What some lines of a batch become.
pub struct Reference<T: Measured> {
    n: usize,
    /// Lines of the batch.
    count: usize,
    chosen: Vec<usize>,
    outputs: Vec<T::Wide>,
}

impl<T: Measured> Reference<T> {
    /// Of the lines of n points of `x`, by tasks of so many; nothing where there is no reference of that length.
    pub fn of(x: &[T], n: usize, per_task: usize) -> Option<Self> {
        if n > Method::REFERENCE_UP_TO {
            return None;
        }
        let count = x.len() / n;
        let chosen = spread(count, LINES.max(OUTPUTS / n));
        let inputs: Vec<T> = chosen.iter().flat_map(|line| &x[line * n..][..n]).copied().collect();
        let transformed = |lines: &[T]| accuracy::references(lines, n, Direction::Forward);
        let per_task = per_task.clamp(1, chosen.len());
        let outputs = match per_task == chosen.len() {
            true => transformed(&inputs),
            false => inputs
                .par_chunks(n * per_task)
                .map(transformed)
                .collect::<stockham::Result<Vec<_>>>()
                .map(|all| all.concat()),
        };
        Some(Self { n, count, chosen, outputs: outputs.ok()? })
    }

    /// Whether it is that of lines of n points, so many.
    pub fn is_of(&self, n: usize, count: usize) -> bool {
        (self.n, self.count) == (n, count)
    }

    /// The relative L2 error of what they became.
    pub fn l2_error(&self, y: Outputs<'_, T>) -> Result<f64> {
        let mut found = Vec::with_capacity(self.outputs.len());
        for line in &self.chosen {
            found.append(&mut y(line * self.n..(line + 1) * self.n)?);
        }
        Ok(accuracy::errors(&found, |i| self.outputs[i]).l2)
    }
}

/// Whether an L2 error is that of a right result. Of several dimensions the limit is the highest of theirs.
pub fn is_right(transform: &Transform, l2: f64) -> bool {
    let limit = transform.dims.iter().map(|dim| l2_limit(dim.n)).fold(0.0, f64::max);
    match transform.algebra.unit_roundoff() {
        Some(u) => Errors { l2, linf: 0.0 }.in_units(Some(u), transform.points()).l2 <= limit,
        None => l2 == 0.0,
    }
}

fn combs<T: Measured>(x: &[T], y: Outputs<'_, T>, n: usize) -> Result<f64> {
    let comb = COMB.min(1 << n.trailing_zeros());
    let (places, step) = (spread(x.len(), COMBS.max(SAMPLES / comb)), n / comb);
    let (mut found, mut reference) = (Vec::new(), Vec::new());
    // Places of one line follow each other.
    for of_line in places.chunk_by(|a, b| a / n == b / n) {
        let line: Vec<T::Wide> = x[of_line[0] / n * n..][..n].par_iter().map(|v| v.widen()).collect();
        for &place in of_line {
            let start = place % n % step;
            reference.append(&mut naive::dft_comb(&line, start, step, Direction::Forward));
            for place in (place / n * n + start..).step_by(step).take(n / step) {
                found.append(&mut y(place..place + 1)?);
            }
        }
    }
    Ok(accuracy::errors(&found, |i| reference[i]).l2)
}

/// Up to `wanted` places from the first of `count` to the last.
pub fn spread(count: usize, wanted: usize) -> Vec<usize> {
    let wanted = wanted.min(count);
    (0..wanted).map(|i| if wanted == 1 { 0 } else { i * (count - 1) / (wanted - 1) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stockham::{Algebra, Complex32, Goldilocks};

    #[test]
    fn places_are_spread_from_the_first_to_the_last() {
        assert_eq!(spread(10, 4), [0, 3, 6, 9]);
        assert_eq!(spread(2, 4), [0, 1]);
        assert_eq!(spread(5, 1), [0]);
    }

    #[test]
    fn wrong_results_are_seen() {
        let x: Vec<Complex32> = accuracy::random(64 * 8, 1);
        let mut y: Vec<Complex32> = x.chunks(64).flat_map(|line| naive::dft(line, Direction::Forward)).collect();
        let transform = Transform::new(Algebra::ComplexF32, 64).batch(8);
        let error = |x: &[Complex32], y: &[Complex32]| l2_error(&transform, x, &|range| Ok(y[range].to_vec())).unwrap();
        assert!(error(&x, &y) < 1e-5);
        y[5] = -y[5];
        assert!(!is_right(&transform, error(&x, &y)));
        y[5].re = f32::NAN;
        assert!(!is_right(&transform, error(&x, &y)));

        let x: Vec<Goldilocks> = accuracy::random(64, 1);
        let mut y = naive::dft(&x, Direction::Forward);
        let transform = Transform::new(Algebra::Goldilocks, 64);
        let error =
            |x: &[Goldilocks], y: &[Goldilocks]| l2_error(&transform, x, &|range| Ok(y[range].to_vec())).unwrap();
        assert_eq!(error(&x, &y), 0.0);
        y.swap(0, 1);
        assert!(!is_right(&transform, error(&x, &y)));
    }
}
