//! Transforms over arkworks' domains, with errors.

use std::fmt;
use std::marker::PhantomData;

use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};
use stockham::{Device, Direction, Error, HostRunner, Result, Transform};

use crate::DeviceField;

/// The transforms of a [`Radix2EvaluationDomain`] on a device of stockham's. The 32 latest plans are kept, one for each size,
/// offset and direction; clones share them. Cosets are domains with an offset, as arkworks has them.
///
/// ```
/// use ark_bn254::Fr;
/// use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};
/// use stockham_arkworks::DomainTransforms;
///
/// let transforms = DomainTransforms::new(stockham::Device::cpu());
/// let domain = Radix2EvaluationDomain::new_coset(8, Fr::from(5)).unwrap();
/// let mut values: Vec<Fr> = (1..6).map(Fr::from).collect();
/// let expected = domain.fft(&values);
/// transforms.fft_in_place(&domain, &mut values)?;
/// assert_eq!(values, expected);
/// # Ok::<(), stockham::Error>(())
/// ```
pub struct DomainTransforms<F> {
    runner: HostRunner,
    field: PhantomData<fn() -> F>,
}

impl<F: DeviceField> DomainTransforms<F> {
    /// On a device.
    pub fn new(device: Device) -> Self {
        Self::with(HostRunner::new(device))
    }

    pub(crate) fn with(runner: HostRunner) -> Self {
        Self { runner, field: PhantomData }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.runner.device()
    }

    /// As arkworks' `fft_in_place`: from coefficients to values. Other coefficients than those given are 0. The CPU does not look at
    /// these where they are half of all or more.
    ///
    /// # Errors
    /// [`Error::InvalidTransform`] for a domain whose generator is not arkworks' of that size; otherwise as
    /// [`DeviceField::algebra`] and [`HostRunner::run`].
    pub fn fft_in_place(&self, domain: &Radix2EvaluationDomain<F>, coefficients: &mut Vec<F>) -> Result<()> {
        let n = domain.size();
        let given = coefficients.len().next_power_of_two();
        if given < n {
            let transform = self.transform(domain, Direction::Forward)?.padded_from(given);
            match self.runner.plan(&transform) {
                Ok(_) => {
                    coefficients.resize(given, F::ZERO);
                    let mut values = vec![F::ZERO; n];
                    self.runner.run(&transform, F::words(coefficients), F::words(&mut values))?;
                    *coefficients = values;
                    return Ok(());
                }
                // GPUs have no such zeros over fields of several words: they are written down.
                Err(Error::Unsupported { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        coefficients.resize(n, F::ZERO);
        self.fft_batch_in_place(domain, coefficients)
    }

    /// As arkworks' `ifft_in_place`: from values to coefficients.
    ///
    /// # Errors
    /// As [`fft_in_place`](Self::fft_in_place).
    pub fn ifft_in_place(&self, domain: &Radix2EvaluationDomain<F>, values: &mut Vec<F>) -> Result<()> {
        values.resize(domain.size(), F::ZERO);
        self.ifft_batch_in_place(domain, values)
    }

    /// Of several polynomials at once, one after the other, all of whose coefficients are given.
    ///
    /// # Errors
    /// As [`fft_in_place`](Self::fft_in_place); [`Error::BufferLength`] unless the size divides the length.
    pub fn fft_batch_in_place(&self, domain: &Radix2EvaluationDomain<F>, coefficients: &mut [F]) -> Result<()> {
        self.batch(domain, Direction::Forward, coefficients)
    }

    /// Of the values of several polynomials at once.
    ///
    /// # Errors
    /// As [`fft_batch_in_place`](Self::fft_batch_in_place).
    pub fn ifft_batch_in_place(&self, domain: &Radix2EvaluationDomain<F>, values: &mut [F]) -> Result<()> {
        self.batch(domain, Direction::Inverse, values)
    }

    fn batch(&self, domain: &Radix2EvaluationDomain<F>, direction: Direction, x: &mut [F]) -> Result<()> {
        let transform = self.transform(domain, direction)?;
        let n = domain.size();
        if x.is_empty() || !x.len().is_multiple_of(n) {
            let expected = x.len().div_ceil(n).max(1) * n;
            return Err(Error::BufferLength { buffer: "batch of polynomials", expected, found: x.len() });
        }
        self.runner.run_in_place(transform.batch(x.len() / n), F::words(x))
    }

    fn transform(&self, domain: &Radix2EvaluationDomain<F>, direction: Direction) -> Result<Transform> {
        if F::get_root_of_unity(domain.size) != Some(domain.group_gen) {
            let words = format!("the domain's generator is not arkworks' root of unity of order {}", domain.size);
            return Err(Error::InvalidTransform(words));
        }
        let transform = Transform::new(F::algebra()?, domain.size()).direction(direction);
        let is_subgroup = domain.offset == F::ONE;
        Ok(if is_subgroup { transform } else { transform.on_coset(domain.offset.into_bigint().as_ref()) })
    }
}

impl<F> Clone for DomainTransforms<F> {
    fn clone(&self) -> Self {
        Self { runner: self.runner.clone(), field: PhantomData }
    }
}

impl<F> fmt::Debug for DomainTransforms<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DomainTransforms on {}", self.runner.device().info().id)
    }
}
