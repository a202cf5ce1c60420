//! The two pictures of a recording.

use crate::plot::{Anchor, Axis, Color, Frame, Picture, Raster, Text};

use super::labels;
use super::peaks::Peak;
use super::wav::Recording;
use super::welch::{Image, Spectrum};

const SIZE: (u32, u32) = (1600, 900);
/// Decibels shown at most: more is below any recording's noise.
const SPAN: f64 = 110.0;
const SPECTROGRAM_SPAN: f64 = 80.0;

/// Power density over frequency, with its peaks.
pub fn spectrum(name: &str, recording: &Recording, spectrum: &Spectrum, peaks: &[Peak]) -> Picture {
    let mut picture = Picture::new(SIZE.0, SIZE.1);
    let x = frequency_axis(recording);
    let shown = within(&spectrum.density, spectrum.bin_hz, &x);
    let highest = shown.iter().map(|(_, d)| *d).fold(f64::MIN, f64::max);
    let lowest = quantile(shown.iter().map(|(_, d)| *d), 0.02);
    // Room above the highest peak for its label.
    let top = ((highest + 12.0) / 10.0).ceil() * 10.0;
    let bottom = ((lowest - 3.0).max(top - SPAN) / 10.0).floor() * 10.0;
    let y = Axis::linear(bottom, top, "power density (dB re full scale² / Hz)");
    let frame = Frame::new(&picture, x, y, 50.0);
    frame.grid(&mut picture);

    let line: Vec<(f64, f64)> = shown.iter().map(|(hz, d)| frame.at(*hz, *d)).collect();
    let line = thin(&line);
    if let (Some(first), Some(last)) = (line.first(), line.last()) {
        let floor = frame.area.3;
        let outline = line.iter().copied().chain([(last.0, floor), (first.0, floor)]).collect();
        picture.area(outline, Color(219, 230, 252, 1.0));
    }
    picture.line(line, Color::ACCENT, 1.7);
    label_peaks(&mut picture, &frame, peaks);

    let subtitle = format!(
        "{}  ·  Welch average of {} Hann windows of {} samples",
        recording.describe(),
        spectrum.averaged,
        spectrum.window
    );
    frame.labels(&mut picture, &format!("Spectrum of {name}"), &subtitle);
    picture
}

/// The same line with at most four points to half a pixel: where it enters, its extremes, and where it leaves.
fn thin(line: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut thinned = Vec::new();
    for column in line.chunk_by(|a, b| (a.0 * 2.0).floor() == (b.0 * 2.0).floor()) {
        if column.len() <= 4 {
            thinned.extend_from_slice(column);
            continue;
        }
        let (first, last) = (column[0], column[column.len() - 1]);
        let top = column.iter().map(|p| p.1).fold(f64::MAX, f64::min);
        let bottom = column.iter().map(|p| p.1).fold(f64::MIN, f64::max);
        thinned.extend([first, (first.0, top), (last.0, bottom), last]);
    }
    thinned
}

/// A dot on each peak, and its frequency above it where there is room.
fn label_peaks(picture: &mut Picture, frame: &Frame, peaks: &[Peak]) {
    const SIZE: f64 = 20.0;
    let (low, high) = frame.x.range();
    let shown: Vec<&Peak> = peaks.iter().filter(|peak| peak.hz >= low && peak.hz <= high).collect();
    let dots: Vec<(f64, f64)> = shown.iter().map(|peak| frame.at(peak.hz, peak.density)).collect();
    let words: Vec<String> = shown.iter().map(|peak| hertz(peak.hz)).collect();
    // What the bold letters of "100.0 Hz" are wide, on average.
    let widths: Vec<f64> = words.iter().map(|words| words.chars().count() as f64 * SIZE * 0.54).collect();
    let labels = labels::arrange(&dots, &widths, SIZE * 1.2, frame.area.1 + 4.0);
    for label in &labels {
        let ((x, y), (_, middle)) = (dots[label.index], label.middle);
        picture.line(vec![(x, y), (x, middle + SIZE * 0.6)], Color::CONTRAST.opacity(0.6), 1.5);
    }
    for dot in dots {
        picture.dot(dot, 6.0, Color::PAPER);
        picture.dot(dot, 4.5, Color::CONTRAST);
    }
    for label in labels {
        let text = Text::new(label.middle, &words[label.index]).size(SIZE).bold().anchor(Anchor::Middle);
        picture.text(text.color(Color(154, 52, 18, 1.0)));
    }
}

