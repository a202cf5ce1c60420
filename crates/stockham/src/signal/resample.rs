//! Other sample rates by transforms.

use crate::algebra::Real;
use crate::builder::Fft;
use crate::device::Device;
use crate::error::Result;
use crate::host_memory;
use crate::transform::Normalization;

use super::{Sample, check_len, points};

/// Lines of n real samples, each a period, at so many places instead, as `scipy.signal.resample` has them: the same sum of
/// sines, less those that as many samples cannot have.
///
/// ```
/// use stockham::Device;
/// use stockham::signal::resample;
/// let y = resample(&Device::cpu(), &[1f64, 0.0, -1.0, 0.0], 4, 8)?;
/// assert!((y[1] - 0.5f64.sqrt()).abs() < 1e-15);
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// [`Error::Signal`](crate::Error::Signal) if there are no samples, or none are wanted; [`Error::BufferLength`](crate::Error::BufferLength)
/// for what is no whole number of lines; as [`Device::plan`].
pub fn resample<F: Real>(device: &Device, x: &[F], n: usize, wanted: usize) -> Result<Vec<F>>
where
    F::Complex: Sample,
{
    points("line", &[n])?;
    points("line of the output", &[wanted])?;
    let count = x.len() / n;
    check_len("input", count * n, x.len())?;
    if count == 0 {
        return Ok(Vec::new());
    }
    // The factor 1/n makes amplitudes of a spectrum, which have no length.
    let forward = Fft::real::<F>(n).batch(count).normalization(Normalization::Forward).plan(device)?;
    let mut halves = device.alloc::<F::Complex>(forward.transform().output_len())?;
    forward.run(&device.upload(x)?, &mut halves)?;
    let halves = halves.to_vec()?;
    let inverse = Fft::real::<F>(wanted).batch(count).normalization(Normalization::Forward).inverse().plan(device)?;
    let mut others = host_memory::zeroed::<F::Complex>(inverse.transform().input_len())?;
    let (fewer, kept) = (n.min(wanted), n.min(wanted) / 2 + 1);
    for (half, other) in halves.chunks_exact(n / 2 + 1).zip(others.chunks_exact_mut(wanted / 2 + 1)) {
        other[..kept].copy_from_slice(&half[..kept]);
        // The highest frequency of an even number stands for itself and its mirror image.
        if fewer % 2 == 0 && n != wanted {
            let factor = if wanted < n { 2.0 } else { 0.5 };
            other[fewer / 2] = other[fewer / 2].times(factor);
        }
    }
    let mut y = device.alloc::<F>(inverse.transform().output_len())?;
    inverse.run(&device.upload(&others)?, &mut y)?;
    y.to_vec()
}
