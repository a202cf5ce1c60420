//! Finding OpenCL devices, and what they say of themselves.

use std::ffi::c_void;
use std::sync::OnceLock;

use cl3::device::{
    CL_DEVICE_AVAILABLE, CL_DEVICE_COMPILER_AVAILABLE, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV,
    CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, CL_DEVICE_ENDIAN_LITTLE, CL_DEVICE_EXTENSIONS, CL_DEVICE_GLOBAL_MEM_SIZE,
    CL_DEVICE_LOCAL_MEM_SIZE, CL_DEVICE_MAX_COMPUTE_UNITS, CL_DEVICE_MAX_MEM_ALLOC_SIZE, CL_DEVICE_MAX_WORK_GROUP_SIZE,
    CL_DEVICE_NAME, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, CL_DEVICE_REGISTERS_PER_BLOCK_NV, CL_DEVICE_TYPE,
    CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU, CL_DEVICE_VERSION, CL_DEVICE_WARP_SIZE_NV,
    CL_DEVICE_WAVEFRONT_WIDTH_AMD, CL_DRIVER_VERSION,
};
use cl3::platform::{CL_PLATFORM_NAME, get_platform_data};
use cl3::types::{cl_device_id, cl_platform_id};

use super::super::listing::{Candidate, Listing};
use super::super::{Backend, DeviceInfo, Missing};
use super::raw::{device_number, device_text, status_words, text};

/// A device of some platform.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) info: DeviceInfo,
    pub(super) raw: RawDevice,
    pub(super) is_gpu: bool,
}

/// A device's identifier, valid as long as the process lives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct RawDevice(pub(super) *mut c_void);

// SAFETY: an identifier that OpenCL's functions take from any thread.
unsafe impl Send for RawDevice {}
// SAFETY: as above.
unsafe impl Sync for RawDevice {}

struct Machine {
    devices: Vec<Found>,
    missing: Vec<Missing>,
}

/// The machine's OpenCL devices, asked for once: platforms do not come and go while a process runs.
fn machine() -> &'static Machine {
    static MACHINE: OnceLock<Machine> = OnceLock::new();
    MACHINE.get_or_init(|| {
        let mut machine = Machine { devices: Vec::new(), missing: Vec::new() };
        explore(&mut machine);
        // A stable order: GPUs first, otherwise as the loader lists platforms and these their devices.
        machine.devices.sort_by_key(|device| !device.is_gpu);
        for (index, device) in machine.devices.iter_mut().enumerate() {
            device.info.id = format!("opencl:{index}");
        }
        machine
    })
}

pub(super) fn devices() -> &'static [Found] {
    &machine().devices
}

/// What discovery shows of OpenCL. A CPU through OpenCL is never chosen unasked: the CPU device serves there.
pub(super) fn listing() -> Listing {
    let candidate = |device: &Found| Candidate { info: device.info.clone(), unasked: device.is_gpu };
    Listing { found: devices().iter().map(candidate).collect(), missing: machine().missing.clone() }
}

fn explore(machine: &mut Machine) {
    let mut miss = |what: String, reason: String| machine.missing.push(Missing { what, reason });
    if let Err(error) = cl3::load_library() {
        let remedy = "install the OpenCL loader (on Debian and Ubuntu: ocl-icd-libopencl1) and the device's driver";
        miss("opencl".into(), format!("the OpenCL loader is not there ({error}): {remedy}"));
        return;
    }
    let platforms = match cl3::platform::get_platform_ids() {
        Ok(platforms) => platforms,
        Err(status) => {
            let remedy = "the loader is there but no device's driver: install the vendor's OpenCL driver";
            miss("opencl".into(), format!("{remedy} ({})", status_words(status)));
            return;
        }
    };
    for platform in platforms {
        let name = platform_name(platform);
        match cl3::device::get_device_ids(platform, CL_DEVICE_TYPE_ALL) {
            Ok(devices) if devices.is_empty() => {
                miss(format!("opencl platform {name}"), "it has no device on this machine".into());
            }
            Ok(devices) => {
                for device in devices {
                    match obstacle(device) {
                        Some(reason) => miss(format!("opencl device {}", device_name(device)), reason),
                        None => machine.devices.push(describe(device)),
                    }
                }
            }
            // A platform that fails must not hide the others.
            Err(status) => {
                miss(format!("opencl platform {name}"), format!("clGetDeviceIDs failed: {}", status_words(status)));
            }
        }
    }
}

