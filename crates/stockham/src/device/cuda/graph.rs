//! Recorded launches: CUDA graphs, built node by node. To capture a stream would be shorter, but while one is captured other
//! threads must not wait for the device.

use std::ptr;
use std::sync::{Arc, OnceLock};

use cudarc::driver::sys::{
    self, CUDA_KERNEL_NODE_PARAMS_v3, CUgraph, CUgraphEdgeData, CUgraphExec, CUgraphNode, CUgraphNodeParams,
    CUgraphNodeParams_st__bindgen_ty_1, CUgraphNodeType, CUresult, CUstreamCaptureMode, CUstreamCaptureStatus,
};

use crate::error::Result;

use super::super::driver::Queue;
use super::super::gpu::Launch;
use super::super::replay::Recording;
use super::context::Context;
use super::program::CudaKernel;
use super::stream::CudaStream;

/// Records launches, each of which waits for the one before it; nothing with drivers before CUDA 12.3, whose graphs do not
/// know launches that begin while the one before them ends.
pub(super) fn record(context: &Arc<Context>, launches: &[Launch<'_>]) -> Result<Option<Box<dyn Recording>>> {
    let Some(add_node) = add_node_function() else { return Ok(None) };
    let _entered = context.enter()?;
    let _relaxed = Relaxed::enter();
    let graph = Graph::create(context)?;
    let mut before: Option<CUgraphNode> = None;
    for launch in launches {
        CudaKernel::of(launch.kernel, context)?.add(launch, |kernel, is_early| {
            let (mut node, mut parameters, edge) = (ptr::null_mut(), of_kernel(kernel), edge(is_early));
            let (from, edges) =
                before.as_ref().map_or((ptr::null(), ptr::null()), |before| (&raw const *before, &raw const edge));
            let count = usize::from(before.is_some());
            // SAFETY: writes one node; the graph and the node before are valid, and there are as many of these as of edges.
            // The parameters are copied, and with them the arguments, which the kernel has as many of.
            let code = unsafe { add_node(&raw mut node, graph.raw, from, edges, count, &raw mut parameters) };
            before = Some(node);
            context.check("cuGraphAddNode", code)
        })?;
    }
    let mut raw = ptr::null_mut();
    // SAFETY: writes one pointer; the graph is valid.
    let code = unsafe { sys::cuGraphInstantiateWithFlags(&raw mut raw, graph.raw, 0) };
    context.check("cuGraphInstantiate", code)?;
    Ok(Some(Box::new(CudaGraph { context: context.clone(), raw })))
}

/// A graph that is being built.
struct Graph {
    raw: CUgraph,
}

impl Graph {
    fn create(context: &Context) -> Result<Self> {
        let mut raw = ptr::null_mut();
        // SAFETY: writes one pointer.
        context.check("cuGraphCreate", unsafe { sys::cuGraphCreate(&raw mut raw, 0) })?;
        Ok(Self { raw })
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        // SAFETY: the graph was made here; what was instantiated does not need it.
        let _ = unsafe { sys::cuGraphDestroy(self.raw) };
    }
}

fn of_kernel(kernel: CUDA_KERNEL_NODE_PARAMS_v3) -> CUgraphNodeParams {
    // What the kernel's parameters do not fill has to be zero.
    let mut parameters = CUgraphNodeParams_st__bindgen_ty_1 { reserved1: [0; 29] };
    parameters.kernel = kernel;
    CUgraphNodeParams {
        type_: CUgraphNodeType::CU_GRAPH_NODE_TYPE_KERNEL,
        reserved0: [0; 3],
        __bindgen_anon_1: parameters,
        reserved2: 0,
    }
}

/// From a launch to the next one, which may begin when all of the former's work-groups have let it, or have ended.
fn edge(is_early: bool) -> CUgraphEdgeData {
    let (from_port, type_) = if is_early {
        (sys::CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC, sys::CUgraphDependencyType::CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC)
    } else {
        (sys::CU_GRAPH_KERNEL_NODE_PORT_DEFAULT, sys::CUgraphDependencyType::CU_GRAPH_DEPENDENCY_TYPE_DEFAULT)
    };
    CUgraphEdgeData { from_port: from_port as u8, to_port: 0, type_: type_ as u8, reserved: [0; 5] }
}

type AddNodeFunction = unsafe extern "C" fn(
    *mut CUgraphNode,
    CUgraph,
    *const CUgraphNode,
    *const CUgraphEdgeData,
    usize,
    *mut CUgraphNodeParams,
) -> CUresult;

/// `cuGraphAddNode` with edges that say more than that one node comes before another: since CUDA 12.3.
fn add_node_function() -> Option<AddNodeFunction> {
    static FUNCTION: OnceLock<Option<AddNodeFunction>> = OnceLock::new();
    *FUNCTION.get_or_init(|| {
        // SAFETY: the library was found before any context was made, and the function's type is as CUDA declares it.
        unsafe { sys::culib().get::<AddNodeFunction>(b"cuGraphAddNode_v2\0") }.ok().map(|function| *function)
    })
}

/// Keeps graphs from spoiling what others capture meanwhile: to make one ready takes memory, which a capture forbids all
/// threads that have not asked for this.
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

/// Gives this thread a mode, and returns its former one.
fn exchanged(mut mode: CUstreamCaptureMode) -> CUstreamCaptureMode {
    // SAFETY: reads and writes one value; it fails only for values that are no modes, and then leaves it.
    let _ = unsafe { sys::cuThreadExchangeStreamCaptureMode(&raw mut mode) };
    mode
}

/// A graph, ready to be launched.
struct CudaGraph {
    context: Arc<Context>,
    raw: CUgraphExec,
}

// SAFETY: a graph may be launched from every thread, from one at a time, which its only holder sees to.
unsafe impl Send for CudaGraph {}
// SAFETY: as above.
unsafe impl Sync for CudaGraph {}

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
        let _relaxed = Relaxed::enter();
        // SAFETY: graph and stream are valid and of this context. The program that holds the graph holds its kernels and
        // tables, and the caller's operands begin where those of the recording did.
        self.context.check("cuGraphLaunch", unsafe { sys::cuGraphLaunch(self.raw, stream.raw()) })?;
        Ok(true)
    }
}

impl Drop for CudaGraph {
    fn drop(&mut self) {
        if let Ok(_entered) = self.context.enter() {
            let _relaxed = Relaxed::enter();
            // SAFETY: the graph was instantiated here and is not used again; CUDA keeps it until its launches have ended.
            let _ = unsafe { sys::cuGraphExecDestroy(self.raw) };
        }
    }
}
