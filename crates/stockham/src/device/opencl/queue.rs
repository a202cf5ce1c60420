//! OpenCL memory, queues and marks.

use std::any::Any;
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use cl3::command_queue as queue;
use cl3::event::{
    CL_EVENT_COMMAND_EXECUTION_STATUS, CL_PROFILING_COMMAND_END, get_event_data, get_event_profiling_data,
    release_event, wait_for_events,
};
use cl3::types::{CL_TRUE, cl_event, cl_int};

use crate::error::{Error, Result};

use super::super::driver::{Location, Mark, Memory, Queue};
use super::raw::{Check, Handle, driver_error, number};
use super::{Shared, event_handle};

/// An OpenCL buffer.
pub(super) struct ClMemory {
    shared: Arc<Shared>,
    buffer: Handle,
    bytes: usize,
}

impl ClMemory {
    pub(super) fn new(shared: Arc<Shared>, buffer: Handle, bytes: usize) -> Self {
        Self { shared, buffer, bytes }
    }

    pub(super) fn of<'a>(memory: &'a dyn Memory, shared: &Arc<Shared>) -> Result<&'a Self> {
        let memory = memory.as_any().downcast_ref::<Self>().filter(|memory| Arc::ptr_eq(&memory.shared, shared));
        memory.ok_or_else(|| mismatch("memory", shared))
    }

    pub(super) fn raw(&self) -> *mut c_void {
        self.buffer.raw()
    }
}

impl Memory for ClMemory {
    fn place(&self) -> Option<(u64, u64)> {
        // Two buffers may have been made of one object. (Of sub-buffers it is not known what they share.)
        Some((self.raw() as u64, 0))
    }
    fn bytes(&self) -> usize {
        self.bytes
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn mismatch(what: &'static str, shared: &Shared) -> Error {
    Error::DeviceMismatch { what, device: shared.info.id.clone() }
}

/// An in-order command queue.
pub(super) struct ClQueue {
    shared: Arc<Shared>,
    handle: Arc<Handle>,
}

impl ClQueue {
    pub(super) fn new(shared: Arc<Shared>, handle: Arc<Handle>) -> Self {
        Self { shared, handle }
    }

    pub(super) fn of<'a>(queue: &'a dyn Queue, shared: &Arc<Shared>) -> Result<&'a Self> {
        let queue = queue.as_any().downcast_ref::<Self>().filter(|queue| Arc::ptr_eq(&queue.shared, shared));
        queue.ok_or_else(|| mismatch("stream", shared))
    }

    pub(super) fn raw(&self) -> *mut c_void {
        self.handle.raw()
    }

    /// Names the failed call; running out of memory, which drivers may notice only when they first use it, is told
    /// apart.
    pub(super) fn submitted(
        &self,
        call: &'static str,
        bytes: usize,
        event: std::result::Result<cl_event, cl_int>,
    ) -> Result<()> {
        use cl3::error_codes::CL_MEM_OBJECT_ALLOCATION_FAILURE as NO_ROOM;
        let event = event.map_err(|status| match status {
            NO_ROOM => self.shared.out_of_memory(bytes as u64),
            _ => driver_error(self.shared.id(), call, status),
        })?;
        // SAFETY: the event was just returned with one reference, and is not used again.
        unsafe { release_event(event) }.check(self.shared.id(), "clReleaseEvent")
    }

    fn mark(&self) -> std::result::Result<Handle, cl_int> {
        // SAFETY: the queue is valid, and the wait list is empty: all that came before.
        let event = unsafe { queue::enqueue_marker_with_wait_list(self.raw(), 0, ptr::null()) }?;
        // SAFETY: the event was just created, and this is its one reference.
        let event = unsafe { event_handle(event) };
        // A wait on another queue does not submit this one's work.
        queue::flush(self.raw())?;
        Ok(event)
    }
}

fn check_range(what: &'static str, memory: &ClMemory, offset: usize, bytes: usize) -> Result<()> {
    match offset.checked_add(bytes) {
        Some(end) if end <= memory.bytes => Ok(()),
        end => Err(Error::BufferLength { buffer: what, expected: end.unwrap_or(usize::MAX), found: memory.bytes }),
    }
}

impl Queue for ClQueue {
    fn write(&self, target: &dyn Memory, offset: usize, bytes: &[u8]) -> Result<()> {
        let target = ClMemory::of(target, &self.shared)?;
        check_range("target in bytes", target, offset, bytes.len())?;
        if bytes.is_empty() {
            return Ok(());
        }
        let (from, len) = (bytes.as_ptr().cast(), bytes.len());
        // SAFETY: both ranges are valid, and the call returns only when the host's is no longer read.
        let event = unsafe {
            queue::enqueue_write_buffer(self.raw(), target.raw(), CL_TRUE, offset, len, from, 0, ptr::null())
        };
        self.submitted("clEnqueueWriteBuffer", target.bytes, event)
    }

