//! Stockham's autosort FFT on the host, over any ring: O(n log n), natural order in and out, on all cores.
//!
//! It is the CPU path of the algebras that no library covers, and, over
//! [`Complex<DoubleDouble>`](crate::algebra::DoubleDouble), the reference that `f64` transforms are measured against.

pub(crate) mod chirp;
mod shifting;

use crate::algebra::{Direction, Numbers, NumericRing};
use crate::codelet;
use crate::parallel;

pub use shifting::ShiftingAutosort;

/// A transform of `n` points over the ring `R`, with its roots of unity.
#[derive(Debug, Clone)]
pub struct Autosort<R> {
    n: usize,
    direction: Direction,
    stages: Vec<Stage<R>>,
}

/// One radix-r stage: DFTs of length p become DFTs of length p·r.
#[derive(Debug, Clone)]
struct Stage<R> {
    radix: usize,
    p: usize,
    /// ω_{pr}^{jk} for 0 < j < r, one row for each k < p, in the order of their use: a stage reads it once through.
    twiddles: Vec<R>,
    /// ω_r^m for m < r, where no codelet is compiled for the host.
    inner: Vec<R>,
}

/// Elements that one task takes at least: less is not worth handing to another core.
const GRAIN: usize = 1 << 12;

impl<R: NumericRing> Autosort<R> {
    /// Computes the roots. Nothing if `n` is zero or has a prime factor that no codelet covers.
    ///
    /// # Panics
    /// If the ring has no root of unity of order `n`.
    pub fn new(n: usize, direction: Direction) -> Option<Self> {
        Self::over(&R::one(), n, direction)
    }
}

impl<R> Autosort<R> {
    /// Points of the transform.
    pub(crate) fn len(&self) -> usize {
        self.n
    }
}

impl<R: Numbers> Autosort<R> {
    /// As [`new`](Self::new), over the ring that any element of it names.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub fn over(context: &R, n: usize, direction: Direction) -> Option<Self> {
        let mut p = 1;
        let stage = |radix: usize| {
            let inner = if radix > 7 && !radix.is_power_of_two() { radix } else { 0 };
            let inner = context.roots_of_unity(direction, radix, inner);
            let stage = Stage { radix, p, twiddles: twiddles(context, p, radix, direction), inner };
            p *= radix;
            stage
        };
        Some(Self { n, direction, stages: factor(n)?.into_iter().map(stage).collect() })
    }

    /// The transform of `x` in place, without normalisation; `scratch` has the same length.
    ///
    /// # Panics
    /// If a length is not n.
    pub fn process(&self, x: &mut [R], scratch: &mut [R]) {
        assert_eq!((x.len(), scratch.len()), (self.n, self.n), "the transform has {} points", self.n);
        let (mut source, mut target) = (x, scratch);
        for stage in &self.stages {
            // Direction and radix become constants of the stage's code.
            match self.direction {
                Direction::Forward => stage.run(source, target, Direction::Forward),
                Direction::Inverse => stage.run(source, target, Direction::Inverse),
            }
            std::mem::swap(&mut source, &mut target);
        }
        if self.stages.len() % 2 == 1 {
            target.copy_from_slice(source);
        }
    }
}

impl<R: Numbers> Stage<R> {
    #[inline(always)]
    fn run(&self, source: &[R], target: &mut [R], direction: Direction) {
        match self.radix {
            2 => self.pass(source, target, codelet::dft2),
            3 => self.pass(source, target, |v| codelet::dft3(v, direction)),
            4 => self.pass(source, target, |v| codelet::dft4(v, direction)),
            5 => self.pass(source, target, |v| codelet::dft5(v, direction)),
            7 => self.pass(source, target, |v| codelet::dft7(v, direction)),
            8 => self.pass(source, target, |v| codelet::dft8(v, direction)),
            16 => self.pass(source, target, |v| codelet::dft16(v, direction)),
            _ => self.by_definition(source, target),
        }
    }

