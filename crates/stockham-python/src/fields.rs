//! Transforms over finite fields, and products of polynomials over them. Python's integers are turned into words there;
//! elements come and go as bytes here.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use stockham::algebra::{PrimeField, Ring, Root};
use stockham::extension::Extension;
use stockham::polynomial::Product;
use stockham::threads::Workers;
use stockham::{Algebra, BigPrime, Data, Digit, Domain, Error, Goldilocks, Layout, Transform};

use crate::devices::Chosen;
use crate::error::raised;
use crate::exact::multiply;
use crate::job;
use crate::plans::planned;
use crate::run::normalization_of;
use crate::watched::watched;
use crate::workers;

/// Elements are integers in Python, which are themselves.
fn integers_only(name: &str) -> PyErr {
    PyValueError::new_err(format!("{name}: elements are integers here, and not in Montgomery's form"))
}

/// A finite field: its name, its prime, and how its elements lie.
#[pyclass(frozen, module = "stockham._stockham")]
pub struct CoreField {
    algebra: Algebra,
    /// Of which power of the field's own roots its are: over Goldilocks, where they are the transforms'.
    power: Option<u64>,
}

#[pymethods]
impl CoreField {
    #[new]
    fn new(name: &str, root: Option<&str>) -> PyResult<Self> {
        // What is no prime is no field's name, and what is no number no root's.
        let said = |error: Error| match error {
            Error::Unsupported { .. } => raised(error),
            error => PyValueError::new_err(error.to_string()),
        };
        let algebra = match name.parse::<Algebra>().map_err(|error| PyValueError::new_err(error.to_string()))? {
            Algebra::WordField(field) if field.is_montgomery() => return Err(integers_only(name)),
            Algebra::PrimeField(field) if field.is_montgomery() => return Err(integers_only(name)),
            Algebra::ComplexF32 | Algebra::ComplexF64 => {
                return Err(PyValueError::new_err(format!("{name} is no finite field")));
            }
            algebra => algebra,
        };
        let (algebra, power) = match root {
            Some(root) if algebra == Algebra::Goldilocks => {
                (algebra, Transform::new(algebra, 1).with_root(root).map_err(said)?.domain.power)
            }
            Some(root) => (algebra.with_root(root).map_err(said)?, None),
            None => (algebra, None),
        };
        Ok(Self { algebra, power })
    }

