//! Long transforms as columns and rows, in two trips through memory and on all cores.
//!
//! DFT_{r·c} as columns of length r, twiddles, and rows of length c (W. M. Gentleman and G. Sande, "Fast Fourier transforms:
//! for fun and profit", 1966): with j = j1·c + j2 and k = k1 + k2·r,
//! X_k = Σ_{j2} ω_c^{j2·k2} ω_n^{j2·k1} Σ_{j1} ω_r^{j1·k1} x_j. Either trip gathers some columns of a matrix,
//! so that the transposition takes no trip of its own.

use crate::algebra::{Direction, Numbers};
use crate::parallel;
use crate::plan::host::GAP;
use crate::transform::Dim;

use super::line::{Finish, Line};
use super::lines::Lines;
use super::share::{Source, share};

pub(super) struct FourStep<T> {
    columns: Box<dyn Line<T>>,
    rows: Box<dyn Line<T>>,
    twiddles: Twiddles<T>,
    /// What memory is filled with.
    zero: T,
}

impl<T: Numbers> FourStep<T> {
    /// From the transforms of the columns and of the rows, over the ring that an element names.
    pub fn new(context: &T, columns: Box<dyn Line<T>>, rows: Box<dyn Line<T>>, direction: Direction) -> Self {
        let twiddles = Twiddles::new(context, columns.len(), rows.len(), direction);
        Self { columns, rows, twiddles, zero: context.integer(0) }
    }

    /// The distance of the transformed columns.
    fn pitch(&self) -> usize {
        self.columns.len() + GAP
    }

    fn transform_columns(&self, input: &[T], between: &mut [T]) {
        let (r, c) = (self.columns.len(), self.rows.len());
        let dim = Dim { n: r, input_stride: c, output_stride: 1 };
        let lines = Lines::new(dim, vec![Dim { n: c, input_stride: 1, output_stride: self.pitch() }]);
        share(&lines, Source::Elements(input), between, 0, &|task| {
            let mut scratch = vec![self.zero; self.columns.scratch_len()];
            task.by_lines(self.zero, &mut |j, _, column| {
                self.columns.lines(None, column, &mut scratch, &|_| {});
                self.twiddles.apply(column, j);
            });
        });
    }

    fn transform_rows(&self, between: &[T], output: &mut [T], finish: Finish<'_, T>) {
        let (r, c) = (self.columns.len(), self.rows.len());
        let dim = Dim { n: c, input_stride: self.pitch(), output_stride: r };
        let lines = Lines::new(dim, vec![Dim::new(r, 1)]);
        share(&lines, Source::Elements(between), output, 0, &|task| {
            let mut scratch = vec![self.zero; self.rows.scratch_len()];
            task.by_lines(self.zero, &mut |_, _, row| self.rows.lines(None, row, &mut scratch, finish));
        });
    }
}

impl<T: Numbers> Line<T> for FourStep<T> {
    fn len(&self) -> usize {
        self.columns.len() * self.rows.len()
    }
    fn scratch_len(&self) -> usize {
        self.pitch() * self.rows.len()
    }
    fn line(&self, input: Option<&[T]>, line: &mut [T], scratch: &mut [T], finish: Finish<'_, T>) {
        let between = &mut scratch[..self.scratch_len()];
        self.transform_columns(input.unwrap_or(line), between);
        self.transform_rows(between, line, finish);
    }
}

/// ω_n^{j·k} for a column j and k = a·run + b as coarse\[j\]\[a\] · fine\[j\]\[b\]: a column's factors follow each other.
struct Twiddles<T> {
    run: usize,
    /// r/run.
    runs: usize,
    coarse: Vec<T>,
    fine: Vec<T>,
}

impl<T: Numbers> Twiddles<T> {
    fn new(context: &T, r: usize, c: usize, direction: Direction) -> Self {
        let run = (1..=r.isqrt()).rev().find(|run| r.is_multiple_of(*run)).unwrap_or(1);
        let (n, runs) = (r * c, r / run);
        let table = |order: usize, count: usize| {
            let roots = context.roots_of_unity(direction, order, c * count);
            let mut rows = vec![roots[0]; c * count];
            parallel::chunks(&mut rows, count, 64, |j, row| {
                row.iter_mut().enumerate().for_each(|(i, factor)| *factor = roots[i * j]);
            });
            rows
        };
        // ω_n^{j·a·run} is a root of order n/run.
        Self { run, runs, coarse: table(n / run, runs), fine: table(n, run) }
    }

