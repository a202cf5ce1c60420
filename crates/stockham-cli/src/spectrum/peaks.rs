//! Peaks: maxima that stand out of their surroundings, between the bins.

use super::welch::Spectrum;

/// A frequency that stands out.
#[derive(Debug, Clone, Copy)]
pub struct Peak {
    /// Its frequency.
    pub hz: f64,
    /// The level of a sine there, in dBFS.
    pub level: f64,
}

/// How far a peak rises over the higher of the valleys beside it.
const PROMINENCE: f64 = 10.0;
/// Peaks this far below the strongest are the window's or the noise's.
const RANGE: f64 = 70.0;

/// All peaks, strongest first.
pub fn all(spectrum: &Spectrum) -> Vec<Peak> {
    let levels = &spectrum.levels;
    let reach = spectrum.lobe.ceil() as usize;
    let highest_in = |range: std::ops::Range<usize>| levels[range].iter().copied().fold(f64::MIN, f64::max);
    let mut peaks: Vec<Peak> = Vec::new();
    // What lies within a lobe of 0 Hz is the recording's offset or its drift.
    for k in reach..levels.len().saturating_sub(1) {
        let around = k.saturating_sub(reach)..(k + reach + 1).min(levels.len());
        let is_highest = levels[k] > levels[k - 1] && levels[k] >= highest_in(around);
        if is_highest && prominence(levels, k) >= PROMINENCE {
            peaks.push(interpolate(spectrum, k));
        }
    }
    peaks.sort_by(|a, b| b.level.total_cmp(&a.level));
    let floor = peaks.first().map_or(0.0, |peak| peak.level - RANGE);
    peaks.retain(|peak| peak.level >= floor);
    peaks
}

/// How far one must come down from `k` before one can go higher.
fn prominence(levels: &[f64], k: usize) -> f64 {
    let valley =
        |side: &mut dyn Iterator<Item = &f64>| side.take_while(|d| **d <= levels[k]).copied().fold(levels[k], f64::min);
    let left = valley(&mut levels[..k].iter().rev());
    let right = valley(&mut levels[k + 1..].iter());
    levels[k] - left.max(right)
}

/// The frequency from the parabola through three bins, since in decibels the window's lobe is nearly one; the height
/// from the lobe itself, because the parabola's is up to 0.3 dB too high.
fn interpolate(spectrum: &Spectrum, k: usize) -> Peak {
    let around = [k - 1, k, k + 1].map(|i| spectrum.levels[i]);
    let (b, shift) = (around[1], shift(around));
    // The lobe's zeros are two bins from its top where nothing was padded, `lobe` bins where it was.
    let level = b - hann_lobe(shift * 2.0 / spectrum.lobe);
    Peak { hz: (k as f64 + shift) * spectrum.bin_hz, level }
}

/// Where the top of the parabola through three neighbouring levels lies, in bins from the middle one.
pub fn shift([a, b, c]: [f64; 3]) -> f64 {
    let curvature = a - 2.0 * b + c;
    if curvature < 0.0 { (0.5 * (a - c) / curvature).clamp(-0.5, 0.5) } else { 0.0 }
}

/// How far below its top the Hann window's lobe is, `x` bins away (less than one), in dB: sinc(x)/(1 − x²).
pub fn hann_lobe(x: f64) -> f64 {
    let angle = std::f64::consts::PI * x;
    let sinc = if angle.abs() < 1e-9 { 1.0 } else { angle.sin() / angle };
    20.0 * (sinc / (1.0 - x * x)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tone_is_found_between_the_bins() {
        for place in [20.0, 20.1, 20.3, 20.5, 20.8] {
            let lobe = |k: usize| {
                let x = k as f64 - place;
                if x.abs() < 1.9 && x.abs() != 1.0 { hann_lobe(x) } else { -90.0 }
            };
            let levels: Vec<f64> = (0..64).map(lobe).collect();
            let spectrum = Spectrum { levels, bin_hz: 2.0, lobe: 2.0, averaged: 1, window: 64 };
            let peaks = all(&spectrum);
            assert_eq!(peaks.len(), 1);
            assert!((peaks[0].hz - 2.0 * place).abs() < 0.04 && peaks[0].level.abs() < 0.08, "{place}: {peaks:?}");
        }
    }
}
