//! Lines of a large prime length over a field, as a cyclic convolution: with jk = ((j + k)² − j² − k²)/2 and c_j = ω_{2q}^{j²},
//! X_k = c_k⁻¹ Σ_j (x_j c_j⁻¹) c_{j+k} (L. I. Bluestein, "A linear filtering approach to the computation of the discrete Fourier
//! transform", 1970). A sum of this form is the DFT of a product of the DFT of x_j c_j⁻¹ by the inverse DFT of the c_m.

use crate::algebra::{Direction, Numbers, Scale};
use crate::autosort::chirp::squares;
use crate::codelet::MOST_PRIME;
use crate::plan::chirp::spectrum;
use crate::transform::largest_factor;

use super::line::{Finish, Line};

/// Convolutions are at most so many times as long as the shortest one.
const LONGEST: usize = 4;

/// The length of a convolution for q points, of whose order the ring that an element names has roots; or none.
pub(super) fn length<T: Numbers>(context: &T, q: usize) -> Option<usize> {
    let least = 2 * q - 1;
    (least..LONGEST * least).find(|&m| context.has_root(m) && largest_factor(m) <= MOST_PRIME)
}

/// A transform of q points by two of a longer length.
pub(super) struct Convolution<T> {
    longer: Box<dyn Line<T>>,
    /// c_j⁻¹ for each of the points.
    chirp: Vec<T>,
    /// What the longer transform is multiplied by.
    spectrum: Vec<T>,
    zero: T,
}

impl<T: Numbers> Convolution<T> {
    /// By lines of more points, of whose number there are roots.
    pub fn new(context: &T, q: usize, direction: Direction, longer: Box<dyn Line<T>>) -> Self {
        let roots = context.roots_of_unity(direction.reversed(), 2 * q, 2 * q);
        let chirp = squares(q, q).map(|square| roots[square]).collect();
        let spectrum = spectrum(context, (q, longer.len()), direction, Scale::One);
        Self { longer, chirp, spectrum, zero: context.integer(0) }
    }
}

impl<T: Numbers> Line<T> for Convolution<T> {
    fn len(&self) -> usize {
        self.chirp.len()
    }
    fn scratch_len(&self) -> usize {
        self.spectrum.len() + self.longer.scratch_len()
    }
    fn line(&self, input: Option<&[T]>, line: &mut [T], scratch: &mut [T], finish: Finish<'_, T>) {
        let (long, scratch) = scratch.split_at_mut(self.spectrum.len());
        long.fill(self.zero);
        long.iter_mut().zip(input.unwrap_or(line)).zip(&self.chirp).for_each(|((y, x), c)| *y = x.mul(c));
        self.longer.line(None, long, scratch, &|_| {});
        long.iter_mut().zip(&self.spectrum).for_each(|(x, s)| *x = x.mul(s));
        self.longer.line(None, long, scratch, &|_| {});
        line.iter_mut().zip(&*long).zip(&self.chirp).for_each(|((x, y), c)| *x = y.mul(c));
        finish(line);
    }
}
