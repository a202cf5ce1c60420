//! What a backend provides. A new backend is one file that implements these traits, and one line in `discover.rs`.

use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

use crate::algebra::Algebra;
use crate::error::{Error, Result};
use crate::plan::{Recipe, Step, StepFields};

use super::DeviceInfo;

/// A device's driver: memory, streams, and transforms made ready to run.
pub(crate) trait Driver: Send + Sync + Any {
    fn info(&self) -> &DeviceInfo;
    /// Uninitialised device memory.
    fn allocate(&self, bytes: usize) -> Result<Box<dyn Memory>>;
    /// A new stream (queue) of its own, ordered with no other.
    fn new_stream(&self) -> Result<Arc<dyn Queue>>;
    /// Makes a recipe ready: compiles its kernels, uploads its tables.
    fn prepare(self: Arc<Self>, recipe: &Recipe) -> Result<Arc<dyn Program>>;
    /// Makes a step ready.
    fn prepare_step(self: Arc<Self>, step: &Step) -> Result<Arc<dyn StepProgram>>;
    /// Makes a product, or an inner product, ready over a list of fields, of which the algebra is that of the largest prime, in one
    /// launch.
    fn prepare_step_over(self: Arc<Self>, _: (&Step, Algebra), _: &StepFields) -> Result<Arc<dyn StepProgram>> {
        Err(Error::unsupported("a step over a list of fields", "this device takes them one by one"))
    }
    /// Waits for everything submitted to the device.
    fn synchronize(&self) -> Result<()>;
    fn as_any(&self) -> &dyn Any;
}

/// A range of device memory. Freed when dropped, after the work that uses it.
pub(crate) trait Memory: Send + Sync + Any {
    fn bytes(&self) -> usize;
    /// Where it begins on the device, if that can be told: as long as it lives, no other memory begins there.
    fn address(&self) -> Option<u64> {
        None
    }
    /// The object that it is part of, and where it begins there: bytes of one object that overlap are the same. By its address,
    /// all memory is one object.
    fn place(&self) -> Option<(u64, u64)> {
        Some((0, self.address()?))
    }
    fn as_any(&self) -> &dyn Any;
}

/// An in-order stream of work.
pub(crate) trait Queue: Send + Sync + Any {
    /// Copies host bytes to the device; the host bytes may be reused when it returns.
    fn write(&self, target: &dyn Memory, offset: usize, bytes: &[u8]) -> Result<()>;
    /// Copies device bytes to the host, after all work before it on this stream, and waits for them.
    fn read(&self, source: &dyn Memory, offset: usize, bytes: &mut [u8]) -> Result<()>;
    /// Copies within the device, asynchronously.
    fn copy(&self, source: Location<'_>, target: Location<'_>, bytes: usize) -> Result<()>;
    /// Marks the present end of the stream.
    fn record(&self) -> Result<Box<dyn Mark>>;
    /// Makes later work on this stream wait for a mark of another stream of the same device.
    fn wait(&self, mark: &dyn Mark) -> Result<()>;
    /// Hands the work to the device without waiting for it; some drivers hold work back until someone waits.
    fn flush(&self) -> Result<()> {
        Ok(())
    }
    /// Waits until everything before is done.
    fn finish(&self) -> Result<()>;
    fn as_any(&self) -> &dyn Any;
}

/// A point in a stream.
pub(crate) trait Mark: Send + Sync + Any {
    fn wait(&self) -> Result<()>;
    /// Milliseconds of device time from an earlier mark to this one. Waits for both.
    fn milliseconds_since(&self, earlier: &dyn Mark) -> Result<f64>;
    fn as_any(&self) -> &dyn Any;
}

/// A place in memory.
#[derive(Clone, Copy)]
pub(crate) struct Location<'a> {
    pub memory: &'a dyn Memory,
    /// In bytes.
    pub offset: usize,
}

impl Location<'_> {
    /// Whether it is at a multiple of so many bytes. Memory of which the device does not tell where it begins was allocated by
    /// its driver, at a multiple of all vectors' sizes, or was checked when it came from elsewhere.
    pub fn is_at_multiple_of(&self, bytes: usize) -> bool {
        let begin = self.memory.address().unwrap_or(0);
        begin.wrapping_add(self.offset as u64).is_multiple_of(bytes as u64)
    }
}

/// Where a transform reads, writes and keeps intermediate results. Lengths were checked before.
#[derive(Clone, Copy)]
pub(crate) struct Operands<'a> {
    pub input: Location<'a>,
    /// The same location as the input for a transform in place.
    pub output: Location<'a>,
    pub workspace: Option<Location<'a>>,
}

/// A transform made ready for one device.
pub(crate) trait Program: Send + Sync {
    /// The number of launches that make up the transform.
    fn launches(&self) -> usize {
        1
    }
    /// Submits some launches, or all, to the stream and returns.
    fn enqueue(&self, queue: &dyn Queue, operands: Operands<'_>, launches: Range<usize>) -> Result<()>;
    /// Submits all launches for the first entries of the outermost batch dimension alone.
    fn enqueue_first(&self, _: &dyn Queue, _: Operands<'_>, entries: usize) -> Result<()> {
        Err(Error::unsupported(format!("{entries} entries of a batch"), "they are all done"))
    }
    /// What the device's compiler told of each kernel, if there are some.
    fn reports(&self) -> Vec<KernelReport> {
        Vec::new()
    }
}

/// Where a step reads and writes. Lengths were checked before.
#[derive(Clone, Copy)]
pub(crate) struct StepOperands<'a> {
    /// The same as the target for a step in place.
    pub source: Extent<'a>,
    pub target: Extent<'a>,
    /// The other factor of a product; the scratch memory of carries.
    pub other: Option<Extent<'a>>,
}

/// A place in memory and the number of elements from there on.
#[derive(Clone, Copy)]
pub(crate) struct Extent<'a> {
    pub location: Location<'a>,
    pub len: usize,
}

/// A step made ready for one device.
pub(crate) trait StepProgram: Send + Sync {
    /// Submits the step to the stream and returns.
    fn enqueue(&self, queue: &dyn Queue, operands: StepOperands<'_>) -> Result<()>;
    /// Elements of scratch memory for a target of that length.
    fn scratch_len(&self, _target_len: usize) -> usize {
        0
    }
    /// What the device's compiler told of each kernel.
    fn reports(&self) -> Vec<KernelReport> {
        Vec::new()
    }
}

/// What a kernel costs, as far as the device tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelReport {
    /// The kernel's name.
    pub name: String,
    /// Registers a thread.
    pub registers: Option<u32>,
    /// Bytes a thread spills to memory.
    pub spilled_bytes: Option<u32>,
    /// Local (shared) memory a work-group, in bytes.
    pub local_bytes: u32,
}
