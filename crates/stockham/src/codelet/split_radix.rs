//! Powers of two by the split-radix decomposition: an n-point DFT is one of n/2 points over the even inputs and two of
//! n/4 points over the inputs 1 and 3 modulo 4. It needs the fewest operations of the classical algorithms:
//! 4n·log2 n − 6n + 8 real ones (P. Duhamel and H. Hollmann, "Split radix FFT algorithm", 1984), or an eighth less for 32
//! points where a product and a sum are one ([`Ring::combine`]).
//!
//! Everything is inlined, so that on the host the roots become constants: a shift by a known count, a known factor.

use crate::algebra::{Direction, Ring, unrolled};

/// The DFT of 2 points (the same in both directions).
#[inline(always)]
pub fn dft2<R: Ring>([a, b]: [R; 2]) -> [R; 2] {
    [a.add(&b), a.sub(&b)]
}

/// The DFT of 4 points.
#[inline(always)]
pub fn dft4<R: Ring>([a, b, c, d]: [R; 4], direction: Direction) -> [R; 4] {
    R::combine(dft2([a, c]), [b], [d], direction)
}

/// The DFT of 8 points.
#[inline(always)]
pub fn dft8<R: Ring>(x: [R; 8], direction: Direction) -> [R; 8] {
    let u = dft4(every(&x, 2, 0), direction);
    R::combine(u, dft2(every(&x, 4, 1)), dft2(every(&x, 4, 3)), direction)
}

/// The DFT of 16 points.
#[inline(always)]
pub fn dft16<R: Ring>(x: [R; 16], direction: Direction) -> [R; 16] {
    let u = dft8(every(&x, 2, 0), direction);
    R::combine(u, dft4(every(&x, 4, 1), direction), dft4(every(&x, 4, 3), direction), direction)
}

/// The DFT of 32 points.
#[inline(always)]
pub fn dft32<R: Ring>(x: [R; 32], direction: Direction) -> [R; 32] {
    let u = dft16(every(&x, 2, 0), direction);
    R::combine(u, dft8(every(&x, 4, 1), direction), dft8(every(&x, 4, 3), direction), direction)
}

/// The inputs `offset`, `offset + step`, …
#[inline(always)]
fn every<R: Ring, const N: usize>(x: &[R], step: usize, offset: usize) -> [R; N] {
    unrolled!(N, j => x[step * j + offset].clone())
}
