//! OpenCL objects that were made outside of this library.

use std::ffi::c_void;
use std::sync::Arc;

use cl3::command_queue::{
    CL_QUEUE_CONTEXT, CL_QUEUE_DEVICE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROPERTIES,
    get_command_queue_data, release_command_queue, retain_command_queue,
};
use cl3::context::{CL_CONTEXT_DEVICES, get_context_data, release_context, retain_context};
use cl3::memory::{
    CL_MEM_CONTEXT, CL_MEM_HOST_PTR, CL_MEM_OBJECT_BUFFER, CL_MEM_SIZE, CL_MEM_TYPE, get_mem_object_data,
    release_mem_object, retain_mem_object,
};

use crate::error::{Error, Result};

use super::super::driver::{Driver, Memory, Queue};
use super::find::{self, RawDevice};
use super::queue::{ClMemory, ClQueue};
use super::raw::{Check, Handle, number, pointer};
use super::{OpenCl, Shared};

const DEVICE: &str = "opencl";

/// Bytes of the largest vectors that kernels load at once.
const ALIGNMENT: usize = 16;

/// # Safety
/// `context` and `device` must be valid.
pub(crate) unsafe fn device(context: *mut c_void, device: *mut c_void) -> Result<Arc<dyn Driver>> {
    let devices = get_context_data(context, CL_CONTEXT_DEVICES).check(DEVICE, "clGetContextInfo")?;
    if !devices.chunks_exact(size_of::<usize>()).any(|bytes| pointer(bytes) == Some(device)) {
        return Err(Error::DeviceMismatch { what: "device identifier", device: "the given OpenCL context".into() });
    }
    let raw = RawDevice(device);
    let mut info = find::describe(device).info;
    // The device's usual name where it has one: it tells people what computes, though the context is another.
    let known = find::devices().iter().find(|known| known.raw == raw);
    info.id = known.map_or_else(|| "opencl:foreign".into(), |known| known.info.id.clone());
    // SAFETY: the caller promises a valid context.
    unsafe { retain_context(context) }.check(&info.id, "clRetainContext")?;
    // SAFETY: the reference was just taken.
    let context = unsafe { Handle::new(context, release_context) };
    Ok(Arc::new(OpenCl::new(info, raw, context)))
}

/// # Safety
/// `buffer` must be a valid memory object.
pub(crate) unsafe fn memory(driver: &dyn Driver, buffer: *mut c_void, bytes: usize) -> Result<Arc<dyn Memory>> {
    let shared = shared(driver, "OpenCL memory")?;
    let data = |property| get_mem_object_data(buffer, property).check(shared.id(), "clGetMemObjectInfo");
    if pointer(&data(CL_MEM_CONTEXT)?) != Some(shared.context.raw()) {
        return Err(Error::DeviceMismatch { what: "memory object", device: shared.info.id.clone() });
    }
    if number(&data(CL_MEM_TYPE)?) != Some(u64::from(CL_MEM_OBJECT_BUFFER)) {
        return Err(Error::unsupported("a memory object that is no buffer", "elements are read from buffers only"));
    }
    let found = number(&data(CL_MEM_SIZE)?).unwrap_or(0) as usize;
    if found < bytes {
        return Err(Error::BufferLength { buffer: "memory object in bytes", expected: bytes, found });
    }
    // What a driver allocates begins at a multiple of all vectors' sizes; the host's memory begins anywhere.
    let host = pointer(&data(CL_MEM_HOST_PTR)?).unwrap_or(std::ptr::null_mut());
    if !host.addr().is_multiple_of(ALIGNMENT) {
        let address = host.addr() as u64;
        return Err(Error::Alignment { what: "host memory of a memory object", address, alignment: ALIGNMENT });
    }
    // SAFETY: the caller promises a valid memory object.
    unsafe { retain_mem_object(buffer) }.check(shared.id(), "clRetainMemObject")?;
    // SAFETY: the reference was just taken.
    let buffer = unsafe { Handle::new(buffer, release_mem_object) };
    Ok(Arc::new(ClMemory::new(shared.clone(), buffer, found)))
}

/// # Safety
/// `queue` must be a valid command queue.
pub(crate) unsafe fn queue(driver: &dyn Driver, queue: *mut c_void) -> Result<Arc<dyn Queue>> {
    let shared = shared(driver, "OpenCL queue")?;
    let data = |property| get_command_queue_data(queue, property).check(shared.id(), "clGetCommandQueueInfo");
    let is_ours = pointer(&data(CL_QUEUE_CONTEXT)?) == Some(shared.context.raw())
        && pointer(&data(CL_QUEUE_DEVICE)?) == Some(shared.device());
    if !is_ours {
        return Err(Error::DeviceMismatch { what: "command queue", device: shared.info.id.clone() });
    }
    if number(&data(CL_QUEUE_PROPERTIES)?).is_none_or(|bits| bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE != 0) {
        return Err(Error::unsupported("an out-of-order command queue", "streams are in-order"));
    }
    // SAFETY: the caller promises a valid queue.
    unsafe { retain_command_queue(queue) }.check(shared.id(), "clRetainCommandQueue")?;
    // SAFETY: the reference was just taken.
    Ok(shared.adopt_queue(unsafe { Handle::new(queue, release_command_queue) }))
}

/// The `cl_mem` of an OpenCL device's memory.
pub(crate) fn raw_memory(memory: &dyn Memory) -> Option<*mut c_void> {
    Some(memory.as_any().downcast_ref::<ClMemory>()?.raw())
}

/// The `cl_command_queue` of an OpenCL device's stream.
pub(crate) fn raw_queue(queue: &dyn Queue) -> Option<*mut c_void> {
    Some(queue.as_any().downcast_ref::<ClQueue>()?.raw())
}

fn shared<'a>(driver: &'a dyn Driver, what: &'static str) -> Result<&'a Arc<Shared>> {
    let opencl = driver.as_any().downcast_ref::<OpenCl>();
    opencl.map(|opencl| &opencl.shared).ok_or_else(|| Error::DeviceMismatch { what, device: driver.info().id.clone() })
}
