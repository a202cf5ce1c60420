//! CUDA memory, streams and marks.

use std::any::Any;
use std::ptr;
use std::sync::{Arc, OnceLock};

use cudarc::driver::sys::{self, CUdeviceptr, CUevent, CUevent_flags, CUresult, CUstream, CUstream_flags};

use crate::error::{Error, Result};

use super::super::driver::{Location, Mark, Memory, Queue};
use super::context::{Context, out_of_memory};

/// A range of device memory.
pub(super) struct CudaMemory {
    context: Arc<Context>,
    pointer: CUdeviceptr,
    bytes: usize,
    /// Whether it is freed here.
    owned: bool,
}

impl CudaMemory {
    pub(super) fn allocate(context: &Arc<Context>, bytes: usize) -> Result<Self> {
        let _entered = context.enter()?;
        let mut pointer = 0;
        // SAFETY: writes one pointer; the context is current.
        match unsafe { sys::cuMemAlloc_v2(&raw mut pointer, bytes) } {
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => return Err(out_of_memory(&context.info, bytes as u64)),
            code => context.check("cuMemAlloc", code)?,
        }
        Ok(Self { context: context.clone(), pointer, bytes, owned: true })
    }

    /// # Safety
    /// The range must stay valid memory of the device for as long as this is used.
    pub(super) unsafe fn foreign(context: &Arc<Context>, pointer: CUdeviceptr, bytes: usize) -> Self {
        Self { context: context.clone(), pointer, bytes, owned: false }
    }

    pub(super) fn of<'a>(memory: &'a dyn Memory, context: &Arc<Context>) -> Result<&'a Self> {
        let memory = memory.as_any().downcast_ref::<Self>().filter(|memory| Arc::ptr_eq(&memory.context, context));
        memory.ok_or_else(|| mismatch("memory", context))
    }

    pub(super) fn pointer(&self) -> CUdeviceptr {
        self.pointer
    }

    /// The address of a range within.
    fn range(&self, what: &'static str, offset: usize, bytes: usize) -> Result<CUdeviceptr> {
        match offset.checked_add(bytes) {
            Some(end) if end <= self.bytes => Ok(self.pointer + offset as u64),
            end => Err(Error::BufferLength { buffer: what, expected: end.unwrap_or(usize::MAX), found: self.bytes }),
        }
    }
}

fn mismatch(what: &'static str, context: &Context) -> Error {
    Error::DeviceMismatch { what, device: context.info.id.clone() }
}

impl Drop for CudaMemory {
    fn drop(&mut self) {
        if !self.owned {
            return;
        }
        // Without a context nothing can be freed: the device is lost and its memory with it.
        if let Ok(_entered) = self.context.enter() {
            // SAFETY: the memory was allocated here and is not used again; the call waits for work that uses it.
            let _ = unsafe { sys::cuMemFree_v2(self.pointer) };
        }
    }
}

impl Memory for CudaMemory {
    fn bytes(&self) -> usize {
        self.bytes
    }
    fn address(&self) -> Option<u64> {
        Some(self.pointer)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A stream.
pub(super) struct CudaStream {
    context: Arc<Context>,
    raw: CUstream,
    /// Whether it is destroyed here.
    owned: bool,
}

// SAFETY: CUDA's streams may be used from every thread at once.
unsafe impl Send for CudaStream {}
// SAFETY: as above.
unsafe impl Sync for CudaStream {}

impl CudaStream {
    pub(super) fn create(context: &Arc<Context>) -> Result<Self> {
        let _entered = context.enter()?;
        let mut raw = ptr::null_mut();
        // Ordered with no other stream, not even with CUDA's default one.
        let flags = CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
        // SAFETY: writes one pointer; the context is current.
        context.check("cuStreamCreate", unsafe { sys::cuStreamCreate(&raw mut raw, flags) })?;
        Ok(Self { context: context.clone(), raw, owned: true })
    }

    /// # Safety
    /// The stream must stay valid for as long as this is used.
    pub(super) unsafe fn foreign(context: &Arc<Context>, raw: CUstream) -> Self {
        Self { context: context.clone(), raw, owned: false }
    }

    pub(super) fn of<'a>(queue: &'a dyn Queue, context: &Arc<Context>) -> Result<&'a Self> {
        let stream = queue.as_any().downcast_ref::<Self>().filter(|stream| Arc::ptr_eq(&stream.context, context));
        stream.ok_or_else(|| mismatch("stream", context))
    }

    pub(super) fn raw(&self) -> CUstream {
        self.raw
    }

    fn wait_here(&self) -> Result<()> {
        // SAFETY: the stream is valid, and the callers have made its context current.
        self.context.check("cuStreamSynchronize", unsafe { sys::cuStreamSynchronize(self.raw) })
    }
}

impl Drop for CudaStream {
    fn drop(&mut self) {
        if !self.owned {
            return;
        }
        if let Ok(_entered) = self.context.enter() {
            // SAFETY: the stream was created here and is not used again; its work goes on to its end.
            let _ = unsafe { sys::cuStreamDestroy_v2(self.raw) };
        }
    }
}

impl Queue for CudaStream {
    fn write(&self, target: &dyn Memory, offset: usize, bytes: &[u8]) -> Result<()> {
        let to = CudaMemory::of(target, &self.context)?.range("target in bytes", offset, bytes.len())?;
        if bytes.is_empty() {
            return Ok(());
        }
        let _entered = self.context.enter()?;
        let copied = self.context.staging.write(&self.context, self.raw, to, bytes).unwrap_or_else(|| {
            // SAFETY: both ranges are valid until the wait below has ended.
            let code = unsafe { sys::cuMemcpyHtoDAsync_v2(to, bytes.as_ptr().cast(), bytes.len(), self.raw) };
            self.context.check("cuMemcpyHtoDAsync", code)
        });
        // From page-locked host memory the copy is still under way here, and the bytes are only lent.
        self.wait_here().and(copied)
    }

