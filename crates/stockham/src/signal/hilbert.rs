//! The analytic signal.

use crate::algebra::{ComplexElement, Real};
use crate::builder::Fft;
use crate::device::Device;
use crate::error::Result;
use crate::host_memory;

use super::{Sample, check_len, points};

/// The analytic signals of lines of n real samples: those as real parts, and as imaginary ones their Hilbert transforms, as
/// `scipy.signal.hilbert` has them. Frequencies below 0 are gone from it, and its magnitude is the envelope (S. L. Marple,
/// "Computing the discrete-time analytic signal via FFT", 1999).
///
/// ```
/// use stockham::Device;
/// use stockham::signal::hilbert;
/// let analytic = hilbert(&Device::cpu(), &[0f64, 1.0, 0.0, -1.0], 4)?;
/// assert!((analytic[0] - stockham::Complex64::new(0.0, -1.0)).norm() < 1e-15);
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// [`Error::Signal`](crate::Error::Signal) if n is 0; [`Error::BufferLength`](crate::Error::BufferLength) for what is no whole number of
/// lines; as [`Device::plan`].
pub fn hilbert<F: Real>(device: &Device, x: &[F], n: usize) -> Result<Vec<F::Complex>>
where
    F::Complex: Sample + ComplexElement<Real = F>,
{
    points("line", &[n])?;
    let count = x.len() / n;
    check_len("input", count * n, x.len())?;
    if count == 0 {
        return Ok(Vec::new());
    }
    let forward = Fft::real::<F>(n).batch(count).plan(device)?;
    let mut halves = device.alloc::<F::Complex>(forward.transform().output_len())?;
    forward.run(&device.upload(x)?, &mut halves)?;
    let (halves, bins) = (halves.to_vec()?, n / 2 + 1);
    let mut spectra = host_memory::zeroed::<F::Complex>(x.len())?;
    for (half, spectrum) in halves.chunks_exact(bins).zip(spectra.chunks_exact_mut(n)) {
        for (k, (point, z)) in spectrum.iter_mut().zip(half).enumerate() {
            // What is its own mirror image is there once.
            *point = if k == 0 || 2 * k == n { *z } else { z.times(2.0) };
        }
    }
    let inverse = Fft::complex::<F>(n).batch(count).inverse().in_place().plan(device)?;
    let mut data = device.upload(&spectra)?;
    inverse.run_in_place(&mut data)?;
    data.read(&mut spectra)?;
    Ok(spectra)
}
