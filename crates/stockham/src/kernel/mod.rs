//! Kernels: passes of a recipe traced into a small typed language, and printed as OpenCL C or CUDA C.

mod build;
#[cfg(test)]
mod interpret;
pub mod ir;
mod lower;
mod print;
mod symbol;
mod tables;
#[cfg(test)]
mod tests;

use crate::algebra::Algebra;
use crate::plan::Recipe;

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
    /// Bytes of dynamic local (shared) memory; in OpenCL the kernel declares its local memory itself.
    pub local_bytes: usize,
}

/// The kernels of a recipe, one a pass; none for the host's recipes.
pub fn texts(recipe: &Recipe, dialect: Dialect) -> Vec<KernelText> {
    let primitives = recipe.transform.algebra.primitives(dialect.has_ptx());
    (0..recipe.passes().len())
        .map(|number| {
            let kernel = lower::lower(recipe, number);
            KernelText {
                source: print::print(&kernel, dialect, primitives),
                group: kernel.group,
                registers: kernel.registers,
                local_bytes: kernel.tile_bytes(),
                name: kernel.name,
            }
        })
        .collect()
}

/// Additions (subtractions among them) and multiplications of the codelet of radix `n`: real ones over ℂ, the field's
/// own over a field, where a product with a power of two counts as neither.
pub fn count_operations(algebra: Algebra, n: usize) -> (usize, usize) {
    lower::count_operations(algebra, n)
}
