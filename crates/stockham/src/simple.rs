//! One-line calls on host slices.

use crate::algebra::Element;
use crate::device::Device;
use crate::error::Result;
use crate::transform::Transform;

/// The forward DFT of a host slice in place, on the [best device](Device::best).
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

/// The inverse DFT of a host slice in place, scaled by 1/n, on the [best device](Device::best).
///
/// # Errors
/// As [`fft`].
pub fn ifft<T: Element>(x: &mut [T]) -> Result<()> {
    run(Transform::new(T::ALGEBRA, x.len()).inverse(), x)
}

fn run<T: Element>(transform: Transform, x: &mut [T]) -> Result<()> {
    let device = Device::best()?;
    let executable = device.plan(&transform.in_place())?;
    let mut buffer = device.upload(x)?;
    executable.run_in_place(&mut buffer)?;
    buffer.read(x)
}
