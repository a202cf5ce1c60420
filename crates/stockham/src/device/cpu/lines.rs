//! The lines of a batch: where each transform begins.

use crate::transform::{Dim, Transform};

/// The dimension that is transformed, and the batch around it.
pub(super) struct Lines {
    pub dim: Dim,
    batch: Vec<Dim>,
}

impl Lines {
    pub fn of(transform: &Transform) -> Self {
        Self { dim: transform.dims[0], batch: transform.batch.clone() }
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

    /// Whether the outputs of consecutive transforms follow each other without gaps.
    pub fn is_packed(&self) -> bool {
        self.dim.output_stride == 1
            && (1..self.count().min(3)).all(|i| self.origin(i).1 == i * self.dim.n)
            && self.batch.iter().filter(|d| d.n > 1).count() <= 1
    }
}
