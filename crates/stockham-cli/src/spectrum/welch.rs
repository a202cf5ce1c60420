//! Welch's method: the recording is cut into overlapping frames, each is windowed and transformed, and the powers are
//! averaged, over the whole recording or over each column of a picture.

use std::f64::consts::TAU;

use stockham::{Complex32, Device, Transform};

use crate::batches::Batches;
use crate::error::Result;

use super::recording::Recording;

/// How a recording is cut.
pub struct Frames {
    /// Samples of a frame.
    pub window: usize,
    /// Points of its transform; what is beyond the window is zero.
    pub points: usize,
    /// Samples from one frame to the next.
    pub hop: usize,
}

/// Levels over frequency.
pub struct Spectrum {
    /// For each bin from 0 Hz the level of a sine there, in dBFS: one of full scale has 0. Noise is lower by as much as
    /// the bins are narrow.
    pub levels: Vec<f64>,
    /// Hertz from bin to bin.
    pub bin_hz: f64,
    /// Half the width of a sine's peak, in bins.
    pub lobe: f64,
    /// How many frames were averaged.
    pub averaged: usize,
    /// Samples of a frame.
    pub window: usize,
}

impl Spectrum {
    /// `15 Hann windows of 16384 samples averaged`.
    pub fn describe(&self) -> String {
        match self.averaged {
            1 => format!("one Hann window of {}", samples(self.window)),
            n => format!("{n} Hann windows of {} averaged", samples(self.window)),
        }
    }
}

/// `1 sample`, `16384 samples`.
pub fn samples(count: usize) -> String {
    format!("{count} sample{}", if count == 1 { "" } else { "s" })
}

/// Levels over time and frequency.
pub struct Image {
    /// For each column, the levels as in [`Spectrum`].
    pub columns: Vec<Vec<f64>>,
    /// Hertz from bin to bin.
    pub bin_hz: f64,
    /// Samples of a frame.
    pub window: usize,
}

/// Below what any sound card resolves; keeps silence finite.
const SILENCE: f64 = 1e-20;

/// The spectrum of the whole recording.
pub fn average(device: &Device, recording: &Recording, frames: &Frames) -> Result<Spectrum> {
    let mut power = vec![0.0; frames.bins()];
    let count = frames.count(recording);
    frames.each(device, recording, |_, frame| power.iter_mut().zip(frame).for_each(|(sum, p)| *sum += p))?;
    Ok(Spectrum {
        levels: power.iter().map(|p| decibels(p / count as f64)).collect(),
        bin_hz: frames.bin_hz(recording),
        lobe: 2.0 * frames.points as f64 / frames.window as f64,
        averaged: count,
        window: frames.window,
    })
}

/// The spectrum of each of up to `columns` equal parts of the recording.
pub fn over_time(device: &Device, recording: &Recording, frames: &Frames, columns: usize) -> Result<Image> {
    let count = frames.count(recording);
    let columns = columns.min(count);
    let mut sums = vec![vec![0.0; frames.bins()]; columns];
    let mut counts = vec![0usize; columns];
    frames.each(device, recording, |index, frame| {
        let column = index * columns / count;
        counts[column] += 1;
        sums[column].iter_mut().zip(frame).for_each(|(sum, p)| *sum += p);
    })?;
    let mean = |(sum, count): (Vec<f64>, &usize)| sum.iter().map(|p| decibels(p / *count as f64)).collect();
    let columns = sums.into_iter().zip(&counts).map(mean).collect();
    Ok(Image { columns, bin_hz: frames.bin_hz(recording), window: frames.window })
}

impl Frames {
    /// What these frames take of the host's memory: a batch of them, their tables, and the levels of so many columns twice.
    pub fn host_bytes(&self, device: &Device, recording: &Recording, columns: usize) -> usize {
        let count = self.count(recording);
        let batch = Batches::<Complex32>::host_bytes(device, &self.transform(), count);
        let on_host = Batches::<Complex32>::staging_bytes(&self.transform(), count);
        let levels = self.bins().saturating_mul(2 * size_of::<f64>()).saturating_mul(columns.min(count));
        batch.saturating_add(on_host).saturating_add(levels)
    }

    /// That of a frame.
    fn transform(&self) -> Transform {
        Transform::new(stockham::Algebra::ComplexF32, self.points)
    }

    fn bins(&self) -> usize {
        self.points / 2 + 1
    }

    fn bin_hz(&self, recording: &Recording) -> f64 {
        f64::from(recording.rate) / self.points as f64
    }

    /// Whole frames only: a last one padded with silence would add a step.
    fn count(&self, recording: &Recording) -> usize {
        (recording.samples.len() - self.window) / self.hop + 1
    }

    /// Hands the square of a sine's amplitude in each bin to `sink`, for each frame.
    fn each(&self, device: &Device, recording: &Recording, mut sink: impl FnMut(usize, &[f64])) -> Result<()> {
        let count = self.count(recording);
        let window = hann(self.window);
        // In f32 the squares of samples far from 1 would leave its range.
        let scale = recording.samples.iter().map(|x| f64::from(x.abs())).fold(0.0, f64::max);
        let scale = if scale > 0.0 { scale } else { 1.0 };
        // Half of a sine's amplitude stands at the negative frequencies.
        let unit = (2.0 * scale / window.iter().sum::<f64>()).powi(2);
        let mut batches = Batches::<Complex32>::new(device, &self.transform(), count)?;
        let mut power = vec![0.0; self.bins()];
        for first in (0..count).step_by(batches.lines()) {
            let last = (first + batches.lines()).min(count);
            let lines = batches.run(|lines| {
                for (index, line) in (first..last).zip(lines.chunks_exact_mut(self.points)) {
                    let samples = &recording.samples[index * self.hop..][..self.window];
                    let mean = samples.iter().map(|x| f64::from(*x)).sum::<f64>() / samples.len() as f64;
                    line.fill(Complex32::ZERO);
                    for ((x, sample), w) in line.iter_mut().zip(samples).zip(&window) {
                        *x = Complex32::from(((f64::from(*sample) - mean) / scale * w) as f32);
                    }
                }
                Ok(())
            })?;
            for (index, line) in (first..last).zip(lines.chunks_exact(self.points)) {
                for (k, (p, x)) in power.iter_mut().zip(line).enumerate() {
                    let sides = if k == 0 || k == self.points / 2 { 0.5 } else { 1.0 };
                    *p = (f64::from(x.re).powi(2) + f64::from(x.im).powi(2)) * unit * sides;
                }
                sink(index, &power);
            }
        }
        Ok(())
    }
}

/// The periodic Hann window. A window of one or two samples is left as it is: there is nothing to taper.
fn hann(n: usize) -> Vec<f64> {
    if n < 3 {
        return vec![1.0; n];
    }
    (0..n).map(|i| 0.5 - 0.5 * (TAU * i as f64 / n as f64).cos()).collect()
}

fn decibels(power: f64) -> f64 {
    10.0 * power.max(SILENCE).log10()
}