    /// Multiplies element k of the column by ω_n^{jk}.
    fn apply(&self, column: &mut [T], j: usize) {
        let coarse = &self.coarse[j * self.runs..][..self.runs];
        let fine = &self.fine[j * self.run..][..self.run];
        for (run, coarse) in column.chunks_mut(self.run).zip(coarse) {
            run.iter_mut().zip(fine).for_each(|(x, fine)| *x = x.mul(&coarse.mul(fine)));
        }
    }
}

#[cfg(test)]
mod tests {
    use num_complex::Complex;

    use super::super::line::{Library, Own};
    use super::*;
    use crate::accuracy::{Method, check_by, random};
    use crate::algebra::{Goldilocks, NumericRing};
    use crate::naive;
    use crate::plan::host;

    fn split(r: usize, c: usize, direction: Direction) -> FourStep<Complex<f64>> {
        let part = |n| Box::new(Library::new(n, direction));
        FourStep::new(&Complex::one(), part(r), part(c), direction)
    }

    fn error(line: &dyn Line<Complex<f64>>, direction: Direction) -> f64 {
        let transform = |x: &[Complex<f64>]| {
            let mut y = x.to_vec();
            line.lines(None, &mut y, &mut vec![Complex::zero(); line.scratch_len()], &|_| {});
            Ok(y)
        };
        check_by(Method::Reference, transform, line.len(), direction, 1).unwrap().l2_units
    }

    #[test]
    fn splits_are_accurate() {
        for (r, c, direction) in [(1 << 8, 1 << 9, Direction::Forward), (1 << 9, 1 << 9, Direction::Inverse)] {
            let error = error(&split(r, c, direction), direction);
            assert!(error <= 1.0, "{r} by {c}: {error} u·√log2 n");
        }
    }

    /// Lengths that are no powers of two inherit rustfft's errors in their odd factors: the split adds none.
    #[test]
    fn splits_are_no_less_accurate_than_the_whole() {
        // Oblong, odd, and with columns that do not come in sixteens.
        for (r, c, direction) in
            [(405, 405, Direction::Forward), (375, 400, Direction::Inverse), (384, 512, Direction::Forward)]
        {
            let split = error(&split(r, c, direction), direction);
            let whole = error(&Library::new(r * c, direction), direction);
            assert!(split <= 1.05 * whole, "{r} by {c}: {split} against {whole} u·√log2 n");
        }
    }

    #[test]
    fn splits_are_exact_over_a_field_in_place_and_out_of_place() {
        for (r, c, direction) in
            [(2, 3, Direction::Forward), (15, 16, Direction::Inverse), (48, 20, Direction::Forward)]
        {
            let one = Goldilocks::one();
            let part = |n| Box::new(Own::autosort(&one, n, direction).expect("a length with codelets"));
            let split = FourStep::new(&one, part(r), part(c), direction);
            let x = random::<Goldilocks>(2 * r * c, 3);
            let expected: Vec<_> = x.chunks(r * c).flat_map(|x| naive::dft(x, direction)).collect();
            let mut scratch = vec![one; split.scratch_len()];
            let (mut inside, mut outside) = (x.clone(), vec![one; x.len()]);
            split.lines(None, &mut inside, &mut scratch, &|_| {});
            split.lines(Some(&x), &mut outside, &mut scratch, &|_| {});
            assert!(inside == expected && outside == expected, "{r} by {c}");
        }
    }

    #[test]
    fn lengths_without_near_divisors_have_no_split() {
        assert_eq!(host::sides(3 * 65_537), None);
        assert_eq!(host::sides(131_101), None);
        assert_eq!(host::sides(1 << 17), Some((1 << 8, 1 << 9)));
    }
}
