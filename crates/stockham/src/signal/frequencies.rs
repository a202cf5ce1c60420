//! Which frequency each point of a spectrum has, and spectra with the frequency 0 in the middle, as `numpy.fft` has them.

use crate::error::Result;
use crate::transform::Lengths;

use super::{check_len, points};

/// The frequencies of the DFT of n samples at a sample rate: 0 and those above, then those below 0, ascending.
///
/// ```
/// use stockham::signal::fftfreq;
/// assert_eq!(fftfreq(4, 8.0), [0.0, 2.0, -4.0, -2.0]);
/// assert_eq!(fftfreq(5, 5.0), [0.0, 1.0, 2.0, -2.0, -1.0]);
/// ```
pub fn fftfreq(n: usize, rate: f64) -> Vec<f64> {
    let positive = n.div_ceil(2);
    (0..n).map(|k| if k < positive { k as f64 } else { -((n - k) as f64) } * rate / n as f64).collect()
}

/// The frequencies of the half spectrum of n real samples.
///
/// ```
/// use stockham::signal::rfftfreq;
/// assert_eq!(rfftfreq(4, 8.0), [0.0, 2.0, 4.0]);
/// ```
pub fn rfftfreq(n: usize, rate: f64) -> Vec<f64> {
    let bins = if n == 0 { 0 } else { n / 2 + 1 };
    (0..bins).map(|k| k as f64 * rate / n as f64).collect()
}

/// Puts the point 0 of each dimension into its middle, at n/2.
///
/// ```
/// use stockham::signal::{fftfreq, fftshift, ifftshift};
/// let mut frequencies = fftfreq(5, 5.0);
/// fftshift(&mut frequencies, 5)?;
/// assert_eq!(frequencies, [-2.0, -1.0, 0.0, 1.0, 2.0]);
/// ifftshift(&mut frequencies, 5)?;
/// assert_eq!(frequencies, fftfreq(5, 5.0));
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// [`Error::Signal`](crate::Error::Signal) for an empty shape; [`Error::BufferLength`](crate::Error::BufferLength) if the array does
/// not fill it.
pub fn fftshift<T>(x: &mut [T], shape: impl Into<Lengths>) -> Result<()> {
    rotate(x, &Vec::from(shape.into()), |n| n / 2)
}

/// Puts it back.
///
/// # Errors
/// As [`fftshift`].
pub fn ifftshift<T>(x: &mut [T], shape: impl Into<Lengths>) -> Result<()> {
    rotate(x, &Vec::from(shape.into()), |n| n.div_ceil(2))
}

/// Moves all points of each dimension by so many to the right.
fn rotate<T>(x: &mut [T], shape: &[usize], by: impl Fn(usize) -> usize) -> Result<()> {
    check_len("array", points("shape of the array", shape)?, x.len())?;
    let mut inner = x.len();
    for &n in shape {
        // Blocks of what is inside of a dimension go around together.
        x.chunks_exact_mut(inner).for_each(|block| block.rotate_right(by(n) * (inner / n)));
        inner /= n;
    }
    Ok(())
}
