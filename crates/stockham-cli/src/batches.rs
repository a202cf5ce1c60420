//! Many transforms of one shape through a device's memory, as many at a time as it has room for.

use std::any::Any;

use stockham::plan::HostBytes;
use stockham::{Buffer, Data, Device, Error as LibraryError, Executable, Kind, Layout, Transform};

use crate::error::Result;
use crate::memory;

/// More at a time than this gains nothing: the transfers dominate.
const ENOUGH_BYTES: usize = 1 << 28;

/// Bytes that are on the host at a time, on their way from a file to the device or back.
const CHUNK_BYTES: usize = 1 << 19;

/// An executable for some of them at a time, with its memory: a buffer that is transformed in place, if both sides are alike.
pub struct Batches<I, O = I> {
    executable: Executable,
    data: Buffer<I>,
    /// Where the results go if not in place.
    results: Option<Buffer<O>>,
    staging: Vec<I>,
    sides: Sides,
    lines: usize,
}

/// Values of a single transform, and of a chunk, in the input and in the output.
struct Sides {
    line: (usize, usize),
    chunk: (usize, usize),
}

impl<I: Data, O: Data> Batches<I, O> {
    /// Plans `one`, the description of a single transform without gaps, for `count` of them (at least one).
    ///
    /// Sliced digits lie across all transforms, which therefore run at once.
    pub fn new(device: &Device, one: &Transform, count: usize) -> Result<Self> {
        if is_sliced(one) {
            return Ok(Self::of_lines(device, one, count)?);
        }
        let room = usize::try_from(device.info().max_allocation_bytes).unwrap_or(usize::MAX);
        let mut parts = count.div_ceil((ENOUGH_BYTES.min(room) / line_bytes(one)).max(1));
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
        let batch = one.clone().repeated(lines);
        let executable = device.plan(&if is_in_place(one) { batch.in_place() } else { batch })?;
        // Values of another kind than the transform's are refused when they run.
        let (per_input, per_output) = match one.kind {
            Kind::Dft => (I::per_element(one.algebra).unwrap_or(1), O::per_element(one.algebra).unwrap_or(1)),
            _ => (1, 1),
        };
        let line = (one.input_len() * per_input, one.output_len() * per_output);
        let data = device.alloc(line.0 * lines)?;
        let results = if is_in_place(one) { None } else { Some(device.alloc(line.1 * lines)?) };
        // The workspace is allocated by each run; asking for it now finds a lack of memory while it can be answered.
        let workspace = executable.workspace_len().saturating_mul(one.algebra.element_bytes());
        drop(device.alloc::<u32>(workspace / size_of::<u32>())?);
        let of_side = |len: usize, per_element: usize, bytes: usize| {
            let element_bytes = per_element * bytes;
            if is_sliced(one) { len } else { len.min((CHUNK_BYTES / element_bytes).max(1) * per_element) }
        };
        let chunk =
            (of_side(line.0 * lines, per_input, size_of::<I>()), of_side(line.1 * lines, per_output, size_of::<O>()));
        Ok(Self { executable, data, results, staging: Vec::new(), sides: Sides { line, chunk }, lines })
    }

    /// What the transforms of a batch of `count` take of the host's memory, their tables included.
    pub fn host_bytes(device: &Device, one: &Transform, count: usize) -> usize {
        let line = line_bytes(one);
        let data = if is_sliced(one) { line.saturating_mul(count) } else { Self::staging_bytes(one, count) };
        let copies = if is_in_place(one) { 1 } else { 2 };
        let lines = data / line;
        let HostBytes { plan, run } = HostBytes::of(&one.clone().repeated(lines.max(1)));
        let own = usize::try_from(plan.saturating_add(run)).unwrap_or(usize::MAX);
        let on_device = data.saturating_mul(copies).saturating_add(own);
        memory::of_host(device, if is_sliced(one) { data } else { 2 * CHUNK_BYTES }, on_device)
    }

    /// What [`run`](Self::run) takes beside that for what is on its way.
    pub fn staging_bytes(one: &Transform, count: usize) -> usize {
        let line = line_bytes(one);
        line.saturating_mul(count.min((ENOUGH_BYTES / line).max(1)))
    }

    /// Transforms run at a time.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// Transforms so many, which `fill` writes chunk by chunk, knowing the place of the first value, and gives their
    /// results to `take` likewise. A chunk is of whole elements, or all there is if digits are sliced.
    pub fn stream(
        &mut self,
        count: usize,
        mut fill: impl FnMut(usize, &mut [I]) -> Result<()>,
        mut take: impl FnMut(&[O]) -> Result<()>,
    ) -> Result<()> {
        let Sides { line, chunk } = self.sides;
        let count = count.min(self.lines);
        let mut staging = vec![I::zeroed(); chunk.0];
        for start in (0..count * line.0).step_by(chunk.0) {
            let values = &mut staging[..chunk.0.min(count * line.0 - start)];
            fill(start, values)?;
            self.data.slice_mut(start..start + values.len())?.write(values)?;
        }
        // Before results take their place.
        drop(staging);
        let results = self.transform()?;
        let mut values = vec![O::zeroed(); chunk.1];
        for start in (0..count * line.1).step_by(chunk.1) {
            let values = &mut values[..chunk.1.min(count * line.1 - start)];
            results.slice(start..start + values.len())?.read(values)?;
            take(values)?;
        }
        Ok(())
    }

    fn transform(&mut self) -> Result<&Buffer<O>> {
        match &mut self.results {
            Some(results) => {
                self.executable.run(&self.data, &mut *results)?;
                Ok(results)
            }
            None => {
                self.executable.run_in_place(&mut self.data)?;
                let data: &dyn Any = &self.data;
                Ok(data.downcast_ref().expect("in place both sides are alike"))
            }
        }
    }
}

impl<T: Data> Batches<T> {
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
}

/// Bytes of a transform, in the larger of its sides.
fn line_bytes(one: &Transform) -> usize {
    one.input_len().max(one.output_len()).saturating_mul(one.algebra.element_bytes()).max(1)
}

fn is_in_place(one: &Transform) -> bool {
    one.kind == Kind::Dft && one.input_layout == one.output_layout
}

fn is_sliced(one: &Transform) -> bool {
    [one.input_layout, one.output_layout].contains(&Layout::Sliced)
}
