//! The operands of transforms and of steps in host memory.

use bytemuck::Pod;

use super::super::driver::{Extent, Operands, StepOperands};
use super::HostMemory;

/// Runs `work` on the input of a transform, if it is not in place, and on its output.
pub(super) fn sides<I: Pod, O: Pod, R>(operands: Operands<'_>, work: impl FnOnce(Option<&[I]>, &mut [O]) -> R) -> R {
    let Operands { input, output, .. } = operands;
    let (first_in, first_out) = (input.offset / size_of::<I>(), output.offset / size_of::<O>());
    if std::ptr::addr_eq(input.memory, output.memory) {
        let mut data = HostMemory::of(output.memory).write();
        return work(None, &mut bytemuck::cast_slice_mut(&mut data)[first_out..]);
    }
    let source = HostMemory::of(input.memory).read();
    let mut target = HostMemory::of(output.memory).write();
    work(Some(&bytemuck::cast_slice(&source)[first_in..]), &mut bytemuck::cast_slice_mut(&mut target)[first_out..])
}

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
