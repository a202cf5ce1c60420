//! Whether a timed transform computed what it should: some transforms of the batch, or some outputs of long ones,
//! against a reference in at least twice the precision.

use stockham::accuracy::{self, Errors, L2_LIMIT, Measured, Method};
use stockham::algebra::NumericRing;
use stockham::autosort::Autosort;
use stockham::{Direction, naive};

/// Outputs compared at least, so that the mean says something.
const OUTPUTS: usize = 1 << 12;
const LINES: usize = 3;
/// Outputs of a transform too long for the reference.
const SPOTS: usize = 8;

/// The relative L2 error of the forward transforms `y` of the lines of `x`.
pub fn l2_error<T: Measured>(x: &[T], y: &[T], n: usize) -> f64 {
    let lines = x.len() / n;
    if n > Method::REFERENCE_UP_TO {
        return spots(x, y, n).l2;
    }
    let Some(autosort) = Autosort::<T::Wide>::new(n, Direction::Forward) else { return spots(x, y, n).l2 };
    let chosen = spread(lines, LINES.max(OUTPUTS / n));
    let mut scratch = vec![T::Wide::zero(); n];
    let (mut found, mut reference) = (Vec::new(), Vec::new());
    for line in chosen {
        let mut wide: Vec<T::Wide> = x[line * n..][..n].iter().map(|v| v.widen()).collect();
        autosort.process(&mut wide, &mut scratch);
        reference.append(&mut wide);
        found.extend_from_slice(&y[line * n..][..n]);
    }
    accuracy::errors(&found, |i| reference[i]).l2
}

/// Whether an L2 error is that of a right result.
pub fn is_right<T: Measured>(l2: f64, n: usize) -> bool {
    match T::ALGEBRA.unit_roundoff() {
        Some(u) => Errors { l2, linf: 0.0 }.in_units(Some(u), n).l2 <= L2_LIMIT,
        None => l2 == 0.0,
    }
}

fn spots<T: Measured>(x: &[T], y: &[T], n: usize) -> Errors {
    let places: Vec<usize> = spread(x.len(), SPOTS);
    let reference: Vec<T::Wide> = places
        .iter()
        .map(|place| {
            let line: Vec<T::Wide> = x[place / n * n..][..n].iter().map(|v| v.widen()).collect();
            naive::dft_at(&line, place % n, Direction::Forward)
        })
        .collect();
    let found: Vec<T> = places.iter().map(|place| y[*place]).collect();
    accuracy::errors(&found, |i| reference[i])
}

/// Up to `wanted` places from the first of `count` to the last.
pub fn spread(count: usize, wanted: usize) -> Vec<usize> {
    let wanted = wanted.min(count);
    (0..wanted).map(|i| if wanted == 1 { 0 } else { i * (count - 1) / (wanted - 1) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stockham::{Complex32, Goldilocks};

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
        assert!(l2_error(&x, &y, 64) < 1e-5);
        y[5] = -y[5];
        assert!(!is_right::<Complex32>(l2_error(&x, &y, 64), 64));
        y[5].re = f32::NAN;
        assert!(!is_right::<Complex32>(l2_error(&x, &y, 64), 64));

        let x: Vec<Goldilocks> = accuracy::random(64, 1);
        let mut y = naive::dft(&x, Direction::Forward);
        assert_eq!(l2_error(&x, &y, 64), 0.0);
        y.swap(0, 1);
        assert!(!is_right::<Goldilocks>(l2_error(&x, &y, 64), 64));
    }
}