    /// The name.
    #[getter]
    fn name(&self) -> &'static str {
        self.algebra.given()
    }

    /// The radix of the digits that elements are made of, or 0 for 64-bit words of a number.
    #[getter]
    fn radix(&self) -> u64 {
        match self.algebra {
            Algebra::BigPrime(prime) => prime.radix(),
            _ => 0,
        }
    }

    /// Digits or words of an element.
    #[getter]
    fn digits(&self) -> usize {
        self.algebra.layout().1
    }

    /// Bytes of a digit.
    #[getter]
    fn digit_bytes(&self) -> usize {
        self.algebra.element_bytes() / self.digits()
    }

    /// The prime, as 64-bit words in bytes, the lowest first; of digits, what the radix and their number say.
    #[getter]
    fn modulus<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        match self.algebra {
            Algebra::PrimeField(field) => bytes_of(py, field.modulus()),
            Algebra::WordField(field) => bytes_of(py, &[field.modulus()]),
            Algebra::BigPrime(_) => PyBytes::new(py, &[]),
            _ => bytes_of(py, &[Goldilocks::MODULUS]),
        }
    }

    /// The logarithm of the longest transform of a power of two.
    #[getter]
    fn max_log_len(&self) -> u32 {
        match self.algebra {
            Algebra::BigPrime(prime) => prime.max_log_len(),
            Algebra::PrimeField(field) => field.max_log_len(),
            Algebra::WordField(field) => field.max_log_len(),
            _ => 32,
        }
    }

    /// The root of unity of order n, as the bytes of an element.
    fn root(&self, py: Python<'_>, n: usize) -> PyResult<Py<PyBytes>> {
        let is_known = self.power.is_none() || n.is_power_of_two();
        if !is_known || self.algebra.check_length(n).is_err() {
            return Err(PyValueError::new_err(format!("{} has no root of order {n}", self.name())));
        }
        let root = Root::new(self.power.unwrap_or(1) as usize % n, n);
        let words = match self.algebra {
            Algebra::BigPrime(prime) => py.detach(|| prime.field().root(root)),
            Algebra::PrimeField(field) => py.detach(|| field.root(root)),
            Algebra::WordField(field) => field.field().root(root),
            _ => {
                vec![Goldilocks::reduce(1).mul_root(root).value()]
            }
        };
        Ok(self.element_bytes(py, &words).unbind())
    }

    /// Numbers below p, as so many 64-bit words in bytes each, as digits.
    fn elements<'py>(&self, py: Python<'py>, numbers: &[u8], words: usize) -> PyResult<Bound<'py, PyBytes>> {
        let prime = match self.algebra {
            Algebra::BigPrime(prime) => prime,
            Algebra::WordField(_) => return Ok(self.element_bytes(py, &bytemuck::pod_collect_to_vec(numbers))),
            _ => return Ok(PyBytes::new(py, numbers)),
        };
        let words_of = |bytes: &[u8]| bytemuck::pod_collect_to_vec::<u8, u64>(bytes);
        let all: Option<Vec<u64>> = py.detach(|| {
            let elements = numbers.chunks_exact((8 * words).max(8));
            let digits: Option<Vec<Vec<u64>>> =
                elements.map(|number| prime.field().from_limbs(&words_of(number))).collect();
            digits.map(|digits| digits.concat())
        });
        let all = all.ok_or_else(|| PyValueError::new_err("a number is not below the field's prime"))?;
        Ok(self.element_bytes(py, &all))
    }

    /// Elements as so many 64-bit words each, as many as they have digits.
    fn numbers<'py>(&self, py: Python<'py>, elements: &[u8]) -> Bound<'py, PyBytes> {
        let digits = self.words(elements);
        let Algebra::BigPrime(prime) = self.algebra else { return bytes_of(py, &digits) };
        let limbs = py.detach(|| {
            let elements = digits.chunks_exact(prime.digits());
            elements.map(|digits| prime.field().to_limbs(digits)).collect::<Vec<_>>().concat()
        });
        bytes_of(py, &limbs)
    }

    /// Transforms lines of `given` elements, one after the other, to n points: what follows is 0. The coset is a residue's words,
    /// in bytes; `reversed` tells which sides are in bit-reversed order.
    #[allow(clippy::too_many_arguments)]
    fn transform<'py>(
        &self,
        py: Python<'py>,
        data: &[u8],
        given: usize,
        n: usize,
        inverse: bool,
        norm: &str,
        coset: &[u8],
        reversed: (bool, bool),
        workers: Option<i64>,
        device: Option<&str>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let normalization = normalization_of(norm)?;
        let count = self.lines_of(data, given)?;
        let one = Transform::new(self.algebra, n).direction(job::direction(inverse)).normalization(normalization);
        let mut one = one.on_coset(bytemuck::pod_collect_to_vec::<u8, u64>(coset)).bit_reversed(reversed.0, reversed.1);
        one.domain.power = self.power;
        let transform = match given == n {
            true => one.batch(count).in_place(),
            false => one.padded_from(given).batch(count),
        };
        self.on_numbers(py, data, workers, device, |of, chosen, workers| {
            of.transformed(data, transform, chosen, workers)
        })
    }

    /// The values on n·blowup points of polynomials whose values on n points are in the lines of `data`. The coset, and the
    /// order on the second of the sides, are those of the larger domain.
    #[allow(clippy::too_many_arguments)]
    fn extend<'py>(
        &self,
        py: Python<'py>,
        data: &[u8],
        n: usize,
        blowup: usize,
        coset: &[u8],
        reversed: (bool, bool),
        workers: Option<i64>,
        device: Option<&str>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let count = self.lines_of(data, n)?;
        let mut evaluations = Transform::new(self.algebra, n).bit_reversed(reversed.0, false).batch(count);
        evaluations.domain.power = self.power;
        let coset = bytemuck::pod_collect_to_vec(coset);
        let onto = Domain { coset, reversed: reversed.into(), power: self.power, ..Domain::default() };
        self.on_numbers(py, data, workers, device, |of, chosen, workers| {
            of.extended(data, &evaluations, blowup, onto, chosen, workers)
        })
    }

    /// The product of two polynomials.
    #[pyo3(signature = (a, b, product, workers, device, progress))]
    #[allow(clippy::too_many_arguments)]
    fn multiply<'py>(
        &self,
        py: Python<'py>,
        a: &[u8],
        b: &[u8],
        product: &str,
        workers: Option<i64>,
        device: Option<&str>,
        progress: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let product = product_of(product)?;
        let chosen = Chosen::named(py, device)?;
        let workers = workers::for_numbers(chosen.workers(py, workers)?, (a.len() + b.len()) / 8)?;
        let result = match (self.algebra, self.digit_bytes()) {
            (Algebra::Goldilocks, _) => self.product::<Goldilocks>(py, [a, b], product, chosen, workers, progress),
            (_, 4) => self.product::<u32>(py, [a, b], product, chosen, workers, progress),
            _ => self.product::<u64>(py, [a, b], product, chosen, workers, progress),
        };
        Ok(PyBytes::new(py, &result?))
    }
}

