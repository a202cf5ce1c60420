//! arkworks' trait.

use std::sync::{PoisonError, RwLock};

use ark_poly::EvaluationDomain;
use ark_poly::domain::DomainCoeff;
use ark_poly::domain::radix2::{Elements, Radix2EvaluationDomain};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use stockham::{Device, HostRunner};

use crate::{DeviceField, DomainTransforms};

/// What domains transform with; a domain itself is plain data, and has no room for a device.
static RUNNER: RwLock<Option<HostRunner>> = RwLock::new(None);

/// Makes all [`StockhamDomain`]s transform on this device from now on. Without it that is the device that `STOCKHAM_DEVICE` names, or
/// the fastest kind found.
pub fn use_device(device: Device) {
    *RUNNER.write().unwrap_or_else(PoisonError::into_inner) = Some(HostRunner::new(device));
}

fn runner() -> HostRunner {
    if let Some(runner) = &*RUNNER.read().unwrap_or_else(PoisonError::into_inner) {
        return runner.clone();
    }
    let device = Device::best().unwrap_or_else(|error| panic!("stockham: {error}"));
    let mut runner = RUNNER.write().unwrap_or_else(PoisonError::into_inner);
    runner.get_or_insert_with(|| HostRunner::new(device)).clone()
}

/// An [`EvaluationDomain`] that is arkworks' [`Radix2EvaluationDomain`], but transforms field elements on a device of stockham's:
/// the one that [`use_device`] named. Elements of other kinds, as points of a curve, are transformed by arkworks.
///
/// The trait has no errors: transforms panic with the device's words where a device fails. [`DomainTransforms`] returns them.
///
/// ```
/// use ark_bls12_381::Fr;
/// use ark_poly::univariate::DensePolynomial;
/// use ark_poly::{DenseUVPolynomial, EvaluationDomain, Evaluations, Polynomial};
/// use stockham_arkworks::StockhamDomain;
///
/// let domain = StockhamDomain::<Fr>::new(4).unwrap();
/// let squares = (0..4).map(|i| domain.element(i)).map(|x| x * x).collect();
/// let polynomial = Evaluations::from_vec_and_domain(squares, domain).interpolate();
/// assert_eq!(polynomial, DensePolynomial::from_coefficients_vec(vec![0.into(), 0.into(), 1.into()]));
/// assert_eq!(polynomial.evaluate(&Fr::from(3)), Fr::from(9));
/// ```
#[derive(Copy, Clone, Hash, Eq, PartialEq, Debug, CanonicalSerialize, CanonicalDeserialize)]
pub struct StockhamDomain<F: DeviceField>(Radix2EvaluationDomain<F>);

impl<F: DeviceField> StockhamDomain<F> {
    /// The same points, transformed by arkworks.
    pub fn radix2(&self) -> &Radix2EvaluationDomain<F> {
        &self.0
    }

    /// Whether the elements are those of the field, and are transformed.
    fn is_transformed<T: DomainCoeff<F>>(
        &self,
        x: &mut Vec<T>,
        transform: impl FnOnce(&DomainTransforms<F>, &mut Vec<F>) -> stockham::Result<()>,
    ) -> bool {
        if typeid::of::<T>() != typeid::of::<F>() {
            return false;
        }
        // SAFETY: T is F: their identities are the same, and F has no lifetimes in which they may differ, as it is 'static.
        let x = unsafe { &mut *std::ptr::from_mut(x).cast::<Vec<F>>() };
        let transforms = DomainTransforms::with(runner());
        let result = transform(&transforms, x);
        result.unwrap_or_else(|error| panic!("stockham on {}: {error}", transforms.device().info().id));
        true
    }
}

impl<F: DeviceField> From<Radix2EvaluationDomain<F>> for StockhamDomain<F> {
    fn from(domain: Radix2EvaluationDomain<F>) -> Self {
        Self(domain)
    }
}

impl<F: DeviceField> EvaluationDomain<F> for StockhamDomain<F> {
    type Elements = Elements<F>;

    fn new(num_coeffs: usize) -> Option<Self> {
        Radix2EvaluationDomain::new(num_coeffs).map(Self)
    }

    fn get_coset(&self, offset: F) -> Option<Self> {
        self.0.get_coset(offset).map(Self)
    }

    fn compute_size_of_domain(num_coeffs: usize) -> Option<usize> {
        Radix2EvaluationDomain::<F>::compute_size_of_domain(num_coeffs)
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn log_size_of_group(&self) -> u64 {
        self.0.log_size_of_group()
    }

    fn size_inv(&self) -> F {
        self.0.size_inv()
    }

    fn group_gen(&self) -> F {
        self.0.group_gen()
    }

    fn group_gen_inv(&self) -> F {
        self.0.group_gen_inv()
    }

    fn coset_offset(&self) -> F {
        self.0.coset_offset()
    }

    fn coset_offset_inv(&self) -> F {
        self.0.coset_offset_inv()
    }

    fn coset_offset_pow_size(&self) -> F {
        self.0.coset_offset_pow_size()
    }

    fn fft_in_place<T: DomainCoeff<F>>(&self, coeffs: &mut Vec<T>) {
        if !self.is_transformed(coeffs, |transforms, coeffs| transforms.fft_in_place(&self.0, coeffs)) {
            self.0.fft_in_place(coeffs);
        }
    }

    fn ifft_in_place<T: DomainCoeff<F>>(&self, evals: &mut Vec<T>) {
        if !self.is_transformed(evals, |transforms, evals| transforms.ifft_in_place(&self.0, evals)) {
            self.0.ifft_in_place(evals);
        }
    }

    fn elements(&self) -> Elements<F> {
        self.0.elements()
    }
}
