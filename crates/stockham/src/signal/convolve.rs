//! Convolutions of two arrays, in one call.

use crate::device::Device;
use crate::error::Result;
use crate::transform::Lengths;

use super::{Convolver, Mode, Sample, check_len, points};

/// The convolution of two arrays, as `scipy.signal.fftconvolve` has it: y\[i\] = Σ a\[i − j\]·b\[j\]. The first one's shape comes out
/// with [`Mode::Same`].
///
/// ```
/// use stockham::signal::{Mode, convolve};
/// use stockham::Device;
/// let y = convolve(&Device::cpu(), (&[1f64, 2.0, 3.0], 3), (&[0.0, 1.0, 0.5], 3), Mode::Full)?;
/// assert!(y.iter().zip([0.0, 1.0, 2.5, 4.0, 1.5]).all(|(y, expected)| (y - expected).abs() < 1e-14));
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// As [`Convolver::plan`] and [`Convolver::apply`].
pub fn convolve<T: Sample>(
    device: &Device,
    (a, shape): (&[T], impl Into<Lengths>),
    (b, kernel_shape): (&[T], impl Into<Lengths>),
    mode: Mode,
) -> Result<Vec<T>> {
    let [shape, kernel_shape] = checked((a, shape.into()), (b, kernel_shape.into()))?;
    Convolver::plan(device, shape, b, kernel_shape, mode)?.apply(a)
}

/// The cross-correlation of two arrays, as `scipy.signal.correlate` has it: with [`Mode::Full`] y\[i\] = Σ a\[i + j − (k − 1)\]·b̄\[j\],
/// so that the lag 0 stands at k − 1.
///
/// ```
/// use stockham::signal::{Mode, correlate};
/// use stockham::Device;
/// let y = correlate(&Device::cpu(), (&[1f64, 2.0, 3.0], 3), (&[0.0, 1.0, 0.5], 3), Mode::Full)?;
/// assert!(y.iter().zip([0.5, 2.0, 3.5, 3.0, 0.0]).all(|(y, expected)| (y - expected).abs() < 1e-14));
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// As [`convolve`].
pub fn correlate<T: Sample>(
    device: &Device,
    (a, shape): (&[T], impl Into<Lengths>),
    (b, kernel_shape): (&[T], impl Into<Lengths>),
    mode: Mode,
) -> Result<Vec<T>> {
    let [shape, kernel_shape] = checked((a, shape.into()), (b, kernel_shape.into()))?;
    Convolver::plan_correlation(device, shape, b, kernel_shape, mode)?.apply(a)
}

/// The shapes of two arrays that fill them.
fn checked<T>(a: (&[T], Lengths), b: (&[T], Lengths)) -> Result<[Vec<usize>; 2]> {
    let shapes = [Vec::from(a.1), Vec::from(b.1)];
    check_len("first array", points("shape of the input", &shapes[0])?, a.0.len())?;
    check_len("second array", points("shape of the kernel", &shapes[1])?, b.0.len())?;
    Ok(shapes)
}
