//! The lines of a batch: where each transform begins.

use crate::transform::{Dim, Transform};

/// The dimension that is transformed, and the batch around it.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    pub dim: Dim,
    /// The other dimensions with more than one element, those with the largest distances in the output first.
    pub batch: Vec<Dim>,
}

impl Lines {
    pub fn of(transform: &Transform) -> Self {
        Self::new(transform.dims[0], transform.batch.clone())
    }

    pub fn new(dim: Dim, mut batch: Vec<Dim>) -> Self {
        // The stride of a single element says nothing.
        let dim = if dim.n == 1 { Dim::new(1, 1) } else { dim };
        batch.retain(|d| d.n > 1);
        batch.sort_by_key(|d| std::cmp::Reverse(d.output_stride));
        Self { dim, batch }
    }

    /// The number of transforms.
    pub fn count(&self) -> usize {
        self.batch.iter().map(|d| d.n).product()
    }

    /// The first input and output element of transform number `index`.
    pub fn origin(&self, mut index: usize) -> (usize, usize) {
        let (mut input, mut output) = (0, 0);
        for d in self.batch.iter().rev() {
            let i = index % d.n;
            index /= d.n;
            input += i * d.input_stride;
            output += i * d.output_stride;
        }
        (input, output)
    }

    /// Whether they are columns of matrices: neighbours in the input and in the output.
    pub fn are_columns(&self) -> bool {
        let are_neighbours = |d: &Dim| (d.input_stride, d.output_stride) == (1, 1);
        self.dim.input_stride > 1 && self.dim.output_stride > 1 && self.batch.last().is_some_and(are_neighbours)
    }

    /// Whether all lines follow each other without gaps, in the input and in the output.
    pub fn are_packed(&self) -> bool {
        let is_packed = |d: &Dim| (d.input_stride, d.output_stride) == (self.dim.n, self.dim.n);
        let is_contiguous = (self.dim.input_stride, self.dim.output_stride) == (1, 1);
        is_contiguous && self.batch.len() <= 1 && self.batch.iter().all(is_packed)
    }
}
