//! The kernels of steps, and how work-groups share their arrays.

use crate::algebra::Algebra;
use crate::device_info::DeviceInfo;
use crate::plan::{Step, StepFields};

use super::ir::Kernel;
use super::{carry, pointwise, repeat, residues};

pub(crate) use super::carry::{coefficients, states, unpacked};
pub(crate) use super::pointwise::groups;
pub(crate) use super::residues::{recombined, reduced};

/// Threads of a work-group: a power of two, and a few at least.
pub(crate) fn group(device: &DeviceInfo) -> usize {
    let preferred = if device.simd_width <= 1 { 64 } else { 256 };
    let most = preferred.min(device.max_group).min(device.local_bytes / carry::LOCAL_BYTES).max(4);
    1 << most.ilog2()
}

/// The kernel of a product, or of an inner product, over a list of fields.
pub(super) fn lower_over(step: &Step, algebra: Algebra, group: usize, list: &StepFields) -> Kernel {
    pointwise::lower_over(step, algebra, group, Some(list))
}

pub(super) fn lower(step: &Step, group: usize) -> Vec<Kernel> {
    match *step {
        Step::Product { algebra, .. }
        | Step::Square { algebra, .. }
        | Step::InnerProduct { algebra, .. }
        | Step::Twist { algebra, .. } => {
            vec![pointwise::lower(step, algebra, group)]
        }
        Step::Repeat { prime, operation, .. } => vec![repeat::lower(prime, operation, group)],
        Step::Unpack { .. } | Step::Carry { .. } => carry::lower(step, group),
        Step::Reduce { system } => vec![residues::reduce(system, group)],
        Step::Recombine { system } => vec![residues::recombine(system, group)],
    }
}
