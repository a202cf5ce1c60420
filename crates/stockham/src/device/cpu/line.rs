//! The transform of contiguous lines: by rustfft as far as it is accurate, by a four-step split into short rustfft
//! transforms beyond, and by the engine's own codelets over other algebras.

use std::sync::Arc;

use num_complex::Complex;
use rayon::prelude::*;
use rustfft::{Fft, FftDirection, FftNum, FftPlanner};

use crate::algebra::{Direction, Goldilocks, NumericRing, Scalar};
use crate::autosort::Autosort;
use crate::error::{Error, Result};

/// The transforms of some contiguous lines, in place, unscaled, one after the other, with scratch of their own.
pub(super) type Line<T> = Box<dyn Fn(&mut [T]) + Send + Sync>;

/// From this length on a transform is split. rustfft rounds its angles before it takes their sines, so that its `f64`
/// error grows faster than √log n: it is 0.93 u·√log2 n at 2^16, 1.00 at 2^20 and 1.04 at 2^24. Two short transforms
/// joined by twiddles of correctly rounded factors stay below, and share out over the cores. In `f32`, where the angles
/// are accurate enough, only a batch that leaves cores without a line is split.
const SPLIT_FROM: usize = 1 << 17;

/// Columns transformed together: together they fill whole cache lines.
const LANES: usize = 8;

pub(super) fn complex<F: FftNum + Scalar + Default>(n: usize, direction: Direction, batch: usize) -> Line<Complex<F>> {
    let is_accurate = size_of::<F>() < size_of::<f64>();
    let split = if is_accurate && batch >= rayon::current_num_threads() { None } else { FourStep::new(n, direction) };
    match split {
        Some(split) => Box::new(move |lines| lines.chunks_exact_mut(n).for_each(|line| split.process(line))),
        None => {
            let fft = rustfft(n, direction);
            Box::new(move |lines| fft.process(lines))
        }
    }
}

pub(super) fn goldilocks(n: usize, direction: Direction) -> Result<Line<Goldilocks>> {
    let autosort = Autosort::<Goldilocks>::new(n, direction).ok_or_else(|| {
        Error::unsupported(format!("a goldilocks transform of {n} points"), "the CPU executes 2^a times 1, 3, 5 or 15")
    })?;
    Ok(Box::new(move |lines| {
        let mut scratch = vec![Goldilocks::zero(); n];
        lines.chunks_exact_mut(n).for_each(|line| autosort.process(line, &mut scratch));
    }))
}

fn rustfft<F: FftNum>(n: usize, direction: Direction) -> Arc<dyn Fft<F>> {
    let direction = match direction {
        Direction::Forward => FftDirection::Forward,
        Direction::Inverse => FftDirection::Inverse,
    };
    FftPlanner::new().plan_fft(n, direction)
}

/// DFT_{r·c} as columns of length r, twiddles, rows of length c and a transposition (W. M. Gentleman and G. Sande,
/// "Fast Fourier transforms: for fun and profit", 1966): with j = j1·c + j2 and k = k1 + k2·r,
/// X_k = Σ_{j2} ω_c^{j2·k2} ω_n^{j2·k1} Σ_{j1} ω_r^{j1·k1} x_j.
struct FourStep<F: FftNum> {
    r: usize,
    c: usize,
    columns: Arc<dyn Fft<F>>,
    rows: Arc<dyn Fft<F>>,
    twiddles: Twiddles<Complex<F>>,
}

impl<F: FftNum + Scalar + Default> FourStep<F> {
    /// Nothing if n is short, or has no divisor near its square root.
    fn new(n: usize, direction: Direction) -> Option<Self> {
        let r = (1..=n.isqrt()).rev().find(|r| n.is_multiple_of(*r))?;
        let c = n / r;
        if n < SPLIT_FROM || c / r > 64 {
            return None;
        }
        let (columns, rows) = (rustfft(r, direction), rustfft(c, direction));
        Some(Self { r, c, columns, rows, twiddles: Twiddles::new(n, direction) })
    }

