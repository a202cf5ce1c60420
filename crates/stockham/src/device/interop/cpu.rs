//! Host slices as memory of the CPU device, without a copy. A loan ends with the slice's borrow, and what is submitted to the
//! CPU is done when the call returns; so nothing here is `unsafe`.

use std::fmt;
use std::marker::PhantomData;

use crate::algebra::Data;
use crate::device::cpu::memory::HostMemory;
use crate::device::{Backend, Buffer, Device, Slice, SliceMut};
use crate::error::{Error, Result};

/// A host slice that the CPU device reads.
pub struct Lent<'a, T> {
    buffer: Buffer<T>,
    borrow: PhantomData<&'a [T]>,
}

/// A host slice that the CPU device reads and writes.
pub struct LentMut<'a, T> {
    buffer: Buffer<T>,
    borrow: PhantomData<&'a mut [T]>,
}

/// Lends a slice to the CPU device, to be read.
///
/// ```
/// use stockham::interop::cpu::{lend, lend_mut};
/// use stockham::{Algebra, Complex64, Device, Transform};
/// let x = [1.0, 2.0, 3.0, 4.0].map(Complex64::from);
/// let mut y = [Complex64::ZERO; 4];
/// let device = Device::cpu();
/// let executable = device.plan(&Transform::new(Algebra::ComplexF64, 4))?;
/// executable.run(&lend(&device, &x)?, &mut lend_mut(&device, &mut y)?)?;
/// assert_eq!(y[1], Complex64::new(-2.0, 2.0));
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// [`Error::DeviceMismatch`] if the device is not the CPU.
pub fn lend<'a, T: Data>(device: &Device, slice: &'a [T]) -> Result<Lent<'a, T>> {
    // SAFETY: the loan ends with the borrow; a `Lent` gives shared views only, and nobody writes through those.
    let buffer = unsafe { buffer(device, slice.as_ptr().cast_mut(), slice.len()) }?;
    Ok(Lent { buffer, borrow: PhantomData })
}

/// Lends a slice to the CPU device, to be read and written.
///
/// # Errors
/// As [`lend`].
pub fn lend_mut<'a, T: Data>(device: &Device, slice: &'a mut [T]) -> Result<LentMut<'a, T>> {
    // SAFETY: the loan ends with the borrow, which is the only one.
    let buffer = unsafe { buffer(device, slice.as_mut_ptr(), slice.len()) }?;
    Ok(LentMut { buffer, borrow: PhantomData })
}

/// # Safety
/// A slice lies there, and is borrowed as long as the buffer is used, to be written if the buffer is.
unsafe fn buffer<T: Data>(device: &Device, pointer: *mut T, len: usize) -> Result<Buffer<T>> {
    if device.info().backend != Backend::Cpu {
        return Err(Error::DeviceMismatch { what: "host slice", device: device.info().id.clone() });
    }
    // SAFETY: as the caller promises. The memory does not leave the buffer: views of it cannot outlive that.
    let memory = unsafe { HostMemory::lent(pointer.cast(), len * size_of::<T>()) };
    Ok(Buffer::from_memory(device.clone(), memory, len))
}

impl<'b, T> From<&'b Lent<'_, T>> for Slice<'b, T> {
    fn from(lent: &'b Lent<'_, T>) -> Self {
        (&lent.buffer).into()
    }
}

impl<'b, T> From<&'b LentMut<'_, T>> for Slice<'b, T> {
    fn from(lent: &'b LentMut<'_, T>) -> Self {
        (&lent.buffer).into()
    }
}

impl<'b, T> From<&'b mut LentMut<'_, T>> for SliceMut<'b, T> {
    fn from(lent: &'b mut LentMut<'_, T>) -> Self {
        (&mut lent.buffer).into()
    }
}

impl<T: Data> fmt::Debug for Lent<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "host slice of {} elements, lent", self.buffer.len())
    }
}

impl<T: Data> fmt::Debug for LentMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "host slice of {} elements, lent to be written", self.buffer.len())
    }
}