    fn read(&self, source: &dyn Memory, offset: usize, bytes: &mut [u8]) -> Result<()> {
        let from = CudaMemory::of(source, &self.context)?.range("source in bytes", offset, bytes.len())?;
        let _entered = self.context.enter()?;
        if bytes.is_empty() {
            return self.wait_here();
        }
        let copied = self.context.staging.read(&self.context, self.raw, from, bytes).unwrap_or_else(|| {
            // SAFETY: both ranges are valid until the wait below has ended.
            let code = unsafe { sys::cuMemcpyDtoHAsync_v2(bytes.as_mut_ptr().cast(), from, bytes.len(), self.raw) };
            self.context.check("cuMemcpyDtoHAsync", code)
        });
        self.wait_here().and(copied)
    }

    fn copy(&self, source: Location<'_>, target: Location<'_>, bytes: usize) -> Result<()> {
        let from = CudaMemory::of(source.memory, &self.context)?.range("source in bytes", source.offset, bytes)?;
        let to = CudaMemory::of(target.memory, &self.context)?.range("target in bytes", target.offset, bytes)?;
        if bytes == 0 || from == to {
            return Ok(());
        }
        let _entered = self.context.enter()?;
        // SAFETY: both ranges are valid; memory is freed only after the work that uses it.
        let code = unsafe { sys::cuMemcpyDtoDAsync_v2(to, from, bytes, self.raw) };
        self.context.check("cuMemcpyDtoDAsync", code)
    }

    fn record(&self) -> Result<Box<dyn Mark>> {
        let _entered = self.context.enter()?;
        let mut event = ptr::null_mut();
        // SAFETY: writes one pointer; the context is current. The default is an event with a time.
        let code = unsafe { sys::cuEventCreate(&raw mut event, CUevent_flags::CU_EVENT_DEFAULT as u32) };
        self.context.check("cuEventCreate", code)?;
        let mark = CudaMark { context: self.context.clone(), event };
        // SAFETY: event and stream are valid and of this context.
        self.context.check("cuEventRecord", unsafe { sys::cuEventRecord(event, self.raw) })?;
        Ok(Box::new(mark))
    }

    fn wait(&self, mark: &dyn Mark) -> Result<()> {
        let mark = CudaMark::of(mark, &self.context)?;
        let _entered = self.context.enter()?;
        // SAFETY: event and stream are valid and of this context.
        self.context.check("cuStreamWaitEvent", unsafe { sys::cuStreamWaitEvent(self.raw, mark.event, 0) })
    }

    fn finish(&self) -> Result<()> {
        let _entered = self.context.enter()?;
        self.wait_here()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

struct CudaMark {
    context: Arc<Context>,
    event: CUevent,
}

// SAFETY: CUDA's events may be used from every thread at once.
unsafe impl Send for CudaMark {}
// SAFETY: as above.
unsafe impl Sync for CudaMark {}

impl CudaMark {
    fn of<'a>(mark: &'a dyn Mark, context: &Arc<Context>) -> Result<&'a Self> {
        let mark = mark.as_any().downcast_ref::<Self>().filter(|mark| Arc::ptr_eq(&mark.context, context));
        mark.ok_or_else(|| mismatch("event", context))
    }
}

type ElapsedFunction = unsafe extern "C" fn(*mut f32, CUevent, CUevent) -> CUresult;

/// `cuEventElapsedTime` in its first version: the binding knows only the second, which drivers before CUDA 12.8 lack.
fn elapsed_function() -> Option<ElapsedFunction> {
    static FUNCTION: OnceLock<Option<ElapsedFunction>> = OnceLock::new();
    *FUNCTION.get_or_init(|| {
        // SAFETY: the library was found before any context was made, and the function's type is as CUDA declares it.
        unsafe { sys::culib().get::<ElapsedFunction>(b"cuEventElapsedTime\0") }.ok().map(|function| *function)
    })
}

impl Mark for CudaMark {
    fn wait(&self) -> Result<()> {
        let _entered = self.context.enter()?;
        // SAFETY: the event is valid.
        self.context.check("cuEventSynchronize", unsafe { sys::cuEventSynchronize(self.event) })
    }

    fn milliseconds_since(&self, earlier: &dyn Mark) -> Result<f64> {
        let earlier = Self::of(earlier, &self.context)?;
        earlier.wait()?;
        self.wait()?;
        let _entered = self.context.enter()?;
        let mut milliseconds = 0f32;
        let elapsed = elapsed_function().ok_or_else(|| Error::Driver {
            device: self.context.info.id.clone(),
            call: "cuEventElapsedTime",
            message: "the driver has no such function".into(),
        })?;
        // SAFETY: both events are valid and done.
        let code = unsafe { elapsed(&raw mut milliseconds, earlier.event, self.event) };
        self.context.check("cuEventElapsedTime", code)?;
        Ok(f64::from(milliseconds))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for CudaMark {
    fn drop(&mut self) {
        if let Ok(_entered) = self.context.enter() {
            // SAFETY: the event was created here and is not used again; CUDA keeps it until it has passed.
            let _ = unsafe { sys::cuEventDestroy_v2(self.event) };
        }
    }
}
