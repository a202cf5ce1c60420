//! OpenCL devices: GPUs of every vendor, and CPUs, through the loader that is found at run time.

mod find;
pub(super) mod foreign;
mod program;
mod queue;
mod raw;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use cl3::command_queue::{CL_QUEUE_PROFILING_ENABLE, create_command_queue, finish, release_command_queue};
use cl3::context::{create_context, release_context};
use cl3::event::{release_event, wait_for_events};
use cl3::memory::{CL_MEM_READ_WRITE, create_buffer, release_mem_object};
use cl3::types::cl_device_id;

use crate::algebra::Algebra;
use crate::error::{Error, Result};
use crate::kernel::{Dialect, KernelText};
use crate::plan::{Recipe, Step, StepFields};

use super::driver::{Driver, Memory, Program, Queue, StepProgram};
use super::gpu::{Gpu, Kernel};
use super::gpu_recipe;
use super::listing::Listing;
use super::{DeviceInfo, compile, gpu_step};
use find::RawDevice;
use queue::{ClMemory, ClQueue};
use raw::{Check, Handle};

/// An OpenCL device with a context.
pub(super) struct OpenCl {
    shared: Arc<Shared>,
}

/// What a device's memory, queues and kernels hold on to.
struct Shared {
    info: DeviceInfo,
    device: RawDevice,
    context: Handle,
    work: Mutex<Work>,
}

/// Where work may be under way, for waiting for all of it: OpenCL has no call for that.
#[derive(Default)]
struct Work {
    queues: Vec<Weak<Handle>>,
    /// The ends of queues that were dropped.
    ends: Vec<Arc<Handle>>,
}

pub(super) fn list() -> Listing {
    find::listing()
}

pub(super) fn open(index: usize) -> Result<Arc<dyn Driver>> {
    let found = find::devices().get(index).ok_or_else(|| Error::DeviceNotFound {
        name: format!("opencl:{index}"),
        found: format!("{} OpenCL devices", find::devices().len()),
    })?;
    let context =
        create_context(&[found.raw.0], ptr::null(), None, ptr::null_mut()).check(&found.info.id, "clCreateContext")?;
    // SAFETY: the context was just created, and this is its one reference.
    let context = unsafe { Handle::new(context, release_context) };
    Ok(Arc::new(OpenCl::new(found.info.clone(), found.raw, context)))
}

impl OpenCl {
    fn new(info: DeviceInfo, device: RawDevice, context: Handle) -> Self {
        Self { shared: Arc::new(Shared { info, device, context, work: Mutex::default() }) }
    }
}

impl Shared {
    fn id(&self) -> &str {
        &self.info.id
    }

    fn device(&self) -> cl_device_id {
        self.device.0
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn adopt_queue(self: &Arc<Self>, handle: Handle) -> Arc<dyn Queue> {
        let handle = Arc::new(handle);
        let mut work = self.work();
        work.queues.retain(|queue| queue.strong_count() > 0);
        work.queues.push(Arc::downgrade(&handle));
        drop(work);
        Arc::new(ClQueue::new(self.clone(), handle))
    }

    /// Keeps the end of a queue that is dropped with work under way.
    fn adopt_end(&self, event: Handle) {
        let mut work = self.work();
        work.ends.retain(|end| !queue::is_complete(end));
        work.ends.push(Arc::new(event));
    }

    fn synchronize(&self) -> Result<()> {
        // Waiting goes without the lock, so that other threads may submit meanwhile.
        let (queues, ends) = {
            let work = self.work();
            (work.queues.iter().filter_map(Weak::upgrade).collect::<Vec<_>>(), work.ends.clone())
        };
        let mut outcome = Ok(());
        // A failure of one must not leave the others unwaited for.
        for queue in &queues {
            outcome = outcome.and(finish(queue.raw()).check(self.id(), "clFinish"));
        }
        for end in &ends {
            outcome = outcome.and(wait_for_events(&[end.raw()]).check(self.id(), "clWaitForEvents"));
        }
        self.work().ends.retain(|end| !queue::is_complete(end));
        outcome
    }

    fn out_of_memory(&self, requested: u64) -> Error {
        Error::OutOfMemory { device: self.info.id.clone(), requested, total: self.info.memory_bytes }
    }
}

impl Driver for OpenCl {
    fn info(&self) -> &DeviceInfo {
        &self.shared.info
    }

    fn allocate(&self, bytes: usize) -> Result<Box<dyn Memory>> {
        use cl3::error_codes as code;
        let shared = &self.shared;
        if bytes as u64 > shared.info.memory_bytes {
            // Some drivers, NVIDIA's among them, would find out when the memory is first used.
            return Err(shared.out_of_memory(bytes as u64));
        }
        // SAFETY: the context is valid, and there is no host memory.
        let buffer = unsafe { create_buffer(shared.context.raw(), CL_MEM_READ_WRITE, bytes, ptr::null_mut()) };
        let buffer = buffer.map_err(|status| match status {
            code::CL_MEM_OBJECT_ALLOCATION_FAILURE
            | code::CL_OUT_OF_RESOURCES
            | code::CL_OUT_OF_HOST_MEMORY
            | code::CL_INVALID_BUFFER_SIZE => shared.out_of_memory(bytes as u64),
            _ => raw::driver_error(shared.id(), "clCreateBuffer", status),
        })?;
        // SAFETY: the buffer was just created, and this is its one reference.
        let buffer = unsafe { Handle::new(buffer, release_mem_object) };
        Ok(Box::new(ClMemory::new(shared.clone(), buffer, bytes)))
    }

    fn new_stream(&self) -> Result<Arc<dyn Queue>> {
        let shared = &self.shared;
        // SAFETY: the device belongs to the context.
        let queue = unsafe { create_command_queue(shared.context.raw(), shared.device(), CL_QUEUE_PROFILING_ENABLE) };
        let queue = queue.check(shared.id(), "clCreateCommandQueue")?;
        // SAFETY: the queue was just created, and this is its one reference.
        Ok(shared.adopt_queue(unsafe { Handle::new(queue, release_command_queue) }))
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
        self.shared.synchronize()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Gpu for OpenCl {
    fn dialect(&self) -> Dialect {
        // Only NVIDIA tells a compute capability.
        if self.shared.info.compute_capability.is_some() { Dialect::OpenClNvidia } else { Dialect::OpenCl }
    }

    fn compile(&self, texts: &[KernelText]) -> Result<Vec<Arc<dyn Kernel>>> {
        compile::in_parallel(texts, |text| program::compile(&self.shared, text))
    }
}

/// # Safety
/// `event` must be an event with one reference that the handle takes over.
unsafe fn event_handle(event: *mut std::ffi::c_void) -> Handle {
    // SAFETY: as the caller promises.
    unsafe { Handle::new(event, release_event) }
}
