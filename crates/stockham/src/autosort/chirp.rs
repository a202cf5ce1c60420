//! The chirp by which a DFT of any length is a cyclic convolution (L. I. Bluestein, "A linear filtering approach to the computation
//! of the discrete Fourier transform", 1970): with jk = (j² + k² − (k − j)²)/2,
//! X_k = c_k Σ_j x_j c_j · c̄_{k−j} for c_j = ω_{2n}^{j²}.

use crate::algebra::{NumericRing, Scale};

use super::Autosort;

/// j² modulo 2n for each of n points, the exponents of the chirp. They are reduced as integers, so that its roots are as exact as
/// all others.
pub(crate) fn squares(n: usize) -> impl Iterator<Item = usize> {
    let order = 2 * n as u128;
    (0..n as u128).map(move |j| (j * j % order) as usize)
}

/// What the transform of a line times the chirp is multiplied by, given the conjugate chirp: the DFT, divided by its length M, of
/// c̄_j at j and at M − j. M is at least twice the number of points, less one.
pub(crate) fn filter<R: NumericRing>(autosort: &Autosort<R>, conjugates: impl Iterator<Item = R>) -> Vec<R> {
    let m = autosort.len();
    let mut x = vec![R::zero(); m];
    for (j, conjugate) in conjugates.enumerate() {
        let conjugate = conjugate.scaled(Scale::Inverse(m));
        (x[j], x[(m - j) % m]) = (conjugate, conjugate);
    }
    autosort.process(&mut x, &mut vec![R::zero(); m]);
    x
}
