//! The design of finite impulse response filters by windows.

use std::f64::consts::PI;
use std::fmt;

use crate::error::{Error, Result};

use super::Window;
use super::window::kaiser_beta;

/// What a filter lets pass, in frequencies below half of the sample rate.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Band {
    /// Below a frequency.
    Low(f64),
    /// Above it.
    High(f64),
    /// Between two.
    Pass(f64, f64),
    /// Outside of them.
    Stop(f64, f64),
}

impl fmt::Display for Band {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Low(edge) => write!(f, "low-pass, to {edge}"),
            Self::High(edge) => write!(f, "high-pass, from {edge}"),
            Self::Pass(low, high) => write!(f, "band-pass, from {low} to {high}"),
            Self::Stop(low, high) => write!(f, "band-stop, from {low} to {high}"),
        }
    }
}

impl Band {
    /// The edges of what passes, as parts of half of the sample rate; the last may be 1, the first 0.
    fn edges(self, rate: f64) -> Result<Vec<[f64; 2]>> {
        let (low, high) = match self {
            Self::Low(f) | Self::High(f) => (f, f),
            Self::Pass(low, high) | Self::Stop(low, high) => (low, high),
        };
        let is_one = low == high && matches!(self, Self::Low(_) | Self::High(_));
        if !(rate > 0.0 && rate.is_finite() && low > 0.0 && (low < high || is_one) && high < rate / 2.0) {
            let expected = format!("ascending frequencies above 0 and below {}, half of the sample rate", rate / 2.0);
            return Err(Error::Signal { what: "filter's band", expected, found: self.to_string() });
        }
        let [low, high] = [low, high].map(|f| f / (rate / 2.0));
        Ok(match self {
            Self::Low(_) => vec![[0.0, low]],
            Self::High(_) => vec![[low, 1.0]],
            Self::Pass(..) => vec![[low, high]],
            Self::Stop(..) => vec![[0.0, low], [high, 1.0]],
        })
    }
}

/// The taps of a linear-phase filter: those of the ideal one in the middle of a window, scaled so that the middle of the first
/// band that passes, or its end at 0 or at half of the sample rate, has the gain 1, as `scipy.signal.firwin` has it. Half of the
/// amplitude passes at the band's edges.
///
/// ```
/// use stockham::signal::{Band, Window, firwin};
/// let taps = firwin(101, Band::Low(1000.0), 44_100.0, Window::Hamming)?;
/// assert!((taps.iter().sum::<f64>() - 1.0).abs() < 1e-15);
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// [`Error::Signal`] for no taps, for an even number of them where half of the sample rate passes, which they cannot let, and for
/// frequencies that are not ascending between 0 and that.
pub fn firwin(taps: usize, band: Band, rate: f64, window: Window) -> Result<Vec<f64>> {
    let edges = band.edges(rate)?;
    let passes_last = edges.last().is_some_and(|edge| edge[1] == 1.0);
    if taps == 0 || (passes_last && taps.is_multiple_of(2)) {
        let expected = if passes_last { "an odd number, as half of the sample rate passes" } else { "at least 1" };
        return Err(Error::Signal { what: "number of taps", expected: expected.into(), found: taps.to_string() });
    }
    let middle = (taps - 1) as f64 / 2.0;
    let ideal = |at: f64| edges.iter().map(|[low, high]| high * sinc(high * at) - low * sinc(low * at)).sum::<f64>();
    let window = window.symmetric(taps);
    let mut taps: Vec<f64> = window.iter().enumerate().map(|(i, w)| w * ideal(i as f64 - middle)).collect();
    let of_unit_gain = match edges[0] {
        [0.0, _] => 0.0,
        [_, 1.0] => 1.0,
        [low, high] => (low + high) / 2.0,
    };
    let gain: f64 = taps.iter().enumerate().map(|(i, h)| h * (PI * of_unit_gain * (i as f64 - middle)).cos()).sum();
    taps.iter_mut().for_each(|h| *h /= gain);
    Ok(taps)
}

/// Taps and window of a filter that attenuates by so many dB, from where it lets pass to where it does not within so much of the
/// frequencies, by Kaiser's formula, as `scipy.signal.kaiserord` has it.
///
/// # Errors
/// [`Error::Signal`] for an attenuation below 8 dB, which the formula does not know, and for a width that is not positive.
pub fn kaiser_order(attenuation: f64, width: f64, rate: f64) -> Result<(usize, Window)> {
    let width = width / (rate / 2.0);
    if !(attenuation >= 8.0 && attenuation.is_finite()) {
        let expected = "8 dB or more".into();
        return Err(Error::Signal { what: "attenuation", expected, found: format!("{attenuation} dB") });
    }
    let taps = ((attenuation - 7.95) / 2.285 / (PI * width) + 1.0).ceil();
    if !(width > 0.0 && taps < u32::MAX.into()) {
        let expected = format!("a part of half of the sample rate, {}, and not too small a one", rate / 2.0);
        return Err(Error::Signal {
            what: "width of the transition",
            expected,
            found: format!("{}", width * rate / 2.0),
        });
    }
    Ok((taps as usize, Window::Kaiser(kaiser_beta(attenuation))))
}

fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) }
}
