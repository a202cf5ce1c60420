//! The picture of a spectrum, and what it shares with that of a spectrogram.

use crate::plot::{Anchor, Axis, Color, Frame, Picture, Text};

use super::frequency;
use super::labels;
use super::note::Note;
use super::recording::Recording;
use super::report::Entry;
use super::welch::Spectrum;

/// Width and height.
pub const SIZE: (u32, u32) = (1600, 900);
/// What is shown.
pub const TITLE: &str = "level (dBFS)";
/// Decibels shown at most: more is below any recording's noise.
const SPAN: f64 = 110.0;
/// Below this there is silence, shown as the floor of a picture that ends at full scale.
const SILENCE: f64 = -190.0;
/// Pixels of the line's steps: where many bins share one, the highest is drawn.
const STEP: f64 = 2.0;
/// Height of a line of notes on the recording.
const NOTE: f64 = 30.0;

/// Levels over frequency, with the peaks that are listed.
pub fn draw(recording: &Recording, spectrum: &Spectrum, entries: &[Entry]) -> Picture {
    let mut picture = Picture::new(SIZE.0, SIZE.1);
    let x = frequency::axis(recording.rate, entries);
    let shown = envelope(&within(&spectrum.levels, spectrum.bin_hz, &x), &x);
    let highest = highest(&shown);
    let lowest = quantile(shown.iter().map(|(_, level)| *level), 0.02);
    // Room above the highest peak for its label.
    let top = ((highest + 16.0 + 4.0 * recording.notes.len() as f64) / 10.0).ceil() * 10.0;
    let bottom = ((lowest - 3.0).max(top - SPAN) / 10.0).floor() * 10.0;
    let frame = Frame::new(&picture, x, Axis::linear(bottom, top, TITLE), 50.0);
    frame.grid(&mut picture);

    let line: Vec<(f64, f64)> = shown.iter().map(|(hz, level)| frame.at(*hz, *level)).collect();
    if let (Some(first), Some(last)) = (line.first(), line.last()) {
        let floor = frame.area.3;
        let outline = line.iter().copied().chain([(last.0, floor), (first.0, floor)]).collect();
        picture.area(outline, Color(219, 230, 252, 1.0));
    }
    picture.line(line, Color::ACCENT, 1.7);
    label_peaks(&mut picture, &frame, entries, NOTE * recording.notes.len() as f64);
    notes(&mut picture, &frame, recording, Color(154, 52, 18, 1.0));

    let subtitle = format!("{}  ·  {}", recording.describe(), spectrum.describe());
    frame.labels(&mut picture, &format!("Spectrum of {}", recording.name), &subtitle);
    picture
}

/// The bins within the axis as pairs of frequency and level.
pub fn within(levels: &[f64], bin_hz: f64, axis: &Axis) -> Vec<(f64, f64)> {
    let (from, to) = axis.range();
    let bins = levels.iter().enumerate().map(|(k, level)| (k as f64 * bin_hz, *level));
    // The neighbours outside are drawn at the edges, so that the line reaches them.
    bins.filter(|(hz, _)| *hz >= from - bin_hz && *hz <= to + bin_hz && *hz > 0.0).collect()
}

/// The highest level; of silence one that leaves it at the floor.
pub fn highest(shown: &[(f64, f64)]) -> f64 {
    let highest = shown.iter().map(|(_, level)| *level).fold(f64::MIN, f64::max);
    if highest > SILENCE { highest } else { -20.0 }
}

/// What one should know of the recording, in the upper left corner.
pub fn notes(picture: &mut Picture, frame: &Frame, recording: &Recording, color: Color) {
    for (i, note) in recording.notes.iter().enumerate() {
        let at = (frame.area.0 + 16.0, frame.area.1 + NOTE * (i as f64 + 0.7));
        picture.text(Text::new(at, note).size(20.0).color(color));
    }
}

