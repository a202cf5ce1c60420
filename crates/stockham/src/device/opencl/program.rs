//! OpenCL programs: compiled from source or taken from the cache, and launched.

use std::any::Any;
use std::ffi::CString;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use cl3::kernel::{
    CL_KERNEL_LOCAL_MEM_SIZE, create_kernel, get_kernel_work_group_data, release_kernel, set_kernel_arg,
};
use cl3::program::{
    CL_PROGRAM_BINARIES, CL_PROGRAM_BUILD_LOG, build_program, create_program_with_source, get_program_build_data,
    get_program_info, release_program,
};
use cl3::types::{cl_int, cl_mem};

use crate::error::{Error, Result};
use crate::kernel::KernelText;

use super::super::cache::{Cache, Key};
use super::super::driver::{KernelReport, Queue};
use super::super::gpu::{Argument, Kernel};
use super::Shared;
use super::queue::{ClMemory, ClQueue};
use super::raw::{Check, Handle, driver_error, number, text};

/// No option that lets the compiler flush denormals, reorder sums or drop signs of zeros.
const OPTIONS: &str = "-cl-std=CL1.2";
/// Makes NVIDIA's compiler tell the registers and spills in its log; only where the device knows the option.
const NVIDIA_OPTIONS: &str = "-cl-std=CL1.2 -cl-nv-verbose";
/// Over the Goldilocks field NVIDIA's compiler takes less time at this level, and its kernels are no slower; complex ones
/// are.
const NVIDIA_EXACT: &str = "-cl-nv-opt-level=1";

/// What the compiler told in its log. It goes with the binary into the cache, because building from a binary tells
/// nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Told {
    registers: Option<u32>,
    spilled_bytes: Option<u32>,
}

pub(super) fn compile(shared: &Arc<Shared>, text: &KernelText) -> Result<Arc<dyn Kernel>> {
    let options = match shared.info.compute_capability {
        Some(_) => {
            let level = if text.exact { NVIDIA_EXACT } else { "" };
            format!("{NVIDIA_OPTIONS} -cl-nv-maxrregcount={} {level}", text.registers)
        }
        None => OPTIONS.to_owned(),
    };
    let options = options.as_str();
    let key = Key::new(&["opencl", &shared.info.name, &shared.info.driver, options, &text.name, &text.source]);
    let cache = Cache::from_environment();
    let cached = cache.get(&key).and_then(|entry| from_entry(shared, &entry, options));
    // The kernel is made before the entry is believed: a binary without it is useless.
    let cached = cached.and_then(|(program, told)| ClKernel::new(shared, &program, text, told).ok());
    if let Some(kernel) = cached {
        return Ok(Arc::new(kernel));
    }
    let program = build_source(shared, text, options)?;
    let told = Told::from_log(&build_log(shared, &program));
    let kernel = ClKernel::new(shared, &program, text, told)?;
    if let Some(binary) = binary(&program) {
        cache.put(&key, &told.entry(&binary));
    }
    Ok(Arc::new(kernel))
}

fn build_source(shared: &Shared, text: &KernelText, options: &str) -> Result<Handle> {
    let program = create_program_with_source(shared.context.raw(), &[&text.source])
        .check(shared.id(), "clCreateProgramWithSource")?;
    // SAFETY: the program was just created, and this is its one reference.
    let program = unsafe { Handle::new(program, release_program) };
    build(shared, &program, options).map_err(|status| Error::Compile {
        device: shared.info.id.clone(),
        kernel: text.name.clone(),
        log: format!("{}\n{}", super::raw::status_words(status), build_log(shared, &program)),
    })?;
    Ok(program)
}

fn build(shared: &Shared, program: &Handle, options: &str) -> std::result::Result<(), cl_int> {
    let options = CString::new(options).map_err(|_| cl3::error_codes::CL_INVALID_BUILD_OPTIONS)?;
    build_program(program.raw(), &[shared.device()], &options, None, ptr::null_mut())
}

fn build_log(shared: &Shared, program: &Handle) -> String {
    get_program_build_data(program.raw(), shared.device(), CL_PROGRAM_BUILD_LOG)
        .map_or_else(|status| format!("no log: {}", super::raw::status_words(status)), |bytes| text(&bytes))
}

