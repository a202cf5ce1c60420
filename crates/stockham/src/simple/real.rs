//! Of real numbers, to half spectra and back.

use super::apply;
use crate::algebra::{ComplexElement, Element, Real};
use crate::error::Result;
use crate::transform::{Lengths, Transform};

/// The forward DFT of n real numbers of a host slice, on the [best device](crate::Device::best): the first n/2 + 1 points, of which the
/// others are the conjugates.
///
/// ```
/// use stockham::{Complex, irfft, rfft};
/// let spectrum = rfft(&[1f64, 2.0, 3.0, 4.0])?;
/// assert_eq!(spectrum, [Complex::from(10.0), Complex::new(-2.0, 2.0), Complex::from(-2.0)]);
/// assert_eq!(irfft(&spectrum, 4)?, [1.0, 2.0, 3.0, 4.0]);
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// As [`fft`](super::fft).
pub fn rfft<F: Real>(x: &[F]) -> Result<Vec<F::Complex>> {
    rfftn(x, x.len())
}

/// The inverse of [`rfft`]: `n` real numbers, which the length of half a spectrum does not tell. The imaginary parts of the
/// points 0 and n/2 are ignored, as NumPy does.
///
/// # Errors
/// As [`fftn`](super::fftn).
pub fn irfft<T: ComplexElement>(half: &[T], n: usize) -> Result<Vec<T::Real>> {
    irfftn(half, n)
}

/// The forward DFT of rows and columns of real numbers, as [`rfftn`].
///
/// # Errors
/// As [`fftn`](super::fftn).
pub fn rfft2<F: Real>(x: &[F], [rows, columns]: [usize; 2]) -> Result<Vec<F::Complex>> {
    rfftn(x, [rows, columns])
}

/// The inverse of [`rfft2`], as [`irfftn`].
///
/// # Errors
/// As [`fftn`](super::fftn).
pub fn irfft2<T: ComplexElement>(half: &[T], [rows, columns]: [usize; 2]) -> Result<Vec<T::Real>> {
    irfftn(half, [rows, columns])
}

/// The forward DFT of real numbers of a host array over all its dimensions, on the [best device](crate::Device::best): of the last one,
/// of n points, the first n/2 + 1.
///
/// ```
/// use stockham::{Complex, irfftn, rfftn};
/// let x = [1f64, 2.0, 3.0, 4.0];
/// let spectrum = rfftn(&x, 4)?;
/// assert_eq!(spectrum, [Complex::from(10.0), Complex::new(-2.0, 2.0), Complex::from(-2.0)]);
/// assert_eq!(irfftn(&spectrum, 4)?, x);
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// As [`fftn`](super::fftn).
pub fn rfftn<F: Real>(x: &[F], lengths: impl Into<Lengths>) -> Result<Vec<F::Complex>> {
    apply(Transform::real(F::Complex::ALGEBRA, lengths), x)
}

/// The inverse of [`rfftn`]: the real numbers of an array of these lengths. Imaginary parts of points that are their own mirror
/// images along the last dimension are ignored, as NumPy does.
///
/// # Errors
/// As [`fftn`](super::fftn).
pub fn irfftn<T: ComplexElement>(half: &[T], lengths: impl Into<Lengths>) -> Result<Vec<T::Real>> {
    apply(Transform::real(T::ALGEBRA, lengths).inverse(), half)
}
