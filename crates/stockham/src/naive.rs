//! The transform by its definition, over any ring: the oracle of every test.

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
    let roots: Vec<R> = (0..x.len()).map(|k| R::root(direction.root(k, x.len()))).collect();
    (0..x.len()).map(|k| output(x, &roots, k)).collect()
}

/// The single output X\[k\], in O(n) operations.
pub fn dft_at<R: NumericRing>(x: &[R], k: usize, direction: Direction) -> R {
    let roots: Vec<R> = (0..x.len()).map(|j| R::root(direction.root(j * (k % x.len()), x.len()))).collect();
    x.iter().zip(&roots).fold(R::zero(), |sum, (v, w)| sum.add(&v.mul(w)))
}

fn output<R: NumericRing>(x: &[R], roots: &[R], k: usize) -> R {
    let mut exponent = 0;
    x.iter().fold(R::zero(), |sum, v| {
        let term = v.mul(&roots[exponent]);
        exponent = (exponent + k) % roots.len();
        sum.add(&term)
    })
}
