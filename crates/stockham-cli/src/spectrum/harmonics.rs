//! Which peaks are fundamentals, and of which fundamental another peak is a multiple.

use super::peaks::Peak;
use super::welch::Spectrum;

/// A tone is so many dB above the median of the bins around it; the highest of thousands of bins of noise is 11.
const ABOVE_NOISE: f64 = 15.0;
const AROUND: usize = 32;
/// A fundamental is at most so many dB weaker than the strongest peak.
const RANGE: f64 = 30.0;
/// The highest multiple that is looked for.
const MULTIPLES: usize = 40;
/// Strings are stiff: their partials lie a little above the multiples.
const STRETCH: f64 = 0.002;

/// The fundamentals among all peaks, lowest first: tones that are no multiple of a lower one, and whose double and triple
/// are peaks, too.
pub fn fundamentals(spectrum: &Spectrum, peaks: &[Peak]) -> Vec<Peak> {
    let strongest = peaks.iter().map(|peak| peak.level).fold(f64::MIN, f64::max);
    let mut tones: Vec<Peak> = peaks.iter().copied().filter(|peak| is_tone(spectrum, peak)).collect();
    tones.sort_by(|a, b| a.hz.total_cmp(&b.hz));
    let is_there = |hz: f64| tones.iter().any(|tone| is_near(spectrum, tone.hz, hz));
    let mut found: Vec<Peak> = Vec::new();
    for tone in &tones {
        let has_partials = is_there(2.0 * tone.hz) && is_there(3.0 * tone.hz);
        if tone.level >= strongest - RANGE && has_partials && multiple(spectrum, &found, tone).is_none() {
            found.push(*tone);
        }
    }
    found
}

/// The least multiple of one of the fundamentals that a peak is: which one, and how often.
pub fn multiple(spectrum: &Spectrum, fundamentals: &[Peak], peak: &Peak) -> Option<(Peak, usize)> {
    let times = |fundamental: &Peak| {
        let times = (peak.hz / fundamental.hz).round() as usize;
        let is_multiple = (2..=MULTIPLES).contains(&times);
        (is_multiple && is_near(spectrum, peak.hz, fundamental.hz * times as f64)).then_some((*fundamental, times))
    };
    fundamentals.iter().filter_map(times).min_by_key(|(_, times)| *times)
}

fn is_near(spectrum: &Spectrum, hz: f64, expected: f64) -> bool {
    (hz - expected).abs() <= 0.75 * spectrum.bin_hz + STRETCH * expected
}

fn is_tone(spectrum: &Spectrum, peak: &Peak) -> bool {
    let middle = (peak.hz / spectrum.bin_hz).round() as usize;
    let range = middle.saturating_sub(AROUND)..(middle + AROUND + 1).min(spectrum.levels.len());
    let mut around = spectrum.levels.get(range).unwrap_or_default().to_vec();
    around.sort_by(f64::total_cmp);
    around.get(around.len() / 2).is_some_and(|median| peak.level >= median + ABOVE_NOISE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spectrum(tones: &[(f64, f64)]) -> (Spectrum, Vec<Peak>) {
        let mut levels = vec![-90.0; 4096];
        tones.iter().for_each(|(hz, level)| levels[*hz as usize] = *level);
        let peaks = tones.iter().map(|(hz, level)| Peak { hz: *hz, level: *level }).collect();
        (Spectrum { levels, bin_hz: 1.0, lobe: 2.0, averaged: 1, window: 8192 }, peaks)
    }

    #[test]
    fn two_series_have_two_fundamentals() {
        let hz = [200.0, 300.0, 400.0, 600.0, 601.0, 800.0, 900.0, 1000.0];
        let tones: Vec<(f64, f64)> = hz.iter().enumerate().map(|(i, hz)| (*hz, -40.0 + i as f64)).collect();
        let (spectrum, peaks) = spectrum(&tones);
        let found = fundamentals(&spectrum, &peaks);
        assert_eq!(found.iter().map(|peak| peak.hz).collect::<Vec<_>>(), [200.0, 300.0]);
        let of = |hz: f64| multiple(&spectrum, &found, &Peak { hz, level: 0.0 }).map(|(peak, times)| (peak.hz, times));
        assert_eq!(of(600.0), Some((300.0, 2)));
        assert_eq!(of(1000.0), Some((200.0, 5)));
        assert_eq!(of(300.0), None);
        assert_eq!(of(730.0), None);
    }

    #[test]
    fn tones_alone_weak_ones_and_noise_are_no_fundamentals() {
        let (single, peaks) = spectrum(&[(440.0, -6.0), (1000.0, -12.0)]);
        assert!(fundamentals(&single, &peaks).is_empty());
        let (weak, peaks) = spectrum(&[(50.0, -45.0), (100.0, -50.0), (150.0, -50.0), (440.0, -6.0)]);
        assert!(fundamentals(&weak, &peaks).is_empty());
        // As high over the bins around as noise may be.
        let (noise, peaks) = spectrum(&[(200.0, -76.0), (400.0, -76.0), (600.0, -76.0)]);
        assert!(fundamentals(&noise, &peaks).is_empty());
    }
}
