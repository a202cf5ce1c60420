//! The library's errors as Python's exceptions.

use pyo3::PyErr;
use pyo3::exceptions::{PyMemoryError, PyNotImplementedError, PyOSError, PyRuntimeError, PyTypeError, PyValueError};
use stockham::Error;

/// What was asked for in vain is a `ValueError`, what is not there yet a `NotImplementedError`, short memory a `MemoryError`;
/// what devices and files report are a `RuntimeError` and an `OSError`.
pub fn raised(error: Error) -> PyErr {
    let words = error.to_string();
    match error {
        Error::Unsupported { .. } => PyNotImplementedError::new_err(words),
        Error::OutOfMemory { .. } => PyMemoryError::new_err(words),
        Error::ElementType { .. } => PyTypeError::new_err(words),
        Error::ReadFile { .. } | Error::WriteFile { .. } => PyOSError::new_err(words),
        Error::Compile { .. } | Error::Driver { .. } | Error::Threads { .. } => PyRuntimeError::new_err(words),
        _ => PyValueError::new_err(words),
    }
}
