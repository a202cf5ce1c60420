//! What the check of digits needs of a field.

use std::ops::Range;

use stockham::accuracy;
use stockham::algebra::{MachineWord, PrimeField, Root, WordField};
use stockham::{Algebra, BigPrime, Digit, Layout, Result};

/// A field whose elements are digits of type `D`, computed with on the host.
pub trait ExactField<D>: Sync {
    fn algebra(&self) -> Algebra;
    /// The digits of random elements.
    fn random(&self, layout: Layout, elements: usize, seed: u64) -> Vec<D>;
    /// Checks that digits are those of elements.
    fn check(&self, digits: &[D], layout: Layout) -> Result<()>;
    /// The digits of a root of unity.
    fn root(&self, root: Root) -> Vec<u64>;
    /// The digits of 1/2^m.
    fn inverse_of_pow2(&self, m: u32) -> Vec<u64>;
    /// The digits of a product.
    fn multiply(&self, x: &[u64], y: &[u64]) -> Vec<u64>;
    /// Σ x\[start + j\]·z^j over a range of elements.
    fn evaluate(&self, digits: &[D], layout: Layout, elements: Range<usize>, z: &[u64]) -> Vec<u64>;
}

impl<D: Digit> ExactField<D> for BigPrime {
    fn algebra(&self) -> Algebra {
        Algebra::BigPrime(*self)
    }
    fn random(&self, _: Layout, elements: usize, seed: u64) -> Vec<D> {
        accuracy::random_digits(*self, elements, seed)
    }
    fn check(&self, digits: &[D], layout: Layout) -> Result<()> {
        self.field().check(digits, layout)
    }
    fn root(&self, root: Root) -> Vec<u64> {
        self.field().root(root)
    }
    fn inverse_of_pow2(&self, m: u32) -> Vec<u64> {
        self.field().inverse_of_pow2(m)
    }
    fn multiply(&self, x: &[u64], y: &[u64]) -> Vec<u64> {
        self.field().multiply(x, y)
    }
    fn evaluate(&self, digits: &[D], layout: Layout, elements: Range<usize>, z: &[u64]) -> Vec<u64> {
        self.field().evaluate(digits, layout, elements, z)
    }
}

impl<W: Digit + MachineWord> ExactField<W> for WordField {
    fn algebra(&self) -> Algebra {
        Algebra::WordField(*self)
    }
    fn random(&self, _: Layout, elements: usize, seed: u64) -> Vec<W> {
        accuracy::random_words(*self, elements, seed)
    }
    fn check(&self, words: &[W], _: Layout) -> Result<()> {
        (*self).check(words)
    }
    fn root(&self, root: Root) -> Vec<u64> {
        vec![(*self).root(root)]
    }
    fn inverse_of_pow2(&self, m: u32) -> Vec<u64> {
        vec![(*self).inverse_of(1 << m)]
    }
    fn multiply(&self, x: &[u64], y: &[u64]) -> Vec<u64> {
        vec![(*self).multiply(x[0], y[0])]
    }
    fn evaluate(&self, words: &[W], _: Layout, elements: Range<usize>, z: &[u64]) -> Vec<u64> {
        vec![(*self).evaluate(words, elements, z[0])]
    }
}

impl ExactField<u64> for PrimeField {
    fn algebra(&self) -> Algebra {
        Algebra::PrimeField(*self)
    }
    fn random(&self, layout: Layout, elements: usize, seed: u64) -> Vec<u64> {
        accuracy::random_residues(*self, layout, elements, seed)
    }
    fn check(&self, words: &[u64], layout: Layout) -> Result<()> {
        (*self).check(words, layout)
    }
    fn root(&self, root: Root) -> Vec<u64> {
        (*self).root(root)
    }
    fn inverse_of_pow2(&self, m: u32) -> Vec<u64> {
        (*self).inverse_of_pow2(m)
    }
    fn multiply(&self, x: &[u64], y: &[u64]) -> Vec<u64> {
        (*self).multiply(x, y)
    }
    fn evaluate(&self, words: &[u64], layout: Layout, elements: Range<usize>, z: &[u64]) -> Vec<u64> {
        (*self).evaluate(words, layout, elements, z)
    }
}
