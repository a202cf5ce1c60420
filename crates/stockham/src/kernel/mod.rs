//! Kernels: passes of a recipe traced into a small typed language, and printed as OpenCL C or CUDA C.

pub(crate) mod access;
mod build;
mod carry;
pub mod hopper;
#[cfg(test)]
mod interpret;
pub mod ir;
mod lower;
mod moduli;
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

use std::ops::Range;

use crate::algebra::{Algebra, Primitives};
use crate::device_info::DeviceInfo;
use crate::plan::{Array, Recipe, Ring, Step, StepFields};
use crate::transform::Transform;

pub use operations::{Operations, operations};
pub use print::Dialect;
pub(crate) use tables::Tables;

/// Where what kernels read and write may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alignment {
    /// At multiples of a vector's bytes: elements of digits are read and written by vectors.
    Vector,
    /// At any number of an element that is no array of digits, or at any digit.
    Digit,
}

/// The text of one kernel, and what its launch needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelText {
    /// The function's name.
    pub name: String,
    /// The whole source, for the dialect of the device it was printed for.
    pub source: String,
    /// The caller's memory must begin at multiples of so many bytes. The [other kernel](Alignment) asks no more than its
    /// numbers do.
    pub alignment: usize,
    /// Threads of a work-group.
    pub group: usize,
    /// Work-groups of a cluster; 1 without clusters.
    pub cluster: usize,
    /// Whether work-groups take one tile after another, as many of them as there are: no more are of use than the device
    /// has room for side by side.
    pub stays: bool,
    /// Whether work-groups wait for each other, so that all have to run side by side.
    pub cooperates: bool,
    /// The array in the source of which it copies boxes, by a map that is one argument more of its launch.
    pub boxes: Option<Boxes>,
    /// Registers that a thread should not exceed, so that enough work-groups run side by side.
    pub registers: usize,
    /// Whether it computes with integers alone.
    pub exact: bool,
    /// Bytes of dynamic local (shared) memory; in OpenCL the kernel declares its local memory itself.
    pub local_bytes: usize,
    /// Whether it waits itself for the launch before it, where the device can begin a launch before the last one ended.
    pub waits: bool,
}

/// An array of which a kernel copies boxes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Boxes {
    /// The array.
    pub array: Array,
    /// Bytes of its elements.
    pub element_bytes: usize,
    /// Bytes of what the source is counted in: of its elements, or of the real numbers that make some.
    pub number_bytes: usize,
}

impl Boxes {
    fn of(kernel: &ir::Kernel) -> Option<Self> {
        let array = kernel.hopper.ahead.as_ref()?.array.clone()?;
        let element_bytes = kernel.element_bytes();
        Some(Self {
            array,
            element_bytes,
            number_bytes: if kernel.reals[0] { element_bytes / 2 } else { element_bytes },
        })
    }
}

/// The kernels of a recipe, one a launch, or one for all if it goes through a ring, dimension after dimension; none for the host's recipes. Launches of clusters and through rings are for CUDA alone.
pub fn texts(recipe: &Recipe, dialect: Dialect) -> Vec<KernelText> {
    texts_for(recipe, dialect, Alignment::Vector)
}

/// The same for memory that begins where it likes, or by vectors.
pub fn texts_for(recipe: &Recipe, dialect: Dialect, alignment: Alignment) -> Vec<KernelText> {
    if !recipe.axes().is_empty() {
        return recipe.axes().iter().flat_map(|axis| texts_for(&axis.recipe, dialect, alignment)).collect();
    }
    let kernel = |launch| lower::kernel(recipe, launch);
    let algebra = recipe.transform.algebra;
    let launches = recipe.launches();
    if let (Some(ring), [first, second]) = (recipe.ring, &launches[..]) {
        let pair = [first, second].map(|launch| kernel(launch.clone()));
        return vec![KernelText::of_ring(&pair, dialect, (&recipe.transform, ring))];
    }
    let text = |launch: Range<usize>| {
        let is_short = recipe.passes()[launch.start].groups() <= SHORT_LAUNCH;
        KernelText::new(kernel(launch), (dialect, alignment), Some(algebra), is_short)
    };
    launches.into_iter().map(text).collect()
}

