//! What is asked of NumPy, which is imported with the first array.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PySlice, PyTuple};

use crate::view::Number;

/// Its objects that calls use, looked up once.
pub struct Numpy {
    pub ndarray: Py<PyAny>,
    empty: Py<PyAny>,
    zeros: Py<PyAny>,
    asarray: Py<PyAny>,
    array: Py<PyAny>,
    conjugate: Py<PyAny>,
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
                zeros: of("zeros")?,
                asarray: of("asarray")?,
                array: of("array")?,
                conjugate: of("conjugate")?,
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
    /// An array of what NumPy can make one of.
    pub fn asarray<'py>(&self, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.asarray.bind(object.py()).call1((object,))
    }

    /// A copy in C order, of such numbers.
    pub fn copy<'py>(&self, array: &Bound<'py, PyAny>, number: Number) -> PyResult<Bound<'py, PyAny>> {
        let py = array.py();
        let kwargs = PyDict::new(py);
        kwargs.set_item(intern!(py, "order"), intern!(py, "C"))?;
        self.array.bind(py).call((array, self.numbers[number as usize].bind(py)), Some(&kwargs))
    }

    /// The conjugates of an array's numbers.
    pub fn conjugate<'py>(&self, array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.conjugate.bind(array.py()).call1((array,))
    }

    /// A copy of an array's first numbers along each axis, as many as there are, with zeros up to a shape.
    pub fn fitted<'py>(
        &self,
        array: &Bound<'py, PyAny>,
        from: &[usize],
        shape: &[usize],
        number: Number,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = array.py();
        let of = self.numbers[number as usize].bind(py);
        let padded = self.zeros.bind(py).call1((PyTuple::new(py, shape)?, of))?;
        let slices = from.iter().zip(shape).map(|(from, to)| PySlice::new(py, 0, (*from).min(*to) as isize, 1));
        let index = PyTuple::new(py, slices.collect::<Vec<_>>())?;
        padded.set_item(&index, array.get_item(&index)?)?;
        Ok(padded)
    }
}
