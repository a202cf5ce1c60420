//! What single operations over a big prime take on a device when nothing else is done: each is repeated on every element
//! of an array, in registers. Two runs of different lengths tell the time of one operation, loads and stores aside.

use crate::algebra::{BigPrime, Digit};
use crate::device::{Buffer, Device, KernelReport, Prepared, Stream};
use crate::error::Result;
use crate::plan::Step;

pub use crate::plan::Operation;

/// An operation that is repeated so many times, made ready for a device.
///
/// ```
/// use stockham::repetition::{Operation, Repetition};
/// use stockham::{BigPrime, Device};
/// let device = Device::cpu();
/// let mut x = device.upload(&[3u64, 0, 1, 0])?;
/// let fourth_power = Repetition::plan(&device, BigPrime::P1, Operation::Product, 2)?;
/// fourth_power.run(device.default_stream(), &mut x)?;
/// assert_eq!(x.to_vec()?, [81, 0, 1, 0]);
/// # Ok::<(), stockham::Error>(())
/// ```
pub struct Repetition {
    step: Prepared,
}

impl Repetition {
    /// Makes it ready. All numbers of repetitions share their kernel.
    ///
    /// # Errors
    /// [`Error::Compile`](crate::Error::Compile), [`Error::OutOfMemory`](crate::Error::OutOfMemory) or
    /// [`Error::Driver`](crate::Error::Driver) from the device.
    pub fn plan(device: &Device, prime: BigPrime, operation: Operation, times: u32) -> Result<Self> {
        Ok(Self { step: device.prepare_step(Step::Repeat { prime, operation, times })? })
    }

    /// Submits it, in place on all elements of `data`, the k digits of each together.
    ///
    /// # Errors
    /// [`Error::ElementType`](crate::Error::ElementType), [`Error::BufferLength`](crate::Error::BufferLength) or
    /// [`Error::DeviceMismatch`](crate::Error::DeviceMismatch); what the driver reports.
    pub fn run<D: Digit>(&self, stream: &Stream, data: &mut Buffer<D>) -> Result<()> {
        self.step.run_in_place(stream, data, None)
    }

    /// What the device's compiler told of the kernel.
    pub fn kernel_reports(&self) -> Vec<KernelReport> {
        self.step.kernel_reports()
    }
}