    /// A stage of a larger prime radix, which is rare: r² products for a DFT of r points.
    fn by_definition(&self, source: &[R], target: &mut [R]) {
        let (p, r) = (self.p, self.radix);
        let stride = source.len() / r;
        parallel::tasks(target, p * r, GRAIN / (p * r), &|first, blocks| {
            let mut inputs = Vec::with_capacity(r);
            for (block, b) in blocks.chunks_mut(p * r).zip(first..) {
                for (k, twiddles) in self.twiddles.chunks_exact(r - 1).enumerate() {
                    let at = |j: usize| &source[b * p + k + j * stride];
                    inputs.clear();
                    inputs.push(*at(0));
                    inputs.extend(twiddles.iter().zip(1..).map(|(w, j)| at(j).mul(w)));
                    for i in 0..r {
                        let terms = inputs.iter().enumerate().skip(1).map(|(j, x)| x.mul(&self.inner[i * j % r]));
                        block[k + i * p] = terms.fold(inputs[0], |sum, term| sum.add(&term));
                    }
                }
            }
        });
    }

    /// Block b of p·r outputs comes from the elements b·p + k + j·n/r. Blocks are independent, and so are the columns k
    /// of a block: short blocks go whole to a task, long ones are cut into columns.
    fn pass<const N: usize>(&self, source: &[R], target: &mut [R], codelet: impl Fn([R; N]) -> [R; N] + Sync) {
        let p = self.p;
        if p * N < GRAIN {
            parallel::chunks(target, p * N, GRAIN / (p * N), |b, block| {
                self.columns(source, b * p, 0, rows(block), &codelet);
            });
            return;
        }
        let width = (GRAIN / N).min(p);
        for (b, block) in target.chunks_mut(p * N).enumerate() {
            let mut cut = rows::<R, N>(block).map(|row| row.chunks_mut(width));
            let tasks: Vec<[&mut [R]; N]> = (0..p.div_ceil(width))
                .map(|_| std::array::from_fn(|j| cut[j].next().expect("rows of equal length")))
                .collect();
            let task = |i, rows| self.columns(source, b * p + i * width, i * width, rows, &codelet);
            parallel::each_of(tasks, &task);
        }
    }

    /// The columns from `first` on, as many as the rows are long; the first one reads from `start` on.
    fn columns<const N: usize>(
        &self,
        source: &[R],
        start: usize,
        first: usize,
        mut rows: [&mut [R]; N],
        codelet: impl Fn([R; N]) -> [R; N],
    ) {
        let stride = source.len() / N;
        let width = rows[0].len();
        let inputs: [&[R]; N] = std::array::from_fn(|j| &source[start + j * stride..][..width]);
        let twiddles = self.twiddles[first * (N - 1)..].chunks_exact(N - 1);
        for (k, w) in (0..width).zip(twiddles) {
            let twiddled = |j: usize| if j == 0 { inputs[0][k] } else { inputs[j][k].mul(&w[j - 1]) };
            let plain = |j: usize| inputs[j][k];
            // A whole stage without twiddles, and column 0 of the others, whose twiddles are 1.
            let v = if first + k == 0 { std::array::from_fn(plain) } else { std::array::from_fn(twiddled) };
            for (row, x) in rows.iter_mut().zip(codelet(v)) {
                row[k] = x;
            }
        }
    }
}

/// The N equal parts of a block.
fn rows<R, const N: usize>(block: &mut [R]) -> [&mut [R]; N] {
    let mut rows = block.chunks_exact_mut(block.len() / N);
    std::array::from_fn(|_| rows.next().expect("a block of N rows"))
}

/// The prime factors of the lengths that there are.
pub(crate) const PRIMES: [usize; 11] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31];

/// The stages, largest radices of 2 first.
fn factor(n: usize) -> Option<Vec<usize>> {
    let mut rest = n;
    let mut stages = Vec::new();
    for r in [16, 8, 4].into_iter().chain(PRIMES) {
        while rest > 0 && rest.is_multiple_of(r) {
            stages.push(r);
            rest /= r;
        }
    }
    (rest == 1).then_some(stages)
}

fn twiddles<R: Numbers>(context: &R, p: usize, r: usize, direction: Direction) -> Vec<R> {
    let roots = context.roots_of_unity(direction, p * r, p * r);
    let mut twiddles = vec![context.integer(1); p * (r - 1)];
    parallel::chunks(&mut twiddles, r - 1, GRAIN / r, |k, row| {
        row.iter_mut().zip(1..).for_each(|(w, j)| *w = roots[j * k]);
    });
    twiddles
}

#[cfg(test)]
mod tests;
