//! What is to be filtered out, and the taps that do it.

use stockham::signal::{Band, firwin, kaiser_order};

use crate::error::{Error, Result};

/// The options that name a filter, of which there is one.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub struct DesignArgs {
    /// Let pass what is below F Hz
    #[arg(long, value_name = "F")]
    lowpass: Option<f64>,
    /// Let pass what is above F Hz
    #[arg(long, value_name = "F")]
    highpass: Option<f64>,
    /// Let pass what is between two frequencies, as 300..3400
    #[arg(long, value_name = "F..G", value_parser = parse_range)]
    bandpass: Option<(f64, f64)>,
    /// Let pass what is not between them
    #[arg(long, value_name = "F..G", value_parser = parse_range)]
    bandstop: Option<(f64, f64)>,
    /// Take out a frequency, and what is within 4 % of it
    #[arg(long, value_name = "F")]
    notch: Option<f64>,
    /// Blur a picture: the Gaussian's standard deviation in pixels
    #[arg(long, value_name = "SIGMA")]
    blur: Option<f64>,
    /// Sharpen a picture: twice the picture less what that blur makes of it
    #[arg(long, value_name = "SIGMA")]
    sharpen: Option<f64>,
}

/// A filter.
#[derive(Debug, Clone, Copy)]
pub enum Design {
    /// Of a recording.
    Band(Band),
    /// Of a picture, by a Gaussian of that standard deviation.
    Blur(f64),
    /// Its unsharp mask.
    Sharpen(f64),
}

/// The part of a frequency to either side of it that a notch takes out.
const NOTCH: f64 = 0.04;

impl DesignArgs {
    /// The one that is named.
    pub fn design(&self) -> Result<Design> {
        let pictures = [self.blur, self.sharpen];
        if let Some(sigma) = pictures.into_iter().flatten().find(|sigma| !(*sigma > 0.0 && sigma.is_finite())) {
            return Err(Error::input(format!("a blur of {sigma} pixels makes no sense: it has to be more than 0")));
        }
        let bands = [
            self.lowpass.map(Band::Low),
            self.highpass.map(Band::High),
            self.bandpass.map(|(low, high)| Band::Pass(low, high)),
            self.bandstop.map(|(low, high)| Band::Stop(low, high)),
            self.notch.map(|f| Band::Stop(f * (1.0 - NOTCH), f * (1.0 + NOTCH))),
        ];
        let designs = [self.blur.map(Design::Blur), self.sharpen.map(Design::Sharpen)];
        let all = bands.into_iter().flatten().map(Design::Band).chain(designs.into_iter().flatten());
        all.last().ok_or_else(|| Error::input("no filter is named"))
    }
}

/// The taps of a filter for recordings of a sample rate, an odd number of them, and the width of its transitions.
pub fn taps(band: Band, rate: f64, attenuation: f64, width: Option<f64>) -> Result<(Vec<f32>, f64)> {
    let width = width.unwrap_or_else(|| match band {
        Band::Low(f) | Band::High(f) => f.min(rate / 2.0 - f) / 4.0,
        Band::Pass(low, high) | Band::Stop(low, high) => low.min(rate / 2.0 - high).min(high - low) / 4.0,
        _ => rate / 8.0,
    });
    // What makes no sense as a band has words of its own.
    firwin(1, band, rate, stockham::signal::Window::Rectangular)?;
    let (taps, window) = kaiser_order(attenuation, width, rate)?;
    let taps = firwin(taps | 1, band, rate, window)?;
    Ok((taps.into_iter().map(|tap| tap as f32).collect(), width))
}

fn parse_range(text: &str) -> std::result::Result<(f64, f64), String> {
    let parts = text.split_once("..").and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    parts.ok_or_else(|| "expected two frequencies in Hz, as 300..3400".to_owned())
}
