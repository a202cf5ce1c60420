//! Elements of prime fields as numbers that codelets compute with.

use std::fmt;

use super::PrimeField;
use super::arithmetic::{add_modulo, is_zero, multiply, subtract_modulo};
use crate::algebra::{Numbers, Ring, Root, Scale};
use crate::error::{Error, Result};

/// An element of a [`PrimeField`] of `L` words.
///
/// ```
/// use stockham::algebra::{PrimeField, Residue, Ring};
/// let field: PrimeField = "998244353".parse()?;
/// let x = Residue::<1>::new(field, [998244352])?;
/// assert_eq!(x.mul(&x).words(), [1]);
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// Both operands must be of one field; debug builds panic if they are not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Residue<const L: usize> {
    field: PrimeField,
    /// The residue times R mod p.
    form: [u64; L],
}

impl<const L: usize> Residue<L> {
    /// The element with these words, the lowest first.
    ///
    /// # Errors
    /// [`Error::Residue`] if the number is not below p; [`Error::BufferLength`] if the field's elements have not `L` words.
    pub fn new(field: PrimeField, words: [u64; L]) -> Result<Self> {
        if field.words() != L {
            return Err(Error::BufferLength { buffer: "element", expected: field.words(), found: L });
        }
        field.check_element(0, &words)?;
        Ok(Self::of(field, &words))
    }

    /// The element with words that were checked.
    pub(crate) fn of(field: PrimeField, words: &[u64]) -> Self {
        let modulus = field.modulus;
        let mut form = [0; L];
        multiply(&modulus.words, modulus.inverse, words, &modulus.square, &mut form);
        Self { field, form }
    }

    /// The element whose words in Montgomery's form these are.
    pub(crate) fn formed(field: PrimeField, form: &[u64]) -> Self {
        Self { field, form: form.try_into().expect("as many words as the field's elements have") }
    }

    /// The number 1.
    pub(crate) fn one(field: PrimeField) -> Self {
        Self::formed(field, &field.modulus.one)
    }

    /// Its words in Montgomery's form.
    pub(crate) fn form(&self) -> [u64; L] {
        self.form
    }

    /// Its field.
    pub fn field(&self) -> PrimeField {
        self.field
    }

    /// The residue below p, the lowest word first.
    pub fn words(&self) -> [u64; L] {
        let (modulus, mut one, mut words) = (self.field.modulus, [0; L], [0; L]);
        one[0] = 1;
        multiply(&modulus.words, modulus.inverse, &self.form, &one, &mut words);
        words
    }

    /// 1/self, or nothing for zero.
    pub fn inverse(&self) -> Option<Self> {
        (!is_zero(&self.form)).then(|| Self::formed(self.field, &self.field.modulus.inverse_of(&self.form)))
    }

    #[inline(always)]
    fn with(&self, change: impl FnOnce(&[u64], &mut [u64])) -> Self {
        // Of a length that the compiler knows.
        let p: &[u64; L] = self.field.modulus.words[..].try_into().expect("as many words as the field's elements have");
        let mut form = self.form;
        change(p, &mut form);
        Self { form, ..*self }
    }
}

impl<const L: usize> Ring for Residue<L> {
    #[inline(always)]
    fn add(&self, rhs: &Self) -> Self {
        debug_assert_eq!(self.field, rhs.field);
        self.with(|p, x| add_modulo(p, x, &rhs.form))
    }
    #[inline(always)]
    fn sub(&self, rhs: &Self) -> Self {
        debug_assert_eq!(self.field, rhs.field);
        self.with(|p, x| subtract_modulo(p, x, &rhs.form))
    }
    fn neg(&self) -> Self {
        Self { form: [0; L], ..*self }.sub(self)
    }
    #[inline(always)]
    fn mul(&self, rhs: &Self) -> Self {
        debug_assert_eq!(self.field, rhs.field);
        let inverse = self.field.modulus.inverse;
        self.with(|p, x| multiply(p, inverse, &self.form, &rhs.form, x))
    }
    /// # Panics
    /// If the field has no root of that order; [`Algebra::check_length`](crate::Algebra::check_length) tells before.
    fn mul_root(&self, root: Root) -> Self {
        match root.order() {
            1 => *self,
            2 => self.neg(),
            _ => self.mul(&Self::formed(self.field, &self.field.modulus.root(root))),
        }
    }
    fn mul_cos(&self, root: Root) -> Self {
        self.mul_root(root).add(&self.mul_root(root.inverse())).scaled(Scale::Inverse(2))
    }
    fn mul_sin(&self, root: Root) -> Self {
        self.mul_root(root).sub(&self.mul_root(root.inverse())).scaled(Scale::Inverse(2))
    }
}

impl<const L: usize> Numbers for Residue<L> {
    fn integer(&self, value: u64) -> Self {
        let p = self.field.modulus();
        let mut words = [0; L];
        words[0] = if L == 1 { value % p[0] } else { value };
        Self::of(self.field, &words)
    }
    fn has_root(&self, n: usize) -> bool {
        self.field.has_root(n)
    }
    /// The transform over fields takes −1 as the root that costs no product.
    fn shift_order(&self) -> usize {
        2
    }
    /// # Panics
    /// For [`Scale::InverseSqrt`]: a field has no canonical square root.
    fn scaled(&self, scale: Scale) -> Self {
        match scale {
            Scale::One => *self,
            Scale::Inverse(n) => self.mul(&self.integer(n as u64).inverse().expect("n is not a multiple of p")),
            Scale::InverseSqrt(_) => panic!("a finite field has no canonical square root"),
        }
    }
}

impl<const L: usize> fmt::Debug for Residue<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x?} in {}", self.words(), self.field)
    }
}
