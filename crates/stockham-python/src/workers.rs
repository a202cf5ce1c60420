//! How many threads of the CPU work on a call: SciPy's `workers`.

use std::cell::Cell;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use stockham::threads::Workers;

use crate::state::{self, lock};

/// Numbers below which a call is computed by the thread that makes it: handing them over takes longer.
const ALONE_BELOW: usize = 1 << 14;

/// The same in bytes of real or complex numbers, which take less time each: arrays come and go between calls, and a system that takes
/// memory back interrupts all threads that are awake.
const FLOATS_ALONE_BELOW: usize = 1 << 20;

/// Sets of different sizes that are kept.
const SETS: usize = 4;

thread_local! {
    static DEFAULT: Cell<usize> = const { Cell::new(1) };
}

/// As many as the machine has cores, by the count that SciPy takes.
fn cores(py: Python<'_>) -> PyResult<usize> {
    static CORES: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    if let Some(cores) = CORES.get() {
        return Ok(*cores);
    }
    let cores = py.import("os")?.call_method0("cpu_count")?.extract::<Option<usize>>()?.unwrap_or(1);
    Ok(*CORES.get_or_init(|| cores))
}

/// The number of workers that is meant: the calling thread's default, or some, or all but some.
pub fn of(py: Python<'_>, workers: Option<i64>) -> PyResult<usize> {
    let Some(workers) = workers else { return Ok(DEFAULT.get()) };
    match workers {
        0 => Err(PyValueError::new_err("workers must not be zero")),
        1.. => Ok(usize::try_from(workers).unwrap_or(usize::MAX)),
        _ => {
            let cores = cores(py)?;
            let left = (cores as i64).checked_add(1).and_then(|all| all.checked_add(workers));
            left.and_then(|left| usize::try_from(left).ok()).filter(|left| *left > 0).ok_or_else(|| {
                PyValueError::new_err(format!(
                    "workers value out of range; got {workers}, must not be less than -{cores}"
                ))
            })
        }
    }
}

/// Sets the calling thread's default; returns the one before.
#[pyfunction]
pub fn set_default_workers(py: Python<'_>, workers: i64) -> PyResult<usize> {
    Ok(DEFAULT.replace(of(py, Some(workers))?))
}

/// The calling thread's default.
#[pyfunction]
pub fn get_workers() -> usize {
    DEFAULT.get()
}

/// Who computes a call of so many numbers.
pub fn for_numbers(workers: usize, numbers: usize) -> PyResult<Workers> {
    let alone = numbers < ALONE_BELOW;
    let count = if alone { 1 } else { workers.min(std::thread::available_parallelism().map_or(1, usize::from)) };
    let mut kept = lock(&state::get().workers);
    let chosen = match kept.iter().position(|kept| kept.count() == count) {
        Some(place) => kept.remove(place),
        None => Workers::new(count).map_err(|error| PyRuntimeError::new_err(error.to_string()))?,
    };
    // The latest last.
    kept.push(chosen.clone());
    if kept.len() > SETS {
        kept.remove(0);
    }
    Ok(chosen)
}

/// The same for a transform of so many bytes of real or complex numbers.
pub fn for_floats(workers: usize, bytes: usize) -> PyResult<Workers> {
    for_numbers(workers, if bytes < FLOATS_ALONE_BELOW { 0 } else { bytes })
}
