//! Lines side by side: transforms whose neighbours in the batch are closer together than their own points, such as the columns of
//! an image. Passes take some neighbours at a time, and what is between passes lies as they do.

use crate::transform::{Dim, Transform};

use super::recipe::Column;

/// The number of the batch dimension whose neighbours are closer together than points, in the input and in the output.
pub(super) fn across(transform: &Transform) -> Option<usize> {
    let [dim] = transform.dims[..] else { return None };
    let is_close = |d: &Dim| d.n > 1 && d.input_stride < dim.input_stride && d.output_stride < dim.output_stride;
    let close = transform.batch.iter().enumerate().filter(|(_, d)| dim.n > 1 && is_close(d));
    close.min_by_key(|(_, d)| d.input_stride.max(d.output_stride)).map(|(number, _)| number)
}

/// Whether passes, so many, take lines that are side by side as their first digit.
pub(crate) fn is_beside(transform: &Transform, passes: usize) -> bool {
    passes > 1 && across(transform).is_some()
}

/// The lines that are side by side, as a digit of a pass that is the first or the last, or neither; in the workspace they are
/// neighbours.
pub(super) fn column(dim: &Dim, (is_first, is_last): (bool, bool)) -> Column {
    Column {
        n: dim.n,
        input_stride: if is_first { dim.input_stride } else { 1 },
        output_stride: if is_last { dim.output_stride } else { 1 },
        weight: 0,
    }
}
