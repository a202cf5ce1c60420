//! Many transforms of one length through a device's memory, as many at a time as it has room for.

use stockham::{Buffer, Data, Device, Error as LibraryError, Executable, Layout, Transform};

use crate::error::Result;

/// More at a time than this gains nothing: the transfers dominate.
const ENOUGH_BYTES: usize = 1 << 28;

/// An executable for some lines at a time, with its buffers.
pub struct Batches<T> {
    executable: Executable,
    input: Buffer<T>,
    output: Buffer<T>,
    staging: Vec<T>,
    lines: usize,
}

impl<T: Data> Batches<T> {
    /// Plans `one`, the description of a single contiguous transform, for `count` of them (at least one).
    ///
    /// Sliced digits lie across all transforms, which therefore run at once.
    pub fn new(device: &Device, one: &Transform, count: usize) -> Result<Self> {
        if [one.input_layout, one.output_layout].contains(&Layout::Sliced) {
            return Ok(Self::of_lines(device, one, count)?);
        }
        let line_bytes = one.points().saturating_mul(one.algebra.element_bytes()).max(1);
        let room = usize::try_from(device.info().max_allocation_bytes).unwrap_or(usize::MAX);
        let mut parts = count.div_ceil((ENOUGH_BYTES.min(room) / line_bytes).max(1));
        loop {
            // Equal parts, so that the last is hardly padded.
            let lines = count.div_ceil(parts).max(1);
            match Self::of_lines(device, one, lines) {
                Err(LibraryError::OutOfMemory { .. }) if lines > 1 => parts = count.div_ceil(lines / 2),
                result => return Ok(result?),
            }
        }
    }

    fn of_lines(device: &Device, one: &Transform, lines: usize) -> std::result::Result<Self, LibraryError> {
        let executable = device.plan(&one.clone().batch(lines))?;
        // Values of another kind than the algebra's are refused when they run.
        let per_element = T::per_element(one.algebra).unwrap_or(1);
        let len = executable.transform().input_len() * per_element;
        let (input, output) = (device.alloc(len)?, device.alloc(len)?);
        // The workspace is allocated by each run; asking for it now finds a lack of memory while it can be answered.
        drop(device.alloc::<T>(executable.workspace_len() * per_element)?);
        Ok(Self { executable, input, output, staging: vec![T::zeroed(); len], lines })
    }

    /// Transforms run at a time.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// Transforms the lines that `fill` writes (up to [`lines`](Self::lines) of them) and returns the results.
    /// Lines that are not filled keep what they had.
    pub fn run(&mut self, fill: impl FnOnce(&mut [T]) -> Result<()>) -> Result<&[T]> {
        fill(&mut self.staging)?;
        self.input.write(&self.staging)?;
        self.executable.run(&self.input, &mut self.output)?;
        self.output.read(&mut self.staging)?;
        Ok(&self.staging)
    }
}
