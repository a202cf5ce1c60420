//! Typed device memory and ranges of it.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};
use std::sync::Arc;

use crate::algebra::Data;
use crate::error::{Error, Result};
use crate::host_memory;

use super::disjoint::{self, Range};
use super::driver::{Location, Memory};
use super::{Device, Stream};

/// `len` values of type `T` on a device: elements, or digits of a big prime's elements. Its memory is freed when it is dropped,
/// after the work that was submitted and uses it.
pub struct Buffer<T> {
    device: Device,
    memory: Arc<dyn Memory>,
    len: usize,
    marker: PhantomData<T>,
}

impl<T: Data> Buffer<T> {
    pub(crate) fn from_memory(device: Device, memory: Arc<dyn Memory>, len: usize) -> Self {
        Self { device, memory, len, marker: PhantomData }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The device whose memory it is.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// A view of some of the elements.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if the range does not lie within the buffer.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Result<Slice<'_, T>> {
        let (start, len) = self.resolve(range)?;
        Ok(Slice { buffer: self, start, len })
    }

    /// A view that may be written.
    ///
    /// # Errors
    /// As [`slice`](Self::slice).
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> Result<SliceMut<'_, T>> {
        let (start, len) = self.resolve(range)?;
        Ok(SliceMut { buffer: self, start, len })
    }

    /// The elements, copied to the host after all work submitted to the device.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] of the host; what the driver reports.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        Slice::from(self).to_vec()
    }

    /// Copies the elements to `host` after all work submitted to the device.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if `host` has another length; what the driver reports.
    pub fn read(&self, host: &mut [T]) -> Result<()> {
        Slice::from(self).read(host)
    }

    /// Copies the elements to `host` after the work before it on `stream`, and waits.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_on(&self, stream: &Stream, host: &mut [T]) -> Result<()> {
        Slice::from(self).read_on(stream, host)
    }

    /// Copies `host` to the device after all work submitted to it.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn write(&mut self, host: &[T]) -> Result<()> {
        self.device.synchronize()?;
        let device = self.device.clone();
        self.write_on(device.default_stream(), host)?;
        device.default_stream().synchronize()
    }

    /// Copies `host` to the device, in the order of `stream`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn write_on(&mut self, stream: &Stream, host: &[T]) -> Result<()> {
        check_len("host slice", self.len, host.len())?;
        stream.check_device(&self.device)?;
        stream.queue().write(&*self.memory, 0, bytemuck::cast_slice(host))
    }

    /// Copies another buffer's elements, in the order of `stream`.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if the lengths differ; [`Error::DeviceMismatch`] if the devices do; [`Error::Overlap`] if both
    /// are the same foreign memory.
    pub fn copy_from(&mut self, stream: &Stream, source: &Buffer<T>) -> Result<()> {
        check_len("source", self.len, source.len)?;
        stream.check_device(&self.device)?;
        stream.check_device(&source.device)?;
        disjoint::check(&[Slice::from(source).range("source"), Slice::from(&*self).range("target")])?;
        stream.queue().copy(source.location(0), self.location(0), self.len * size_of::<T>())
    }

    fn resolve(&self, range: impl RangeBounds<usize>) -> Result<(usize, usize)> {
        let start = match range.start_bound() {
            Bound::Included(&s) => s,
            Bound::Excluded(&s) => s.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&e) => e.saturating_add(1),
            Bound::Excluded(&e) => e,
            Bound::Unbounded => self.len,
        };
        if start <= end && end <= self.len {
            Ok((start, end - start))
        } else {
            Err(Error::BufferLength { buffer: "sliced buffer", expected: end.max(start), found: self.len })
        }
    }

    pub(crate) fn memory(&self) -> &Arc<dyn Memory> {
        &self.memory
    }

    pub(super) fn location(&self, start: usize) -> Location<'_> {
        Location { memory: &*self.memory, offset: start * size_of::<T>() }
    }
}

fn check_len(buffer: &'static str, expected: usize, found: usize) -> Result<()> {
    if found == expected { Ok(()) } else { Err(Error::BufferLength { buffer, expected, found }) }
}

impl<T> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer of {} elements on {}", self.len, self.device.info().id)
    }
}

