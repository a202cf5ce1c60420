//! OpenCL contexts, memory objects and command queues of other libraries.
//!
//! They must come from the OpenCL loader that this library loads too (`libOpenCL.so.1`), as they do in one process.

use std::ffi::c_void;

use crate::algebra::Data;
use crate::device::opencl::foreign;
use crate::device::{Buffer, Device, Stream};
use crate::error::Result;

use super::bytes_of;

/// A device that works in another library's `cl_context`, which is retained.
///
/// Every call gives a device of its own, whose buffers fit no other: keep it.
///
/// # Errors
/// [`Error::DeviceMismatch`](crate::Error::DeviceMismatch) if the context does not hold the device;
/// [`Error::Driver`](crate::Error::Driver) as OpenCL reports; a file of wisdom in the environment that cannot be read.
///
/// # Safety
/// `context` must be a valid `cl_context`, and `device` a valid `cl_device_id`.
pub unsafe fn device(context: *mut c_void, device: *mut c_void) -> Result<Device> {
    // SAFETY: as the caller promises.
    Device::from_driver(unsafe { foreign::device(context, device) }?)
}

/// A `cl_mem` of the device's context as a buffer of `len` elements. The memory object is retained.
///
/// # Errors
/// [`Error::DeviceMismatch`](crate::Error::DeviceMismatch) if `device` is no OpenCL device or the object belongs to
/// another context; [`Error::BufferLength`](crate::Error::BufferLength) if it is shorter;
/// [`Error::Alignment`](crate::Error::Alignment) if it uses the host's memory and that does not begin at a multiple of 16 bytes;
/// [`Error::Unsupported`](crate::Error::Unsupported) if it is an image or a pipe.
///
/// # Safety
/// - `memory` must be a valid `cl_mem`, a buffer that kernels may read and write.
/// - Work of other queues on this memory must be ordered with this library's by the caller.
/// - Nothing else may write the memory while a shared view of the buffer is used, or use it while a mutable one is.
pub unsafe fn buffer<T: Data>(device: &Device, memory: *mut c_void, len: usize) -> Result<Buffer<T>> {
    // SAFETY: as the caller promises.
    let memory = unsafe { foreign::memory(&**device.driver(), memory, bytes_of::<T>(device, len)?) }?;
    Ok(Buffer::from_memory(device.clone(), memory, len))
}

/// An in-order `cl_command_queue` of the device's context as a stream. The queue is retained. Times between its events
/// are known only if it was made with profiling.
///
/// # Errors
/// [`Error::DeviceMismatch`](crate::Error::DeviceMismatch) if `device` is no OpenCL device or the queue belongs to
/// another; [`Error::Unsupported`](crate::Error::Unsupported) if the queue is out-of-order.
///
/// # Safety
/// `queue` must be a valid `cl_command_queue`.
pub unsafe fn stream(device: &Device, queue: *mut c_void) -> Result<Stream> {
    // SAFETY: as the caller promises.
    let queue = unsafe { foreign::queue(&**device.driver(), queue) }?;
    Ok(Stream::new(device.driver().clone(), queue))
}

/// The `cl_mem` of a buffer on an OpenCL device; valid as long as the buffer.
pub fn memory<T: Data>(buffer: &Buffer<T>) -> Option<*mut c_void> {
    foreign::raw_memory(&**buffer.memory())
}

/// The `cl_command_queue` of a stream on an OpenCL device; valid as long as the stream.
pub fn handle(stream: &Stream) -> Option<*mut c_void> {
    foreign::raw_queue(stream.queue())
}
