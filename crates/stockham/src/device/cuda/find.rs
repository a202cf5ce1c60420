//! Finding CUDA devices without creating contexts, which takes long.

use std::ffi::c_int;
use std::sync::OnceLock;

use cudarc::driver::result;
use cudarc::driver::sys::{self, CUdevice, CUdevice_attribute};

use super::super::listing::{Candidate, Listing};
use super::super::{Backend, DeviceInfo, Missing};
use super::nvrtc::{self, Nvrtc};

/// A device of NVIDIA's driver.
pub(super) struct Found {
    pub(super) info: DeviceInfo,
    pub(super) device: CUdevice,
    pub(super) architecture: u32,
}

struct Machine {
    devices: Vec<Found>,
    missing: Vec<Missing>,
}

/// The machine's CUDA devices, asked for once.
fn machine() -> &'static Machine {
    static MACHINE: OnceLock<Machine> = OnceLock::new();
    MACHINE.get_or_init(|| {
        let mut missing = Vec::new();
        let devices = explore(&mut missing).unwrap_or_else(|reason| {
            missing.push(Missing { what: "cuda".into(), reason });
            Vec::new()
        });
        Machine { devices, missing }
    })
}

pub(super) fn devices() -> &'static [Found] {
    &machine().devices
}

pub(super) fn listing() -> Listing {
    let candidate = |device: &Found| Candidate { info: device.info.clone(), unasked: true };
    Listing { found: devices().iter().map(candidate).collect(), missing: machine().missing.clone() }
}

/// The usable devices, or why there is none.
fn explore(missing: &mut Vec<Missing>) -> Result<Vec<Found>, String> {
    // SAFETY: loads NVIDIA's library, whose initialisation has no conditions.
    if !unsafe { sys::is_culib_present() } {
        return Err("NVIDIA's driver (libcuda) is not on this machine".into());
    }
    let failed = |call: &str, error: result::DriverError| {
        format!("NVIDIA's driver is here but {call} failed: {}", words(error.0))
    };
    result::init().map_err(|error| failed("cuInit", error))?;
    let mut version: c_int = 0;
    // SAFETY: writes one number.
    unsafe { sys::cuDriverGetVersion(&raw mut version) }
        .result()
        .map_err(|error| failed("cuDriverGetVersion", error))?;
    let version = (version / 1000, version % 1000 / 10);
    let count = result::device::get_count().map_err(|error| failed("cuDeviceGetCount", error))?;
    if count == 0 {
        return Err("NVIDIA's driver is here but has no device (or CUDA_VISIBLE_DEVICES hides them)".into());
    }
    let nvrtc = nvrtc::find(version.0)?;
    let mut found = Vec::new();
    for ordinal in 0..count {
        let id = format!("cuda:{ordinal}");
        match describe(ordinal, id.clone(), version, nvrtc) {
            Ok(device) => found.push(device),
            Err(reason) => missing.push(Missing { what: id, reason }),
        }
    }
    Ok(found)
}

fn describe(ordinal: c_int, id: String, driver: (i32, i32), nvrtc: &Nvrtc) -> Result<Found, String> {
    use CUdevice_attribute as attribute;
    let failed = |call: &str, error: result::DriverError| format!("{call} failed: {}", words(error.0));
    let device = result::device::get(ordinal).map_err(|error| failed("cuDeviceGet", error))?;
    let number = |attribute| {
        // SAFETY: the device was just given by the driver.
        let value = unsafe { result::device::get_attribute(device, attribute) };
        value.map(|value| value.max(0) as usize).map_err(|error| failed("cuDeviceGetAttribute", error))
    };
    let name = result::device::get_name(device).map_err(|error| failed("cuDeviceGetName", error))?;
    // SAFETY: the device was just given by the driver.
    let memory = unsafe { result::device::total_mem(device) }.map_err(|error| failed("cuDeviceTotalMem", error))?;
    let capability = (
        number(attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)? as u32,
        number(attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)? as u32,
    );
    let architecture = nvrtc.architecture(capability).ok_or_else(|| {
        let (major, minor) = capability;
        format!(
            "{name} has compute capability {major}.{minor}, for which {nvrtc} does not compile: install an NVRTC that \
             does; meanwhile the driver's own OpenCL serves"
        )
    })?;
    let info = DeviceInfo {
        id,
        backend: Backend::Cuda,
        name,
        driver: format!("CUDA {}.{}, {nvrtc}", driver.0, driver.1),
        memory_bytes: memory as u64,
        max_allocation_bytes: memory as u64,
        max_group: number(attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
        local_bytes: number(attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
        simd_width: number(attribute::CU_DEVICE_ATTRIBUTE_WARP_SIZE)?.max(1),
        compute_units: number(attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        registers: Some(number(attribute::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR)?),
        has_f64: true,
        compute_capability: Some(capability),
        // Drivers from before clusters do not know the question.
        max_cluster: number(attribute::CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH)
            .is_ok_and(|has| has != 0)
            .then(|| max_cluster(capability)),
    };
    Ok(Found { info, device, architecture })
}

/// Blocks of a cluster: 8 wherever there are clusters, 16 where they may be asked for ("CUDA C++ Programming Guide",
/// thread block clusters, and the Hopper tuning guide). What the driver itself would answer depends on a kernel.
fn max_cluster(capability: (u32, u32)) -> usize {
    if capability == (9, 0) { 16 } else { 8 }
}

/// CUDA's words for its answer.
pub(super) fn words(code: sys::CUresult) -> String {
    let error = result::DriverError(code);
    let name = error.error_name().map_or("an unknown error".into(), |name| name.to_string_lossy());
    error.error_string().map_or_else(|_| name.to_string(), |text| format!("{} ({name})", text.to_string_lossy()))
}
