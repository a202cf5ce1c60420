//! The picture of a picture's spectrum: both frequencies from −½ to ½ cycles a pixel, 0 in the middle.

use std::f64::consts::TAU;
use std::ops::RangeInclusive;

use rayon::prelude::*;

use crate::plot::{self, Anchor, Axis, Color, Frame, Picture, Text};

use super::super::colors::{color_bar, color_of};
use super::peaks::Wave;
use super::plane::{NOTHING, Plane};
use super::raster::Raster;

/// Pixels of each side of the plane, as it is drawn.
const SIDE: usize = 880;
/// What is around it for labels, across and down.
const MARGIN: (u32, u32) = (308, 218);
/// Pixels to its right, of these.
const RIGHT: f64 = 190.0;
/// Decibels shown at most.
const SPAN: f64 = 100.0;

/// Levels in colours, with rings around the waves that are listed.
pub fn draw(raster: &Raster, plane: &Plane, waves: &[Wave]) -> Picture {
    let mut picture = Picture::new(SIDE as u32 + MARGIN.0, SIDE as u32 + MARGIN.1);
    let (columns, rows) = (bins(plane.size().0), bins(plane.size().1));
    let highest = |x: &RangeInclusive<isize>, y: &RangeInclusive<isize>| {
        let cell = y.clone().flat_map(|down| x.clone().map(move |right| plane.level(right, down)));
        cell.fold(NOTHING, f64::max)
    };
    let row = |y: &RangeInclusive<isize>| columns.iter().map(|x| highest(x, y)).collect::<Vec<_>>();
    let cells: Vec<Vec<f64>> = rows.par_iter().map(row).collect();

    let scale = scale(&cells);
    let axis = |title: &str| Axis::linear(-0.5, 0.5, title);
    let (x, y) = (axis("frequency to the right (cycles a pixel)"), axis("frequency upwards (cycles a pixel)"));
    let frame = Frame::new(&picture, x, y, RIGHT);
    let colors = scale.clone();
    let place = |at: f64| ((at * SIDE as f64) as usize).min(SIDE - 1);
    let color = move |across: f64, down: f64| color_of(colors.place(cells[place(down)][place(across)]));
    picture.raster(plot::Raster { area: frame.area, color: Box::new(color) });
    for wave in waves {
        for side in [1.0, -1.0] {
            ring(&mut picture, frame.at(side * wave.right, side * wave.up));
        }
        label(&mut picture, &frame, wave);
    }
    let subtitle = format!("{}, grey by luminance  ·  Hann window", raster.describe());
    frame.labels(&mut picture, &format!("Spectrum of {}", raster.name), &subtitle);
    color_bar(&mut picture, &frame, &scale);
    picture
}

/// The bins of each column or row of cells: those whose middles are in it, or else the nearest.
fn bins(n: usize) -> Vec<RangeInclusive<isize>> {
    let edge = |cell: usize| (cell as f64 / SIDE as f64 - 0.5) * n as f64;
    let cell = |cell: usize| {
        let (first, next) = (edge(cell).ceil() as isize, edge(cell + 1).ceil() as isize);
        let nearest = ((edge(cell) + edge(cell + 1)) / 2.0).round() as isize;
        if first < next { first..=next - 1 } else { nearest..=nearest }
    };
    (0..SIDE).map(cell).collect()
}

/// From the highest level to where most of the plane is.
fn scale(cells: &[Vec<f64>]) -> Axis {
    let mut levels: Vec<f64> = cells.concat();
    levels.sort_by(f64::total_cmp);
    let highest = levels[levels.len() - 1];
    let top = if highest > NOTHING { (highest / 5.0).ceil() * 5.0 } else { 0.0 };
    let low = levels[levels.len() / 50].clamp(top - SPAN, top - 20.0);
    Axis::linear((low / 5.0).floor() * 5.0, top, "level (dB)")
}

fn ring(picture: &mut Picture, (x, y): (f64, f64)) {
    const RADIUS: f64 = 11.0;
    let corner = |i: i32| (TAU * f64::from(i) / 32.0).sin_cos();
    let ring = (0..=32).map(corner).map(|(sin, cos)| (x + RADIUS * cos, y + RADIUS * sin)).collect();
    picture.line(ring, Color::PAPER, 1.5);
}

/// The period, beside the ring, towards the middle from the edge.
fn label(picture: &mut Picture, frame: &Frame, wave: &Wave) {
    let (x, y) = frame.at(wave.right, wave.up);
    let (anchor, shift) = if wave.right > 0.4 { (Anchor::End, -17.0) } else { (Anchor::Start, 17.0) };
    let words = format!("{:.1} px", wave.period());
    picture.text(Text::new((x + shift, y), words).size(17.0).anchor(anchor).color(Color::PAPER));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bin_is_drawn_at_its_frequency() {
        for n in [1, 2, 7, 64, 879, 880, 881, 2001, 4096] {
            let cells = bins(n);
            let mut seen = vec![false; n];
            for (cell, range) in cells.iter().enumerate() {
                for bin in range.clone() {
                    seen[bin.rem_euclid(n as isize) as usize] = true;
                    let (at, middle) = (bin as f64 / n as f64 + 0.5, (cell as f64 + 0.5) / SIDE as f64);
                    let half = 0.5 / n.min(SIDE) as f64;
                    assert!((at - middle).abs() < half * 1.001, "{n}: bin {bin} in cell {cell}");
                }
            }
            assert!(seen.iter().all(|seen| *seen), "{n}");
        }
    }
}
