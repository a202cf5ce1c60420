//! The operands of transforms and of steps in host memory.

use bytemuck::Pod;

use super::super::driver::{Extent, Operands, StepOperands};
use super::memory::{HostMemory, values, values_mut};

/// Runs `work` on the input of a transform, if it is not in place, and on its output.
pub(super) fn sides<I: Pod, O: Pod, R>(operands: Operands<'_>, work: impl FnOnce(Option<&[I]>, &mut [O]) -> R) -> R {
    let Operands { input, output, .. } = operands;
    if std::ptr::addr_eq(input.memory, output.memory) {
        return work(None, values_mut(&mut HostMemory::of(output.memory).write(), output.offset));
    }
    let source = HostMemory::of(input.memory).read();
    let mut target = HostMemory::of(output.memory).write();
    work(Some(values(&source, input.offset)), values_mut(&mut target, output.offset))
}

pub(super) fn range<T>(extent: Extent<'_>) -> std::ops::Range<usize> {
    let start = extent.location.offset / size_of::<T>();
    start..start + extent.len
}

/// Runs `work` on source and target as plain words.
pub(super) fn words(operands: StepOperands<'_>, work: impl FnOnce(&[u64], &mut [u64])) {
    let source = HostMemory::of(operands.source.location.memory).read();
    let mut target = HostMemory::of(operands.target.location.memory).write();
    let target = &mut values_mut(&mut target, 0)[range::<u64>(operands.target)];
    work(&values(&source, 0)[range::<u64>(operands.source)], target);
}
