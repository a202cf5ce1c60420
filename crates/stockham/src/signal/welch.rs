//! Power spectral density by averages.

use crate::device::Device;
use crate::error::{Error, Result};
use crate::transform::Kind;

use super::Sample;
use super::segments::{self, bins};

/// The power spectral density of a signal at a sample rate: the mean over segments of a window's length, so many samples apart,
/// each without its mean, as `scipy.signal.welch` has it (P. Welch, "The use of fast Fourier transform for the estimation of
/// power spectra", 1967). Real samples have the power of both signs of a frequency at the positive one.
///
/// ```
/// use stockham::signal::{Window, rfftfreq, welch};
/// use stockham::Device;
/// // A sine of amplitude 2 has a power of 2.
/// let x: Vec<f64> = (0..10_000).map(|i| 2.0 * (0.1 * f64::from(i)).sin()).collect();
/// let density = welch(&Device::cpu(), &x, &Window::Hann.periodic(512), 256, 1000.0)?;
/// let width = rfftfreq(512, 1000.0)[1];
/// assert!((density.iter().sum::<f64>() * width - 2.0).abs() < 0.01);
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// [`Error::Signal`] for an empty window, for a distance that is 0 or leaves samples out, and for a signal shorter than the window;
/// as [`Device::plan`].
pub fn welch<T: Sample>(device: &Device, x: &[T], window: &[f64], hop: usize, rate: f64) -> Result<Vec<f64>> {
    segments::check(window, hop)?;
    let n = window.len();
    if x.len() < n {
        let expected = format!("one of at least the window's {n} samples");
        return Err(Error::Signal { what: "signal", expected, found: format!("one of {}", x.len()) });
    }
    let count = (x.len() - n) / hop + 1;
    let mut power = vec![0.0; bins::<T>(n)];
    let fill = |i: usize, segment: &mut [T]| {
        segment.copy_from_slice(&x[i * hop..][..n]);
        let mean = segment.iter().fold(T::zeroed(), |sum, x| sum.plus(*x)).times(-1.0 / n as f64);
        segment.iter_mut().for_each(|x| *x = x.plus(mean));
        segments::weigh(segment, window);
    };
    segments::transform(device, (n, count), fill, |_, spectrum| {
        power.iter_mut().zip(spectrum).for_each(|(power, z)| *power += z.power());
    })?;
    let scale = 1.0 / (rate * window.iter().map(|w| w * w).sum::<f64>() * count as f64);
    for (k, power) in power.iter_mut().enumerate() {
        let is_double = T::KIND == Kind::Real && k > 0 && 2 * k != n;
        *power *= if is_double { 2.0 * scale } else { scale };
    }
    Ok(power)
}
