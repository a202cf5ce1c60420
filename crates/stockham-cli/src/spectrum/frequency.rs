//! Frequencies in words and on axes.

use crate::plot::Axis;

use super::report::Entry;

/// Where hearing begins and ends.
const HEARING: (f64, f64) = (20.0, 20e3);

/// From 20 Hz to half the sample rate or to 20 kHz; further if a peak lies beyond. Rates too low for sound have their
/// upper two decades.
pub fn axis(rate: u32, listed: &[Entry]) -> Axis {
    let half_rate = f64::from(rate) / 2.0;
    let highest = listed.iter().map(|entry| entry.peak.hz).fold(0.0, f64::max);
    let lowest = listed.iter().map(|entry| entry.peak.hz).fold(f64::MAX, f64::min);
    let to = if highest > HEARING.1 { half_rate } else { half_rate.min(HEARING.1) };
    let from = if to > 50.0 * HEARING.0 { HEARING.0 } else { round_below(to / 100.0) };
    Axis::logarithmic(from.min(round_below(lowest)), to, "frequency (Hz)").label(short)
}

/// The next 1, 2 or 5 of a decade below a frequency.
fn round_below(hz: f64) -> f64 {
    let decade = 10f64.powf(hz.log10().floor());
    [5.0, 2.0, 1.0].map(|m| m * decade).into_iter().find(|round| *round < hz).unwrap_or(decade / 2.0)
}

/// `0.05`, `50`, `2k`, `1M`.
fn short(hz: f64) -> String {
    let (unit, letter) = [(1e9, "G"), (1e6, "M"), (1e3, "k")].into_iter().find(|(u, _)| hz >= *u).unwrap_or((1.0, ""));
    format!("{}{letter}", significant(hz / unit))
}

/// `0.0521 Hz`, `82.4 Hz`, `415.3 Hz`, `12.35 kHz`.
pub fn hertz(hz: f64) -> String {
    match hz {
        10e3.. => format!("{:.2} kHz", hz / 1e3),
        10.0.. => format!("{hz:.1} Hz"),
        _ => format!("{} Hz", significant(hz)),
    }
}

/// Three digits that count, without zeros behind them.
fn significant(value: f64) -> String {
    let decimals = (2.0 - value.abs().max(1e-12).log10().floor()).clamp(0.0, 12.0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// How many decimals tell frequencies apart that are as close as the bins: two, and more below 1 Hz.
pub fn decimals(bin_hz: f64) -> usize {
    (1.0 - bin_hz.log10().floor()).clamp(2.0, 12.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spectrum::peaks::Peak;

    fn labels(rate: u32, peaks: &[f64]) -> (Vec<String>, (f64, f64)) {
        let entry =
            |hz: &f64| Entry { peak: Peak { hz: *hz, level: -6.0 }, note: None, fundamental: false, multiple: None };
        let axis = axis(rate, &peaks.iter().map(entry).collect::<Vec<_>>());
        (axis.ticks(10).into_iter().filter_map(|tick| tick.label).collect(), axis.range())
    }

    #[test]
    fn an_axis_is_what_is_heard_and_what_is_listed() {
        assert_eq!(labels(44_100, &[440.0]).1, (20.0, 20_000.0));
        assert_eq!(labels(44_100, &[440.0, 21_000.0]).1, (20.0, 22_050.0));
        assert_eq!(labels(192_000, &[45_000.0]).1, (20.0, 96_000.0));
        assert_eq!(labels(44_100, &[8.0, 440.0]).1, (5.0, 20_000.0));
        assert_eq!(labels(8000, &[]).1, (20.0, 4000.0));
    }

    #[test]
    fn labels_of_any_rate_differ_from_each_other() {
        for rate in [1, 2, 3, 10, 100, 441, 8000, 44_100, 192_000, 1_000_000_000, u32::MAX] {
            let (words, (from, to)) = labels(rate, &[f64::from(rate) / 5.0]);
            let mut once = words.clone();
            once.dedup();
            assert!(words.len() >= 3 && once == words && from > 0.0 && from < to, "{rate}: {words:?}");
        }
        assert_eq!(labels(100, &[]).0, ["0.2", "0.5", "1", "2", "5", "10", "20", "50"]);
    }

    #[test]
    fn frequencies_have_digits_that_count() {
        assert_eq!(
            [0.0521, 4.0, 82.41, 415.3, 12_345.0].map(hertz),
            ["0.0521 Hz", "4 Hz", "82.4 Hz", "415.3 Hz", "12.35 kHz"]
        );
        assert_eq!([2.69, 0.5, 0.01, 0.001].map(decimals), [2, 2, 3, 4]);
    }
}
