//! How exact a transform is.

use super::{Kind, Transform, TrigType};

/// L2 errors at most, in u·√log2 n: of lengths whose prime factors are at most 13, of those with larger ones that have codelets, and
/// of all others, which are convolutions.
const SMOOTH: f64 = 0.85;
const ODD: f64 = 1.0;
const CONVOLUTION: f64 = 1.2;

impl Transform {
    /// The relative error that a transform has at most, ‖found − exact‖ / ‖exact‖ in the L2 norm over a line of random numbers: a
    /// contract that tests hold GPUs to, not a proof, and not one for single points; on the CPU some `f32` lines, which are rustfft's, have
    /// more. It is c·u·√log2 n, for n points of all
    /// dimensions and the unit roundoff u, with c = 0.85 where the prime factors of all lengths are at most 13 and 1.2 where some are
    /// larger than 31. Fields have none: 0.
    ///
    /// ```
    /// use stockham::{Algebra, Transform};
    /// let [smooth, prime] = [1 << 16, 65_537].map(|n| Transform::new(Algebra::ComplexF32, n).error_bound());
    /// assert!(smooth < prime && prime < 3e-7);
    /// ```
    pub fn error_bound(&self) -> f64 {
        let Some(u) = self.algebra.unit_roundoff() else { return 0.0 };
        let lengths = || self.dims.iter().map(|dim| self.inner_of(dim.n));
        let largest = lengths().map(largest_factor).max().unwrap_or(1);
        let units = match largest {
            // Mirrored lines have errors of both halves.
            0..=13 if !matches!(self.kind, Kind::Cosine(TrigType::I) | Kind::Sine(TrigType::I)) => SMOOTH,
            0..=31 => ODD,
            _ => CONVOLUTION,
        };
        let bits: f64 = lengths().map(|n| (n.max(1) as f64).log2()).sum();
        units * u * bits.max(1.0).sqrt()
    }
}

/// The largest prime factor.
pub(crate) fn largest_factor(mut n: usize) -> usize {
    let (mut largest, mut p) = (1, 2);
    while p * p <= n {
        while n.is_multiple_of(p) {
            (n, largest) = (n / p, p);
        }
        p += 1;
    }
    largest.max(n)
}
