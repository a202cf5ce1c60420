//! CUDA memory and streams that were made outside of this library.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::Arc;

use cudarc::driver::sys::{self, CUpointer_attribute, CUresult, CUstream};

use crate::error::{Error, Result};

use super::super::driver::{Driver, Memory, Queue};
use super::Cuda;
use super::context::Context;
use super::stream::{CudaMemory, CudaStream};

/// # Safety
/// The range must stay valid memory of the device for as long as the memory is used.
pub(crate) unsafe fn memory(driver: &dyn Driver, pointer: u64, bytes: usize) -> Result<Arc<dyn Memory>> {
    let context = context(driver, "CUDA memory")?;
    let _entered = context.enter()?;
    let mut ordinal: c_int = -1;
    let attribute = CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
    // SAFETY: writes one number; a pointer unknown to CUDA is an error.
    let code = unsafe { sys::cuPointerGetAttribute((&raw mut ordinal).cast(), attribute, pointer) };
    context.check("cuPointerGetAttribute", code)?;
    if ordinal != context.device() {
        return Err(Error::DeviceMismatch { what: "device pointer", device: context.info.id.clone() });
    }
    let (mut base, mut size) = (0, 0);
    // SAFETY: writes two numbers. Not every kind of memory has an address range, hence no error without one.
    let code = unsafe { sys::cuMemGetAddressRange_v2(&raw mut base, &raw mut size, pointer) };
    if code == CUresult::CUDA_SUCCESS {
        let found = size.saturating_sub(pointer.saturating_sub(base) as usize);
        if found < bytes {
            return Err(Error::BufferLength { buffer: "device memory in bytes", expected: bytes, found });
        }
    }
    // SAFETY: as the caller promises.
    Ok(Arc::new(unsafe { CudaMemory::foreign(context, pointer, bytes) }))
}

/// # Safety
/// The stream must stay valid for as long as the queue is used.
pub(crate) unsafe fn queue(driver: &dyn Driver, stream: *mut c_void) -> Result<Arc<dyn Queue>> {
    let context = context(driver, "CUDA stream")?;
    let stream: CUstream = stream.cast();
    let _entered = context.enter()?;
    let mut found = ptr::null_mut();
    // SAFETY: the caller promises a valid stream; the special ones (0, 1, 2) are the current context's.
    context.check("cuStreamGetCtx", unsafe { sys::cuStreamGetCtx(stream, &raw mut found) })?;
    if found != context.raw() {
        return Err(Error::DeviceMismatch { what: "CUDA stream", device: context.info.id.clone() });
    }
    // SAFETY: as the caller promises.
    Ok(Arc::new(unsafe { CudaStream::foreign(context, stream) }))
}

/// The address of a CUDA device's memory.
pub(crate) fn raw_memory(memory: &dyn Memory) -> Option<u64> {
    Some(memory.as_any().downcast_ref::<CudaMemory>()?.pointer())
}

/// The `CUstream` of a CUDA device's stream.
pub(crate) fn raw_queue(queue: &dyn Queue) -> Option<*mut c_void> {
    Some(queue.as_any().downcast_ref::<CudaStream>()?.raw().cast())
}

fn context<'a>(driver: &'a dyn Driver, what: &'static str) -> Result<&'a Arc<Context>> {
    let cuda = driver.as_any().downcast_ref::<Cuda>();
    cuda.map(|cuda| &cuda.context).ok_or_else(|| Error::DeviceMismatch { what, device: driver.info().id.clone() })
}
