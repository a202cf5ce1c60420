//! One-line calls on host slices. What they planned last is kept.

mod complex;
mod fields;
mod real;
mod trig;

use std::sync::{Mutex, PoisonError};

use crate::algebra::Data;
use crate::device::{Device, Executable};
use crate::error::{Error, Result};
use crate::transform::{Side, Transform};

pub use complex::{fft, fft2, fftn, ifft, ifft2, ifftn};
pub use fields::{intt, ntt};
pub use real::{irfft, irfft2, irfftn, rfft, rfft2, rfftn};
pub use trig::{dct, dctn, dst, dstn, idct, idctn, idst, idstn};

/// In place.
fn run<T: Data>(transform: Transform, x: &mut [T]) -> Result<()> {
    let transform = transform.in_place();
    check(&transform, x)?;
    let executable = planned(&Device::best()?, transform)?;
    let mut buffer = executable.device().upload(x)?;
    executable.run_in_place(&mut buffer)?;
    buffer.read(x)
}

/// The same out of place.
pub(crate) fn apply<I: Data, O: Data>(transform: Transform, x: &[I]) -> Result<Vec<O>> {
    check(&transform, x)?;
    let executable = planned(&Device::best()?, transform)?;
    let (device, transform) = (executable.device(), executable.transform());
    let mut output = device.alloc(transform.output_len())?;
    executable.run(&device.upload(x)?, &mut output)?;
    output.to_vec()
}

/// Before anything is planned or allocated for lengths that nobody has.
fn check<T: Data>(transform: &Transform, x: &[T]) -> Result<()> {
    transform.validate()?;
    let per_number = if transform.is_real(Side::Input) { Some(1) } else { T::per_element(transform.algebra) };
    // Values of another kind are refused when it runs.
    let Some(per_number) = per_number else { return Ok(()) };
    let expected = transform.input_len().saturating_mul(per_number);
    if x.len() == expected { Ok(()) } else { Err(Error::BufferLength { buffer: "input", expected, found: x.len() }) }
}

/// The executable for a transform, which may have been planned before.
fn planned(device: &Device, transform: Transform) -> Result<Executable> {
    const KEPT: usize = 16;
    static PLANNED: Mutex<Vec<Executable>> = Mutex::new(Vec::new());
    let known = |executable: &Executable| executable.device().is_same(device) && *executable.transform() == transform;
    let kept = || PLANNED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(executable) = kept().iter().find(|executable| known(executable)) {
        return Ok(executable.clone());
    }
    let executable = device.plan(&transform)?;
    let mut kept = kept();
    // The latest first.
    kept.insert(0, executable.clone());
    kept.truncate(KEPT);
    Ok(executable)
}
