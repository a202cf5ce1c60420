//! The dimensions of a transform and of its batch.

use serde::{Deserialize, Serialize};

/// The lengths of a transform's dimensions, outermost first: a number or some.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lengths(pub(super) Vec<usize>);

impl From<usize> for Lengths {
    fn from(n: usize) -> Self {
        Self(vec![n])
    }
}

impl<const RANK: usize> From<[usize; RANK]> for Lengths {
    fn from(lengths: [usize; RANK]) -> Self {
        Self(lengths.into())
    }
}

impl From<&[usize]> for Lengths {
    fn from(lengths: &[usize]) -> Self {
        Self(lengths.into())
    }
}

impl From<Vec<usize>> for Lengths {
    fn from(lengths: Vec<usize>) -> Self {
        Self(lengths)
    }
}

impl From<Lengths> for Vec<usize> {
    fn from(lengths: Lengths) -> Self {
        lengths.0
    }
}

/// One dimension of a transform or of its batch: a length and the strides between neighbours, in elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Dim {
    /// How many.
    pub n: usize,
    /// Distance between neighbours in the input, in elements.
    pub input_stride: usize,
    /// Distance between neighbours in the output, in elements.
    pub output_stride: usize,
}

impl Dim {
    /// A dimension with the same stride on both sides.
    pub fn new(n: usize, stride: usize) -> Self {
        Self { n, input_stride: stride, output_stride: stride }
    }
}

pub(super) fn product(dims: &[Dim]) -> usize {
    dims.iter().fold(1, |product, d| product.saturating_mul(d.n))
}
