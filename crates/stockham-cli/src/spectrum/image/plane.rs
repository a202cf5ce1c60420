//! The spectrum of a picture: levels over two frequencies.

use std::f64::consts::PI;

use stockham::{Complex32, Device, Fft};

use crate::error::Result;
use crate::memory;

use super::raster::Raster;

/// Levels of the waves that a picture is the sum of: a sine from black to white has 0 dB.
pub struct Plane {
    width: usize,
    height: usize,
    /// Of each row, from the frequency 0 on, those to the right: the others are the same, seen from the middle.
    half: Vec<f32>,
}

/// The level of nothing: below what any picture resolves.
pub const NOTHING: f64 = -200.0;

/// What all this takes of the host's memory: a decoded pixel, its luminance, its spectrum and its level, and copies on the way.
pub fn host_bytes(device: &Device, (width, height): (u32, u32)) -> usize {
    let pixels = (width as usize).saturating_mul(height as usize);
    memory::of_host(device, pixels.saturating_mul(36), pixels.saturating_mul(16))
}

impl Plane {
    /// Transforms a picture, under a Hann window, so that its edges do not show, and without its mean.
    pub fn of(device: &Device, raster: &Raster) -> Result<Self> {
        let (width, height) = (raster.width, raster.height);
        let (across, down) = (hann(width), hann(height));
        let weight = |i: usize| across[i % width] * down[i / width];
        let weights: f64 = across.iter().sum::<f64>() * down.iter().sum::<f64>();
        let sum: f64 = raster.pixels.iter().enumerate().map(|(i, value)| weight(i) * f64::from(*value)).sum();
        let mean = sum / weights;
        let windowed = raster.pixels.iter().enumerate();
        let windowed: Vec<f32> = windowed.map(|(i, value)| (weight(i) * (f64::from(*value) - mean)) as f32).collect();

        let plan = Fft::real::<f32>([height, width]).plan(device)?;
        let mut spectrum = device.alloc::<Complex32>(plan.transform().output_len())?;
        plan.run(&device.upload(&windowed)?, &mut spectrum)?;
        drop(windowed);
        // A sine of amplitude ½ is two waves of ¼.
        let level = |z: &Complex32| 20.0 * (4.0 * f64::from(z.norm()) / weights).log10();
        let half = spectrum.to_vec()?.iter().map(|z| level(z).max(NOTHING) as f32).collect();
        Ok(Self { width, height, half })
    }

    /// Bins across and down.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The level of a bin, counted from the middle to the right and downwards; beyond the plane it begins anew.
    pub fn level(&self, right: isize, down: isize) -> f64 {
        let (x, y) = (right.rem_euclid(self.width as isize) as usize, down.rem_euclid(self.height as isize) as usize);
        let kept = self.width / 2 + 1;
        let (x, y) = if x < kept { (x, y) } else { (self.width - x, (self.height - y) % self.height) };
        f64::from(self.half[y * kept + x])
    }
}

/// The Hann window between the places of n pixels, so that even few have weights.
fn hann(n: usize) -> Vec<f64> {
    (0..n).map(|i| (PI * (i as f64 + 0.5) / n as f64).sin().powi(2)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plane_is_seen_from_its_middle() {
        for (width, height) in [(1, 1), (8, 6), (7, 5), (2, 9)] {
            let pixels = (0..width * height).map(|i| ((i * i + 3 * i) % 17) as f32 / 16.0).collect();
            let raster = Raster { name: String::new(), width, height, pixels };
            let plane = Plane::of(&Device::cpu(), &raster).unwrap();
            assert_eq!(plane.size(), (width, height));
            for (right, down) in [(0, 0), (1, 2), (-3, 1), (2, -2), (4, 3)] {
                let level = plane.level(right, down);
                assert!((level - plane.level(-right, -down)).abs() < 1e-3 && level >= NOTHING);
                assert_eq!(level, plane.level(right + width as isize, down - height as isize));
            }
        }
    }
}
