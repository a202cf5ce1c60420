//! Memory, streams and contexts that other libraries made, used without copies.
//!
//! Host slices are borrowed as Rust borrows. All else is `unsafe`, because a raw handle says nothing of how long it lives.
//! Handles that OpenCL can count are retained; CUDA's are only borrowed.

pub mod cpu;
pub mod cuda;
pub mod opencl;

use crate::error::{Error, Result};

use super::Device;

/// Bytes at a multiple of which memory of such values must begin, as kernels load one, or an aligned part of it, at once.
fn alignment_of<T>() -> usize {
    align_of::<T>().max((size_of::<T>() & size_of::<T>().wrapping_neg()).min(16))
}

fn bytes_of<T>(device: &Device, len: usize) -> Result<usize> {
    len.checked_mul(size_of::<T>()).ok_or_else(|| Error::OutOfMemory {
        device: device.info().id.clone(),
        requested: u64::MAX,
        total: device.info().memory_bytes,
    })
}
