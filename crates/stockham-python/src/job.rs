//! What a call computes, and the transform that describes it for arrays as they lie.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use stockham::{Algebra, Dim, Direction, Kind, Layout, Normalization, Placement, Transform, TrigType};

use crate::view::{Number, Place};

/// What becomes of the output when the transform is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Finish {
    Nothing,
    /// The half of a spectrum is made the whole.
    Mirror,
    /// And all of it is conjugated.
    MirrorConjugate,
    /// Every number is conjugated.
    Conjugate,
}

/// A transform along some axes of an array.
#[derive(Debug, Clone)]
pub struct Job {
    pub kind: Kind,
    pub direction: Direction,
    pub normalization: Normalization,
    pub orthogonalize: bool,
    /// The axes, and the points along each.
    pub axes: Vec<usize>,
    pub lengths: Vec<usize>,
    pub finish: Finish,
}

/// Norms by SciPy's names.
pub fn normalization(name: Option<&str>) -> Option<Normalization> {
    match name {
        None | Some("backward") => Some(Normalization::Backward),
        Some("ortho") => Some(Normalization::Ortho),
        Some("forward") => Some(Normalization::Forward),
        _ => None,
    }
}

/// Types of cosine and sine transforms by their numbers.
pub fn trig_type(number: i64) -> Option<TrigType> {
    match number {
        1 => Some(TrigType::I),
        2 => Some(TrigType::II),
        3 => Some(TrigType::III),
        4 => Some(TrigType::IV),
        _ => None,
    }
}

pub fn direction(inverse: bool) -> Direction {
    if inverse { Direction::Inverse } else { Direction::Forward }
}

impl Job {
    /// The numbers of the input and of the output, in the precision of one of them.
    pub fn numbers(&self, of: Number) -> (Number, Number) {
        let (real, complex) = (of.real(), of.complex());
        match (self.kind, self.direction) {
            (Kind::Dft, _) => (complex, complex),
            (Kind::Real, Direction::Forward) => (real, complex),
            (Kind::Real, Direction::Inverse) => (complex, real),
            _ => (real, real),
        }
    }

    /// Counts along an axis of a transform, in the input and in the output.
    pub fn counts(&self, number: usize) -> (usize, usize) {
        let n = self.lengths[number];
        let half = if self.kind == Kind::Real && number + 1 == self.axes.len() { n / 2 + 1 } else { n };
        match (self.kind, self.direction) {
            (Kind::Real, Direction::Forward) => (n, if self.mirrors() { n } else { half }),
            (Kind::Real, Direction::Inverse) => (half, n),
            _ => (n, n),
        }
    }

    pub fn mirrors(&self) -> bool {
        matches!(self.finish, Finish::Mirror | Finish::MirrorConjugate)
    }

    /// The shape of the output for an input.
    pub fn output_shape(&self, input: &[usize]) -> Vec<usize> {
        let mut shape = input.to_vec();
        for (number, axis) in self.axes.iter().enumerate() {
            shape[*axis] = self.counts(number).1;
        }
        shape
    }

    /// Whether the output has no numbers.
    pub fn is_empty(&self, output: &Place) -> bool {
        output.shape.contains(&0)
    }

    /// The transform from one place to another. The input may have more numbers along an axis than are taken.
    ///
    /// # Errors
    /// `ValueError` if the places do not fit it, or each other.
    pub fn transform(&self, input: &Place, output: &Place, placement: Placement) -> PyResult<Transform> {
        let rank = output.shape.len();
        if input.shape.len() != rank {
            return Err(misfit(&format!("the input has {} dimensions and the output {rank}", input.shape.len())));
        }
        if self.numbers(input.number) != (input.number, output.number) {
            let words = format!("no such transform goes from {:?} to {:?}", input.number, output.number);
            return Err(misfit(&words.to_lowercase()));
        }
        let dim = |axis: usize, n| Dim { n, input_stride: input.strides[axis], output_stride: output.strides[axis] };
        let mut dims = Vec::with_capacity(self.axes.len());
        for (number, (&axis, &n)) in self.axes.iter().zip(&self.lengths).enumerate() {
            let (taken, given) = self.counts(number);
            if axis >= rank || self.axes[..number].contains(&axis) {
                return Err(misfit(&format!("there is no axis {axis}, or it is named twice")));
            }
            if input.shape[axis] < taken || output.shape[axis] != given {
                let (found, other) = (input.shape[axis], output.shape[axis]);
                return Err(misfit(&format!(
                    "along axis {axis} the transform takes {taken} numbers and gives {given}; the arrays have {found} and {other}"
                )));
            }
            dims.push(dim(axis, n));
        }
        let mut batch = Vec::with_capacity(rank - dims.len());
        for axis in (0..rank).filter(|axis| !self.axes.contains(axis)) {
            let (n, other) = (output.shape[axis], input.shape[axis]);
            if n != other {
                return Err(misfit(&format!("along axis {axis} the input has {other} numbers and the output {n}")));
            }
            if n != 1 {
                batch.push(dim(axis, n));
            }
        }
        Ok(Transform {
            algebra: if output.number.is_double() { Algebra::ComplexF64 } else { Algebra::ComplexF32 },
            kind: self.kind,
            orthogonalize: self.orthogonalize,
            dims,
            batch,
            direction: self.direction,
            normalization: self.normalization,
            placement,
            input_layout: Layout::Plain,
            output_layout: Layout::Plain,
            domain: Default::default(),
        })
    }
}

fn misfit(words: &str) -> PyErr {
    PyValueError::new_err(words.to_owned())
}