/// Some elements of a [`Buffer`], to be read.
pub struct Slice<'a, T> {
    buffer: &'a Buffer<T>,
    start: usize,
    len: usize,
}

/// Some elements of a [`Buffer`], to be written.
pub struct SliceMut<'a, T> {
    buffer: &'a mut Buffer<T>,
    start: usize,
    len: usize,
}

impl<'a, T: Data> Slice<'a, T> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The elements, copied to the host after all work submitted to the device.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] of the host; what the driver reports.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        // Their pages are there.
        let mut host = host_memory::zeroed(self.len)?;
        self.device().synchronize()?;
        self.copy_to(self.device().default_stream(), &mut host)?;
        Ok(host)
    }

    /// Copies the elements to `host` after all work submitted to the device.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if `host` has another length; what the driver reports.
    pub fn read(&self, host: &mut [T]) -> Result<()> {
        self.device().synchronize()?;
        self.read_on(self.device().default_stream(), host)
    }

    /// Copies the elements to `host` after the work before it on `stream`, and waits.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_on(&self, stream: &Stream, host: &mut [T]) -> Result<()> {
        check_len("host slice", self.len, host.len())?;
        stream.check_device(self.device())?;
        // While the device may still be at work.
        host_memory::prepare_pages(bytemuck::cast_slice_mut(host));
        self.copy_to(stream, host)
    }

    fn copy_to(&self, stream: &Stream, host: &mut [T]) -> Result<()> {
        let offset = self.start * size_of::<T>();
        stream.queue().read(&*self.buffer.memory, offset, bytemuck::cast_slice_mut(host))
    }

    pub(crate) fn location(&self) -> Location<'a> {
        self.buffer.location(self.start)
    }

    pub(crate) fn device(&self) -> &Device {
        &self.buffer.device
    }
}

impl<'a, T: Data> Slice<'a, T> {
    /// The first `len` elements, which it has.
    pub(super) fn first(&self, len: usize) -> Self {
        Self { len, ..*self }
    }

    /// Its bytes, by a name for messages.
    pub(super) fn range(&self, name: &'static str) -> Range<'a> {
        Range { name, location: self.location(), bytes: self.len * size_of::<T>() }
    }
}

impl<T: Data> SliceMut<'_, T> {
    /// The same, to be read.
    pub fn as_slice(&self) -> Slice<'_, T> {
        Slice { buffer: self.buffer, start: self.start, len: self.len }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Copies `host` to the device after all work submitted to it.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if `host` has another length; what the driver reports.
    pub fn write(&mut self, host: &[T]) -> Result<()> {
        check_len("host slice", self.len, host.len())?;
        self.device().synchronize()?;
        let stream = self.device().default_stream();
        stream.queue().write(&*self.buffer.memory, self.start * size_of::<T>(), bytemuck::cast_slice(host))?;
        stream.synchronize()
    }

    /// Copies `host` to the device, in the order of `stream`; as [`Buffer::write_on`].
    ///
    /// # Errors
    /// As [`write`](Self::write), and [`Error::DeviceMismatch`] for a stream of another device.
    pub fn write_on(&mut self, stream: &Stream, host: &[T]) -> Result<()> {
        check_len("host slice", self.len, host.len())?;
        stream.check_device(self.device())?;
        stream.queue().write(&*self.buffer.memory, self.start * size_of::<T>(), bytemuck::cast_slice(host))
    }

    pub(crate) fn location(&self) -> Location<'_> {
        self.buffer.location(self.start)
    }

    pub(crate) fn device(&self) -> &Device {
        &self.buffer.device
    }
}

impl<T> Clone for Slice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Slice<'_, T> {}

impl<'a, T> From<&'a Buffer<T>> for Slice<'a, T> {
    fn from(buffer: &'a Buffer<T>) -> Self {
        Self { buffer, start: 0, len: buffer.len }
    }
}

impl<'a, T> From<&'a mut Buffer<T>> for SliceMut<'a, T> {
    fn from(buffer: &'a mut Buffer<T>) -> Self {
        let len = buffer.len;
        Self { buffer, start: 0, len }
    }
}
