//! Segments of a signal under a window, transformed.

use crate::algebra::{Direction, Element};
use crate::builder::TransformBuilder;
use crate::device::{Device, Executable};
use crate::error::{Error, Result};
use crate::host_memory;
use crate::parallel;
use crate::transform::Kind;

use super::{Sample, points};

/// Points on a device at a time.
const ENOUGH_POINTS: usize = 1 << 20;

/// Checks a window and the distance of segments.
pub fn check(window: &[f64], hop: usize) -> Result<()> {
    points("window", &[window.len()])?;
    if (1..=window.len()).contains(&hop) {
        return Ok(());
    }
    let expected = format!("from 1 to the window's length {}", window.len());
    Err(Error::Signal { what: "distance between segments", expected, found: hop.to_string() })
}

/// Points of the spectrum of a segment.
pub fn bins<T: Sample>(n: usize) -> usize {
    if T::KIND == Kind::Real { n / 2 + 1 } else { n }
}

fn plan<T: Sample>(device: &Device, n: usize, count: usize, direction: Direction) -> Result<Executable> {
    let builder = TransformBuilder::new(T::Complex::ALGEBRA, T::KIND, n).batch(count);
    builder.direction(direction).plan(device)
}

/// Transforms so many segments of n samples, which `fill` makes one by one, and gives `take` each of the spectra, in order.
pub fn transform<T: Sample>(
    device: &Device,
    (n, count): (usize, usize),
    fill: impl Fn(usize, &mut [T]) + Sync,
    mut take: impl FnMut(usize, &[T::Complex]),
) -> Result<()> {
    let (together, mut known) = ((ENOUGH_POINTS / n).clamp(1, count.max(1)), None);
    for first in (0..count).step_by(together) {
        let segments = together.min(count - first);
        let round = match known.take().filter(|_| segments == together) {
            Some(round) => round,
            None => {
                let executable = plan::<T>(device, n, segments, Direction::Forward)?;
                let (samples, points) = (executable.transform().input_len(), executable.transform().output_len());
                (executable, device.alloc::<T>(samples)?, device.alloc::<T::Complex>(points)?)
            }
        };
        let (executable, data, spectra) = known.insert(round);
        let mut host = host_memory::zeroed::<T>(segments * n)?;
        parallel::chunks(&mut host, n, 1, |i, segment| fill(first + i, segment));
        data.write(&host)?;
        executable.run(&*data, &mut *spectra)?;
        for (i, spectrum) in spectra.to_vec()?.chunks_exact(bins::<T>(n)).enumerate() {
            take(first + i, spectrum);
        }
    }
    Ok(())
}

/// Transforms spectra back, and gives `take` each of the segments, in order.
pub fn inverse<T: Sample>(
    device: &Device,
    n: usize,
    spectra: &[T::Complex],
    mut take: impl FnMut(usize, &[T]),
) -> Result<()> {
    let (bins, together) = (bins::<T>(n), (ENOUGH_POINTS / n).max(1));
    for (part, spectra) in spectra.chunks(bins * together).enumerate() {
        let executable = plan::<T>(device, n, spectra.len() / bins, Direction::Inverse)?;
        let mut data = device.alloc::<T>(executable.transform().output_len())?;
        executable.run(&device.upload(spectra)?, &mut data)?;
        for (i, segment) in data.to_vec()?.chunks_exact(n).enumerate() {
            take(part * together + i, segment);
        }
    }
    Ok(())
}

/// Puts a part of a signal into a segment, with zeros before and behind it: that from `start` on, counted from the first sample.
pub fn cut<T: Sample>(x: &[T], start: isize, segment: &mut [T]) {
    segment.fill(T::zeroed());
    let from = start.max(0) as usize;
    let skipped = start.min(0).unsigned_abs();
    if let (Some(source), Some(target)) = (x.get(from..), segment.get_mut(skipped..)) {
        let count = source.len().min(target.len());
        target[..count].copy_from_slice(&source[..count]);
    }
}

/// Weighs a segment.
pub fn weigh<T: Sample>(segment: &mut [T], window: &[f64]) {
    segment.iter_mut().zip(window).for_each(|(x, w)| *x = x.times(*w));
}