fn platform_name(platform: cl_platform_id) -> String {
    get_platform_data(platform, CL_PLATFORM_NAME).map_or_else(|_| "without a name".into(), |bytes| text(&bytes))
}

fn device_name(device: cl_device_id) -> String {
    device_text(device, CL_DEVICE_NAME).unwrap_or_else(|| "without a name".into())
}

/// Why a device cannot serve, if so.
fn obstacle(device: cl_device_id) -> Option<String> {
    let is = |property| device_number(device, property).is_some_and(|value| value != 0);
    let version = device_text(device, CL_DEVICE_VERSION).unwrap_or_default();
    if !is(CL_DEVICE_AVAILABLE) {
        Some("its driver says that it is not available".into())
    } else if !is(CL_DEVICE_COMPILER_AVAILABLE) {
        Some("its driver has no compiler".into())
    } else if !is(CL_DEVICE_ENDIAN_LITTLE) {
        Some("it is big-endian".into())
    } else if !is_at_least_1_2(&version) {
        Some(format!("it offers '{version}' where OpenCL 1.2 is needed"))
    } else {
        None
    }
}

fn is_at_least_1_2(version: &str) -> bool {
    let numbers = version.strip_prefix("OpenCL ").and_then(|rest| rest.split_whitespace().next());
    let Some((major, minor)) = numbers.and_then(|numbers| numbers.split_once('.')) else { return false };
    matches!((major.parse(), minor.parse()), (Ok(major), Ok(minor)) if (major, minor) >= (1u32, 2u32))
}

/// What a device says of itself; its id is given later.
pub(super) fn describe(device: cl_device_id) -> Found {
    let number = |property| device_number(device, property);
    let size = |property| number(property).unwrap_or(0) as usize;
    let kind = number(CL_DEVICE_TYPE).unwrap_or(0);
    let extensions = device_text(device, CL_DEVICE_EXTENSIONS).unwrap_or_default();
    let has = |extension| extensions.split_whitespace().any(|e| e == extension);
    // Other vendors' devices may answer any number of a vendor's own queries, so these are asked of their owners only.
    let nvidia = |property| number(property).filter(|_| has("cl_nv_device_attribute_query"));
    let amd = |property| number(property).filter(|_| has("cl_amd_device_attribute_query"));
    let simd_width = nvidia(CL_DEVICE_WARP_SIZE_NV)
        .or_else(|| amd(CL_DEVICE_WAVEFRONT_WIDTH_AMD))
        .or_else(|| (kind & CL_DEVICE_TYPE_CPU != 0).then_some(1))
        .or_else(|| number(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE));
    let version = device_text(device, CL_DEVICE_VERSION).unwrap_or_default();
    let capability = nvidia(CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV).zip(nvidia(CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV));
    let info = DeviceInfo {
        id: String::new(),
        backend: Backend::Opencl,
        name: device_name(device),
        driver: format!("{version}, driver {}", device_text(device, CL_DRIVER_VERSION).unwrap_or_default()),
        memory_bytes: number(CL_DEVICE_GLOBAL_MEM_SIZE).unwrap_or(0),
        max_allocation_bytes: number(CL_DEVICE_MAX_MEM_ALLOC_SIZE).unwrap_or(0),
        max_group: size(CL_DEVICE_MAX_WORK_GROUP_SIZE),
        local_bytes: size(CL_DEVICE_LOCAL_MEM_SIZE),
        simd_width: simd_width.unwrap_or(1).max(1) as usize,
        compute_units: size(CL_DEVICE_MAX_COMPUTE_UNITS),
        registers: nvidia(CL_DEVICE_REGISTERS_PER_BLOCK_NV).map(|registers| registers as usize),
        has_f64: has("cl_khr_fp64"),
        compute_capability: capability.map(|(major, minor)| (major as u32, minor as u32)),
        max_cluster: None,
    };
    Found { info, raw: RawDevice(device), is_gpu: kind & CL_DEVICE_TYPE_GPU != 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        for good in ["OpenCL 1.2 x", "OpenCL 3.0 CUDA", "OpenCL 2.0", "OpenCL 1.10 x"] {
            assert!(is_at_least_1_2(good), "{good}");
        }
        for bad in ["OpenCL 1.1 Mesa", "OpenCL 1.0", "OpenCL", "", "CUDA 12.4", "OpenCL x.y"] {
            assert!(!is_at_least_1_2(bad), "{bad}");
        }
    }
}
