//! CUDA kernels: compiled by NVRTC or taken from the cache, and launched.

use std::any::Any;
use std::ffi::{CString, c_int, c_void};
use std::ptr;
use std::sync::Arc;

use cudarc::driver::sys::{
    self, CUDA_KERNEL_NODE_PARAMS_v3, CUclusterSchedulingPolicy, CUfunction, CUfunction_attribute, CUlaunchAttribute,
    CUlaunchAttributeID, CUlaunchAttributeValue, CUlaunchConfig, CUmodule, CUtensorMap,
};

use crate::error::{Error, Result};
use crate::kernel::{Boxes, KernelText};

use super::super::cache::{Cache, Key};
use super::super::driver::{KernelReport, Queue};
use super::super::gpu::{Argument, Kernel, Launch};
use super::context::Context;
use super::map;
use super::nvrtc;
use super::overlap::Overlap;
use super::stream::{CudaMemory, CudaStream};

/// Blocks of a cluster that every device with clusters takes.
const UNASKED_CLUSTER: usize = 8;

/// What a work-group may have without asking.
const UNASKED_LOCAL_BYTES: usize = 48 << 10;

pub(super) fn compile(context: &Arc<Context>, text: &KernelText) -> Result<Arc<dyn Kernel>> {
    let info = &context.info;
    let architecture = context.architecture.to_string();
    let options = nvrtc::options().join(" ");
    let key = Key::new(&["cuda", &info.name, &info.driver, &architecture, &options, &text.name, &text.source]);
    let cache = Cache::from_environment();
    let cached = cache.get(&key).and_then(|binary| CudaKernel::load(context, &binary, text).ok());
    if let Some(kernel) = cached {
        return Ok(Arc::new(kernel));
    }
    let binary = nvrtc::compile(&text.name, &text.source, context.architecture).map_err(|log| Error::Compile {
        device: info.id.clone(),
        kernel: text.name.clone(),
        log,
    })?;
    let kernel = CudaKernel::load(context, &binary, text)?;
    cache.put(&key, &binary);
    Ok(Arc::new(kernel))
}

/// A loaded binary, unloaded when dropped.
struct Module {
    context: Arc<Context>,
    raw: CUmodule,
}

// SAFETY: CUDA's modules may be used from every thread at once.
unsafe impl Send for Module {}
// SAFETY: as above.
unsafe impl Sync for Module {}

impl Drop for Module {
    fn drop(&mut self) {
        if let Ok(_entered) = self.context.enter() {
            // SAFETY: the module was loaded here and is not used again: waiting for the device ends its launches.
            let _ = unsafe { sys::cuCtxSynchronize() };
            // SAFETY: as above.
            let _ = unsafe { sys::cuModuleUnload(self.raw) };
        }
    }
}

pub(super) struct CudaKernel {
    module: Module,
    function: CUfunction,
    group: u32,
    local_bytes: u32,
    /// Work-groups of a launch at most.
    most_groups: usize,
    /// The array in the source that it takes a map of.
    boxes: Option<Boxes>,
    /// How it begins before the launch before it has ended, if it may.
    overlap: Option<Overlap>,
    /// Work-groups of a cluster.
    cluster: usize,
    /// Whether its work-groups wait for each other.
    cooperates: bool,
    report: KernelReport,
}

// SAFETY: a function is part of its module.
unsafe impl Send for CudaKernel {}
// SAFETY: as above.
unsafe impl Sync for CudaKernel {}