    fn process(&self, line: &mut [Complex<F>]) {
        let (r, c) = (self.r, self.c);
        let mut scratch = vec![Complex::default(); line.len()];
        by_columns(line, &mut scratch, c, |first, columns| {
            self.columns.process(columns);
            columns.chunks_mut(r).zip(first..).for_each(|(column, j)| self.twiddles.apply(column, j));
        });
        by_columns(&scratch, line, r, |_, rows| self.rows.process(rows));
        by_columns(line, &mut scratch, c, |_, _| {});
        line.par_chunks_mut(1 << 14).zip(scratch.par_chunks(1 << 14)).for_each(|(to, from)| to.copy_from_slice(from));
    }
}

/// Transposes `source`, whose rows have `width` elements, and hands over some transposed columns at a time, with the
/// number of the first, while they are in the cache.
fn by_columns<T: Copy + Send + Sync>(
    source: &[T],
    target: &mut [T],
    width: usize,
    work: impl Fn(usize, &mut [T]) + Sync,
) {
    let height = source.len() / width;
    target.par_chunks_mut(LANES * height).enumerate().for_each(|(i, columns)| {
        let (first, count) = (i * LANES, columns.len() / height);
        for (j, row) in source.chunks_exact(width).enumerate() {
            for (lane, x) in row[first..first + count].iter().enumerate() {
                columns[lane * height + j] = *x;
            }
        }
        work(first, columns);
    });
}

/// ω_n^e as coarse\[e / split\] · fine\[e mod split\]: two short tables that stay in the cache.
struct Twiddles<T> {
    split: usize,
    coarse: Vec<T>,
    fine: Vec<T>,
}

impl<T: NumericRing> Twiddles<T> {
    fn new(n: usize, direction: Direction) -> Self {
        let split = n.isqrt().max(1);
        let table = |count: usize, step: usize| {
            (0..count).into_par_iter().map(|i| T::root(direction.root(i * step, n))).collect()
        };
        Self { split, coarse: table(n / split + 1, split), fine: table(split, 1) }
    }

    /// Multiplies element k of the column by ω_n^{jk}; j·k stays below n.
    fn apply(&self, column: &mut [T], j: usize) {
        let (coarse_step, fine_step) = (j / self.split, j % self.split);
        let (mut coarse, mut fine) = (0, 0);
        for x in column {
            *x = x.mul(&self.coarse[coarse].mul(&self.fine[fine]));
            (coarse, fine) = (coarse + coarse_step, fine + fine_step);
            if fine >= self.split {
                (coarse, fine) = (coarse + 1, fine - self.split);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accuracy::{Method, check_by};

    fn error(n: usize, direction: Direction, process: impl Fn(&mut [Complex<f64>])) -> f64 {
        let transform = |x: &[Complex<f64>]| {
            let mut y = x.to_vec();
            process(&mut y);
            Ok(y)
        };
        check_by(Method::Reference, transform, n, direction, 1).unwrap().l2_units
    }

    #[test]
    fn splits_are_accurate() {
        for (n, direction) in [(1 << 17, Direction::Forward), (1 << 18, Direction::Inverse)] {
            let split = FourStep::<f64>::new(n, direction).expect("a power of two");
            let error = error(n, direction, |line| split.process(line));
            assert!(error <= 1.0, "n = {n}: {error} u·√log2 n");
        }
    }

    /// Lengths that are no powers of two inherit rustfft's errors in their odd factors: the split adds none.
    #[test]
    fn splits_are_no_less_accurate_than_the_whole() {
        // Oblong, odd, and with columns that do not come in eights.
        for (n, direction) in
            [(405 * 405, Direction::Forward), (375 * 400, Direction::Inverse), (3 << 16, Direction::Forward)]
        {
            let split = FourStep::<f64>::new(n, direction).expect("a length with a divisor near its root");
            let whole = rustfft(n, direction);
            let split = error(n, direction, |line| split.process(line));
            let whole = error(n, direction, |line| whole.process(line));
            assert!(split <= 1.05 * whole, "n = {n}: {split} against {whole} u·√log2 n");
        }
    }

    #[test]
    fn lengths_without_a_split_stay_whole() {
        for n in [1, 2, 1 << 16, 131_101, 3 * 65_537] {
            assert!(FourStep::<f32>::new(n, Direction::Forward).is_none(), "n = {n}");
        }
    }
}
