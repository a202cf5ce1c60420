//! Elements that lie in buffers as digits, wherever those stand.

use super::{BigElement, Field, Goldilocks, Numbers, NumericRing, PrimeField, Residue};
use crate::error::Result;

/// An element that is gathered from `K` digits and scattered into them again.
pub(crate) trait Gathered<const K: usize>: Numbers {
    /// What tells the field.
    type Field: Copy + Send + Sync;
    /// The number 1.
    fn one(field: Self::Field) -> Self;
    /// Element number `index` from its digits, or the error that they are no element's.
    fn gather(field: Self::Field, index: usize, digits: &[u64; K]) -> Result<Self>;
    /// The element that is a residue of these words, however elements lie.
    fn of_residue(field: Self::Field, words: &[u64; K]) -> Result<Self> {
        Self::gather(field, 0, words)
    }
    /// Its digits.
    fn scatter(&self) -> [u64; K];
}

impl<const K: usize> Gathered<K> for BigElement<K> {
    type Field = &'static Field;
    fn one(field: Self::Field) -> Self {
        Self::from_u64(field, 1)
    }
    #[inline(always)]
    fn gather(field: Self::Field, index: usize, digits: &[u64; K]) -> Result<Self> {
        field.check_element(index, |c| digits[c])?;
        Ok(Self::of(field, digits))
    }
    #[inline(always)]
    fn scatter(&self) -> [u64; K] {
        *self.digits()
    }
}

impl Gathered<1> for Goldilocks {
    type Field = ();
    fn one((): ()) -> Self {
        NumericRing::one()
    }
    /// Words beyond the modulus are their residues.
    #[inline(always)]
    fn gather((): (), _: usize, &[word]: &[u64; 1]) -> Result<Self> {
        Ok(Self::reduce(word))
    }
    #[inline(always)]
    fn scatter(&self) -> [u64; 1] {
        [self.value()]
    }
}

impl<const K: usize> Gathered<K> for Residue<K> {
    type Field = PrimeField;
    fn one(field: PrimeField) -> Self {
        Self::one(field)
    }
    #[inline(always)]
    fn gather(field: PrimeField, index: usize, digits: &[u64; K]) -> Result<Self> {
        field.check_element(index, digits)?;
        Ok(if field.is_montgomery() { Self::formed(field, digits) } else { Self::of(field, digits) })
    }
    fn of_residue(field: PrimeField, words: &[u64; K]) -> Result<Self> {
        Self::new(field, *words)
    }
    #[inline(always)]
    fn scatter(&self) -> [u64; K] {
        if self.field().is_montgomery() { self.form() } else { self.words() }
    }
}
