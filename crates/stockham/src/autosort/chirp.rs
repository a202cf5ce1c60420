//! The chirp by which a DFT of any length is a cyclic convolution (L. I. Bluestein, "A linear filtering approach to the computation
//! of the discrete Fourier transform", 1970): with jk = (j² + k² − (k − j)²)/2,
//! X_k = c_k Σ_j x_j c_j · c̄_{k−j} for c_j = ω_{2n}^{j²}.

use crate::algebra::{NumericRing, Scale};

use super::Autosort;

/// j² modulo 2n for so many j, the exponents of the chirp of n points. They are reduced as integers, so that its roots are as exact as
/// all others.
pub(crate) fn squares(n: usize, count: usize) -> impl Iterator<Item = usize> {
    let order = 2 * n;
    let reduced = move |x: usize| if x < order { x } else { x - order };
    // From one square to the next it is 2j + 1.
    let next = move |&(square, step): &(usize, usize)| Some((reduced(square + step), reduced(step + 2)));
    std::iter::successors(Some((0, 1)), next).map(|(square, _)| square).take(count)
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
