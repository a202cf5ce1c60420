//! The operands of steps in host memory.

use super::super::driver::{Extent, StepOperands};
use super::HostMemory;

pub(super) fn range<T>(extent: Extent<'_>) -> std::ops::Range<usize> {
    let start = extent.location.offset / size_of::<T>();
    start..start + extent.len
}

/// Runs `work` on source and target as plain words.
pub(super) fn words(operands: StepOperands<'_>, work: impl FnOnce(&[u64], &mut [u64])) {
    let source = HostMemory::of(operands.source.location.memory).read();
    let mut target = HostMemory::of(operands.target.location.memory).write();
    let target = &mut bytemuck::cast_slice_mut(&mut target)[range::<u64>(operands.target)];
    work(&bytemuck::cast_slice(&source)[range::<u64>(operands.source)], target);
}
