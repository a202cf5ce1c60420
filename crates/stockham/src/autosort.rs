//! Stockham's autosort FFT on the host, over any ring: O(n log n), natural order in and out, on all cores.
//!
//! It is the CPU path of the algebras that no library covers, and, over
//! [`Complex<DoubleDouble>`](crate::algebra::DoubleDouble), the reference that `f64` transforms are measured against.

use rayon::prelude::*;

use crate::algebra::{Direction, NumericRing};
use crate::codelet;

/// A transform of `n` points over the ring `R`, with its roots of unity.
#[derive(Debug, Clone)]
pub struct Autosort<R> {
    stages: Vec<usize>,
    direction: Direction,
    /// ω_n^k for k < n, in this direction.
    roots: Vec<R>,
}

/// Butterflies that one task takes at least: less is not worth handing to another core.
const GRAIN: usize = 1 << 12;

impl<R: NumericRing> Autosort<R> {
    /// Computes the roots. Nothing if `n` is zero or has a prime factor that no codelet covers.
    ///
    /// # Panics
    /// If the ring has no root of unity of order `n`.
    pub fn new(n: usize, direction: Direction) -> Option<Self> {
        let stages = factor(n)?;
        Some(Self { stages, direction, roots: all_roots(n, direction) })
    }

    /// The transform of `x` in place, without normalisation; `scratch` has the same length.
    ///
    /// # Panics
    /// If a length is not n.
    pub fn process(&self, x: &mut [R], scratch: &mut [R]) {
        let n = self.roots.len();
        assert_eq!((x.len(), scratch.len()), (n, n), "the transform has {n} points");
        let (mut source, mut target) = (x, scratch);
        let mut p = 1;
        for &r in &self.stages {
            self.stage(source, target, p, r);
            p *= r;
            std::mem::swap(&mut source, &mut target);
        }
        if self.stages.len() % 2 == 1 {
            target.copy_from_slice(source);
        }
    }

    /// One radix-r stage: DFTs of length p become DFTs of length p·r. The n/(p·r) output blocks are independent.
    fn stage(&self, source: &[R], target: &mut [R], p: usize, r: usize) {
        let n = source.len();
        let stride = n / r;
        let block = |(b, out): (usize, &mut [R])| {
            let mut v = [R::zero(); 32];
            let v = &mut v[..r];
            for k in 0..p {
                for (j, x) in v.iter_mut().enumerate() {
                    *x = source[b * p + k + j * stride].mul_twiddle(&self.roots, j * k * (n / (p * r)));
                }
                codelet::dft(v, self.direction);
                for (j, x) in v.iter().enumerate() {
                    out[j * p + k] = *x;
                }
            }
        };
        let at_least = (GRAIN / (p * r)).max(1);
        target.par_chunks_mut(p * r).enumerate().with_min_len(at_least).for_each(block);
    }
}

trait Twiddled: NumericRing {
    fn mul_twiddle(&self, roots: &[Self], exponent: usize) -> Self {
        if exponent == 0 { *self } else { self.mul(&roots[exponent]) }
    }
}
impl<R: NumericRing> Twiddled for R {}

/// The stages, largest radices first.
fn factor(n: usize) -> Option<Vec<usize>> {
    let mut rest = n;
    let mut stages = Vec::new();
    for r in [16, 8, 4, 2, 3, 5, 7] {
        while rest > 0 && rest.is_multiple_of(r) {
            stages.push(r);
            rest /= r;
        }
    }
    (rest == 1).then_some(stages)
}

/// All n-th roots of unity: each is the product of one of about √n coarse and one of about √n fine roots over a field,
/// and computed for itself where products would round.
fn all_roots<R: NumericRing>(n: usize, direction: Direction) -> Vec<R> {
    (0..n).into_par_iter().map(|k| R::root(direction.root(k, n))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::{Goldilocks, Prime};
    use crate::naive;

    #[test]
    fn agrees_with_the_definition_over_exact_rings() {
        for n in [1usize, 2, 3, 4, 6, 8, 15, 16, 32, 48, 60, 64, 105, 120, 480, 512] {
            for direction in [Direction::Forward, Direction::Inverse] {
                if 3360 % n == 0 {
                    check::<Prime<3361>>(n, direction, Prime::new);
                }
                if n % 7 != 0 {
                    check(n, direction, Goldilocks::reduce);
                }
            }
        }
        assert!(Autosort::<Goldilocks>::new(0, Direction::Forward).is_none());
        assert!(Autosort::<Goldilocks>::new(17, Direction::Forward).is_none());
    }

    fn check<R: NumericRing + PartialEq + std::fmt::Debug>(n: usize, direction: Direction, element: impl Fn(u64) -> R) {
        let x: Vec<R> = (0..n as u64).map(|i| element(i * i * 0x9e37_79b9 + 12345 * i + 7)).collect();
        let (mut y, mut scratch) = (x.clone(), x.clone());
        Autosort::new(n, direction).expect("a covered length").process(&mut y, &mut scratch);
        assert_eq!(y, naive::dft(&x, direction), "n = {n}");
    }
}