/// Power density over time and frequency, in colours.
pub fn spectrogram(name: &str, recording: &Recording, image: &Image) -> Picture {
    let mut picture = Picture::new(SIZE.0, SIZE.1);
    let y = frequency_axis(recording);
    let x = Axis::linear(0.0, recording.seconds(), "time (s)");
    let (low, high) = y.range();
    let shown = |column: &Vec<f64>| {
        let bins = (low / image.bin_hz).ceil() as usize..=((high / image.bin_hz) as usize).min(column.len() - 1);
        column[bins].iter().copied().fold(f64::MIN, f64::max)
    };
    let highest = image.columns.iter().map(shown).fold(f64::MIN, f64::max);
    let top = (highest / 5.0).ceil() * 5.0;
    let scale = Axis::linear(top - SPECTROGRAM_SPAN, top, "dB re full scale² / Hz");
    let frame = Frame::new(&picture, x, y.clone(), 190.0);

    let (columns, bin_hz, colors) = (image.columns.clone(), image.bin_hz, scale.clone());
    // Half a pixel's step of the frequency axis: bins closer than that share a pixel.
    let half = (high / low).powf(0.5 / f64::from(SIZE.1));
    let color = move |across: f64, down: f64| {
        let hz = y.value(1.0 - down);
        color_of(colors.place(level(&columns, across, hz / half / bin_hz, hz * half / bin_hz)))
    };
    picture.raster(Raster { area: frame.area, color: Box::new(color) });
    let subtitle = format!("{}  ·  Hann windows of {} samples", recording.describe(), image.window);
    frame.labels(&mut picture, &format!("Spectrogram of {name}"), &subtitle);
    color_bar(&mut picture, &frame, &scale);
    picture
}

/// The density between two places on the bins' scale: the highest bin between them, or, where they lie within one step,
/// in proportion. Columns blend into each other.
fn level(columns: &[Vec<f64>], across: f64, from: f64, to: f64) -> f64 {
    let at = (across * columns.len() as f64 - 0.5).clamp(0.0, columns.len() as f64 - 1.0);
    let (left, right) = (at as usize, (at as usize + 1).min(columns.len() - 1));
    let of = |column: &[f64]| {
        let last = column.len() - 1;
        let (first_bin, last_bin) = ((from.ceil() as usize).min(last), (to.floor() as usize).min(last));
        if first_bin < last_bin {
            return column[first_bin..=last_bin].iter().copied().fold(f64::MIN, f64::max);
        }
        let middle = ((from + to) / 2.0).min(last as f64);
        let (below, above) = (middle as usize, (middle as usize + 1).min(last));
        column[below] + (column[above] - column[below]) * middle.fract()
    };
    of(&columns[left]) + (of(&columns[right]) - of(&columns[left])) * at.fract()
}

fn color_of(place: f64) -> Color {
    let color = colorous::INFERNO.eval_continuous(place);
    Color(color.r, color.g, color.b, 1.0)
}

fn color_bar(picture: &mut Picture, frame: &Frame, scale: &Axis) {
    let (_, top, right, bottom) = frame.area;
    let (left, right) = (right + 36.0, right + 66.0);
    picture.raster(Raster { area: (left, top, right, bottom), color: Box::new(|_, down| color_of(1.0 - down)) });
    let outline = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    picture.line(outline, Color::FAINT_INK, 1.5);
    for tick in scale.ticks(8) {
        let y = bottom - (bottom - top) * tick.place;
        picture.line(vec![(right, y), (right + 7.0, y)], Color::FAINT_INK, 1.5);
        if let Some(label) = tick.label {
            picture.text(Text::new((right + 13.0, y), label).size(21.0));
        }
    }
    let beside = (right + 92.0, (top + bottom) / 2.0);
    picture.text(Text::new(beside, &scale.title).size(22.0).anchor(Anchor::Middle).upwards());
}

/// From 20 Hz, where hearing begins, to half the sample rate or the 20 kHz where it ends.
fn frequency_axis(recording: &Recording) -> Axis {
    let half_rate = f64::from(recording.rate) / 2.0;
    let to = half_rate.min(20e3);
    let from = if to > 400.0 { 20.0 } else { to / 20.0 };
    Axis::logarithmic(from, to, "frequency (Hz)").label(short)
}

/// The bins within the axis as pairs of frequency and density.
fn within(density: &[f64], bin_hz: f64, axis: &Axis) -> Vec<(f64, f64)> {
    let (from, to) = axis.range();
    let bins = density.iter().enumerate().map(|(k, d)| (k as f64 * bin_hz, *d));
    // The neighbours outside are drawn at the edges, so that the line reaches them.
    bins.filter(|(hz, _)| *hz >= from - bin_hz && *hz <= to + bin_hz && *hz > 0.0).collect()
}

fn quantile(values: impl Iterator<Item = f64>, share: f64) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get((values.len() as f64 * share) as usize).copied().unwrap_or(0.0)
}

/// `50`, `2k`.
fn short(hz: f64) -> String {
    if hz >= 1000.0 { format!("{}k", hz / 1000.0) } else { format!("{}", (hz * 10.0).round() / 10.0) }
}

/// `82.4 Hz`, `1.05 kHz`.
fn hertz(hz: f64) -> String {
    if hz >= 10_000.0 { format!("{:.2} kHz", hz / 1000.0) } else { format!("{hz:.1} Hz") }
}
