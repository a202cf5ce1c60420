//! Of elements, in place.

use super::run;
use crate::algebra::Element;
use crate::error::Result;
use crate::transform::{Lengths, Transform};

/// The forward DFT of a host slice in place, on the [best device](crate::Device::best): X\[k\] = Σ x\[j\] ω^{jk} without a factor. Over ℂ
/// ω = e^{−2πi/n}; over the Goldilocks field ω = 7^{(p − 1)/n}.
///
/// ```
/// use stockham::{Complex32, fft};
/// let mut x = [1.0, 2.0, 3.0, 4.0].map(Complex32::from);
/// fft(&mut x)?;
/// assert_eq!(x[1], Complex32::new(-2.0, 2.0));
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// As [`Device::plan`](crate::Device::plan) and [`Executable::run_in_place`](crate::Executable::run_in_place).
pub fn fft<T: Element>(x: &mut [T]) -> Result<()> {
    run(Transform::new(T::ALGEBRA, x.len()), x)
}

/// The inverse DFT of a host slice in place, on the [best device](crate::Device::best): x\[j\] = 1/n Σ X\[k\] ω^{−jk}.
///
/// # Errors
/// As [`fft`].
pub fn ifft<T: Element>(x: &mut [T]) -> Result<()> {
    run(Transform::new(T::ALGEBRA, x.len()).inverse(), x)
}

/// The forward DFT of rows and columns of a host array in place, as [`fftn`].
///
/// ```
/// use stockham::{Complex32, fft2, ifft2};
/// let mut x = [1.0, 2.0, 3.0, 5.0].map(Complex32::from);
/// fft2(&mut x, [2, 2])?;
/// assert_eq!(x, [11.0, -3.0, -5.0, 1.0].map(Complex32::from));
/// ifft2(&mut x, [2, 2])?;
/// assert_eq!(x[3], 5.0.into());
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// As [`fftn`].
pub fn fft2<T: Element>(x: &mut [T], [rows, columns]: [usize; 2]) -> Result<()> {
    fftn(x, [rows, columns])
}

/// The inverse of [`fft2`], as [`ifftn`].
///
/// # Errors
/// As [`fftn`].
pub fn ifft2<T: Element>(x: &mut [T], [rows, columns]: [usize; 2]) -> Result<()> {
    ifftn(x, [rows, columns])
}

/// The forward DFT of a host array over all its dimensions in place, on the [best device](crate::Device::best). Its last dimension's
/// elements are neighbours.
///
/// ```
/// use stockham::{Complex64, fftn, ifftn};
/// // Two rows of three columns.
/// let mut x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0].map(Complex64::from);
/// fftn(&mut x, [2, 3])?;
/// assert_eq!((x[0], x[3]), (21.0.into(), Complex64::from(-9.0)));
/// ifftn(&mut x, [2, 3])?;
/// assert!((x[5] - 6.0).norm() < 1e-15);
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// As [`fft`]; [`Error::BufferLength`](crate::Error::BufferLength) if the slice has not as many elements.
pub fn fftn<T: Element>(x: &mut [T], lengths: impl Into<Lengths>) -> Result<()> {
    run(Transform::new(T::ALGEBRA, lengths), x)
}

/// The inverse DFT of a host array over all its dimensions in place, scaled by the inverse of the number of its elements.
///
/// # Errors
/// As [`fftn`].
pub fn ifftn<T: Element>(x: &mut [T], lengths: impl Into<Lengths>) -> Result<()> {
    run(Transform::new(T::ALGEBRA, lengths).inverse(), x)
}
