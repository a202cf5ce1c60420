//! Lengths with large prime factors, as a convolution with a [chirp](crate::autosort::chirp) whose roots are rounded once.

use num_complex::Complex;

use crate::algebra::{Direction, DoubleDouble, Numbers, NumericRing};
use crate::autosort::Autosort;
use crate::autosort::chirp::{filter, squares};
use crate::parallel;

use super::factor::Real;
use super::line::{Finish, Line};

/// Points that a core multiplies at a time.
const GRAIN: usize = 1 << 12;

/// A transform by those of a longer length there and back.
pub(super) struct Chirp<F> {
    forward: Box<dyn Line<Complex<F>>>,
    inverse: Box<dyn Line<Complex<F>>>,
    /// ω_2n^{k²} for k < n.
    chirp: Vec<Complex<F>>,
    /// The transform of the conjugate chirp, from both ends, divided by its length.
    filter: Vec<Complex<F>>,
}

impl<F: Real> Chirp<F> {
    /// By the transforms of m points, of which there are at least 2n − 1.
    pub fn new(n: usize, direction: Direction, of: impl Fn(Direction) -> Box<dyn Line<Complex<F>>>) -> Self {
        let (forward, inverse) = (of(Direction::Forward), of(Direction::Inverse));
        let one = Complex::new(F::one(), F::zero());
        let wide = Complex::<DoubleDouble>::one();
        let roots = one.roots_of_unity(direction, 2 * n, 2 * n);
        let chirp: Vec<_> = squares(n, n).map(|square| roots[square]).collect();
        // Each rounding of the filter would be one of all outputs: it is computed in twice the precision, and rounded once.
        let roots = wide.roots_of_unity(direction.reversed(), 2 * n, 2 * n);
        let autosort = Autosort::new(forward.len(), Direction::Forward).expect("a length of small primes");
        let filter = filter(&autosort, squares(n, n).map(|square| roots[square]));
        let rounded = |x: &Complex<DoubleDouble>| Complex::new(one.re.constant(x.re), one.re.constant(x.im));
        let filter = filter.iter().map(rounded).collect();
        Self { forward, inverse, chirp, filter }
    }
}

impl<F: Real> Line<Complex<F>> for Chirp<F> {
    fn len(&self) -> usize {
        self.chirp.len()
    }
    fn scratch_len(&self) -> usize {
        self.filter.len() + self.forward.scratch_len().max(self.inverse.scratch_len())
    }
    fn line(
        &self,
        input: Option<&[Complex<F>]>,
        line: &mut [Complex<F>],
        scratch: &mut [Complex<F>],
        finish: Finish<'_, Complex<F>>,
    ) {
        let n = self.len();
        let (long, scratch) = scratch.split_at_mut(self.filter.len());
        let from = input.unwrap_or(line);
        parallel::tasks(&mut long[..n], 1, GRAIN, &|first, part| {
            F::multiply(Some(&from[first..][..part.len()]), &self.chirp[first..], part);
        });
        long[n..].fill(Complex::new(F::zero(), F::zero()));
        self.forward.line(None, long, scratch, &|_| {});
        parallel::tasks(long, 1, GRAIN, &|first, part| F::multiply(None, &self.filter[first..], part));
        self.inverse.line(None, long, scratch, &|_| {});
        parallel::tasks(line, 1, GRAIN, &|first, part| {
            F::multiply(Some(&long[first..][..part.len()]), &self.chirp[first..], part);
            finish(part);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::Library;
    use super::*;
    use crate::accuracy::{Method, check_by};
    use crate::plan::host::chirp_length;

    #[test]
    fn convolutions_with_a_chirp_are_transforms() {
        for (n, direction) in [(37, Direction::Forward), (1009, Direction::Inverse), (2 * 1013, Direction::Forward)] {
            let m = chirp_length(2 * n - 1);
            let line = Chirp::<f64>::new(n, direction, |direction| Box::new(Library::new(m, direction)));
            let transform = |x: &[Complex<f64>]| {
                let (mut y, mut z) = (x.to_vec(), vec![Complex::zero(); x.len()]);
                let mut scratch = vec![Complex::zero(); line.scratch_len()];
                line.lines(None, &mut y, &mut scratch, &|_| {});
                line.lines(Some(x), &mut z, &mut scratch, &|_| {});
                assert!(y == z, "{n} points in place and out of place");
                Ok(y)
            };
            let error = check_by(Method::Reference, transform, n, direction, 1).unwrap().l2_units;
            // That of rustfft's roots is in it.
            assert!(error <= 2.0, "{n}: {error} u·√log2 n");
        }
    }
}
