//! Products of integers, and of polynomials of complex and real numbers.

use num_complex::Complex;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use stockham::accuracy::{self, Measured};
use stockham::integer::{Integer, Multiplication};
use stockham::polynomial::{Multiplier, Product};
use stockham::threads::Workers;
use stockham::{Algebra, Complex32, Complex64, Data, Element, Error, Goldilocks};

use crate::devices::Chosen;
use crate::error::raised;
use crate::fields::product_of;
use crate::job;
use crate::watched::{Stages, Stop, watched};
use crate::workers;

/// The product of two integers in hexadecimal, with 0x before the digits.
#[pyfunction]
pub fn multiply_integers<'py>(
    py: Python<'py>,
    a: &str,
    b: &str,
    workers: Option<i64>,
    device: Option<&str>,
    progress: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let chosen = Chosen::named(py, device)?;
    let bytes = a.len() + b.len();
    let workers = workers::for_numbers(workers::of(py, workers)?, bytes)?;
    // A square takes a transform less.
    let texts = (a.as_bytes().to_vec(), (a != b).then(|| b.as_bytes().to_vec()));
    let product = watched(py, bytes, 5, progress, move |stages| {
        workers.run(|| {
            stages.next("reading")?;
            let a = Integer::parse(texts.0)?;
            let b = texts.1.map(Integer::parse).transpose()?;
            let is_negative = b.as_ref().is_some_and(|b| b.is_negative() != a.is_negative());
            if a.is_zero() || b.as_ref().is_some_and(Integer::is_zero) {
                return Ok(Integer::zero(a.base()));
            }
            stages.next("planning")?;
            let factor = b.as_ref().filter(|b| b.digits() != a.digits());
            let lengths = (a.digits().len(), factor.map(|b| b.digits().len()));
            let mut multiplication = Multiplication::plan(&chosen.device, a.base(), lengths.0, lengths.1)?;
            stages.next("loading")?;
            multiplication.load(&a, factor)?;
            stages.next("multiplying")?;
            multiplication.run()?;
            stages.next("unloading")?;
            let product = multiplication.product()?;
            Ok(if is_negative { product.negated() } else { product })
        })
    })?;
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
    progress: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let product = product_of(product)?;
    let chosen = Chosen::named(py, device)?;
    let bytes = a.len() + b.len();
    let workers = workers::for_numbers(workers::of(py, workers)?, bytes / 8)?;
    let result = match is_double {
        true => {
            let factors: [Vec<Complex<f64>>; 2] = [a, b].map(bytemuck::pod_collect_to_vec);
            watched(py, bytes, 2, progress, move |stages| {
                multiply(Complex64::ALGEBRA, &factors, product, &chosen, &workers, stages)
            })
        }
        false => {
            let factors: [Vec<Complex<f32>>; 2] = [a, b].map(bytemuck::pod_collect_to_vec);
            watched(py, bytes, 2, progress, move |stages| {
                multiply(Complex32::ALGEBRA, &factors, product, &chosen, &workers, stages)
            })
        }
    };
    Ok(PyBytes::new(py, &result?))
}

/// The product of two polynomials in two stages, as bytes.
pub fn multiply<T: Data>(
    algebra: Algebra,
    [a, b]: &[Vec<T>; 2],
    product: Product,
    chosen: &Chosen,
    workers: &Workers,
    stages: &mut Stages<'_>,
) -> Result<Vec<u8>, Stop> {
    workers.run(|| {
        stages.next("planning")?;
        let per = algebra.element_bytes() / size_of::<T>();
        let mut multiplier = Multiplier::plan(&chosen.device, algebra, product, a.len() / per, b.len() / per)?;
        stages.next("multiplying")?;
        Ok(bytemuck::pod_collect_to_vec(&multiplier.multiply(a, b)?))
    })
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
    let workers = workers::for_numbers(usize::MAX, n)?;
    let measured = py.detach(|| {
        workers.run(|| match numbers {
            "complex64" => Some(of::<Complex32>(&chosen, n, inverse, seed)),
            "complex128" => Some(of::<Complex64>(&chosen, n, inverse, seed)),
            "goldilocks" => Some(of::<Goldilocks>(&chosen, n, inverse, seed)),
            _ => None,
        })
    });
    let words = || PyValueError::new_err(format!("{numbers}: use complex64, complex128 or goldilocks"));
    measured.ok_or_else(words)?.map_err(raised)
}
