//! The transform by its definition, over any ring: the oracle of every test.

use rayon::prelude::*;

use crate::algebra::{Direction, NumericRing};

/// X\[k\] = Σ x\[j\] ω^{jk}, in O(n²) operations and without normalisation.
///
/// Over [`Complex<DoubleDouble>`](crate::algebra::DoubleDouble) it is a reference of about 100 bits.
///
/// ```
/// use stockham::{Direction, algebra::Prime, naive};
/// let x = [1, 2, 3, 4].map(Prime::<17>::new);
/// assert_eq!(naive::dft(&x, Direction::Forward)[0], Prime::new(10));
/// ```
///
/// # Panics
/// If the ring has no root of unity of order `x.len()`.
pub fn dft<R: NumericRing>(x: &[R], direction: Direction) -> Vec<R> {
    let roots = R::roots(direction, x.len());
    (0..x.len()).map(|k| output(x, &roots, k)).collect()
}

/// The single output X\[k\], in O(n) operations and on all cores.
///
/// With j = i·b + l it is Σ_i ω^{ibk} Σ_l x\[ib + l\] ω^{lk}: about √n roots serve all n terms, and sums of √n terms
/// round less than one of n.
///
/// # Panics
/// If the ring has no root of unity of order `x.len()`.
pub fn dft_at<R: NumericRing>(x: &[R], k: usize, direction: Direction) -> R {
    let n = x.len();
    let b = n.isqrt().max(1);
    // In 128 bits, since the exponents of lengths above 2^32 overflow 64.
    let root = |j: usize| R::root(direction.root((j as u128 * k as u128 % n as u128) as usize, n));
    let inner: Vec<R> = (0..b.min(n)).map(root).collect();
    let part = |(i, run): (usize, &[R])| {
        let sum = run.iter().zip(&inner).fold(R::zero(), |sum, (v, w)| sum.add(&v.mul(w)));
        sum.mul(&root(i * b))
    };
    let parts: Vec<R> = x.par_chunks(b).enumerate().with_min_len(64).map(part).collect();
    parts.iter().fold(R::zero(), |sum, part| sum.add(part))
}

fn output<R: NumericRing>(x: &[R], roots: &[R], k: usize) -> R {
    let mut exponent = 0;
    x.iter().fold(R::zero(), |sum, v| {
        let term = v.mul(&roots[exponent]);
        exponent = (exponent + k) % roots.len();
        sum.add(&term)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Prime;

    #[test]
    fn one_output_is_that_of_all() {
        for n in [1u64, 2, 3, 5, 8, 15, 96, 480, 3360] {
            let x: Vec<_> = (0..n).map(|i| Prime::<3361>::new(i * i + 5 * i + 2)).collect();
            for direction in [Direction::Forward, Direction::Inverse] {
                let all = dft(&x, direction);
                for k in [0, 1, n as usize / 2, n as usize - 1] {
                    assert_eq!(dft_at(&x, k, direction), all[k % x.len()], "n = {n}, k = {k}");
                }
            }
        }
    }
}