impl CudaKernel {
    fn load(context: &Arc<Context>, binary: &[u8], text: &KernelText) -> Result<Self> {
        let refused = |log: String| Error::Compile { device: context.info.id.clone(), kernel: text.name.clone(), log };
        let name = CString::new(text.name.as_str()).map_err(|error| refused(error.to_string()))?;
        let _entered = context.enter()?;
        let mut module = ptr::null_mut();
        // SAFETY: the image is a whole binary as the compiler wrote it, and states its own length.
        let code = unsafe { sys::cuModuleLoadData(&raw mut module, binary.as_ptr().cast()) };
        context.check("cuModuleLoadData", code).map_err(|error| match error {
            // The usual cause is a compiler that is newer than the driver, so both are named.
            Error::Driver { device, call, message } => {
                Error::Driver { device, call, message: format!("{message}, with {}", context.info.driver) }
            }
            other => other,
        })?;
        let module = Module { context: context.clone(), raw: module };
        let mut function = ptr::null_mut();
        // SAFETY: the module is valid, and the name ends with a zero.
        let code = unsafe { sys::cuModuleGetFunction(&raw mut function, module.raw, name.as_ptr()) };
        context.check("cuModuleGetFunction", code)?;
        let attribute = |attribute| {
            let mut value: c_int = 0;
            // SAFETY: writes one number; the function is valid.
            let code = unsafe { sys::cuFuncGetAttribute(&raw mut value, attribute, function) };
            context.check("cuFuncGetAttribute", code)?;
            Ok::<_, Error>(value.max(0) as u32)
        };
        let registers = attribute(CUfunction_attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?;
        let spilled = attribute(CUfunction_attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?;
        let fixed = attribute(CUfunction_attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?;
        let most = attribute(CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?;
        let group = u32::try_from(text.group).ok().filter(|&group| group <= most).ok_or_else(|| {
            refused(format!("it runs in blocks of {most} threads at most, and {} are needed", text.group))
        })?;
        let allow = |attribute, value| {
            // SAFETY: the function is valid.
            context.check("cuFuncSetAttribute", unsafe { sys::cuFuncSetAttribute(function, attribute, value) })
        };
        if text.cluster > UNASKED_CLUSTER {
            allow(CUfunction_attribute::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1)?;
        }
        let overlap = Overlap::of(context, text)?;
        let most_bytes = overlap.as_ref().map_or(0, |overlap| overlap.most_bytes() as usize).max(text.local_bytes);
        if most_bytes.saturating_add(fixed as usize) > UNASKED_LOCAL_BYTES {
            let bytes = c_int::try_from(most_bytes)
                .map_err(|_| refused(format!("{most_bytes} bytes of shared memory are too many")))?;
            allow(CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes)?;
        }
        let local_bytes = text.local_bytes as u32;
        let report = KernelReport {
            name: text.name.clone(),
            registers: Some(registers),
            spilled_bytes: Some(spilled),
            local_bytes: local_bytes.saturating_add(fixed),
        };
        let most_groups = if text.stays { side_by_side(context, function, text)? } else { usize::MAX };
        let boxes = text.boxes.clone();
        Ok(Self {
            module,
            function,
            group,
            local_bytes,
            most_groups,
            boxes,
            overlap,
            cluster: text.cluster,
            cooperates: text.cooperates,
            report,
        })
    }
}

/// How many work-groups of a kernel the device has room for side by side.
fn side_by_side(context: &Context, function: CUfunction, text: &KernelText) -> Result<usize> {
    let (mut of_unit, group): (c_int, c_int) = (0, text.group as c_int);
    let occupancy = sys::cuOccupancyMaxActiveBlocksPerMultiprocessor;
    // SAFETY: writes one number; the function is valid.
    let code = unsafe { occupancy(&raw mut of_unit, function, group, text.local_bytes) };
    context.check("cuOccupancyMaxActiveBlocksPerMultiprocessor", code)?;
    Ok(context.info.compute_units * of_unit.max(1) as usize)
}

impl CudaKernel {
    pub(super) fn of<'a>(kernel: &'a dyn Kernel, context: &Arc<Context>) -> Result<&'a Self> {
        let kernel = kernel.as_any().downcast_ref::<Self>();
        let kernel = kernel.filter(|kernel| Arc::ptr_eq(&kernel.module.context, context));
        kernel.ok_or_else(|| Error::DeviceMismatch { what: "kernel", device: context.info.id.clone() })
    }

    /// How many work-groups a launch of so many has, if the device takes it.
    fn groups(&self, groups: usize) -> Result<u32> {
        if self.cooperates && groups > self.most_groups {
            let why = format!("{} has room for {} of them", self.module.context.info.id, self.most_groups);
            return Err(Error::unsupported(format!("a launch of {groups} work-groups side by side"), why));
        }
        let groups = i32::try_from(groups.min(self.most_groups)).map_err(|_| {
            Error::unsupported(format!("a launch of {groups} work-groups"), "CUDA takes 2^31 - 1 at most")
        })?;
        Ok(groups as u32)
    }

    fn values(&self, arguments: &[Argument<'_>]) -> Result<Values> {
        let context = &self.module.context;
        let number = |argument: &Argument<'_>| match *argument {
            Argument::Memory(memory) => Ok(CudaMemory::of(memory, context)?.pointer()),
            Argument::U64(value) => Ok(value),
        };
        let numbers = arguments.iter().map(number).collect::<Result<Vec<u64>>>()?;
        let map = match (&self.boxes, &numbers[..]) {
            (Some(boxes), &[memory, offset, ..]) => {
                Some(map::encode(context, boxes, memory + offset * boxes.number_bytes as u64)?)
            }
            _ => None,
        };
        Ok(Values { numbers, map })
    }

    /// The local memory of a launch of so many work-groups, and whether it begins while the one before it ends.
    fn local_bytes(&self, groups: u32) -> (u32, bool) {
        let early = self.overlap.as_ref().and_then(|overlap| overlap.local_bytes(groups as usize));
        (early.unwrap_or(self.local_bytes), early.is_some())
    }

    /// Adds a launch to a graph, and says whether it may begin while the one before it ends.
    pub(super) fn add(
        &self,
        launch: &Launch<'_>,
        add: impl FnOnce(CUDA_KERNEL_NODE_PARAMS_v3, bool) -> Result<()>,
    ) -> Result<()> {
        if self.cooperates {
            return Err(Error::unsupported("a recorded launch of work-groups that wait for each other", "none is"));
        }
        let groups = self.groups(launch.groups)?;
        let (local_bytes, is_early) = self.local_bytes(groups);
        let mut values = self.values(&launch.arguments)?;
        let mut places = values.places();
        let node = CUDA_KERNEL_NODE_PARAMS_v3 {
            func: self.function,
            gridDimX: groups,
            gridDimY: 1,
            gridDimZ: 1,
            blockDimX: self.group,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: local_bytes,
            kernelParams: places.as_mut_ptr(),
            extra: ptr::null_mut(),
            kern: ptr::null_mut(),
            ctx: ptr::null_mut(),
        };
        add(node, is_early)
    }
}

/// The arguments of a launch.
struct Values {
    /// Pointers and numbers: both are eight bytes.
    numbers: Vec<u64>,
    /// What kernels take that copy boxes.
    map: Option<CUtensorMap>,
}

impl Values {
    /// Where they are.
    fn places(&mut self) -> Vec<*mut c_void> {
        let mut places: Vec<*mut c_void> = self.numbers.iter_mut().map(|value| ptr::from_mut(value).cast()).collect();
        places.extend(self.map.as_mut().map(|map| ptr::from_mut(map).cast()));
        places
    }
}

impl Kernel for CudaKernel {
    fn launch(&self, queue: &dyn Queue, groups: usize, arguments: &[Argument<'_>]) -> Result<()> {
        if groups == 0 {
            return Ok(());
        }
        let context = &self.module.context;
        let groups = self.groups(groups)?;
        let stream = CudaStream::of(queue, context)?;
        let _entered = context.enter()?;
        let mut values = self.values(arguments)?;
        let attribute = |id, value| CUlaunchAttribute { id, pad: [0; 4], value };
        let mut attributes = Vec::new();
        let (local_bytes, is_early) = self.local_bytes(groups);
        if is_early {
            let id = CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
            attributes.push(attribute(id, CUlaunchAttributeValue { programmaticStreamSerializationAllowed: 1 }));
        }
        if self.cooperates {
            // Work-groups that wait for each other all begin, or none does.
            let id = CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
            attributes.push(attribute(id, CUlaunchAttributeValue { cooperative: 1 }));
        }
        if self.cluster > 1 && groups as usize > context.info.compute_units {
            // A unit may have several work-groups of a cluster, so that clusters find room on units that are too few for one
            // work-group each. Where all have a unit for themselves, it is better to leave them that.
            let id = CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE;
            let policy = CUclusterSchedulingPolicy::CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING;
            attributes.push(attribute(id, CUlaunchAttributeValue { clusterSchedulingPolicyPreference: policy }));
        }
        let config = CUlaunchConfig {
            gridDimX: groups,
            gridDimY: 1,
            gridDimZ: 1,
            blockDimX: self.group,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: local_bytes,
            hStream: stream.raw(),
            attrs: attributes.as_mut_ptr(),
            numAttrs: attributes.len() as u32,
        };
        let mut places = values.places();
        // SAFETY: function and stream are valid and of this context, the configuration, its attributes and the arguments
        // are copied by the call, and the kernel's own text stays within the buffers that the caller has checked.
        let code =
            unsafe { sys::cuLaunchKernelEx(&raw const config, self.function, places.as_mut_ptr(), ptr::null_mut()) };
        context.check("cuLaunchKernelEx", code)
    }

    fn report(&self) -> KernelReport {
        self.report.clone()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
