//! The kernels of steps, and how work-groups share their arrays.

use crate::device_info::DeviceInfo;
use crate::plan::Step;

use super::ir::Kernel;
use super::{carry, pointwise, repeat, residues};

pub(crate) use super::carry::{coefficients, states, unpacked};
pub(crate) use super::pointwise::elements;
pub(crate) use super::residues::{recombined, reduced};

/// Threads of a work-group: a power of two, and a few at least.
pub(crate) fn group(device: &DeviceInfo) -> usize {
    let preferred = if device.simd_width <= 1 { 64 } else { 256 };
    let most = preferred.min(device.max_group).min(device.local_bytes / carry::LOCAL_BYTES).max(4);
    1 << most.ilog2()
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