/// The program's binary for its one device.
fn binary(program: &Handle) -> Option<Vec<u8>> {
    match get_program_info(program.raw(), CL_PROGRAM_BINARIES) {
        Ok(cl3::info_type::InfoType::VecVecUchar(binaries)) => {
            // A foreign context may have several devices, of which the others got nothing.
            binaries.into_iter().find(|binary| !binary.is_empty())
        }
        _ => None,
    }
}

fn from_entry(shared: &Shared, entry: &[u8], options: &str) -> Option<(Handle, Told)> {
    let (told, binary) = Told::split(entry)?;
    let (devices, lengths, binaries) = ([shared.device()], [binary.len()], [binary.as_ptr()]);
    let (mut binary_status, mut status) = (0, 0);
    // cl3's own wrapper passes Rust's slices where OpenCL expects plain pointers, hence the function itself.
    let program = cl3::load_library().as_ref().ok()?.clCreateProgramWithBinary(
        shared.context.raw(),
        1,
        devices.as_ptr(),
        lengths.as_ptr(),
        binaries.as_ptr(),
        &raw mut binary_status,
        &raw mut status,
    )?;
    if program.is_null() || status != 0 || binary_status != 0 {
        return None;
    }
    // SAFETY: the program was just created, and this is its one reference.
    let program = unsafe { Handle::new(program, release_program) };
    build(shared, &program, options).ok()?;
    Some((program, told))
}

impl Told {
    const UNKNOWN: u32 = u32::MAX;

    fn entry(self, binary: &[u8]) -> Vec<u8> {
        let words = [self.registers, self.spilled_bytes].map(|word| word.unwrap_or(Self::UNKNOWN).to_le_bytes());
        [words.as_flattened(), binary].concat()
    }

    fn split(entry: &[u8]) -> Option<(Self, &[u8])> {
        let (registers, rest) = entry.split_first_chunk()?;
        let (spilled_bytes, binary) = rest.split_first_chunk()?;
        let word = |bytes: &[u8; 4]| Some(u32::from_le_bytes(*bytes)).filter(|&word| word != Self::UNKNOWN);
        Some((Self { registers: word(registers), spilled_bytes: word(spilled_bytes) }, binary))
    }

    /// From NVIDIA's words: "0 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads", "Used 32 registers".
    /// Other compilers tell nothing.
    fn from_log(log: &str) -> Self {
        let before = |words: &str| {
            let (start, _) = log.split_once(words)?;
            start.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok()
        };
        let spills = before(" bytes spill stores").zip(before(" bytes spill loads"));
        Self { registers: before(" registers"), spilled_bytes: spills.map(|(stores, loads)| stores.max(loads)) }
    }
}

struct ClKernel {
    shared: Arc<Shared>,
    /// Setting arguments and submitting must not be interleaved by other threads.
    kernel: Mutex<Handle>,
    group: usize,
    report: KernelReport,
}

impl ClKernel {
    fn new(shared: &Arc<Shared>, program: &Handle, text: &KernelText, told: Told) -> Result<Self> {
        let refused = |log: String| Error::Compile { device: shared.info.id.clone(), kernel: text.name.clone(), log };
        let name = CString::new(text.name.as_str()).map_err(|error| refused(error.to_string()))?;
        let kernel = create_kernel(program.raw(), &name).check(shared.id(), "clCreateKernel")?;
        // SAFETY: the kernel was just created, and this is its one reference.
        let kernel = unsafe { Handle::new(kernel, release_kernel) };
        // What the driver answers for CL_KERNEL_WORK_GROUP_SIZE is no limit on kernels that require their size: NVIDIA's
        // says 256 for kernels that run in groups of 1024.
        let most = shared.info.max_group;
        if most < text.group {
            return Err(refused(format!(
                "the device runs work-groups of {most} at most, and {} are needed",
                text.group
            )));
        }
        let limit = |property| number(&get_kernel_work_group_data(kernel.raw(), shared.device(), property).ok()?);
        let report = KernelReport {
            name: text.name.clone(),
            registers: told.registers,
            spilled_bytes: told.spilled_bytes,
            local_bytes: limit(CL_KERNEL_LOCAL_MEM_SIZE).unwrap_or(0) as u32,
        };
        Ok(Self { shared: shared.clone(), kernel: Mutex::new(kernel), group: text.group, report })
    }
}

