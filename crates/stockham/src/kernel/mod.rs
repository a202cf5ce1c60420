//! Kernels: passes of a recipe traced into a small typed language, and printed as OpenCL C or CUDA C.

/// The text of one kernel, and what its launch needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelText {
    /// The function's name.
    pub name: String,
    /// The whole source, for the dialect of the device it was printed for.
    pub source: String,
    /// Threads of a work-group.
    pub group: usize,
    /// Bytes of dynamic local (shared) memory; in OpenCL the kernel declares its local memory itself.
    pub local_bytes: usize,
}
