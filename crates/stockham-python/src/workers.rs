//! How many threads of the CPU work on a call: SciPy's `workers`.

use std::cell::Cell;
use std::sync::Arc;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::state::{self, lock};

/// Numbers below which a call is computed by the thread that makes it: handing them over takes longer.
const ALONE_BELOW: usize = 1 << 14;

/// The same in bytes of real or complex numbers, which take less time each: two threads that sleep are woken.
const FLOATS_ALONE_BELOW: usize = 1 << 20;

/// Pools of different sizes that are kept.
const POOLS: usize = 4;

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
#[derive(Clone)]
pub enum Crew {
    Alone,
    Pool(usize, Arc<ThreadPool>),
}

impl Crew {
    pub fn of(workers: usize, numbers: usize) -> PyResult<Self> {
        if workers <= 1 || numbers < ALONE_BELOW {
            return Ok(Self::Alone);
        }
        let count = workers.min(std::thread::available_parallelism().map_or(1, usize::from));
        if count <= 1 {
            return Ok(Self::Alone);
        }
        let mut pools = lock(&state::get().pools);
        let pool = match pools.iter().position(|(size, _)| *size == count) {
            Some(place) => pools.remove(place).1,
            None => {
                let named = ThreadPoolBuilder::new().num_threads(count).thread_name(|i| format!("stockham-{i}"));
                Arc::new(named.build().map_err(|error| PyRuntimeError::new_err(error.to_string()))?)
            }
        };
        // The latest last.
        pools.push((count, pool.clone()));
        if pools.len() > POOLS {
            pools.remove(0);
        }
        Ok(Self::Pool(count, pool))
    }

    /// The same of a transform of so many bytes of real or complex numbers.
    pub fn of_floats(workers: usize, bytes: usize) -> PyResult<Self> {
        if bytes < FLOATS_ALONE_BELOW { Ok(Self::Alone) } else { Self::of(workers, bytes) }
    }

    /// How many they are.
    pub fn count(&self) -> usize {
        match self {
            Self::Alone => 1,
            Self::Pool(count, _) => *count,
        }
    }

    /// Calls `work` where loops are shared out over them.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match self {
            Self::Alone => stockham::threads::alone(work),
            Self::Pool(_, pool) => pool.install(work),
        }
    }
}
