//! Filters of signals without end, block by block.

use std::fmt;

use crate::device::Device;
use crate::error::Result;

use super::{Convolver, Mode, Sample, check_len, next_fast_len, points};

/// A block is so many times as long as its filter, that rounded up to a power of two. By the count of operations, L·(log2 L + 12)
/// for L − K + 1 samples, longer ones save less than a twentieth, and take more memory.
const TIMES: usize = 8;

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
    /// A filter of these taps, in blocks so long that few samples are transformed twice.
    ///
    /// # Errors
    /// [`Error::Signal`](crate::Error::Signal) if there are no taps; as [`Device::plan`].
    pub fn plan(device: &Device, taps: &[T]) -> Result<Self> {
        let longest = taps.len().checked_next_power_of_two().unwrap_or(taps.len());
        Self::with_block(device, taps, longest.saturating_mul(TIMES).max(LEAST))
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