    fn read(&self, source: &dyn Memory, offset: usize, bytes: &mut [u8]) -> Result<()> {
        let source = ClMemory::of(source, &self.shared)?;
        check_range("source in bytes", source, offset, bytes.len())?;
        if bytes.is_empty() {
            return self.finish();
        }
        let (to, len) = (bytes.as_mut_ptr().cast(), bytes.len());
        // SAFETY: both ranges are valid, and the call returns only when the host's is written.
        let event =
            unsafe { queue::enqueue_read_buffer(self.raw(), source.raw(), CL_TRUE, offset, len, to, 0, ptr::null()) };
        self.submitted("clEnqueueReadBuffer", source.bytes, event)
    }

    fn copy(&self, source: Location<'_>, target: Location<'_>, bytes: usize) -> Result<()> {
        let (from, to) = (ClMemory::of(source.memory, &self.shared)?, ClMemory::of(target.memory, &self.shared)?);
        check_range("source in bytes", from, source.offset, bytes)?;
        check_range("target in bytes", to, target.offset, bytes)?;
        if bytes == 0 || (from.raw() == to.raw() && source.offset == target.offset) {
            return Ok(());
        }
        // SAFETY: both ranges are valid; overlapping ones are refused by OpenCL itself.
        let event = unsafe {
            let (from, to) = (from.raw(), to.raw());
            queue::enqueue_copy_buffer(self.raw(), from, to, source.offset, target.offset, bytes, 0, ptr::null())
        };
        self.submitted("clEnqueueCopyBuffer", from.bytes.saturating_add(to.bytes), event)
    }

    fn record(&self) -> Result<Box<dyn Mark>> {
        let event = self.mark().check(self.shared.id(), "clEnqueueMarkerWithWaitList")?;
        Ok(Box::new(ClMark { shared: self.shared.clone(), event }))
    }

    fn wait(&self, mark: &dyn Mark) -> Result<()> {
        let events = [ClMark::of(mark, &self.shared)?.event.raw()];
        // SAFETY: the queue and the event are valid and of one context.
        let barrier = unsafe { queue::enqueue_barrier_with_wait_list(self.raw(), 1, events.as_ptr()) };
        self.submitted("clEnqueueBarrierWithWaitList", 0, barrier)
    }

    fn flush(&self) -> Result<()> {
        queue::flush(self.raw()).check(self.shared.id(), "clFlush")
    }

    fn finish(&self) -> Result<()> {
        queue::finish(self.raw()).check(self.shared.id(), "clFinish")
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for ClQueue {
    fn drop(&mut self) {
        // Releasing a queue neither waits for its work nor makes it visible to a later wait for the device. A failing
        // driver leaves nothing to wait for.
        if let Ok(end) = self.mark() {
            self.shared.adopt_end(end);
        }
    }
}

/// Whether an event's work is done, or has failed.
pub(super) fn is_complete(event: &Handle) -> bool {
    get_event_data(event.raw(), CL_EVENT_COMMAND_EXECUTION_STATUS)
        .ok()
        .and_then(|bytes| Some(i32::from_ne_bytes(bytes.try_into().ok()?)))
        .is_none_or(|status| status <= 0)
}

struct ClMark {
    shared: Arc<Shared>,
    event: Handle,
}

impl ClMark {
    fn of<'a>(mark: &'a dyn Mark, shared: &Arc<Shared>) -> Result<&'a Self> {
        let mark = mark.as_any().downcast_ref::<Self>().filter(|mark| Arc::ptr_eq(&mark.shared, shared));
        mark.ok_or_else(|| mismatch("event", shared))
    }

    /// Nanoseconds of the device's clock.
    fn time(&self) -> Result<u64> {
        let call = "clGetEventProfilingInfo";
        let bytes =
            get_event_profiling_data(self.event.raw(), CL_PROFILING_COMMAND_END).check(self.shared.id(), call)?;
        number(&bytes).ok_or_else(|| Error::Driver {
            device: self.shared.info.id.clone(),
            call,
            message: format!("{} bytes instead of a number", bytes.len()),
        })
    }
}

impl Mark for ClMark {
    fn wait(&self) -> Result<()> {
        wait_for_events(&[self.event.raw()]).check(self.shared.id(), "clWaitForEvents")
    }

    fn milliseconds_since(&self, earlier: &dyn Mark) -> Result<f64> {
        let earlier = Self::of(earlier, &self.shared)?;
        earlier.wait()?;
        self.wait()?;
        Ok((self.time()? as f64 - earlier.time()? as f64) / 1e6)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