/// The highest point of each step: dips between them would fill the picture where bins are many.
fn envelope(points: &[(f64, f64)], x: &Axis) -> Vec<(f64, f64)> {
    let step = |hz: f64| (x.place(hz) * f64::from(SIZE.0) / STEP).floor();
    let steps = points.chunk_by(|a, b| step(a.0) == step(b.0));
    steps.filter_map(|step| step.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))).collect()
}

/// A dot on each peak, and above it, where there is room, its frequency and its note.
fn label_peaks(picture: &mut Picture, frame: &Frame, entries: &[Entry], lower: f64) {
    const SIZE: f64 = 19.0;
    const NOTE_SIZE: f64 = 17.0;
    let (low, high) = frame.x.range();
    let mut shown: Vec<&Entry> = entries.iter().filter(|e| e.peak.hz >= low && e.peak.hz <= high).collect();
    // Where there is no room for all, fundamentals say most.
    shown.sort_by_key(|entry| !entry.fundamental);
    let dots: Vec<(f64, f64)> = shown.iter().map(|entry| frame.at(entry.peak.hz, entry.peak.level)).collect();
    let words: Vec<(String, String)> = shown
        .iter()
        .map(|entry| (frequency::hertz(entry.peak.hz), entry.note.map(brief).unwrap_or_default()))
        .collect();
    // What the bold letters of "100.0 Hz" are wide, on average.
    let width = |(hz, note): &(String, String)| {
        (hz.chars().count() as f64 * SIZE * 0.54).max(note.chars().count() as f64 * NOTE_SIZE * 0.5)
    };
    let widths: Vec<f64> = words.iter().map(width).collect();
    let height = SIZE * 1.2 + NOTE_SIZE * 1.2;
    let labels = labels::arrange(&dots, &widths, height, frame.area.1 + 4.0 + lower);
    for label in &labels {
        let ((x, y), (_, middle)) = (dots[label.index], label.middle);
        picture.line(vec![(x, y), (x, middle + height / 2.0)], Color::CONTRAST.opacity(0.6), 1.5);
    }
    for dot in dots {
        picture.dot(dot, 6.0, Color::PAPER);
        picture.dot(dot, 4.5, Color::CONTRAST);
    }
    let color = Color(154, 52, 18, 1.0);
    for label in labels {
        let ((hz, note), (x, y)) = (&words[label.index], label.middle);
        let text =
            |words: &str, y: f64, size: f64| Text::new((x, y), words).size(size).anchor(Anchor::Middle).color(color);
        let shift = if note.is_empty() { 0.0 } else { NOTE_SIZE * 0.6 };
        picture.text(text(hz, y - shift, SIZE).bold());
        picture.text(text(note, y + SIZE * 0.6, NOTE_SIZE));
    }
}

/// `E4 +2¢`.
fn brief(note: Note) -> String {
    format!("{} {:+}¢", note.name(), note.whole_cents()).replace('-', "\u{2212}")
}

fn quantile(values: impl Iterator<Item = f64>, share: f64) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get((values.len() as f64 * share) as usize).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_keeps_peaks_and_has_one_point_a_step() {
        let axis = Axis::logarithmic(20.0, 20e3, "");
        let points: Vec<(f64, f64)> =
            (8..8000).map(|k| (2.5 * f64::from(k), if k == 4321 { -10.0 } else { -90.0 - f64::from(k % 7) })).collect();
        let line = envelope(&points, &axis);
        assert!(line.len() <= (f64::from(SIZE.0) / STEP) as usize + 1);
        assert!(line.contains(&points[4321 - 8]) && line.windows(2).all(|pair| pair[0].0 < pair[1].0));
        // Where bins are few, all are there; where they are many, no dip is.
        assert_eq!(line[..20], points[..20]);
        assert!(line.iter().filter(|(hz, _)| *hz > 10e3 && *hz < 19e3).all(|(_, level)| *level >= -90.0));
    }
}
