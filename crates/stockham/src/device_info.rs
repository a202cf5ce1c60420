//! What is known of a device: enough for the planner to choose, and for a person to recognise it.

use serde::{Deserialize, Serialize};

/// The family of driver behind a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Backend {
    /// The host's own cores.
    Cpu,
    /// An OpenCL device.
    Opencl,
    /// An NVIDIA device through its CUDA driver.
    Cuda,
}

/// A device's name and limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceInfo {
    /// The name that selects it: `cpu`, `opencl:0`, `cuda:0`.
    pub id: String,
    /// The backend.
    pub backend: Backend,
    /// The vendor's name for it.
    pub name: String,
    /// The driver and its version.
    pub driver: String,
    /// Device memory in bytes.
    pub memory_bytes: u64,
    /// The largest single allocation in bytes.
    pub max_allocation_bytes: u64,
    /// Work-items in a work-group at most.
    pub max_group: usize,
    /// Local (shared) memory of a work-group in bytes at most; 0 on the CPU, which needs none.
    pub local_bytes: usize,
    /// Work-items that run in lockstep (32 on NVIDIA's devices; 1 where it does not matter).
    pub simd_width: usize,
    /// Compute units (multiprocessors, cores).
    pub compute_units: usize,
    /// 32-bit registers of a compute unit, where the device tells.
    pub registers: Option<usize>,
    /// Whether `f64` arithmetic is there.
    pub has_f64: bool,
    /// Compute capability (major, minor) of an NVIDIA device.
    pub compute_capability: Option<(u32, u32)>,
    /// Work-groups of a thread-block cluster at most, which read each other's local memory; nothing where there are none.
    pub max_cluster: Option<usize>,
}

/// The first compute capability with bulk copies.
const BULK_COPIES: (u32, u32) = (9, 0);

impl DeviceInfo {
    /// Whether its work-groups can have contiguous ranges copied to their local memory while they compute (CUDA's bulk
    /// copies, from compute capability 9.0 on).
    pub fn has_bulk_copies(&self) -> bool {
        self.backend == Backend::Cuda && self.compute_capability.is_some_and(|version| version >= BULK_COPIES)
    }
}
