//! The autosort transform over a ring where the roots of some order K take no product: over ℤ/(r^k + 1) they are powers
//! of r for K = 2k, and rotate the digits.
//!
//! Stages have radix K, the last one what is left. A DFT of K points is then additions and rotations only (where K is small,
//! stages have radix [`LEAST_RADIX`], and some of its roots take a product). Of the twiddle factors ω_n^e = ω_K^q·ω_n^m, with e = q·n/K + m, only those with m > 0 take a product: (e − 1)·n of them at
//! most for n = K^e, and a table of n/K roots. (M. Fürer, "Faster integer multiplication", 2009; S. Covanov and
//! E. Thomé, "Fast integer multiplication using generalized Fermat primes", 2019.)

use crate::algebra::{Direction, Numbers};
use crate::parallel;

/// A transform of `n` points, n a power of two.
#[derive(Debug, Clone)]
pub struct ShiftingAutosort<R> {
    n: usize,
    direction: Direction,
    stages: Vec<Stage<R>>,
}

/// One radix-r stage: DFTs of length p become DFTs of length p·r.
#[derive(Debug, Clone)]
struct Stage<R> {
    radix: usize,
    p: usize,
    /// Elements between the inputs of a butterfly: n/r.
    stride: usize,
    /// ω_{pr}^m for m < pr/K.
    roots: Vec<R>,
    /// K: how many roots take no product.
    shifts: usize,
    /// ω_r^m for m < r, where the radix is more than K.
    inner: Vec<R>,
}

/// Stages of a smaller radix would be limited by memory.
const LEAST_RADIX: usize = 16;

/// Bytes of elements that one task takes at least.
const GRAIN: usize = 1 << 16;

impl<R: Numbers> ShiftingAutosort<R> {
    /// Computes the roots, over the ring that any element of it names. Nothing if `n` is not a power of two.
    ///
    /// # Panics
    /// If the ring has no root of unity of order `n`.
    pub fn over(context: &R, n: usize, direction: Direction) -> Option<Self> {
        let most = context.shift_order();
        let mut stages = Vec::new();
        let mut p = 1;
        while n.is_power_of_two() && p < n {
            let radix = (n / p).min(most.max(LEAST_RADIX));
            let count = (p * radix / most).max(1);
            let roots = context.roots_of_unity(direction, p * radix, count);
            let inner = context.roots_of_unity(direction, radix, if radix > most { radix } else { 0 });
            stages.push(Stage { radix, p, stride: n / radix, roots, shifts: most, inner });
            p *= radix;
        }
        n.is_power_of_two().then_some(Self { n, direction, stages })
    }

    /// The transform of `x` in place, without normalisation; `scratch` has the same length.
    ///
    /// # Panics
    /// If a length is not n.
    pub fn process(&self, x: &mut [R], scratch: &mut [R]) {
        assert_eq!((x.len(), scratch.len()), (self.n, self.n), "the transform has {} points", self.n);
        let (mut source, mut target) = (x, scratch);
        for stage in &self.stages {
            stage.run(source, target, self.direction);
            std::mem::swap(&mut source, &mut target);
        }
        if self.stages.len() % 2 == 1 {
            target.copy_from_slice(source);
        }
    }
}

impl<R: Numbers> Stage<R> {
    /// Block b of p·r outputs comes from the elements b·p + k + j·n/r. Short blocks go whole to a task, long ones are cut
    /// into runs of columns k.
    fn run(&self, source: &[R], target: &mut [R], direction: Direction) {
        let (p, radix) = (self.p, self.radix);
        let bits = radix.trailing_zeros();
        let enough = (GRAIN / size_of::<R>() / radix).max(1);
        if p <= enough {
            parallel::tasks(target, p * radix, enough / p, &|first, blocks| {
                let mut values = Vec::with_capacity(radix);
                for (block, b) in blocks.chunks_mut(p * radix).zip(first..) {
                    for k in 0..p {
                        self.column(&mut values, &source[b * p..], k, direction);
                        (0..radix).for_each(|j| block[k + j * p] = values[reversed(j, bits)]);
                    }
                }
            });
            return;
        }
        let mut tasks = Vec::with_capacity(target.len() / (enough * radix));
        for (b, block) in target.chunks_mut(p * radix).enumerate() {
            let mut rows: Vec<_> = block.chunks_mut(p).map(|row| row.chunks_mut(enough)).collect();
            tasks.extend((0..p.div_ceil(enough)).map(|i| {
                let rows: Vec<&mut [R]> = rows.iter_mut().filter_map(Iterator::next).collect();
                (b * p, i * enough, rows)
            }));
        }
        parallel::each_of(tasks, &|_, (start, first, mut rows)| {
            let mut values = Vec::with_capacity(radix);
            for i in 0..rows[0].len() {
                self.column(&mut values, &source[start..], first + i, direction);
                rows.iter_mut().enumerate().for_each(|(j, row)| row[i] = values[reversed(j, bits)]);
            }
        });
    }

    /// The outputs of column k of the block whose first input is the first of `source`, in reversed order.
    fn column(&self, values: &mut Vec<R>, source: &[R], k: usize, direction: Direction) {
        let inputs = source[k..].iter().step_by(self.stride).take(self.radix).enumerate();
        values.clear();
        values.extend(inputs.map(|(j, x)| self.twiddled(x, j * k, direction)));
        self.dft(values, direction);
    }

    /// x·ω_{pr}^e.
    fn twiddled(&self, x: &R, e: usize, direction: Direction) -> R {
        let (q, m) = (e / self.roots.len(), e % self.roots.len());
        let turned = if q == 0 { *x } else { x.mul_root(direction.root(q, self.p * self.radix / self.roots.len())) };
        if m == 0 { turned } else { turned.mul(&self.roots[m]) }
    }

    /// The DFT by decimation in time, in place: output i is left at place [`reversed`] i.
    fn dft(&self, x: &mut [R], direction: Direction) {
        let n = x.len();
        let mut half = n / 2;
        while half > 0 {
            let bits = (n / (2 * half)).trailing_zeros();
            for (b, block) in x.chunks_exact_mut(2 * half).enumerate() {
                let exponent = half * reversed(b, bits);
                let root = direction.root(exponent, n);
                let (low, high) = block.split_at_mut(half);
                for (a, b) in low.iter_mut().zip(high) {
                    let turned = match root.order() {
                        1 => *b,
                        order if order <= self.shifts => b.mul_root(root),
                        _ => b.mul(&self.inner[exponent]),
                    };
                    (*a, *b) = a.add_sub(&turned);
                }
            }
            half /= 2;
        }
    }
}

/// The lowest bits in reversed order.
fn reversed(i: usize, bits: u32) -> usize {
    if bits == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - bits) }
}
