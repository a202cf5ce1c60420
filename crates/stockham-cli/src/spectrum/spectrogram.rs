//! The picture of a recording over time.

use crate::plot::{Axis, Color, Frame, Picture, Raster};

use super::colors::{color_bar, color_of};
use super::frequency;
use super::picture::{self, SIZE, TITLE};
use super::recording::Recording;
use super::report::Entry;
use super::welch::{Image, samples};

/// Decibels shown: more makes everything grey.
const SPAN: f64 = 80.0;

/// Levels over time and frequency, in colours.
pub fn draw(recording: &Recording, image: &Image, entries: &[Entry]) -> Picture {
    let mut drawn = Picture::new(SIZE.0, SIZE.1);
    let y = frequency::axis(recording.rate, entries);
    let x = Axis::linear(0.0, recording.seconds(), "time (s)");
    let (low, high) = y.range();
    let shown = image.columns.iter().flat_map(|column| picture::within(column, image.bin_hz, &y));
    let highest = picture::highest(&shown.collect::<Vec<_>>());
    let top = (highest / 5.0).ceil() * 5.0;
    let scale = Axis::linear(top - SPAN, top, TITLE);
    let frame = Frame::new(&drawn, x, y.clone(), 190.0);

    let (columns, bin_hz, colors) = (image.columns.clone(), image.bin_hz, scale.clone());
    // Half a pixel's step of the frequency axis: bins closer than that share a pixel.
    let half = (high / low).powf(0.5 / f64::from(SIZE.1));
    let color = move |across: f64, down: f64| {
        let hz = y.value(1.0 - down);
        color_of(colors.place(level(&columns, across, hz / half / bin_hz, hz * half / bin_hz)))
    };
    drawn.raster(Raster { area: frame.area, color: Box::new(color) });
    picture::notes(&mut drawn, &frame, recording, Color::PAPER);
    let subtitle = format!("{}  ·  Hann windows of {}", recording.describe(), samples(image.window));
    frame.labels(&mut drawn, &format!("Spectrogram of {}", recording.name), &subtitle);
    color_bar(&mut drawn, &frame, &scale);
    drawn
}

/// The level between two places on the bins' scale: the highest bin between them, or, where they lie within one step,
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
