//! Low-degree extensions: of a polynomial's values on a subgroup, those on a coset of a larger one.

use crate::algebra::Data;
use crate::convolution::values;
use crate::device::{Buffer, Device, Executable, Stream};
use crate::error::{Error, Result};
use crate::transform::{Dim, Domain, Placement, Transform};

/// Evaluations on n points become those on n·B, as one plan: a transform to coefficients, and one back to which the other
/// coefficients are zeros that are nowhere in memory.
///
/// ```
/// use stockham::{Algebra, Device, Domain, Transform, extension::Extension};
/// let (device, babybear): (_, Algebra) = (Device::cpu(), "babybear".parse()?);
/// let onto = Domain { coset: vec![31], ..Domain::default() };
/// let mut extension = Extension::<u32>::plan(&device, &Transform::new(babybear, 2), 2, onto)?;
/// // The polynomial 1 + x has the values 2 and 0 at 1 and −1.
/// let (input, mut output) = (device.upload(&[2u32, 0])?, device.alloc(extension.output_len())?);
/// extension.run(device.default_stream(), &input, &mut output)?;
/// device.default_stream().synchronize()?;
/// assert_eq!(output.to_vec()?[0], 32);
/// # Ok::<(), stockham::Error>(())
/// ```
pub struct Extension<T> {
    inverse: Executable,
    forward: Executable,
    coefficients: Buffer<T>,
    workspace: Buffer<T>,
}

impl<T: Data> Extension<T> {
    /// Plans for the values that a transform of n points over a field describes, with its strides, batch and [`Domain`]: the
    /// coset that they are on, and their order. It takes the memory of the coefficients, and that of a workspace.
    ///
    /// The output has n·`blowup` points in the order and on the coset of `onto`. Where the points of the input are
    /// neighbours, lines follow each other so much further apart; columns of a matrix have as many rows.
    ///
    /// # Errors
    /// [`Error::InvalidTransform`] unless `blowup` is a power of two and the transform one of one dimension; otherwise as
    /// [`Device::plan`].
    pub fn plan(device: &Device, evaluations: &Transform, blowup: usize, onto: Domain) -> Result<Self> {
        let [inverse, forward] = transforms(evaluations, blowup, onto)?;
        let (inverse, forward) = (device.plan(&inverse)?, device.plan(&forward)?);
        let elements = inverse.workspace_len().max(forward.workspace_len());
        let algebra = evaluations.algebra;
        let workspace = device.alloc(values::<T>(algebra, elements)?)?;
        let coefficients = device.alloc(values::<T>(algebra, inverse.transform().output_len())?)?;
        Ok(Self { inverse, forward, coefficients, workspace })
    }

    /// Elements of the output.
    pub fn output_len(&self) -> usize {
        self.forward.transform().output_len()
    }

    /// Submits it.
    ///
    /// # Errors
    /// As [`Executable::run_on`].
    pub fn run(&mut self, stream: &Stream, input: &Buffer<T>, output: &mut Buffer<T>) -> Result<()> {
        self.inverse.run_on(stream, input, &mut self.coefficients, &mut self.workspace)?;
        self.forward.run_on(stream, &self.coefficients, output, &mut self.workspace)
    }
}

/// To coefficients, which lie as the input does, and back.
fn transforms(evaluations: &Transform, blowup: usize, onto: Domain) -> Result<[Transform; 2]> {
    let ([dim], true) = (&evaluations.dims[..], blowup.is_power_of_two()) else {
        let reason = "an extension is of one dimension, by a power of two of its points";
        return Err(Error::InvalidTransform(reason.into()));
    };
    let from = |d: &Dim| Dim::new(d.n, d.input_stride);
    let onto_stride = |d: &Dim| {
        let is_outside = d.input_stride >= dim.n.saturating_mul(dim.input_stride);
        let stride = if is_outside { d.input_stride.saturating_mul(blowup) } else { d.input_stride };
        Dim { n: d.n, input_stride: d.input_stride, output_stride: stride }
    };
    let inverse = Transform {
        dims: vec![from(dim)],
        batch: evaluations.batch.iter().map(from).collect(),
        placement: Placement::OutOfPlace,
        domain: Domain { reversed: [evaluations.domain.reversed[0], false], ..evaluations.domain.clone() },
        ..evaluations.clone().inverse()
    };
    let n = dim.n.saturating_mul(blowup);
    let forward = Transform {
        dims: vec![Dim::new(n, dim.input_stride)],
        batch: evaluations.batch.iter().map(onto_stride).collect(),
        placement: Placement::OutOfPlace,
        domain: Domain { given: Some(dim.n), reversed: [false, onto.reversed[1]], ..onto },
        ..evaluations.clone().direction(crate::Direction::Forward)
    };
    Ok([inverse, forward])
}
