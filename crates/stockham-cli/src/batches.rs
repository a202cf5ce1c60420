//! Many transforms of one length through a device's memory, as many at a time as it has room for.

use stockham::plan::HostBytes;
use stockham::{Buffer, Data, Device, Error as LibraryError, Executable, Layout, Transform};

use crate::error::Result;
use crate::memory;

/// More at a time than this gains nothing: the transfers dominate.
const ENOUGH_BYTES: usize = 1 << 28;

/// Bytes that are on the host at a time, on their way from a file to the device or back.
const CHUNK_BYTES: usize = 1 << 20;

/// An executable for some lines at a time, with its memory: a buffer that is transformed in place, if the layouts allow it.
pub struct Batches<T> {
    executable: Executable,
    data: Buffer<T>,
    /// Where the results go if not in place.
    results: Option<Buffer<T>>,
    staging: Vec<T>,
    /// Values of a chunk.
    chunk: usize,
    lines: usize,
    line_len: usize,
}

impl<T: Data> Batches<T> {
    /// Plans `one`, the description of a single contiguous transform, for `count` of them (at least one).
    ///
    /// Sliced digits lie across all transforms, which therefore run at once.
    pub fn new(device: &Device, one: &Transform, count: usize) -> Result<Self> {
        if is_sliced(one) {
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
        let is_in_place = one.input_layout == one.output_layout;
        let batch = one.clone().batch(lines);
        let executable = device.plan(&if is_in_place { batch.in_place() } else { batch })?;
        // Values of another kind than the algebra's are refused when they run.
        let per_element = T::per_element(one.algebra).unwrap_or(1);
        let len = executable.transform().input_len() * per_element;
        let data = device.alloc(len)?;
        let results = if is_in_place { None } else { Some(device.alloc(len)?) };
        // The workspace is allocated by each run; asking for it now finds a lack of memory while it can be answered.
        drop(device.alloc::<T>(executable.workspace_len() * per_element)?);
        let element_bytes = per_element * size_of::<T>();
        let chunk = if is_sliced(one) { len } else { len.min((CHUNK_BYTES / element_bytes).max(1) * per_element) };
        let line_len = one.points() * per_element;
        Ok(Self { executable, data, results, staging: Vec::new(), chunk, lines, line_len })
    }

    /// What the transforms of a batch of `count` take of the host's memory, their tables included.
    pub fn host_bytes(device: &Device, one: &Transform, count: usize) -> usize {
        let line = one.points().saturating_mul(one.algebra.element_bytes());
        let data = if is_sliced(one) { line.saturating_mul(count) } else { Self::staging_bytes(one, count) };
        let copies = if one.input_layout == one.output_layout { 1 } else { 2 };
        let lines = data / line.max(1);
        let HostBytes { plan, run } = HostBytes::of(&one.clone().batch(lines.max(1)));
        let own = usize::try_from(plan.saturating_add(run)).unwrap_or(usize::MAX);
        let on_device = data.saturating_mul(copies).saturating_add(own);
        memory::of_host(device, if is_sliced(one) { data } else { 2 * CHUNK_BYTES }, on_device)
    }

    /// What [`run`](Self::run) takes beside that for what is on its way.
    pub fn staging_bytes(one: &Transform, count: usize) -> usize {
        let line = one.points().saturating_mul(one.algebra.element_bytes());
        line.saturating_mul(count.min((ENOUGH_BYTES / line.max(1)).max(1)))
    }

    /// Transforms run at a time.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// Transforms the lines that `fill` writes (up to [`lines`](Self::lines) of them) and returns the results.
    /// Lines that are not filled keep what they had.
    pub fn run(&mut self, fill: impl FnOnce(&mut [T]) -> Result<()>) -> Result<&[T]> {
        let mut lines = std::mem::take(&mut self.staging);
        lines.resize(self.data.len(), T::zeroed());
        fill(&mut lines)?;
        self.data.write(&lines)?;
        self.transform()?.read(&mut lines)?;
        self.staging = lines;
        Ok(&self.staging)
    }

    /// Transforms so many lines, which `fill` writes chunk by chunk, knowing the place of the first value, and gives their
    /// results to `take` likewise. A chunk is of whole elements, or all there is if digits are sliced.
    pub fn stream(
        &mut self,
        count: usize,
        mut fill: impl FnMut(usize, &mut [T]) -> Result<()>,
        mut take: impl FnMut(&[T]) -> Result<()>,
    ) -> Result<()> {
        let len = count.min(self.lines) * self.line_len;
        let mut staging = std::mem::take(&mut self.staging);
        staging.resize(self.chunk, T::zeroed());
        for start in (0..len).step_by(self.chunk) {
            let values = &mut staging[..self.chunk.min(len - start)];
            fill(start, values)?;
            self.data.slice_mut(start..start + values.len())?.write(values)?;
        }
        let chunk = self.chunk;
        let results = self.transform()?;
        for start in (0..len).step_by(chunk) {
            let values = &mut staging[..chunk.min(len - start)];
            results.slice(start..start + values.len())?.read(values)?;
            take(values)?;
        }
        self.staging = staging;
        Ok(())
    }

    fn transform(&mut self) -> Result<&Buffer<T>> {
        match &mut self.results {
            Some(results) => {
                self.executable.run(&self.data, &mut *results)?;
                Ok(results)
            }
            None => {
                self.executable.run_in_place(&mut self.data)?;
                Ok(&self.data)
            }
        }
    }
}

fn is_sliced(one: &Transform) -> bool {
    [one.input_layout, one.output_layout].contains(&Layout::Sliced)
}
