//! One dimension of a convolution: how long its transform is, and where what goes in.

use crate::error::{Error, Result};
use crate::transform::Kind;

use super::next_fast_len;

/// Which outputs of a convolution are wanted, along each dimension: of n points by a kernel of k.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// All that are not 0 by themselves, n + k − 1.
    Full,
    /// The n in the middle of the full ones; of two middles the first.
    Same,
    /// Those that no point outside of the arrays takes part in, max(n, k) − min(n, k) + 1. One array has to contain the other.
    Valid,
    /// Those of a periodic input, n. A correlation begins at the lag 0.
    Circular,
}

/// One dimension. A product of spectra is a circular convolution of `fft` points; of the points that wrap around none is wanted.
#[derive(Debug, Clone)]
pub struct Axis {
    /// Points of an input.
    pub input: usize,
    /// Those of it that are transformed, from `phase` on, and beyond the end from the beginning.
    pub extended: usize,
    pub phase: usize,
    /// Points of the kernel, taken modulo `period`, which stand from `−start` on, so that what is wanted begins at 0.
    pub kernel: usize,
    pub period: usize,
    pub start: usize,
    /// Points of the transform.
    pub fft: usize,
    /// Points of the output.
    pub output: usize,
}

impl Axis {
    /// For inputs of n points and a kernel of k, which is reversed for correlations; both at least one.
    pub fn new(n: usize, k: usize, mode: Mode, is_correlation: bool, kind: Kind) -> Self {
        let plain = Self { input: n, extended: n, phase: 0, kernel: k, period: k, start: 0, fft: n, output: n };
        let axis = match mode {
            Mode::Full => Self { output: n.saturating_add(k - 1), ..plain },
            Mode::Same => Self { start: (k - 1) / 2, ..plain },
            Mode::Valid => Self { start: n.min(k) - 1, output: n.abs_diff(k) + 1, ..plain },
            Mode::Circular => {
                let zero = if is_correlation { k - 1 } else { 0 };
                if next_fast_len(n, kind) == n {
                    return Self { start: zero % n, ..plain };
                }
                // Input that goes on periodically, and what is valid of its linear convolution.
                let period = k.min(n);
                let (extended, phase) = (n.saturating_add(period - 1), (zero + (n - (period - 1))) % n);
                Self { extended, phase, period, start: period - 1, ..plain }
            }
        };
        // Neither what is beyond the outputs nor what is before them may wrap onto them.
        let beyond = axis.extended.saturating_add(axis.period - 1 - axis.start);
        let least = beyond.max(axis.start.saturating_add(axis.output)).max(axis.extended);
        Self { fft: next_fast_len(least, kind), ..axis }
    }

    /// Where a point of the kernel stands.
    pub fn place(&self, point: usize) -> usize {
        (point % self.period + self.fft - self.start % self.fft) % self.fft
    }
}

/// All dimensions; of real numbers the last one has half a spectrum.
///
/// # Errors
/// [`Error::Signal`] if the ranks differ, or neither array contains the other where that is needed.
pub fn axes(input: &[usize], kernel: &[usize], mode: Mode, is_correlation: bool, kind: Kind) -> Result<Vec<Axis>> {
    let fault = |what, expected: String| Err(Error::Signal { what, expected, found: format!("{kernel:?}") });
    if input.len() != kernel.len() {
        return fault("shape of the kernel", format!("one of {} dimensions, as the input's {input:?}", input.len()));
    }
    let contains = |a: &[usize], b: &[usize]| a.iter().zip(b).all(|(a, b)| a >= b);
    if mode == Mode::Valid && !contains(input, kernel) && !contains(kernel, input) {
        return fault("shape of the kernel", format!("one that contains the input's {input:?}, or fits into it"));
    }
    let kind_of = |axis| if axis + 1 == input.len() { kind } else { Kind::Dft };
    let along = |(axis, (&n, &k))| Axis::new(n, k, mode, is_correlation, kind_of(axis));
    Ok(input.iter().zip(kernel).enumerate().map(along).collect())
}
