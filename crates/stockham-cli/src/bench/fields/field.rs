//! What the suite needs of a field: random elements, and a polynomial's value.

use std::marker::PhantomData;

use stockham::algebra::{NumericRing, Ring, Root};
use stockham::{Algebra, Data, Digit, Goldilocks, Layout, accuracy};

use super::super::exact::ExactField;

/// A field whose transforms are checked by values of polynomials.
pub trait Field: Sync {
    /// What buffers hold, one or more of which are an element.
    type Value: Data;
    fn algebra(&self) -> Algebra;
    fn random(&self, elements: usize, seed: u64) -> Vec<Self::Value>;
    /// The words of a root of unity.
    fn root(&self, root: Root) -> Vec<u64>;
    /// The words of a residue times a small number.
    fn times(&self, x: &[u64], factor: u64) -> Vec<u64>;
    /// The element Σ x_j·z^j.
    fn value(&self, x: &[Self::Value], z: &[u64]) -> Vec<Self::Value>;
}

/// A field of digits or words.
pub struct Words<F, D> {
    field: F,
    marker: PhantomData<D>,
}

impl<F, D> Words<F, D> {
    pub fn of(field: F) -> Self {
        Self { field, marker: PhantomData }
    }
}

impl<D: Digit, F: ExactField<D>> Field for Words<F, D> {
    type Value = D;
    fn algebra(&self) -> Algebra {
        self.field.algebra()
    }
    fn random(&self, elements: usize, seed: u64) -> Vec<D> {
        self.field.random(Layout::Plain, elements, seed)
    }
    fn root(&self, root: Root) -> Vec<u64> {
        self.field.root(root)
    }
    fn times(&self, x: &[u64], factor: u64) -> Vec<u64> {
        let mut words = vec![0; x.len()];
        words[0] = factor;
        self.field.multiply(x, &words)
    }
    fn value(&self, x: &[D], z: &[u64]) -> Vec<D> {
        let elements = x.len() / self.field.algebra().layout().1;
        self.field.evaluate(x, Layout::Plain, 0..elements, z).into_iter().map(D::truncated).collect()
    }
}

/// The Goldilocks field.
pub struct OfGoldilocks;

impl Field for OfGoldilocks {
    type Value = Goldilocks;
    fn algebra(&self) -> Algebra {
        Algebra::Goldilocks
    }
    fn random(&self, elements: usize, seed: u64) -> Vec<Goldilocks> {
        accuracy::random(elements, seed)
    }
    fn root(&self, root: Root) -> Vec<u64> {
        vec![<Goldilocks as NumericRing>::root(root).value()]
    }
    fn times(&self, x: &[u64], factor: u64) -> Vec<u64> {
        vec![Goldilocks::reduce(x[0]).mul(&Goldilocks::reduce(factor)).value()]
    }
    fn value(&self, x: &[Goldilocks], z: &[u64]) -> Vec<Goldilocks> {
        let z = Goldilocks::reduce(z[0]);
        vec![x.iter().rev().fold(Goldilocks::reduce(0), |sum, x| sum.mul(&z).add(x))]
    }
}
