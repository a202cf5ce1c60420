//! One-line calls on host slices. What they planned last is kept.

mod complex;
mod fields;
mod real;
mod trig;

use std::sync::{Mutex, PoisonError};

use crate::algebra::Data;
use crate::device::Device;
use crate::error::Result;
use crate::host_memory;
use crate::host_runner::{HostRunner, check};
use crate::transform::Transform;

pub use complex::{fft, fft2, fftn, ifft, ifft2, ifftn};
pub use fields::{intt, ntt};
pub use real::{irfft, irfft2, irfftn, rfft, rfft2, rfftn};
pub use trig::{dct, dctn, dst, dstn, idct, idctn, idst, idstn};

/// In place.
fn run<T: Data>(transform: Transform, x: &mut [T]) -> Result<()> {
    runner()?.run_in_place(transform, x)
}

/// The same out of place.
pub(crate) fn apply<I: Data, O: Data>(transform: Transform, x: &[I]) -> Result<Vec<O>> {
    check(&transform, x)?;
    let mut y = host_memory::zeroed(transform.output_len())?;
    runner()?.run(&transform, x, &mut y)?;
    Ok(y)
}

/// That of the best device, with what it planned before.
fn runner() -> Result<HostRunner> {
    static RUNNERS: Mutex<Vec<HostRunner>> = Mutex::new(Vec::new());
    let device = Device::best()?;
    let mut runners = RUNNERS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(runner) = runners.iter().find(|runner| runner.device().is_same(&device)) {
        return Ok(runner.clone());
    }
    runners.push(HostRunner::new(device));
    Ok(runners[runners.len() - 1].clone())
}
