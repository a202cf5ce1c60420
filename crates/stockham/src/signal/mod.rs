//! Signals: convolution and correlation of any rank, filters that take a signal in blocks, and what they are designed by.
//!
//! All of it is built on [transforms](crate::Fft) and runs on every [`Device`](crate::Device), for `f32`, `f64` and complex
//! numbers of them. What SciPy's `scipy.signal` has under the same name means the same here.
//!
//! | what | how |
//! | --- | --- |
//! | two arrays, once | [`convolve`], [`correlate`], [`phase_correlation`] |
//! | many arrays by the same kernels | [`Convolver`] |
//! | a signal without end | [`OverlapSave`] |
//! | frequencies over time | [`Stft`], [`welch`] |
//! | the analytic signal, another sample rate | [`hilbert`], [`resample`] |
//! | which frequency a point of a spectrum has | [`fftfreq`], [`rfftfreq`], [`fftshift`], [`ifftshift`] |
//! | the taps of a filter | [`firwin`], [`kaiser_order`], [`Window`] |

mod axis;
mod convolve;
mod convolver;
mod filtered;
mod fir;
mod frequencies;
mod hilbert;
mod lengths;
mod overlap_save;
mod phase;
mod resample;
mod rows;
mod sample;
mod segments;
mod stft;
mod welch;
mod window;

pub use axis::Mode;
pub use convolve::{convolve, correlate};
pub use convolver::Convolver;
pub use fir::{Band, firwin, kaiser_order};
pub use frequencies::{fftfreq, fftshift, ifftshift, rfftfreq};
pub use hilbert::hilbert;
pub use lengths::next_fast_len;
pub use overlap_save::OverlapSave;
pub use phase::{phase_correlation, translation};
pub use resample::resample;
pub use sample::Sample;
pub use stft::Stft;
pub use welch::welch;
pub use window::{Window, kaiser_beta};

use crate::error::{Error, Result};

/// The points of a shape, if it has dimensions and none of them is empty.
fn points(what: &'static str, shape: &[usize]) -> Result<usize> {
    if shape.is_empty() || shape.contains(&0) {
        let expected = "one that has dimensions, each of at least one point".into();
        return Err(Error::Signal { what, expected, found: format!("{shape:?}") });
    }
    Ok(shape.iter().fold(1, |points, n| points.saturating_mul(*n)))
}

/// Checks that there are so many values.
fn check_len(buffer: &'static str, expected: usize, found: usize) -> Result<()> {
    if found == expected { Ok(()) } else { Err(Error::BufferLength { buffer, expected, found }) }
}
