//! Cosine and sine transforms, in place.

use super::run;
use crate::algebra::{Element, Real};
use crate::error::Result;
use crate::transform::{Lengths, Transform, TrigType};

/// The discrete cosine transform of a host slice of real numbers in place, on the [best device](crate::Device::best), without a factor.
///
/// ```
/// use stockham::{TrigType, dct, idct};
/// let mut x = [1f64, 2.0, 3.0];
/// dct(&mut x, TrigType::II)?;
/// assert!((x[0] - 12.0).abs() < 1e-14 && x[2].abs() < 1e-14);
/// idct(&mut x, TrigType::II)?;
/// assert!((x[2] - 3.0).abs() < 1e-14);
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// As [`fft`](super::fft).
pub fn dct<F: Real>(x: &mut [F], of: TrigType) -> Result<()> {
    let n = x.len();
    dctn(x, of, n)
}

/// The inverse of [`dct`], with its factor.
///
/// # Errors
/// As [`fft`](super::fft).
pub fn idct<F: Real>(x: &mut [F], of: TrigType) -> Result<()> {
    let n = x.len();
    idctn(x, of, n)
}

/// The discrete sine transform of a host slice likewise.
///
/// # Errors
/// As [`fft`](super::fft).
pub fn dst<F: Real>(x: &mut [F], of: TrigType) -> Result<()> {
    let n = x.len();
    dstn(x, of, n)
}

/// The inverse of [`dst`], with its factor.
///
/// # Errors
/// As [`fft`](super::fft).
pub fn idst<F: Real>(x: &mut [F], of: TrigType) -> Result<()> {
    let n = x.len();
    idstn(x, of, n)
}

/// The discrete cosine transform of a host array of real numbers over all its dimensions in place, on the
/// [best device](crate::Device::best), without a factor.
///
/// ```
/// use stockham::{TrigType, dctn, idctn};
/// let mut x = [1f64, 2.0, 3.0];
/// dctn(&mut x, TrigType::II, 3)?;
/// assert!((x[0] - 12.0).abs() < 1e-14 && x[2].abs() < 1e-14);
/// idctn(&mut x, TrigType::II, 3)?;
/// assert!((x[2] - 3.0).abs() < 1e-14);
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// As [`fftn`](super::fftn).
pub fn dctn<F: Real>(x: &mut [F], of: TrigType, lengths: impl Into<Lengths>) -> Result<()> {
    run(Transform::cosine(F::Complex::ALGEBRA, of, lengths), x)
}

/// The inverse of [`dctn`], with its factor.
///
/// # Errors
/// As [`fftn`](super::fftn).
pub fn idctn<F: Real>(x: &mut [F], of: TrigType, lengths: impl Into<Lengths>) -> Result<()> {
    run(Transform::cosine(F::Complex::ALGEBRA, of, lengths).inverse(), x)
}

/// The discrete sine transform likewise.
///
/// # Errors
/// As [`fftn`](super::fftn).
pub fn dstn<F: Real>(x: &mut [F], of: TrigType, lengths: impl Into<Lengths>) -> Result<()> {
    run(Transform::sine(F::Complex::ALGEBRA, of, lengths), x)
}

/// The inverse of [`dstn`], with its factor.
///
/// # Errors
/// As [`fftn`](super::fftn).
pub fn idstn<F: Real>(x: &mut [F], of: TrigType, lengths: impl Into<Lengths>) -> Result<()> {
    run(Transform::sine(F::Complex::ALGEBRA, of, lengths).inverse(), x)
}
