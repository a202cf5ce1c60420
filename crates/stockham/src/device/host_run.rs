//! Runs on memory of the host: where it lies if the device is the CPU, and else in copies on the device.

use crate::algebra::Data;
use crate::error::Result;
use crate::transform::{Side, Transform};

use super::interop::cpu::{lend, lend_mut};
use super::{Backend, Executable};

impl Executable {
    /// Transforms a slice of the host into another, and waits. What stands between the outputs stays. A GPU has copies of
    /// both, and a workspace.
    ///
    /// ```
    /// use stockham::{Complex32, Device, Fft};
    /// let (x, mut y) = ([1.0, 1.0].map(Complex32::from), [Complex32::ZERO; 2]);
    /// Fft::complex::<f32>(2).plan(&Device::cpu())?.run_host(&x, &mut y)?;
    /// assert_eq!(y, [2.0, 0.0].map(Complex32::from));
    /// # Ok::<(), stockham::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`run`](Self::run), and [`Error::OutOfMemory`](crate::Error::OutOfMemory) for the copies.
    pub fn run_host<I: Data, O: Data>(&self, input: &[I], output: &mut [O]) -> Result<()> {
        let device = self.device();
        if device.info().backend == Backend::Cpu {
            return self.run(&lend(device, input)?, &mut lend_mut(device, output)?);
        }
        let stream = device.default_stream();
        let (mut copy, mut results) = (device.pooled(input.len())?, device.pooled(output.len())?);
        let mut workspace = device.pooled::<I>(self.workspace_values::<I>("input")?)?;
        copy.write_on(stream, input)?;
        if keeps_some(self.transform()) {
            results.write_on(stream, output)?;
        }
        self.run_on(stream, &copy, &mut results, &mut workspace)?;
        results.read_on(stream, output)
    }

    /// Transforms a slice of the host in place, and waits.
    ///
    /// # Errors
    /// As [`run_host`](Self::run_host).
    pub fn run_host_in_place<T: Data>(&self, data: &mut [T]) -> Result<()> {
        let device = self.device();
        if device.info().backend == Backend::Cpu {
            return self.run_in_place(&mut lend_mut(device, data)?);
        }
        let stream = device.default_stream();
        let mut copy = device.pooled(data.len())?;
        let mut workspace = device.pooled::<T>(self.workspace_values::<T>("data")?)?;
        copy.write_on(stream, data)?;
        self.run_in_place_on(stream, &mut copy, &mut workspace)?;
        copy.read_on(stream, data)
    }
}

/// Whether some of what lies where the output is there after a run, or goes into it.
fn keeps_some(transform: &Transform) -> bool {
    let store = transform.access(Side::Output);
    let written = || transform.strides(Side::Output).fold(1, |count: u64, stride| count.saturating_mul(stride.n));
    store.accumulates() || store.leaves_gaps() || written() < transform.array_len(Side::Output) as u64
}
