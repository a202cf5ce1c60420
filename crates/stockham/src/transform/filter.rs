//! Transforms there and back, with something done to the spectrum between: convolutions, filters, derivatives.

use serde::{Deserialize, Serialize};

use super::expression::{Expr, Type};
use super::{Coordinates, Kind, Side, Transform};
use crate::algebra::Direction;
use crate::error::{Error, Result};

/// What becomes of the numbers of a spectrum.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Filter {
    pub value: Expr,
    /// Of a line of a transform of several dimensions: the indices of the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<Coordinates>,
}

impl Transform {
    /// The transform there and back: each number of the spectrum becomes what an expression gives of it, and that is transformed
    /// back, by the same kernel where a tile holds a line. For [`Kind::Dft`], and for [`Kind::Real`], which takes and gives real
    /// numbers then, the output lying as the input does; the output is divided by the number of points unless there is
    /// [no normalisation](super::Normalization::None).
    ///
    /// ```
    /// use stockham::{Algebra, Complex64, Device, Expr, Transform};
    /// // The cyclic convolution with 1, 2, 0, 0, whose spectrum is 1 + 2ω^k.
    /// let spectrum = [(3.0, 0.0), (1.0, -2.0), (-1.0, 0.0), (1.0, 2.0)].map(|(re, im)| Complex64::new(re, im));
    /// let convolution = Transform::real(Algebra::ComplexF64, 4).filtered(Expr::value() * Expr::complex_along(0, &spectrum[..3]));
    /// let device = Device::cpu();
    /// let (input, mut output) = (device.upload(&[1.0, 0.0, 0.0, 5.0])?, device.alloc::<f64>(4)?);
    /// device.plan(&convolution)?.run(&input, &mut output)?;
    /// let expected = [11.0, 2.0, 0.0, 5.0];
    /// assert!(output.to_vec()?.iter().zip(expected).all(|(y, expected): (&f64, f64)| (y - expected).abs() < 1e-14));
    /// # Ok::<(), stockham::Error>(())
    /// ```
    pub fn filtered(mut self, spectrum: Expr) -> Self {
        self.filter = Some(Filter { value: spectrum, whole: None });
        if self.kind == Kind::Real {
            self.dims.iter_mut().chain(&mut self.batch).for_each(|dim| dim.output_stride = dim.input_stride);
        }
        self
    }

    pub(crate) fn is_filtered(&self) -> bool {
        self.filter.is_some()
    }

    /// The indices of the spectrum's numbers where they lie as the output's do.
    pub(crate) fn coordinates_of_spectrum(&self) -> Option<Coordinates> {
        let whole = self.filter.as_ref().and_then(|filter| filter.whole.clone());
        let strides = || self.strides(Side::Output).map(|s| (s.n as usize, s.stride as usize)).collect::<Vec<_>>();
        whole.or_else(|| Coordinates::of(&strides(), self.dims.len(), &[]))
    }

    pub(super) fn check_filter(&self) -> Result<()> {
        let Some(filter) = self.filter.as_ref().filter(|filter| filter.whole.is_none()) else { return Ok(()) };
        let invalid = |message: String| Err(Error::InvalidTransform(format!("there and back: {message}")));
        if self.algebra.unit_roundoff().is_none() || !matches!(self.kind, Kind::Dft | Kind::Real) {
            return invalid("for complex numbers, and for real ones and their spectrum".into());
        }
        if self.direction == Direction::Inverse {
            return invalid("it has no inverse direction".into());
        }
        let mut shape: Vec<usize> = self.dims.iter().map(|dim| dim.n).collect();
        if let (Kind::Real, Some(last)) = (self.kind, shape.last_mut()) {
            *last = *last / 2 + 1;
        }
        match filter.value.check(Type::Complex, &shape, &self.batch_shape()) {
            Ok(Type::Truth) => invalid("numbers are expected, not truths".into()),
            Ok(_) => Ok(()),
            Err(message) => invalid(message),
        }
    }
}