/// Work-groups of a launch that may begin while the one before it ends. It saves a launch a microsecond or two, and costs
/// each work-group some of that.
const SHORT_LAUNCH: usize = 1 << 12;

/// The kernels of a step on a device that compiles some.
pub fn step_texts(step: &Step, device: &DeviceInfo, dialect: Dialect) -> Vec<KernelText> {
    step_texts_for(step, device, dialect, Alignment::Vector)
}

/// The same for memory that begins where it likes, or by vectors.
pub fn step_texts_for(step: &Step, device: &DeviceInfo, dialect: Dialect, alignment: Alignment) -> Vec<KernelText> {
    let kernels = steps::lower(step, steps::group(device));
    kernels.into_iter().map(|kernel| KernelText::new(kernel, (dialect, alignment), step.algebra(), true)).collect()
}

/// The kernel of a product, or of an inner product, over a list of fields.
pub(crate) fn step_text_over(
    (step, algebra): (&Step, Algebra),
    list: &StepFields,
    device: &DeviceInfo,
    (dialect, alignment): (Dialect, Alignment),
) -> KernelText {
    let kernel = steps::lower_over(step, algebra, steps::group(device), list);
    KernelText::new(kernel, (dialect, alignment), Some(algebra), true)
}

impl KernelText {
    fn new(
        kernel: ir::Kernel,
        (dialect, alignment): (Dialect, Alignment),
        algebra: Option<Algebra>,
        overlaps: bool,
    ) -> Self {
        let waits = overlaps && dialect == Dialect::Cuda;
        let primitives = match algebra {
            Some(algebra) if kernel.calls() => {
                algebra.primitives(dialect.has_ptx(), &kernel.family_numbers(), kernel.team, kernel.products())
            }
            _ => Primitives::default(),
        };
        Self {
            source: print::print(&kernel, (dialect, alignment), &primitives, waits),
            alignment: print::alignment(&kernel, alignment),
            group: kernel.group,
            cluster: kernel.hopper.cluster,
            stays: kernel.hopper.ahead.is_some(),
            cooperates: false,
            boxes: None,
            registers: kernel.registers,
            exact: algebra.and_then(Algebra::unit_roundoff).is_none(),
            local_bytes: print::local_bytes(&kernel),
            waits,
            name: kernel.name,
        }
    }

    /// One kernel that does the work of both in turn, through a ring of that transform.
    fn of_ring(pair: &[ir::Kernel; 2], dialect: Dialect, (transform, ring): (&Transform, Ring)) -> Self {
        let algebra = transform.algebra;
        let calls = pair.iter().any(ir::Kernel::calls);
        let primitives = if calls { algebra.primitives(dialect.has_ptx(), &[], 1, 0) } else { Primitives::default() };
        Self {
            name: print::ring_name(pair.each_ref()),
            source: print::print_ring(pair, (transform, ring), &primitives),
            alignment: pair[0].element_bytes(),
            group: pair[0].group,
            cluster: 1,
            stays: true,
            cooperates: true,
            boxes: Boxes::of(&pair[0]),
            registers: pair[0].registers.max(pair[1].registers),
            exact: algebra.unit_roundoff().is_none(),
            local_bytes: print::ring_local_bytes(pair),
            waits: false,
        }
    }
}

/// Additions (subtractions among them) and multiplications of the codelet of radix `n`: real ones over ℂ, the field's
/// own over a field, where a product with a power of two counts as neither.
///
/// # Panics
/// If there is no codelet of that radix, or none is traced over that algebra.
pub fn count_operations(algebra: Algebra, n: usize) -> (usize, usize) {
    lower::count_operations(algebra, n, false)
}