impl CoreField {
    /// Digits as 64-bit words.
    fn words(&self, elements: &[u8]) -> Vec<u64> {
        match self.digit_bytes() {
            4 => elements.chunks_exact(4).map(|d| u64::from(u32::from_ne_bytes([d[0], d[1], d[2], d[3]]))).collect(),
            _ => bytemuck::pod_collect_to_vec(&elements[..elements.len() / 8 * 8]),
        }
    }

    fn element_bytes<'py>(&self, py: Python<'py>, words: &[u64]) -> Bound<'py, PyBytes> {
        match self.digit_bytes() {
            4 => {
                let digits: Vec<u32> = words.iter().map(|digit| *digit as u32).collect();
                PyBytes::new(py, bytemuck::cast_slice(&digits))
            }
            _ => bytes_of(py, words),
        }
    }

    /// How many lines of n elements bytes are.
    fn lines_of(&self, data: &[u8], n: usize) -> PyResult<usize> {
        let line = n.saturating_mul(self.algebra.element_bytes());
        if line == 0 || !data.len().is_multiple_of(line) {
            return Err(PyValueError::new_err(format!("{} bytes are no lines of {n} elements", data.len())));
        }
        Ok(data.len() / line)
    }

    /// Has the work done without the interpreter.
    fn on_numbers<'py>(
        &self,
        py: Python<'py>,
        data: &[u8],
        workers: Option<i64>,
        device: Option<&str>,
        work: impl FnOnce(&Self, &Chosen, &Workers) -> Result<Vec<u8>, Error> + Send,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let chosen = Chosen::named(py, device)?;
        let workers = workers::for_numbers(chosen.workers(py, workers)?, data.len() / 8)?;
        Ok(PyBytes::new(py, &py.detach(|| work(self, &chosen, &workers)).map_err(raised)?))
    }

    fn transformed(
        &self,
        data: &[u8],
        transform: Transform,
        chosen: &Chosen,
        workers: &Workers,
    ) -> Result<Vec<u8>, Error> {
        transform.validate()?;
        match (self.algebra, self.digit_bytes()) {
            (Algebra::Goldilocks, _) => self.lines::<Goldilocks>(data, transform, chosen, workers),
            (_, 4) => self.lines::<u32>(data, transform, chosen, workers),
            _ => self.lines::<u64>(data, transform, chosen, workers),
        }
    }

    fn extended(
        &self,
        data: &[u8],
        evaluations: &Transform,
        blowup: usize,
        onto: Domain,
        chosen: &Chosen,
        workers: &Workers,
    ) -> Result<Vec<u8>, Error> {
        match (self.algebra, self.digit_bytes()) {
            (Algebra::Goldilocks, _) => self.extension::<Goldilocks>(data, evaluations, blowup, onto, chosen, workers),
            (_, 4) => self.extension::<u32>(data, evaluations, blowup, onto, chosen, workers),
            _ => self.extension::<u64>(data, evaluations, blowup, onto, chosen, workers),
        }
    }

    fn lines<T: Data>(
        &self,
        bytes: &[u8],
        transform: Transform,
        chosen: &Chosen,
        workers: &Workers,
    ) -> Result<Vec<u8>, Error> {
        let mut values: Vec<T> = bytemuck::pod_collect_to_vec(bytes);
        self.check(&values)?;
        let is_in_place = transform.domain.given.is_none();
        let elements = transform.output_len();
        let executable = planned(&chosen.device, &chosen.name, transform, workers)?;
        workers.run(|| {
            if is_in_place {
                executable.run_host_in_place(&mut values)?;
            } else {
                let given = std::mem::replace(&mut values, bytemuck::zeroed_vec(self.values::<T>(elements)));
                executable.run_host(&given, &mut values)?;
            }
            Ok(bytemuck::pod_collect_to_vec(&values))
        })
    }

    fn extension<T: Data>(
        &self,
        bytes: &[u8],
        evaluations: &Transform,
        blowup: usize,
        onto: Domain,
        chosen: &Chosen,
        workers: &Workers,
    ) -> Result<Vec<u8>, Error> {
        let values: Vec<T> = bytemuck::pod_collect_to_vec(bytes);
        self.check(&values)?;
        workers.run(|| {
            let device = &chosen.device;
            let mut extension = Extension::<T>::plan(device, evaluations, blowup, onto)?;
            let input = device.upload(&values)?;
            let mut output = device.alloc(self.values::<T>(extension.output_len()))?;
            extension.run(device.default_stream(), &input, &mut output)?;
            Ok(bytemuck::pod_collect_to_vec(&output.to_vec()?))
        })
    }

    /// The values of type `T` that elements are made of.
    fn values<T>(&self, elements: usize) -> usize {
        elements.saturating_mul(self.algebra.element_bytes() / size_of::<T>())
    }

    fn product<T: Data>(
        &self,
        py: Python<'_>,
        factors: [&[u8]; 2],
        product: Product,
        chosen: Chosen,
        workers: Workers,
        progress: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<u8>> {
        let algebra = self.algebra;
        let bytes = factors[0].len() + factors[1].len();
        let factors: [Vec<T>; 2] = factors.map(bytemuck::pod_collect_to_vec);
        factors.iter().try_for_each(|factor| self.check(factor)).map_err(raised)?;
        watched(py, bytes, 2, progress, move |stages| multiply(algebra, &factors, product, &chosen, &workers, stages))
    }

    /// Whether values are elements.
    fn check<T: Data>(&self, values: &[T]) -> Result<(), Error> {
        fn cast<T: Data, D: Digit>(values: &[T]) -> &[D] {
            bytemuck::cast_slice(values)
        }
        match self.algebra {
            Algebra::BigPrime(prime) if size_of::<T>() == 4 => {
                prime.field().check(cast::<T, u32>(values), Layout::Plain)
            }
            Algebra::BigPrime(prime) => prime.field().check(cast::<T, u64>(values), Layout::Plain),
            Algebra::PrimeField(field) => field.check(cast(values), Layout::Plain),
            Algebra::WordField(field) if size_of::<T>() == 4 => field.check(cast::<T, u32>(values)),
            Algebra::WordField(field) => field.check(cast::<T, u64>(values)),
            _ => cast::<T, u64>(values).iter().enumerate().try_for_each(|(index, &value)| {
                let (field, modulus) = (self.algebra.name(), Goldilocks::MODULUS);
                Goldilocks::new(value).map(|_| ()).ok_or(Error::FieldValue { index, value, field, modulus })
            }),
        }
    }
}

/// The names of fields.
#[pyfunction]
pub fn field_names() -> Vec<&'static str> {
    let big = BigPrime::NAMED.iter().map(|(name, _)| *name);
    let others = PrimeField::named().map(PrimeField::name);
    [Algebra::Goldilocks.name()].into_iter().chain(big).chain(others).collect()
}

pub fn product_of(name: &str) -> PyResult<Product> {
    match name {
        "linear" => Ok(Product::Linear),
        "cyclic" => Ok(Product::Cyclic),
        "negacyclic" => Ok(Product::Negacyclic),
        other => {
            let words = format!("invalid product: {other:?}, should be 'linear', 'cyclic' or 'negacyclic'");
            Err(PyValueError::new_err(words))
        }
    }
}

fn bytes_of<'py>(py: Python<'py>, words: &[u64]) -> Bound<'py, PyBytes> {
    PyBytes::new(py, bytemuck::cast_slice(words))
}
