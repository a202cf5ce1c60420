//! Kernels: passes of a recipe traced into a small typed language, and printed as OpenCL C or CUDA C.

mod build;
mod carry;
#[cfg(test)]
mod interpret;
pub mod ir;
mod lower;
mod operations;
mod pointwise;
mod print;
mod repeat;
mod residues;
#[cfg(test)]
mod step_tests;
pub(crate) mod steps;
mod symbol;
mod tables;
#[cfg(test)]
mod tests;
mod trig;
mod vectors;

use crate::algebra::{Algebra, Primitives};
use crate::device_info::DeviceInfo;
use crate::plan::{Recipe, Step};

pub use operations::{Operations, operations};
pub use print::Dialect;
pub(crate) use tables::Tables;

/// The text of one kernel, and what its launch needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelText {
    /// The function's name.
    pub name: String,
    /// The whole source, for the dialect of the device it was printed for.
    pub source: String,
    /// Threads of a work-group.
    pub group: usize,
    /// Registers that a thread should not exceed, so that enough work-groups run side by side.
    pub registers: usize,
    /// Whether it computes with integers alone.
    pub exact: bool,
    /// Bytes of dynamic local (shared) memory; in OpenCL the kernel declares its local memory itself.
    pub local_bytes: usize,
}

/// The kernels of a recipe, one a pass; none for the host's recipes.
pub fn texts(recipe: &Recipe, dialect: Dialect) -> Vec<KernelText> {
    (0..recipe.passes().len())
        .map(|number| KernelText::new(lower::kernel(recipe, number), dialect, Some(recipe.transform.algebra)))
        .collect()
}

/// The kernels of a step on a device that compiles some.
pub fn step_texts(step: &Step, device: &DeviceInfo, dialect: Dialect) -> Vec<KernelText> {
    let kernels = steps::lower(step, steps::group(device));
    kernels.into_iter().map(|kernel| KernelText::new(kernel, dialect, step.algebra())).collect()
}

impl KernelText {
    fn new(kernel: ir::Kernel, dialect: Dialect, algebra: Option<Algebra>) -> Self {
        let primitives = match algebra {
            Some(algebra) if kernel.calls() => algebra.primitives(dialect.has_ptx(), &kernel.family_numbers()),
            _ => Primitives::default(),
        };
        Self {
            source: print::print(&kernel, dialect, &primitives),
            group: kernel.group,
            registers: kernel.registers,
            exact: algebra.and_then(Algebra::unit_roundoff).is_none(),
            local_bytes: kernel.tile_bytes(),
            name: kernel.name,
        }
    }
}

/// Additions (subtractions among them) and multiplications of the codelet of radix `n`: real ones over ℂ, the field's
/// own over a field, where a product with a power of two counts as neither.
///
/// # Panics
/// If there is no codelet of that radix, or none is traced over that algebra.
pub fn count_operations(algebra: Algebra, n: usize) -> (usize, usize) {
    lower::count_operations(algebra, n)
}
