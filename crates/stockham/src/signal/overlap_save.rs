//! Filters of signals without end, block by block.

use std::fmt;

use crate::device::Device;
use crate::error::Result;
use crate::transform::Kind;

use super::{Convolver, Mode, Sample, check_len, next_fast_len, points};

/// What a point of a block costs beside each of its levels: it is copied to and fro, and multiplied. Measured on a CPU.
const BESIDE: f64 = 12.0;

/// Blocks that are looked at: of the filter's length rounded up to a power of two, up to 2^3 of it.
const DOUBLINGS: u32 = 3;

/// A block has as many points at least: shorter ones are all overhead.
const LEAST: usize = 1 << 12;

/// A finite impulse response filter of one channel that is fed samples as they come, and gives those that it has: the convolution
/// of all of them, by overlap-save (T. G. Stockham, "High-Speed Convolution and Correlation", 1966).
///
/// ```
/// use stockham::signal::OverlapSave;
/// use stockham::Device;
/// let mut difference = OverlapSave::plan(&Device::cpu(), &[1f64, -1.0])?;
/// let mut y = difference.push(&[1.0, 4.0])?;
/// y.extend(difference.push(&[9.0])?);
/// y.extend(difference.flush()?);
/// assert_eq!(y.len(), 4);
/// assert!(y.iter().zip([1.0, 3.0, 5.0, -9.0]).all(|(y, expected)| (y - expected).abs() < 1e-14));
/// # Ok::<(), stockham::Error>(())
/// ```
pub struct OverlapSave<T: Sample> {
    blocks: Convolver<T>,
    /// Points of a block, of which those of the filter but one are the last ones of the block before.
    block: usize,
    overlap: usize,
    /// What is not filtered yet, after the overlap.
    pending: Vec<T>,
    /// Whether a sample has come since the beginning.
    is_begun: bool,
}

impl<T: Sample> OverlapSave<T> {
    /// A filter of these taps, in blocks of the length that costs least for each sample.
    ///
    /// # Errors
    /// [`Error::Signal`](crate::Error::Signal) if there are no taps; as [`Device::plan`].
    pub fn plan(device: &Device, taps: &[T]) -> Result<Self> {
        points("taps of the filter", &[taps.len()])?;
        Self::with_block(device, taps, best_block(taps.len(), T::KIND))
    }

    /// The same in blocks of so many points, or one that holds the filter and is [fast](next_fast_len). A shorter block gives its
    /// samples sooner.
    ///
    /// # Errors
    /// As [`plan`](Self::plan).
    pub fn with_block(device: &Device, taps: &[T], block: usize) -> Result<Self> {
        points("taps of the filter", &[taps.len()])?;
        let (block, overlap) = (next_fast_len(block.max(taps.len()), T::KIND), taps.len() - 1);
        let blocks = Convolver::plan(device, block, taps, taps.len(), Mode::Valid)?;
        Ok(Self { blocks, block, overlap, pending: vec![T::zeroed(); overlap], is_begun: false })
    }

    /// Samples that each block takes on, and gives.
    pub fn step(&self) -> usize {
        self.block - self.overlap
    }

    /// Takes samples, as many as one likes, and gives those of the output that are complete by blocks.
    ///
    /// # Errors
    /// As [`Convolver::apply`].
    pub fn push(&mut self, samples: &[T]) -> Result<Vec<T>> {
        self.is_begun |= !samples.is_empty();
        self.pending.extend_from_slice(samples);
        self.filter()
    }

    /// Gives what is left: the samples that have not come out, and those that follow the last one that came in, one less than
    /// there are taps. Then the filter begins anew.
    ///
    /// # Errors
    /// As [`Convolver::apply`].
    pub fn flush(&mut self) -> Result<Vec<T>> {
        let mut output = Vec::new();
        if self.is_begun {
            let left = self.pending.len();
            let blocks = left.div_ceil(self.step());
            self.pending.resize(blocks * self.step() + self.overlap, T::zeroed());
            output = self.filter()?;
            output.truncate(left);
        }
        self.pending = vec![T::zeroed(); self.overlap];
        self.is_begun = false;
        Ok(output)
    }

    /// Filters all whole blocks.
    fn filter(&mut self) -> Result<Vec<T>> {
        let step = self.step();
        let count = (self.pending.len() - self.overlap) / step;
        if count == 0 {
            return Ok(Vec::new());
        }
        let mut inputs = Vec::with_capacity(count * self.block);
        (0..count).for_each(|i| inputs.extend_from_slice(&self.pending[i * step..][..self.block]));
        let output = self.blocks.apply(&inputs)?;
        check_len("output", count * step, output.len())?;
        self.pending.drain(..count * step);
        Ok(output)
    }
}

impl<T: Sample> fmt::Debug for OverlapSave<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OverlapSave of {} taps in blocks of {}", self.overlap + 1, self.block)
    }
}

/// The length of a block for which a sample costs least, if a point costs its levels and [`BESIDE`].
fn best_block(taps: usize, kind: Kind) -> usize {
    let least = taps.checked_next_power_of_two().unwrap_or(taps);
    let blocks = (1..=DOUBLINGS).map(|doublings| next_fast_len(least.saturating_mul(1 << doublings).max(LEAST), kind));
    let cost = |block: &usize| *block as f64 * ((*block as f64).log2() + BESIDE) / (*block - (taps - 1)) as f64;
    blocks.min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap_or(least)
}