impl Kernel for ClKernel {
    fn launch(&self, queue: &dyn Queue, groups: usize, arguments: &[Argument<'_>]) -> Result<()> {
        if groups == 0 {
            return Ok(());
        }
        let queue = ClQueue::of(queue, &self.shared)?;
        let items = groups.checked_mul(self.group).ok_or_else(|| {
            driver_error(self.shared.id(), "clEnqueueNDRangeKernel", cl3::error_codes::CL_INVALID_GLOBAL_WORK_SIZE)
        })?;
        let mut bytes = 0usize;
        let kernel = self.kernel.lock().unwrap_or_else(PoisonError::into_inner);
        for (&argument, index) in arguments.iter().zip(0..) {
            let status = match argument {
                Argument::Memory(memory) => {
                    let memory = ClMemory::of(memory, &self.shared)?;
                    bytes = bytes.saturating_add(super::Memory::bytes(memory));
                    let raw = memory.raw();
                    // SAFETY: OpenCL copies the argument, a buffer of this context; the lock keeps other threads away.
                    unsafe { set_kernel_arg(kernel.raw(), index, size_of::<cl_mem>(), (&raw const raw).cast()) }
                }
                // SAFETY: OpenCL copies the argument; the lock keeps other threads away.
                Argument::U64(value) => unsafe {
                    set_kernel_arg(kernel.raw(), index, size_of::<u64>(), (&raw const value).cast())
                },
            };
            status.check(self.shared.id(), "clSetKernelArg")?;
        }
        // SAFETY: queue and kernel are valid, every argument is set, and the kernel's own text stays within the buffers
        // that the caller has checked.
        let event = unsafe {
            let (queue, kernel) = (queue.raw(), kernel.raw());
            cl3::command_queue::enqueue_nd_range_kernel(
                queue,
                kernel,
                1,
                ptr::null(),
                &raw const items,
                &raw const self.group,
                0,
                ptr::null(),
            )
        };
        queue.submitted("clEnqueueNDRangeKernel", bytes, event)
    }

    fn report(&self) -> KernelReport {
        self.report.clone()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing;
    use super::super::{OpenCl, find};
    use super::*;

    #[test]
    fn a_binary_comes_back_and_rubbish_is_a_miss() {
        for index in 0..find::devices().len() {
            let driver = super::super::open(index).unwrap();
            let shared = &driver.as_any().downcast_ref::<OpenCl>().unwrap().shared;
            let source = testing::OPENCL_SOURCE.into();
            let text = KernelText {
                alignment: 1,
                name: "twice".into(),
                source,
                group: 64,
                cluster: 1,
                stays: false,
                cooperates: false,
                boxes: None,
                registers: 32,
                exact: false,
                local_bytes: 0,
                waits: false,
            };
            let program = build_source(shared, &text, OPTIONS).unwrap();
            let told = Told { registers: Some(3), spilled_bytes: None };
            let entry = told.entry(&binary(&program).unwrap());
            let (program, again) = from_entry(shared, &entry, OPTIONS).unwrap();
            assert_eq!(again, told);
            ClKernel::new(shared, &program, &text, told).unwrap();
            for rubbish in [b"".as_slice(), b"12345678", b"12345678 no program"] {
                assert!(from_entry(shared, rubbish, OPTIONS).is_none());
            }
        }
    }

    #[test]
    fn nvidias_log_is_understood() {
        let log = "ptxas info    : 0 bytes gmem\nptxas info    : Compiling entry function 'pass' for 'sm_90'\n\
                   ptxas info    : Function properties for pass\n    24 bytes stack frame, 16 bytes spill stores, 12 \
                   bytes spill loads\nptxas info    : Used 255 registers, 400 bytes cmem[0]\n";
        assert_eq!(Told::from_log(log), Told { registers: Some(255), spilled_bytes: Some(16) });
        assert_eq!(Told::from_log("warning: 3 unused"), Told::default());
        assert_eq!(Told::from_log(""), Told::default());
    }

    #[test]
    fn what_was_told_goes_with_the_binary() {
        for told in [Told::default(), Told { registers: Some(40), spilled_bytes: Some(0) }] {
            assert_eq!(Told::split(&told.entry(b"binary")), Some((told, b"binary".as_slice())));
        }
        assert_eq!(Told::split(b"short"), None);
    }
}
