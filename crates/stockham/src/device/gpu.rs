//! What a backend is that compiles kernels: OpenCL's and CUDA's.

use std::any::Any;
use std::sync::Arc;

use crate::error::Result;
use crate::kernel::{Dialect, KernelText};

use super::driver::{Driver, KernelReport, Location, Memory, Queue};
use super::replay::Recording;

/// A driver that compiles kernels.
pub(crate) trait Gpu: Driver {
    /// The language of its kernels.
    fn dialect(&self) -> Dialect;
    /// Compiles each text, or takes it from the program cache.
    fn compile(&self, texts: &[KernelText]) -> Result<Vec<Arc<dyn Kernel>>>;
    /// Records launches, each of which waits for the one before it; nothing where that is not possible.
    fn record(&self, _launches: &[Launch<'_>]) -> Result<Option<Box<dyn Recording>>> {
        Ok(None)
    }
}

/// A launch with all that it takes.
pub(crate) struct Launch<'a> {
    pub kernel: &'a dyn Kernel,
    pub groups: usize,
    pub arguments: [Argument<'a>; 6],
}

/// A compiled kernel.
pub(crate) trait Kernel: Send + Sync + Any {
    /// Submits `groups` work-groups of the kernel's group size.
    fn launch(&self, queue: &dyn Queue, groups: usize, arguments: &[Argument<'_>]) -> Result<()>;
    /// What the compiler told of it.
    fn report(&self) -> KernelReport;
    fn as_any(&self) -> &dyn Any;
}

/// A kernel's argument. Memory goes with its offset as an argument of its own, because OpenCL has no pointer arithmetic
/// on the host.
#[derive(Clone, Copy)]
pub(crate) enum Argument<'a> {
    Memory(&'a dyn Memory),
    U64(u64),
}

impl<'a> Argument<'a> {
    /// A place in memory, its offset in units of so many bytes.
    pub fn place(place: Location<'a>, unit: usize) -> [Self; 2] {
        [Self::Memory(place.memory), Self::U64((place.offset / unit) as u64)]
    }
}
