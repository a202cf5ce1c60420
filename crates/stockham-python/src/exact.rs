//! Products of integers, and of polynomials of complex and real numbers.

use num_complex::Complex;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use stockham::accuracy::{self, Measured};
use stockham::integer::{self, Integer};
use stockham::polynomial;
use stockham::{Complex32, Complex64, Element, Error, Goldilocks};

use crate::devices::Chosen;
use crate::error::raised;
use crate::fields::product_of;
use crate::job;
use crate::workers::{self, Crew};

/// The product of two integers in hexadecimal, with 0x before the digits.
#[pyfunction]
pub fn multiply_integers<'py>(
    py: Python<'py>,
    a: &str,
    b: &str,
    workers: Option<i64>,
    device: Option<&str>,
) -> PyResult<Bound<'py, PyBytes>> {
    let chosen = Chosen::named(py, device)?;
    let crew = Crew::of(workers::of(py, workers)?, a.len() + b.len())?;
    let product = py.detach(|| {
        crew.run(|| {
            let a = Integer::parse(a.as_bytes().to_vec())?;
            // A square takes a transform less.
            let b = Integer::parse(b.as_bytes().to_vec())?;
            integer::multiply(&chosen.device, &a, &b)
        })
    });
    let product = product.map_err(raised)?;
    PyBytes::new_with(py, product.prefix().len() + product.digits().len(), |text| {
        let (prefix, digits) = text.split_at_mut(product.prefix().len());
        prefix.copy_from_slice(product.prefix().as_bytes());
        digits.copy_from_slice(product.digits());
        Ok(())
    })
}

/// The product of two polynomials of complex numbers, as their bytes.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn multiply_polynomials<'py>(
    py: Python<'py>,
    a: &[u8],
    b: &[u8],
    is_double: bool,
    product: &str,
    workers: Option<i64>,
    device: Option<&str>,
) -> PyResult<Bound<'py, PyBytes>> {
    fn of<T: Element>(
        a: &[u8],
        b: &[u8],
        product: polynomial::Product,
        chosen: &Chosen,
        crew: &Crew,
    ) -> Result<Vec<u8>, Error> {
        let (a, b): (Vec<T>, Vec<T>) = (bytemuck::pod_collect_to_vec(a), bytemuck::pod_collect_to_vec(b));
        let c = crew.run(|| polynomial::multiply(&chosen.device, product, &a, &b))?;
        Ok(bytemuck::pod_collect_to_vec(&c))
    }
    let product = product_of(product)?;
    let chosen = Chosen::named(py, device)?;
    let crew = Crew::of(workers::of(py, workers)?, (a.len() + b.len()) / 8)?;
    let result = py.detach(|| match is_double {
        true => of::<Complex<f64>>(a, b, product, &chosen, &crew),
        false => of::<Complex<f32>>(a, b, product, &chosen, &crew),
    });
    Ok(PyBytes::new(py, &result.map_err(raised)?))
}

/// The errors of a device's transforms of n points: relative, in the units of `accuracy`, L2 and largest, and whether they are
/// within the limits.
#[pyfunction]
pub fn measure(
    py: Python<'_>,
    numbers: &str,
    n: usize,
    inverse: bool,
    seed: u64,
    device: Option<&str>,
) -> PyResult<(f64, f64, bool)> {
    fn of<T: Measured>(chosen: &Chosen, n: usize, inverse: bool, seed: u64) -> Result<(f64, f64, bool), Error> {
        let record = accuracy::measure::<T>(&chosen.device, n, job::direction(inverse), seed)?;
        Ok((record.l2_units, record.linf_units, record.passes()))
    }
    let chosen = Chosen::named(py, device)?;
    if n == 0 {
        return Err(PyValueError::new_err("invalid number of data points (0) specified"));
    }
    let crew = Crew::of(usize::MAX, n)?;
    let measured = py.detach(|| {
        crew.run(|| match numbers {
            "complex64" => Some(of::<Complex32>(&chosen, n, inverse, seed)),
            "complex128" => Some(of::<Complex64>(&chosen, n, inverse, seed)),
            "goldilocks" => Some(of::<Goldilocks>(&chosen, n, inverse, seed)),
            _ => None,
        })
    });
    let words = || PyValueError::new_err(format!("{numbers}: use complex64, complex128 or goldilocks"));
    measured.ok_or_else(words)?.map_err(raised)
}
