//! The autosort transform over a ring where the roots of some order K take no product: over ℤ/(r^k + 1) they are powers
//! of r for K = 2k, and rotate the digits.
//!
//! Stages have radix K, the last one what is left. A DFT of K points is then additions and rotations only, and of the
//! twiddle factors ω_n^e = ω_K^q·ω_n^m, with e = q·n/K + m, only those with m > 0 take a product: (e − 1)·n of them at
//! most for n = K^e, and a table of n/K roots. (M. Fürer, "Faster integer multiplication", 2009; S. Covanov and
//! E. Thomé, "Fast integer multiplication using generalized Fermat primes", 2019.)

use rayon::prelude::*;

use crate::algebra::{Direction, Numbers};

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
    /// ω_{pr}^m for m < pr/K.
    roots: Vec<R>,
}

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
            let radix = (n / p).min(most.max(2));
            let count = (p * radix / most).max(1);
            stages.push(Stage { radix, p, roots: context.roots_of_unity(direction, p * radix, count) });
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
    /// Block b of p·r outputs comes from the elements b·p + k + j·n/r. Each block is cut into runs of columns k, and
    /// the runs are shared out.
    fn run(&self, source: &[R], target: &mut [R], direction: Direction) {
        let (p, radix) = (self.p, self.radix);
        let enough = (GRAIN / size_of::<R>() / radix).max(1);
        let width = p.min(enough);
        let mut tasks = Vec::with_capacity(target.len() / (width * radix));
        for (b, block) in target.chunks_mut(p * radix).enumerate() {
            let mut rows: Vec<_> = block.chunks_mut(p).map(|row| row.chunks_mut(width)).collect();
            tasks.extend((0..p.div_ceil(width)).map(|i| {
                let rows: Vec<&mut [R]> = rows.iter_mut().filter_map(Iterator::next).collect();
                (b * p, i * width, rows)
            }));
        }
        let column = |values: &mut Vec<R>, (start, first, mut rows): (usize, usize, Vec<&mut [R]>)| {
            for i in 0..rows[0].len() {
                let k = first + i;
                let inputs = source[start + k..].iter().step_by(source.len() / radix).take(radix).enumerate();
                values.clear();
                values.extend(inputs.map(|(j, x)| self.twiddled(x, j * k, direction)));
                shift_dft(values, direction);
                let bits = radix.trailing_zeros();
                rows.iter_mut().enumerate().for_each(|(j, row)| row[i] = values[reversed(j, bits)]);
            }
        };
        let runs = tasks.into_par_iter().with_min_len(enough / width);
        runs.for_each_init(|| Vec::with_capacity(radix), column);
    }

    /// x·ω_{pr}^e.
    fn twiddled(&self, x: &R, e: usize, direction: Direction) -> R {
        let (q, m) = (e / self.roots.len(), e % self.roots.len());
        let turned = if q == 0 { *x } else { x.mul_root(direction.root(q, self.p * self.radix / self.roots.len())) };
        if m == 0 { turned } else { turned.mul(&self.roots[m]) }
    }
}

/// The DFT by decimation in time, in place: output i is left at place [`reversed`] i.
fn shift_dft<R: Numbers>(x: &mut [R], direction: Direction) {
    let n = x.len();
    let mut half = n / 2;
    while half > 0 {
        let bits = (n / (2 * half)).trailing_zeros();
        for (b, block) in x.chunks_exact_mut(2 * half).enumerate() {
            let root = direction.root(half * reversed(b, bits), n);
            let (low, high) = block.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = a.add_sub(&if root.order() == 1 { *b } else { b.mul_root(root) });
            }
        }
        half /= 2;
    }
}

/// The lowest bits in reversed order.
fn reversed(i: usize, bits: u32) -> usize {
    if bits == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - bits) }
}
