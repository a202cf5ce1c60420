//! The short-time Fourier transform, and back.

use crate::device::Device;
use crate::error::{Error, Result};
use crate::host_memory;

use super::segments::{self, bins};
use super::{Sample, check_len};

/// What overlapping windows have to leave of a sample, so that it can be told.
const LEAST: f64 = 1e-10;

/// Short-time Fourier transforms, as `scipy.signal.stft` and `istft` have them: of segments of a window's length, from one half
/// of it before the first sample on, so many samples apart, as long as there are any; scaled so that a sine of amplitude a
/// has a level of a/2 in the middle of its peak.
///
/// ```
/// use stockham::signal::{Stft, Window};
/// use stockham::Device;
/// let stft = Stft::new(Window::Hann.periodic(64), 16)?;
/// let x: Vec<f64> = (0..1000).map(|i| (0.3 * f64::from(i)).sin()).collect();
/// let spectra = stft.forward(&Device::cpu(), &x)?;
/// assert_eq!(spectra.len(), stft.segments(1000) * 33);
/// let back = stft.inverse::<f64>(&Device::cpu(), &spectra, 1000)?;
/// assert!(back.iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-14));
/// # Ok::<(), stockham::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Stft {
    window: Vec<f64>,
    hop: usize,
}

impl Stft {
    /// Segments of that window, so many samples apart.
    ///
    /// # Errors
    /// [`Error::Signal`] for an empty window, and for a distance that is 0 or leaves samples out.
    pub fn new(window: Vec<f64>, hop: usize) -> Result<Self> {
        segments::check(&window, hop)?;
        Ok(Self { window, hop })
    }

    /// The number of segments of a signal of so many samples.
    pub fn segments(&self, samples: usize) -> usize {
        // Half a window of zeros at both ends, and some more so that the last segment is whole.
        let beyond = (samples + self.window.len() / 2 * 2).saturating_sub(self.window.len());
        if samples == 0 { 0 } else { beyond.div_ceil(self.hop) + 1 }
    }

    /// The spectra of all segments, one after the other: n/2 + 1 points each of real samples, n of complex ones. The middle
    /// of the first window stands at the first sample.
    ///
    /// # Errors
    /// As [`Device::plan`]; [`Error::OutOfMemory`].
    pub fn forward<T: Sample>(&self, device: &Device, x: &[T]) -> Result<Vec<T::Complex>> {
        let (n, count, sum) = (self.window.len(), self.segments(x.len()), self.window.iter().sum::<f64>());
        let scaled: Vec<f64> = self.window.iter().map(|w| w / sum).collect();
        let mut spectra = host_memory::zeroed(count.saturating_mul(bins::<T>(n)))?;
        let fill = |i: usize, segment: &mut [T]| {
            segments::cut(x, self.start(i), segment);
            segments::weigh(segment, &scaled);
        };
        segments::transform(device, (n, count), fill, |i, spectrum| {
            spectra[i * spectrum.len()..][..spectrum.len()].copy_from_slice(spectrum);
        })?;
        Ok(spectra)
    }

    /// The signal of so many samples that has these spectra: of all signals it has the nearest ones to them (D. Griffin and
    /// J. Lim, "Signal Estimation from Modified Short-Time Fourier Transform", 1984).
    ///
    /// # Errors
    /// [`Error::BufferLength`] for another number of spectra; [`Error::Signal`] if the windows leave out a sample; as
    /// [`Device::plan`].
    pub fn inverse<T: Sample>(&self, device: &Device, spectra: &[T::Complex], samples: usize) -> Result<Vec<T>> {
        let (n, count, sum) = (self.window.len(), self.segments(samples), self.window.iter().sum::<f64>());
        check_len("spectra", count.saturating_mul(bins::<T>(n)), spectra.len())?;
        let (mut x, mut weights) = (host_memory::zeroed::<T>(samples)?, host_memory::zeroed::<f64>(samples)?);
        segments::inverse(device, n, spectra, |i, segment: &[T]| {
            let start = self.start(i);
            for (j, (y, w)) in segment.iter().zip(&self.window).enumerate() {
                let Some(place) = start.checked_add_unsigned(j).and_then(|place| usize::try_from(place).ok()) else {
                    continue;
                };
                if place < samples {
                    x[place] = x[place].plus(y.times(w * sum));
                    weights[place] += w * w;
                }
            }
        })?;
        if let Some(place) = weights.iter().position(|weight| *weight <= LEAST) {
            let expected = "ones that overlap so that no sample is lost".into();
            return Err(Error::Signal {
                what: "windows",
                expected,
                found: format!("ones that leave out sample {place}"),
            });
        }
        x.iter_mut().zip(weights).for_each(|(x, weight)| *x = x.times(1.0 / weight));
        Ok(x)
    }

    /// Where a segment begins.
    fn start(&self, segment: usize) -> isize {
        (segment * self.hop) as isize - (self.window.len() / 2) as isize
    }
}
