//! What the OpenCL and CUDA backends share: a recipe becomes kernels and tables, and a run becomes launches.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::kernel::KernelText;
use crate::plan::Recipe;

use super::driver::{Driver, KernelReport, Memory, Program, Queue};

/// A driver that compiles kernels.
pub(crate) trait Gpu: Driver {
    /// Compiles each text, or takes it from the program cache.
    fn compile(&self, texts: &[KernelText]) -> Result<Vec<Arc<dyn Kernel>>>;
}

/// A compiled kernel.
pub(crate) trait Kernel: Send + Sync {
    /// Submits `groups` work-groups of the kernel's group size.
    fn launch(&self, queue: &dyn Queue, groups: usize, arguments: &[Argument<'_>]) -> Result<()>;
    /// What the compiler told of it.
    fn report(&self) -> KernelReport;
}

/// A kernel's argument. Memory goes with its offset as an argument of its own, because OpenCL has no pointer arithmetic
/// on the host.
#[derive(Clone, Copy)]
pub(crate) enum Argument<'a> {
    Memory(&'a dyn Memory),
    U64(u64),
}

/// Makes a recipe ready on a device that compiles kernels.
pub(crate) fn prepare(_device: Arc<dyn Gpu>, _recipe: &Recipe) -> Result<Arc<dyn Program>> {
    Err(Error::unsupported("this device", "programs of kernels are to come"))
}
