//! What is asked of NumPy, which is imported with the first array.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

use crate::view::Number;

/// Its objects that calls use, looked up once.
pub struct Numpy {
    pub ndarray: Py<PyAny>,
    empty: Py<PyAny>,
    numbers: [Py<PyAny>; 4],
}

impl Numpy {
    pub fn get(py: Python<'_>) -> PyResult<&Self> {
        static NUMPY: PyOnceLock<Numpy> = PyOnceLock::new();
        NUMPY.get_or_try_init(py, || {
            let numpy = py.import("numpy")?;
            let of = |name: &str| Ok::<_, PyErr>(numpy.getattr(name)?.unbind());
            let number = |name: &str| Ok::<_, PyErr>(numpy.getattr("dtype")?.call1((name,))?.unbind());
            Ok(Self {
                ndarray: of("ndarray")?,
                empty: of("empty")?,
                numbers: [number("float32")?, number("float64")?, number("complex64")?, number("complex128")?],
            })
        })
    }

    /// Whether it is an array of NumPy's own type, and of no other made from it.
    pub fn is_array(&self, object: &Bound<'_, PyAny>) -> bool {
        object.get_type().as_any().as_ptr() == self.ndarray.as_ptr()
    }

    /// A new array in C order, of which nothing is written.
    pub fn empty<'py>(&self, py: Python<'py>, shape: &[usize], number: Number) -> PyResult<Bound<'py, PyAny>> {
        let of = self.numbers[number as usize].bind(py);
        match shape {
            [n] => self.empty.bind(py).call1((n, of)),
            _ => self.empty.bind(py).call1((PyTuple::new(py, shape)?, of)),
        }
    }
}
