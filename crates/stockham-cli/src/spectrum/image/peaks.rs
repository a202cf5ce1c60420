//! Waves that stand out of a picture's spectrum.

use super::super::peaks::{hann_lobe, shift};
use super::plane::{NOTHING, Plane};

/// A wave, in cycles a pixel to the right and upwards; seen from the middle there is another, which is the same.
#[derive(Debug, Clone, Copy)]
pub struct Wave {
    /// To the right: 0 to ½.
    pub right: f64,
    /// Upwards: −½ to ½.
    pub up: f64,
    /// The level of a sine there: 0 dB is one from black to white.
    pub level: f64,
}

impl Wave {
    /// Pixels from crest to crest.
    pub fn period(&self) -> f64 {
        1.0 / self.right.hypot(self.up)
    }

    /// The direction from crest to crest, in degrees: 0 to the right, 90 upwards.
    pub fn degrees(&self) -> f64 {
        self.up.atan2(self.right).to_degrees()
    }
}

/// How many are listed.
const STRONGEST: usize = 8;
/// How far a peak rises over the level around it, in dB.
const PROMINENCE: f64 = 12.0;
/// Peaks this far below the strongest may come of the rounding to 8 bits.
const RANGE: f64 = 40.0;
/// Bins to each side within which a peak is the highest, which is as far as the window spreads one, …
const REACH: isize = 2;
/// … and within which the level around it is looked up.
const AROUND: isize = 6;

/// The strongest, in that order.
pub fn strongest(plane: &Plane) -> Vec<Wave> {
    let (width, height) = plane.size();
    let (right, down) = ((width / 2) as isize, (height / 2) as isize);
    let mut tops: Vec<(isize, isize, f64)> = Vec::new();
    for y in -down..height as isize - down {
        for x in 0..=right {
            // Of two that are each other's mirror image, the upper one; what lies about the middle is no wave, but drifts.
            let is_lower = (x == 0 || 2 * x == width as isize) && y > 0;
            let level = plane.level(x, y);
            if !is_lower && x.abs().max(y.abs()) > REACH && level > NOTHING && is_top(plane, (x, y), level) {
                tops.push((x, y, level));
            }
        }
    }
    tops.sort_by(|a, b| b.2.total_cmp(&a.2));
    let floor = tops.first().map_or(0.0, |top| top.2 - RANGE);
    let standing = tops.into_iter().take_while(|top| top.2 >= floor);
    let standing = standing.filter(|(x, y, level)| *level >= around(plane, (*x, *y)) + PROMINENCE);
    standing.take(STRONGEST).map(|(x, y, _)| interpolate(plane, (x, y))).collect()
}

fn is_top(plane: &Plane, (x, y): (isize, isize), level: f64) -> bool {
    let side = -REACH..=REACH;
    // Of bins of the same level, between which a wave is, the first.
    let is_lower = |i: isize, j: isize| {
        let other = plane.level(x + i, y + j);
        if (j, i) < (0, 0) { other < level } else { other <= level }
    };
    side.clone().all(|i| side.clone().all(|j| is_lower(i, j)))
}

/// The median level around a bin, beyond the reach of a wave there.
fn around(plane: &Plane, (x, y): (isize, isize)) -> f64 {
    let side = -AROUND..=AROUND;
    let mut levels: Vec<f64> = side
        .clone()
        .flat_map(|i| side.clone().map(move |j| (i, j)))
        .filter(|(i, j)| i.abs().max(j.abs()) > REACH)
        .map(|(i, j)| plane.level(x + i, y + j))
        .collect();
    let middle = levels.len() / 2;
    *levels.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// The place between the bins, as of recordings, across and down.
fn interpolate(plane: &Plane, (x, y): (isize, isize)) -> Wave {
    let (width, height) = plane.size();
    let across = shift([-1, 0, 1].map(|i| plane.level(x + i, y)));
    let down = shift([-1, 0, 1].map(|i| plane.level(x, y + i)));
    let level = plane.level(x, y) - hann_lobe(across) - hann_lobe(down);
    let (right, up) = ((x as f64 + across) / width as f64, -(y as f64 + down) / height as f64);
    // A wave straight up may be found on either side of the middle.
    let (right, up) = if right < 0.0 { (-right, -up) } else { (right, up) };
    Wave { right, up, level }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use stockham::Device;

    use super::super::raster::Raster;
    use super::*;

    fn waves(width: usize, height: usize, of: &[(f64, f64, f64)]) -> Vec<Wave> {
        let value = |i: usize| {
            let (x, y) = ((i % width) as f64, (i / width) as f64);
            let wave = |(right, up, amplitude): &(f64, f64, f64)| amplitude * (TAU * (right * x - up * y) + 0.3).sin();
            (0.5 + of.iter().map(wave).sum::<f64>()) as f32
        };
        let raster = Raster { name: String::new(), width, height, pixels: (0..width * height).map(value).collect() };
        strongest(&Plane::of(&Device::cpu(), &raster).unwrap())
    }

    #[test]
    fn waves_are_found_between_the_bins() {
        let of = [(0.125, 0.0, 0.2), (0.0613, 0.1837, 0.1), (0.3, -0.21, 0.05), (0.0, 0.4, 0.025)];
        let found = waves(200, 150, &of);
        assert_eq!(found.len(), of.len(), "{found:?}");
        for (found, (right, up, amplitude)) in found.iter().zip(of) {
            assert!((found.right - right).abs() < 2e-4 && (found.up - up).abs() < 2e-4, "{found:?}");
            assert!((found.level - 20.0 * (2.0 * amplitude).log10()).abs() < 0.3, "{found:?}");
        }
        assert!((found[0].period() - 8.0).abs() < 0.02 && found[0].degrees().abs() < 0.2);
    }

    #[test]
    fn nothing_stands_out_of_nothing() {
        assert!(waves(64, 64, &[]).is_empty());
        assert!(waves(1, 1, &[]).is_empty() && waves(3, 1, &[(0.3, 0.0, 0.1)]).len() <= 1);
    }
}
