//! Transforms of host slices on a device, whose plans are kept.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::algebra::Data;
use crate::device::{Device, Executable};
use crate::error::{Error, Result};
use crate::transform::{Placement, Side, Transform};

/// Plans that are kept.
const KEPT: usize = 32;

/// A device with what was planned for it last, which transforms slices of the host: where they lie if it is the CPU, and
/// else in copies on the device. Cheap to clone; clones share their plans.
///
/// ```
/// use stockham::{Algebra, Device, Goldilocks, HostRunner, Transform};
/// let runner = HostRunner::new(Device::cpu());
/// let mut x = [Goldilocks::reduce(1); 8];
/// runner.run_in_place(Transform::new(Algebra::Goldilocks, 8), &mut x)?;
/// assert_eq!((x[0].value(), x[1].value()), (8, 0));
/// # Ok::<(), stockham::Error>(())
/// ```
#[derive(Clone)]
pub struct HostRunner {
    device: Device,
    /// The latest first.
    kept: Arc<Mutex<Vec<Executable>>>,
}

impl HostRunner {
    /// Without plans yet.
    pub fn new(device: Device) -> Self {
        Self { device, kept: Arc::default() }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Plans a transform, or gives the plan that was made of it before, if it is among the last 32.
    ///
    /// # Errors
    /// As [`Device::plan`].
    pub fn plan(&self, transform: &Transform) -> Result<Executable> {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let latest = |executable: &Executable| {
            let mut kept = kept();
            kept.retain(|other| other.transform() != transform);
            kept.insert(0, executable.clone());
            kept.truncate(KEPT);
        };
        let known = kept().iter().find(|executable| executable.transform() == transform).cloned();
        // Others may plan meanwhile.
        let executable = known.map_or_else(|| self.device.plan(transform), Ok)?;
        latest(&executable);
        Ok(executable)
    }

    /// Transforms a slice in place, whatever the placement says, and waits.
    ///
    /// # Errors
    /// [`Error::BufferLength`] for a slice of another length than the transform's; otherwise as [`Device::plan`] and
    /// [`Executable::run_host_in_place`].
    pub fn run_in_place<T: Data>(&self, transform: Transform, x: &mut [T]) -> Result<()> {
        let transform = transform.in_place();
        check(&transform, x)?;
        self.plan(&transform)?.run_host_in_place(x)
    }

    /// Transforms a slice into another, whatever the placement says, and waits. What stands between the outputs stays.
    ///
    /// # Errors
    /// As [`run_in_place`](Self::run_in_place), for either slice.
    pub fn run<I: Data, O: Data>(&self, transform: &Transform, x: &[I], y: &mut [O]) -> Result<()> {
        let transform = transform.clone().placement(Placement::OutOfPlace);
        check(&transform, x)?;
        self.plan(&transform)?.run_host(x, y)
    }
}

/// Before anything is planned or allocated for lengths that nobody has. What is not seen here is refused when it runs: values of
/// another kind, other formats, real lines that are padded in place.
pub(crate) fn check<T: Data>(transform: &Transform, x: &[T]) -> Result<()> {
    transform.validate()?;
    let is_padded = transform.placement == Placement::InPlace && transform.half_side() == Some(Side::Output);
    let per_number = match transform.is_real(Side::Input) {
        true => Some(1),
        false => T::per_element(transform.algebra),
    };
    let Some(per_number) = per_number.filter(|_| !is_padded && transform.access(Side::Input).is_plain()) else {
        return Ok(());
    };
    let expected = transform.input_len().saturating_mul(per_number);
    if x.len() == expected { Ok(()) } else { Err(Error::BufferLength { buffer: "input", expected, found: x.len() }) }
}

impl fmt::Debug for HostRunner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HostRunner on {}", self.device.info().id)
    }
}
