//! Recorded launches: CUDA graphs.

use std::ptr;
use std::sync::Arc;

use cudarc::driver::sys::{self, CUgraphExec, CUresult, CUstreamCaptureMode, CUstreamCaptureStatus};

use crate::error::Result;

use super::super::driver::Queue;
use super::super::replay::Recording;
use super::context::Context;
use super::stream::CudaStream;

/// A graph, ready to be launched.
struct CudaGraph {
    context: Arc<Context>,
    raw: CUgraphExec,
}

// SAFETY: a graph may be launched from every thread, from one at a time, which its only holder sees to.
unsafe impl Send for CudaGraph {}
// SAFETY: as above.
unsafe impl Sync for CudaGraph {}

/// Records what is submitted to a stream, one of its own: what other threads submit elsewhere stays out.
pub(super) fn record(
    context: &Arc<Context>,
    submit: &mut dyn FnMut(&dyn Queue) -> Result<()>,
) -> Result<Box<dyn Recording>> {
    let _entered = context.enter()?;
    let _relaxed = Relaxed::enter();
    let stream = CudaStream::create(context)?;
    let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
    // SAFETY: the stream is valid, and nobody else knows it.
    context.check("cuStreamBeginCapture", unsafe { sys::cuStreamBeginCapture_v2(stream.raw(), mode) })?;
    let submitted = submit(&stream);
    let mut graph = ptr::null_mut();
    // SAFETY: writes one pointer; the capture was begun above, by this thread.
    context.check("cuStreamEndCapture", unsafe { sys::cuStreamEndCapture(stream.raw(), &raw mut graph) })?;
    let mut raw = ptr::null_mut();
    let instantiated = submitted.and_then(|()| {
        // SAFETY: writes one pointer; the graph was just made.
        let code = unsafe { sys::cuGraphInstantiateWithFlags(&raw mut raw, graph, 0) };
        context.check("cuGraphInstantiate", code)
    });
    if !graph.is_null() {
        // SAFETY: the graph was made here; what was instantiated does not need it.
        let _ = unsafe { sys::cuGraphDestroy(graph) };
    }
    instantiated.map(|()| Box::new(CudaGraph { context: context.clone(), raw }) as Box<dyn Recording>)
}

/// Keeps what this thread does from spoiling what is recorded elsewhere meanwhile.
struct Relaxed(CUstreamCaptureMode);

impl Relaxed {
    fn enter() -> Self {
        Self(exchanged(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED))
    }
}

impl Drop for Relaxed {
    fn drop(&mut self) {
        exchanged(self.0);
    }
}

/// Gives this thread a mode, and its former one back.
fn exchanged(mut mode: CUstreamCaptureMode) -> CUstreamCaptureMode {
    // SAFETY: reads and writes one value; it fails only for values that are no modes, and then leaves it.
    let _ = unsafe { sys::cuThreadExchangeStreamCaptureMode(&raw mut mode) };
    mode
}

impl Recording for CudaGraph {
    /// A stream that its owner records takes launches, but no recorded ones.
    fn submit(&self, queue: &dyn Queue) -> Result<bool> {
        let stream = CudaStream::of(queue, &self.context)?;
        let _entered = self.context.enter()?;
        let mut status = CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
        // SAFETY: writes one value; the stream is valid.
        let code = unsafe { sys::cuStreamIsCapturing(stream.raw(), &raw mut status) };
        // It is an error for CUDA's default stream while another is recorded.
        if code != CUresult::CUDA_SUCCESS || status != CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE {
            return Ok(false);
        }
        // SAFETY: graph and stream are valid and of this context. The program that holds the graph holds its kernels and
        // tables, and the caller's operands begin where those of the recording did.
        self.context.check("cuGraphLaunch", unsafe { sys::cuGraphLaunch(self.raw, stream.raw()) })?;
        Ok(true)
    }
}

impl Drop for CudaGraph {
    fn drop(&mut self) {
        if let Ok(_entered) = self.context.enter() {
            // SAFETY: the graph was instantiated here and is not used again; CUDA keeps it until its launches have ended.
            let _ = unsafe { sys::cuGraphExecDestroy(self.raw) };
        }
    }
}
