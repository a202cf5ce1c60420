//! The two sides of a transform: how many numbers each has, of which kind, and how far apart.

use super::{Dim, Kind, Transform};
use crate::algebra::Direction;
use crate::distinct::Stride;

/// The two sides of a transform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Input,
    Output,
}

impl Transform {
    /// Elements the input must have, or real numbers: one past the farthest read.
    pub fn input_len(&self) -> usize {
        self.extent(Side::Input)
    }

    /// Elements the output must have, or real numbers: one past the farthest written.
    pub fn output_len(&self) -> usize {
        self.extent(Side::Output)
    }

    /// The side that a half spectrum is on, if there is one.
    pub(crate) fn half_side(&self) -> Option<Side> {
        match (self.kind, self.direction) {
            // There and back, no side is a spectrum.
            _ if self.is_filtered() => None,
            (Kind::Real, Direction::Forward) => Some(Side::Output),
            (Kind::Real, Direction::Inverse) => Some(Side::Input),
            _ => None,
        }
    }

    /// Whether the numbers of a side are real.
    pub(crate) fn is_real(&self, side: Side) -> bool {
        self.kind != Kind::Dft && self.half_side() != Some(side)
    }

    /// How many numbers a side has along a transform dimension: of a half spectrum, the last one's are half.
    pub(crate) fn count(&self, side: Side, number: usize) -> usize {
        let n = self.dims[number].n;
        let is_half = self.half_side() == Some(side) && number + 1 == self.dims.len();
        match self.domain.given.filter(|_| side == Side::Input) {
            Some(given) => given.min(n),
            None if is_half && n > 0 => n / 2 + 1,
            None => n,
        }
    }

    /// How many numbers a side has along each dimension, and how far apart they are.
    pub(crate) fn strides(&self, side: Side) -> impl Iterator<Item = Stride> {
        let stride = move |dim: &Dim| if side == Side::Input { dim.input_stride } else { dim.output_stride };
        let of = move |n: usize, dim: &Dim| Stride { n: n as u64, stride: stride(dim) as u64 };
        let dims = (0..self.dims.len()).map(move |number| of(self.count(side, number), &self.dims[number]));
        dims.chain(self.batch.iter().map(move |dim| of(dim.n, dim)))
    }

    fn extent(&self, side: Side) -> usize {
        if self.all_dims().any(|d| d.n == 0) {
            return 0;
        }
        self.numbers_there(side).unwrap_or_else(|| self.array_len(side))
    }

    /// Numbers of the array that a side is, were all of it in memory: one past the farthest.
    pub(crate) fn array_len(&self, side: Side) -> usize {
        // Saturating, so that a description larger than the address space is refused and does not wrap around.
        let far = self.strides(side).map(|Stride { n, stride }| (n - 1).saturating_mul(stride));
        usize::try_from(far.fold(1, u64::saturating_add)).unwrap_or(usize::MAX)
    }
}
