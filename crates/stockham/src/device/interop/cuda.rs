//! CUDA pointers and streams of other libraries.
//!
//! A CUDA [`Device`] works in the device's primary context, which CUDA's runtime, PyTorch, CuPy and JAX share.

use std::ffi::c_void;

use crate::algebra::Data;
use crate::device::cuda::foreign;
use crate::device::{Buffer, Device, Stream};
use crate::error::{Error, Result};

use super::{alignment_of, bytes_of};

/// Device memory of another library as a buffer, which does not own it.
///
/// # Errors
/// [`Error::DeviceMismatch`] if `device` is no CUDA device or the memory is another device's; [`Error::BufferLength`]
/// if the allocation is shorter, where CUDA can tell; [`Error::Driver`] if CUDA does not know the pointer;
/// [`Error::Alignment`] if it is not at a multiple of a value's bytes (of 8 for `Complex<f32>`, of 16 for `Complex<f64>`).
///
/// # Safety
/// - `pointer` (a `CUdeviceptr`) must point to `len` elements of `T` that stay allocated as long as the buffer, and as
///   long as work submitted with it.
/// - Work of other streams on this memory must be ordered with this library's by the caller.
/// - Nothing else may write the memory while a shared view of the buffer is used, or use it while a mutable one is.
pub unsafe fn buffer<T: Data>(device: &Device, pointer: u64, len: usize) -> Result<Buffer<T>> {
    let alignment = alignment_of::<T>();
    if !pointer.is_multiple_of(alignment as u64) {
        return Err(Error::Alignment { what: "device pointer", address: pointer, alignment });
    }
    // SAFETY: as the caller promises.
    let memory = unsafe { foreign::memory(&**device.driver(), pointer, bytes_of::<T>(device, len)?) }?;
    Ok(Buffer::from_memory(device.clone(), memory, len))
}

/// A stream of another library (a `CUstream` or `cudaStream_t`), which is not destroyed here.
///
/// # Errors
/// [`Error::DeviceMismatch`] if `device` is no CUDA device, or if the stream belongs to another context than the
/// device's primary one.
///
/// # Safety
/// `stream` must stay valid as long as the returned stream and its clones.
pub unsafe fn stream(device: &Device, stream: *mut c_void) -> Result<Stream> {
    // SAFETY: as the caller promises.
    let queue = unsafe { foreign::queue(&**device.driver(), stream) }?;
    Ok(Stream::new(device.driver().clone(), queue))
}

/// The `CUdeviceptr` of a buffer on a CUDA device; valid as long as the buffer.
pub fn pointer<T: Data>(buffer: &Buffer<T>) -> Option<u64> {
    foreign::raw_memory(&**buffer.memory())
}

/// The `CUstream` of a stream on a CUDA device; valid as long as the stream.
pub fn handle(stream: &Stream) -> Option<*mut c_void> {
    foreign::raw_queue(stream.queue())
}
