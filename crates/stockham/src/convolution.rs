//! Cyclic convolutions of device buffers: what products of polynomials and of integers share.

use crate::algebra::{Algebra, Data, Scale};
use crate::device::{Buffer, Device, Executable, KernelReport, Prepared, Stream};
use crate::error::{Error, Result};
use crate::plan::Step;
use crate::transform::{Normalization, Transform};

/// A cyclic convolution of n points, made ready for a device, with its workspace: DFT⁻¹(DFT x · DFT y).
pub(crate) struct Convolution<T> {
    forward: Executable,
    inverse: Executable,
    product: Prepared,
    square: Prepared,
    workspace: Buffer<T>,
}

impl<T: Data> Convolution<T> {
    /// Plans for n points of an algebra whose elements are made of `T`. The factor 1/n goes with the products, where memory is the limit and a factor costs nothing.
    ///
    /// # Errors
    /// As [`Device::plan`]; [`Error::OutOfMemory`](crate::Error::OutOfMemory).
    pub fn plan(device: &Device, algebra: Algebra, n: usize) -> Result<Self> {
        let transform = Transform::new(algebra, n).in_place().normalization(Normalization::None);
        let (forward, inverse) = (device.plan(&transform)?, device.plan(&transform.inverse())?);
        let scale = if n == 1 { Scale::One } else { Scale::Inverse(n) };
        let elements = forward.workspace_len().max(inverse.workspace_len());
        let workspace = device.alloc(values::<T>(algebra, elements)?)?;
        let product = device.prepare_step(Step::Product { algebra, scale })?;
        let square = device.prepare_step(Step::Square { algebra, scale })?;
        Ok(Self { forward, inverse, product, square, workspace })
    }

    /// Submits x ← DFT x.
    pub fn forward(&mut self, stream: &Stream, x: &mut Buffer<T>) -> Result<()> {
        self.forward.run_in_place_on(stream, x, &mut self.workspace)
    }

    /// Submits x_i ← x_i·y_i/n, or x_i²/n.
    pub fn product(&self, stream: &Stream, x: &mut Buffer<T>, y: Option<&Buffer<T>>) -> Result<()> {
        if y.is_some() { &self.product } else { &self.square }.run_in_place(stream, x, y.map(Into::into))
    }

    /// Submits x ← n·DFT⁻¹ x.
    pub fn inverse(&mut self, stream: &Stream, x: &mut Buffer<T>) -> Result<()> {
        self.inverse.run_in_place_on(stream, x, &mut self.workspace)
    }

    /// What the device's compiler told of each kernel.
    pub fn kernel_reports(&self) -> Vec<KernelReport> {
        let transforms = [&self.forward, &self.inverse].into_iter().flat_map(Executable::kernel_reports);
        transforms.chain([&self.product, &self.square].into_iter().flat_map(Prepared::kernel_reports)).collect()
    }
}

/// How many values of `T` make so many elements.
///
/// # Errors
/// [`Error::ElementType`] if the algebra's elements are not made of such values.
pub(crate) fn values<T: Data>(algebra: Algebra, elements: usize) -> Result<usize> {
    let per_element = T::per_element(algebra);
    let found = T::NAME;
    let per_element = per_element.ok_or(Error::ElementType { buffer: "operand", expected: algebra.given(), found })?;
    Ok(elements.saturating_mul(per_element))
}
