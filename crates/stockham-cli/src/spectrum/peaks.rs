//! Peaks: maxima that stand out of their surroundings, between the bins.

use super::welch::Spectrum;

/// A frequency that stands out.
#[derive(Debug, Clone, Copy)]
pub struct Peak {
    /// Its frequency.
    pub hz: f64,
    /// The level of a sine there, in dBFS.
    pub level: f64,
    /// The power density at its top, in dBFS/Hz.
    pub density: f64,
}

/// How far a peak rises over the higher of the valleys beside it.
const PROMINENCE: f64 = 10.0;
/// Peaks this far below the strongest are the window's or the noise's.
const RANGE: f64 = 70.0;

/// The strongest peaks, strongest first.
pub fn strongest(spectrum: &Spectrum, count: usize) -> Vec<Peak> {
    let density = &spectrum.density;
    let reach = spectrum.lobe.ceil() as usize;
    let highest_in = |range: std::ops::Range<usize>| density[range].iter().copied().fold(f64::MIN, f64::max);
    let mut peaks: Vec<Peak> = Vec::new();
    // What lies within a lobe of 0 Hz is the recording's offset or its drift.
    for k in reach..density.len().saturating_sub(1) {
        let around = k.saturating_sub(reach)..(k + reach + 1).min(density.len());
        let is_highest = density[k] > density[k - 1] && density[k] >= highest_in(around);
        if is_highest && prominence(density, k) >= PROMINENCE {
            peaks.push(interpolate(spectrum, k));
        }
    }
    peaks.sort_by(|a, b| b.level.total_cmp(&a.level));
    let floor = peaks.first().map_or(0.0, |peak| peak.level - RANGE);
    peaks.retain(|peak| peak.level >= floor);
    peaks.truncate(count);
    peaks
}

/// How far one must come down from `k` before one can go higher.
fn prominence(density: &[f64], k: usize) -> f64 {
    let valley = |side: &mut dyn Iterator<Item = &f64>| {
        side.take_while(|d| **d <= density[k]).copied().fold(density[k], f64::min)
    };
    let left = valley(&mut density[..k].iter().rev());
    let right = valley(&mut density[k + 1..].iter());
    density[k] - left.max(right)
}

/// The frequency from the parabola through three bins, since in decibels the window's lobe is nearly one; the height
/// from the lobe itself, because the parabola's is up to 0.3 dB too high.
fn interpolate(spectrum: &Spectrum, k: usize) -> Peak {
    let [a, b, c] = [k - 1, k, k + 1].map(|i| spectrum.density[i]);
    let curvature = a - 2.0 * b + c;
    let shift = if curvature < 0.0 { (0.5 * (a - c) / curvature).clamp(-0.5, 0.5) } else { 0.0 };
    // The lobe's zeros are two bins from its top where nothing was padded, `lobe` bins where it was.
    let density = b - hann_lobe(shift * 2.0 / spectrum.lobe);
    Peak { hz: (k as f64 + shift) * spectrum.bin_hz, level: density + spectrum.sine_offset, density }
}

/// How far below its top the Hann window's lobe is, `x` bins away (less than one), in dB: sinc(x)/(1 − x²).
fn hann_lobe(x: f64) -> f64 {
    let angle = std::f64::consts::PI * x;
    let sinc = if angle.abs() < 1e-9 { 1.0 } else { angle.sin() / angle };
    20.0 * (sinc / (1.0 - x * x)).log10()
}

/// The nearest note of equal temperament at A4 = 440 Hz, with the deviation in cents: `E2 +3`.
pub fn note(hz: f64) -> String {
    const NAMES: [&str; 12] = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
    // MIDI's numbers: A4 is 69, C-1 is 0.
    let number = 69.0 + 12.0 * (hz / 440.0).log2();
    let nearest = number.round();
    if !(0.0..=127.0).contains(&nearest) {
        return String::new();
    }
    let (octave, step) = (nearest as usize / 12, nearest as usize % 12);
    format!("{}{} {:+.0} cents", NAMES[step], octave as i32 - 1, (number - nearest) * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_have_their_names() {
        assert_eq!(note(440.0), "A4 +0 cents");
        assert_eq!(note(82.41), "E2 +0 cents");
        assert_eq!(note(1000.0), "B5 +21 cents");
        assert_eq!(note(1.0), "");
    }

    #[test]
    fn a_tone_is_found_between_the_bins() {
        for place in [20.0, 20.1, 20.3, 20.5, 20.8] {
            let lobe = |k: usize| {
                let x = k as f64 - place;
                if x.abs() < 1.9 && x.abs() != 1.0 { hann_lobe(x) } else { -90.0 }
            };
            let density: Vec<f64> = (0..64).map(lobe).collect();
            let spectrum = Spectrum { density, bin_hz: 2.0, sine_offset: 0.0, lobe: 2.0, averaged: 1, window: 64 };
            let peaks = strongest(&spectrum, 4);
            assert_eq!(peaks.len(), 1);
            assert!((peaks[0].hz - 2.0 * place).abs() < 0.04 && peaks[0].level.abs() < 0.08, "{place}: {peaks:?}");
        }
    }
}
