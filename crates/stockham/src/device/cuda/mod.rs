//! NVIDIA's devices through their driver and NVRTC, both found at run time.

mod context;
mod find;
pub(super) mod foreign;
mod graph;
mod map;
mod nvrtc;
mod overlap;
mod program;
mod staging;
mod stream;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::sync::Arc;

use cudarc::driver::sys;

use crate::algebra::Algebra;
use crate::error::{Error, Result};
use crate::kernel::{Dialect, KernelText};
use crate::plan::{Recipe, Step, StepFields};

use super::driver::{Driver, Memory, Program, Queue, StepProgram};
use super::gpu::{Gpu, Kernel, Launch};
use super::gpu_recipe;
use super::listing::Listing;
use super::replay::Recording;
use super::{DeviceInfo, compile, gpu_step};
use context::Context;
use stream::{CudaMemory, CudaStream};

/// A CUDA device with its primary context.
pub(super) struct Cuda {
    context: Arc<Context>,
}

pub(super) fn list() -> Listing {
    find::listing()
}

pub(super) fn open(index: usize) -> Result<Arc<dyn Driver>> {
    let found = find::devices().get(index).ok_or_else(|| Error::DeviceNotFound {
        name: format!("cuda:{index}"),
        found: format!("{} CUDA devices", find::devices().len()),
    })?;
    Ok(Arc::new(Cuda { context: Arc::new(Context::retain(found)?) }))
}

impl Driver for Cuda {
    fn info(&self) -> &DeviceInfo {
        &self.context.info
    }

    fn allocate(&self, bytes: usize) -> Result<Box<dyn Memory>> {
        Ok(Box::new(CudaMemory::allocate(&self.context, bytes)?))
    }

    fn new_stream(&self) -> Result<Arc<dyn Queue>> {
        Ok(Arc::new(CudaStream::create(&self.context)?))
    }

    fn prepare(self: Arc<Self>, recipe: &Recipe) -> Result<Arc<dyn Program>> {
        gpu_recipe::prepare(self, recipe)
    }

    fn prepare_step(self: Arc<Self>, step: &Step) -> Result<Arc<dyn StepProgram>> {
        gpu_step::prepare(self, step)
    }

    fn prepare_step_over(self: Arc<Self>, step: (&Step, Algebra), list: &StepFields) -> Result<Arc<dyn StepProgram>> {
        gpu_step::prepare_over(self, step, list)
    }

    fn synchronize(&self) -> Result<()> {
        let _entered = self.context.enter()?;
        // SAFETY: the context is current.
        self.context.check("cuCtxSynchronize", unsafe { sys::cuCtxSynchronize() })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Gpu for Cuda {
    fn dialect(&self) -> Dialect {
        Dialect::Cuda
    }

    fn compile(&self, texts: &[KernelText]) -> Result<Vec<Arc<dyn Kernel>>> {
        compile::in_parallel(texts, |text| program::compile(&self.context, text))
    }

    fn record(&self, launches: &[Launch<'_>]) -> Result<Option<Box<dyn Recording>>> {
        graph::record(&self.context, launches)
    }
}
