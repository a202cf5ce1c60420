//! The DFT that a line of a transform goes through: of cosine and sine transforms another than the line itself.

use super::{Kind, Transform, TrigType};
use crate::algebra::Direction;

impl Transform {
    /// Of cosine and sine transforms: whether it is one of sines, and the type that is computed, as the direction has it.
    pub(crate) fn trig(&self) -> Option<(bool, TrigType)> {
        let (is_sine, of) = match self.kind {
            Kind::Dft | Kind::Real => return None,
            Kind::Cosine(of) => (false, of),
            Kind::Sine(of) => (true, of),
        };
        Some((is_sine, if self.direction == Direction::Inverse { of.inverse() } else { of }))
    }

    /// Points of the DFT that a line of n numbers goes through.
    pub(crate) fn inner_of(&self, n: usize) -> usize {
        match self.trig() {
            Some((is_sine, TrigType::I)) => TrigType::I.logical(is_sine, n),
            Some((_, TrigType::IV)) if n.is_multiple_of(2) => n / 2,
            _ => n,
        }
    }

    /// Those of all dimensions.
    pub(crate) fn inner_points(&self) -> usize {
        self.dims.iter().fold(1, |points, dim| points.saturating_mul(self.inner_of(dim.n)))
    }

    /// The direction of that DFT.
    pub(crate) fn inner_direction(&self) -> Direction {
        match self.trig() {
            None => self.direction,
            Some((_, TrigType::III)) => Direction::Inverse,
            Some(_) => Direction::Forward,
        }
    }
}
