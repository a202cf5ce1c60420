//! Whether transforms of several dimensions, or of real numbers, computed what they should: the outputs of some lines
//! along the last dimension. The others are summed up by the definition, which leaves a transform of one dimension.

use rayon::prelude::*;
use stockham::accuracy::{self, Measured, Method};
use stockham::algebra::{NumericRing, Root};
use stockham::autosort::Autosort;
use stockham::{Direction, Kind, Transform, naive};

use crate::error::Result;

use super::check::{COMB, COMBS, OUTPUTS, Outputs, SAMPLES, spread};

/// Lines at least, if there are as many …
const LINES: usize = 4;
/// … and products that more of them may take together: some seconds.
const PRODUCTS: usize = 1 << 28;
/// The longest lines whose reference is the definition, where the autosort has none.
const NAIVE_UP_TO: usize = 1 << 11;
/// Elements of a line that a task sums up, …
const COLUMNS: usize = 1 << 12;
/// … and elements of the input, of several lines if they are short.
const ELEMENTS: usize = 1 << 16;

/// The relative L2 error of forward transforms without gaps: `x` gives the elements of the whole batch, one array after
/// the other, and `y` their transforms.
pub fn l2_error<T: Measured>(
    transform: &Transform,
    x: &(impl Fn(usize) -> T::Wide + Sync),
    y: Outputs<'_, T>,
) -> Result<f64> {
    let lengths: Vec<usize> = transform.dims.iter().map(|dim| dim.n).collect();
    // Without dimensions nothing is right.
    let Some((&n, others)) = lengths.split_last() else { return Ok(f64::NAN) };
    let rows: usize = others.iter().product();
    let kept = match transform.kind {
        Kind::Real => n / 2 + 1,
        _ => n,
    };
    let wanted = (OUTPUTS / kept).min(PRODUCTS / transform.points()).max(LINES);
    let reference = Lines::new(n, kept);
    let (mut found, mut expected) = (Vec::new(), Vec::new());
    for line in spread(rows * transform.batch_count(), wanted) {
        let start = line / rows * transform.points();
        let summed = summed(&|i| x(start + i), others, n, line % rows);
        for (place, mut values) in reference.outputs(summed) {
            let place = line * kept + place;
            found.append(&mut y(place..place + values.len())?);
            expected.append(&mut values);
        }
    }
    Ok(accuracy::errors(&found, |i| expected[i]).l2)
}

/// The transforms of lines, of which the first outputs are kept.
struct Lines<R> {
    n: usize,
    kept: usize,
    /// For lines that are not too long, if their length has no large prime factors.
    autosort: Option<Autosort<R>>,
}

impl<R: NumericRing> Lines<R> {
    fn new(n: usize, kept: usize) -> Self {
        let is_short = n <= Method::REFERENCE_UP_TO;
        Self { n, kept, autosort: is_short.then(|| Autosort::new(n, Direction::Forward)).flatten() }
    }

    /// Runs of outputs and where they begin: all that are kept, or combs of them.
    fn outputs(&self, mut line: Vec<R>) -> Vec<(usize, Vec<R>)> {
        match &self.autosort {
            Some(autosort) => autosort.process(&mut line, &mut vec![R::zero(); self.n]),
            None if self.n <= NAIVE_UP_TO => line = naive::dft(&line, Direction::Forward),
            None => return self.combs(&line),
        }
        line.truncate(self.kept);
        vec![(0, line)]
    }

    fn combs(&self, line: &[R]) -> Vec<(usize, Vec<R>)> {
        let comb = COMB.min(1 << self.n.trailing_zeros());
        let step = self.n / comb;
        let starts = spread(step.min(self.kept), COMBS.max(SAMPLES / comb));
        let comb = |start: usize| {
            let outputs = naive::dft_comb(line, start, step, Direction::Forward).into_iter();
            outputs.enumerate().map(move |(i, output)| (start + i * step, vec![output]))
        };
        starts.into_iter().flat_map(comb).filter(|(place, _)| *place < self.kept).collect()
    }
}

/// What is left of an array for a row of its transform's outputs: the sums over all dimensions but the last, which has
/// `n` points.
fn summed<R: NumericRing>(x: &(impl Fn(usize) -> R + Sync), others: &[usize], n: usize, row: usize) -> Vec<R> {
    let (mut axes, mut rest) = (Vec::new(), row);
    for &length in others.iter().rev() {
        axes.push(Powers::new(rest % length, length));
        rest /= length;
    }
    let weight = |row: usize| {
        let digit = |(w, rest): (R, usize), axis: &Powers<R>| (w.mul(&axis.at(rest % axis.n)), rest / axis.n);
        axes.iter().fold((R::one(), row), digit).0
    };
    let rows: usize = others.iter().product();
    // Short sums are added up afterwards: they round less than one long one. Of long lines there is but one at a time.
    let at_once = if n < ELEMENTS { ELEMENTS / n } else { rows };
    let part = |first: usize| {
        let mut sums = vec![R::zero(); n];
        sums.par_chunks_mut(COLUMNS).enumerate().for_each(|(block, sums)| {
            for row in first..rows.min(first + at_once) {
                let (w, start) = (weight(row), row * n + block * COLUMNS);
                sums.iter_mut().enumerate().for_each(|(i, sum)| *sum = sum.add(&x(start + i).mul(&w)));
            }
        });
        sums
    };
    let add = |mut a: Vec<R>, b: Vec<R>| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a = a.add(&b));
        a
    };
    let parts = (0..rows).into_par_iter().step_by(at_once).map(part);
    parts.reduce_with(add).unwrap_or_default()
}

/// The powers ω^(j·k) of a root of order n for all j, as products of two of about 2√n.
struct Powers<R> {
    n: usize,
    low: Vec<R>,
    high: Vec<R>,
}

impl<R: NumericRing> Powers<R> {
    fn new(k: usize, n: usize) -> Self {
        let b = n.isqrt();
        // In 128 bits, since the exponents of lengths above 2^32 overflow 64.
        let root = |j: usize| R::root(Root::new((j as u128 * k as u128 % n as u128) as usize, n));
        Self { n, low: (0..b).map(root).collect(), high: (0..n.div_ceil(b)).map(|i| root(i * b)).collect() }
    }

    fn at(&self, j: usize) -> R {
        self.high[j / self.low.len()].mul(&self.low[j % self.low.len()])
    }
}

#[cfg(test)]
#[path = "arrays_tests.rs"]
mod tests;
