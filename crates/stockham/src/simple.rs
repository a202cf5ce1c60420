//! One-line calls on host slices. What they planned last is kept.

use std::sync::{Mutex, PoisonError};

use crate::algebra::{Algebra, BigPrime, ComplexElement, Data, Digit, Direction, Element, Layout, Real};
use crate::device::{Device, Executable};
use crate::error::{Error, Result};
use crate::transform::{Lengths, Transform, TrigType};

/// The forward DFT of a host slice in place, on the [best device](Device::best): X\[k\] = Σ x\[j\] ω^{jk} without a factor. Over ℂ
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
/// As [`Device::plan`] and [`Executable::run_in_place`](crate::Executable::run_in_place).
pub fn fft<T: Element>(x: &mut [T]) -> Result<()> {
    run(Transform::new(T::ALGEBRA, x.len()), x)
}

/// The inverse DFT of a host slice in place, on the [best device](Device::best): x\[j\] = 1/n Σ X\[k\] ω^{−jk}.
///
/// # Errors
/// As [`fft`].
pub fn ifft<T: Element>(x: &mut [T]) -> Result<()> {
    run(Transform::new(T::ALGEBRA, x.len()).inverse(), x)
}

/// The forward DFT of a host array over all its dimensions in place, on the [best device](Device::best). Its last dimension's
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
/// As [`fft`]; [`Error::BufferLength`] if the slice has not as many elements.
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

/// The forward DFT of real numbers of a host array over all its dimensions, on the [best device](Device::best): of the last one,
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
/// As [`fftn`].
pub fn rfftn<F: Real>(x: &[F], lengths: impl Into<Lengths>) -> Result<Vec<F::Complex>> {
    apply(Transform::real(F::Complex::ALGEBRA, lengths), x)
}

/// The inverse of [`rfftn`]: the real numbers of an array of these lengths. Imaginary parts of points that are their own mirror
/// images along the last dimension are ignored, as NumPy does.
///
/// # Errors
/// As [`fftn`].
pub fn irfftn<T: ComplexElement>(half: &[T], lengths: impl Into<Lengths>) -> Result<Vec<T::Real>> {
    apply(Transform::real(T::ALGEBRA, lengths).inverse(), half)
}

/// The discrete cosine transform of a host array of real numbers over all its dimensions in place, on the
/// [best device](Device::best), without a factor.
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
/// As [`fftn`].
pub fn dctn<F: Real>(x: &mut [F], of: TrigType, lengths: impl Into<Lengths>) -> Result<()> {
    run(Transform::cosine(F::Complex::ALGEBRA, of, lengths), x)
}

/// The inverse of [`dctn`], with its factor.
///
/// # Errors
/// As [`fftn`].
pub fn idctn<F: Real>(x: &mut [F], of: TrigType, lengths: impl Into<Lengths>) -> Result<()> {
    run(Transform::cosine(F::Complex::ALGEBRA, of, lengths).inverse(), x)
}

/// The discrete sine transform likewise.
///
/// # Errors
/// As [`fftn`].
pub fn dstn<F: Real>(x: &mut [F], of: TrigType, lengths: impl Into<Lengths>) -> Result<()> {
    run(Transform::sine(F::Complex::ALGEBRA, of, lengths), x)
}

/// The inverse of [`dstn`], with its factor.
///
/// # Errors
/// As [`fftn`].
pub fn idstn<F: Real>(x: &mut [F], of: TrigType, lengths: impl Into<Lengths>) -> Result<()> {
    run(Transform::sine(F::Complex::ALGEBRA, of, lengths).inverse(), x)
}

fn run<T: Data>(transform: Transform, x: &mut [T]) -> Result<()> {
    let executable = planned(&Device::best()?, transform.in_place())?;
    let mut buffer = executable.device().upload(x)?;
    executable.run_in_place(&mut buffer)?;
    buffer.read(x)
}

/// The same out of place.
fn apply<I: Data, O: Data>(transform: Transform, x: &[I]) -> Result<Vec<O>> {
    transform.validate()?;
    // Before anything is allocated for lengths that nobody has.
    if x.len() != transform.input_len() {
        let (expected, found) = (transform.input_len(), x.len());
        return Err(Error::BufferLength { buffer: "input", expected, found });
    }
    let executable = planned(&Device::best()?, transform)?;
    let (device, transform) = (executable.device(), executable.transform());
    let mut output = device.alloc(transform.output_len())?;
    executable.run(&device.upload(x)?, &mut output)?;
    output.to_vec()
}

/// The executable for a transform, which may have been planned before.
fn planned(device: &Device, transform: Transform) -> Result<Executable> {
    const KEPT: usize = 16;
    static PLANNED: Mutex<Vec<Executable>> = Mutex::new(Vec::new());
    let known = |executable: &Executable| executable.device().is_same(device) && *executable.transform() == transform;
    let kept = || PLANNED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(executable) = kept().iter().find(|executable| known(executable)) {
        return Ok(executable.clone());
    }
    let executable = device.plan(&transform)?;
    let mut kept = kept();
    // The latest first.
    kept.insert(0, executable.clone());
    kept.truncate(KEPT);
    Ok(executable)
}

/// The forward transform over a big prime of a host slice in place, on the [best device](Device::best). An element is
/// [`digits`](BigPrime::digits) values, the lowest digit first.
///
/// ```
/// use stockham::{BigPrime, intt, ntt};
/// // Four elements of eight 32-bit digits: 0, 1, 2, 3.
/// let mut x = [0u32; 4 * 8];
/// (0..4).for_each(|i| x[8 * i] = i as u32);
/// ntt(BigPrime::G8, &mut x)?;
/// assert_eq!(x[..8], [6, 0, 0, 0, 0, 0, 0, 0]);
/// intt(BigPrime::G8, &mut x)?;
/// assert_eq!(x[24..], [3, 0, 0, 0, 0, 0, 0, 0]);
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// [`Error::Digit`](crate::Error::Digit) if a digit is not below the radix (the element −1 = (0, …, 0, r) excepted);
/// [`Error::BufferLength`](crate::Error::BufferLength) if the slice does not hold whole elements,
/// [`Error::ElementType`](crate::Error::ElementType) if the digits are of another size; otherwise as [`fft`].
pub fn ntt<D: Digit>(prime: BigPrime, digits: &mut [D]) -> Result<()> {
    run_digits(prime, digits, Direction::Forward)
}

/// The inverse transform over a big prime of a host slice in place, scaled by 1/n, on the [best device](Device::best).
///
/// # Errors
/// As [`ntt`].
pub fn intt<D: Digit>(prime: BigPrime, digits: &mut [D]) -> Result<()> {
    run_digits(prime, digits, Direction::Inverse)
}

fn run_digits<D: Digit>(prime: BigPrime, digits: &mut [D], direction: Direction) -> Result<()> {
    prime.field().check(digits, Layout::Plain)?;
    run(Transform::new(Algebra::BigPrime(prime), digits.len() / prime.digits()).direction(direction), digits)
}
